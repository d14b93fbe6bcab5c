// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=128}" | trilith-opt | filecheck %s

// A product with a matrix that lies across, `x @ w.T`: squares of it are transposed in registers on
// their way into the panel, here of 4 x 4 elements for panels of 8 columns. What is left of k is
// copied lane by lane. At the edge rows of the square behind the last column are that column again.

// CHECK-LABEL: kernel.func @linear(
// CHECK-NOT:     arith.cmpi sge
// CHECK:         [[PANEL:%.+]] = kernel.alloc [384, 8] : !kernel.buffer<f32, [8, 1], private>
// CHECK:           kernel.for {{%.+}} = {{%.+}} to %m step
// CHECK:           kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step
// CHECK-NEXT:        [[WHOLE:%.+]] = arith.andi
// CHECK-NEXT:        kernel.for [[Q:%.+]] = {{%.+}} to [[WHOLE]] step
// CHECK-NEXT:          [[P:%.+]] = arith.addi {{%.+}}, [[Q]] : index
// CHECK:               [[A:%.+]] = kernel.load %w[{{%.+}}, [[J]], [[P]]] : vector<4xf32>
// CHECK:               [[B:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK:               [[C:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK:               [[D:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK-NEXT:          [[T:%.+]], {{%.+}}, {{%.+}}, {{%.+}} = kernel.transpose([[A]], [[B]], [[C]], [[D]]) : vector<4xf32>
// CHECK-NEXT:          kernel.store [[T]], [[PANEL]][[[Q]], {{%.+}}]
// CHECK:               kernel.transpose(
// CHECK:             kernel.for {{%.+}} = [[WHOLE]] to
// CHECK:               kernel.load %w[{{%.+}}, [[J]], {{%.+}}] along 1 : vector<8xf32>
// CHECK:           kernel.mask {{%.+}} : vector<4xi1>
// CHECK:               arith.minsi
// CHECK:               kernel.transpose(
// CHECK-NOT:           kernel.transpose(
kernel.func @linear(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %w: !kernel.buffer<f32, [0, ?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %sum = kernel.reduce fma (%p) to (%k) {lanes = 1, block = 0} : f32 {
      %a = kernel.load %x[%i, %j, %p] : f32
      %b = kernel.load %w[%i, %j, %p] : f32
      kernel.yield %a, %b : f32, f32
    }
    kernel.store %sum, %y[%i, %j]
  }
}
