// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=128}" | filecheck %s --check-prefix=NARROW

// A map: whole vectors, then one under a mask. Strides of 1 are whole accesses, of 0 scalar loads,
// unknown ones go lane by lane.

// CHECK-LABEL: kernel.func @add(
// CHECK:         [[WHOLE:%.+]] = arith.andi %n, %{{.+}} : index
// CHECK-NEXT:    kernel.for [[I:%.+]] = %{{.+}} to [[WHOLE]] step
// CHECK-NEXT:      [[A:%.+]] = kernel.load %a[[[I]]] : vector<8xf32>
// CHECK-NEXT:      [[B:%.+]] = kernel.load %b[%{{.+}}] : f32
// CHECK-NEXT:      [[C:%.+]] = kernel.load %c[[[I]]] : vector<8xf32>
// CHECK-NEXT:      [[S:%.+]] = kernel.splat [[B]] : vector<8xf32>
// CHECK-NEXT:      [[T:%.+]] = math.fma [[A]], [[S]], [[C]] : vector<8xf32>
// CHECK-NEXT:      kernel.store [[T]], %y[[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    [[MORE:%.+]] = arith.cmpi slt, [[WHOLE]], %n : index
// CHECK-NEXT:    kernel.if [[MORE]] {
// CHECK-NEXT:      [[REST:%.+]] = arith.subi %n, [[WHOLE]] : index
// CHECK-NEXT:      [[MASK:%.+]] = kernel.mask [[REST]] : vector<8xi1>
// CHECK-NEXT:      kernel.load %a[[[WHOLE]]] mask [[MASK]] : vector<8xf32>
// CHECK:           kernel.store {{.+}}, %y[[[WHOLE]]] mask [[MASK]]
// NARROW-LABEL: kernel.func @add(
// NARROW:         kernel.load %a[{{.+}}] : vector<4xf32>
kernel.func @add(%n: index, %a: !kernel.buffer<f32, [1]>, %b: !kernel.buffer<f32, [0]>,
    %c: !kernel.buffer<f32, [?]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %va = kernel.load %a[%i] : f32
    %vb = kernel.load %b[%i] : f32
    %vc = kernel.load %c[%i] : f32
    %r = math.fma %va, %vb, %vc : f32
    kernel.store %r, %y[%i]
  }
}

// The number of lanes follows the widest type; bytes are not masked but finished one by one.

// CHECK-LABEL: kernel.func @to_bytes(
// CHECK:         kernel.load %x[{{.+}}] : vector<4xf64>
// CHECK-NEXT:    kernel.compare olt, {{.+}} : vector<4xf64>
// CHECK-NEXT:    kernel.convert extui {{.+}} : vector<4xi1> to vector<4xi8>
// CHECK:         kernel.for {{.+}} to %n step
// CHECK-NEXT:      kernel.load %x[{{.+}}] : f64
kernel.func @to_bytes(%n: index, %x: !kernel.buffer<f64, [1]>, %y: !kernel.buffer<i8, [1]>) {
  %zero = arith.constant 0.0 : f64
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f64
    %c = arith.cmpf olt, %v, %zero : f64
    %b = arith.extui %c : i1 to i8
    kernel.store %b, %y[%i]
  }
}

// An index plus something uniform stays one access; other arithmetic on it is a gather.

// CHECK-LABEL: kernel.func @indices(
// CHECK:         kernel.for [[I:%.+]] = {{.*}} {
// CHECK-NEXT:      [[NEXT:%.+]] = arith.addi [[I]], %{{.+}} : index
// CHECK-NEXT:      kernel.load %x[[[NEXT]]] : vector<8xf32>
// CHECK-NEXT:      kernel.splat [[I]] : vector<8xindex>
// CHECK:           arith.muli {{.+}} : vector<8xindex>
// CHECK-NEXT:      kernel.load %x[{{.+}}] : vector<8xf32>
kernel.func @indices(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  kernel.map (%i) to (%n) {
    %next = arith.addi %i, %one : index
    %a = kernel.load %x[%next] : f32
    %double = arith.muli %i, %two : index
    %b = kernel.load %x[%double] : f32
    %r = arith.addf %a, %b : f32
    kernel.store %r, %y[%i]
  }
}

// A sum over the first axis: strips of results, with a table of 32 rows of accumulators; four rows
// of x are added between a load and a store of an accumulator.

// CHECK-LABEL: kernel.func @sum_columns(
// CHECK:         kernel.alloc [32, 512] : !kernel.buffer<f32, [512, 1], private>
// CHECK:         kernel.load %x[{{.+}}] : vector<16xf32>
// CHECK-NEXT:    [[S:%.+]] = arith.addf {{.+}} : vector<16xf32>
// CHECK:         kernel.load %x[{{.+}}] : vector<16xf32>
// CHECK-NEXT:    arith.addf [[S]], {{.+}} : vector<16xf32>
// CHECK:         kernel.store {{.+}}, %y[
kernel.func @sum_columns(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j) to (%cols) {
    %s = kernel.reduce add (%i) to (%rows) {lanes = 32, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%j]
  }
}

// A fault is reported by the lanes that exist.

// CHECK-LABEL: kernel.func @check(
// CHECK:         kernel.check {{.+}}, "ZeroDivisionError" at 2
// CHECK:         [[MASK:%.+]] = kernel.mask
// CHECK:         kernel.check {{.+}}, "ZeroDivisionError" at 2 mask [[MASK]]
kernel.func @check(%n: index, %x: !kernel.buffer<i32, [1]>) {
  %zero = arith.constant 0 : i32
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : i32
    %bad = arith.cmpi eq, %v, %zero : i32
    kernel.check %bad, "ZeroDivisionError" at 2
  }
}
