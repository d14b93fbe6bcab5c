// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// The largest element of a row and where it is, of four rows at once: a lane carries its largest
// element so far and where that was. What is NaN makes a sum of all elements NaN, and is looked for by
// itself then. Rows of no elements, or of more than 31 bits can count, go one by one.

// CHECK-LABEL: kernel.func @largest(
// CHECK-DAG:     [[LEAST:%.+]] = kernel.splat {{%.+}} : vector<8xf32>
// CHECK-DAG:     [[LAST:%.+]] = arith.subi %n, {{%.+}} : index
// CHECK:         arith.cmpi sgt, %m, {{%.+}} : index
// CHECK:         kernel.if
// CHECK:           kernel.for [[ROW:%.+]] = {{%.+}} to %n step {{%.+}} {
// CHECK:             [[SECOND:%.+]] = arith.minsi {{%.+}}, [[LAST]] : index
// CHECK:             [[REST:%.+]] = kernel.mask {{%.+}} : vector<8xi1>
// CHECK-NEXT:        [[LANES:%.+]] = kernel.lane_ids : vector<8xi32>
// CHECK:             kernel.for [[AT:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args({{%.+}} = [[LANES]], {{%.+}} = [[LEAST]], {{.+}}) ->
// CHECK-NEXT:          arith.addi [[HERE:%.+]], {{%.+}} : vector<8xi32>
// CHECK-NEXT:          [[X:%.+]] = kernel.load %x[[[ROW]], [[AT]]] : vector<8xf32>
// CHECK-NEXT:          [[Y:%.+]] = kernel.load %x[[[SECOND]], [[AT]]] : vector<8xf32>
// CHECK:               [[WINS:%.+]] = kernel.compare ogt, [[X]], [[BEST:%.+]] : vector<8xf32>
// CHECK-NEXT:          kernel.select [[WINS]], [[X]], [[BEST]] : vector<8xf32>
// CHECK-NEXT:          kernel.select [[WINS]], [[HERE]], {{%.+}} : vector<8xi32>
// CHECK:               arith.addf [[X]], [[Y]] : vector<8xf32>
// CHECK:             kernel.if
// CHECK:               kernel.load %x[[[ROW]], {{%.+}}] mask [[REST]] : vector<8xf32>
// CHECK:             kernel.compare oeq, {{%.+}}, {{%.+}} : vector<8xf32>
// CHECK:             arith.minsi {{%.+}}, {{%.+}} : i32
// CHECK:             [[NANS:%.+]] = kernel.compare uno, {{%.+}}, {{%.+}} : vector<8xf32>
// CHECK-NEXT:        [[NAN:%.+]] = kernel.any [[NANS]] : vector<8xi1>
// CHECK:             kernel.store {{%.+}}, %y[[[ROW]]]
// CHECK:             kernel.store {{%.+}}, %z[[[SECOND]]]
// CHECK:             kernel.if [[NAN]] {
// CHECK:               kernel.first_set {{%.+}} : vector<8xi1>
// CHECK:             }
// CHECK:         kernel.for {{%.+}} = {{%.+}} to %n step {{%.+}} {
// CHECK-NEXT:        {{.+}} = kernel.for {{%.+}} = {{%.+}} to %m step {{%.+}} iter_args({{.+}}) -> (f32, i64) {
kernel.func @largest(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias},
    %z: !kernel.buffer<i64, [1]> {kernel.access = "write", kernel.noalias}) {
  %lowest = arith.constant 0xff800000 : f32
  %last = arith.constant 9223372036854775807 : i64
  kernel.parallel (%i) to (%n) {
    %v, %k = kernel.reduce custom (%j) to (%m) {lanes = 32, block = 16384, neutral} init (%lowest, %last) : f32, i64 attributes {kernel.first = "maximum"} {
      %a = kernel.load %x[%i, %j] : f32
      %b = arith.index_cast %j : index to i64
      kernel.yield %a, %b : f32, i64
    } combine (%a, %b, %c, %d) {
      %larger = arith.cmpf ogt, %c, %a : f32
      %equal = arith.cmpf oeq, %c, %a : f32
      %before = arith.cmpi slt, %d, %b : i64
      %first = arith.andi %equal, %before : i1
      %more = arith.ori %larger, %first : i1
      %e = arith.select %more, %c, %a : f32
      %f = arith.select %more, %d, %b : i64
      kernel.yield %e, %f : f32, i64
    }
    kernel.store %v, %y[%i]
    kernel.store %k, %z[%i]
  }
}

// What takes long to compute is computed once: a lane carries an integer of the same order, in which
// zeros are equal and a NaN is beyond all, and how far the block had come. Places are compared between
// lanes; the element and its index are computed again, once, at what was found.

// CHECK-LABEL: kernel.func @of_computed(
// CHECK-DAG:     [[LEAST:%.+]] = kernel.splat {{%.+}} : vector<16xi32>
// CHECK:         {{%.+}}, [[PLACE:%.+]] = kernel.for [[BEGIN:%.+]] = {{%.+}} to %m step {{%.+}} iter_args({{.+}}) -> (i32, i64) {
// CHECK:           kernel.for [[FIRST:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args({{.+}}) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
// CHECK:             arith.index_cast {{%.+}} : index to i32
// CHECK-NEXT:        [[HERE:%.+]] = kernel.splat {{%.+}} : vector<16xi32>
// CHECK:             [[X:%.+]] = kernel.load %x[{{.+}}, [[FIRST]]] : vector<16xf32>
// CHECK:             arith.mulf [[X]], [[X]] : vector<16xf32>
// CHECK:             [[ZEROS:%.+]] = arith.addf {{%.+}}, {{%.+}} : vector<16xf32>
// CHECK-NEXT:        arith.bitcast [[ZEROS]] : vector<16xf32> to vector<16xi32>
// CHECK:             [[KEY:%.+]] = kernel.select {{%.+}}, {{%.+}}, {{%.+}} : vector<16xi32>
// CHECK-NEXT:        [[WINS:%.+]] = kernel.compare sgt, [[KEY]], [[BEST:%.+]] : vector<16xi32>
// CHECK-NEXT:        [[A:%.+]] = kernel.select [[WINS]], [[KEY]], [[BEST]] : vector<16xi32>
// CHECK-NEXT:        [[B:%.+]] = kernel.select [[WINS]], [[HERE]], {{%.+}} : vector<16xi32>
// CHECK:             kernel.yield [[A]], [[B]], {{%.+}}, {{%.+}} : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
// CHECK:           kernel.if
// CHECK:             kernel.mask {{%.+}} : vector<16xi1>
// CHECK:           [[LARGEST:%.+]] = arith.maxsi {{%.+}}, {{%.+}} : i32
// CHECK:           kernel.lane_ids : vector<16xi32>
// CHECK:           [[NEAREST:%.+]] = arith.minsi {{%.+}}, {{%.+}} : i32
// CHECK-NEXT:      arith.extsi [[NEAREST]] : i32 to i64
// CHECK:           arith.cmpi sgt, [[LARGEST]], {{%.+}} : i32
// CHECK:           kernel.yield {{%.+}}, {{%.+}} : i32, i64
// CHECK-NEXT:    }
// CHECK-NEXT:    [[SOME:%.+]] = arith.cmpi ne, [[PLACE]], {{%.+}} : i64
// CHECK-NEXT:    [[VALUE:%.+]], [[INDEX:%.+]] = kernel.if [[SOME]] -> (f32, i64) {
// CHECK-NEXT:      [[AT:%.+]] = arith.index_cast [[PLACE]] : i64 to index
// CHECK-NEXT:      kernel.load %x[{{.+}}, [[AT]]] : f32
// CHECK:         kernel.store [[VALUE]], %y[{{.+}}]
// CHECK-NEXT:    kernel.store [[INDEX]], %z[{{.+}}]
kernel.func @of_computed(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias},
    %z: !kernel.buffer<i64, [1]> {kernel.access = "write", kernel.noalias}) {
  %lowest = arith.constant 0xff800000 : f32
  %last = arith.constant 9223372036854775807 : i64
  kernel.parallel (%i) to (%n) {
    %v, %k = kernel.reduce custom (%j) to (%m) {lanes = 32, block = 16384, neutral} init (%lowest, %last) : f32, i64 attributes {kernel.first = "maximum"} {
      %a = kernel.load %x[%i, %j] : f32
      %b = arith.index_cast %j : index to i64
      %t0 = arith.mulf %a, %a : f32
      %t1 = arith.mulf %t0, %a : f32
      %t2 = arith.mulf %t1, %a : f32
      %t3 = arith.mulf %t2, %a : f32
      %t4 = arith.mulf %t3, %a : f32
      %t5 = arith.mulf %t4, %a : f32
      %t6 = arith.mulf %t5, %a : f32
      %t7 = arith.mulf %t6, %a : f32
      %t8 = arith.mulf %t7, %a : f32
      kernel.yield %t8, %b : f32, i64
    } combine (%a, %b, %c, %d) {
      %larger = arith.cmpf ogt, %c, %a : f32
      %equal = arith.cmpf oeq, %c, %a : f32
      %before = arith.cmpi slt, %d, %b : i64
      %first = arith.andi %equal, %before : i1
      %more = arith.ori %larger, %first : i1
      %e = arith.select %more, %c, %a : f32
      %f = arith.select %more, %d, %b : i64
      kernel.yield %e, %f : f32, i64
    }
    kernel.store %v, %y[%i]
    kernel.store %k, %z[%i]
  }
}
