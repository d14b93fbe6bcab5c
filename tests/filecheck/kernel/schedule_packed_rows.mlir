// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// The left factor lies across: neighbours in memory are its rows, not its elements of k. A block of
// them is copied for each piece of k, and tiles read the copy. What lies along k is read as it is
// (schedule_blocked.mlir).

// CHECK-LABEL: kernel.func @product(
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK:           [[PANEL:%.+]] = kernel.alloc [384, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK:           [[BLOCK:%.+]] = kernel.alloc [384, 100] : !kernel.buffer<f32, [100, 1], private>
// CHECK:           kernel.for [[START:%.+]] = [[ZERO]] to
// CHECK:             kernel.for [[FIRST:%.+]] = [[ZERO]] to %m step
// CHECK:               kernel.for [[Q:%.+]] = [[ZERO]] to
// CHECK-NEXT:            kernel.for [[SHIFT:%.+]] = [[ZERO]] to
// CHECK-NEXT:              [[ROW:%.+]] = arith.addi [[FIRST]], [[SHIFT]] : index
// CHECK-NEXT:              [[P:%.+]] = arith.addi [[START]], [[Q]] : index
// CHECK-NEXT:              [[ROWS:%.+]] = kernel.load %a[[[ROW]], [[ZERO]], [[P]]] along 0 : vector<8xf32>
// CHECK-NEXT:              kernel.store [[ROWS]], [[BLOCK]][[[Q]], [[SHIFT]]]
// CHECK:                 kernel.if
// CHECK-NEXT:              [[MASK:%.+]] = kernel.mask {{%.+}} : vector<8xi1>
// CHECK:                   kernel.load %a[{{.+}}] along 0 mask [[MASK]] : vector<8xf32>
// CHECK-NEXT:              kernel.store {{%.+}}, [[BLOCK]][[[Q]], {{%.+}}]
// CHECK:               kernel.for [[J:%.+]] = [[ZERO]] to
// CHECK:                 kernel.for [[I:%.+]] = [[FIRST]] to
// CHECK:                   [[TILE:%.+]] = arith.subi [[I]], [[FIRST]] : index
// CHECK-NEXT:              arith.divui [[TILE]], {{%.+}} : index
// CHECK:                   [[OWN:%.+]] = arith.subi [[I]], [[FIRST]] : index
// CHECK:                   kernel.load [[PANEL]][{{%.+}}, [[ZERO]]] : vector<16xf32>
// CHECK-NEXT:              kernel.load [[BLOCK]][{{%.+}}, [[OWN]]] : f32
kernel.func @product(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [1, 0, ?]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}

// Both factors lie across: lanes are still the columns, so that sums lie together as they are stored.

// CHECK-LABEL: kernel.func @both(
// CHECK:           kernel.for [[SHIFT:%.+]] =
// CHECK:             kernel.load %a[{{.+}}] along 0 : vector<8xf32>
// CHECK:           kernel.transpose(
// CHECK:           kernel.store {{%.+}}, %c[{{%.+}}, {{%.+}}]
// CHECK-NOT:       kernel.store {{%.+}}, %c[{{.+}}] along
kernel.func @both(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [1, 0, ?]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, ?, 1]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}
