// RUN: trilith-opt %s -p kernel-expand-math | filecheck %s
// RUN: trilith-opt %s -p kernel-expand-math | trilith-opt | filecheck %s

// Functions become straight-line arithmetic; constants stand before the loop, each once; what
// machines compute by themselves stays.

// CHECK-LABEL: kernel.func @tanh(
// CHECK-NOT:     math.tanh
// CHECK:         arith.constant {{.+}} : f32
// CHECK:         kernel.map
// CHECK-NOT:     arith.constant
// CHECK-NOT:     math.tanh
// CHECK:         [[R:%.+]] = math.sqrt
// CHECK-NEXT:    kernel.store [[R]], %y
kernel.func @tanh(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f32
    %1 = math.tanh %0 : f32
    %2 = math.tanh %1 : f32
    %3 = math.sqrt %2 : f32
    kernel.store %3, %y[%i]
  }
}

// Bodies of reductions are expanded too, and f64 is computed in f64.

// CHECK-LABEL: kernel.func @sum_of_exponentials(
// CHECK-NOT:     math.exp
// CHECK:         kernel.reduce add
// CHECK:           kernel.load %x[{{.+}}] : f64
// CHECK:           arith.{{.+}} : f64
// CHECK:           kernel.yield %{{.+}} : f64
kernel.func @sum_of_exponentials(
    %n: index, %x: !kernel.buffer<f64, [1]>, %y: !kernel.buffer<f64, []>) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 8, block = 0} : f64 {
    %0 = kernel.load %x[%i] : f64
    %1 = math.exp %0 : f64
    kernel.yield %1 : f64
  }
  kernel.store %s, %y[]
}

// A kernel without such functions is left alone.

// CHECK-LABEL: kernel.func @plain(
// CHECK-NEXT:    kernel.map (%i) to (%n) {
// CHECK-NEXT:      %0 = kernel.load %x[%i] : f32
// CHECK-NEXT:      %1 = math.floor %0 : f32
// CHECK-NEXT:      kernel.store %1, %x[%i]
// CHECK-NEXT:    }
kernel.func @plain(%n: index, %x: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f32
    %1 = math.floor %0 : f32
    kernel.store %1, %x[%i]
  }
}
