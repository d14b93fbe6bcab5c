// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A product of matrices as it is lowered, for few rows: sixteen columns of four rows at once. A
// piece of b is loaded for all rows, and one element of each row for all columns; then rows that
// are left. What many rows run as is in schedule_blocked.mlir.

// CHECK-LABEL: kernel.func @product(
// CHECK:         arith.cmpi sge, %m, %{{.+}} : index
// CHECK:           kernel.alloc
// CHECK:           math.fma {{.+}} : vector<16xf32>
// CHECK:           math.fma {{.+}} : vector<8xf32>
// CHECK:         } else {
// CHECK-NEXT:      arith.andi %n
// CHECK-NEXT:      kernel.for [[J:%.+]] = %{{.+}} to %{{.+}} step
// CHECK:             kernel.for [[I:%.+]] = %{{.+}} to %{{.+}} step
// CHECK-NEXT:          [[I1:%.+]] = arith.addi [[I]], %{{.+}} : index
// CHECK-NEXT:          [[I2:%.+]] = arith.addi [[I]], %{{.+}} : index
// CHECK-NEXT:          [[I3:%.+]] = arith.addi [[I]], %{{.+}} : index
// CHECK-NEXT:          [[R:%.+]], {{.+}}, {{.+}}, {{.+}} = kernel.for [[P:%.+]] = %{{.+}} to %k step %{{.+}} iter_args({{.+}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:            kernel.load %a[[[I]], {{%.+}}, [[P]]] : f32
// CHECK-NEXT:            kernel.load %b[{{.+}}, [[J]], [[P]]] along 1 : vector<16xf32>
// CHECK:                 kernel.load %a[[[I1]], {{%.+}}, [[P]]] : f32
// CHECK:                 kernel.load %a[[[I2]], {{%.+}}, [[P]]] : f32
// CHECK:                 kernel.load %a[[[I3]], {{%.+}}, [[P]]] : f32
// CHECK:               kernel.store [[R]], %c[[[I]], [[J]]]
// CHECK:             kernel.for {{%.+}} = {{%.+}} to %m step
// CHECK-NEXT:          kernel.for {{%.+}} = %{{.+}} to %k step %{{.+}} iter_args({{.+}}) -> (vector<16xf32>) {
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
