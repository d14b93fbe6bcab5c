// RUN: trilith-opt %s -p kernel-split-reductions | filecheck %s

// A sum of floats in one block has nothing to split; many results are work enough.

// CHECK-NOT: _parts
func.func @f(%x: !tri.tensor<100x20000xf32>, %y: !tri.tensor<100000xf32>) -> !tri.tensor<100xf32> {
  %0 = tri.empty : !tri.tensor<100xf32>
  %1 = tri.empty : !tri.tensor<f32>
  tri.launch @rows(%x, %0) [100, 20000, 0, 20000, 0] : !tri.tensor<100x20000xf32>, !tri.tensor<100xf32>
  tri.launch @series(%y, %1) [100000, 0, 0] : !tri.tensor<100000xf32>, !tri.tensor<f32>
  func.return %0 : !tri.tensor<100xf32>
}

kernel.func @rows(%m: index, %n: index, %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%m) {
    %s = kernel.reduce add (%j) to (%n) {lanes = 32, block = 16384} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%i]
  }
}

kernel.func @series(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, []> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 0} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  kernel.store %s, %y[]
}
