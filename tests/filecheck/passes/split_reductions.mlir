// RUN: trilith-opt %s -p kernel-split-reductions | filecheck %s

// Seven blocks of 16384 elements, of 32 lanes each: their values, then the reduction of these.

// CHECK-LABEL: func.func @long
// CHECK:         [[SCRATCH:%.+]] = tri.empty : !tri.tensor<224xf32>
// CHECK-NEXT:    tri.launch @sum_parts(%x, [[SCRATCH]]) [100000, 0, 7, 32, 0] :
// CHECK-NEXT:    tri.launch @sum_total(%{{.+}}, [[SCRATCH]]) [0, 224, 0] :
func.func @long(%x: !tri.tensor<100000xf32>) -> !tri.tensor<f32> {
  %0 = tri.empty : !tri.tensor<f32>
  tri.launch @sum(%x, %0) [100000, 0, 0] : !tri.tensor<100000xf32>, !tri.tensor<f32>
  func.return %0 : !tri.tensor<f32>
}

// One block stays as it is.

// CHECK-LABEL: func.func @short
// CHECK:         tri.launch @sum(%x, %{{.+}}) [16384, 0, 0] :
func.func @short(%x: !tri.tensor<16384xf32>) -> !tri.tensor<f32> {
  %0 = tri.empty : !tri.tensor<f32>
  tri.launch @sum(%x, %0) [16384, 0, 0] : !tri.tensor<16384xf32>, !tri.tensor<f32>
  func.return %0 : !tri.tensor<f32>
}

// CHECK-LABEL: kernel.func @sum(
// CHECK-LABEL: kernel.func @sum_parts(
// CHECK:         kernel.parallel (%{{.+}}, %{{.+}}) to (%{{.+}}, %{{.+}}) attributes {kernel.lanes = 32 : i64} {
// CHECK:           [[L:%.+]] = kernel.reduce add (%{{.+}}) to (%{{.+}}) {lanes = 1, block = 0} : f32 {
// CHECK:           kernel.store [[L]],
// CHECK-LABEL: kernel.func @sum_total(
// CHECK:         [[S:%.+]] = kernel.reduce add (%{{.+}}) to (%{{.+}}) {lanes = 32, block = 0} : f32 {
// CHECK:         kernel.store [[S]],
kernel.func @sum(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, []> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  kernel.store %s, %y[]
}
