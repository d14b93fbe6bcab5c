// trilith: {"local": [256], "global": [[0, 1], [1, 1]]}
#pragma OPENCL FP_CONTRACT OFF
#ifndef TRI_DIVIDE_DEFINED
#define TRI_DIVIDE_DEFINED
static inline long tri_divide(long a, long b) {
  return (ulong)(a | b) >> 32 ? (long)((ulong)a / (ulong)b) : (long)((uint)a / (uint)b);
}
#endif
__kernel void constant_pad_0(__global const uchar *p0, const long o0, __global uchar *restrict p1, const long o1, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7, const long n8, const long n9, const long n10) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n6;
  __global float *b1 = (__global float *)(p1 + o1) + n8;
  const long i1 = (long)get_global_id(0);
  if (i1 < n0 * n1) {
    const long i3 = tri_divide(i1, n1);
    const long i2 = i1 - i3 * n1;
    const long v4 = i3 - n2;
    const bool v5 = (ulong)v4 < (ulong)n3;
    const long v6 = v5 ? v4 : 0L;
    const long v7 = i2 - n4;
    const bool v8 = (ulong)v7 < (ulong)n5;
    const long v9 = v8 ? v7 : 0L;
    const float v10 = b0[v6 * n7 + v9];
    const bool v11 = (((uint)v5 & (uint)v8) & 1) != 0;
    const float v12 = v11 ? v10 : as_float((uint)n10);
    b1[i3 * n9 + i2] = v12;
  }
}
