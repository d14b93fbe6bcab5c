// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// The largest element of a row and where it is: a lane carries an integer of the same order, in which
// zeros are equal and a NaN is beyond all, and how far the block had come. Places are compared between
// lanes; the element and its index are computed again, once, at what was found.

// CHECK-LABEL: kernel.func @largest(
// CHECK-DAG:     [[LEAST:%.+]] = kernel.splat {{%.+}} : vector<32xi32>
// CHECK:         {{%.+}}, [[PLACE:%.+]] = kernel.for [[BEGIN:%.+]] = {{%.+}} to %m step {{%.+}} iter_args({{.+}}) -> (i32, i64) {
// CHECK:           kernel.for [[FIRST:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[BEST:%.+]] = {{%.+}}, [[STEP:%.+]] = {{%.+}}) -> (vector<32xi32>, vector<32xi32>) {
// CHECK:             arith.index_cast {{%.+}} : index to i32
// CHECK-NEXT:        [[HERE:%.+]] = kernel.splat {{%.+}} : vector<32xi32>
// CHECK:             [[X:%.+]] = kernel.load %x[{{.+}}, [[FIRST]]] : vector<32xf32>
// CHECK:             [[ZEROS:%.+]] = arith.addf [[X]], {{%.+}} : vector<32xf32>
// CHECK-NEXT:        arith.bitcast [[ZEROS]] : vector<32xf32> to vector<32xi32>
// CHECK:             [[KEY:%.+]] = kernel.select {{%.+}}, {{%.+}}, {{%.+}} : vector<32xi32>
// CHECK-NEXT:        [[WINS:%.+]] = kernel.compare sgt, [[KEY]], [[BEST]] : vector<32xi32>
// CHECK-NEXT:        [[A:%.+]] = kernel.select [[WINS]], [[KEY]], [[BEST]] : vector<32xi32>
// CHECK-NEXT:        [[B:%.+]] = kernel.select [[WINS]], [[HERE]], [[STEP]] : vector<32xi32>
// CHECK-NEXT:        kernel.yield [[A]], [[B]] : vector<32xi32>, vector<32xi32>
// CHECK:           kernel.if
// CHECK:             kernel.mask {{%.+}} : vector<32xi1>
// CHECK:           [[LARGEST:%.+]] = arith.maxsi {{%.+}}, {{%.+}} : i32
// CHECK:           kernel.lane_ids : vector<32xi32>
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
      %more = arith.cmpf ogt, %c, %a : f32
      %e = arith.select %more, %c, %a : f32
      %f = arith.select %more, %d, %b : i64
      kernel.yield %e, %f : f32, i64
    }
    kernel.store %v, %y[%i]
    kernel.store %k, %z[%i]
  }
}
