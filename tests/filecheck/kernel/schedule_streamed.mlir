// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A vector times a matrix: the sums lie in c, and take in eight rows of b at a time, sixteen columns
// side by side; then rows that are left.

// CHECK-LABEL: kernel.func @product(
// CHECK-SAME:      %c: !kernel.buffer<f32, [1]> {kernel.access = "readwrite", kernel.noalias}
// CHECK-DAG:     [[NOTHING:%.+]] = kernel.splat %{{.+}} : vector<16xf32>
// CHECK:           kernel.store [[NOTHING]], %c[
// CHECK:         [[WHOLE:%.+]] = arith.andi %k, %{{.+}} : index
// CHECK:         kernel.for [[P:%.+]] = %{{.+}} to [[WHOLE]] step
// CHECK-NEXT:      [[X:%.+]] = kernel.load %a[{{%.+}}, [[P]]] : f32
// CHECK-NEXT:      [[P1:%.+]] = arith.addi [[P]], %{{.+}} : index
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
