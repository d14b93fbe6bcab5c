// RUN: not trilith-opt %s -p "kernel-schedule{target=abacus}" 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not trilith-opt %s -p "kernel-schedule{target=cpu}" 2>&1 | filecheck %s

// TARGET: trilith-opt: error: kernel-schedule: there is no target 'abacus'; there are cpu, opencl-cpu, opencl-gpu

// Points of a map run in any order: they cannot all write the same element different values.
// CHECK: differs by lane where it must not
kernel.func @race(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  %zero = arith.constant 0 : index
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f32
    kernel.store %v, %y[%zero]
  }
}
