// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A product of matrices of many rows: for pieces of k, blocks of 192 rows and some panels of 16 columns
// b is packed into private memory, and tiles of 6 x 16 sums take it in. There are as many panels as
// have 96 elements of k together, at least one. The sums of a piece begin with
// what the piece before has left in c, which the kernel therefore reads. Rows over the edge are the
// last one again; columns that are left have panels of 8, under a mask. For each line of its elements
// (16 floats) a tile asks for a row of the next results and a part of the next panel.

// CHECK-LABEL: kernel.func @product(
// CHECK-SAME:      %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite", kernel.noalias}
// CHECK-DAG:     [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-DAG:     [[MOST:%.+]] = arith.constant 384 : index
// CHECK-DAG:     [[QUARTER:%.+]] = arith.constant 96 : index
// CHECK-DAG:     [[NOTHING:%.+]] = kernel.splat %{{.+}} : vector<16xf32>
// CHECK:           [[PANEL:%.+]] = kernel.alloc [384, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK:           arith.divui %{{.+}}, [[MOST]] : index
// CHECK:           kernel.for [[START:%.+]] = [[ZERO]] to
// CHECK:             kernel.for [[FIRST:%.+]] = [[ZERO]] to %m step
// CHECK:               [[LEFT_ROWS:%.+]] = arith.remui {{%.+}}, {{%.+}} : index
// CHECK-NEXT:          [[IS_HALF:%.+]] = arith.cmpi sle, [[LEFT_ROWS]], {{%.+}} : index
// CHECK:               [[ROWS:%.+]] = arith.select [[IS_HALF]], {{%.+}}, {{%.+}} : index
// CHECK:               [[FITTING:%.+]] = arith.divui [[QUARTER]], {{%.+}} : index
// CHECK-NEXT:          [[TOGETHER:%.+]] = arith.maxsi [[FITTING]], {{%.+}} : index
// CHECK-NEXT:          [[STEP:%.+]] = arith.muli [[WIDTH:%.+]], [[TOGETHER]] : index
// CHECK-NEXT:          kernel.for [[J0:%.+]] = [[ZERO]] to %n step [[STEP]] {
// CHECK-NEXT:            [[LEFT_OVER:%.+]] = arith.subi %n, [[J0]] : index
// CHECK-NEXT:            [[COUNT:%.+]] = arith.minsi [[LEFT_OVER]], [[STEP]] : index
// CHECK-NEXT:            [[PANELS:%.+]] = arith.divui [[COUNT]], [[WIDTH]] : index
// CHECK-NEXT:            [[IS_ANY:%.+]] = arith.cmpi sgt, [[PANELS]], [[ZERO]] : index
// CHECK-NEXT:            kernel.if [[IS_ANY]] {
// CHECK-NEXT:            kernel.for [[NUMBER:%.+]] = [[ZERO]] to [[PANELS]] step
// CHECK-NEXT:              [[SHIFT:%.+]] = arith.muli [[NUMBER]], [[WIDTH]] : index
// CHECK-NEXT:              [[BASE:%.+]] = arith.muli [[NUMBER]], {{%.+}} : index
// CHECK-NEXT:              [[J:%.+]] = arith.addi [[J0]], [[SHIFT]] : index
// CHECK-NEXT:              kernel.for [[Q:%.+]] = [[ZERO]] to
// CHECK-NEXT:                [[P:%.+]] = arith.addi [[START]], [[Q]] : index
// CHECK-NEXT:                [[PLACE:%.+]] = arith.addi [[BASE]], [[Q]] : index
// CHECK-NEXT:                [[COLUMNS:%.+]] = kernel.load %b[{{.+}}, [[J]], [[P]]] along 1 : vector<16xf32>
// CHECK-NEXT:                kernel.store [[COLUMNS]], [[PANEL]][[[PLACE]], [[ZERO]]]
// CHECK:                 kernel.for [[I:%.+]] = [[FIRST]] to [[ROWS]] step
// CHECK:                   [[I1:%.+]] = arith.minsi
// CHECK:                   kernel.for [[NUMBER:%.+]] = [[ZERO]] to [[PANELS]] step
// CHECK-NEXT:                [[SHIFT:%.+]] = arith.muli [[NUMBER]], [[WIDTH]] : index
// CHECK-NEXT:                [[BASE:%.+]] = arith.muli [[NUMBER]], {{%.+}} : index
// CHECK-NEXT:                [[J:%.+]] = arith.addi [[J0]], [[SHIFT]] : index
// CHECK-NEXT:                arith.cmpi eq, [[START]], [[ZERO]] : index
// CHECK:                     kernel.yield [[NOTHING]], [[NOTHING]], [[NOTHING]], [[NOTHING]], [[NOTHING]], [[NOTHING]]
// CHECK:                     kernel.load %c[[[I]], [[J]]] : vector<16xf32>
// CHECK:                   [[S:%.+]], {{.+}}, {{.+}}, {{.+}}, {{.+}}, {{.+}} = kernel.for [[LINE:%.+]] = [[ZERO]] to %{{.+}} step [[SIXTEEN:%.+]] iter_args
// CHECK:                     arith.divui [[LINE]], [[SIXTEEN]] : index
// CHECK:                     kernel.prefetch %c[{{.+}}, {{.+}}] into 1
// CHECK:                     kernel.prefetch %b[{{.+}}, {{.+}}, {{.+}}] into 2
// CHECK:                     [[END:%.+]] = arith.addi [[LINE]], [[SIXTEEN]] : index
// CHECK:                     kernel.for [[Q:%.+]] = [[LINE]] to
// CHECK-NEXT:                [[P:%.+]] = arith.addi [[START]], [[Q]] : index
// CHECK-NEXT:                [[PLACE:%.+]] = arith.addi [[BASE]], [[Q]] : index
// CHECK-NEXT:                [[RIGHT:%.+]] = kernel.load [[PANEL]][[[PLACE]], [[ZERO]]] : vector<16xf32>
// CHECK-NEXT:                [[X:%.+]] = kernel.load %a[[[I]], {{.+}}, [[P]]] : f32
// CHECK-NEXT:                [[LEFT:%.+]] = kernel.splat [[X]] : vector<16xf32>
// CHECK-NEXT:                math.fma [[LEFT]], [[RIGHT]], {{%.+}} : vector<16xf32>
// CHECK-NEXT:                kernel.load %a[[[I1]], {{.+}}, [[P]]] : f32
// CHECK:                   kernel.store [[S]], %c[[[I]], [[J]]]
// Half a tile of rows, or less, is half a tile; then come the columns of half a panel.
// CHECK:                 kernel.for [[I:%.+]] = [[ROWS]] to {{%.+}} step
// CHECK:                   kernel.for {{.+}} iter_args({{%.+}} = {{%.+}}, {{%.+}} = {{%.+}}, {{%.+}} = {{%.+}}) ->
// CHECK:                   kernel.store {{%.+}}, %c[[[I]], {{%.+}}]
// CHECK:                 [[SHIFT:%.+]] = arith.muli [[PANELS]], [[WIDTH]] : index
// CHECK:                 [[WHOLE:%.+]] = arith.addi [[J0]], [[SHIFT]] : index
// CHECK-NEXT:            [[DONE:%.+]] = arith.subi [[WHOLE]], [[J0]] : index
// CHECK-NEXT:            [[REST:%.+]] = arith.subi [[COUNT]], [[DONE]] : index
// CHECK-NEXT:            kernel.for [[AT:%.+]] = [[ZERO]] to [[REST]] step
// CHECK-NEXT:              arith.subi [[REST]], [[AT]] : index
// CHECK-NEXT:            [[MASK:%.+]] = kernel.mask {{%.+}} : vector<8xi1>
// CHECK-NEXT:              [[J8:%.+]] = arith.addi [[WHOLE]], [[AT]] : index
// CHECK:                   kernel.load %b[{{.+}}, [[J8]], {{.+}}] along 1 mask [[MASK]] : vector<8xf32>
// CHECK:                   kernel.load %c[{{.+}}, [[J8]]] mask [[MASK]] : vector<8xf32>
// CHECK:                   kernel.store {{%.+}}, %c[{{.+}}, [[J8]]] mask [[MASK]]
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
