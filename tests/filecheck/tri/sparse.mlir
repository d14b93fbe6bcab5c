// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s

// What stands in the IR for sparse tensors, unchanged through parser and printer in both syntaxes.

// CHECK-LABEL: func.func @parts(
// CHECK-NEXT:    %[[S:.+]] = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
// CHECK-NEXT:    %{{.+}}, %{{.+}} = tri.disassemble %[[S]] : !tri.tensor<4x5xf32, layout=sparse_coo> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
func.func @parts(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) {
  %0 = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %1, %2 = tri.disassemble %0 : !tri.tensor<4x5xf32, layout=sparse_coo> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
  func.return
}

// Dims behind the sparse ones are those of each value; a device and symbols stand as in all types.
// CHECK-LABEL: func.func @hybrid(
// CHECK-NEXT:    tri.assemble %i, %v {coalesced} : !tri.tensor<1x(n)xsi64, device="opencl:0">, !tri.tensor<(n)x5xf64, device="opencl:0"> -> !tri.tensor<4x5xf64, device="opencl:0", layout=sparse_coo>
func.func @hybrid(%i: !tri.tensor<1x(n)xsi64, device="opencl:0">, %v: !tri.tensor<(n)x5xf64, device="opencl:0">) attributes {tri.symbols = #tri.symbols<n = 7>} {
  %0 = tri.assemble %i, %v {coalesced} : !tri.tensor<1x(n)xsi64, device="opencl:0">, !tri.tensor<(n)x5xf64, device="opencl:0"> -> !tri.tensor<4x5xf64, device="opencl:0", layout=sparse_coo>
  func.return
}

// Operands, those of a list, one that has its default, known numbers, static values.
// CHECK-LABEL: func.func @operations(
// CHECK:         tri.sparse "mul"(%s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
// CHECK-NEXT:    tri.sparse "add"(%s, %s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
// CHECK-NEXT:    tri.sparse "cat"([%s, %s]) known(%k, %k) {dim = 1 : i64} : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<2xsi64>, !tri.tensor<2xsi64> -> !tri.tensor<4x10xf32, layout=sparse_coo>
// CHECK-NEXT:    tri.sparse "sum"(%s) : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<f32>
func.func @operations(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>, %k: !tri.tensor<2xsi64>) {
  %s = tri.assemble %i, %v {coalesced} : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %c = tri.constant 2 : !tri.scalar<int>
  %0 = tri.sparse "mul"(%s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %1 = tri.sparse "add"(%s, %s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %2 = tri.sparse "cat"([%s, %s]) known(%k, %k) {dim = 1 : i64} : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<2xsi64>, !tri.tensor<2xsi64> -> !tri.tensor<4x10xf32, layout=sparse_coo>
  %3 = tri.sparse "sum"(%s) : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<f32>
  func.return
}
