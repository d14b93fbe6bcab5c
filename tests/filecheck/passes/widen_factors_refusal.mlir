// RUN: trilith-opt %s -p tri-widen-factors | filecheck %s
// RUN: trilith-opt %s -p 'tri-widen-factors{least=10000}' | filecheck %s --check-prefix=FEW
// RUN: trilith-opt %s -p 'tri-widen-factors{copies=true}' | filecheck %s --check-prefix=COPIES

// Of one row, of one column and of sums of one product each element is read once, where it is widened.
// CHECK-LABEL: func.func @once(
// CHECK-NOT:     tri.cast
func.func @once(%x: !tri.tensor<1x16xf16>, %y: !tri.tensor<16x16xf16>, %z: !tri.tensor<16x1xf16>, %v: !tri.tensor<16xf16>) -> (!tri.tensor<1x16xf16>, !tri.tensor<16x1xf16>, !tri.tensor<16x16xf16>, !tri.tensor<16xf16>, !tri.tensor<16xf16>) {
  %0 = tri.matmul %x, %y : !tri.tensor<1x16xf16>, !tri.tensor<16x16xf16> -> !tri.tensor<1x16xf16>
  %1 = tri.matmul %y, %z : !tri.tensor<16x16xf16>, !tri.tensor<16x1xf16> -> !tri.tensor<16x1xf16>
  %2 = tri.matmul %z, %x : !tri.tensor<16x1xf16>, !tri.tensor<1x16xf16> -> !tri.tensor<16x16xf16>
  %3 = tri.matmul %y, %v : !tri.tensor<16x16xf16>, !tri.tensor<16xf16> -> !tri.tensor<16xf16>
  %4 = tri.matmul %v, %y : !tri.tensor<16xf16>, !tri.tensor<16x16xf16> -> !tri.tensor<16xf16>
  func.return %0, %1, %2, %3, %4 : !tri.tensor<1x16xf16>, !tri.tensor<16x1xf16>, !tri.tensor<16x16xf16>, !tri.tensor<16xf16>, !tri.tensor<16xf16>
}

// Where a factor would be copied, few rows and short sums read bfloat16 as it lies: a shift widens it.
// They do not if it lies across, and float16 takes more than a shift.
// CHECK-LABEL: func.func @shifts(
// COPIES-LABEL: func.func @shifts(
// COPIES-NEXT:    %0 = tri.matmul %x, %y
// COPIES-NEXT:    %1 = tri.matmul %x, %z
// COPIES-NEXT:    %2 = tri.t %y
// COPIES-NEXT:    tri.cast %x
// COPIES-NEXT:    tri.cast %2
// COPIES-NEXT:    tri.matmul
// COPIES-NEXT:    tri.cast
// COPIES-NEXT:    tri.cast %h
func.func @shifts(%x: !tri.tensor<15x16xbf16>, %y: !tri.tensor<16x16xbf16>, %z: !tri.tensor<16x15xbf16>, %h: !tri.tensor<15x16xf16>, %g: !tri.tensor<16x15xf16>) -> (!tri.tensor<15x16xbf16>, !tri.tensor<15x15xbf16>, !tri.tensor<15x16xbf16>, !tri.tensor<15x15xf16>) {
  %0 = tri.matmul %x, %y : !tri.tensor<15x16xbf16>, !tri.tensor<16x16xbf16> -> !tri.tensor<15x16xbf16>
  %1 = tri.matmul %x, %z : !tri.tensor<15x16xbf16>, !tri.tensor<16x15xbf16> -> !tri.tensor<15x15xbf16>
  %2 = tri.t %y : !tri.tensor<16x16xbf16> -> !tri.tensor<16x16xbf16, layout=strided<[1, 16]>>
  %3 = tri.matmul %x, %2 : !tri.tensor<15x16xbf16>, !tri.tensor<16x16xbf16, layout=strided<[1, 16]>> -> !tri.tensor<15x16xbf16>
  %4 = tri.matmul %h, %g : !tri.tensor<15x16xf16>, !tri.tensor<16x15xf16> -> !tri.tensor<15x15xf16>
  func.return %0, %1, %3, %4 : !tri.tensor<15x16xbf16>, !tri.tensor<15x15xbf16>, !tri.tensor<15x16xbf16>, !tri.tensor<15x15xf16>
}

// What is computed with as it lies in memory stays, whatever its size; so does a filter of each
// channel alone, for which there are no columns.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     tri.cast
func.func @others(%x: !tri.tensor<64x64xf32>, %i: !tri.tensor<64x64xsi8>, %p: !tri.tensor<4x60x16xf16>, %w: !tri.tensor<4x16xf16>) -> (!tri.tensor<64x64xf32>, !tri.tensor<64x64xsi8>, !tri.tensor<4x60xf16>) {
  %0 = tri.matmul %x, %x : !tri.tensor<64x64xf32>, !tri.tensor<64x64xf32> -> !tri.tensor<64x64xf32>
  %1 = tri.matmul %i, %i : !tri.tensor<64x64xsi8>, !tri.tensor<64x64xsi8> -> !tri.tensor<64x64xsi8>
  %2 = tri.contract %p, %w {left = array<i64: 0, 1, 2>, right = array<i64: 0, 2>, order = array<i64: 0, 1>} : !tri.tensor<4x60x16xf16>, !tri.tensor<4x16xf16> -> !tri.tensor<4x60xf16>
  func.return %0, %1, %2 : !tri.tensor<64x64xf32>, !tri.tensor<64x64xsi8>, !tri.tensor<4x60xf16>
}

// Where launches cost more, all products together have to be enough.
// CHECK-LABEL: func.func @enough(
// FEW-LABEL: func.func @enough(
// FEW-NEXT:    %x_1 = tri.cast %x
// FEW-LABEL: func.func @not_enough(
// FEW-NOT:     tri.cast
func.func @enough(%x: !tri.tensor<25x20xf16>, %w: !tri.tensor<20x20xf16>) -> !tri.tensor<25x20xf16> {
  %0 = tri.matmul %x, %w : !tri.tensor<25x20xf16>, !tri.tensor<20x20xf16> -> !tri.tensor<25x20xf16>
  func.return %0 : !tri.tensor<25x20xf16>
}
func.func @not_enough(%x: !tri.tensor<24x20xf16>, %w: !tri.tensor<20x20xf16>) -> !tri.tensor<24x20xf16> {
  %0 = tri.matmul %x, %w : !tri.tensor<24x20xf16>, !tri.tensor<20x20xf16> -> !tri.tensor<24x20xf16>
  func.return %0 : !tri.tensor<24x20xf16>
}
