// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A product of matrices as it is lowered, for few rows: sixteen columns of four rows at once. A
// piece of b is loaded for all rows, and one element of each row for all columns. Rows over the edge
// are the last one again; a row that is left runs by itself. What many rows run as, and some where b
// is large, is in schedule_blocked.mlir.

// CHECK-LABEL: kernel.func @product(
// CHECK:         arith.muli %k, %n : index
// CHECK:         [[MANY:%.+]] = arith.cmpi sge, %m, %{{.+}} : index
// CHECK:         [[SOME:%.+]] = arith.cmpi sge, %m, %{{.+}} : index
// CHECK:         [[LARGE:%.+]] = arith.andi [[SOME]], {{%.+}} : i1
// CHECK-NEXT:    [[PAYS:%.+]] = arith.ori [[MANY]], [[LARGE]] : i1
// CHECK-NEXT:    kernel.if [[PAYS]] {
// CHECK:           kernel.alloc
// CHECK:           math.fma {{.+}} : vector<16xf32>
// CHECK:           math.fma {{.+}} : vector<8xf32>
// CHECK:         } else {
// CHECK-NEXT:      arith.andi %n
// CHECK-NEXT:      kernel.for [[J:%.+]] = %{{.+}} to %{{.+}} step
// CHECK:             [[LAST:%.+]] = arith.subi %m, %{{.+}} : index
// CHECK-NEXT:        [[WHOLE:%.+]] = arith.select {{%.+}}, [[LAST]], %m : index
// CHECK-NEXT:        kernel.for [[I:%.+]] = %{{.+}} to [[WHOLE]] step
// CHECK:               [[I1:%.+]] = arith.minsi {{%.+}}, [[LAST]] : index
// CHECK-NEXT:          [[I2:%.+]] = arith.minsi {{%.+}}, [[LAST]] : index
// CHECK-NEXT:          [[I3:%.+]] = arith.minsi {{%.+}}, [[LAST]] : index
// CHECK-NEXT:          [[R:%.+]], {{.+}}, {{.+}}, {{.+}} = kernel.for [[P:%.+]] = %{{.+}} to %k step %{{.+}} iter_args({{.+}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:            kernel.load %a[[[I]], {{%.+}}, [[P]]] : f32
// CHECK-NEXT:            kernel.load %b[{{.+}}, [[J]], [[P]]] along 1 : vector<16xf32>
// CHECK:                 kernel.load %a[[[I1]], {{%.+}}, [[P]]] : f32
// CHECK:                 kernel.load %a[[[I2]], {{%.+}}, [[P]]] : f32
// CHECK:                 kernel.load %a[[[I3]], {{%.+}}, [[P]]] : f32
// CHECK:               kernel.store [[R]], %c[[[I]], [[J]]]
// CHECK:             kernel.for {{%.+}} = [[WHOLE]] to %m step
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
