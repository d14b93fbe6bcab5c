// RUN: trilith-opt %s -p tri-canonicalize-formats,dce | filecheck %s

// Inverse permutations cancel, and a copy whose readers ask for elements alone goes.
// CHECK-LABEL: func.func @cancel(
// CHECK-NEXT:    %0 = tri.exp %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
// CHECK-NEXT:    func.return %0
func.func @cancel(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
  %0 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  %1 = tri.t %0 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<2x3xf32>
  %2 = tri.clone %1 {memory_format = #tri.format<contiguous_format>} : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  %3 = tri.exp %2 : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  func.return %3 : !tri.tensor<2x3xf32>
}

// What the caller sees keeps its strides, and a copy of an argument stays a copy.
// CHECK-LABEL: func.func @seen(
// CHECK-NEXT:    %0 = tri.clone %x : !tri.tensor<1x2x3x4xf32> -> !tri.tensor<1x2x3x4xf32, layout=strided<[24, 1, 8, 2]>>
// CHECK-NEXT:    %1 = tri.clone %x : !tri.tensor<1x2x3x4xf32> -> !tri.tensor<1x2x3x4xf32>
// CHECK-NEXT:    func.return %0, %1
func.func @seen(%x: !tri.tensor<1x2x3x4xf32>) -> (!tri.tensor<1x2x3x4xf32, layout=strided<[24, 1, 8, 2]>>, !tri.tensor<1x2x3x4xf32>) {
  %0 = tri.clone %x {memory_format = #tri.format<channels_last>} : !tri.tensor<1x2x3x4xf32> -> !tri.tensor<1x2x3x4xf32, layout=strided<[24, 1, 8, 2]>>
  %1 = tri.clone %x {memory_format = #tri.format<preserve_format>} : !tri.tensor<1x2x3x4xf32> -> !tri.tensor<1x2x3x4xf32>
  func.return %0, %1 : !tri.tensor<1x2x3x4xf32, layout=strided<[24, 1, 8, 2]>>, !tri.tensor<1x2x3x4xf32>
}

// A copy of something fresh that has the layout already is that thing.
// CHECK-LABEL: func.func @fresh(
// CHECK-NEXT:    %0 = tri.exp %x
// CHECK-NEXT:    func.return %0
func.func @fresh(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
  %0 = tri.exp %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  %1 = tri.clone %0 : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  func.return %1 : !tri.tensor<2x3xf32>
}

// Two results never become one memory.
// CHECK-LABEL: func.func @both(
// CHECK-NEXT:    %0 = tri.exp %x
// CHECK-NEXT:    %1 = tri.clone %0
// CHECK-NEXT:    func.return %0, %1
func.func @both(%x: !tri.tensor<2x3xf32>) -> (!tri.tensor<2x3xf32>, !tri.tensor<2x3xf32>) {
  %0 = tri.exp %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  %1 = tri.clone %0 : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  func.return %0, %1 : !tri.tensor<2x3xf32>, !tri.tensor<2x3xf32>
}

// Bytes that are seen as another dtype and back are what they were.
// CHECK-LABEL: func.func @bytes(
// CHECK-NEXT:    %0 = tri.exp %x : !tri.tensor<2x4xf32> -> !tri.tensor<2x4xf32>
// CHECK-NEXT:    func.return %0
func.func @bytes(%x: !tri.tensor<2x4xf32>) -> !tri.tensor<2x4xf32> {
  %0 = tri.view_dtype %x {dtype = f64, source = f32} : !tri.tensor<2x4xf32> -> !tri.tensor<2x2xf64>
  %1 = tri.view_dtype %0 {dtype = f32, source = f64} : !tri.tensor<2x2xf64> -> !tri.tensor<2x4xf32>
  %2 = tri.exp %1 : !tri.tensor<2x4xf32> -> !tri.tensor<2x4xf32>
  func.return %2 : !tri.tensor<2x4xf32>
}
