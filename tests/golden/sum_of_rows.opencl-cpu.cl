// trilith: {"local": [1], "global": [[0, 4]]}
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
__kernel void mul_sum_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n2;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const long v1 = n0 + 3L;
  const long v2 = (long)((ulong)v1 / (ulong)4L);
  const long i3 = (long)get_global_id(0);
  if (i3 < v2) {
    const long v4 = i3 * 4L;
    const long v5 = v4 + 4L;
    const long v6 = v5 < n0 ? v5 : n0;
    for (long i7 = v4; i7 < v6; i7 += 1L) {
      const bool v8 = n1 < 32L;
      float c9;
      if (v8) {
        float a10[32];
        a10[0] = 0x0.0p+0f;
        for (long i11 = 0L; i11 < n1; i11 += 1L) {
          const float v12 = b0[i7 * n3 + i11];
          const float v13 = b1[i7 * n5 + i11];
          const float v14 = v12 * v13;
          const float v15 = 0x0.0p+0f + v14;
          const float v16 = 0x0.0p+0f + v15;
          a10[i11] = v16;
        }
        for (long i17 = 0L; i17 < 5L; i17 += 1L) {
          const long v18 = (long)((ulong)16L >> (ulong)i17);
          const long v19 = n1 - v18;
          const long v20 = v18 < v19 ? v18 : v19;
          #pragma clang loop vectorize(disable)
          for (long i21 = 0L; i21 < v20; i21 += 1L) {
            const long v22 = i21 + v18;
            const float v23 = (a10 + v18)[i21];
            const float v24 = a10[i21];
            const float v25 = v24 + v23;
            a10[i21] = v25;
          }
        }
        const float v26 = a10[0];
        c9 = v26;
      } else {
        float a27[32];
        #pragma clang loop vectorize_width(32)
        for (long i28 = 0L; i28 < 32L; i28 += 1L) {
          a27[i28] = 0x0.0p+0f;
        }
        for (long i29 = 0L; i29 < n1; i29 += 16384L) {
          const long v30 = i29 + 16384L;
          const long v31 = v30 < n1 ? v30 : n1;
          float a32[32];
          float a33[32];
          #pragma clang loop vectorize_width(32)
          for (long i34 = 0L; i34 < 32L; i34 += 1L) {
            a32[i34] = 0x0.0p+0f;
          }
          const long v35 = v31 - i29;
          const long v36 = v35 & (-32L);
          const long v37 = i29 + v36;
          for (long i38 = i29; i38 < v37; i38 += 32L) {
            #pragma clang loop vectorize_width(32)
            for (long i39 = 0L; i39 < 32L; i39 += 1L) {
              const long v40 = i38 + i39;
              const float v41 = (b0 + i7 * n3 + i38)[i39];
              const float v42 = (b1 + i7 * n5 + i38)[i39];
              const float v43 = v41 * v42;
              const float v44 = a32[i39];
              const float v45 = v44 + v43;
              a32[i39] = v45;
            }
          }
          #pragma clang loop vectorize_width(32)
          for (long i46 = 0L; i46 < 32L; i46 += 1L) {
            const float v47 = a32[i46];
            a33[i46] = v47;
          }
          #pragma clang loop vectorize(disable)
          for (long i48 = v37; i48 < v31; i48 += 1L) {
            const long v49 = i48 - v37;
            const float v50 = b0[i7 * n3 + i48];
            const float v51 = b1[i7 * n5 + i48];
            const float v52 = v50 * v51;
            const float v53 = a33[v49];
            const float v54 = v53 + v52;
            a33[v49] = v54;
          }
          #pragma clang loop vectorize_width(32)
          for (long i55 = 0L; i55 < 32L; i55 += 1L) {
            const float v56 = a33[i55];
            const float v57 = a27[i55];
            const float v58 = v57 + v56;
            a27[i55] = v58;
          }
        }
        for (long i59 = 0L; i59 < 16L; i59 += 1L) {
          const long v60 = i59 + 16L;
          const float v61 = a27[v60];
          const float v62 = a27[i59];
          const float v63 = v62 + v61;
          a27[i59] = v63;
        }
        for (long i64 = 0L; i64 < 8L; i64 += 1L) {
          const long v65 = i64 + 8L;
          const float v66 = a27[v65];
          const float v67 = a27[i64];
          const float v68 = v67 + v66;
          a27[i64] = v68;
        }
        for (long i69 = 0L; i69 < 4L; i69 += 1L) {
          const long v70 = i69 + 4L;
          const float v71 = a27[v70];
          const float v72 = a27[i69];
          const float v73 = v72 + v71;
          a27[i69] = v73;
        }
        for (long i74 = 0L; i74 < 2L; i74 += 1L) {
          const long v75 = i74 + 2L;
          const float v76 = a27[v75];
          const float v77 = a27[i74];
          const float v78 = v77 + v76;
          a27[i74] = v78;
        }
        for (long i79 = 0L; i79 < 1L; i79 += 1L) {
          const long v80 = i79 + 1L;
          const float v81 = a27[v80];
          const float v82 = a27[i79];
          const float v83 = v82 + v81;
          a27[i79] = v83;
        }
        const float v84 = a27[0];
        c9 = v84;
      }
      b2[i7] = c9;
    }
  }
}
