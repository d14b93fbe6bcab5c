// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Short rows of a combiner whose init is neutral: lanes without elements are neither made nor
// combined.

// CHECK-LABEL: kernel.func @argmax(
// CHECK:         kernel.parallel (%i) to (%rows) attributes {kernel.short_rows} {
// CHECK:           kernel.reduce custom (%j) to (%cols) {lanes = 8, block = 0, neutral} init (%lowest, %none) : f32, i64 {

// SCHEDULED-LABEL: kernel.func @argmax(
// SCHEDULED-DAG:     [[LANES:%.+]] = arith.constant 8 : index
// SCHEDULED-DAG:     [[ONE:%.+]] = arith.constant 1 : index
// SCHEDULED:         kernel.alloc [8, {{.+}}f32
// SCHEDULED:         kernel.alloc [8, {{.+}}i64
// SCHEDULED:         [[SOME:%.+]] = arith.minsi %cols, [[LANES]] : index
// SCHEDULED:         [[USED:%.+]] = arith.maxsi [[SOME]], [[ONE]] : index
// SCHEDULED:         kernel.for {{.+}} to [[USED]] step [[ONE]] {
// SCHEDULED:         kernel.for {{.+}} to %cols step [[ONE]] {
// SCHEDULED:           arith.subi [[USED]], {{.+}} : index
kernel.func @argmax(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<i64, [1]> {kernel.access = "write", kernel.noalias}) {
  %lowest = arith.constant 0xFF800000 : f32
  %none = arith.constant 9223372036854775807 : i64
  kernel.parallel (%i) to (%rows) attributes {kernel.short_rows} {
    %best, %where = kernel.reduce custom (%j) to (%cols) {lanes = 8, block = 0, neutral}
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
