// RUN: trilith-opt %s -p tri-fuse | filecheck %s

// What feeds a reduction and what follows it is one kernel.
// CHECK-LABEL: func.func @around_a_sum(
// CHECK-NEXT:    %0 = tri.fusion (%[[A:.+]] = %x : !tri.tensor<4x3xf32>, %[[B:.+]] = %y : !tri.tensor<4x3xf32>) -> (!tri.tensor<4xf32>) {
// CHECK-NEXT:      %[[P:.+]] = tri.mul %[[A]], %[[B]]
// CHECK-NEXT:      %[[S:.+]] = tri.sum %[[P]]
// CHECK-NEXT:      %[[E:.+]] = tri.exp %[[S]]
// CHECK-NEXT:      tri.yield %[[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %0
func.func @around_a_sum(%x: !tri.tensor<4x3xf32>, %y: !tri.tensor<4x3xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.mul %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %1 = tri.sum %0 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
  %2 = tri.exp %1 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %2 : !tri.tensor<4xf32>
}

// Two results of one shape are two results of one kernel; a dead operation is gone.
// CHECK-LABEL: func.func @two_results(
// CHECK-NEXT:    %0, %1 = tri.fusion
// CHECK-NOT:     tri.log
// CHECK:         func.return %0, %1
func.func @two_results(%x: !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xf32>) {
  %0 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.neg %0 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %2 = tri.log %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0, %1 : !tri.tensor<4xf32>, !tri.tensor<4xf32>
}

// Views of arguments stay outside: they are other strides of the same memory.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT:    %0 = tri.t %x
// CHECK-NEXT:    %1 = tri.fusion (%{{.+}} = %0
func.func @views(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>> {
  %0 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  %1 = tri.neg %0 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  func.return %1 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
}

// Several results of one operation are computed once; what nobody reads is not stored.
// CHECK-LABEL: func.func @several_results(
// CHECK-NEXT:    %[[MANTISSA:.+]] = tri.fusion (%[[A:.+]] = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
// CHECK-NEXT:      %[[M:.+]], %[[E:.+]] = tri.frexp %[[A]] : !tri.tensor<4xf32> -> (!tri.tensor<4xf32>, !tri.tensor<4xsi32>)
// CHECK-NEXT:      tri.yield %[[M]] : !tri.tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[LOW:.+]], %[[HIGH:.+]] = tri.fusion (%[[B:.+]] = %x : !tri.tensor<4xf32>) -> (!tri.tensor<f32>, !tri.tensor<f32>) {
// CHECK-NEXT:      %[[L:.+]], %[[H:.+]] = tri.aminmax %[[B]] : !tri.tensor<4xf32> -> (!tri.tensor<f32>, !tri.tensor<f32>)
// CHECK-NEXT:      tri.yield %[[L]], %[[H]] :
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[MANTISSA]], %[[HIGH]], %[[LOW]]
func.func @several_results(%x: !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<f32>, !tri.tensor<f32>) {
  %0, %1 = tri.frexp %x : !tri.tensor<4xf32> -> (!tri.tensor<4xf32>, !tri.tensor<4xsi32>)
  %2, %3 = tri.aminmax %x : !tri.tensor<4xf32> -> (!tri.tensor<f32>, !tri.tensor<f32>)
  func.return %0, %3, %2 : !tri.tensor<4xf32>, !tri.tensor<f32>, !tri.tensor<f32>
}
