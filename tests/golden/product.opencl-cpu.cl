// trilith: {"local": [1], "global": [[0, 1], [1, 128]]}
#pragma OPENCL FP_CONTRACT OFF
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
          const float v32 = v30 * v31;
          const float v33 = v29 + v32;
          const float v34 = b0[i5 * n4 + v22];
          const float v35 = b1[v26 + v22 * n6];
          const float v36 = v34 * v35;
          const float v37 = v33 + v36;
          const float v38 = b0[i5 * n4 + v23];
          const float v39 = b1[v26 + v23 * n6];
          const float v40 = v38 * v39;
          const float v41 = v37 + v40;
          const float v42 = b0[i5 * n4 + v24];
          const float v43 = b1[v26 + v24 * n6];
          const float v44 = v42 * v43;
          const float v45 = v41 + v44;
          a10[i20 * 128L + i25] = v45;
        }
      }
    }
    for (long i46 = v18; i46 < n2; i46 += 1L) {
      const long v47 = i46 & 0L;
      for (long i48 = 0L; i48 < v9; i48 += 1L) {
        const long v49 = v6 + i48;
        const float v50 = a10[v47 * 128L + i48];
        const bool v51 = i46 < 1L;
        const float v52 = v51 ? 0x0.0p+0f : v50;
        const float v53 = b0[i5 * n4 + i46];
        const float v54 = b1[v49 + i46 * n6];
        const float v55 = v53 * v54;
        const float v56 = v52 + v55;
        a10[v47 * 128L + i48] = v56;
      }
    }
    for (long i57 = 0L; i57 < v9; i57 += 1L) {
      const long v58 = v6 + i57;
      const float v59 = a10[i57];
      b2[i5 * n8 + v58] = v59;
    }
  }
}
