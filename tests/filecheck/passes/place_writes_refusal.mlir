// RUN: trilith-opt %s -p tri-place-writes | filecheck %s

// Results that have to wait: somebody would see the memory changed too early.
// CHECK-NOT: direct

// The old elements are read afterwards.
func.func @later_reader(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) -> !tri.tensor<f32> {
  %0 = tri.fusion (%a = %x : !tri.tensor<4xf32>, %b = %y : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.add %a, %b : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %1 : !tri.tensor<4xf32>
  }
  %2 = tri.fusion (%c = %x : !tri.tensor<4xf32>) -> (!tri.tensor<f32>) {
    %3 = tri.sum %c {dim = array<i64: 0>} : !tri.tensor<4xf32> -> !tri.tensor<f32>
    tri.yield %3 : !tri.tensor<f32>
  }
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return %2 : !tri.tensor<f32>
}

// The operation reduces what it would overwrite.
func.func @reduction_over_the_target(%x: !tri.tensor<4xf32>) {
  %0 = tri.fusion (%a = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.sum %a {dim = array<i64: 0>, keepdim = #tri.number<true>} : !tri.tensor<4xf32> -> !tri.tensor<1xf32>
    %2 = tri.sub %a, %1 : !tri.tensor<4xf32>, !tri.tensor<1xf32> -> !tri.tensor<4xf32>
    tri.yield %2 : !tri.tensor<4xf32>
  }
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// Read at one index, written at the next.
func.func @shifted_window(%x: !tri.tensor<4xf32>) {
  %0 = tri.slice %x {start = 0 : i64, end = 3 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  %1 = tri.fusion (%a = %0 : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>) {
    %2 = tri.neg %a : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %2 : !tri.tensor<3xf32>
  }
  %3 = tri.slice %x {start = 1 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %1 into %3 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  func.return
}

// Read in another order of dims.
func.func @transposed(%x: !tri.tensor<4x4xf32>) {
  %0 = tri.t %x : !tri.tensor<4x4xf32> -> !tri.tensor<4x4xf32, layout=strided<[1, 4]>>
  %1 = tri.fusion (%a = %0 : !tri.tensor<4x4xf32, layout=strided<[1, 4]>>) -> (!tri.tensor<4x4xf32>) {
    %2 = tri.neg %a : !tri.tensor<4x4xf32, layout=strided<[1, 4]>> -> !tri.tensor<4x4xf32>
    tri.yield %2 : !tri.tensor<4x4xf32>
  }
  tri.write %1 into %x : !tri.tensor<4x4xf32> into !tri.tensor<4x4xf32>
  func.return
}

// A product reads each element many times.
func.func @product_of_the_target(%x: !tri.tensor<4x4xf32>, %y: !tri.tensor<4x4xf32>) {
  %0 = tri.matmul %x, %y : !tri.tensor<4x4xf32>, !tri.tensor<4x4xf32> -> !tri.tensor<4x4xf32>
  tri.write %0 into %x : !tri.tensor<4x4xf32> into !tri.tensor<4x4xf32>
  func.return
}

// The value is returned, too.
func.func @returned(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.fusion (%a = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.neg %a : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %1 : !tri.tensor<4xf32>
  }
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}

// An argument's elements: nothing computes them here.
func.func @copied(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) {
  tri.write %y into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// A scatter reads the memory through its index as well.
func.func @index_in_the_target(%x: !tri.tensor<4xsi64>, %v: !tri.tensor<4xsi64>) {
  %0 = tri.put_at %x, %v, %x {dims = array<i64: 0>} : !tri.tensor<4xsi64>, !tri.tensor<4xsi64>, !tri.tensor<4xsi64> -> !tri.tensor<4xsi64>
  tri.write %0 into %x : !tri.tensor<4xsi64> into !tri.tensor<4xsi64>
  func.return
}

// A scatter over one argument, written to another.
func.func @into_another(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>, %v: !tri.tensor<2xf32>, %i: !tri.tensor<2xsi64>) {
  %0 = tri.put_at %y, %v, %i {dims = array<i64: 0>} : !tri.tensor<4xf32>, !tri.tensor<2xf32>, !tri.tensor<2xsi64> -> !tri.tensor<4xf32>
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}
