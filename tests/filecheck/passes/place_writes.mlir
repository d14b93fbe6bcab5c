// RUN: trilith-opt %s -p tri-place-writes | filecheck %s

// Results that are computed in the memory of the argument that they are written to.

// CHECK-LABEL: func.func @in_step(
// CHECK:         tri.write direct %0 into %x
func.func @in_step(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) {
  %0 = tri.fusion (%a = %x : !tri.tensor<4xf32>, %b = %y : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.add %a, %b : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %1 : !tri.tensor<4xf32>
  }
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// The value takes the target's strides, inside of the fusion too.
// CHECK-LABEL: func.func @strides_of_the_target(
// CHECK:         -> (!tri.tensor<3x2xf32, layout=strided<[1, 3]>>) {
// CHECK:           tri.yield %{{.+}} : !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
// CHECK:         tri.write direct %{{.+}} into %{{.+}} : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> into
func.func @strides_of_the_target(%x: !tri.tensor<2x3xf32>, %y: !tri.tensor<3x2xf32>) {
  %0 = tri.fusion (%a = %y : !tri.tensor<3x2xf32>) -> (!tri.tensor<3x2xf32>) {
    %1 = tri.neg %a : !tri.tensor<3x2xf32> -> !tri.tensor<3x2xf32>
    tri.yield %1 : !tri.tensor<3x2xf32>
  }
  %2 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  tri.write %0 into %2 : !tri.tensor<3x2xf32> into !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
  func.return
}

// A scatter over the argument that it is written to: one that reads no more of it.
// CHECK-LABEL: func.func @over_itself(
// CHECK:         tri.write direct %0 into %x
func.func @over_itself(%x: !tri.tensor<4xf32>, %v: !tri.tensor<2xf32>, %i: !tri.tensor<2xsi64>) {
  %0 = tri.put_at %x, %v, %i {dims = array<i64: 0>} : !tri.tensor<4xf32>, !tri.tensor<2xf32>, !tri.tensor<2xsi64> -> !tri.tensor<4xf32>
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// A reduction of another argument, and two writes that follow one another in time.
// CHECK-LABEL: func.func @overlapping_in_order(
// CHECK:         tri.write direct
// CHECK:         tri.write direct
func.func @overlapping_in_order(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) {
  %0 = tri.fusion (%a = %y : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>) {
    %1 = tri.neg %a : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %1 : !tri.tensor<3xf32>
  }
  %2 = tri.fusion (%b = %y : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>) {
    %3 = tri.abs %b : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %3 : !tri.tensor<3xf32>
  }
  %4 = tri.slice %x {start = 0 : i64, end = 3 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %0 into %4 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  %5 = tri.slice %x {start = 1 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %2 into %5 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  func.return
}

// A product of other tensors.
// CHECK-LABEL: func.func @product(
// CHECK:         tri.write direct
func.func @product(%x: !tri.tensor<4x4xf32>, %y: !tri.tensor<4x4xf32>) {
  %0 = tri.matmul %y, %y : !tri.tensor<4x4xf32>, !tri.tensor<4x4xf32> -> !tri.tensor<4x4xf32>
  tri.write %0 into %x : !tri.tensor<4x4xf32> into !tri.tensor<4x4xf32>
  func.return
}

// A scan reads each element before it writes the one at the same index, in the same window.
// CHECK-LABEL: func.func @scan(
// CHECK:         tri.write direct %0 into %x
func.func @scan(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.cumsum %x {dim = 0 : i64} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  tri.write %0 into %x : !tri.tensor<4x3xf32> into !tri.tensor<4x3xf32>
  func.return
}

// CHECK-LABEL: func.func @scan_of_other_elements(
// CHECK:         tri.write %{{.+}} into %x
func.func @scan_of_other_elements(%x: !tri.tensor<3x3xf32>) {
  %0 = tri.t %x : !tri.tensor<3x3xf32> -> !tri.tensor<3x3xf32, layout=strided<[1, 3]>>
  %1 = tri.cumsum %0 {dim = 0 : i64} : !tri.tensor<3x3xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x3xf32>
  tri.write %1 into %x : !tri.tensor<3x3xf32> into !tri.tensor<3x3xf32>
  func.return
}
