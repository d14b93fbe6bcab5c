// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// The position of the largest element of each row, the first of equals: a reduction to two values.

// CHECK-LABEL: kernel.func @argmax(
// CHECK:         %best, %where = kernel.reduce custom (%j) to (%cols) {lanes = 8, block = 0} init (%lowest, %none) : f32, i64 {
// CHECK:           kernel.yield %v, %position : f32, i64
// CHECK-NEXT:    } combine (%a, %ai, %b, %bi) {
// CHECK:           kernel.yield %value, %number : f32, i64

// Vectors have as many lanes as the widest type allows, here i64; two values are carried.
// SCHEDULED-LABEL: kernel.func @argmax(
// SCHEDULED:         kernel.lane_ids : vector<8xindex>
// SCHEDULED:         iter_args({{.+}}) -> (vector<8xf32>, vector<8xi64>) {
// SCHEDULED:           kernel.convert index_cast {{.+}} : vector<8xindex> to vector<8xi64>
// SCHEDULED:           kernel.compare ogt, {{.+}} : vector<8xf32>
kernel.func @argmax(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<i64, [1]> {kernel.access = "write", kernel.noalias}) {
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant 9223372036854775807 : i64
  kernel.parallel (%i) to (%rows) {
    %best, %where = kernel.reduce custom (%j) to (%cols) {lanes = 8, block = 0}
        init (%lowest, %none) : f32, i64 {
      %v = kernel.load %x[%i, %j] : f32
      %position = arith.index_cast %j : index to i64
      kernel.yield %v, %position : f32, i64
    } combine (%a, %ai, %b, %bi) {
      %greater = arith.cmpf ogt, %b, %a : f32
      %equal = arith.cmpf oeq, %b, %a : f32
      %before = arith.cmpi slt, %bi, %ai : i64
      %tie = arith.andi %equal, %before : i1
      %take = arith.ori %greater, %tie : i1
      %value = arith.select %take, %b, %a : f32
      %number = arith.select %take, %bi, %ai : i64
      kernel.yield %value, %number : f32, i64
    }
    kernel.store %where, %y[%i]
  }
}
