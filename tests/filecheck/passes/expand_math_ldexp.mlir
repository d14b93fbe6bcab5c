// RUN: trilith-opt %s -p kernel-expand-math | filecheck %s --check-prefix=HALVES
// RUN: trilith-opt %s -p 'kernel-expand-math{ldexp=true}' | filecheck %s
// RUN: trilith-opt %s -p 'kernel-expand-math{ldexp=true},kernel-schedule' | filecheck %s --check-prefix=LANES

// The power of two of an exponential is one instruction where the target has it.

// HALVES-NOT:  kernel.ldexp
// HALVES:      arith.shrui
// HALVES-NOT:  kernel.ldexp
// CHECK-LABEL: kernel.func @exponential(
// CHECK-NOT:     arith.shrui
// CHECK:         [[E:%.+]] = arith.addf
// CHECK:         [[R:%.+]] = kernel.ldexp [[E]], {{.+}} : f32
// CHECK-NEXT:    kernel.store [[R]], %y
// LANES:         kernel.ldexp {{.+}} : vector<{{[0-9]+}}xf32>
kernel.func @exponential(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f32
    %1 = math.exp %0 : f32
    kernel.store %1, %y[%i]
  }
}
