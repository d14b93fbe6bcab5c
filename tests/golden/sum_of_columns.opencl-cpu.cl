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
            const float v34 = (b0 + v4 + v25 * n3)[i29];
            const float v35 = (b1 + v4 + v25 * n5)[i29];
            const float v36 = v34 * v35;
            const float v37 = v33 + v36;
            const float v38 = (b0 + v4 + v26 * n3)[i29];
            const float v39 = (b1 + v4 + v26 * n5)[i29];
            const float v40 = v38 * v39;
            const float v41 = v37 + v40;
            const float v42 = (b0 + v4 + v27 * n3)[i29];
            const float v43 = (b1 + v4 + v27 * n5)[i29];
            const float v44 = v42 * v43;
            const float v45 = v41 + v44;
            const float v46 = (b0 + v4 + v28 * n3)[i29];
            const float v47 = (b1 + v4 + v28 * n5)[i29];
            const float v48 = v46 * v47;
            const float v49 = v45 + v48;
            a8[i24 * 128L + i29] = v49;
          }
        }
      }
      const long v50 = v21 < 32L ? v21 : 32L;
      for (long i51 = 0L; i51 < v50; i51 += 1L) {
        const long v52 = v22 + i51;
        for (long i53 = 0L; i53 < v7; i53 += 1L) {
          const long v54 = v4 + i53;
          const float v55 = a8[i51 * 128L + i53];
          const bool v56 = v22 < 32L;
          const float v57 = v56 ? 0x0.0p+0f : v55;
          float c58 = v57;
          for (long i59 = v52; i59 < v19; i59 += 32L) {
            const float v60 = (b0 + v4 + i59 * n3)[i53];
            const float v61 = (b1 + v4 + i59 * n5)[i53];
            const float v62 = v60 * v61;
            const float v63 = c58 + v62;
            c58 = v63;
          }
          a8[i51 * 128L + i53] = c58;
        }
      }
      if (v12) {
        #pragma clang loop vectorize(disable)
        for (long i64 = 0L; i64 < v11; i64 += 1L) {
          #pragma clang loop vectorize(disable)
          for (long i65 = 0L; i65 < v7; i65 += 1L) {
            const float v66 = a8[i64 * 128L + i65];
            const float v67 = a9[i64 * 128L + i65];
            const float v68 = v67 + v66;
            a9[i64 * 128L + i65] = v68;
            a8[i64 * 128L + i65] = 0x0.0p+0f;
          }
        }
      }
    }
    if (v12) {
      #pragma clang loop vectorize(disable)
      for (long i69 = 0L; i69 < v11; i69 += 1L) {
        #pragma clang loop vectorize(disable)
        for (long i70 = 0L; i70 < v7; i70 += 1L) {
          const float v71 = a9[i69 * 128L + i70];
          a8[i69 * 128L + i70] = v71;
        }
      }
    }
    for (long i72 = 0L; i72 < 5L; i72 += 1L) {
      const long v73 = (long)((ulong)16L >> (ulong)i72);
      const long v74 = v11 - v73;
      const long v75 = v73 < v74 ? v73 : v74;
      for (long i76 = 0L; i76 < v75; i76 += 1L) {
        for (long i77 = 0L; i77 < v7; i77 += 1L) {
          const long v78 = i76 + v73;
          const float v79 = a8[v78 * 128L + i77];
          const float v80 = a8[i76 * 128L + i77];
          const float v81 = v80 + v79;
          a8[i76 * 128L + i77] = v81;
        }
      }
    }
    for (long i82 = 0L; i82 < v7; i82 += 1L) {
      const long v83 = v4 + i82;
      const float v84 = a8[i82];
      b2[v83] = v84;
    }
  }
}
