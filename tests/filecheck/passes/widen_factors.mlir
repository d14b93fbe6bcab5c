// RUN: trilith-opt %s -p tri-widen-factors | filecheck %s
// RUN: trilith-opt %s -p 'tri-widen-factors{copies=true}' | filecheck %s --check-prefix=COPIES

// Both factors are widened, and the sums are rounded once.
// CHECK-LABEL: func.func @product(
// CHECK-NEXT:    %x_1 = tri.cast %x {dtype = f32} : !tri.tensor<16x16xf16> -> !tri.tensor<16x16xf32>
// CHECK-NEXT:    %w_1 = tri.cast %w {dtype = f32} : !tri.tensor<16x8xf16> -> !tri.tensor<16x8xf32>
// CHECK-NEXT:    %0 = tri.matmul %x_1, %w_1 : !tri.tensor<16x16xf32>, !tri.tensor<16x8xf32> -> !tri.tensor<16x8xf32>
// CHECK-NEXT:    %1 = tri.cast %0 {dtype = f16} : !tri.tensor<16x8xf32> -> !tri.tensor<16x8xf16>
// CHECK-NEXT:    func.return %1
func.func @product(%x: !tri.tensor<16x16xf16>, %w: !tri.tensor<16x8xf16>) -> !tri.tensor<16x8xf16> {
  %0 = tri.matmul %x, %w : !tri.tensor<16x16xf16>, !tri.tensor<16x8xf16> -> !tri.tensor<16x8xf16>
  func.return %0 : !tri.tensor<16x8xf16>
}

// What several products read is widened once. A transposed factor is widened as it lies, and sums that
// nobody rounds are the result.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT:    %0 = tri.t %w
// CHECK-NEXT:    %x_1 = tri.cast %x {dtype = f32}
// CHECK-NEXT:    %1 = tri.cast %0 {dtype = f32} : !tri.tensor<30x20xbf16, layout=strided<[1, 30]>> -> !tri.tensor<30x20xf32, layout=strided<[1, 30]>>
// CHECK-NEXT:    %2 = tri.matmul_unrounded %x_1, %1
// CHECK-NEXT:    %v_1 = tri.cast %v {dtype = f32}
// CHECK-NEXT:    %3 = tri.matmul %x_1, %v_1
// CHECK-NEXT:    %4 = tri.cast %3 {dtype = bf16}
// CHECK-NEXT:    func.return %2, %4
func.func @shared(%x: !tri.tensor<40x30xbf16>, %w: !tri.tensor<20x30xbf16>, %v: !tri.tensor<30x20xbf16>) -> (!tri.tensor<40x20xf32>, !tri.tensor<40x20xbf16>) {
  %0 = tri.t %w : !tri.tensor<20x30xbf16> -> !tri.tensor<30x20xbf16, layout=strided<[1, 30]>>
  %1 = tri.matmul_unrounded %x, %0 : !tri.tensor<40x30xbf16>, !tri.tensor<30x20xbf16, layout=strided<[1, 30]>> -> !tri.tensor<40x20xf32>
  %2 = tri.matmul %x, %v : !tri.tensor<40x30xbf16>, !tri.tensor<30x20xbf16> -> !tri.tensor<40x20xbf16>
  func.return %1, %2 : !tri.tensor<40x20xf32>, !tri.tensor<40x20xbf16>
}

// Windows repeat elements: the row that they are views of is widened.
// CHECK-LABEL: func.func @windows(
// CHECK-NEXT:    %x_1 = tri.cast %x {dtype = f32} : !tri.tensor<8x20xf16> -> !tri.tensor<8x20xf32>
// CHECK-NEXT:    %0 = tri.unfold %x_1 {{.*}} -> !tri.tensor<8x18x3xf32, layout=strided<[20, 1, 1]>>
// CHECK-NEXT:    %w_1 = tri.cast %w
// CHECK-NEXT:    %1 = tri.contract %0, %w_1
// CHECK-NEXT:    %2 = tri.cast %1 {dtype = f16} : !tri.tensor<9x18xf32> -> !tri.tensor<9x18xf16>
func.func @windows(%x: !tri.tensor<8x20xf16>, %w: !tri.tensor<9x8x3xf16>) -> !tri.tensor<9x18xf16> {
  %0 = tri.unfold %x {dimension = 1 : i64, size = 3 : i64, step = 1 : i64} : !tri.tensor<8x20xf16> -> !tri.tensor<8x18x3xf16, layout=strided<[20, 1, 1]>>
  %1 = tri.contract %0, %w {left = array<i64: 2, 1, 3>, right = array<i64: 0, 2, 3>, order = array<i64: 0, 1>} : !tri.tensor<8x18x3xf16, layout=strided<[20, 1, 1]>>, !tri.tensor<9x8x3xf16> -> !tri.tensor<9x18xf16>
  func.return %1 : !tri.tensor<9x18xf16>
}

// A part of a matrix is widened alone, without what lies between its rows.
// CHECK-LABEL: func.func @part(
// CHECK-NEXT:    %0 = tri.slice %x
// CHECK-NEXT:    %1 = tri.cast %0 {dtype = f32} : !tri.tensor<16x16xf16, layout=strided<[99, 1]>> -> !tri.tensor<16x16xf32>
func.func @part(%x: !tri.tensor<16x99xf16>, %w: !tri.tensor<16x8xf16>) -> !tri.tensor<16x8xf16> {
  %0 = tri.slice %x {dim = 1 : i64, end = 16 : i64} : !tri.tensor<16x99xf16> -> !tri.tensor<16x16xf16, layout=strided<[99, 1]>>
  %1 = tri.matmul %0, %w : !tri.tensor<16x16xf16, layout=strided<[99, 1]>>, !tri.tensor<16x8xf16> -> !tri.tensor<16x8xf16>
  func.return %1 : !tri.tensor<16x8xf16>
}

// A symbol stands for two rows and more, which are enough: no guard says so.
// CHECK-LABEL: func.func @symbolic(
// CHECK-SAME:    tri.guards = #tri.guards<[]>
// CHECK-NEXT:    %x_1 = tri.cast %x {dtype = f32} : !tri.tensor<(n)x16xf16> -> !tri.tensor<(n)x16xf32>
func.func @symbolic(%x: !tri.tensor<(n)x16xf16>, %w: !tri.tensor<16x8xf16>) -> !tri.tensor<(n)x8xf16> attributes {tri.symbols = #tri.symbols<n = 40>} {
  %0 = tri.matmul %x, %w : !tri.tensor<(n)x16xf16>, !tri.tensor<16x8xf16> -> !tri.tensor<(n)x8xf16>
  func.return %0 : !tri.tensor<(n)x8xf16>
}

// Whether there are enough rows for a copy of what a shift widens is a guard.
// COPIES-LABEL: func.func @symbolic_shifts(
// COPIES-SAME:    tri.guards = #tri.guards<[n > 15]>
// COPIES-NEXT:    %x_1 = tri.cast %x {dtype = f32} : !tri.tensor<(n)x16xbf16> -> !tri.tensor<(n)x16xf32>
func.func @symbolic_shifts(%x: !tri.tensor<(n)x16xbf16>, %w: !tri.tensor<16x8xbf16>) -> !tri.tensor<(n)x8xbf16> attributes {tri.symbols = #tri.symbols<n = 40>} {
  %0 = tri.matmul %x, %w : !tri.tensor<(n)x16xbf16>, !tri.tensor<16x8xbf16> -> !tri.tensor<(n)x8xbf16>
  func.return %0 : !tri.tensor<(n)x8xbf16>
}
