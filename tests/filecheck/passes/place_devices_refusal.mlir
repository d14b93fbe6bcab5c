// RUN: not trilith-opt %s --disable-verify -p tri-place-devices 2>&1 | filecheck %s

// CHECK: Tensor on device cpu is not on the expected device opencl:0!
func.func @mixed(%x: !tri.tensor<4xf32, device="opencl:0">, %y: !tri.tensor<4xf32>) -> !tri.tensor<4xf32, device="opencl:0"> {
  %0 = tri.add %x, %y : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<4xf32> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %0 : !tri.tensor<4xf32, device="opencl:0">
}
