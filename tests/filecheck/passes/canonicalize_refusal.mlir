// RUN: trilith-opt %s -p canonicalize | filecheck %s

// x * 1 stays where it also changes the dtype or the shape.
// CHECK-LABEL: func.func @changes(
// CHECK:         tri.mul %i
// CHECK:         tri.mul %s
func.func @changes(%i: !tri.tensor<4xsi32>, %s: !tri.tensor<f32>, %one: !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xf32>) {
  %c = tri.constant 1.0 : !tri.tensor<f32>
  %0 = tri.mul %i, %c : !tri.tensor<4xsi32>, !tri.tensor<f32> -> !tri.tensor<4xf32>
  %1 = tri.mul %s, %one : !tri.tensor<f32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0, %1 : !tri.tensor<4xf32>, !tri.tensor<4xf32>
}

// x + 0 stays for floats: -0.0 + 0.0 is 0.0.
// CHECK-LABEL: func.func @negative_zero(
// CHECK:         tri.add %x
func.func @negative_zero(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %c = tri.constant 0.0 : !tri.tensor<f32>
  %0 = tri.add %x, %c : !tri.tensor<4xf32>, !tri.tensor<f32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
