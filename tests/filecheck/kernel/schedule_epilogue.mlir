// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=512}" | trilith-opt | filecheck %s --check-prefix=WIDE
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu}" | trilith-opt | filecheck %s --check-prefix=ITEMS

// What is computed from sums of products, a bias and what is larger of each sum and 0, is computed at
// the end of a tile, if its piece of k is the last one: in registers, in front of the store.
// CHECK-LABEL: kernel.func @product(
// CHECK-SAME:      %z: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite", kernel.noalias}
// CHECK:         math.fma
// CHECK:         [[END:%.+]] = arith.addi {{.+}} : index
// CHECK-NEXT:    [[IS_LAST:%.+]] = arith.cmpi sge, [[END]], %k : index
// CHECK-NEXT:    {{%.+}} = kernel.if [[IS_LAST]] -> ({{.+}}) {
// CHECK-NEXT:      [[BIAS:%.+]] = kernel.load %bias[{{.+}}] : vector<16xf32>
// CHECK-NEXT:      [[ADDED:%.+]] = arith.addf {{%.+}}, [[BIAS]] : vector<16xf32>
// CHECK-NEXT:      [[BELOW:%.+]] = kernel.compare olt, [[ADDED]], {{%.+}} : vector<16xf32>
// CHECK-NEXT:      kernel.select [[BELOW]], {{%.+}}, [[ADDED]] : vector<16xf32>
// CHECK:         } else {
// CHECK-NEXT:      kernel.yield
// CHECK:         kernel.store {{.+}}, %z[{{.+}}]

// A work item does it when all sums of its tile are in the result.
// ITEMS-LABEL: kernel.func @product(
// ITEMS:         kernel.has_registers 512
// ITEMS:           math.fma {{.+}} : vector<16xf32>
// ITEMS:         } else {
// ITEMS:           math.fma {{.+}} : vector<8xf32>
// ITEMS:         kernel.for
// ITEMS:           [[SUM:%.+]] = kernel.load %z[{{.+}}] : f32
// ITEMS:           [[BIAS:%.+]] = kernel.load %bias[{{.+}}] : f32
// ITEMS:           arith.addf [[SUM]], [[BIAS]] : f32
// ITEMS:           kernel.store {{.+}}, %z[{{.+}}]
kernel.func @product(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %bias: !kernel.buffer<f32, [0, 1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %x[%i, %j, %p] : f32
      %b = kernel.load %y[%i, %j, %p] : f32
      kernel.yield %a, %b : f32, f32
    }
    %c = kernel.load %bias[%i, %j] : f32
    %added = arith.addf %sum, %c : f32
    %zero = arith.constant 0.0 : f32
    %below = arith.cmpf olt, %added, %zero : f32
    %positive = arith.select %below, %zero, %added : f32
    kernel.store %positive, %z[%i, %j]
  }
}

// A convolution: tiles are transposed where places are neighbours, and what is added is read along
// these, too. Across the end of a line that is so if its lines follow one another, as the result's do.
// WIDE-LABEL: kernel.func @convolution(
// WIDE:         [[OWN:%.+]] = kernel.stride %result along 1
// WIDE:         [[FOLLOW:%.+]] = arith.cmpi eq, [[OWN]],
// WIDE:         [[OTHER:%.+]] = kernel.stride %other along 1
// WIDE:         [[TOO:%.+]] = arith.cmpi eq, [[OTHER]],
// WIDE:           kernel.transpose({{.+}}) : vector<32xf32>
// WIDE:           kernel.if {{.+}} {
// WIDE:             kernel.load %bias[{{.+}}] : f32
// WIDE:             kernel.load %other[{{.+}}] : vector<8xf32>
// WIDE:           kernel.store {{.+}}, %result[{{.+}}] along 2
kernel.func @convolution(%o: index, %h: index, %w: index, %c: index, %kh: index, %kw: index,
    %image: !kernel.buffer<f32, [0, ?, 1, ?, ?, 1]> {kernel.access = "read"},
    %weight: !kernel.buffer<f32, [?, 0, 0, ?, ?, 1]> {kernel.access = "read"},
    %bias: !kernel.buffer<f32, [1, 0, 0]> {kernel.access = "read"},
    %other: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "read"},
    %result: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j, %y, %x) to (%o, %h, %w) {
    %sum = kernel.reduce fma (%p, %q, %r) to (%c, %kh, %kw) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %image[%j, %y, %x, %p, %q, %r] : f32
      %b = kernel.load %weight[%j, %y, %x, %p, %q, %r] : f32
      kernel.yield %a, %b : f32, f32
    }
    %u = kernel.load %bias[%j, %y, %x] : f32
    %biased = arith.addf %sum, %u : f32
    %v = kernel.load %other[%j, %y, %x] : f32
    %added = arith.addf %biased, %v : f32
    kernel.store %added, %result[%j, %y, %x]
  }
}

// A vector times a matrix, whose sums lie in the result: at the end they are walked over once more.
// CHECK-LABEL: kernel.func @row(
// CHECK:         kernel.for {{%.+}} = {{%.+}} to %k step
// CHECK:             math.fma {{.+}} : vector<8xf32>
// CHECK:         [[WHOLE:%.+]] = arith.andi %n, {{%.+}} : index
// CHECK-NEXT:    kernel.for [[J:%.+]] = {{%.+}} to [[WHOLE]] step
// CHECK-NEXT:      [[SUMS:%.+]] = kernel.load %z[[[J]]] : vector<16xf32>
// CHECK-NEXT:      [[BIAS:%.+]] = kernel.load %bias[[[J]]] : vector<16xf32>
// CHECK-NEXT:      [[ADDED:%.+]] = arith.addf [[SUMS]], [[BIAS]] : vector<16xf32>
// CHECK-NEXT:      kernel.store [[ADDED]], %z[[[J]]]
kernel.func @row(%n: index, %k: index,
    %x: !kernel.buffer<f32, [0, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %bias: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j) to (%n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %x[%j, %p] : f32
      %b = kernel.load %y[%j, %p] : f32
      kernel.yield %a, %b : f32, f32
    }
    %c = kernel.load %bias[%j] : f32
    %added = arith.addf %sum, %c : f32
    kernel.store %added, %z[%j]
  }
}
