// trilith: {"local": [1], "global": [[0, 16], [1, 4096]]}
#pragma OPENCL FP_CONTRACT OFF
__kernel void constant_pad_0(__global const uchar *p0, const long o0, __global uchar *restrict p1, const long o1, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7, const long n8, const long n9, const long n10) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n6;
  __global float *b1 = (__global float *)(p1 + o1) + n8;
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
      const long v15 = i14 - n2;
      const bool v16 = (ulong)v15 < (ulong)n3;
      const long v17 = v16 ? v15 : 0L;
      const long v18 = n4 + n5;
      const long v19 = n4 > v11 ? n4 : v11;
      const long v20 = v19 < v13 ? v19 : v13;
      const long v21 = v18 > v20 ? v18 : v20;
      const long v22 = v21 < v13 ? v21 : v13;
      if (v16) {
        const long v23 = v20 - v11;
        for (long i24 = 0L; i24 < v23; i24 += 1L) {
          const long v25 = v11 + i24;
          b1[i14 * n9 + v25] = as_float((uint)n10);
        }
        const long v26 = v22 - v20;
        for (long i27 = 0L; i27 < v26; i27 += 1L) {
          const long v28 = v20 + i27;
          const long v29 = v28 - n4;
          const float v30 = b0[v17 * n7 + v29];
          b1[i14 * n9 + v28] = v30;
        }
        const long v31 = v13 - v22;
        for (long i32 = 0L; i32 < v31; i32 += 1L) {
          const long v33 = v22 + i32;
          b1[i14 * n9 + v33] = as_float((uint)n10);
        }
      } else {
        const long v34 = v13 - v11;
        for (long i35 = 0L; i35 < v34; i35 += 1L) {
          const long v36 = v11 + i35;
          b1[i14 * n9 + v36] = as_float((uint)n10);
        }
      }
    }
  }
}
