// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=256}" | trilith-opt | filecheck %s --check-prefix=CPU
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu hurried=true}" | trilith-opt | filecheck %s --check-prefix=POINT
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu}" | trilith-opt | filecheck %s --check-prefix=ITEMS
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-gpu}" | trilith-opt | filecheck %s --check-prefix=POINT

// A copy inside of margins. Elements of the operand are at places of two windows.

// CHECK-LABEL: kernel.func @pad(
// CHECK:         %p, %a = kernel.within %i from %top size %h
// CHECK-NEXT:    %q, %b = kernel.within %j from %left size %w
// CHECK-NEXT:    %v = kernel.load %x[%p, %q] : f32

// Rows of one or two vectors have their masks in front of the loops: the last place behind the
// window less the first one in it.
// CPU-LABEL: kernel.func @pad(
// CPU:         [[ZERO:%.+]] = arith.constant 0 : index
// CPU:         [[ONE:%.+]] = arith.constant 8 : index
// CPU:         [[TWO:%.+]] = arith.constant 16 : index
// CPU:         arith.cmpi sle, %m, [[ONE]] : index
// CPU:         [[END:%.+]] = arith.maxsi %left,
// CPU:         [[BEFORE:%.+]] = kernel.mask %left : vector<8xi1>
// CPU-NEXT:    [[UPTO:%.+]] = kernel.mask [[END]] : vector<8xi1>
// CPU-NEXT:    [[REST:%.+]] = kernel.mask %m : vector<8xi1>
// CPU-NEXT:    [[IN:%.+]] = arith.xori [[UPTO]], [[BEFORE]] : vector<8xi1>
// CPU:         kernel.for
// CPU:           kernel.if
// CPU-NEXT:        [[V:%.+]] = kernel.load %x[{{.+}}] mask [[IN]] : vector<8xf32>
// CPU-NEXT:        [[R:%.+]] = kernel.select [[IN]], [[V]], {{%.+}} : vector<8xf32>
// CPU-NEXT:        kernel.store [[R]], %y[{{.+}}] mask [[REST]]
// CPU-NEXT:      } else {
// CPU-NEXT:        kernel.store {{%.+}}, %y[{{.+}}] mask [[REST]]
// CPU:         arith.cmpi sle, %m, [[TWO]] : index
// CPU:           kernel.select {{.+}} : vector<16xf32>
// Longer rows are three loops, which choose nothing; no row is loaded that is outside.
// CPU:         kernel.if
// CPU-NOT:       kernel.select
// CPU:           kernel.store {{%.+}}, %y[{{.+}}]
// CPU:           kernel.load %x[{{.+}}] : vector<8xf32>
// CPU:           kernel.load %x[{{.+}}] mask
// CPU:           kernel.store {{%.+}}, %y[{{.+}}]
// CPU:         } else {
// CPU-NOT:       kernel.load

// Where each point asks, what is loaded is harmless: place 0 stands for what is outside.
// POINT-LABEL: kernel.func @pad(
// POINT:         [[P:%.+]] = arith.subi {{%.+}}, %top : index
// POINT-NEXT:    [[A:%.+]] = arith.cmpi ult, [[P]], %h : index
// POINT-NEXT:    arith.select [[A]], [[P]], {{%.+}} : index
// POINT:         [[C:%.+]] = arith.andi [[A]], {{%.+}} : i1
// POINT-NEXT:    arith.select [[C]], {{%.+}}, %s : f32

// ITEMS-LABEL: kernel.func @pad(
// ITEMS:         kernel.parallel items
// ITEMS:           kernel.for
// ITEMS:             kernel.if
// ITEMS:               kernel.for
// ITEMS-NOT:             arith.select
// ITEMS:                 kernel.store %s, %y
// ITEMS:               kernel.for
// ITEMS:                 kernel.load %x[{{.+}}] : f32
// ITEMS-NEXT:            kernel.store
// ITEMS:             } else {
// ITEMS-NOT:           kernel.load
kernel.func @pad(%n: index, %m: index, %top: index, %h: index, %left: index, %w: index, %s: f32,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %p, %a = kernel.within %i from %top size %h
    %q, %b = kernel.within %j from %left size %w
    %v = kernel.load %x[%p, %q] : f32
    %c = arith.andi %a, %b : i1
    %r = arith.select %c, %v, %s : f32
    kernel.store %r, %y[%i, %j]
  }
}
