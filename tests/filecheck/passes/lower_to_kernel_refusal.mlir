// RUN: not trilith-opt %s -p tri-lower-to-kernel 2>&1 | filecheck %s

// CHECK: there is no lowering for 'add' outside of a fusion
func.func @unfused(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.add %x, %x : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
