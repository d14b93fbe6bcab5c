// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector_bits=512}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector_bits=512 hurried=true}" | filecheck %s --check-prefix=HURRIED

// With vectors of 512 bits a product of enough columns runs in tiles of six rows of four registers:
// on panels of 64 columns, and rows that are copied for a piece of k, each to a line of its own. Where
// few columns would read the copies, rows are read where they lie. Blocks of rows are equal parts, of
// whole tiles. The first tile of a panel reads the factor and fills the panel, the others read the
// panel. Columns that fill no panel, and products that are not large, run in tiles of 8 rows.

// CHECK-LABEL: kernel.func @product(
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-DAG:     [[HEIGHT:%.+]] = arith.constant 6 : index
// CHECK-DAG:     [[HALF:%.+]] = arith.constant 32 : index
// CHECK:         [[REST:%.+]] = kernel.if {{%.+}} -> (index) {
// CHECK:           kernel.if {{%.+}} {
// CHECK:           [[PANEL:%.+]] = kernel.alloc [160, 64] : !kernel.buffer<f32, [64, 1], private>
// CHECK:           [[ROWS:%.+]] = kernel.alloc [210, 176] : !kernel.buffer<f32, [176, 1], private>
// CHECK:           [[BLOCK:%.+]] = arith.muli {{%.+}}, [[HEIGHT]] : index
// CHECK:           kernel.for [[START:%.+]] = [[ZERO]] to
// CHECK:             kernel.for [[FIRST:%.+]] = [[ZERO]] to %m step [[BLOCK]]
// CHECK:               kernel.for [[NUMBER:%.+]] = [[ZERO]] to
// CHECK-NEXT:            kernel.for [[SHIFT:%.+]] = [[ZERO]] to
// CHECK:                   [[COPIED:%.+]] = kernel.load %a[{{.+}}] : vector<16xf32>
// CHECK-NEXT:              kernel.store [[COPIED]], [[ROWS]][[[NUMBER]], [[SHIFT]]]
// CHECK:               kernel.for [[COLUMN:%.+]] = [[ZERO]] to
// CHECK:                   kernel.clear_registers
// CHECK:                   [[LEFT:%.+]] = kernel.load %b[{{.+}}] along 1 : vector<32xf32>
// CHECK-NEXT:              kernel.store [[LEFT]], [[PANEL]][{{%.+}}, [[ZERO]]]
// CHECK:                   [[RIGHT:%.+]] = kernel.load %b[{{.+}}] along 1 : vector<32xf32>
// CHECK-NEXT:              kernel.store [[RIGHT]], [[PANEL]][{{%.+}}, [[HALF]]]
// CHECK:                   [[X:%.+]] = kernel.load [[ROWS]][{{%.+}}, {{%.+}}] : f32
// CHECK-NEXT:              [[X_LANES:%.+]] = kernel.splat [[X]] : vector<32xf32>
// CHECK-NEXT:              {{%.+}} = math.fma [[X_LANES]], [[LEFT]], {{%.+}} : vector<32xf32>
// CHECK:                 [[NEXT:%.+]] = arith.addi [[FIRST]], [[HEIGHT]] : index
// CHECK-NEXT:            kernel.for [[I:%.+]] = [[NEXT]] to {{%.+}} step [[HEIGHT]] {
// CHECK:                   [[OWN:%.+]] = arith.subi [[I]], [[FIRST]] : index
// CHECK:                   kernel.load [[PANEL]][{{%.+}}, [[ZERO]]] : vector<32xf32>
// CHECK-NEXT:              kernel.load [[PANEL]][{{%.+}}, [[HALF]]] : vector<32xf32>
// CHECK-NEXT:              kernel.load [[ROWS]][{{%.+}}, {{%.+}}] : f32
// CHECK:           } else {
// CHECK-NEXT:        [[PANEL:%.+]] = kernel.alloc [160, 64] : !kernel.buffer<f32, [64, 1], private>
// CHECK-NOT:         kernel.alloc
// CHECK:             kernel.clear_registers
// CHECK:                   kernel.load [[PANEL]][{{%.+}}, [[ZERO]]] : vector<32xf32>
// CHECK-NEXT:              kernel.load [[PANEL]][{{%.+}}, [[HALF]]] : vector<32xf32>
// CHECK-NEXT:              kernel.load %a[{{.+}}] : f32
// CHECK:           kernel.yield {{%.+}} : index
// CHECK-NEXT:    } else {
// CHECK-NEXT:      kernel.yield [[ZERO]] : index
// CHECK:         kernel.for {{%.+}} = [[REST]] to %n

// Code that a first launch waits for has tiles of 8 rows alone, and says that there is better.

// HURRIED-LABEL: kernel.func @product(
// HURRIED-SAME:    attributes {kernel.hurried}
// HURRIED-NOT:     [64, 1], private
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
