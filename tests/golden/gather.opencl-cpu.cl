// trilith: {"local": [1], "global": [[0, 16], [1, 4096]]}
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
__kernel void take_at_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, __global uchar *p3, const long o3, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7) {
  __global int *status = (__global int *)(p3 + o3);
  __global const ulong *b0 = (__global const ulong *)(p0 + o0) + n3;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const ulong v1 = (ulong)n2;
  const long v2 = n0 + 15L;
  const long v3 = (long)((ulong)v2 / (ulong)16L);
  const long v4 = n1 + 4095L;
  const long v5 = (long)((ulong)v4 / (ulong)4096L);
  const long i6 = (long)get_global_id(0);
  if (i6 < v3 * v5) {
    const long i8 = (long)((ulong)i6 / (ulong)v5);
    const long i7 = i6 - i8 * v5;
    const long v9 = i8 * 16L;
    const long v10 = v9 + 16L;
    const long v11 = v10 < n0 ? v10 : n0;
    const long v12 = i7 * 4096L;
    const long v13 = v12 + 4096L;
    const long v14 = v13 < n1 ? v13 : n1;
    for (long i15 = v9; i15 < v11; i15 += 1L) {
      for (long i16 = v12; i16 < v14; i16 += 1L) {
        const ulong v17 = b0[i15];
        const bool v18 = as_long(v17) < as_long(0uL);
        const ulong v19 = v17 + v1;
        const ulong v20 = v18 ? v19 : v17;
        const bool v21 = as_long(v20) < as_long(0uL);
        const bool v22 = as_long(v20) >= as_long(v1);
        const bool v23 = (((uint)v21 | (uint)v22) & 1) != 0;
        if (v23) tri_fault(status, 6, 0, v17, 0uL, v1);
        const ulong v24 = v23 ? 0uL : v20;
        const long v25 = (long)as_long(v24);
        const float v26 = b1[i16 + v25 * n5];
        b2[i15 * n7 + i16] = v26;
      }
    }
  }
}
