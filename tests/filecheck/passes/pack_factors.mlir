// RUN: trilith-opt %s -p tri-pack-factors | filecheck %s

// The columns of a transposed matrix lie across.
// CHECK-LABEL: func.func @linear(
// CHECK-NEXT:    %0 = tri.t %w
// CHECK-NEXT:    %1 = tri.clone %0 : !tri.tensor<4x5xf16, layout=strided<[1, 4]>> -> !tri.tensor<4x5xf16>
// CHECK-NEXT:    %2 = tri.matmul %x, %1
func.func @linear(%x: !tri.tensor<3x4xf16>, %w: !tri.tensor<5x4xf16>) -> !tri.tensor<3x5xf16> {
  %0 = tri.t %w : !tri.tensor<5x4xf16> -> !tri.tensor<4x5xf16, layout=strided<[1, 4]>>
  %1 = tri.matmul %x, %0 : !tri.tensor<3x4xf16>, !tri.tensor<4x5xf16, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf16>
  func.return %1 : !tri.tensor<3x5xf16>
}

// Where the channels of a result are innermost, the filters of a convolution are put so, too.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NEXT:    %0 = tri.clone %w : !tri.tensor<5x4x2xf16> -> !tri.tensor<5x4x2xf16, layout=strided<[1, 10, 5]>>
// CHECK-NEXT:    %1 = tri.contract %x, %0
func.func @channels_last(%x: !tri.tensor<3x4x6x2xf16>, %w: !tri.tensor<5x4x2xf16>) -> !tri.tensor<3x5x6xf16, layout=strided<[30, 1, 5]>> {
  %0 = tri.contract %x, %w {left = array<i64: 0, 3, 2, 4>, right = array<i64: 1, 3, 4>, order = array<i64: 0, 2, 1>} : !tri.tensor<3x4x6x2xf16>, !tri.tensor<5x4x2xf16> -> !tri.tensor<3x5x6xf16, layout=strided<[30, 1, 5]>>
  func.return %0 : !tri.tensor<3x5x6xf16, layout=strided<[30, 1, 5]>>
}

// A convolution of each channel by itself reads other filters for other channels, and other elements
// of the image, too: the filters are put side by side whatever they are.
// CHECK-LABEL: func.func @of_each(
// CHECK-NEXT:    %0 = tri.clone %w : !tri.tensor<4x2xf32> -> !tri.tensor<4x2xf32, layout=strided<[1, 4]>>
// CHECK-NEXT:    %1 = tri.contract %x, %0
func.func @of_each(%x: !tri.tensor<3x4x6x2xf32, layout=strided<[48, 1, 8, 4]>>, %w: !tri.tensor<4x2xf32>) -> !tri.tensor<3x4x6xf32, layout=strided<[24, 1, 4]>> {
  %0 = tri.contract %x, %w {left = array<i64: 0, 1, 2, 3>, right = array<i64: 1, 3>, order = array<i64: 0, 2, 1>} : !tri.tensor<3x4x6x2xf32, layout=strided<[48, 1, 8, 4]>>, !tri.tensor<4x2xf32> -> !tri.tensor<3x4x6xf32, layout=strided<[24, 1, 4]>>
  func.return %0 : !tri.tensor<3x4x6xf32, layout=strided<[24, 1, 4]>>
}
