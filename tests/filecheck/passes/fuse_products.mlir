// RUN: trilith-opt %s -p tri-fuse | filecheck %s
// RUN: trilith-opt %s -p 'tri-fuse{widens-factors=true}' | filecheck %s --check-prefix=WIDENED
// RUN: trilith-opt %s -p 'tri-fuse{rounds-sums=true}' | filecheck %s --check-prefix=ROUNDED

// What is computed from the sums of a convolution is one kernel with them; its factors, windows of an
// image and filters, lie in memory.
// CHECK-LABEL: func.func @convolution(
// CHECK:         [[WINDOWS:%.+]] = tri.unfold
// CHECK:         [[BIAS:%.+]] = tri.view %b
// CHECK-NEXT:    [[RESULT:%.+]] = tri.fusion (%[[X:.+]] = [[WINDOWS]] : {{.+}}, %[[W:.+]] = %w : {{.+}}, %[[B:.+]] = [[BIAS]] : {{.+}}) -> (!tri.tensor<1x5x8xf32>) {
// CHECK-NEXT:      %[[S:.+]] = tri.contract %[[X]], %[[W]]
// CHECK-NEXT:      %[[A:.+]] = tri.add %[[S]], %[[B]]
// CHECK-NEXT:      %[[R:.+]] = tri.relu %[[A]]
// CHECK-NEXT:      tri.yield %[[R]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[RESULT]]
func.func @convolution(%x: !tri.tensor<1x3x10xf32>, %w: !tri.tensor<5x3x3xf32>, %b: !tri.tensor<5xf32>) -> !tri.tensor<1x5x8xf32> {
  %0 = tri.unfold %x {dimension = 2 : i64, size = 3 : i64, step = 1 : i64} : !tri.tensor<1x3x10xf32> -> !tri.tensor<1x3x8x3xf32, layout=strided<[30, 10, 1, 1]>>
  %1 = tri.contract %0, %w {left = array<i64: 0, 3, 2, 4>, right = array<i64: 1, 3, 4>, order = array<i64: 0, 1, 2>} : !tri.tensor<1x3x8x3xf32, layout=strided<[30, 10, 1, 1]>>, !tri.tensor<5x3x3xf32> -> !tri.tensor<1x5x8xf32>
  %2 = tri.view %b {size = array<i64: 5, 1>} : !tri.tensor<5xf32> -> !tri.tensor<5x1xf32>
  %3 = tri.add %1, %2 : !tri.tensor<1x5x8xf32>, !tri.tensor<5x1xf32> -> !tri.tensor<1x5x8xf32>
  %4 = tri.relu %3 : !tri.tensor<1x5x8xf32> -> !tri.tensor<1x5x8xf32>
  func.return %4 : !tri.tensor<1x5x8xf32>
}

// A sum of two products: the first one is stored, the second one takes it in.
// CHECK-LABEL: func.func @two_products(
// CHECK-NEXT:    [[FIRST:%.+]] = tri.matmul %x, %w
// CHECK-NEXT:    [[RESULT:%.+]] = tri.fusion ({{.*}}%[[F:[a-z0-9_]+]] = [[FIRST]] : {{.+}}) -> (!tri.tensor<4x5xf32>) {
// CHECK-NEXT:      tri.matmul
// CHECK-NEXT:      tri.add %[[F]],
// CHECK-NEXT:      tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[RESULT]]
func.func @two_products(%x: !tri.tensor<4x3xf32>, %w: !tri.tensor<3x5xf32>, %u: !tri.tensor<3x5xf32>) -> !tri.tensor<4x5xf32> {
  %0 = tri.matmul %x, %w : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %1 = tri.matmul %x, %u : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %2 = tri.add %0, %1 : !tri.tensor<4x5xf32>, !tri.tensor<4x5xf32> -> !tri.tensor<4x5xf32>
  func.return %2 : !tri.tensor<4x5xf32>
}

// A function that hides what memory costs comes behind; what is in front of it does not.
// CHECK-LABEL: func.func @costly(
// CHECK-NEXT:    [[SUMS:%.+]] = tri.fusion
// CHECK-NEXT:      tri.matmul
// CHECK-NEXT:      tri.neg
// CHECK-NEXT:      tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    [[RESULT:%.+]] = tri.fusion (%{{.+}} = [[SUMS]] :
// CHECK-NEXT:      tri.tanh
func.func @costly(%x: !tri.tensor<4x3xf32>, %w: !tri.tensor<3x5xf32>) -> !tri.tensor<4x5xf32> {
  %0 = tri.matmul %x, %w : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %1 = tri.neg %0 : !tri.tensor<4x5xf32> -> !tri.tensor<4x5xf32>
  %2 = tri.tanh %1 : !tri.tensor<4x5xf32> -> !tri.tensor<4x5xf32>
  func.return %2 : !tri.tensor<4x5xf32>
}

// Where sums are needed themselves, or what is stored has not their dtype, there is no room for
// unfinished ones in the result.
// CHECK-LABEL: func.func @needed(
// CHECK-NEXT:    [[SUMS:%.+]] = tri.matmul %x, %w
// CHECK-NEXT:    [[RESULT:%.+]] = tri.fusion (%{{.+}} = [[SUMS]] :
// CHECK:         func.return [[SUMS]], [[RESULT]]
func.func @needed(%x: !tri.tensor<4x3xf32>, %w: !tri.tensor<3x5xf32>) -> (!tri.tensor<4x5xf32>, !tri.tensor<4x5xf32>) {
  %0 = tri.matmul %x, %w : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %1 = tri.relu %0 : !tri.tensor<4x5xf32> -> !tri.tensor<4x5xf32>
  func.return %0, %1 : !tri.tensor<4x5xf32>, !tri.tensor<4x5xf32>
}

// CHECK-LABEL: func.func @another_dtype(
// CHECK-NEXT:    [[SUMS:%.+]] = tri.matmul %x, %w
// CHECK-NEXT:    tri.fusion (%{{.+}} = [[SUMS]] :
// CHECK-NEXT:      tri.isnan
func.func @another_dtype(%x: !tri.tensor<4x3xf32>, %w: !tri.tensor<3x5xf32>) -> !tri.tensor<4x5xi1> {
  %0 = tri.matmul %x, %w : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %1 = tri.isnan %0 : !tri.tensor<4x5xf32> -> !tri.tensor<4x5xi1>
  func.return %1 : !tri.tensor<4x5xi1>
}

// A choice by a comparison is of their dtype again.
// CHECK-LABEL: func.func @chosen(
// CHECK-NEXT:    tri.fusion
// CHECK-NEXT:      tri.matmul
// CHECK-NEXT:      tri.isnan
// CHECK-NEXT:      tri.where
func.func @chosen(%x: !tri.tensor<4x3xf32>, %w: !tri.tensor<3x5xf32>, %y: !tri.tensor<5xf32>) -> !tri.tensor<4x5xf32> {
  %0 = tri.matmul %x, %w : !tri.tensor<4x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<4x5xf32>
  %1 = tri.isnan %0 : !tri.tensor<4x5xf32> -> !tri.tensor<4x5xi1>
  %2 = tri.where %1, %y, %0 : !tri.tensor<4x5xi1>, !tri.tensor<5xf32>, !tri.tensor<4x5xf32> -> !tri.tensor<4x5xf32>
  func.return %2 : !tri.tensor<4x5xf32>
}

// A matrix times a vector reads each element once: casts and scales are computed where it is read. The
// vector, which every sum reads, lies in memory.
// CHECK-LABEL: func.func @scaled_matrix(
// CHECK-NEXT:    [[VECTOR:%.+]] = tri.fusion (%{{.+}} = %x : {{.+}}) -> (!tri.tensor<1x3xf32>) {
// CHECK-NEXT:      tri.neg
// CHECK:         [[RESULT:%.+]] = tri.fusion (%[[V:[a-z0-9_]+]] = [[VECTOR]] : {{.+}}) -> (!tri.tensor<1x5xf32>) {
// CHECK-NEXT:      [[CAST:%.+]] = tri.cast
// CHECK-NEXT:      [[SCALED:%.+]] = tri.mul [[CAST]],
// CHECK-NEXT:      tri.matmul %[[V]], [[SCALED]]
// CHECK-NEXT:      tri.yield
func.func @scaled_matrix(%x: !tri.tensor<1x3xf32>, %w: !tri.tensor<3x5xsi8>, %s: !tri.tensor<5xf32>) -> !tri.tensor<1x5xf32> {
  %0 = tri.neg %x : !tri.tensor<1x3xf32> -> !tri.tensor<1x3xf32>
  %1 = tri.cast %w {dtype = f32} : !tri.tensor<3x5xsi8> -> !tri.tensor<3x5xf32>
  %2 = tri.mul %1, %s : !tri.tensor<3x5xf32>, !tri.tensor<5xf32> -> !tri.tensor<3x5xf32>
  %3 = tri.matmul %0, %2 : !tri.tensor<1x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<1x5xf32>
  func.return %3 : !tri.tensor<1x5xf32>
}

// With two rows it is read twice, and computed once.
// CHECK-LABEL: func.func @two_rows(
// CHECK-NEXT:    [[CAST:%.+]] = tri.fusion
// CHECK-NEXT:      tri.cast
// CHECK-NEXT:      tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    tri.matmul %x, [[CAST]]
func.func @two_rows(%x: !tri.tensor<2x3xf32>, %w: !tri.tensor<3x5xsi8>) -> !tri.tensor<2x5xf32> {
  %0 = tri.cast %w {dtype = f32} : !tri.tensor<3x5xsi8> -> !tri.tensor<3x5xf32>
  %1 = tri.matmul %x, %0 : !tri.tensor<2x3xf32>, !tri.tensor<3x5xf32> -> !tri.tensor<2x5xf32>
  func.return %1 : !tri.tensor<2x5xf32>
}

// Of what two products read nothing is computed twice.
// CHECK-LABEL: func.func @two_vectors(
// CHECK-NEXT:    [[CAST:%.+]] = tri.fusion
// CHECK-NEXT:      tri.cast
// CHECK-NEXT:      tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    [[FIRST:%.+]] = tri.matmul %x, [[CAST]]
// CHECK-NEXT:    tri.matmul [[FIRST]], [[CAST]]
func.func @two_vectors(%x: !tri.tensor<1x3xf32>, %w: !tri.tensor<3x3xsi8>) -> !tri.tensor<1x3xf32> {
  %0 = tri.cast %w {dtype = f32} : !tri.tensor<3x3xsi8> -> !tri.tensor<3x3xf32>
  %1 = tri.matmul %x, %0 : !tri.tensor<1x3xf32>, !tri.tensor<3x3xf32> -> !tri.tensor<1x3xf32>
  %2 = tri.matmul %1, %0 : !tri.tensor<1x3xf32>, !tri.tensor<3x3xf32> -> !tri.tensor<1x3xf32>
  func.return %2 : !tri.tensor<1x3xf32>
}

// Where products pack a factor, it is widened on the way; not one that several products read, nor one
// that is computed, nor the left one.
// CHECK-LABEL: func.func @widened(
// CHECK:         tri.fusion ({{.*}}) -> (!tri.tensor<30x20xf32, layout=strided<[1, 30]>>) {
// CHECK-LABEL: func.func @not_widened(
// WIDENED-LABEL: func.func @widened(
// WIDENED-NEXT:    [[W:%.+]] = tri.t %w
// WIDENED-NEXT:    tri.fusion (%[[X:.+]] = %x : {{.+}}, %[[V:.+]] = [[W]] : {{.+}}) -> (!tri.tensor<40x20xf32>) {
// WIDENED-NEXT:      %[[C:.+]] = tri.cast %[[V]] {dtype = f32}
// WIDENED-NEXT:      tri.matmul %[[X]], %[[C]]
// WIDENED-LABEL: func.func @not_widened(
// WIDENED:         tri.matmul %x, {{%.+}} :
// WIDENED:         tri.matmul {{%.+}}, %y :
// WIDENED:         tri.matmul %x, {{%.+}} :
func.func @widened(%x: !tri.tensor<40x30xf32>, %w: !tri.tensor<20x30xf16>) -> !tri.tensor<40x20xf32> {
  %0 = tri.t %w : !tri.tensor<20x30xf16> -> !tri.tensor<30x20xf16, layout=strided<[1, 30]>>
  %1 = tri.cast %0 {dtype = f32} : !tri.tensor<30x20xf16, layout=strided<[1, 30]>> -> !tri.tensor<30x20xf32, layout=strided<[1, 30]>>
  %2 = tri.matmul %x, %1 : !tri.tensor<40x30xf32>, !tri.tensor<30x20xf32, layout=strided<[1, 30]>> -> !tri.tensor<40x20xf32>
  func.return %2 : !tri.tensor<40x20xf32>
}
func.func @not_widened(%x: !tri.tensor<20x20xf32>, %y: !tri.tensor<20x20xf32>, %w: !tri.tensor<20x20xf16>) -> (!tri.tensor<20x20xf32>, !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32>) {
  %0 = tri.cast %w {dtype = f32} : !tri.tensor<20x20xf16> -> !tri.tensor<20x20xf32>
  %1 = tri.matmul %x, %0 : !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf32>
  %2 = tri.matmul %0, %y : !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf32>
  %3 = tri.exp %w : !tri.tensor<20x20xf16> -> !tri.tensor<20x20xf16>
  %4 = tri.cast %3 {dtype = f32} : !tri.tensor<20x20xf16> -> !tri.tensor<20x20xf32>
  %5 = tri.matmul %x, %4 : !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf32>
  func.return %1, %2, %5 : !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32>
}

// Where sums of one piece of k may be rounded, what rounds them is one kernel with them; longer sums
// are interrupted, and what is no narrower float is stored by another kernel.
// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT:    tri.matmul
// CHECK-LABEL: func.func @not_rounded(
// ROUNDED-LABEL: func.func @rounded(
// ROUNDED-NEXT:    tri.fusion ({{.*}}) -> (!tri.tensor<20x20xf16>) {
// ROUNDED-NEXT:      tri.matmul
// ROUNDED-NEXT:      tri.add
// ROUNDED-NEXT:      tri.cast
// ROUNDED-LABEL: func.func @not_rounded(
// ROUNDED-NEXT:    tri.matmul
// ROUNDED:         tri.matmul
// ROUNDED-NOT:     tri.matmul
func.func @rounded(%x: !tri.tensor<20x384xf32>, %w: !tri.tensor<384x20xf32>, %b: !tri.tensor<20xf32>) -> !tri.tensor<20x20xf16> {
  %0 = tri.matmul %x, %w : !tri.tensor<20x384xf32>, !tri.tensor<384x20xf32> -> !tri.tensor<20x20xf32>
  %1 = tri.add %0, %b : !tri.tensor<20x20xf32>, !tri.tensor<20xf32> -> !tri.tensor<20x20xf32>
  %2 = tri.cast %1 {dtype = f16} : !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf16>
  func.return %2 : !tri.tensor<20x20xf16>
}
func.func @not_rounded(%x: !tri.tensor<20x385xf32>, %w: !tri.tensor<385x20xf32>, %y: !tri.tensor<20x20xf32>) -> (!tri.tensor<20x20xf16>, !tri.tensor<20x20xf64>) {
  %0 = tri.matmul %x, %w : !tri.tensor<20x385xf32>, !tri.tensor<385x20xf32> -> !tri.tensor<20x20xf32>
  %1 = tri.cast %0 {dtype = f16} : !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf16>
  %2 = tri.matmul %y, %y : !tri.tensor<20x20xf32>, !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf32>
  %3 = tri.cast %2 {dtype = f64} : !tri.tensor<20x20xf32> -> !tri.tensor<20x20xf64>
  func.return %1, %3 : !tri.tensor<20x20xf16>, !tri.tensor<20x20xf64>
}
