// RUN: trilith-opt %s -p "kernel-split-reductions,kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// Blocks of a long sum may run on several threads: the 32 lanes of one are a vector, which is stored
// as it is. What is left over is added under a mask.

// CHECK-LABEL: kernel.func @sum_parts(
// CHECK-SAME:      [[N:%.]]: index, [[X:%.]]: !kernel.buffer<f32, [1]> {kernel.access = "read"},
// CHECK-SAME:      [[BLOCKS:%.]]: index, %{{.}}: index, [[SCRATCH:%.]]: !kernel.buffer<f32, [1]>
// CHECK:         kernel.for [[B:%.+]] = %{{.+}} to [[BLOCKS]] step
// CHECK-NEXT:      [[FIRST:%.+]] = arith.muli [[B]], %{{.+}} : index
// CHECK-NEXT:      [[END:%.+]] = arith.addi [[FIRST]], %{{.+}} : index
// CHECK-NEXT:      [[STOP:%.+]] = arith.minsi [[END]], [[N]] : index
// CHECK:           [[SUMS:%.+]] = kernel.for [[I:%.+]] = [[FIRST]] to %{{.+}} step {{.*}} -> (vector<32xf32>) {
// CHECK-NEXT:        [[V:%.+]] = kernel.load [[X]][[[I]]] : vector<32xf32>
// CHECK-NEXT:        arith.addf %{{.+}}, [[V]] : vector<32xf32>
// CHECK:           [[ALL:%.+]] = kernel.if %{{.+}} -> (vector<32xf32>) {
// CHECK:             kernel.load [[X]][%{{.+}}] mask %{{.+}} : vector<32xf32>
// CHECK:           kernel.store [[ALL]], [[SCRATCH]][%{{.+}}]
func.func @long(%x: !tri.tensor<100000xf32>) -> !tri.tensor<f32> {
  %0 = tri.empty : !tri.tensor<f32>
  tri.launch @sum(%x, %0) [100000, 0, 0] : !tri.tensor<100000xf32>, !tri.tensor<f32>
  func.return %0 : !tri.tensor<f32>
}
kernel.func @sum(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, []> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%i] : f32
    kernel.yield %v : f32
  }
  kernel.store %s, %y[]
}
