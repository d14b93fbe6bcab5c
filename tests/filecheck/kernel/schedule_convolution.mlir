// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A convolution of an image whose channels are neighbours, as it is lowered, is a product of matrices:
// the lanes are the channels of the result, the rows are the places of an image (two indices, counted
// as one), and k is three indices, of which pieces are taken along the first. All rows are a block, as
// windows overlap. How far each element of k is from where its window begins stands in a table, so that
// tiles have one loop. Where one place of the input has too much for a panel few rows run at once.

// CHECK-LABEL: kernel.func @convolution(
// CHECK:         [[ROWS:%.+]] = arith.muli %h, %w : index
// CHECK-NEXT:    arith.cmpi sge, [[ROWS]]
// CHECK:         [[MANY:%.+]] = arith.ori {{.+}} : i1
// CHECK-NEXT:    [[WINDOW:%.+]] = arith.muli %kh, %kw : index
// CHECK-NEXT:    [[FITS:%.+]] = arith.cmpi sle, [[WINDOW]]
// CHECK-NEXT:    [[BOTH:%.+]] = arith.andi [[MANY]], [[FITS]] : i1
// CHECK-NEXT:    kernel.if [[BOTH]] {
// CHECK:           [[TABLE:%.+]] = kernel.alloc [384] : !kernel.buffer<i64, [1], private>
// CHECK:           kernel.for [[START:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:             kernel.for [[BLOCK:%.+]] = {{%.+}} to [[ALL:%.+]] step
// CHECK:               [[DOWN:%.+]] = kernel.stride %image along 4
// CHECK-NEXT:          [[RIGHT:%.+]] = kernel.stride %image along 5
// CHECK-NEXT:          kernel.for [[NUMBER:%.+]] = {{%.+}} to {{%.+}} step
// CHECK-NEXT:            kernel.for [[KH:%.+]] = {{%.+}} to %kh step
// CHECK-NEXT:              kernel.for [[KW:%.+]] = {{%.+}} to %kw step
// CHECK:                     [[PLACE:%.+]] = arith.addi {{%.+}}, [[KW]] : index
// CHECK-NEXT:                [[C:%.+]] = arith.addi [[START]], [[NUMBER]] : index
// CHECK-NEXT:                [[BELOW:%.+]] = arith.muli [[KH]], [[DOWN]] : index
// CHECK-NEXT:                [[BESIDE:%.+]] = arith.muli [[KW]], [[RIGHT]] : index
// CHECK-NEXT:                [[ROW:%.+]] = arith.addi [[C]], [[BELOW]] : index
// CHECK-NEXT:                [[AT:%.+]] = arith.addi [[ROW]], [[BESIDE]] : index
// CHECK-NEXT:                [[WORD:%.+]] = arith.index_cast [[AT]] : index to i64
// CHECK-NEXT:                kernel.store [[WORD]], [[TABLE]][[[PLACE]]]
// CHECK:               kernel.for [[J:%.+]] = {{%.+}} to %o step
// Panels: channels of the input, and the places of a window.
// CHECK:                 [[SHIFT:%.+]] = arith.muli [[PANELS:%.+]], {{%.+}} : index
// CHECK-NEXT:            [[COLUMN:%.+]] = arith.addi [[J]], [[SHIFT]] : index
// CHECK-NEXT:            kernel.for [[NUMBER:%.+]] = {{%.+}} to {{%.+}} step
// CHECK-NEXT:            [[C:%.+]] = arith.addi [[START]], [[NUMBER]] : index
// CHECK-NEXT:            [[OUTER:%.+]] = arith.muli [[NUMBER]], %kh : index
// CHECK-NEXT:            kernel.for [[KH:%.+]] = {{%.+}} to %kh step
// CHECK-NEXT:              [[AT:%.+]] = arith.addi [[OUTER]], [[KH]] : index
// CHECK-NEXT:              [[INNER:%.+]] = arith.muli [[AT]], %kw : index
// CHECK-NEXT:              kernel.for [[KW:%.+]] = {{%.+}} to %kw step
// CHECK-NEXT:                [[PLACE:%.+]] = arith.addi [[INNER]], [[KW]] : index
// CHECK-NEXT:                [[FACTORS:%.+]] = kernel.load %weight[{{%.+}}, {{%.+}}, [[COLUMN]], [[C]], [[KH]], [[KW]]] along 2 : vector<16xf32>
// CHECK-NEXT:                kernel.store [[FACTORS]], [[PANEL:%.+]][[[PLACE]], {{%.+}}]
// A tile: row and column of each of its places.
// CHECK:               kernel.for [[FIRST:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:                 [[X:%.+]] = arith.remui [[FIRST]], %w : index
// CHECK-NEXT:            [[Y:%.+]] = arith.divui [[FIRST]], %w : index
// CHECK:                 [[TILE:%.+]] = arith.addi [[J]], {{%.+}} : index
// CHECK:                 [[OF_ROW:%.+]] = arith.muli [[Y]], {{%.+}} : index
// CHECK-NEXT:            [[OF_COLUMN:%.+]] = arith.muli [[X]], {{%.+}} : index
// CHECK-NEXT:            [[WINDOW:%.+]] = arith.addi [[OF_ROW]], [[OF_COLUMN]] : index
// CHECK:                 kernel.for [[Q:%[0-9]+]] = {{.+}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:              kernel.load [[PANEL]][[[Q]], {{%.+}}] : vector<16xf32>
// CHECK-NEXT:              [[WORD:%.+]] = kernel.load [[TABLE]][[[Q]]] : i64
// CHECK-NEXT:              [[SHIFT:%.+]] = arith.index_cast [[WORD]] : i64 to index
// CHECK-NEXT:              [[AT:%.+]] = arith.addi [[WINDOW]], [[SHIFT]] : index
// CHECK-NEXT:              kernel.load %image[{{%.+}}, {{%.+}}, {{%.+}}, [[AT]], {{%.+}}, {{%.+}}] : f32
// CHECK:                 kernel.store {{%.+}}, %result[[[Y]], [[X]], [[TILE]]]
// CHECK:         } else {
kernel.func @convolution(%h: index, %w: index, %o: index, %c: index, %kh: index, %kw: index,
    %image: !kernel.buffer<f32, [?, ?, 0, 1, ?, ?]> {kernel.access = "read"},
    %weight: !kernel.buffer<f32, [0, 0, 1, ?, ?, ?]> {kernel.access = "read"},
    %result: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%y, %x, %j) to (%h, %w, %o) {
    %sum = kernel.reduce fma (%p, %q, %r) to (%c, %kh, %kw) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %image[%y, %x, %j, %p, %q, %r] : f32
      %b = kernel.load %weight[%y, %x, %j, %p, %q, %r] : f32
      kernel.yield %a, %b : f32, f32
    }
    kernel.store %sum, %result[%y, %x, %j]
  }
}
