// RUN: trilith-opt %s -p tri-promote-types | filecheck %s --check-prefix=PROMOTED
// RUN: trilith-opt %s -p tri-promote-types,tri-fuse | filecheck %s --check-prefix=FUSED
// RUN: trilith-opt %s -p tri-promote-types,tri-fuse,tri-lower-to-kernel | filecheck %s --check-prefix=LOWERED
// RUN: trilith-opt %s -p tri-promote-types,tri-fuse,tri-lower-to-kernel | trilith-opt -p kernel-plan-buffers | filecheck %s --check-prefix=PLANNED
// RUN: trilith-opt %s --target-pipeline cpu -t tri-llvm | filecheck %s --check-prefix=LLVM
// RUN: trilith-opt %s --target-pipeline opencl -t tri-opencl | filecheck %s --check-prefix=OPENCL

// Passes run on symbols as they do on numbers; what they ask becomes a guard.

// PROMOTED-LABEL: func.func @softmax(%x: !tri.tensor<(n)x(m)xui8>) -> !tri.tensor<(n)x(m)xf32>
// PROMOTED:         tri.cast %x {dtype = f32} : !tri.tensor<(n)x(m)xui8> -> !tri.tensor<(n)x(m)xf32>
// FUSED-LABEL:  func.func @softmax(
// FUSED:          tri.fusion ({{.*}} : !tri.tensor<(n)x(m)xui8>) -> (!tri.tensor<(n)x(m)xf32>)
// FUSED:          tri.fusion ({{.*}} : !tri.tensor<(n)x(m)xf32>) -> (!tri.tensor<(n)x1xf32>)
// FUSED:          tri.fusion ({{.*}} : !tri.tensor<(n)x1xf32>) -> (!tri.tensor<(n)x(m)xf32>)
// LOWERED-LABEL: func.func @softmax(
// LOWERED-SAME:    tri.symbols = #tri.symbols<n = 40, m = 44>, tri.guards = #tri.guards<[m > 15]>
// LOWERED:        tri.launch @cast_exp_0(%x, %0) [m*n, 0, 0] : !tri.tensor<(n)x(m)xui8>, !tri.tensor<(n)x(m)xf32>
// LOWERED:        tri.launch @sum_1(%0, %1) [n, m, 0, m, 0] :
// LOWERED:        tri.launch @true_divide_2(%0, %1, %2) [n, m, 0, m, 0, 0, m] :
// PLANNED-LABEL: func.func @softmax(
// PLANNED:        tri.empty in arena[64*((4*m*n) ceildiv 64)] : !tri.tensor<(n)x1xf32>
// LLVM:         define
// OPENCL:       kernel void
func.func @softmax(%x: !tri.tensor<(n)x(m)xui8>) -> !tri.tensor<(n)x(m)xf32> attributes {tri.symbols = #tri.symbols<n = 40, m = 44>} {
  %0 = tri.exp %x : !tri.tensor<(n)x(m)xui8> -> !tri.tensor<(n)x(m)xf32>
  %1 = tri.sum %0 {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<(n)x(m)xf32> -> !tri.tensor<(n)x1xf32>
  %2 = tri.true_divide %0, %1 : !tri.tensor<(n)x(m)xf32>, !tri.tensor<(n)x1xf32> -> !tri.tensor<(n)x(m)xf32>
  func.return %2 : !tri.tensor<(n)x(m)xf32>
}

// What a pass asks: whether a slice of all but the ends can be read as one row.
// LOWERED-LABEL: func.func @windows(%x: !tri.tensor<(n)xf32>) -> !tri.tensor<(n - 2)xf32>
// LOWERED-SAME:    tri.symbols = #tri.symbols<n = 40>, tri.guards = #tri.guards<[n > 3]>
// LOWERED:        tri.launch @add_{{[0-9]+}}(%x, %x, %0) [n - 2, 0, 2, 0] :
func.func @windows(%x: !tri.tensor<(n)xf32>) -> !tri.tensor<(n - 2)xf32> {
  %0 = tri.slice %x {end = #tri.size<n - 2>} : !tri.tensor<(n)xf32> -> !tri.tensor<(n - 2)xf32>
  %1 = tri.slice %x {start = 2 : i64, end = #tri.size<n>} : !tri.tensor<(n)xf32> -> !tri.tensor<(n - 2)xf32>
  %2 = tri.add %0, %1 : !tri.tensor<(n - 2)xf32>, !tri.tensor<(n - 2)xf32> -> !tri.tensor<(n - 2)xf32>
  func.return %2 : !tri.tensor<(n - 2)xf32>
}
