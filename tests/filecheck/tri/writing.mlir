// RUN: trilith-opt %s | trilith-opt | filecheck %s

// Writes of arguments at the end of a function, unchanged through parser and printer.

// CHECK-LABEL: func.func @whole(
// CHECK:         tri.write %[[V:.+]] into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
func.func @whole(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) {
  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// A value that is computed where it belongs.
// CHECK-LABEL: func.func @direct(
// CHECK:         tri.write direct %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
func.func @direct(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) {
  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  tri.write direct %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// The target may be a view, and value and target differ in their strides.
// CHECK-LABEL: func.func @part(
// CHECK:         %[[T:.+]] = tri.t %x
// CHECK:         tri.write %y into %[[T]] : !tri.tensor<3x2xf32> into !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
func.func @part(%x: !tri.tensor<2x3xf32>, %y: !tri.tensor<3x2xf32>) {
  %0 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  tri.write %y into %0 : !tri.tensor<3x2xf32> into !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  func.return
}
