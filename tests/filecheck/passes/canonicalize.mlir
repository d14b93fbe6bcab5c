// RUN: trilith-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @identity(
// CHECK-NOT:     tri.mul
// CHECK:         tri.clone %x
func.func @identity(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %c = tri.constant 1.0 : !tri.tensor<f32>
  %0 = tri.mul %c, %x : !tri.tensor<f32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}

// x + 0 turns -0.0 into 0.0, so it stays for floats; for integers it goes.
// CHECK-LABEL: func.func @plus_zero(
// CHECK:         tri.add %x
// CHECK:         tri.clone %i
func.func @plus_zero(%x: !tri.tensor<4xf32>, %i: !tri.tensor<4xsi32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xsi32>) {
  %c = tri.constant 0.0 : !tri.tensor<f32>
  %d = tri.constant 0 : !tri.tensor<si32>
  %0 = tri.add %x, %c : !tri.tensor<4xf32>, !tri.tensor<f32> -> !tri.tensor<4xf32>
  %1 = tri.add %i, %d : !tri.tensor<4xsi32>, !tri.tensor<si32> -> !tri.tensor<4xsi32>
  func.return %0, %1 : !tri.tensor<4xf32>, !tri.tensor<4xsi32>
}

// CHECK-LABEL: func.func @involution(
// CHECK-NOT:     tri.neg
// CHECK:         tri.clone %x
func.func @involution(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.neg %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.neg %0 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %1 : !tri.tensor<4xf32>
}

// An operation that does nothing the second time is done once.
// CHECK-LABEL: func.func @idempotent(
// CHECK-NEXT:    %0 = tri.relu %x
// CHECK-NEXT:    %1 = tri.clone %0
func.func @idempotent(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.relu %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.relu %0 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %1 : !tri.tensor<4xf32>
}
