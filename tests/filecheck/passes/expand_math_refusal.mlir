// RUN: not trilith-opt %s -p kernel-expand-math 2>&1 | filecheck %s

// Vectors come later, and narrow floats are widened first.
// CHECK: kernel-expand-math: expected math.exp on f32 or f64, got f16
kernel.func @half(%n: index, %x: !kernel.buffer<f16, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f16
    %1 = math.exp %0 : f16
    kernel.store %1, %x[%i]
  }
}
