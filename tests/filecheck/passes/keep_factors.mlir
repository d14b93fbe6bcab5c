// RUN: trilith-opt %s -p 'tri-keep-factors{least=1}' | filecheck %s

// What products read of captured tensors alone is computed by a function of its own: another order
// in memory, and scales. A matrix that lies as it is wanted stays where it is.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %kept: !tri.tensor<4x5xf32>, %kept_1: !tri.tensor<4x5xf32>)
// CHECK-NEXT:    %0 = tri.matmul %x, %kept
// CHECK-NEXT:    %1 = tri.matmul %x, %kept_1
// CHECK-NEXT:    %2 = tri.matmul %x, %y
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func @linear.kept(%w: !tri.tensor<5x4xf32>, %s: !tri.tensor<4xf32>)
// CHECK-SAME:    attributes {tri.captured = array<i64: 1, 2>}
// CHECK-NEXT:    %0 = tri.t %w
// CHECK-NEXT:    %1 = tri.clone %0 : !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<4x5xf32>
// CHECK-NEXT:    %2 = tri.mul %w, %s
// CHECK-NEXT:    %3 = tri.t %2
// CHECK-NEXT:    %4 = tri.clone %3
// CHECK-NEXT:    func.return %1, %4
func.func @linear(%x: !tri.tensor<3x4xf32>, %w: !tri.tensor<5x4xf32>, %s: !tri.tensor<4xf32>, %y: !tri.tensor<4x6xf32>) -> (!tri.tensor<3x5xf32>, !tri.tensor<3x5xf32>, !tri.tensor<3x6xf32>) attributes {tri.captured = array<i64: 1, 2, 3>} {
  %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
  %1 = tri.matmul %x, %0 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  %2 = tri.mul %w, %s : !tri.tensor<5x4xf32>, !tri.tensor<4xf32> -> !tri.tensor<5x4xf32>
  %3 = tri.t %2 : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
  %4 = tri.matmul %x, %3 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  %5 = tri.matmul %x, %y : !tri.tensor<3x4xf32>, !tri.tensor<4x6xf32> -> !tri.tensor<3x6xf32>
  func.return %1, %4, %5 : !tri.tensor<3x5xf32>, !tri.tensor<3x5xf32>, !tri.tensor<3x6xf32>
}

// Products that read the same share it.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %kept: !tri.tensor<4x5xf32>)
// CHECK-NEXT:    %0 = tri.matmul %x, %kept
// CHECK-NEXT:    %1 = tri.matmul %y, %kept
func.func @shared(%x: !tri.tensor<3x4xf32>, %y: !tri.tensor<3x4xf32>, %w: !tri.tensor<5x4xf32>) -> (!tri.tensor<3x5xf32>, !tri.tensor<3x5xf32>) attributes {tri.captured = array<i64: 2>} {
  %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
  %1 = tri.matmul %x, %0 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  %2 = tri.matmul %y, %0 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  func.return %1, %2 : !tri.tensor<3x5xf32>, !tri.tensor<3x5xf32>
}

// One row reads each element of the matrix once, and takes it as it is.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT:    %0 = tri.t %w
// CHECK-NOT:   @row.kept
func.func @row(%x: !tri.tensor<1x4xf32>, %w: !tri.tensor<5x4xf32>) -> !tri.tensor<1x5xf32> attributes {tri.captured = array<i64: 1>} {
  %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
  %1 = tri.matmul %x, %0 : !tri.tensor<1x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<1x5xf32>
  func.return %1 : !tri.tensor<1x5xf32>
}

// Of what depends on an argument nothing is kept; of a filter the channels of the result lie
// innermost, in whichever order those of the image do.
// CHECK-LABEL: func.func @filters(
// CHECK-SAME:    %kept: !tri.tensor<5x4x2xf32, layout=strided<[1, 10, 5]>>)
// CHECK-NEXT:    %0 = tri.contract %x, %kept
// CHECK-NEXT:    %1 = tri.add %v, %w
// CHECK-NEXT:    %2 = tri.contract %x, %1
// CHECK-LABEL: func.func @filters.kept(
// CHECK-NEXT:    %0 = tri.clone %w
func.func @filters(%x: !tri.tensor<3x4x6x2xf32>, %v: !tri.tensor<5x4x2xf32>, %w: !tri.tensor<5x4x2xf32>) -> (!tri.tensor<3x5x6xf32>, !tri.tensor<3x5x6xf32>) attributes {tri.captured = array<i64: 2>} {
  %0 = tri.contract %x, %w {left = array<i64: 0, 3, 2, 4>, right = array<i64: 1, 3, 4>, order = array<i64: 0, 1, 2>} : !tri.tensor<3x4x6x2xf32>, !tri.tensor<5x4x2xf32> -> !tri.tensor<3x5x6xf32>
  %1 = tri.add %v, %w : !tri.tensor<5x4x2xf32>, !tri.tensor<5x4x2xf32> -> !tri.tensor<5x4x2xf32>
  %2 = tri.contract %x, %1 {left = array<i64: 0, 3, 2, 4>, right = array<i64: 1, 3, 4>, order = array<i64: 0, 1, 2>} : !tri.tensor<3x4x6x2xf32>, !tri.tensor<5x4x2xf32> -> !tri.tensor<3x5x6xf32>
  func.return %0, %2 : !tri.tensor<3x5x6xf32>, !tri.tensor<3x5x6xf32>
}
