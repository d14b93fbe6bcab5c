// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A vector times a matrix, in lanes: a strip of columns has a table of 32 rows of 512 accumulators.
// Between a load and a store of one a lane takes in eight elements; of what is left it takes in its
// own, as many as there are, too.

// CHECK-LABEL: kernel.func @product(
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-DAG:     [[GROUP:%.+]] = arith.constant 256 : index
// CHECK-DAG:     [[LANES:%.+]] = arith.constant 32 : index
// CHECK:         [[TABLE:%.+]] = kernel.alloc [32, 512] : !kernel.buffer<f32, [512, 1], private>
// CHECK:         [[REST:%.+]] = arith.remui {{%.+}}, [[GROUP]] : index
// CHECK-NEXT:    [[WHOLE:%.+]] = arith.subi [[STOP:%.+]], [[REST]] : index
// CHECK-NEXT:    kernel.for [[FIRST:%.+]] = {{%.+}} to [[WHOLE]] step [[GROUP]] {
// CHECK-NEXT:      kernel.for [[LANE:%.+]] = [[ZERO]] to [[LANES]] step
// CHECK:             kernel.load [[TABLE]][[[LANE]], {{%.+}}]
// CHECK-COUNT-8:     math.fma
// CHECK-NEXT:        kernel.store {{%.+}}, [[TABLE]][[[LANE]], {{%.+}}]
// CHECK:         [[SOME:%.+]] = arith.minsi [[REST]], [[LANES]] : index
// CHECK-NEXT:    kernel.for [[OWN:%.+]] = [[ZERO]] to [[SOME]] step
// CHECK-NEXT:      [[BEGIN:%.+]] = arith.addi [[WHOLE]], [[OWN]] : index
// CHECK:             kernel.load [[TABLE]][[[OWN]], {{%.+}}]
// CHECK:             [[TOTAL:%.+]] = kernel.for {{%.+}} = [[BEGIN]] to [[STOP]] step [[LANES]] iter_args(
// CHECK:               math.fma
// CHECK:             kernel.store [[TOTAL]], [[TABLE]][[[OWN]], {{%.+}}]
kernel.func @product(%n: index, %k: index,
    %v: !kernel.buffer<f32, [0, 1]> {kernel.access = "read"},
    %m: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %r: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j) to (%n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 32, block = 16384} : f32 {
      %x = kernel.load %v[%j, %p] : f32
      %y = kernel.load %m[%j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %sum, %r[%j]
  }
}
