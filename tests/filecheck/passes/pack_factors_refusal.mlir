// RUN: trilith-opt %s -p tri-pack-factors | filecheck %s

// What lies along the result stays, as does a single column, and a vector.
// CHECK-LABEL: func.func @along(
// CHECK-NOT:     tri.clone
func.func @along(%x: !tri.tensor<3x4xf16>, %w: !tri.tensor<4x5xf16>, %c: !tri.tensor<4x1xf16, layout=strided<[1, 4]>>, %v: !tri.tensor<4xf16, layout=strided<[2]>>) -> (!tri.tensor<3x5xf16>, !tri.tensor<3x1xf16>, !tri.tensor<3xf16>) {
  %0 = tri.matmul %x, %w : !tri.tensor<3x4xf16>, !tri.tensor<4x5xf16> -> !tri.tensor<3x5xf16>
  %1 = tri.matmul %x, %c : !tri.tensor<3x4xf16>, !tri.tensor<4x1xf16, layout=strided<[1, 4]>> -> !tri.tensor<3x1xf16>
  %2 = tri.matmul %x, %v : !tri.tensor<3x4xf16>, !tri.tensor<4xf16, layout=strided<[2]>> -> !tri.tensor<3xf16>
  func.return %0, %1, %2 : !tri.tensor<3x5xf16>, !tri.tensor<3x1xf16>, !tri.tensor<3xf16>
}

// Windows repeat elements: a copy would be larger than what it is a copy of.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT:     tri.clone
func.func @windows(%x: !tri.tensor<9xf16>, %w: !tri.tensor<5x3xf16>) -> !tri.tensor<5x4xf16> {
  %0 = tri.unfold %x {dimension = 0 : i64, size = 3 : i64, step = 2 : i64} : !tri.tensor<9xf16> -> !tri.tensor<4x3xf16, layout=strided<[2, 1]>>
  %1 = tri.contract %w, %0 {left = array<i64: 0, 2>, right = array<i64: 1, 2>, order = array<i64: 0, 1>} : !tri.tensor<5x3xf16>, !tri.tensor<4x3xf16, layout=strided<[2, 1]>> -> !tri.tensor<5x4xf16>
  func.return %1 : !tri.tensor<5x4xf16>
}

// Squares of a matrix of float32 that lies across are transposed where the product reads them.
// CHECK-LABEL: func.func @in_registers(
// CHECK-NOT:     tri.clone
func.func @in_registers(%x: !tri.tensor<3x4xf32>, %w: !tri.tensor<4x5xf32, layout=strided<[1, 4]>>) -> !tri.tensor<3x5xf32> {
  %0 = tri.matmul %x, %w : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<3x5xf32>
  func.return %0 : !tri.tensor<3x5xf32>
}
