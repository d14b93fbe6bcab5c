// RUN: not trilith-opt %s -p tri-keep-factors 2>&1 | filecheck %s

// CHECK: tri.captured has to name some of 2 arguments, each once
func.func @beyond(%x: !tri.tensor<3x4xf32>, %w: !tri.tensor<4x5xf32>) -> !tri.tensor<3x5xf32> attributes {tri.captured = array<i64: 1, 2>} {
  %0 = tri.matmul %x, %w : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32> -> !tri.tensor<3x5xf32>
  func.return %0 : !tri.tensor<3x5xf32>
}
