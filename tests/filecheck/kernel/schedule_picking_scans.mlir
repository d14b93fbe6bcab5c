// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s | trilith-opt | filecheck %s --check-prefix=STRUCTURED

// The largest element so far, and the last place of one, of sixteen elements at once: each lane meets
// the lanes before it, and then what was found before. One by one where there is a NaN, and at the end.

// STRUCTURED: kernel.scan custom (%j) to (%n) init (%a, %b) : f32, i64 attributes {kernel.latest = "maximum"} {

// CHECK-LABEL: kernel.func @cummax(
// CHECK:         [[FOUND:%.+]], [[AT:%.+]] = kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[A:%[0-9]+]] = {{%.+}}, [[B:%[0-9]+]] = {{%.+}}) -> (vector<16xf32>, vector<16xi32>) {
// CHECK:           [[X:%.+]] = kernel.load %x[[[J]]] : vector<16xf32>
// CHECK:           [[NAN:%.+]] = kernel.compare uno, [[A]], [[X]] : vector<16xf32>
// CHECK-NEXT:      [[ANY:%.+]] = kernel.any [[NAN]] : vector<16xi1>
// CHECK-NEXT:      kernel.if [[ANY]] -> (vector<16xf32>, vector<16xi32>) {
// CHECK:             kernel.for {{.+}} -> (f32, i64) {
// CHECK:           } else {
// CHECK-NEXT:        [[P:%.+]] = kernel.preceding [[X]] by 1 : vector<16xf32>
// CHECK-NEXT:        [[M:%.+]] = kernel.compare ogt, [[P]], [[X]] : vector<16xf32>
// CHECK-NEXT:        [[V:%.+]] = kernel.select [[M]], [[P]], [[X]] : vector<16xf32>
// CHECK-NEXT:        kernel.preceding [[V]] by 2 : vector<16xf32>
// CHECK:             kernel.preceding {{%.+}} by 8 : vector<16xf32>
// CHECK:             kernel.compare oeq, [[X]], {{%.+}} : vector<16xf32>
// CHECK:             kernel.preceding {{%.+}} by 1 : vector<16xi32>
// CHECK:             kernel.preceding {{%.+}} by 8 : vector<16xi32>
// CHECK:             kernel.convert extsi {{%.+}} : vector<16xi32> to vector<16xi64>
// CHECK:             kernel.store {{%.+}}, %y[[[J]]]
// CHECK-NEXT:        kernel.store {{%.+}}, %k[[[J]]]
// CHECK:         kernel.extract [[FOUND]][0] : vector<16xf32>
// CHECK:         kernel.for {{.+}} -> (f32, i64) {
kernel.func @cummax(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>,
    %k: !kernel.buffer<i64, [1]>) {
  %a = arith.constant 0xff800000 : f32
  %b = arith.constant 0 : i64
  kernel.scan custom (%j) to (%n) init (%a, %b) : f32, i64 attributes {kernel.latest = "maximum"} {
    %v = kernel.load %x[%j] : f32
    %jj = arith.index_cast %j : index to i64
    kernel.yield %v, %jj : f32, i64
  } combine (%best, %before, %candidate, %at) {
    %lost = arith.cmpf une, %candidate, %candidate : f32
    %wins = arith.cmpf oge, %candidate, %best : f32
    %taken = arith.ori %wins, %lost : i1
    %value = arith.select %taken, %candidate, %best : f32
    %index = arith.select %taken, %at, %before : i64
    kernel.yield %value, %index : f32, i64
  } into (%j, %value, %index) {
    kernel.store %value, %y[%j]
    kernel.store %index, %k[%j]
  }
}

// Integers are compared at once, without asking for NaN.

// CHECK-LABEL: kernel.func @cummin_unsigned(
// CHECK-NOT:     kernel.any
// CHECK:         kernel.preceding {{%.+}} by 1 : vector<16xi8>
// CHECK-NEXT:    arith.minui {{%.+}}, {{%.+}} : vector<16xi8>
kernel.func @cummin_unsigned(%n: index, %x: !kernel.buffer<i8, [1]>, %y: !kernel.buffer<i8, [1]>,
    %k: !kernel.buffer<i64, [1]>) {
  %a = arith.constant 255 : i8
  %b = arith.constant 0 : i64
  kernel.scan custom (%j) to (%n) unsigned init (%a, %b) : i8, i64 attributes {kernel.latest = "minimum unsigned"} {
    %v = kernel.load %x[%j] : i8
    %jj = arith.index_cast %j : index to i64
    kernel.yield %v, %jj : i8, i64
  } combine (%best, %before, %candidate, %at) {
    %taken = arith.cmpi ule, %candidate, %best : i8
    %value = arith.select %taken, %candidate, %best : i8
    %index = arith.select %taken, %at, %before : i64
    kernel.yield %value, %index : i8, i64
  } into (%j, %value, %index) {
    kernel.store %value, %y[%j]
    kernel.store %index, %k[%j]
  }
}
