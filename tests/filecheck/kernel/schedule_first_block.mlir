// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// What a reduction to several values starts from changes nothing, so the totals of the first block
// are its lanes as they are; only those of later ones are combined with it.

// CHECK-LABEL: kernel.func @pairs(
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK:         kernel.for [[FIRST:%.+]] = [[ZERO]] to %n step
// CHECK:           [[IS_FIRST:%.+]] = arith.cmpi eq, [[FIRST]], [[ZERO]] : index
// CHECK-NEXT:      kernel.if [[IS_FIRST]] -> (vector<32xf32>, vector<32xf32>) {
// CHECK-NEXT:        kernel.yield {{%.+}}, {{%.+}} : vector<32xf32>, vector<32xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        arith.addf {{%.+}}, {{%.+}} : vector<32xf32>
// CHECK-NEXT:        arith.mulf {{%.+}}, {{%.+}} : vector<32xf32>
kernel.func @pairs(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  %nothing = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s, %p = kernel.reduce custom (%i) to (%n) {lanes = 32, block = 1024, neutral} init (%nothing, %one) : f32, f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v, %v : f32, f32
  } combine (%a, %b, %c, %d) {
    %e = arith.addf %a, %c : f32
    %f = arith.mulf %b, %d : f32
    kernel.yield %e, %f : f32, f32
  }
  %r = arith.addf %s, %p : f32
  %at = arith.constant 0 : index
  kernel.store %r, %y[%at]
}
