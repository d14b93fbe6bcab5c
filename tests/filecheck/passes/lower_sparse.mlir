// RUN: trilith-opt %s -p tri-lower-sparse | filecheck %s
// RUN: trilith-opt %s --target-pipeline cpu | filecheck %s --check-prefix=KERNELS

// What is done to values alone is done to values: a chain of it is one kernel.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %[[N:.+]] = tri.neg %v : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
// CHECK-NEXT:    %[[C:.+]] = tri.constant 3 : !tri.scalar<int>
// CHECK-NEXT:    %[[M:.+]] = tri.mul %[[N]], %[[C]] : !tri.tensor<3xf32>, !tri.scalar<int> -> !tri.tensor<3xf32>
// CHECK-NEXT:    %[[S:.+]] = tri.sin %[[M]] : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
// CHECK-NEXT:    func.return %i, %[[S]]
// KERNELS-LABEL: func.func @chain(
// KERNELS:         tri.launch @neg_mul_sin_0(%v, %{{.+}}) [3,
// KERNELS-NEXT:    func.return
func.func @chain(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>) {
  %s = tri.assemble %i, %v {coalesced} : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %c = tri.constant 3 : !tri.scalar<int>
  %0 = tri.sparse "neg"(%s) : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %1 = tri.sparse "mul"(%0, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %2 = tri.sparse "sin"(%1) : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %3, %4 = tri.disassemble %2 : !tri.tensor<4x5xf32, layout=sparse_coo> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
  func.return %3, %4 : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32>
}

// Two tensors with the same places are added without looking at these.
// CHECK-LABEL: func.func @same_places(
// CHECK:         %[[D:.+]] = tri.mul %v, %{{.+}}
// CHECK-NEXT:    %[[A:.+]] = tri.add %v, %[[D]] : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
// CHECK-NEXT:    func.return %[[A]]
func.func @same_places(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) -> !tri.tensor<3xf32> {
  %s = tri.assemble %i, %v {coalesced} : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %c = tri.constant 2 : !tri.scalar<int>
  %0 = tri.sparse "mul"(%s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %1 = tri.sparse "add"(%s, %0) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %2, %3 = tri.disassemble %1 : !tri.tensor<4x5xf32, layout=sparse_coo> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
  func.return %3 : !tri.tensor<3xf32>
}

// A product with a dense matrix is a row of its own, for any number of entries.
// CHECK-LABEL: func.func @product(
// CHECK-DAG:     %[[R:.+]] = tri.select %i {dim = 0 : i64, index = 0 : i64} : !tri.tensor<2x(n)xsi64> -> !tri.tensor<(n)xsi64>
// CHECK-DAG:     %[[C:.+]] = tri.select %i {dim = 0 : i64, index = 1 : i64} : !tri.tensor<2x(n)xsi64> -> !tri.tensor<(n)xsi64>
// CHECK:         %[[P:.+]] = tri.coo_mm %{{.+}}, %v, %x, %[[R]], %[[C]] :
// CHECK-NEXT:    func.return %[[P]]
func.func @product(%i: !tri.tensor<2x(n)xsi64>, %v: !tri.tensor<(n)xf32>, %x: !tri.tensor<5x6xf32>) -> !tri.tensor<4x6xf32> attributes {tri.symbols = #tri.symbols<n = 7>} {
  %s = tri.assemble %i, %v {coalesced} : !tri.tensor<2x(n)xsi64>, !tri.tensor<(n)xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %0 = tri.sparse "matmul"(%s, %x) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<5x6xf32> -> !tri.tensor<4x6xf32>
  func.return %0 : !tri.tensor<4x6xf32>
}

// What a form knows in numbers is given to it: here which dim comes first.
// CHECK-LABEL: func.func @turned(
// CHECK-NEXT:    %[[K:.+]] = tri.clone %k
// CHECK-NEXT:    %[[T:.+]] = tri.take_at %i, %[[K]] {dims = array<i64: 0>
// CHECK:         func.return %[[T]], %{{.+}} : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32>
func.func @turned(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>, %k: !tri.tensor<2xsi64>) -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>) {
  %s = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %0 = tri.sparse "t"(%s) known(%k) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<2xsi64> -> !tri.tensor<5x4xf32, layout=sparse_coo>
  %1, %2 = tri.disassemble %0 : !tri.tensor<5x4xf32, layout=sparse_coo> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
  func.return %1, %2 : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32>
}
