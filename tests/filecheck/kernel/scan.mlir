// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Partial sums along the last dimension: one loop after the other.

// CHECK-LABEL: kernel.func @cumsum_rows(
// CHECK:         kernel.scan add (%j) to (%cols) : f32 {
// CHECK:           kernel.yield %v : f32
// CHECK-NEXT:    } into (%j_1, %sum) {
// CHECK-NEXT:      kernel.store %sum, %y[%i, %j_1]
// CHECK-NEXT:    }
// SCHEDULED-LABEL: kernel.func @cumsum_rows(
// SCHEDULED:         iter_args({{.+}}) -> (f32) {
kernel.func @cumsum_rows(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%rows) {
    kernel.scan add (%j) to (%cols) : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    } into (%j, %sum) {
      kernel.store %sum, %y[%i, %j]
    }
  }
}

// Along the first dimension memory runs across the sums: several at a time, in the lanes.

// SCHEDULED-LABEL: kernel.func @cumsum_columns(
// SCHEDULED:         iter_args({{.+}}) -> (vector<32xf32>) {
kernel.func @cumsum_columns(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%j) to (%cols) {
    kernel.scan add (%i) to (%rows) : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    } into (%i, %sum) {
      kernel.store %sum, %y[%i, %j]
    }
  }
}

// CHECK-LABEL: kernel.func @cummax(
// CHECK:         kernel.scan maximum (%j) to (%n) unsigned : i32 {
kernel.func @cummax(%n: index, %x: !kernel.buffer<i32, [1]>, %y: !kernel.buffer<i32, [1]>) {
  kernel.scan maximum (%j) to (%n) unsigned : i32 {
    %v = kernel.load %x[%j] : i32
    kernel.yield %v : i32
  } into (%j, %largest) {
    kernel.store %largest, %y[%j]
  }
}
