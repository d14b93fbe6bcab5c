// RUN: trilith-opt %s -p tri-lower-to-kernel | filecheck %s
// RUN: trilith-opt %s | trilith-opt | filecheck %s --check-prefix=SAME

// A row for each entry: a copy of what is added to, and a kernel that takes entries one by one.
// CHECK-LABEL: func.func @product(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<2x4xf32>
// CHECK-NEXT:    tri.launch @coo_mm_[[COPY:.+]](%y, %0)
// CHECK-NEXT:    tri.launch @coo_mm_[[ADD:.+]](%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %0)
// CHECK-NEXT:    func.return %0
// SAME:          tri.coo_mm %y, %v, %x, %r, %c : !tri.tensor<2x4xf32>, !tri.tensor<5xf32>, !tri.tensor<3x4xf32>, !tri.tensor<5xsi64>, !tri.tensor<5xsi64> -> !tri.tensor<2x4xf32>
func.func @product(%y: !tri.tensor<2x4xf32>, %v: !tri.tensor<5xf32>, %x: !tri.tensor<3x4xf32>, %r: !tri.tensor<5xsi64>, %c: !tri.tensor<5xsi64>) -> !tri.tensor<2x4xf32> {
  %0 = tri.coo_mm %y, %v, %x, %r, %c : !tri.tensor<2x4xf32>, !tri.tensor<5xf32>, !tri.tensor<3x4xf32>, !tri.tensor<5xsi64>, !tri.tensor<5xsi64> -> !tri.tensor<2x4xf32>
  func.return %0 : !tri.tensor<2x4xf32>
}

// Entries may meet in a row: they are serial, columns are not. Both coordinates are checked.
// CHECK-LABEL: kernel.func @coo_mm_{{.+}} {kernel.access = "readwrite"}
// CHECK:         kernel.for
// CHECK-NEXT:      kernel.map
// CHECK:             kernel.check %{{.+}}, "BoundsError"
// CHECK:             kernel.check %{{.+}}, "BoundsError"
// CHECK:             arith.mulf
// CHECK:             arith.addf
// CHECK:             kernel.store
