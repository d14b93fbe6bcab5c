// RUN: trilith-opt %s -p tri-lower-to-kernel,kernel-plan-buffers | filecheck %s

// A transfer of a view reads from where the view begins; what the caller does not see is in an arena.
// CHECK-LABEL: func.func @part(
// CHECK-NEXT:    %[[E:.+]] = tri.empty : !tri.tensor<4xf32, device="opencl:0">
// CHECK-NEXT:    tri.copy_bytes %x[2] into %[[E]] : !tri.tensor<8xf32> into !tri.tensor<4xf32, device="opencl:0">
// CHECK-NEXT:    func.return %[[E]]
func.func @part(%x: !tri.tensor<8xf32>) -> !tri.tensor<4xf32, device="opencl:0"> {
  %0 = tri.slice %x {dim = 0 : i64, start = 2 : i64, end = 6 : i64, step = 1 : i64} : !tri.tensor<8xf32> -> !tri.tensor<4xf32>
  %1 = tri.transfer %0 {device = #tri.device<"opencl:0">} : !tri.tensor<4xf32> -> !tri.tensor<4xf32, device="opencl:0">
  func.return %1 : !tri.tensor<4xf32, device="opencl:0">
}

// CHECK-LABEL: func.func @there_and_back(
// CHECK-NEXT:    %[[A:.+]] = tri.empty in arena[0] : !tri.tensor<4xf32, device="opencl:0">
// CHECK-NEXT:    tri.copy_bytes %x[0] into %[[A]]
// CHECK-NEXT:    %[[B:.+]] = tri.empty : !tri.tensor<4xf32>
// CHECK-NEXT:    tri.copy_bytes %[[A]][0] into %[[B]]
func.func @there_and_back(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.transfer %x {device = #tri.device<"opencl:0">} : !tri.tensor<4xf32> -> !tri.tensor<4xf32, device="opencl:0">
  %1 = tri.transfer %0 {device = #tri.device<"cpu">} : !tri.tensor<4xf32, device="opencl:0"> -> !tri.tensor<4xf32>
  func.return %1 : !tri.tensor<4xf32>
}
