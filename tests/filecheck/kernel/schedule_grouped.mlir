// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// Rows of several phases run in groups. What is computed once for a row by many operations is computed
// for all rows of a group at once, on a vector: here the place that x - scale is taken from.

// CHECK-LABEL: kernel.func @scaled(
// CHECK:         [[SIZE:%.+]] = arith.divui {{%.+}}, {{%.+}} : index
// CHECK-NEXT:    [[FEW:%.+]] = arith.minsi [[SIZE]], {{%.+}} : index
// CHECK-NEXT:    [[STEP:%.+]] = arith.maxsi [[FEW]], {{%.+}} : index
// CHECK-NEXT:    kernel.for [[I:%.+]] = {{.+}} to %rows step [[STEP]] {
// CHECK:           [[COUNT:%.+]] = arith.minsi {{%.+}}, [[STEP]] : index
// CHECK-NEXT:      [[SUMS:%.+]] = kernel.alloc [8] : !kernel.buffer<f32, [1], private>
// CHECK-NEXT:      kernel.for [[R:%.+]] = {{.+}} to [[COUNT]] step
// CHECK:             arith.addf {{%.+}}, {{%.+}} : vector<32xf32>
// CHECK:             kernel.store {{%.+}}, [[SUMS]][[[R]]]
// CHECK:           [[MASK:%.+]] = kernel.mask [[COUNT]] : vector<8xi1>
// CHECK-NEXT:      [[S:%.+]] = kernel.load [[SUMS]][{{%.+}}] : vector<8xf32>
// CHECK-NEXT:      arith.mulf [[S]], [[S]] : vector<8xf32>
// CHECK-COUNT-7:   arith.mulf {{%.+}}, {{%.+}} : vector<8xf32>
// CHECK-NEXT:      [[SCALES:%.+]] = kernel.alloc [8] : !kernel.buffer<f32, [1], private>
// CHECK-NEXT:      kernel.store {{%.+}}, [[SCALES]][
// CHECK-NEXT:      kernel.for [[Q:%.+]] = {{.+}} to [[COUNT]] step
// CHECK-NOT:         arith.mulf
// CHECK:             kernel.load [[SCALES]][[[Q]]] : f32
// CHECK:             arith.subf {{%.+}} : vector<8xf32>
kernel.func @scaled(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%rows) {
    %s = kernel.reduce add (%j) to (%cols) {lanes = 32, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    %2 = arith.mulf %s, %s : f32
    %3 = arith.mulf %2, %s : f32
    %4 = arith.mulf %3, %s : f32
    %5 = arith.mulf %4, %s : f32
    %6 = arith.mulf %5, %s : f32
    %7 = arith.mulf %6, %s : f32
    %8 = arith.mulf %7, %s : f32
    %9 = arith.mulf %8, %s : f32
    kernel.map (%j) to (%cols) {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %9 : f32
      kernel.store %d, %y[%i, %j]
    }
  }
}

// Where a row may be written that another one reads they run one after the other.

// CHECK-LABEL: kernel.func @overlapping(
// CHECK-NOT:     kernel.alloc
kernel.func @overlapping(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write"}) {
  kernel.parallel (%i) to (%rows) {
    %s = kernel.reduce add (%j) to (%cols) {lanes = 32, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.map (%j) to (%cols) {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %s : f32
      kernel.store %d, %y[%i, %j]
    }
  }
}
