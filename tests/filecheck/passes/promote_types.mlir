// RUN: trilith-opt %s -p tri-promote-types | filecheck %s

// Operands of different dtypes take the common one; the cast is made once and used twice.
// CHECK-LABEL: func.func @mixed(
// CHECK-NEXT:    %[[X:.+]] = tri.cast %i {dtype = f32} : !tri.tensor<4x3xsi32> -> !tri.tensor<4x3xf32>
// CHECK-NEXT:    %0 = tri.add %[[X]], %x : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
// CHECK-NEXT:    %1 = tri.mul %0, %[[X]] : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
func.func @mixed(%i: !tri.tensor<4x3xsi32>, %x: !tri.tensor<4x3xf32>) -> !tri.tensor<4x3xf32> {
  %0 = tri.add %i, %x : !tri.tensor<4x3xsi32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %1 = tri.mul %0, %i : !tri.tensor<4x3xf32>, !tri.tensor<4x3xsi32> -> !tri.tensor<4x3xf32>
  func.return %1 : !tri.tensor<4x3xf32>
}

// A weak number takes the dtype of its use and wraps there; beside a half it keeps the precision
// that the operation computes in, and the result is half all the same.
// CHECK-LABEL: func.func @weak(
// CHECK-NEXT:    %[[C:.+]] = tri.constant 44 : !tri.tensor<ui8>
// CHECK-NEXT:    %0 = tri.add %u, %[[C]] : !tri.tensor<2xui8>, !tri.tensor<ui8> -> !tri.tensor<2xui8>
// CHECK-NEXT:    %[[D:.+]] = tri.constant 300.0 : !tri.tensor<f32>
// CHECK-NEXT:    %1 = tri.mul %h, %[[D]] : !tri.tensor<2xf16>, !tri.tensor<f32> -> !tri.tensor<2xf16>
func.func @weak(%u: !tri.tensor<2xui8>, %h: !tri.tensor<2xf16>) -> (!tri.tensor<2xui8>, !tri.tensor<2xf16>) {
  %c = tri.constant 300 : !tri.scalar<int>
  %0 = tri.add %u, %c : !tri.tensor<2xui8>, !tri.scalar<int> -> !tri.tensor<2xui8>
  %1 = tri.mul %h, %c : !tri.tensor<2xf16>, !tri.scalar<int> -> !tri.tensor<2xf16>
  func.return %0, %1 : !tri.tensor<2xui8>, !tri.tensor<2xf16>
}

// A number that is an argument is cast where it is used.
// CHECK-LABEL: func.func @argument(
// CHECK-NEXT:    %[[S:.+]] = tri.cast %s {dtype = f32} : !tri.scalar<float> -> !tri.tensor<f32>
// CHECK-NEXT:    tri.mul %i, %[[S]]
// CHECK-NOT:     tri.cast
func.func @argument(%i: !tri.tensor<2xf32>, %s: !tri.scalar<float>) -> !tri.tensor<2xf32> {
  %0 = tri.mul %i, %s : !tri.tensor<2xf32>, !tri.scalar<float> -> !tri.tensor<2xf32>
  func.return %0 : !tri.tensor<2xf32>
}

// Conditions, quotients and sums have their own rules.
// CHECK-LABEL: func.func @rules(
// CHECK:         tri.cast %i {dtype = f32}
// CHECK:         tri.true_divide {{.+}} : !tri.tensor<2xf32>, !tri.tensor<2xf32> -> !tri.tensor<2xf32>
// CHECK:         tri.cast %i {dtype = si64}
// CHECK:         tri.sum {{.+}} : !tri.tensor<2xsi64> -> !tri.tensor<si64>
// CHECK:         tri.logical_not %i : !tri.tensor<2xsi32> -> !tri.tensor<2xi1>
func.func @rules(%i: !tri.tensor<2xsi32>) -> (!tri.tensor<2xf32>, !tri.tensor<si64>, !tri.tensor<2xi1>) {
  %0 = tri.true_divide %i, %i : !tri.tensor<2xsi32>, !tri.tensor<2xsi32> -> !tri.tensor<2xf32>
  %1 = tri.sum %i {dim = array<i64: 0>} : !tri.tensor<2xsi32> -> !tri.tensor<si64>
  %2 = tri.logical_not %i : !tri.tensor<2xsi32> -> !tri.tensor<2xi1>
  func.return %0, %1, %2 : !tri.tensor<2xf32>, !tri.tensor<si64>, !tri.tensor<2xi1>
}
