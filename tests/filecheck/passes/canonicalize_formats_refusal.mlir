// RUN: trilith-opt %s -p tri-canonicalize-formats | filecheck %s

// A copy that a view of other strides reads stays, as does one of an argument that is returned.
// CHECK-LABEL: func.func @needed(
// CHECK-NEXT:    %0 = tri.t %x
// CHECK-NEXT:    %1 = tri.clone %0
// CHECK-NEXT:    %2 = tri.view %1
func.func @needed(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<6xf32> {
  %0 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  %1 = tri.clone %0 {memory_format = #tri.format<contiguous_format>} : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x2xf32>
  %2 = tri.view %1 {size = array<i64: 6>} : !tri.tensor<3x2xf32> -> !tri.tensor<6xf32>
  %3 = tri.neg %2 : !tri.tensor<6xf32> -> !tri.tensor<6xf32>
  func.return %3 : !tri.tensor<6xf32>
}

// Views of equal type that look elsewhere do not cancel.
// CHECK-LABEL: func.func @elsewhere(
// CHECK-NEXT:    %0 = tri.slice %x
// CHECK-NEXT:    %1 = tri.slice %0
// CHECK-NEXT:    tri.neg %1
func.func @elsewhere(%x: !tri.tensor<8xf32>) -> !tri.tensor<3xf32> {
  %0 = tri.slice %x {start = 1 : i64, end = 5 : i64} : !tri.tensor<8xf32> -> !tri.tensor<4xf32>
  %1 = tri.slice %0 {start = 1 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  %2 = tri.neg %1 : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
  func.return %2 : !tri.tensor<3xf32>
}
