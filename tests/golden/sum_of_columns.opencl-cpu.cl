// trilith: {"local": [1], "global": [[0, 128]]}
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
__kernel void mul_sum_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n2;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const long v1 = n0 + 127L;
  const long v2 = (long)((ulong)v1 / (ulong)128L);
  const long i3 = (long)get_global_id(0);
  if (i3 < v2) {
    const long v4 = i3 * 128L;
    const long v5 = v4 + 128L;
    const long v6 = v5 < n0 ? v5 : n0;
    const long v7 = v6 - v4;
    float a8[4096];
    float a9[4096];
    const long v10 = n1 < 32L ? n1 : 32L;
    const long v11 = v10 > 1L ? v10 : 1L;
    const bool v12 = n1 > 16384L;
    for (long i13 = 0L; i13 < 1L; i13 += 1L) {
      for (long i14 = 0L; i14 < v7; i14 += 1L) {
        a8[i13 * 128L + i14] = 0x0.0p+0f;
      }
    }
    if (v12) {
      for (long i15 = 0L; i15 < v11; i15 += 1L) {
        for (long i16 = 0L; i16 < v7; i16 += 1L) {
          a9[i15 * 128L + i16] = 0x0.0p+0f;
        }
      }
    }
    for (long i17 = 0L; i17 < n1; i17 += 16384L) {
      const long v18 = i17 + 16384L;
      const long v19 = v18 < n1 ? v18 : n1;
      const long v20 = v19 - i17;
      const long v21 = (long)((ulong)v20 % (ulong)128L);
      const long v22 = v19 - v21;
      for (long i23 = i17; i23 < v22; i23 += 128L) {
        for (long i24 = 0L; i24 < 32L; i24 += 1L) {
          const long v25 = i23 + i24;
          const long v26 = v25 + 32L;
          const long v27 = v26 + 32L;
          const long v28 = v27 + 32L;
          for (long i29 = 0L; i29 < v7; i29 += 1L) {
            const long v30 = v4 + i29;
            const float v31 = a8[i24 * 128L + i29];
            const bool v32 = i23 < 32L;
            const float v33 = v32 ? 0x0.0p+0f : v31;
            const float v34 = b0[v30 + v25 * n3];
            const float v35 = b1[v30 + v25 * n5];
            const float v36 = v34 * v35;
            const float v37 = v33 + v36;
            const float v38 = b0[v30 + v26 * n3];
            const float v39 = b1[v30 + v26 * n5];
            const float v40 = v38 * v39;
            const float v41 = v37 + v40;
            const float v42 = b0[v30 + v27 * n3];
            const float v43 = b1[v30 + v27 * n5];
            const float v44 = v42 * v43;
            const float v45 = v41 + v44;
            const float v46 = b0[v30 + v28 * n3];
            const float v47 = b1[v30 + v28 * n5];
            const float v48 = v46 * v47;
            const float v49 = v45 + v48;
            a8[i24 * 128L + i29] = v49;
          }
        }
      }
      for (long i50 = v22; i50 < v19; i50 += 1L) {
        const long v51 = i50 & 31L;
        for (long i52 = 0L; i52 < v7; i52 += 1L) {
          const long v53 = v4 + i52;
          const float v54 = a8[v51 * 128L + i52];
          const bool v55 = i50 < 32L;
          const float v56 = v55 ? 0x0.0p+0f : v54;
          const float v57 = b0[v53 + i50 * n3];
          const float v58 = b1[v53 + i50 * n5];
          const float v59 = v57 * v58;
          const float v60 = v56 + v59;
          a8[v51 * 128L + i52] = v60;
        }
      }
      if (v12) {
        #pragma clang loop vectorize(disable)
        for (long i61 = 0L; i61 < v11; i61 += 1L) {
          #pragma clang loop vectorize(disable)
          for (long i62 = 0L; i62 < v7; i62 += 1L) {
            const float v63 = a8[i61 * 128L + i62];
            const float v64 = a9[i61 * 128L + i62];
            const float v65 = v64 + v63;
            a9[i61 * 128L + i62] = v65;
            a8[i61 * 128L + i62] = 0x0.0p+0f;
          }
        }
      }
    }
    if (v12) {
      #pragma clang loop vectorize(disable)
      for (long i66 = 0L; i66 < v11; i66 += 1L) {
        #pragma clang loop vectorize(disable)
        for (long i67 = 0L; i67 < v7; i67 += 1L) {
          const float v68 = a9[i66 * 128L + i67];
          a8[i66 * 128L + i67] = v68;
        }
      }
    }
    for (long i69 = 0L; i69 < 5L; i69 += 1L) {
      const long v70 = (long)((ulong)16L >> (ulong)i69);
      const long v71 = v11 - v70;
      const long v72 = v70 < v71 ? v70 : v71;
      for (long i73 = 0L; i73 < v72; i73 += 1L) {
        for (long i74 = 0L; i74 < v7; i74 += 1L) {
          const long v75 = i73 + v70;
          const float v76 = a8[v75 * 128L + i74];
          const float v77 = a8[i73 * 128L + i74];
          const float v78 = v77 + v76;
          a8[i73 * 128L + i74] = v78;
        }
      }
    }
    for (long i79 = 0L; i79 < v7; i79 += 1L) {
      const long v80 = v4 + i79;
      const float v81 = a8[i79];
      b2[v80] = v81;
    }
  }
}
