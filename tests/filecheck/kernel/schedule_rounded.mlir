// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=512}" | trilith-opt | filecheck %s --check-prefix=WIDE
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu}" | trilith-opt | filecheck %s --check-prefix=ITEMS

// Sums that are stored in another dtype have no room in the result: a tile begins with nothing and is
// finished without being asked, if all of k is one piece. The kernel does not read what it writes.
// CHECK-LABEL: kernel.func @product(
// CHECK-SAME:      %c: !kernel.buffer<f16, [?, 1]> {kernel.access = "write", kernel.noalias}
// CHECK:         [[MOST:%.+]] = arith.constant 384 : index
// CHECK:         arith.cmpi sle, %k, [[MOST]] : index
// CHECK:           kernel.alloc [384, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK-NOT:       kernel.load %c
// CHECK:           math.fma
// CHECK:           [[ROUNDED:%.+]] = kernel.convert truncf {{%.+}} : vector<16xf32> to vector<16xf16>
// CHECK:           kernel.store [[ROUNDED]], %c
// ITEMS-LABEL: kernel.func @product(
// ITEMS-NOT:     kernel.has_registers
kernel.func @product(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f16, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    %rounded = arith.truncf %sum : f32 to f16
    kernel.store %rounded, %c[%i, %j]
  }
}

// Where places are neighbours, sums are transposed before they are rounded; a tile over an edge lies
// in memory of the kernel's own until it is.
// WIDE-LABEL: kernel.func @convolution(
// WIDE:         kernel.alloc [8, 32] : !kernel.buffer<f32, [32, 1], private>
// WIDE:         kernel.transpose({{.+}}) : vector<32xf32>
// WIDE:         kernel.convert truncf {{%.+}} : vector<8xf32> to vector<8xf16>
// WIDE:         kernel.store {{%.+}}, %result[{{.+}}] along 2
kernel.func @convolution(%o: index, %h: index, %w: index, %c: index, %r: index, %s: index,
    %image: !kernel.buffer<f32, [0, ?, 1, ?, ?, 1]> {kernel.access = "read"},
    %filters: !kernel.buffer<f32, [?, 0, 0, ?, ?, 1]> {kernel.access = "read"},
    %result: !kernel.buffer<f16, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %y, %x) to (%o, %h, %w) {
    %sum = kernel.reduce fma (%p, %q, %t) to (%c, %r, %s) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %image[%i, %y, %x, %p, %q, %t] : f32
      %b = kernel.load %filters[%i, %y, %x, %p, %q, %t] : f32
      kernel.yield %a, %b : f32, f32
    }
    %rounded = arith.truncf %sum : f32 to f16
    kernel.store %rounded, %result[%i, %y, %x]
  }
}

// With no factor of the dtype of sums, each row would widen what it reads: there are no tiles.
// CHECK-LABEL: kernel.func @narrow(
// CHECK-NOT:     private
kernel.func @narrow(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f16, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f16, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f16, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f16
      %y = kernel.load %b[%i, %j, %p] : f16
      %v = arith.extf %x : f16 to f32
      %w = arith.extf %y : f16 to f32
      kernel.yield %v, %w : f32, f32
    }
    %rounded = arith.truncf %sum : f32 to f16
    kernel.store %rounded, %c[%i, %j]
  }
}
