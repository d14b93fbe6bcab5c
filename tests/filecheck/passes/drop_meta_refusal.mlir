// RUN: not trilith-opt %s --disable-verify -p tri-promote-types 2>&1 | filecheck %s

// There is nothing to read on meta.
// CHECK: Cannot copy out of meta tensor; no data!
func.func @read(%x: !tri.tensor<4xf32, device="meta">) -> !tri.tensor<4xf32> {
  %0 = tri.transfer %x {device = #tri.device<"cpu">} : !tri.tensor<4xf32, device="meta"> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
