// trilith: {"local": [1], "global": [[0, 1], [1, 128]]}
#pragma OPENCL FP_CONTRACT OFF
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define TRI_FMA32(a, b, c) fma(a, b, c)
#endif
__kernel void matmul_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7, const long n8) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n3;
  __global const float *b1 = (__global const float *)(p1 + o1) + n5;
  __global float *b2 = (__global float *)(p2 + o2) + n7;
  const long v1 = n1 + 127L;
  const long v2 = (long)((ulong)v1 / (ulong)128L);
  const long i3 = (long)get_global_id(0);
  if (i3 < n0 * v2) {
    const long i5 = (long)((ulong)i3 / (ulong)v2);
    const long i4 = i3 - i5 * v2;
    const long v6 = i4 * 128L;
    const long v7 = v6 + 128L;
    const long v8 = v7 < n1 ? v7 : n1;
    const long v9 = v8 - v6;
    float a10[128];
    const long v11 = n2 < 1L ? n2 : 1L;
    const long v12 = v11 > 1L ? v11 : 1L;
    const bool v13 = n2 > 0L;
    for (long i14 = 0L; i14 < 1L; i14 += 1L) {
      for (long i15 = 0L; i15 < v9; i15 += 1L) {
        a10[i14 * 128L + i15] = 0x0.0p+0f;
      }
    }
    const long v16 = n2 - 0L;
    const long v17 = (long)((ulong)v16 % (ulong)4L);
    const long v18 = n2 - v17;
    for (long i19 = 0L; i19 < v18; i19 += 4L) {
      for (long i20 = 0L; i20 < 1L; i20 += 1L) {
        const long v21 = i19 + i20;
        const long v22 = v21 + 1L;
        const long v23 = v22 + 1L;
        const long v24 = v23 + 1L;
        for (long i25 = 0L; i25 < v9; i25 += 1L) {
          const long v26 = v6 + i25;
          const float v27 = a10[i20 * 128L + i25];
          const bool v28 = i19 < 1L;
          const float v29 = v28 ? 0x0.0p+0f : v27;
          const float v30 = b0[i5 * n4 + v21];
          const float v31 = b1[v26 + v21 * n6];
          const float v32 = TRI_FMA32(v30, v31, v29);
          const float v33 = b0[i5 * n4 + v22];
          const float v34 = b1[v26 + v22 * n6];
          const float v35 = TRI_FMA32(v33, v34, v32);
          const float v36 = b0[i5 * n4 + v23];
          const float v37 = b1[v26 + v23 * n6];
          const float v38 = TRI_FMA32(v36, v37, v35);
          const float v39 = b0[i5 * n4 + v24];
          const float v40 = b1[v26 + v24 * n6];
          const float v41 = TRI_FMA32(v39, v40, v38);
          a10[i20 * 128L + i25] = v41;
        }
      }
    }
    for (long i42 = v18; i42 < n2; i42 += 1L) {
      const long v43 = i42 & 0L;
      for (long i44 = 0L; i44 < v9; i44 += 1L) {
        const long v45 = v6 + i44;
        const float v46 = a10[v43 * 128L + i44];
        const bool v47 = i42 < 1L;
        const float v48 = v47 ? 0x0.0p+0f : v46;
        const float v49 = b0[i5 * n4 + i42];
        const float v50 = b1[v45 + i42 * n6];
        const float v51 = TRI_FMA32(v49, v50, v48);
        a10[v43 * 128L + i44] = v51;
      }
    }
    for (long i52 = 0L; i52 < v9; i52 += 1L) {
      const long v53 = v6 + i52;
      const float v54 = a10[i52];
      b2[i5 * n8 + v53] = v54;
    }
  }
}
