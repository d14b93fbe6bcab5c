// RUN: trilith-opt %s -p tri-lower-to-kernel | filecheck %s
// RUN: trilith-opt %s --target-pipeline opencl-gpu | filecheck %s --check-prefix=GPU

// One scan for each row; float32 is accumulated in float64.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<4x3xf32>
// CHECK-NEXT:    tri.launch @cumsum_0(%x, %0) [4, 3, 0, 3, 0, 3]
// CHECK-NEXT:    func.return %0
func.func @rows(%x: !tri.tensor<4x3xf32>) -> !tri.tensor<4x3xf32> {
  %0 = tri.cumsum %x {dim = 1 : i64} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  func.return %0 : !tri.tensor<4x3xf32>
}

// Complex numbers are pairs, which a combiner multiplies.
// CHECK-LABEL: func.func @complex(
// CHECK-NEXT:    %0 = tri.empty : !tri.tensor<3xcomplex<f32>>
// CHECK-NEXT:    tri.launch @cumprod_1(%x, %0) [3, 0, 0]
func.func @complex(%x: !tri.tensor<3xcomplex<f32>>) -> !tri.tensor<3xcomplex<f32>> {
  %0 = tri.cumprod %x {dim = 0 : i64} : !tri.tensor<3xcomplex<f32>> -> !tri.tensor<3xcomplex<f32>>
  func.return %0 : !tri.tensor<3xcomplex<f32>>
}

// CHECK-LABEL: kernel.func @cumsum_0(
// CHECK-NEXT:    kernel.parallel (%[[I:.+]]) to (%{{.+}}) {
// CHECK-NEXT:      kernel.scan add (%[[J:.+]]) to (%{{.+}}) : f64 {
// CHECK-NEXT:        %[[V:.+]] = kernel.load %{{.+}}[%[[I]], %[[J]]] : f32
// CHECK-NEXT:        %[[W:.+]] = arith.extf %[[V]] : f32 to f64
// CHECK-NEXT:        kernel.yield %[[W]] : f64
// CHECK-NEXT:      } into (%[[K:.+]], %[[SUM:.+]]) {
// CHECK-NEXT:        %[[R:.+]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK-NEXT:        kernel.store %[[R]], %{{.+}}[%[[I]], %[[K]]]

// CHECK-LABEL: kernel.func @cumprod_1(
// CHECK:         kernel.scan custom (%{{.+}}) to (%{{.+}}) init (%{{.+}}, %{{.+}}) : f64, f64 {
// CHECK:         } combine (%[[A:.+]], %[[B:.+]], %[[C:.+]], %[[D:.+]]) {
// CHECK-NEXT:      %[[BD:.+]] = arith.mulf %[[B]], %[[D]] : f64
// CHECK-NEXT:      %[[LESS:.+]] = arith.negf %[[BD]] : f64
// CHECK-NEXT:      %[[REAL:.+]] = math.fma %[[A]], %[[C]], %[[LESS]] : f64
// CHECK-NEXT:      %[[BC:.+]] = arith.mulf %[[B]], %[[C]] : f64
// CHECK-NEXT:      %[[IMAG:.+]] = math.fma %[[A]], %[[D]], %[[BC]] : f64
// CHECK-NEXT:      kernel.yield %[[REAL]], %[[IMAG]] : f64, f64

// A work item for each row, which carries the sum.
// GPU-LABEL: kernel.func @cumsum_0(
// GPU:         kernel.parallel items (%[[ROW:.+]]) to
// GPU:           kernel.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter
