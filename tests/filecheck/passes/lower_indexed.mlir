// RUN: trilith-opt %s -p tri-lower-to-kernel | filecheck %s

// Elements at places: the row that an index names is read as a whole, once the index is checked.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<3x8xf32>
// CHECK-NEXT:    tri.launch @take_at_0(%i, %x, %0) [3, 8, 5, 0, 0, 8, 0, 8]
// CHECK-NEXT:    func.return %0
func.func @rows(%x: !tri.tensor<5x8xf32>, %i: !tri.tensor<3xsi64>) -> !tri.tensor<3x8xf32> {
  %0 = tri.take_at %x, %i {dims = array<i64: 0>} : !tri.tensor<5x8xf32>, !tri.tensor<3xsi64> -> !tri.tensor<3x8xf32>
  func.return %0 : !tri.tensor<3x8xf32>
}

// Values at places: a copy, and a kernel that writes over it.
// CHECK-LABEL: func.func @add_rows(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<5x8xf32>
// CHECK-NEXT:    tri.launch @put_at_[[COPY:.+]](%x, %0)
// CHECK-NEXT:    tri.launch @put_at_[[WRITE:.+]](%i, %v, %0)
// CHECK-NEXT:    func.return %0
func.func @add_rows(%x: !tri.tensor<5x8xf32>, %v: !tri.tensor<3x8xf32>, %i: !tri.tensor<3xsi64>) -> !tri.tensor<5x8xf32> {
  %0 = tri.put_at %x, %v, %i {dims = array<i64: 0>, reduce = "add"} : !tri.tensor<5x8xf32>, !tri.tensor<3x8xf32>, !tri.tensor<3xsi64> -> !tri.tensor<5x8xf32>
  func.return %0 : !tri.tensor<5x8xf32>
}

// CHECK-LABEL: kernel.func @take_at_0(
// CHECK:         kernel.map (%[[I:.+]], %[[J:.+]]) to
// CHECK-NEXT:      %[[K:.+]] = kernel.load %{{.+}}[%[[I]], %[[J]]] : i64
// CHECK:           kernel.check %{{.+}}, "BoundsError" at 0 with %[[K]],
// CHECK-NEXT:      %[[SAFE:.+]] = arith.select
// CHECK-NEXT:      %[[PLACE:.+]] = arith.index_cast %[[SAFE]] : i64 to index
// CHECK-NEXT:      kernel.load %{{.+}}[%[[I]], %[[J]], %[[PLACE]]] : f32

// Rows may meet: they are written one after the other, in parallel along their columns only.
// CHECK-LABEL: kernel.func @put_at_{{.+}} {kernel.access = "readwrite"}
// CHECK:         kernel.for
// CHECK-NEXT:      kernel.map
// CHECK:             arith.addf
