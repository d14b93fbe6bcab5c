// RUN: trilith-opt %s -p tri-fuse,tri-lower-to-kernel,kernel-split-reductions | filecheck %s
// RUN: trilith-opt %s -p tri-fuse,tri-lower-to-kernel,kernel-split-reductions | trilith-opt | filecheck %s

// A variance of float32 is two sums about the first element, which is read by itself: one look.

// CHECK-LABEL: func.func @rows
// CHECK:         tri.launch @var_0(%x, %x, %{{.+}}) [100, 1000, 0, 1000, 0, 1000, 0] :
func.func @rows(%x: !tri.tensor<100x1000xf32>) -> !tri.tensor<100xf32> {
  %y = tri.var %x {dim = array<i64: 1>, correction = #tri.number<1.0>} : !tri.tensor<100x1000xf32> -> !tri.tensor<100xf32>
  func.return %y : !tri.tensor<100xf32>
}

// Of float64 it is two sums about the mean, in one kernel: the second look finds rows in the cache.

// CHECK-LABEL: func.func @wide
// CHECK:         tri.launch @var_1(%x, %x, %{{.+}}) [100, 1000, 0, 1000, 0, 1000, 0] :
func.func @wide(%x: !tri.tensor<100x1000xf64>) -> !tri.tensor<100xf64> {
  %y = tri.var %x {dim = array<i64: 1>, correction = #tri.number<1.0>} : !tri.tensor<100x1000xf64> -> !tri.tensor<100xf64>
  func.return %y : !tri.tensor<100xf64>
}

// Of no elements there is no first one.

// CHECK-LABEL: func.func @empty
// CHECK:         tri.launch @var_2(%x, %{{.+}}) [100, 0, 0, 0] :
func.func @empty(%x: !tri.tensor<100x0xf32>) -> !tri.tensor<100xf32> {
  %y = tri.var %x {dim = array<i64: 1>, correction = #tri.number<1.0>} : !tri.tensor<100x0xf32> -> !tri.tensor<100xf32>
  func.return %y : !tri.tensor<100xf32>
}

// Where reductions are split, what elements are compared with is stored first: the second kernel knows
// no more than its part of the elements.

// CHECK-LABEL: func.func @long
// CHECK-NEXT:    %y = tri.empty : !tri.tensor<f64>
// CHECK-NEXT:    [[PIVOT:%.+]] = tri.empty : !tri.tensor<f64>
// CHECK:         tri.launch @var_3_first_parts(%x, [[LANES:%.+]]) [100000, 0, 13, 16, 0] :
// CHECK:         tri.launch @var_3_first_total(%x, [[PIVOT]], [[LANES]]) [100000, 0, 0, 208, 0] :
// CHECK:         tri.launch @var_3_rest_parts(%x, [[PIVOT]], [[SUMS:%.+]], [[SQUARES:%.+]]) [100000, 0, 0, 13, 16, 0, 0] :
// CHECK:         tri.launch @var_3_rest_total(%{{.+}}, [[SUMS]], [[SQUARES]]) [100000, 0, 208, 0, 0] :
func.func @long(%x: !tri.tensor<100000xf64>) -> !tri.tensor<f64> {
  %y = tri.var %x {dim = array<i64: 0>, correction = #tri.number<1.0>} : !tri.tensor<100000xf64> -> !tri.tensor<f64>
  func.return %y : !tri.tensor<f64>
}

// CHECK-LABEL: kernel.func @var_0(
// CHECK:           [[X:%.+]] = kernel.load %{{.+}}[%{{.+}}] : f32
// CHECK:           [[FIRST:%.+]] = arith.extf [[X]] : f32 to f64
// CHECK:           [[P:%.+]] = arith.select %{{.+}}, %{{.+}}, %{{.+}} : f64
// CHECK-NEXT:      [[S:%.+]], [[Q:%.+]] = kernel.reduce custom (%{{.+}}) to (%{{.+}}) {lanes = 16, block = 8192, neutral} init (%{{.+}}, %{{.+}}) : f64, f64 {
// CHECK:             [[D:%.+]] = arith.subf %{{.+}}, [[P]] : f64
// CHECK-NEXT:        [[DD:%.+]] = arith.mulf [[D]], [[D]] : f64
// CHECK-NEXT:        kernel.yield [[D]], [[DD]] : f64, f64
// CHECK:           [[STEP:%.+]] = arith.divf [[S]], %{{.+}} : f64
// CHECK:           [[OFF:%.+]] = arith.mulf [[S]], [[STEP]] : f64
// CHECK:           [[EXCESS:%.+]] = arith.select %{{.+}}, [[OFF]], %{{.+}} : f64
// CHECK-NEXT:      arith.subf [[Q]], [[EXCESS]] : f64
// CHECK-LABEL: kernel.func @var_1(
// CHECK:           [[TOTAL:%.+]] = kernel.reduce add (%{{.+}}) to (%{{.+}}) {lanes = 16, block = 8192} : f64 {
// CHECK:           [[MEAN:%.+]] = arith.divf [[TOTAL]], %{{.+}} : f64
// CHECK:           [[P:%.+]] = arith.select %{{.+}}, [[MEAN]], %{{.+}} : f64
// CHECK-NEXT:      kernel.reduce custom (
// CHECK:             arith.subf %{{.+}}, [[P]] : f64
// CHECK-LABEL: kernel.func @var_2(
// CHECK-NOT:       kernel.load
// CHECK:           kernel.reduce custom (
// CHECK-LABEL: kernel.func @var_3_rest_parts(
// CHECK:         kernel.parallel
// CHECK-NEXT:      [[P:%.+]] = kernel.load %{{.+}}[] : f64
// CHECK-NOT:       arith.divf
// CHECK:           arith.subf %{{.+}}, [[P]] : f64
// CHECK-LABEL: kernel.func @var_3_first_total(
// CHECK:         kernel.reduce add
// CHECK:         arith.divf
