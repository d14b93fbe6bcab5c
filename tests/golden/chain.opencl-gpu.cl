// trilith: {"local": [256], "global": [[0, 1]]}
#pragma OPENCL FP_CONTRACT OFF
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
  const long i1 = (long)get_global_id(0);
  if (i1 < n0) {
    const float v2 = b0[i1];
    const float v3 = v2 * as_float((uint)n4);
    const float v4 = b1[i1];
    const float v5 = v3 + v4;
    const float v6 = v5 * v5;
    const float v7 = v6 * v5;
    const float v8 = TRI_FMA32(v6, (-0x1.7562120000000p-8f), 0x1.520b200000000p-6f);
    const float v9 = TRI_FMA32(v8, v6, (-0x1.b838520000000p-5f));
    const float v10 = TRI_FMA32(v9, v6, 0x1.11070a0000000p-3f);
    const float v11 = TRI_FMA32(v10, v6, (-0x1.5555320000000p-2f));
    const float v12 = TRI_FMA32(v7, v11, v5);
    const float v13 = TRI_FABS32(v5);
    const float v14 = v13 * 0x1.0000000000000p+1f;
    const bool v15 = v14 > 0x1.4000000000000p+4f;
    const float v16 = v15 ? 0x1.4000000000000p+4f : v14;
    const float v17 = TRI_FMA32(v16, 0x1.7154760000000p+0f, 0x1.8000000000000p+23f);
    const float v18 = v17 - 0x1.8000000000000p+23f;
    const uint v19 = as_uint(v17);
    const float v20 = TRI_FMA32(v18, (-0x1.62e4000000000p-1f), v16);
    const float v21 = TRI_FMA32(v18, (-0x1.7f7d1c0000000p-20f), v20);
    const float v22 = TRI_FMA32(v21, 0x1.6a24120000000p-10f, 0x1.1239e20000000p-7f);
    const float v23 = TRI_FMA32(v22, v21, 0x1.5558f20000000p-5f);
    const float v24 = TRI_FMA32(v23, v21, 0x1.5554920000000p-3f);
    const float v25 = TRI_FMA32(v24, v21, 0x1.fffffc0000000p-2f);
    const float v26 = v21 * v21;
    const float v27 = TRI_FMA32(v25, v26, v21);
    const uint v28 = v19 << 23u;
    const uint v29 = v28 + 1065353216u;
    const float v30 = as_float(v29);
    const float v31 = TRI_FMA32(v30, v27, v30);
    const float v32 = v31 + 0x1.0000000000000p+0f;
    const float v33 = (-0x1.0000000000000p+1f) / v32;
    const float v34 = v33 + 0x1.0000000000000p+0f;
    const bool v35 = v13 < 0x1.4000000000000p-1f;
    const float v36 = v35 ? v12 : v34;
    const float v37 = tri_copysign32(v36, v5);
    const float v38 = -v4;
    const float v39 = v38 * v4;
    const bool v40 = v39 > 0x1.6400000000000p+6f;
    const float v41 = v40 ? 0x1.6400000000000p+6f : v39;
    const bool v42 = v41 < (-0x1.a200000000000p+6f);
    const float v43 = v42 ? (-0x1.a200000000000p+6f) : v41;
    const float v44 = TRI_FMA32(v43, 0x1.7154760000000p+0f, 0x1.8000000000000p+23f);
    const float v45 = v44 - 0x1.8000000000000p+23f;
    const uint v46 = as_uint(v44);
    const float v47 = TRI_FMA32(v45, (-0x1.62e4000000000p-1f), v43);
    const float v48 = TRI_FMA32(v45, (-0x1.7f7d1c0000000p-20f), v47);
    const float v49 = TRI_FMA32(v48, 0x1.6a24120000000p-10f, 0x1.1239e20000000p-7f);
    const float v50 = TRI_FMA32(v49, v48, 0x1.5558f20000000p-5f);
    const float v51 = TRI_FMA32(v50, v48, 0x1.5554920000000p-3f);
    const float v52 = TRI_FMA32(v51, v48, 0x1.fffffc0000000p-2f);
    const float v53 = v48 * v48;
    const float v54 = TRI_FMA32(v52, v53, v48);
    const uint v55 = v46 >> 1u;
    const uint v56 = v55 << 23u;
    const uint v57 = v56 + 1065353216u;
    const float v58 = as_float(v57);
    const uint v59 = v46 - v55;
    const uint v60 = v59 << 23u;
    const uint v61 = v60 + 1065353216u;
    const float v62 = as_float(v61);
    const float v63 = TRI_FMA32(v58, v54, v58);
    const float v64 = v63 * v62;
    const float v65 = v37 * v64;
    const float v66 = v65 + v2;
    b2[i1] = v66;
  }
}
