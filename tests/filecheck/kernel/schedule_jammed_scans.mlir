// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// Scans that are not along memory everywhere run over four rows at once, so that none waits for its
// last result alone; what rows are left run one by one.

// CHECK-LABEL: kernel.func @sums(
// CHECK:         kernel.for [[I:%.+]] = {{%.+}} to {{%.+}} step
// CHECK-NEXT:      [[I1:%.+]] = arith.addi [[I]], {{%.+}} : index
// CHECK-NEXT:      [[I2:%.+]] = arith.addi [[I]], {{%.+}} : index
// CHECK-NEXT:      [[I3:%.+]] = arith.addi [[I]], {{%.+}} : index
// CHECK-NEXT:      kernel.for [[J:%.+]] = {{%.+}} to %m step {{%.+}} iter_args([[A:%[0-9]+]] = {{%[0-9]+}}, [[B:%[0-9]+]] = {{%[0-9]+}}, {{.+}}) -> (f32, f32, f32, f32) {
// CHECK-NEXT:        [[X:%.+]] = kernel.load %x[[[I]], [[J]]] : f32
// CHECK-NEXT:        [[S:%.+]] = arith.addf [[A]], [[X]] : f32
// CHECK-NEXT:        kernel.store [[S]], %y[[[I]], [[J]]]
// CHECK-NEXT:        [[X1:%.+]] = kernel.load %x[[[I1]], [[J]]] : f32
// CHECK-NEXT:        [[S1:%.+]] = arith.addf [[B]], [[X1]] : f32
// CHECK-NEXT:        kernel.store [[S1]], %y[[[I1]], [[J]]]
// CHECK:             kernel.store {{%.+}}, %y[[[I3]], [[J]]]
// CHECK:         kernel.for [[K:%.+]] = {{%.+}} to %n step
// CHECK-NEXT:      kernel.for {{%.+}} = {{%.+}} to %m step {{%.+}} iter_args({{%.+}} = {{%.+}}) -> (f32) {
kernel.func @sums(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 2]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%n) {
    kernel.scan add (%j) to (%m) : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    } into (%j, %sum) {
      kernel.store %sum, %y[%i, %j]
    }
  }
}
