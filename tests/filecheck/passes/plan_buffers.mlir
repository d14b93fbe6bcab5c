// RUN: trilith-opt %s -p kernel-plan-buffers | filecheck %s

// Results that live at the same time get disjoint places, the third takes the first one's again.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %0 = tri.empty in arena[0] : !tri.tensor<100xf32>
// CHECK:         %1 = tri.empty in arena[448] : !tri.tensor<100xf32>
// CHECK:         %2 = tri.empty in arena[0] : !tri.tensor<100xf32>
// CHECK:         %3 = tri.empty : !tri.tensor<100xf32>
func.func @chain(%x: !tri.tensor<100xf32>) -> !tri.tensor<100xf32> {
  %0 = tri.empty : !tri.tensor<100xf32>
  tri.launch @k(%x, %0) [100, 0, 0] : !tri.tensor<100xf32>, !tri.tensor<100xf32>
  %1 = tri.empty : !tri.tensor<100xf32>
  tri.launch @k(%0, %1) [100, 0, 0] : !tri.tensor<100xf32>, !tri.tensor<100xf32>
  %2 = tri.empty : !tri.tensor<100xf32>
  tri.launch @k(%1, %2) [100, 0, 0] : !tri.tensor<100xf32>, !tri.tensor<100xf32>
  %3 = tri.empty : !tri.tensor<100xf32>
  tri.launch @k(%2, %3) [100, 0, 0] : !tri.tensor<100xf32>, !tri.tensor<100xf32>
  func.return %3 : !tri.tensor<100xf32>
}
