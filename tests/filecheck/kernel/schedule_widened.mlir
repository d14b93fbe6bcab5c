// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=512}" | trilith-opt | filecheck %s --check-prefix=WIDE

// A factor of narrow floats is widened on its way into a panel of float32, once for all rows.
// CHECK-LABEL: kernel.func @product(
// CHECK:           [[PANEL:%.+]] = kernel.alloc [384, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK:                   [[NARROW:%.+]] = kernel.load %b[{{.+}}] along 1 : vector<16xf16>
// CHECK-NEXT:              [[WIDENED:%.+]] = kernel.convert extf [[NARROW]] : vector<16xf16> to vector<16xf32>
// CHECK-NEXT:              kernel.store [[WIDENED]], [[PANEL]]
// CHECK:                     [[RIGHT:%.+]] = kernel.load [[PANEL]][{{.+}}] : vector<16xf32>
// CHECK-NOT:                 extf
// CHECK:                     math.fma {{%.+}}, [[RIGHT]], {{%.+}} : vector<16xf32>
// CHECK:                   kernel.load %b[{{.+}}] along 1 mask {{%.+}} : vector<8xf16>
kernel.func @product(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f16, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : f16
      %z = arith.extf %y : f16 to f32
      kernel.yield %x, %z : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}

// Squares of a factor that lies across are transposed as they are in the panel.
// WIDE-LABEL: kernel.func @across(
// WIDE:           [[PANEL:%.+]] = kernel.alloc [384, 32] : !kernel.buffer<f32, [32, 1], private>
// WIDE:             kernel.load %b[{{.+}}] : vector<16xi16>
// WIDE-NEXT:        kernel.convert extui {{%.+}} : vector<16xi16> to vector<16xi32>
// WIDE-NEXT:        arith.shli {{%.+}} : vector<16xi32>
// WIDE-NEXT:        arith.bitcast {{%.+}} : vector<16xi32> to vector<16xf32>
// WIDE:             kernel.transpose({{.+}}) : vector<16xf32>
// WIDE-NEXT:        kernel.store {{%.+}}, [[PANEL]]
// WIDE:           math.fma {{.+}} : vector<32xf32>
kernel.func @across(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<i16, [0, ?, 1]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %p] : f32
      %y = kernel.load %b[%i, %j, %p] : i16
      %bits = arith.extui %y : i16 to i32
      %sixteen = arith.constant 16 : i32
      %shifted = arith.shli %bits, %sixteen : i32
      %z = arith.bitcast %shifted : i32 to f32
      kernel.yield %x, %z : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}

// What is multiplied with itself is packed as it is.
// CHECK-LABEL: kernel.func @squared(
// CHECK:           [[SAME:%.+]] = kernel.alloc [384, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK:                     [[RIGHT:%.+]] = kernel.load [[SAME]][{{.+}}] : vector<16xf32>
// CHECK-NEXT:                arith.mulf [[RIGHT]], [[RIGHT]] : vector<16xf32>
kernel.func @squared(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %y = kernel.load %b[%i, %j, %p] : f32
      %z = arith.mulf %y, %y : f32
      %x = kernel.load %a[%i, %j, %p] : f32
      kernel.yield %x, %z : f32, f32
    }
    kernel.store %sum, %c[%i, %j]
  }
}
