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
  const long v1 = n0 + 15L;
  const long v2 = (long)((ulong)v1 / (ulong)16L);
  const long v3 = n1 + 4095L;
  const long v4 = (long)((ulong)v3 / (ulong)4096L);
  const long i5 = (long)get_global_id(0);
  if (i5 < v2 * v4) {
    const long i7 = (long)((ulong)i5 / (ulong)v4);
    const long i6 = i5 - i7 * v4;
    const long v8 = i7 * 16L;
    const long v9 = v8 + 16L;
    const long v10 = v9 < n0 ? v9 : n0;
    const long v11 = i6 * 4096L;
    const long v12 = v11 + 4096L;
    const long v13 = v12 < n1 ? v12 : n1;
    for (long i14 = v8; i14 < v10; i14 += 1L) {
      for (long i15 = v11; i15 < v13; i15 += 1L) {
        const ulong v16 = b0[i14];
        const ulong v17 = (ulong)n2;
        const bool v18 = as_long(v16) < as_long(0uL);
        const ulong v19 = v16 + v17;
        const ulong v20 = v18 ? v19 : v16;
        const bool v21 = as_long(v20) < as_long(0uL);
        const bool v22 = as_long(v20) >= as_long(v17);
        const bool v23 = (((uint)v21 | (uint)v22) & 1) != 0;
        if (v23) tri_fault(status, 6, 0, v16, 0uL, v17);
        const ulong v24 = v23 ? 0uL : v20;
        const long v25 = (long)as_long(v24);
        const float v26 = b1[i15 + v25 * n5];
        b2[i14 * n7 + i15] = v26;
      }
    }
  }
}
