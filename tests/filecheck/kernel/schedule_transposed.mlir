// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=128}" | trilith-opt | filecheck %s

// A product with a matrix that lies across, `x @ w.T`: squares of it are transposed in registers on
// their way into the panel, here of 4 x 4 elements for panels of 8 columns. The last square of a piece
// of k begins earlier; fewer elements are copied lane by lane. Rows of a square behind the last column
// are that column again, so that panels at the edge are filled by the same code.

// CHECK-LABEL: kernel.func @linear(
// CHECK:         [[PANEL:%.+]] = kernel.alloc [384, 8] : !kernel.buffer<f32, [8, 1], private>
// CHECK:           kernel.for {{%.+}} = {{%.+}} to %m step
// CHECK:           kernel.for {{%.+}} = {{%.+}} to %n step
// CHECK:             kernel.for [[NUMBER:%.+]] = {{%.+}} to
// CHECK-NEXT:          [[SHIFT:%.+]] = arith.muli [[NUMBER]], {{%.+}} : index
// CHECK-NEXT:          [[BASE:%.+]] = arith.muli [[NUMBER]], {{%.+}} : index
// CHECK-NEXT:          [[J:%.+]] = arith.addi {{%.+}}, [[SHIFT]] : index
// CHECK:             kernel.for [[GROUP:%.+]] = {{%.+}} to {{%.+}} step
// CHECK-NEXT:          [[COLUMN:%.+]] = arith.addi [[J]], [[GROUP]] : index
// CHECK:               arith.minsi
// CHECK:               [[MASK:%.+]] = kernel.mask {{%.+}} : vector<4xi1>
// CHECK:               [[SQUARES:%.+]] = arith.select
// CHECK-NEXT:          kernel.for [[Q:%.+]] = {{%.+}} to [[SQUARES]] step
// CHECK-NEXT:            [[AT:%.+]] = arith.minsi [[Q]], {{%.+}} : index
// CHECK-NEXT:            [[PLACE:%.+]] = arith.addi [[BASE]], [[AT]] : index
// CHECK-NEXT:            [[P:%.+]] = arith.addi {{%.+}}, [[AT]] : index
// CHECK-NEXT:            [[A:%.+]] = kernel.load %w[{{%.+}}, [[COLUMN]], [[P]]] : vector<4xf32>
// CHECK-NEXT:            [[B:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK-NEXT:            [[C:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK-NEXT:            [[D:%.+]] = kernel.load %w[{{%.+}}, {{%.+}}, [[P]]] : vector<4xf32>
// CHECK-NEXT:            [[T:%.+]], {{%.+}}, {{%.+}}, {{%.+}} = kernel.transpose([[A]], [[B]], [[C]], [[D]]) : vector<4xf32>
// CHECK-NEXT:            kernel.store [[T]], [[PANEL]][[[PLACE]], [[GROUP]]]
// CHECK:               kernel.for {{%.+}} = [[SQUARES]] to
// CHECK:                 kernel.load %w[{{%.+}}, [[COLUMN]], {{%.+}}] along 1 mask [[MASK]] : vector<4xf32>
// CHECK:             kernel.for {{%.+}} = {{%.+}} to {{%.+}} step
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
