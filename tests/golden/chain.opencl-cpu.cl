// trilith: {"local": [1], "global": [[0, 4096]]}
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#define TRI_FABS32(a) __builtin_fabsf(a)
#else
#define TRI_FMA32(a, b, c) fma(a, b, c)
#define TRI_FABS32(a) fabs(a)
#endif
#ifndef TRI_COPYSIGN32_DEFINED
#define TRI_COPYSIGN32_DEFINED
static inline float tri_copysign32(float a, float b) {
  return as_float((as_uint(a) & 0x7fffffffu) | (as_uint(b) & ~0x7fffffffu));
}
#endif
__kernel void exp_mul_add_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n1;
  __global const float *b1 = (__global const float *)(p1 + o1) + n2;
  __global float *b2 = (__global float *)(p2 + o2) + n3;
  const long v1 = n0 + 4095L;
  const long v2 = (long)((ulong)v1 / (ulong)4096L);
  const long i3 = (long)get_global_id(0);
  if (i3 < v2) {
    const long v4 = i3 * 4096L;
    const long v5 = v4 + 4096L;
    const long v6 = v5 < n0 ? v5 : n0;
    #ifdef __AVX512F__
    #pragma clang loop vectorize_width(16)
    #endif
    for (long i7 = v4; i7 < v6; i7 += 1L) {
      const float v8 = b0[i7];
      const float v9 = v8 * as_float((uint)n4);
      const float v10 = b1[i7];
      const float v11 = v9 + v10;
      const float v12 = v11 * v11;
      const float v13 = v12 * v11;
      const float v14 = TRI_FMA32(v12, (-0x1.7562120000000p-8f), 0x1.520b200000000p-6f);
      const float v15 = TRI_FMA32(v14, v12, (-0x1.b838520000000p-5f));
      const float v16 = TRI_FMA32(v15, v12, 0x1.11070a0000000p-3f);
      const float v17 = TRI_FMA32(v16, v12, (-0x1.5555320000000p-2f));
      const float v18 = TRI_FMA32(v13, v17, v11);
      const float v19 = TRI_FABS32(v11);
      const float v20 = v19 * 0x1.0000000000000p+1f;
      const bool v21 = v20 > 0x1.4000000000000p+4f;
      const float v22 = v21 ? 0x1.4000000000000p+4f : v20;
      const float v23 = TRI_FMA32(v22, 0x1.7154760000000p+0f, 0x1.8000000000000p+23f);
      const float v24 = v23 - 0x1.8000000000000p+23f;
      const uint v25 = as_uint(v23);
      const float v26 = TRI_FMA32(v24, (-0x1.62e4000000000p-1f), v22);
      const float v27 = TRI_FMA32(v24, (-0x1.7f7d1c0000000p-20f), v26);
      const float v28 = TRI_FMA32(v27, 0x1.6a24120000000p-10f, 0x1.1239e20000000p-7f);
      const float v29 = TRI_FMA32(v28, v27, 0x1.5558f20000000p-5f);
      const float v30 = TRI_FMA32(v29, v27, 0x1.5554920000000p-3f);
      const float v31 = TRI_FMA32(v30, v27, 0x1.fffffc0000000p-2f);
      const float v32 = v27 * v27;
      const float v33 = TRI_FMA32(v31, v32, v27);
      const uint v34 = v25 << 23u;
      const uint v35 = v34 + 1065353216u;
      const float v36 = as_float(v35);
      const float v37 = TRI_FMA32(v36, v33, v36);
      const float v38 = v37 + 0x1.0000000000000p+0f;
      const float v39 = (-0x1.0000000000000p+1f) / v38;
      const float v40 = v39 + 0x1.0000000000000p+0f;
      const bool v41 = v19 < 0x1.4000000000000p-1f;
      const float v42 = v41 ? v18 : v40;
      const float v43 = tri_copysign32(v42, v11);
      const float v44 = -v10;
      const float v45 = v44 * v10;
      const bool v46 = v45 > 0x1.6400000000000p+6f;
      const float v47 = v46 ? 0x1.6400000000000p+6f : v45;
      const bool v48 = v47 < (-0x1.a200000000000p+6f);
      const float v49 = v48 ? (-0x1.a200000000000p+6f) : v47;
      const float v50 = TRI_FMA32(v49, 0x1.7154760000000p+0f, 0x1.8000000000000p+23f);
      const float v51 = v50 - 0x1.8000000000000p+23f;
      const uint v52 = as_uint(v50);
      const float v53 = TRI_FMA32(v51, (-0x1.62e4000000000p-1f), v49);
      const float v54 = TRI_FMA32(v51, (-0x1.7f7d1c0000000p-20f), v53);
      const float v55 = TRI_FMA32(v54, 0x1.6a24120000000p-10f, 0x1.1239e20000000p-7f);
      const float v56 = TRI_FMA32(v55, v54, 0x1.5558f20000000p-5f);
      const float v57 = TRI_FMA32(v56, v54, 0x1.5554920000000p-3f);
      const float v58 = TRI_FMA32(v57, v54, 0x1.fffffc0000000p-2f);
      const float v59 = v54 * v54;
      const float v60 = TRI_FMA32(v58, v59, v54);
      const uint v61 = v52 >> 1u;
      const uint v62 = v61 << 23u;
      const uint v63 = v62 + 1065353216u;
      const float v64 = as_float(v63);
      const uint v65 = v52 - v61;
      const uint v66 = v65 << 23u;
      const uint v67 = v66 + 1065353216u;
      const float v68 = as_float(v67);
      const float v69 = TRI_FMA32(v64, v60, v64);
      const float v70 = v69 * v68;
      const float v71 = v43 * v70;
      const float v72 = v71 + v8;
      b2[i7] = v72;
    }
  }
}
