// trilith: {"local": [256], "global": [[0, 1], [1, 1]]}
#pragma OPENCL FP_CONTRACT OFF
#ifndef TRI_FAULT_DEFINED
#define TRI_FAULT_DEFINED
static inline void tri_fault(
    __global int *status, int code, int position, ulong a, ulong b, ulong c) {
  if (atomic_cmpxchg((volatile __global int *)status, 0, code) == 0) {
    __global ulong *details = (__global ulong *)(status + 2);
    status[1] = position;
    details[0] = a;
    details[1] = b;
    details[2] = c;
  }
}
#endif
#ifndef TRI_DIVIDE_DEFINED
#define TRI_DIVIDE_DEFINED
static inline long tri_divide(long a, long b) {
  return (ulong)(a | b) >> 32 ? (long)((ulong)a / (ulong)b) : (long)((uint)a / (uint)b);
}
#endif
__kernel void take_at_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, __global uchar *p3, const long o3, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7) {
  __global int *status = (__global int *)(p3 + o3);
  __global const ulong *b0 = (__global const ulong *)(p0 + o0) + n3;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const ulong v1 = (ulong)n2;
  const long i2 = (long)get_global_id(0);
  if (i2 < n0 * n1) {
    const long i4 = tri_divide(i2, n1);
    const long i3 = i2 - i4 * n1;
    const ulong v5 = b0[i4];
    const bool v6 = as_long(v5) < as_long(0uL);
    const ulong v7 = v5 + v1;
    const ulong v8 = v6 ? v7 : v5;
    const bool v9 = as_long(v8) < as_long(0uL);
    const bool v10 = as_long(v8) >= as_long(v1);
    const bool v11 = (((uint)v9 | (uint)v10) & 1) != 0;
    if (v11) tri_fault(status, 6, 0, v5, 0uL, v1);
    const ulong v12 = v11 ? 0uL : v8;
    const long v13 = (long)as_long(v12);
    const float v14 = b1[i3 + v13 * n5];
    b2[i4 * n7 + i3] = v14;
  }
}
