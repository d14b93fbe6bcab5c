// RUN: trilith-opt %s -p kernel-order-floats | filecheck %s
// RUN: trilith-opt %s -p kernel-order-floats | trilith-opt | filecheck %s

// An element is an integer that is as large among others as the float is: the bits but for the sign
// are turned where that is set. What would be below -inf is NaN, and comes to the other end: integers
// wrap around. So -inf is the least integer, which is what a reduction of no elements starts from.

// CHECK-LABEL: kernel.func @largest(
// CHECK-DAG:     [[SHIFT:%.+]] = arith.constant -8388607 : i32
// CHECK:         [[KEY:%.+]] = kernel.reduce maximum (%i) to (%n) {lanes = 32, block = 16384} : i32 {
// CHECK-NEXT:      %v = kernel.load %x[%i] : f32
// CHECK-NEXT:      [[BITS:%.+]] = arith.bitcast %v : f32 to i32
// CHECK-NEXT:      [[SIGN:%.+]] = arith.shrsi [[BITS]],
// CHECK-NEXT:      [[TURN:%.+]] = arith.andi [[SIGN]],
// CHECK-NEXT:      [[TURNED:%.+]] = arith.xori [[BITS]], [[TURN]] : i32
// CHECK-NEXT:      [[ELEMENT:%.+]] = arith.addi [[TURNED]], [[SHIFT]] : i32
// CHECK-NEXT:      kernel.yield [[ELEMENT]] : i32
// CHECK:         arith.subi [[KEY]], [[SHIFT]] : i32
// CHECK:         [[M:%.+]] = arith.bitcast {{.+}} : i32 to f32
// CHECK-NEXT:    kernel.store [[M]], %y[]
kernel.func @largest(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {
  %m = kernel.reduce maximum (%i) to (%n) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  kernel.store %m, %y[]
}

// Of the smallest ones a NaN is below all others.
// CHECK-LABEL: kernel.func @smallest(
// CHECK-DAG:     [[SHIFT:%.+]] = arith.constant 4503599627370495 : i64
// CHECK:         [[KEY:%.+]] = kernel.reduce minimum (%i) to (%n) {lanes = 1, block = 0} : i64 {
// CHECK:           arith.addi {{%.+}}, [[SHIFT]] : i64
// CHECK:         arith.subi [[KEY]], [[SHIFT]] : i64
kernel.func @smallest(%n: index, %x: !kernel.buffer<f64, [1]>, %y: !kernel.buffer<f64, []>) {
  %m = kernel.reduce minimum (%i) to (%n) {lanes = 1, block = 0} : f64 {
    %v = kernel.load %x[%i] : f64
    kernel.yield %v : f64
  }
  kernel.store %m, %y[]
}

// Sums, and what are integers already, stay.
// CHECK-LABEL: kernel.func @others(
// CHECK:         kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 {
// CHECK:         kernel.reduce maximum (%i_1) to (%n) {lanes = 32, block = 16384} : i32 {
// CHECK-NEXT:      kernel.load
// CHECK-NEXT:      kernel.yield
kernel.func @others(%n: index, %x: !kernel.buffer<f32, [1]>, %z: !kernel.buffer<i32, [1]>,
    %y: !kernel.buffer<f32, []>, %w: !kernel.buffer<i32, []>) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  %m = kernel.reduce maximum (%i) to (%n) {lanes = 32, block = 16384} : i32 {
    %v = kernel.load %z[%i] : i32
    kernel.yield %v : i32
  }
  kernel.store %s, %y[]
  kernel.store %m, %w[]
}
