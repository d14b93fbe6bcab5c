// RUN: trilith-opt %s -p tri-fuse,tri-lower-to-kernel | filecheck %s

// Contiguous dims are one, and a view is an offset and strides.
// CHECK-LABEL: func.func @pointwise(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<4x3xf32>
// CHECK-NEXT:    tri.launch @add_0(%x, %y, %0) [4, 3, 2, 5, 0, 0, 3] : !tri.tensor<4x5xf32>, !tri.tensor<3xf32>, !tri.tensor<4x3xf32>
// CHECK-NEXT:    func.return %0
func.func @pointwise(%x: !tri.tensor<4x5xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<4x3xf32> {
  %0 = tri.slice %x {dim = 1 : i64, start = 2 : i64, end = 5 : i64} : !tri.tensor<4x5xf32> -> !tri.tensor<4x3xf32, layout=strided<[5, 1]>>
  %1 = tri.add %0, %y : !tri.tensor<4x3xf32, layout=strided<[5, 1]>>, !tri.tensor<3xf32> -> !tri.tensor<4x3xf32>
  func.return %1 : !tri.tensor<4x3xf32>
}

// A kernel reads the bytes of a float as an integer; a result is a view from an offset of its own.
// CHECK-LABEL: func.func @bytes(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<2xsi64>
// CHECK-NEXT:    tri.launch @neg_{{[0-9]+}}(%x, %0) [2, 1, 0] : !tri.tensor<6xf32>, !tri.tensor<2xsi64>
// CHECK-NEXT:    %1 = tri.strided %x[1] : !tri.tensor<6xf32> -> !tri.tensor<2xsi64>
// CHECK-NEXT:    func.return %0, %1
func.func @bytes(%x: !tri.tensor<6xf32>) -> (!tri.tensor<2xsi64>, !tri.tensor<2xsi64>) {
  %0 = tri.slice %x {dim = 0 : i64, start = 2 : i64, end = 6 : i64} : !tri.tensor<6xf32> -> !tri.tensor<4xf32>
  %1 = tri.view_dtype %0 {dtype = si64, source = f32} : !tri.tensor<4xf32> -> !tri.tensor<2xsi64>
  %2 = tri.neg %1 : !tri.tensor<2xsi64> -> !tri.tensor<2xsi64>
  func.return %2, %1 : !tri.tensor<2xsi64>, !tri.tensor<2xsi64>
}

// CHECK-LABEL: kernel.func @add_0(
// CHECK-SAME:    %0: index, %1: index, %2: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"}, %3: !kernel.buffer<f32, [0, 1]> {kernel.access = "read"}, %4: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}
// CHECK-NEXT:    kernel.map (%5, %6) to (%0, %1) {
// CHECK-NEXT:      %7 = kernel.load %2[%5, %6] : f32
// CHECK-NEXT:      %8 = kernel.load %3[%5, %6] : f32
// CHECK-NEXT:      %9 = arith.addf %7, %8 : f32
// CHECK-NEXT:      kernel.store %9, %4[%5, %6]
// CHECK-NEXT:    }
