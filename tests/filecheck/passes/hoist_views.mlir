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

// A view of a tensor that is filled with a number is filled in the view's shape; so is a view of it.
// CHECK-LABEL: func.func @filled(
// CHECK-NOT:     tri.expand
// CHECK-NOT:     tri.unsqueeze
// CHECK:         %[[F:.+]] = tri.full_strided %{{.+}} {size = array<i64: 3, 2>, dtype = f32, {{.*}}strides = array<i64: 1, 0>} : {{.*}} -> !tri.tensor<3x2xf32, layout=strided<[1, 0]>>
// CHECK-NEXT:    tri.mul %x, %[[F]]
func.func @filled(%x: !tri.tensor<3x2xf32>) -> !tri.tensor<3x2xf32> {
  %c = tri.constant 1.0 : !tri.scalar<float>
  %0 = tri.full_strided %c {size = array<i64: 3>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<float> -> !tri.tensor<3xf32>
  %1 = tri.unsqueeze %0 {dim = 1 : i64} : !tri.tensor<3xf32> -> !tri.tensor<3x1xf32>
  %2 = tri.expand %1 {size = array<i64: 3, 2>} : !tri.tensor<3x1xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 0]>>
  %3 = tri.mul %x, %2 : !tri.tensor<3x2xf32>, !tri.tensor<3x2xf32, layout=strided<[1, 0]>> -> !tri.tensor<3x2xf32>
  func.return %3 : !tri.tensor<3x2xf32>
}

// Of what a product reads, or the caller sees, the memory is as small as it was.
// CHECK-LABEL: func.func @filled_and_read(
// CHECK:         tri.expand
// CHECK:         tri.expand
// CHECK:         tri.matmul
func.func @filled_and_read(%x: !tri.tensor<3x2xf32>) -> (!tri.tensor<3x2xf32>, !tri.tensor<3x2xf32, layout=strided<[0, 0]>>) {
  %c = tri.constant 1.0 : !tri.scalar<float>
  %0 = tri.full_strided %c {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<float> -> !tri.tensor<f32>
  %1 = tri.expand %0 {size = array<i64: 2, 2>} : !tri.tensor<f32> -> !tri.tensor<2x2xf32, layout=strided<[0, 0]>>
  %2 = tri.expand %0 {size = array<i64: 3, 2>} : !tri.tensor<f32> -> !tri.tensor<3x2xf32, layout=strided<[0, 0]>>
  %3 = tri.matmul %x, %1 : !tri.tensor<3x2xf32>, !tri.tensor<2x2xf32, layout=strided<[0, 0]>> -> !tri.tensor<3x2xf32>
  func.return %3, %2 : !tri.tensor<3x2xf32>, !tri.tensor<3x2xf32, layout=strided<[0, 0]>>
}
