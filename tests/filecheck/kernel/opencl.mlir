// RUN: trilith-opt %s -p kernel-expand-math,"kernel-schedule{target=opencl-cpu}" -t tri-opencl | filecheck %s
// RUN: trilith-opt %s -p kernel-expand-math,"kernel-schedule{target=opencl-gpu}" -t tri-opencl | filecheck %s --check-prefix=GPU
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-cpu}" | filecheck %s --check-prefix=IR

// The first line says how many work items there are; two arguments for each pointer, the status word
// among them, then the integers; a scalar is the low bits of its integer; constants are exact; no
// built-in function is called where clang has an intrinsic. A work item walks a strip of rows.

// CHECK:      // trilith: {"local": [1], "global": {{\[\[}}0, 16], [1, 4096]]}
// CHECK-NEXT: #pragma OPENCL FP_CONTRACT OFF
// CHECK:      #define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
// CHECK:      #define TRI_FMA32(a, b, c) fma(a, b, c)
// CHECK:      atomic_cmpxchg(
// CHECK:      __kernel void scale(__global const uchar *restrict p0, const long o0, __global uchar *restrict p1, const long o1, __global uchar *p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6) {
// CHECK-NEXT:   __global int *status = (__global int *)(p2 + o2);
// CHECK-NEXT:   __global const float *b0 = (__global const float *)(p0 + o0) + n2;
// CHECK-NEXT:   __global float *b1 = (__global float *)(p1 + o1) + n4;
// CHECK:        const long [[ITEM:i[0-9]+]] = (long)get_global_id(0);
// CHECK-NEXT:   if ([[ITEM]] < [[ROWS:v[0-9]+]] * [[STRIPS:v[0-9]+]]) {
// CHECK:          for (long [[I:i[0-9]+]] =
// CHECK-NEXT:       for (long [[J:i[0-9]+]] =
// CHECK-NEXT:         const float [[V:v[0-9]+]] = b0[[[I]] * n3 + [[J]]];
// CHECK-NEXT:         const float [[P:v[0-9]+]] = [[V]] * as_float((uint)n6);
// CHECK-NEXT:         const float [[M:v[0-9]+]] = tri_maximum32([[P]], 0x1.99999a0000000p-4f);
// CHECK-NEXT:         const float [[Q:v[0-9]+]] = TRI_FMA32([[M]], [[M]], [[P]]);
// CHECK-NEXT:         const bool [[BAD:v[0-9]+]] = [[Q]] == 0x0.0p+0f;
// CHECK-NEXT:         if ([[BAD]]) tri_fault(status, 1, 7, 0, 0, 0);
// CHECK-NEXT:         b1[[[I]] * n5 + [[J]]] = [[Q]];

// On a GPU each point is a work item.
// GPU:      // trilith: {"local": [256], "global": {{\[\[}}0, 1], [1, 1]]}
// GPU:      __kernel void scale(
// GPU:        const long [[ITEM:i[0-9]+]] = (long)get_global_id(0);
// GPU-NEXT:   if ([[ITEM]] < n0 * n1) {
// GPU-NEXT:     const long [[I:i[0-9]+]] = tri_divide([[ITEM]], n1);
// GPU-NEXT:     const long [[J:i[0-9]+]] = [[ITEM]] - [[I]] * n1;
// GPU-NEXT:     const float [[V:v[0-9]+]] = b0[[[I]] * n3 + [[J]]];
// GPU-NOT:      for (
// GPU:      // trilith:
kernel.func @scale(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}, %s: f32) {
  %tenth = arith.constant 0.1 : f32
  %zero = arith.constant 0.0 : f32
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    %p = arith.mulf %v, %s : f32
    %r = arith.maximumf %p, %tenth : f32
    %q = math.fma %r, %r, %p : f32
    %bad = arith.cmpf oeq, %q, %zero : f32
    kernel.check %bad, "ZeroDivisionError" at 7
    kernel.store %q, %y[%i, %j]
  }
}

// An operand that lies across is staged in private memory, along its own rows.

// IR-LABEL: kernel.func @across
// IR:         kernel.parallel items
// IR:           [[TILE:%.+]] = kernel.alloc [32, 33] : !kernel.buffer<f32, [33, 1], private>
// IR:           kernel.for [[J:%.+]] =
// IR-NEXT:        kernel.for [[I:%.+]] =
// IR:               [[V:%.+]] = kernel.load %x[[[I]], [[J]]] : f32
// IR-NEXT:          kernel.store [[V]], [[TILE]][
// IR:           kernel.for [[I:%.+]] =
// IR-NEXT:        kernel.for [[J:%.+]] =
// IR:               kernel.load [[TILE]][
// IR:               kernel.store %{{.+}}, %y[[[I]], [[J]]]
// CHECK-LABEL: __kernel void across(
// CHECK:       float a{{[0-9]+}}[1056];
kernel.func @across(%n: index, %m: index,
    %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    kernel.store %v, %y[%i, %j]
  }
}

// The lanes of a reduction are an array, whose loops are told to be vectors.

// CHECK:       // trilith: {"local": [1], "global": {{\[\[}}0, 4]]}
// CHECK:       #pragma clang diagnostic ignored "-Wpass-failed"
// CHECK-LABEL: __kernel void total(
// CHECK:         #pragma clang loop vectorize_width(16)
// CHECK-NEXT:    for (long [[L:i[0-9]+]] = 0L; [[L]] < 16L; [[L]] += 1L) {
kernel.func @total(%rows: index, %n: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%rows) {
    %s = kernel.reduce add (%j) to (%n) {lanes = 16, block = 1024} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%i]
  }
}
