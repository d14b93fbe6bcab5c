// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A product of matrices as it is lowered, for few rows and a small b, or the columns of a large one that
// fill no vector: sixteen columns of four rows at once. A piece of b is loaded for all rows, and one element of each row for all columns. Rows over
// the edge are the last one again; a row that is left runs by itself. What many rows run as is in
// schedule_blocked.mlir, and what few rows run as where b is large in schedule_streamed.mlir.

// CHECK-LABEL: kernel.func @product(
// CHECK:         [[PAYS:%.+]] = arith.cmpi sge, %m, %{{.+}} : index
// CHECK-NEXT:    kernel.if [[PAYS]] {
// CHECK:           kernel.alloc
// CHECK:           math.fma {{.+}} : vector<16xf32>
// CHECK:           math.fma {{.+}} : vector<8xf32>
// CHECK:         } else {
// CHECK:           [[LONG:%.+]] = arith.cmpi sge, %n, {{%.+}} : index
// CHECK-NEXT:      [[MANY:%.+]] = arith.cmpi sge, %k, {{%.+}} : index
// CHECK-NEXT:      [[ELEMENTS:%.+]] = arith.muli %n, %k : index
// CHECK-NEXT:      [[LARGE:%.+]] = arith.cmpi sge, [[ELEMENTS]], {{%.+}} : index
// CHECK-NEXT:      [[FITS:%.+]] = arith.andi [[LONG]], [[MANY]] : i1
// CHECK-NEXT:      [[IS_LARGE:%.+]] = arith.andi [[FITS]], [[LARGE]] : i1
// CHECK-NEXT:      [[START:%.+]] = kernel.if [[IS_LARGE]] -> (index) {
// CHECK-NEXT:        [[WHOLE_ONES:%.+]] = arith.andi %n, {{%.+}} : index
// CHECK:             kernel.yield [[WHOLE_ONES]] : index
// CHECK-NEXT:      } else {
// CHECK-NEXT:        kernel.yield {{%.+}} : index
// CHECK-NEXT:      }
// CHECK-NEXT:      [[LEFT:%.+]] = arith.subi %n, [[START]] : index
// CHECK-NEXT:      arith.andi [[LEFT]]
// CHECK-NEXT:      kernel.for [[PLACE:%.+]] = %{{.+}} to %{{.+}} step
// CHECK-NEXT:        [[J:%.+]] = arith.addi [[START]], [[PLACE]] : index
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
