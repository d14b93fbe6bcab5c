// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A convolution of an image whose channels are planes, as it is lowered: lanes are channels of the
// result here, too, though these lie far apart in memory. So filters are packed once for all places,
// and no place fills lanes in vain. Where there are few filters lanes are neighbours in the image.
// Elements of a filter that follow one another are packed as one row, windows are short.
//
// A tile is transposed where its places are neighbours, in a line or where lines follow one another:
// eight for 512 bits, or six under a mask of as many lanes, as the wide ones are that stand in front.
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=512}" | trilith-opt | filecheck %s --check-prefix=WIDE

// WIDE-LABEL: kernel.func @convolution(
// WIDE:         [[REST:%.+]] = kernel.if {{%.+}} -> (index) {
// WIDE:           [[PLACES:%.+]] = kernel.alloc [576] : !kernel.buffer<i64, [1], private>
// WIDE:           kernel.clear_registers
// WIDE:           kernel.load %result[{{.+}}] along 2 mask {{.+}} : vector<8xf32>
// WIDE:           kernel.load [[PLACES]][{{.+}}] : i64
// WIDE:           kernel.store {{.+}}, %result[{{.+}}] along 2 mask {{.+}}
// WIDE:         [[TILE:%.+]] = kernel.alloc [8, 32] : !kernel.buffer<f32, [32, 1], private>
// WIDE:         kernel.stride %result along 1
// WIDE:           kernel.load %result[{{.+}}] along 2 : vector<8xf32>
// WIDE:           kernel.transpose({{.+}}) : vector<8xf32>
// WIDE:           math.fma {{.+}} : vector<32xf32>
// WIDE:           kernel.transpose({{.+}}) : vector<32xf32>
// WIDE:           kernel.store {{.+}}, %result[{{.+}}] along 2
// WIDE:         } else {
// WIDE:           kernel.store {{.+}}, [[TILE]][{{.+}}]
// WIDE:             [[ELEMENT:%.+]] = kernel.load [[TILE]][{{.+}}] : f32
// WIDE-NEXT:             kernel.store [[ELEMENT]], %result[{{.+}}]

// A work item does the same in squares, from its memory: in a loop, so that compilers do not see the
// sums of a tile in registers behind its products. Long sums of many filters have tiles of 24 registers
// in front of those, whose results are stored as they lie.
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu}" | trilith-opt | filecheck %s --check-prefix=ITEMS

// ITEMS-LABEL: kernel.func @convolution(
// ITEMS:         kernel.has_registers 512
// ITEMS:         kernel.clear_registers
// ITEMS:         [[TILE:%.+]] = kernel.alloc [8, 16] : !kernel.buffer<f32, [16, 1], private>
// ITEMS:           kernel.stride %result along 1
// ITEMS:           kernel.for [[COLUMN:%.+]] = {{.+}} to {{.+}} step
// ITEMS:             kernel.load %result[{{.+}}] along 2 : vector<8xf32>
// ITEMS:             kernel.transpose({{.+}}) : vector<8xf32>
// ITEMS-NEXT:        kernel.store {{.+}}, [[TILE]][{{.+}}, [[COLUMN]]]
// ITEMS:           kernel.load [[TILE]][{{.+}}] : vector<16xf32>
// ITEMS:           math.fma {{.+}} : vector<16xf32>
// ITEMS:           kernel.store {{.+}}, [[TILE]][{{.+}}]
// ITEMS:           kernel.for [[COLUMN:%.+]] = {{.+}} to {{.+}} step
// ITEMS-NEXT:        kernel.load [[TILE]][{{.+}}, [[COLUMN]]] : vector<8xf32>
// ITEMS:             kernel.transpose({{.+}}) : vector<8xf32>
// ITEMS:             kernel.store {{.+}}, %result[{{.+}}] along 2

// CHECK-LABEL: kernel.func @convolution(
// CHECK:         [[MANY:%.+]] = arith.cmpi sge, %o
// CHECK:         kernel.if
// CHECK:             kernel.stride %weight along 4
// CHECK:             kernel.stride %weight along 3
// CHECK:             [[IS_ROW:%.+]] = arith.andi {{.+}} : i1
// CHECK-COUNT-3:     arith.select [[IS_ROW]], {{.+}} : index
// CHECK:             kernel.transpose(
// CHECK:             kernel.load %weight[{{.+}}] along 0 mask {{%.+}} : vector<8xf32>
// CHECK:               kernel.load %image[{{.+}}] : f32
// CHECK:             kernel.store {{%.+}}, %result[{{.+}}] along 2 mask {{%.+}}
// CHECK:         } else {
// CHECK:             kernel.load %image[{{.+}}] along 2 : vector<16xf32>
// CHECK:             kernel.store {{%.+}}, %result[{{.+}}]
kernel.func @convolution(%o: index, %h: index, %w: index, %c: index, %kh: index, %kw: index,
    %image: !kernel.buffer<f32, [0, ?, 1, ?, ?, 1]> {kernel.access = "read"},
    %weight: !kernel.buffer<f32, [?, 0, 0, ?, ?, 1]> {kernel.access = "read"},
    %result: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j, %y, %x) to (%o, %h, %w) {
    %sum = kernel.reduce fma (%p, %q, %r) to (%c, %kh, %kw) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %image[%j, %y, %x, %p, %q, %r] : f32
      %b = kernel.load %weight[%j, %y, %x, %p, %q, %r] : f32
      kernel.yield %a, %b : f32, f32
    }
    kernel.store %sum, %result[%j, %y, %x]
  }
}
