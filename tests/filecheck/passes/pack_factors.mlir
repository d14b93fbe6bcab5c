// RUN: trilith-opt %s -p tri-pack-factors | filecheck %s

// The columns of a transposed matrix lie across.
// CHECK-LABEL: func.func @linear(
// CHECK-NEXT:    %0 = tri.t %w
// CHECK-NEXT:    %1 = tri.clone %0 : !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<4x5xf32>
// CHECK-NEXT:    %2 = tri.matmul %x, %1
func.func @linear(%x: !tri.tensor<3x4xf32>, %w: !tri.tensor<5x4xf32>) -> !tri.tensor<3x5xf32> {
  %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
  %1 = tri.matmul %x, %0 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  func.return %1 : !tri.tensor<3x5xf32>
}

// Where the channels of a result are innermost, the filters of a convolution are put so, too.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NEXT:    %0 = tri.clone %w : !tri.tensor<5x4x2xf32> -> !tri.tensor<5x4x2xf32, layout=strided<[1, 10, 5]>>
// CHECK-NEXT:    %1 = tri.contract %x, %0
func.func @channels_last(%x: !tri.tensor<3x4x6x2xf32>, %w: !tri.tensor<5x4x2xf32>) -> !tri.tensor<3x5x6xf32, layout=strided<[30, 1, 5]>> {
  %0 = tri.contract %x, %w {left = array<i64: 0, 3, 2, 4>, right = array<i64: 1, 3, 4>, order = array<i64: 0, 2, 1>} : !tri.tensor<3x4x6x2xf32>, !tri.tensor<5x4x2xf32> -> !tri.tensor<3x5x6xf32, layout=strided<[30, 1, 5]>>
  func.return %0 : !tri.tensor<3x5x6xf32, layout=strided<[30, 1, 5]>>
}
