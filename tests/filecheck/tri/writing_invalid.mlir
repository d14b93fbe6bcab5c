// RUN: trilith-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// A write changes elements: shape, dtype and device are those of the target.

// CHECK: error: tri.write: the value's shape must be the target's, (4,), but is (3,)
func.func @shape(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) {
  tri.write %y into %x : !tri.tensor<3xf32> into !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.write: the value's dtype must be the target's, trilith.float32, but is trilith.int32
func.func @dtype(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xsi32>) {
  tri.write %y into %x : !tri.tensor<4xsi32> into !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.write: the value's device must be the target's, cpu, but is opencl:0
func.func @device(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32, device="opencl:0">) {
  tri.write %y into %x : !tri.tensor<4xf32, device="opencl:0"> into !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: {{.*}}into
func.func @grammar(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) {
  tri.write %y, %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}
