// RUN: trilith-opt %s -p tri-hoist-gathers | filecheck %s

// The logarithm of one probability of each row: of the others only sums are needed.
// CHECK-LABEL: func.func @picked(
// CHECK-NEXT:    %[[X:.+]] = tri.gather_along %x, %i {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<8x1xsi64> -> !tri.tensor<8x1xf32>
// CHECK-NEXT:    %[[D:.+]] = tri.sub %[[X]], %m : !tri.tensor<8x1xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x1xf32>
// CHECK-NEXT:    %[[L:.+]] = tri.sub %[[D]], %s : !tri.tensor<8x1xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x1xf32>
// CHECK-NEXT:    func.return %[[L]]
func.func @picked(%x: !tri.tensor<8x5xf32>, %m: !tri.tensor<8x1xf32>, %s: !tri.tensor<8x1xf32>, %i: !tri.tensor<8x1xsi64>) -> !tri.tensor<8x1xf32> {
  %0 = tri.sub %x, %m : !tri.tensor<8x5xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x5xf32>
  %1 = tri.sub %0, %s : !tri.tensor<8x5xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x5xf32>
  %2 = tri.gather_along %1, %i {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<8x1xsi64> -> !tri.tensor<8x1xf32>
  func.return %2 : !tri.tensor<8x1xf32>
}

// Along the first dim, of two tensors one of which is a view; what others need stays.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[T:.+]] = tri.t %y
// CHECK-NEXT:    %[[P:.+]] = tri.mul %x, %[[T]]
// CHECK-NEXT:    %[[S:.+]] = tri.sum %[[P]]
// CHECK-DAG:     %[[A:.+]] = tri.gather_along %x, %i
// CHECK-DAG:     %[[B:.+]] = tri.gather_along %[[T]], %i
// CHECK:         tri.mul %[[A]], %[[B]] : !tri.tensor<1x5xf32>, !tri.tensor<1x5xf32> -> !tri.tensor<1x5xf32>
func.func @two(%x: !tri.tensor<8x5xf32>, %y: !tri.tensor<5x8xf32>, %i: !tri.tensor<1x5xsi64>) -> (!tri.tensor<1x5xf32>, !tri.tensor<5xf32>) {
  %0 = tri.t %y : !tri.tensor<5x8xf32> -> !tri.tensor<8x5xf32, layout=strided<[1, 8]>>
  %1 = tri.mul %x, %0 : !tri.tensor<8x5xf32>, !tri.tensor<8x5xf32, layout=strided<[1, 8]>> -> !tri.tensor<8x5xf32>
  %2 = tri.sum %1 {dim = array<i64: 0>} : !tri.tensor<8x5xf32> -> !tri.tensor<5xf32>
  %3 = tri.gather_along %1, %i {dim = 0 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<1x5xsi64> -> !tri.tensor<1x5xf32>
  func.return %3, %2 : !tri.tensor<1x5xf32>, !tri.tensor<5xf32>
}

// What the caller gets is in memory anyway.
// CHECK-LABEL: func.func @seen(
// CHECK-NEXT:    %[[E:.+]] = tri.exp %x
// CHECK-NEXT:    tri.gather_along %[[E]], %i
func.func @seen(%x: !tri.tensor<8x5xf32>, %i: !tri.tensor<8x1xsi64>) -> (!tri.tensor<8x5xf32>, !tri.tensor<8x1xf32>) {
  %0 = tri.exp %x : !tri.tensor<8x5xf32> -> !tri.tensor<8x5xf32>
  %1 = tri.gather_along %0, %i {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<8x1xsi64> -> !tri.tensor<8x1xf32>
  func.return %0, %1 : !tri.tensor<8x5xf32>, !tri.tensor<8x1xf32>
}

// Several elements of each row, some rows only, or a row that differs along the dim: all stay.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT:    %[[E:.+]] = tri.add %x, %w
// CHECK-NEXT:    tri.gather_along %[[E]], %i
// CHECK-NEXT:    tri.gather_along %[[E]], %j
// CHECK-NEXT:    tri.gather_along %[[E]], %k
func.func @several(%x: !tri.tensor<8x5xf32>, %w: !tri.tensor<5xf32>, %i: !tri.tensor<8x2xsi64>, %j: !tri.tensor<7x1xsi64>, %k: !tri.tensor<8x1xsi64>) -> (!tri.tensor<8x2xf32>, !tri.tensor<7x1xf32>, !tri.tensor<8x1xf32>) {
  %0 = tri.add %x, %w : !tri.tensor<8x5xf32>, !tri.tensor<5xf32> -> !tri.tensor<8x5xf32>
  %1 = tri.gather_along %0, %i {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<8x2xsi64> -> !tri.tensor<8x2xf32>
  %2 = tri.gather_along %0, %j {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<7x1xsi64> -> !tri.tensor<7x1xf32>
  %3 = tri.gather_along %0, %k {dim = 1 : i64} : !tri.tensor<8x5xf32>, !tri.tensor<8x1xsi64> -> !tri.tensor<8x1xf32>
  func.return %1, %2, %3 : !tri.tensor<8x2xf32>, !tri.tensor<7x1xf32>, !tri.tensor<8x1xf32>
}

// Numbers of elements are in no memory that could be looked up in.
// CHECK-LABEL: func.func @counted(
// CHECK:         tri.element_numbers
// CHECK-NEXT:    %[[N:.+]] = tri.mul
// CHECK-NEXT:    tri.gather_along %[[N]], %i
func.func @counted(%i: !tri.tensor<8x1xsi64>) -> !tri.tensor<8x1xsi64> {
  %0 = tri.element_numbers {size = array<i64: 8, 5>, device = #tri.device<"cpu">} : -> !tri.tensor<8x5xsi64>
  %1 = tri.mul %0, %0 : !tri.tensor<8x5xsi64>, !tri.tensor<8x5xsi64> -> !tri.tensor<8x5xsi64>
  %2 = tri.gather_along %1, %i {dim = 1 : i64} : !tri.tensor<8x5xsi64>, !tri.tensor<8x1xsi64> -> !tri.tensor<8x1xsi64>
  func.return %2 : !tri.tensor<8x1xsi64>
}
