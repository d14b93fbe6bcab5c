// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector_bits=512}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector_bits=512 hurried=true}" | filecheck %s --check-prefix=HURRIED

// With vectors of 512 bits a large product runs in tiles of 14 rows, on two packed factors: panels
// of 32 columns, and for each tile its rows, transposed in squares so that it reads one line after
// the other. Columns that fill no panel, and products that are not large, run in tiles of 8 rows.

// CHECK-LABEL: kernel.func @product(
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-DAG:     [[ONE:%.+]] = arith.constant 1 : index
// CHECK-DAG:     [[HEIGHT:%.+]] = arith.constant 14 : index
// CHECK:         [[REST:%.+]] = kernel.if {{%.+}} -> (index) {
// CHECK:           [[PANEL:%.+]] = kernel.alloc [256, 32] : !kernel.buffer<f32, [32, 1], private>
// CHECK:           [[TILES:%.+]] = kernel.alloc [5120, 14] : !kernel.buffer<f32, [14, 1], private>
// CHECK:           kernel.for [[START:%.+]] = [[ZERO]] to
// CHECK:             kernel.for [[FIRST:%.+]] = [[ZERO]] to %m step
// CHECK:               kernel.for [[ROW:%.+]] = [[FIRST]] to {{%.+}} step [[HEIGHT]] {
// CHECK:                 kernel.for [[Q:%.+]] = [[ZERO]] to
// CHECK-COUNT-14:          kernel.load %a[{{.+}}] : vector<16xf32>
// CHECK:                   kernel.transpose({{.+}}) : vector<16xf32>
// CHECK:                   [[MASK:%.+]] = kernel.mask [[HEIGHT]] : vector<16xi1>
// CHECK-COUNT-16:          kernel.store {{%.+}}, [[TILES]][{{%.+}}, [[ZERO]]] mask [[MASK]]
// CHECK:               kernel.for [[COLUMN:%.+]] = [[ZERO]] to
// CHECK:                 kernel.load %b[{{.+}}] along 1 : vector<32xf32>
// CHECK-NEXT:            kernel.store {{%.+}}, [[PANEL]]
// CHECK:                 kernel.for [[I:%.+]] = [[FIRST]] to {{%.+}} step [[HEIGHT]] {
// CHECK:                   [[SUMS:%.+]] = kernel.load [[PANEL]][{{%.+}}, [[ZERO]]] : vector<32xf32>
// CHECK-NEXT:              [[PLACE:%.+]] = arith.addi {{%.+}}, {{%.+}} : index
// CHECK-NEXT:              kernel.load [[TILES]][[[PLACE]], [[ZERO]]] : f32
// CHECK:                   kernel.load [[TILES]][[[PLACE]], [[ONE]]] : f32
// CHECK:           kernel.yield {{%.+}} : index
// CHECK-NEXT:    } else {
// CHECK-NEXT:      kernel.yield [[ZERO]] : index
// CHECK:         kernel.for {{%.+}} = [[REST]] to %n

// Code that a first launch waits for has tiles of 8 rows alone, and says that there is better.

// HURRIED-LABEL: kernel.func @product(
// HURRIED-SAME:    attributes {kernel.hurried}
// HURRIED-NOT:     vector<14
// HURRIED-NOT:     kernel.transpose
kernel.func @product(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}
