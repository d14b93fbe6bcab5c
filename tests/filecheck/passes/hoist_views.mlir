// RUN: trilith-opt %s -p tri-hoist-views,dce | filecheck %s

// A slice of a conversion is the conversion of a slice.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT:    %[[S:.+]] = tri.slice %x {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : !tri.tensor<3x8xui8> -> !tri.tensor<3x6xui8, layout=strided<[8, 1]>>
// CHECK-NEXT:    %[[C:.+]] = tri.cast %[[S]] {dtype = f32} : !tri.tensor<3x6xui8, layout=strided<[8, 1]>> -> !tri.tensor<3x6xf32, layout=strided<[8, 1]>>
// CHECK-NEXT:    %[[E:.+]] = tri.exp %[[C]]
func.func @slice(%x: !tri.tensor<3x8xui8>) -> !tri.tensor<3x6xf32> {
  %0 = tri.cast %x {dtype = f32} : !tri.tensor<3x8xui8> -> !tri.tensor<3x8xf32>
  %1 = tri.slice %0 {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : !tri.tensor<3x8xf32> -> !tri.tensor<3x6xf32, layout=strided<[8, 1]>>
  %2 = tri.exp %1 : !tri.tensor<3x6xf32, layout=strided<[8, 1]>> -> !tri.tensor<3x6xf32>
  func.return %2 : !tri.tensor<3x6xf32>
}

// An operand that broadcasts is widened first.
// CHECK-LABEL: func.func @broadcast(
// CHECK:         tri.expand %b {size = array<i64: 2, 3>}
// CHECK:         tri.add
// CHECK-NOT:     tri.t %
// CHECK:         tri.exp
func.func @broadcast(%a: !tri.tensor<2x3xf32>, %b: !tri.tensor<3xf32>) -> !tri.tensor<3x2xf32> {
  %0 = tri.add %a, %b : !tri.tensor<2x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32>
  %1 = tri.t %0 : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  %2 = tri.exp %1 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x2xf32>
  func.return %2 : !tri.tensor<3x2xf32>
}
