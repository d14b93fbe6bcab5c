// trilith: {"local": [256], "groups": [[0, 32], [1, 32]]}
#pragma OPENCL FP_CONTRACT OFF
#ifndef TRI_DIVIDE_DEFINED
#define TRI_DIVIDE_DEFINED
static inline long tri_divide(long a, long b) {
  return (ulong)(a | b) >> 32 ? (long)((ulong)a / (ulong)b) : (long)((uint)a / (uint)b);
}
#endif
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void add_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7) {
  __local float s11[1055];
  __global const float *b0 = (__global const float *)(p0 + o0) + n2;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const long v1 = n0 + 31L;
  const long v2 = (long)((ulong)v1 / (ulong)32L);
  const long v3 = n1 + 31L;
  const long v4 = (long)((ulong)v3 / (ulong)32L);
  const long i5 = (long)get_group_id(0);
  const long i6 = (long)get_local_id(0);
  const long i8 = tri_divide(i5, v4);
  const long i7 = i5 - i8 * v4;
  const long v9 = i8 * 32L;
  const long v10 = i7 * 32L;
  for (long i12 = 0L; i12 < 1024L; i12 += 256L) {
    const long v13 = i12 + i6;
    const long v14 = (long)((ulong)v13 >> (ulong)5L);
    const long v15 = v13 & 31L;
    const long v16 = v9 + v15;
    const long v17 = v10 + v14;
    const long v18 = n0 - 1L;
    const long v19 = v16 < v18 ? v16 : v18;
    const long v20 = n1 - 1L;
    const long v21 = v17 < v20 ? v17 : v20;
    const float v22 = b1[v19 + v21 * n5];
    s11[v14 * 33L + v15] = v22;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long i23 = 0L; i23 < 1024L; i23 += 256L) {
    const long v24 = i23 + i6;
    const long v25 = (long)((ulong)v24 >> (ulong)5L);
    const long v26 = v24 & 31L;
    const long v27 = v9 + v25;
    const long v28 = v10 + v26;
    const bool v29 = v27 < n0;
    const bool v30 = v28 < n1;
    const bool v31 = (((uint)v29 & (uint)v30) & 1) != 0;
    if (v31) {
      const float v32 = (b0 + v27 * n3 + v10)[v26];
      const float v33 = s11[v26 * 33L + v25];
      const float v34 = v32 + v33;
      b2[v27 * n7 + v28] = v34;
    }
  }
}
