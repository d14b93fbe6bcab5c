// RUN: trilith-opt %s -p tri-hoist-views | filecheck %s

// What the caller sees stays a view.
// CHECK-LABEL: func.func @seen(
// CHECK-NEXT:    %0 = tri.neg %x
// CHECK-NEXT:    %1 = tri.t %0
func.func @seen(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>> {
  %0 = tri.neg %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
  %1 = tri.t %0 : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  func.return %1 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
}

// A costly operation is not computed once for every element it is expanded to, nor twice.
// CHECK-LABEL: func.func @costly(
// CHECK-NEXT:    %0 = tri.exp %x : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
// CHECK-NEXT:    %1 = tri.expand %0
// CHECK-NEXT:    tri.neg %1
func.func @costly(%x: !tri.tensor<3xf32>) -> !tri.tensor<9x3xf32> {
  %0 = tri.exp %x : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
  %1 = tri.expand %0 {size = array<i64: 9, 3>} : !tri.tensor<3xf32> -> !tri.tensor<9x3xf32, layout=strided<[0, 1]>>
  %2 = tri.neg %1 : !tri.tensor<9x3xf32, layout=strided<[0, 1]>> -> !tri.tensor<9x3xf32>
  func.return %2 : !tri.tensor<9x3xf32>
}

// A change of shape that an operand's strides do not allow stays below.
// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:    %0 = tri.add %a, %b
// CHECK-NEXT:    %1 = tri.view %0
func.func @reshape(%a: !tri.tensor<2x3xf32>, %b: !tri.tensor<2x3xf32, layout=strided<[1, 2]>>) -> !tri.tensor<6xf32> {
  %0 = tri.add %a, %b : !tri.tensor<2x3xf32>, !tri.tensor<2x3xf32, layout=strided<[1, 2]>> -> !tri.tensor<2x3xf32>
  %1 = tri.view %0 {size = array<i64: 6>} : !tri.tensor<2x3xf32> -> !tri.tensor<6xf32>
  %2 = tri.neg %1 : !tri.tensor<6xf32> -> !tri.tensor<6xf32>
  func.return %2 : !tri.tensor<6xf32>
}

// Bytes and places are those of the result's memory, not of an operand's.
// CHECK-LABEL: func.func @storage(
// CHECK-NEXT:    %0 = tri.neg %x
// CHECK-NEXT:    %1 = tri.view_dtype %0
// CHECK-NEXT:    %2 = tri.abs %1
// CHECK-NEXT:    %3 = tri.strided_view %0
// CHECK-NEXT:    tri.exp %3
func.func @storage(%x: !tri.tensor<4xf32>) -> (!tri.tensor<4xsi32>, !tri.tensor<2xf32>) {
  %0 = tri.neg %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.view_dtype %0 {dtype = si32, source = f32} : !tri.tensor<4xf32> -> !tri.tensor<4xsi32>
  %2 = tri.abs %1 : !tri.tensor<4xsi32> -> !tri.tensor<4xsi32>
  %3 = tri.strided_view %0 {size = array<i64: 2>, stride = array<i64: 2>} : !tri.tensor<4xf32> -> !tri.tensor<2xf32, layout=strided<[2]>>
  %4 = tri.exp %3 : !tri.tensor<2xf32, layout=strided<[2]>> -> !tri.tensor<2xf32>
  func.return %2, %4 : !tri.tensor<4xsi32>, !tri.tensor<2xf32>
}

// What is computed from a reduction of its row stays beside it, to be one kernel with it.
// CHECK-LABEL: func.func @of_rows(
// CHECK-NEXT:    %0 = tri.amax %x
// CHECK-NEXT:    %1 = tri.sub %x, %0
// CHECK-NEXT:    %2 = tri.view %1
// CHECK-NEXT:    tri.neg %2
func.func @of_rows(%x: !tri.tensor<4x6xf32>) -> !tri.tensor<24xf32> {
  %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<4x6xf32> -> !tri.tensor<4x1xf32>
  %1 = tri.sub %x, %0 : !tri.tensor<4x6xf32>, !tri.tensor<4x1xf32> -> !tri.tensor<4x6xf32>
  %2 = tri.view %1 {size = array<i64: 24>} : !tri.tensor<4x6xf32> -> !tri.tensor<24xf32>
  %3 = tri.neg %2 : !tri.tensor<24xf32> -> !tri.tensor<24xf32>
  func.return %3 : !tri.tensor<24xf32>
}

// Of rows that are few and long no kernel is made, so the view moves.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NEXT:    %0 = tri.amax %x
// CHECK:         %[[X:.+]] = tri.transpose %x
// CHECK:         tri.sub %[[X]]
// CHECK-NEXT:    tri.neg
func.func @few_rows(%x: !tri.tensor<2x20000xf32>) -> !tri.tensor<20000x2xf32, layout=strided<[1, 20000]>> {
  %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<2x20000xf32> -> !tri.tensor<2x1xf32>
  %1 = tri.sub %x, %0 : !tri.tensor<2x20000xf32>, !tri.tensor<2x1xf32> -> !tri.tensor<2x20000xf32>
  %2 = tri.transpose %1 {dim0 = 0 : i64, dim1 = 1 : i64} : !tri.tensor<2x20000xf32> -> !tri.tensor<20000x2xf32, layout=strided<[1, 20000]>>
  %3 = tri.neg %2 : !tri.tensor<20000x2xf32, layout=strided<[1, 20000]>> -> !tri.tensor<20000x2xf32, layout=strided<[1, 20000]>>
  func.return %3 : !tri.tensor<20000x2xf32, layout=strided<[1, 20000]>>
}
