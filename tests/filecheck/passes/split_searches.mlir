// RUN: trilith-opt %s -p kernel-split-reductions | filecheck %s

// What computes with the number of an element counts from an argument on, which a launch of all blocks
// sets to 0.

// CHECK-LABEL: func.func @place
// CHECK:         tri.launch @first_parts(%x, {{%.+}}, {{%.+}}) [100000, 0, 7, 32, 0, 0, 0] :
func.func @place(%x: !tri.tensor<100000xf32>) -> !tri.tensor<si64> {
  %0 = tri.empty : !tri.tensor<si64>
  tri.launch @first(%x, %0) [100000, 0, 0] : !tri.tensor<100000xf32>, !tri.tensor<si64>
  func.return %0 : !tri.tensor<si64>
}

// CHECK-LABEL: kernel.func @first_parts(
// CHECK-SAME:      [[N:%.+]]: index, {{%.+}}: !kernel.buffer<f32, [1]> {kernel.access = "read"}, {{%.+}}: index, {{%.+}}: index, [[BEGIN:%.+]]: index, {{%.+}}: !kernel.buffer<f32, [1]>
// CHECK:           kernel.reduce custom
// CHECK:             [[PLACE:%.+]] = arith.addi
// CHECK-NEXT:        [[NUMBER:%.+]] = arith.addi [[PLACE]], [[BEGIN]] : index
// CHECK-NEXT:        kernel.load {{%.+}}[[[PLACE]]] : f32
// CHECK-NEXT:        arith.index_cast [[NUMBER]] : index to i64
kernel.func @first(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<i64, []> {kernel.access = "write", kernel.noalias}) {
  %least = arith.constant 0xff800000 : f32
  %far = arith.constant 9223372036854775807 : i64
  %value, %at = kernel.reduce custom (%i) to (%n) {lanes = 32, block = 16384, neutral} init (%least, %far) : f32, i64 attributes {kernel.first = "maximum"} {
    %v = kernel.load %x[%i] : f32
    %p = arith.index_cast %i : index to i64
    kernel.yield %v, %p : f32, i64
  } combine (%a, %b, %c, %d) {
    %wins = arith.cmpf ugt, %c, %a : f32
    %e = arith.select %wins, %c, %a : f32
    %f = arith.select %wins, %d, %b : i64
    kernel.yield %e, %f : f32, i64
  }
  kernel.store %at, %y[]
}
