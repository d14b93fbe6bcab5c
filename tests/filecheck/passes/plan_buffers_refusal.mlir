// RUN: trilith-opt %s -p kernel-plan-buffers | filecheck %s

// What the caller sees, itself or as a view, is never part of the arena.
// CHECK-LABEL: func.func @seen(
// CHECK-NOT:     arena
// CHECK:         func.return
func.func @seen(%x: !tri.tensor<2x3xf32>) -> (!tri.tensor<3x2xf32, layout=strided<[1, 3]>>, !tri.tensor<2x3xf32>) {
  %0 = tri.empty : !tri.tensor<2x3xf32>
  tri.launch @k(%x, %0) [6, 0, 0] : !tri.tensor<2x3xf32>, !tri.tensor<2x3xf32>
  %1 = tri.empty : !tri.tensor<2x3xf32>
  tri.launch @k(%0, %1) [6, 0, 0] : !tri.tensor<2x3xf32>, !tri.tensor<2x3xf32>
  %2 = tri.strided %0[0] : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  func.return %2, %1 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>>, !tri.tensor<2x3xf32>
}
