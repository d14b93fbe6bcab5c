// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=128}" | trilith-opt | filecheck %s

// Rows that are moved as they are. Those of eight lines and more go past the caches line by line, if
// the result is larger than these, else from where a line begins, four registers at a time, and the
// last register begins earlier. Only the shortest rows have masks.

// CHECK-LABEL: kernel.func @part(
// CHECK:         [[LARGE:%.+]] = arith.constant 6291456 : index
// CHECK:         arith.cmpi sge, %m, {{%.+}} : index
// CHECK:           [[APART:%.+]] = kernel.stride %y along 0
// CHECK-NEXT:      [[ALL:%.+]] = arith.muli %n, [[APART]] : index
// CHECK-NEXT:      arith.cmpi sge, [[ALL]], [[LARGE]] : index
// CHECK:           kernel.if
// CHECK-NEXT:        kernel.for [[I:%.+]] = {{%.+}} to %n step
// CHECK-NEXT:          kernel.in_line %y[[[I]], {{%.+}}]
// CHECK:               kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:                 kernel.store {{%.+}}, %y[[[I]], [[J]]] past caches
// CHECK-COUNT-3:         past caches
// CHECK-NOT:           past caches
// CHECK:           } else {
// CHECK-NEXT:        kernel.if
// CHECK-NEXT:          kernel.for [[I:%.+]] = {{%.+}} to %n step
// CHECK:                 kernel.in_line %y[[[I]], {{%.+}}]
// CHECK:                 kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:                   [[A:%.+]] = kernel.load %x[[[I]], [[J]]] : vector<4xf32>
// CHECK-NEXT:              kernel.load %x
// CHECK-NEXT:              kernel.load %x
// CHECK-NEXT:              kernel.load %x
// CHECK-NEXT:              kernel.store [[A]], %y[[[I]], [[J]]]
// CHECK:                 [[LAST:%.+]] = arith.subi %m, {{%.+}} : index
// CHECK-NEXT:            [[B:%.+]] = kernel.load %x[[[I]], [[LAST]]] : vector<4xf32>
// CHECK-NEXT:            kernel.store [[B]], %y[[[I]], [[LAST]]]
// CHECK:         } else {
// CHECK-NEXT:      kernel.for
// CHECK:             kernel.store {{%.+}} mask
kernel.func @part(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %a = kernel.load %x[%i, %j] : f32
    kernel.store %a, %y[%i, %j]
  }
}

// The number of a row is read, checked and converted once for all of it.

// CHECK-LABEL: kernel.func @rows(
// CHECK:           kernel.for [[I:%.+]] = {{%.+}} to %n step
// CHECK-NEXT:        [[NUMBER:%.+]] = kernel.load %k[[[I]], {{%.+}}] : i64
// CHECK-NEXT:        [[BAD:%.+]] = arith.cmpi sge, [[NUMBER]]
// CHECK-NEXT:        kernel.check [[BAD]], "IndexError" at 0
// CHECK-NEXT:        [[ROW:%.+]] = arith.index_cast [[NUMBER]] : i64 to index
// CHECK-NOT:         %k
// CHECK:             kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:               kernel.load %x[[[ROW]], [[J]]] : vector<4xf32>
kernel.func @rows(%n: index, %m: index, %limit: i64,
    %k: !kernel.buffer<i64, [1, 0]> {kernel.access = "read"},
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %number = kernel.load %k[%i, %j] : i64
    %bad = arith.cmpi sge, %number, %limit : i64
    kernel.check %bad, "IndexError" at 0
    %row = arith.index_cast %number : i64 to index
    %a = kernel.load %x[%row, %j] : f32
    kernel.store %a, %y[%i, %j]
  }
}

// What may overlap is moved in order.

// CHECK-LABEL: kernel.func @overlapping(
// CHECK-NOT:     past caches
// CHECK-NOT:     kernel.in_line
kernel.func @overlapping(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write"}) {
  kernel.map (%i, %j) to (%n, %m) {
    %a = kernel.load %x[%i, %j] : f32
    kernel.store %a, %y[%i, %j]
  }
}
