// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A vector times a matrix: the sums lie in c, and take in eight rows of b at a time, sixteen columns
// side by side; then rows that are left.

// CHECK-LABEL: kernel.func @product(
// CHECK-SAME:      %c: !kernel.buffer<f32, [1]> {kernel.access = "readwrite", kernel.noalias}
// CHECK-DAG:     [[NOTHING:%.+]] = kernel.splat %{{.+}} : vector<16xf32>
// CHECK:           kernel.store [[NOTHING]], %c[
// CHECK:         [[WHOLE:%.+]] = arith.andi %k, %{{.+}} : index
// CHECK:         kernel.for [[P:%.+]] = %{{.+}} to [[WHOLE]] step
// CHECK-NEXT:      [[P1:%.+]] = arith.addi [[P]], %{{.+}} : index
// CHECK:           [[X:%.+]] = kernel.load %a[{{%.+}}, [[P]]] : f32
// CHECK-NEXT:      [[X1:%.+]] = kernel.load %a[{{%.+}}, [[P1]]] : f32
// CHECK:           kernel.for [[J:%.+]] = %{{.+}} to %{{.+}} step
// CHECK-NEXT:        [[C:%.+]] = kernel.load %c[[[J]]] : vector<16xf32>
// CHECK-NEXT:        [[B:%.+]] = kernel.load %b[[[J]], [[P]]] along 0 : vector<16xf32>
// CHECK-NEXT:        [[A:%.+]] = kernel.splat [[X]] : vector<16xf32>
// CHECK-NEXT:        [[S:%.+]] = math.fma [[A]], [[B]], [[C]] : vector<16xf32>
// CHECK-NEXT:        [[B1:%.+]] = kernel.load %b[[[J]], [[P1]]] along 0 : vector<16xf32>
// CHECK-NEXT:        [[A1:%.+]] = kernel.splat [[X1]] : vector<16xf32>
// CHECK-NEXT:        math.fma [[A1]], [[B1]], [[S]] : vector<16xf32>
// CHECK:             kernel.store {{%.+}}, %c[[[J]]]
// CHECK:         kernel.for {{%.+}} = [[WHOLE]] to %k step
kernel.func @product(%n: index, %k: index,
    %a: !kernel.buffer<f32, [0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j) to (%n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%j, %p] : f32
      %y = kernel.load %b[%j, %p] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %sum, %c[%j]
  }
}

// Few rows times a large matrix, as far as its columns fill vectors (schedule_jammed.mlir): strips of columns, and in each four rows of results and four of b at a
// time. All sums are read before one is stored, as rows over the edge are the last one again. What the
// next pass reads is asked for.

// CHECK-LABEL: kernel.func @rows(
// CHECK:         arith.muli %n, %k : index
// CHECK:         kernel.if {{%.+}} -> (index) {
// CHECK-NEXT:      [[ALL:%.+]] = arith.andi %n, {{%.+}} : index
// CHECK:           kernel.for [[FIRST:%.+]] = {{%.+}} to [[ALL]] step {{%.+}} {
// CHECK:           kernel.for [[I:%.+]] = {{%.+}} to %m step {{%.+}} {
// CHECK:             arith.minsi {{%.+}}, {{%.+}} : index
// CHECK-NEXT:        arith.minsi {{%.+}}, {{%.+}} : index
// CHECK-NEXT:        [[I3:%.+]] = arith.minsi {{%.+}}, {{%.+}} : index
// CHECK:             kernel.store {{%.+}}, %c[[[I]], {{%.+}}]
// CHECK:             [[WHOLE:%.+]] = arith.andi %k, {{%.+}} : index
// CHECK-NEXT:        kernel.for [[P:%.+]] = {{%.+}} to [[WHOLE]] step
// CHECK:               [[X:%.+]] = kernel.load %a[[[I]], {{%.+}}, [[P]]] : f32
// CHECK:               [[X3:%.+]] = kernel.load %a[[[I3]], {{%.+}}, [[P]]] : f32
// CHECK:               kernel.for {{%.+}} = {{%.+}} to {{%.+}} step {{%.+}} {
// CHECK-NEXT:            [[J:%.+]] = arith.addi [[FIRST]], {{%.+}} : index
// CHECK-NEXT:            [[C:%.+]] = kernel.load %c[[[I]], [[J]]] : vector<16xf32>
// CHECK:                 [[C3:%.+]] = kernel.load %c[[[I3]], [[J]]] : vector<16xf32>
// CHECK-NEXT:            [[B:%.+]] = kernel.load %b[{{%.+}}, [[J]], [[P]]] along 1 : vector<16xf32>
// CHECK:                 kernel.prefetch %b[{{.+}}] into 1
// CHECK:                 [[A:%.+]] = kernel.splat [[X]] : vector<16xf32>
// CHECK-NEXT:            math.fma [[A]], [[B]], [[C]] : vector<16xf32>
// CHECK:                 [[A3:%.+]] = kernel.splat [[X3]] : vector<16xf32>
// CHECK-NEXT:            math.fma [[A3]], [[B]], [[C3]] : vector<16xf32>
// CHECK:                 kernel.store {{%.+}}, %c[[[I]], [[J]]]
// CHECK:                 kernel.store {{%.+}}, %c[[[I3]], [[J]]]
kernel.func @rows(%m: index, %n: index, %k: index,
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
