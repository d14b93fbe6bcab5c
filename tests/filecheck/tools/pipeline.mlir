// RUN: trilith-opt %s --target-pipeline cpu | filecheck %s
// RUN: trilith-opt %s --target-pipeline cpu -t tri-llvm | filecheck %s --check-prefix=LLVM
// RUN: trilith-opt %s --target-pipeline opencl -t tri-opencl | filecheck %s --check-prefix=OPENCL
// RUN: trilith-opt %s --target-pipeline opencl-gpu -t tri-opencl | filecheck %s --check-prefix=GPU
// RUN: not trilith-opt %s -t tri-llvm 2>&1 | filecheck %s --check-prefix=NONE

// All passes for a device, by its name: from tensors to scheduled kernels.

// CHECK: func.func @f
// CHECK: tri.launch @[[KERNEL:[a-z_0-9]+]](
// CHECK: kernel.func @[[KERNEL]](
// CHECK: kernel.for

// LLVM: define void @{{[a-z_0-9]+}}(ptr
// LLVM: fadd <{{[0-9]+}} x float>

// OPENCL: // trilith: {"local": [1], "global"
// OPENCL: __kernel void
// OPENCL: for (

// GPU: // trilith: {"local": [256], "global"
// GPU: __kernel void
// GPU-NOT: for (

// NONE: error: tri-llvm: the module holds no kernel.func; `--target-pipeline cpu` makes kernels of tensor functions

func.func @f(%x: !tri.tensor<4x3xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<4x3xf32> {
  %0 = tri.add %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4x3xf32>
  %1 = tri.neg %0 : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  func.return %1 : !tri.tensor<4x3xf32>
}
