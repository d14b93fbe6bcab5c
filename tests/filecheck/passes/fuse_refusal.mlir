// RUN: trilith-opt %s -p tri-fuse | filecheck %s

// A costly operation that two kernels need is stored once.
// CHECK-LABEL: func.func @needed_twice(
// CHECK:         %[[E:.+]] = tri.fusion
// CHECK:           tri.exp
// CHECK:         tri.fusion ({{.*}} = %[[E]]
// CHECK-NEXT:      tri.sum
// CHECK:         tri.fusion
// CHECK-NOT:       tri.exp
// CHECK:           tri.true_divide
func.func @needed_twice(%x: !tri.tensor<4x3xf32>) -> !tri.tensor<4x3xf32> {
  %0 = tri.exp %x : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %1 = tri.sum %0 {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x1xf32>
  %2 = tri.true_divide %0, %1 : !tri.tensor<4x3xf32>, !tri.tensor<4x1xf32> -> !tri.tensor<4x3xf32>
  func.return %2 : !tri.tensor<4x3xf32>
}

// Results of different shapes are different kernels.
// CHECK-LABEL: func.func @two_shapes(
// CHECK:         tri.fusion
// CHECK:         tri.fusion
func.func @two_shapes(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<3xf32>) {
  %0 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.exp %y : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
  func.return %0, %1 : !tri.tensor<4xf32>, !tri.tensor<3xf32>
}
