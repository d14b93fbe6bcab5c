// RUN: trilith-opt %s -p tri-place-devices | filecheck %s

// Only a 0-dim operand on the CPU moves by itself.
// CHECK-LABEL: func.func @zero_dim(
// CHECK-NEXT:    %[[S:.+]] = tri.transfer %s {device = #tri.device<"opencl:0">} : !tri.tensor<f32> -> !tri.tensor<f32, device="opencl:0">
// CHECK-NEXT:    tri.add %x, %[[S]] : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32, device="opencl:0">
func.func @zero_dim(%x: !tri.tensor<4xf32, device="opencl:0">, %s: !tri.tensor<f32>) -> !tri.tensor<4xf32, device="opencl:0"> {
  %0 = tri.add %x, %s : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %0 : !tri.tensor<4xf32, device="opencl:0">
}

// Constants have no device of their own, and one device needs nothing.
// CHECK-LABEL: func.func @one_device(
// CHECK-NOT:     tri.transfer
// CHECK:         func.return
func.func @one_device(%x: !tri.tensor<4xf32, device="opencl:0">) -> !tri.tensor<4xf32, device="opencl:0"> {
  %c = tri.constant 2.0 : !tri.tensor<f32>
  %0 = tri.mul %x, %c : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %0 : !tri.tensor<4xf32, device="opencl:0">
}

// What was moved once is used again.
// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    %[[S:.+]] = tri.transfer %s
// CHECK-NEXT:    %[[A:.+]] = tri.add %x, %[[S]]
// CHECK-NEXT:    tri.mul %[[A]], %[[S]]
func.func @twice(%x: !tri.tensor<4xf32, device="opencl:0">, %s: !tri.tensor<f32>) -> !tri.tensor<4xf32, device="opencl:0"> {
  %0 = tri.add %x, %s : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> !tri.tensor<4xf32, device="opencl:0">
  %1 = tri.mul %0, %s : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %1 : !tri.tensor<4xf32, device="opencl:0">
}

// A transfer moves bytes as they lie: gaps are closed first.
// CHECK-LABEL: func.func @gaps(
// CHECK-NEXT:    %[[C:.+]] = tri.clone %x : !tri.tensor<4xf32, layout=strided<[2]>> -> !tri.tensor<4xf32>
// CHECK-NEXT:    tri.transfer %[[C]]
func.func @gaps(%x: !tri.tensor<4xf32, layout=strided<[2]>>) -> !tri.tensor<4xf32, device="opencl:0"> {
  %0 = tri.transfer %x {device = #tri.device<"opencl:0">} : !tri.tensor<4xf32, layout=strided<[2]>> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %0 : !tri.tensor<4xf32, device="opencl:0">
}
