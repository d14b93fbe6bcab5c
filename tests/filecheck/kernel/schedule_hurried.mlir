// RUN: trilith-opt %s -p "kernel-schedule{target=cpu hurried=true}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu hurried=true}" | filecheck %s --check-prefix=OPENCL

// Code that a first short launch waits for: loops around one body of scalars, for any strides. What
// comes of arguments alone is computed in front of them.

// CHECK-LABEL: kernel.func @scaled(
// CHECK-NOT:     vector<
// CHECK:         %[[TWICE:.+]] = arith.addf %a, %a : f32
// CHECK-NEXT:    kernel.for %[[I:.+]] = %{{.+}} to %n step %[[ONE:.+]] {
// CHECK-NEXT:      kernel.for %[[J:.+]] = %{{.+}} to %m step %[[ONE]] {
// CHECK-NEXT:        %[[X:.+]] = kernel.load %x[%[[I]], %[[J]]] : f32
// CHECK-NEXT:        %[[R:.+]] = arith.mulf %[[X]], %[[TWICE]] : f32
// CHECK-NEXT:        kernel.store %[[R]], %y[%[[I]], %[[J]]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NOT:     vector<

// A device compiles as it likes: its schedule is the usual one.
// OPENCL:        kernel.parallel items
kernel.func @scaled(%n: index, %m: index, %a: f32,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1, ?]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    %twice = arith.addf %a, %a : f32
    %r = arith.mulf %v, %twice : f32
    kernel.store %r, %y[%i, %j]
  }
}

// A reduction keeps its vectors: they are the order of its sum.

// CHECK-LABEL: kernel.func @sum(
// CHECK:         vector<
kernel.func @sum(%n: index,
    %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, []> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 8, block = 0} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  kernel.store %s, %y[]
}
