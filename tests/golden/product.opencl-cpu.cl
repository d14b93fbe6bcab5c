// trilith: {"local": [1], "global": [[0, 128], [1, 128]]}
#pragma OPENCL FP_CONTRACT OFF
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define TRI_FMA32(a, b, c) fma(a, b, c)
#endif
#ifndef TRI_PREFETCH_DEFINED
#define TRI_PREFETCH_DEFINED
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_PREFETCH(place, kept) __builtin_prefetch((const void *)(uintptr_t)(place), 0, kept)
#else
#define TRI_PREFETCH(place, kept)
#endif
#endif
#ifndef TRI_HAS_512_DEFINED
#define TRI_HAS_512_DEFINED
#ifdef __AVX512F__
#define TRI_HAS_512 true
#else
#define TRI_HAS_512 false
#endif
#endif
#ifndef TRI_GET_FLOAT8_GLOBAL_DEFINED
#define TRI_GET_FLOAT8_GLOBAL_DEFINED
static inline float8 tri_get_float8_global(
    __global const float *place, long step, long count) {
  if (step == 1 && count >= 8) return vload8(0, place);
  float lanes[8];
  for (int i = 0; i < 8; i += 1)
    lanes[i] = i < count ? place[i * step] : 0;
  return vload8(0, lanes);
}
#endif
#ifndef TRI_PUT_FLOAT8_GLOBAL_DEFINED
#define TRI_PUT_FLOAT8_GLOBAL_DEFINED
static inline void tri_put_float8_global(
    float8 value, __global float *place, long step, long count) {
  if (step == 1 && count >= 8) {
    vstore8(value, 0, place);
    return;
  }
  float lanes[8];
  vstore8(value, 0, lanes);
  for (int i = 0; i < 8; i += 1)
    if (i < count) place[i * step] = lanes[i];
}
#endif
__kernel void matmul_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7, const long n8) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n3;
  __global const float *b1 = (__global const float *)(p1 + o1) + n5;
  __global float *b2 = (__global float *)(p2 + o2) + n7;
  const float16 v1 = (float16)(0x0.0p+0f);
  const float8 v2 = (float8)(0x0.0p+0f);
  const long v3 = n0 + 127L;
  const long v4 = (long)((ulong)v3 / (ulong)128L);
  const long v5 = n1 + 127L;
  const long v6 = (long)((ulong)v5 / (ulong)128L);
  const long i7 = (long)get_global_id(0);
  if (i7 < v4 * v6) {
    const long i9 = (long)((ulong)i7 / (ulong)v6);
    const long i8 = i7 - i9 * v6;
    const long v10 = v4 * 8L;
    const long v11 = v10 - 1L;
    const long v12 = n0 + v11;
    const long v13 = (long)((ulong)v12 / (ulong)v10);
    const long v14 = v13 * 8L;
    const long v15 = i9 * v14;
    const long v16 = v15 < n0 ? v15 : n0;
    const long v17 = v16 + v14;
    const long v18 = v17 < n0 ? v17 : n0;
    const long v19 = i8 * 128L;
    const long v20 = v19 + 128L;
    const long v21 = v20 < n1 ? v20 : n1;
    const long v22 = v18 - v16;
    const long v23 = n2 * v21;
    const bool v24 = v22 >= 16L;
    const bool v25 = v22 >= 5L;
    const bool v26 = v23 >= 524288L;
    const bool v27 = (((uint)v25 & (uint)v26) & 1) != 0;
    const bool v28 = (((uint)v24 | (uint)v27) & 1) != 0;
    if (v28) {
      if (TRI_HAS_512) {
        float a29[12288] __attribute__((aligned(64)));
        const long v30 = n2 > 1L ? n2 : 1L;
        const long v31 = v30 - 1L;
        const long v32 = (long)((ulong)v31 / (ulong)384L);
        const long v33 = v32 + 1L;
        const long v34 = v30 - 1L;
        const long v35 = (long)((ulong)v34 / (ulong)v33);
        const long v36 = v35 + 1L;
        for (long i37 = 0L; i37 < v30; i37 += v36) {
          const long v38 = n2 - i37;
          const long v39 = v38 < v36 ? v38 : v36;
          for (long i40 = 0L; i40 < v22; i40 += 192L) {
            const long v41 = i40 + 192L;
            const long v42 = v41 < v22 ? v41 : v22;
            const long v43 = v42 - i40;
            const long v44 = v43 - 1L;
            const long v45 = (long)((ulong)v44 / (ulong)8L);
            const long v46 = v45 + 1L;
            const long v47 = v39 - 1L;
            const long v48 = (long)((ulong)v47 / (ulong)v46);
            const long v49 = v48 + 1L;
            const long v50 = v39 > 1L ? v39 : 1L;
            const long v51 = (long)((ulong)96L / (ulong)v50);
            const long v52 = v51 > 1L ? v51 : 1L;
            const long v53 = 32L * v52;
            for (long i54 = v19; i54 < v21; i54 += v53) {
              const long v55 = v21 - i54;
              const long v56 = v55 < v53 ? v55 : v53;
              const long v57 = (long)((ulong)v56 / (ulong)32L);
              const bool v58 = v57 > 0L;
              if (v58) {
                for (long i59 = 0L; i59 < v57; i59 += 1L) {
                  const long v60 = i59 * 32L;
                  const long v61 = i59 * v39;
                  const long v62 = i54 + v60;
                  const long v63 = v62 + 16L;
                  for (long i64 = 0L; i64 < v39; i64 += 1L) {
                    const long v65 = i37 + i64;
                    const long v66 = v61 + i64;
                    const float16 v67 = vload16(0, &b1[v62 + v65 * n6]);
                    vstore16(v67, 0, &a29[v66 * 32L]);
                    const long v68 = v61 + i64;
                    const float16 v69 = vload16(0, &b1[v63 + v65 * n6]);
                    vstore16(v69, 0, &a29[v68 * 32L + 16L]);
                  }
                }
                for (long i70 = i40; i70 < v42; i70 += 8L) {
                  const long v71 = v22 - 1L;
                  const long v72 = i70 + v16;
                  const long v73 = i70 + 1L;
                  const long v74 = v73 < v71 ? v73 : v71;
                  const long v75 = v74 + v16;
                  const long v76 = i70 + 2L;
                  const long v77 = v76 < v71 ? v76 : v71;
                  const long v78 = v77 + v16;
                  const long v79 = i70 + 3L;
                  const long v80 = v79 < v71 ? v79 : v71;
                  const long v81 = v80 + v16;
                  const long v82 = i70 + 4L;
                  const long v83 = v82 < v71 ? v82 : v71;
                  const long v84 = v83 + v16;
                  const long v85 = i70 + 5L;
                  const long v86 = v85 < v71 ? v85 : v71;
                  const long v87 = v86 + v16;
                  const long v88 = i70 + 6L;
                  const long v89 = v88 < v71 ? v88 : v71;
                  const long v90 = v89 + v16;
                  const long v91 = i70 + 7L;
                  const long v92 = v91 < v71 ? v91 : v71;
                  const long v93 = v92 + v16;
                  const long v94 = i70 - i40;
                  const long v95 = (long)((ulong)v94 / (ulong)8L);
                  const long v96 = i70 + 8L;
                  const long v97 = v22 - 1L;
                  for (long i98 = 0L; i98 < v57; i98 += 1L) {
                    const long v99 = i98 * 32L;
                    const long v100 = i98 * v39;
                    const long v101 = i54 + v99;
                    const long v102 = v101 + 16L;
                    const bool v103 = i37 == 0L;
                    float16 c104;
                    float16 c105;
                    float16 c106;
                    float16 c107;
                    float16 c108;
                    float16 c109;
                    float16 c110;
                    float16 c111;
                    float16 c112;
                    float16 c113;
                    float16 c114;
                    float16 c115;
                    float16 c116;
                    float16 c117;
                    float16 c118;
                    float16 c119;
                    if (v103) {
                      c104 = v1;
                      c105 = v1;
                      c106 = v1;
                      c107 = v1;
                      c108 = v1;
                      c109 = v1;
                      c110 = v1;
                      c111 = v1;
                      c112 = v1;
                      c113 = v1;
                      c114 = v1;
                      c115 = v1;
                      c116 = v1;
                      c117 = v1;
                      c118 = v1;
                      c119 = v1;
                    } else {
                      const float16 v120 = vload16(0, &b2[v72 * n8 + v101]);
                      const float16 v121 = vload16(0, &b2[v75 * n8 + v101]);
                      const float16 v122 = vload16(0, &b2[v78 * n8 + v101]);
                      const float16 v123 = vload16(0, &b2[v81 * n8 + v101]);
                      const float16 v124 = vload16(0, &b2[v84 * n8 + v101]);
                      const float16 v125 = vload16(0, &b2[v87 * n8 + v101]);
                      const float16 v126 = vload16(0, &b2[v90 * n8 + v101]);
                      const float16 v127 = vload16(0, &b2[v93 * n8 + v101]);
                      const float16 v128 = vload16(0, &b2[v72 * n8 + v102]);
                      const float16 v129 = vload16(0, &b2[v75 * n8 + v102]);
                      const float16 v130 = vload16(0, &b2[v78 * n8 + v102]);
                      const float16 v131 = vload16(0, &b2[v81 * n8 + v102]);
                      const float16 v132 = vload16(0, &b2[v84 * n8 + v102]);
                      const float16 v133 = vload16(0, &b2[v87 * n8 + v102]);
                      const float16 v134 = vload16(0, &b2[v90 * n8 + v102]);
                      const float16 v135 = vload16(0, &b2[v93 * n8 + v102]);
                      c104 = v120;
                      c105 = v128;
                      c106 = v121;
                      c107 = v129;
                      c108 = v122;
                      c109 = v130;
                      c110 = v123;
                      c111 = v131;
                      c112 = v124;
                      c113 = v132;
                      c114 = v125;
                      c115 = v133;
                      c116 = v126;
                      c117 = v134;
                      c118 = v127;
                      c119 = v135;
                    }
                    float16 c136 = c104;
                    float16 c137 = c105;
                    float16 c138 = c106;
                    float16 c139 = c107;
                    float16 c140 = c108;
                    float16 c141 = c109;
                    float16 c142 = c110;
                    float16 c143 = c111;
                    float16 c144 = c112;
                    float16 c145 = c113;
                    float16 c146 = c114;
                    float16 c147 = c115;
                    float16 c148 = c116;
                    float16 c149 = c117;
                    float16 c150 = c118;
                    float16 c151 = c119;
                    for (long i152 = 0L; i152 < v39; i152 += 16L) {
                      const long v153 = (long)((ulong)i152 / (ulong)16L);
                      const long v154 = v96 + v153;
                      const long v155 = v154 < v97 ? v154 : v97;
                      const long v156 = v155 + v16;
                      TRI_PREFETCH(&b2[v156 * n8 + v101], 3);
                      const long v157 = v101 + 16L;
                      TRI_PREFETCH(&b2[v156 * n8 + v157], 3);
                      const long v158 = v101 + 31L;
                      TRI_PREFETCH(&b2[v156 * n8 + v158], 3);
                      const long v159 = (long)((ulong)i152 / (ulong)16L);
                      const long v160 = v95 * v49;
                      const long v161 = v160 + v159;
                      const long v162 = v39 - 1L;
                      const long v163 = v161 < v162 ? v161 : v162;
                      const long v164 = v101 + 32L;
                      const long v165 = v21 - 32L;
                      const long v166 = v164 < v165 ? v164 : v165;
                      const long v167 = i37 + v163;
                      TRI_PREFETCH(&b1[v166 + v167 * n6], 2);
                      const long v168 = v166 + 16L;
                      const long v169 = i37 + v163;
                      TRI_PREFETCH(&b1[v168 + v169 * n6], 2);
                      const long v170 = v166 + 31L;
                      const long v171 = i37 + v163;
                      TRI_PREFETCH(&b1[v170 + v171 * n6], 2);
                      const long v172 = i152 + 16L;
                      const long v173 = v172 < v39 ? v172 : v39;
                      float16 c174 = c136;
                      float16 c175 = c137;
                      float16 c176 = c138;
                      float16 c177 = c139;
                      float16 c178 = c140;
                      float16 c179 = c141;
                      float16 c180 = c142;
                      float16 c181 = c143;
                      float16 c182 = c144;
                      float16 c183 = c145;
                      float16 c184 = c146;
                      float16 c185 = c147;
                      float16 c186 = c148;
                      float16 c187 = c149;
                      float16 c188 = c150;
                      float16 c189 = c151;
                      for (long i190 = i152; i190 < v173; i190 += 1L) {
                        const long v191 = i37 + i190;
                        const long v192 = v100 + i190;
                        const long v193 = v100 + i190;
                        const float16 v194 = vload16(0, &a29[v192 * 32L]);
                        const float16 v195 = vload16(0, &a29[v193 * 32L + 16L]);
                        const float v196 = b0[v72 * n4 + v191];
                        const float16 v197 = (float16)(v196);
                        const float16 v198 = fma(v197, v194, c174);
                        const float v199 = b0[v72 * n4 + v191];
                        const float16 v200 = (float16)(v199);
                        const float16 v201 = fma(v200, v195, c175);
                        const float v202 = b0[v75 * n4 + v191];
                        const float16 v203 = (float16)(v202);
                        const float16 v204 = fma(v203, v194, c176);
                        const float v205 = b0[v75 * n4 + v191];
                        const float16 v206 = (float16)(v205);
                        const float16 v207 = fma(v206, v195, c177);
                        const float v208 = b0[v78 * n4 + v191];
                        const float16 v209 = (float16)(v208);
                        const float16 v210 = fma(v209, v194, c178);
                        const float v211 = b0[v78 * n4 + v191];
                        const float16 v212 = (float16)(v211);
                        const float16 v213 = fma(v212, v195, c179);
                        const float v214 = b0[v81 * n4 + v191];
                        const float16 v215 = (float16)(v214);
                        const float16 v216 = fma(v215, v194, c180);
                        const float v217 = b0[v81 * n4 + v191];
                        const float16 v218 = (float16)(v217);
                        const float16 v219 = fma(v218, v195, c181);
                        const float v220 = b0[v84 * n4 + v191];
                        const float16 v221 = (float16)(v220);
                        const float16 v222 = fma(v221, v194, c182);
                        const float v223 = b0[v84 * n4 + v191];
                        const float16 v224 = (float16)(v223);
                        const float16 v225 = fma(v224, v195, c183);
                        const float v226 = b0[v87 * n4 + v191];
                        const float16 v227 = (float16)(v226);
                        const float16 v228 = fma(v227, v194, c184);
                        const float v229 = b0[v87 * n4 + v191];
                        const float16 v230 = (float16)(v229);
                        const float16 v231 = fma(v230, v195, c185);
                        const float v232 = b0[v90 * n4 + v191];
                        const float16 v233 = (float16)(v232);
                        const float16 v234 = fma(v233, v194, c186);
                        const float v235 = b0[v90 * n4 + v191];
                        const float16 v236 = (float16)(v235);
                        const float16 v237 = fma(v236, v195, c187);
                        const float v238 = b0[v93 * n4 + v191];
                        const float16 v239 = (float16)(v238);
                        const float16 v240 = fma(v239, v194, c188);
                        const float v241 = b0[v93 * n4 + v191];
                        const float16 v242 = (float16)(v241);
                        const float16 v243 = fma(v242, v195, c189);
                        c174 = v198;
                        c175 = v201;
                        c176 = v204;
                        c177 = v207;
                        c178 = v210;
                        c179 = v213;
                        c180 = v216;
                        c181 = v219;
                        c182 = v222;
                        c183 = v225;
                        c184 = v228;
                        c185 = v231;
                        c186 = v234;
                        c187 = v237;
                        c188 = v240;
                        c189 = v243;
                      }
                      c136 = c174;
                      c137 = c175;
                      c138 = c176;
                      c139 = c177;
                      c140 = c178;
                      c141 = c179;
                      c142 = c180;
                      c143 = c181;
                      c144 = c182;
                      c145 = c183;
                      c146 = c184;
                      c147 = c185;
                      c148 = c186;
                      c149 = c187;
                      c150 = c188;
                      c151 = c189;
                    }
                    vstore16(c136, 0, &b2[v72 * n8 + v101]);
                    vstore16(c138, 0, &b2[v75 * n8 + v101]);
                    vstore16(c140, 0, &b2[v78 * n8 + v101]);
                    vstore16(c142, 0, &b2[v81 * n8 + v101]);
                    vstore16(c144, 0, &b2[v84 * n8 + v101]);
                    vstore16(c146, 0, &b2[v87 * n8 + v101]);
                    vstore16(c148, 0, &b2[v90 * n8 + v101]);
                    vstore16(c150, 0, &b2[v93 * n8 + v101]);
                    vstore16(c137, 0, &b2[v72 * n8 + v102]);
                    vstore16(c139, 0, &b2[v75 * n8 + v102]);
                    vstore16(c141, 0, &b2[v78 * n8 + v102]);
                    vstore16(c143, 0, &b2[v81 * n8 + v102]);
                    vstore16(c145, 0, &b2[v84 * n8 + v102]);
                    vstore16(c147, 0, &b2[v87 * n8 + v102]);
                    vstore16(c149, 0, &b2[v90 * n8 + v102]);
                    vstore16(c151, 0, &b2[v93 * n8 + v102]);
                  }
                }
              }
              const long v244 = v57 * 32L;
              const long v245 = v57 * v39;
              const long v246 = i54 + v244;
              const long v247 = v246 - i54;
              const long v248 = v56 - v247;
              for (long i249 = 0L; i249 < v248; i249 += 8L) {
                const long v250 = v248 - i249;
                const long v251 = v246 + i249;
                for (long i252 = 0L; i252 < v39; i252 += 1L) {
                  const long v253 = i37 + i252;
                  const long v254 = v245 + i252;
                  const float8 v255 = tri_get_float8_global(&b1[v251 + v253 * n6], 1L, v250);
                  vstore8(v255, 0, &a29[v254 * 32L + i249]);
                }
                for (long i256 = i40; i256 < v42; i256 += 8L) {
                  const long v257 = v22 - 1L;
                  const long v258 = i256 + v16;
                  const long v259 = i256 + 1L;
                  const long v260 = v259 < v257 ? v259 : v257;
                  const long v261 = v260 + v16;
                  const long v262 = i256 + 2L;
                  const long v263 = v262 < v257 ? v262 : v257;
                  const long v264 = v263 + v16;
                  const long v265 = i256 + 3L;
                  const long v266 = v265 < v257 ? v265 : v257;
                  const long v267 = v266 + v16;
                  const long v268 = i256 + 4L;
                  const long v269 = v268 < v257 ? v268 : v257;
                  const long v270 = v269 + v16;
                  const long v271 = i256 + 5L;
                  const long v272 = v271 < v257 ? v271 : v257;
                  const long v273 = v272 + v16;
                  const long v274 = i256 + 6L;
                  const long v275 = v274 < v257 ? v274 : v257;
                  const long v276 = v275 + v16;
                  const long v277 = i256 + 7L;
                  const long v278 = v277 < v257 ? v277 : v257;
                  const long v279 = v278 + v16;
                  const bool v280 = i37 == 0L;
                  float8 c281;
                  float8 c282;
                  float8 c283;
                  float8 c284;
                  float8 c285;
                  float8 c286;
                  float8 c287;
                  float8 c288;
                  if (v280) {
                    c281 = v2;
                    c282 = v2;
                    c283 = v2;
                    c284 = v2;
                    c285 = v2;
                    c286 = v2;
                    c287 = v2;
                    c288 = v2;
                  } else {
                    const float8 v289 = tri_get_float8_global(&b2[v258 * n8 + v251], 1L, v250);
                    const float8 v290 = tri_get_float8_global(&b2[v261 * n8 + v251], 1L, v250);
                    const float8 v291 = tri_get_float8_global(&b2[v264 * n8 + v251], 1L, v250);
                    const float8 v292 = tri_get_float8_global(&b2[v267 * n8 + v251], 1L, v250);
                    const float8 v293 = tri_get_float8_global(&b2[v270 * n8 + v251], 1L, v250);
                    const float8 v294 = tri_get_float8_global(&b2[v273 * n8 + v251], 1L, v250);
                    const float8 v295 = tri_get_float8_global(&b2[v276 * n8 + v251], 1L, v250);
                    const float8 v296 = tri_get_float8_global(&b2[v279 * n8 + v251], 1L, v250);
                    c281 = v289;
                    c282 = v290;
                    c283 = v291;
                    c284 = v292;
                    c285 = v293;
                    c286 = v294;
                    c287 = v295;
                    c288 = v296;
                  }
                  float8 c297 = c281;
                  float8 c298 = c282;
                  float8 c299 = c283;
                  float8 c300 = c284;
                  float8 c301 = c285;
                  float8 c302 = c286;
                  float8 c303 = c287;
                  float8 c304 = c288;
                  for (long i305 = 0L; i305 < v39; i305 += 1L) {
                    const long v306 = i37 + i305;
                    const long v307 = v245 + i305;
                    const float8 v308 = vload8(0, &a29[v307 * 32L + i249]);
                    const float v309 = b0[v258 * n4 + v306];
                    const float8 v310 = (float8)(v309);
                    const float8 v311 = fma(v310, v308, c297);
                    const float v312 = b0[v261 * n4 + v306];
                    const float8 v313 = (float8)(v312);
                    const float8 v314 = fma(v313, v308, c298);
                    const float v315 = b0[v264 * n4 + v306];
                    const float8 v316 = (float8)(v315);
                    const float8 v317 = fma(v316, v308, c299);
                    const float v318 = b0[v267 * n4 + v306];
                    const float8 v319 = (float8)(v318);
                    const float8 v320 = fma(v319, v308, c300);
                    const float v321 = b0[v270 * n4 + v306];
                    const float8 v322 = (float8)(v321);
                    const float8 v323 = fma(v322, v308, c301);
                    const float v324 = b0[v273 * n4 + v306];
                    const float8 v325 = (float8)(v324);
                    const float8 v326 = fma(v325, v308, c302);
                    const float v327 = b0[v276 * n4 + v306];
                    const float8 v328 = (float8)(v327);
                    const float8 v329 = fma(v328, v308, c303);
                    const float v330 = b0[v279 * n4 + v306];
                    const float8 v331 = (float8)(v330);
                    const float8 v332 = fma(v331, v308, c304);
                    c297 = v311;
                    c298 = v314;
                    c299 = v317;
                    c300 = v320;
                    c301 = v323;
                    c302 = v326;
                    c303 = v329;
                    c304 = v332;
                  }
                  tri_put_float8_global(c297, &b2[v258 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c298, &b2[v261 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c299, &b2[v264 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c300, &b2[v267 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c301, &b2[v270 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c302, &b2[v273 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c303, &b2[v276 * n8 + v251], 1L, v250);
                  tri_put_float8_global(c304, &b2[v279 * n8 + v251], 1L, v250);
                }
              }
            }
          }
        }
      } else {
        float a333[6144] __attribute__((aligned(64)));
        const long v334 = n2 > 1L ? n2 : 1L;
        const long v335 = v334 - 1L;
        const long v336 = (long)((ulong)v335 / (ulong)384L);
        const long v337 = v336 + 1L;
        const long v338 = v334 - 1L;
        const long v339 = (long)((ulong)v338 / (ulong)v337);
        const long v340 = v339 + 1L;
        for (long i341 = 0L; i341 < v334; i341 += v340) {
          const long v342 = n2 - i341;
          const long v343 = v342 < v340 ? v342 : v340;
          for (long i344 = 0L; i344 < v22; i344 += 192L) {
            const long v345 = i344 + 192L;
            const long v346 = v345 < v22 ? v345 : v22;
            const long v347 = v346 - i344;
            const long v348 = v347 - 1L;
            const long v349 = (long)((ulong)v348 / (ulong)6L);
            const long v350 = v349 + 1L;
            const long v351 = v343 - 1L;
            const long v352 = (long)((ulong)v351 / (ulong)v350);
            const long v353 = v352 + 1L;
            const long v354 = v343 > 1L ? v343 : 1L;
            const long v355 = (long)((ulong)96L / (ulong)v354);
            const long v356 = v355 > 1L ? v355 : 1L;
            const long v357 = 16L * v356;
            for (long i358 = v19; i358 < v21; i358 += v357) {
              const long v359 = v21 - i358;
              const long v360 = v359 < v357 ? v359 : v357;
              const long v361 = (long)((ulong)v360 / (ulong)16L);
              const bool v362 = v361 > 0L;
              if (v362) {
                for (long i363 = 0L; i363 < v361; i363 += 1L) {
                  const long v364 = i363 * 16L;
                  const long v365 = i363 * v343;
                  const long v366 = i358 + v364;
                  const long v367 = v366 + 8L;
                  for (long i368 = 0L; i368 < v343; i368 += 1L) {
                    const long v369 = i341 + i368;
                    const long v370 = v365 + i368;
                    const float8 v371 = vload8(0, &b1[v366 + v369 * n6]);
                    vstore8(v371, 0, &a333[v370 * 16L]);
                    const long v372 = v365 + i368;
                    const float8 v373 = vload8(0, &b1[v367 + v369 * n6]);
                    vstore8(v373, 0, &a333[v372 * 16L + 8L]);
                  }
                }
                for (long i374 = i344; i374 < v346; i374 += 6L) {
                  const long v375 = v22 - 1L;
                  const long v376 = i374 + v16;
                  const long v377 = i374 + 1L;
                  const long v378 = v377 < v375 ? v377 : v375;
                  const long v379 = v378 + v16;
                  const long v380 = i374 + 2L;
                  const long v381 = v380 < v375 ? v380 : v375;
                  const long v382 = v381 + v16;
                  const long v383 = i374 + 3L;
                  const long v384 = v383 < v375 ? v383 : v375;
                  const long v385 = v384 + v16;
                  const long v386 = i374 + 4L;
                  const long v387 = v386 < v375 ? v386 : v375;
                  const long v388 = v387 + v16;
                  const long v389 = i374 + 5L;
                  const long v390 = v389 < v375 ? v389 : v375;
                  const long v391 = v390 + v16;
                  const long v392 = i374 - i344;
                  const long v393 = (long)((ulong)v392 / (ulong)6L);
                  const long v394 = i374 + 6L;
                  const long v395 = v22 - 1L;
                  for (long i396 = 0L; i396 < v361; i396 += 1L) {
                    const long v397 = i396 * 16L;
                    const long v398 = i396 * v343;
                    const long v399 = i358 + v397;
                    const long v400 = v399 + 8L;
                    const bool v401 = i341 == 0L;
                    float8 c402;
                    float8 c403;
                    float8 c404;
                    float8 c405;
                    float8 c406;
                    float8 c407;
                    float8 c408;
                    float8 c409;
                    float8 c410;
                    float8 c411;
                    float8 c412;
                    float8 c413;
                    if (v401) {
                      c402 = v2;
                      c403 = v2;
                      c404 = v2;
                      c405 = v2;
                      c406 = v2;
                      c407 = v2;
                      c408 = v2;
                      c409 = v2;
                      c410 = v2;
                      c411 = v2;
                      c412 = v2;
                      c413 = v2;
                    } else {
                      const float8 v414 = vload8(0, &b2[v376 * n8 + v399]);
                      const float8 v415 = vload8(0, &b2[v379 * n8 + v399]);
                      const float8 v416 = vload8(0, &b2[v382 * n8 + v399]);
                      const float8 v417 = vload8(0, &b2[v385 * n8 + v399]);
                      const float8 v418 = vload8(0, &b2[v388 * n8 + v399]);
                      const float8 v419 = vload8(0, &b2[v391 * n8 + v399]);
                      const float8 v420 = vload8(0, &b2[v376 * n8 + v400]);
                      const float8 v421 = vload8(0, &b2[v379 * n8 + v400]);
                      const float8 v422 = vload8(0, &b2[v382 * n8 + v400]);
                      const float8 v423 = vload8(0, &b2[v385 * n8 + v400]);
                      const float8 v424 = vload8(0, &b2[v388 * n8 + v400]);
                      const float8 v425 = vload8(0, &b2[v391 * n8 + v400]);
                      c402 = v414;
                      c403 = v420;
                      c404 = v415;
                      c405 = v421;
                      c406 = v416;
                      c407 = v422;
                      c408 = v417;
                      c409 = v423;
                      c410 = v418;
                      c411 = v424;
                      c412 = v419;
                      c413 = v425;
                    }
                    float8 c426 = c402;
                    float8 c427 = c403;
                    float8 c428 = c404;
                    float8 c429 = c405;
                    float8 c430 = c406;
                    float8 c431 = c407;
                    float8 c432 = c408;
                    float8 c433 = c409;
                    float8 c434 = c410;
                    float8 c435 = c411;
                    float8 c436 = c412;
                    float8 c437 = c413;
                    for (long i438 = 0L; i438 < v343; i438 += 16L) {
                      const long v439 = (long)((ulong)i438 / (ulong)16L);
                      const long v440 = v394 + v439;
                      const long v441 = v440 < v395 ? v440 : v395;
                      const long v442 = v441 + v16;
                      TRI_PREFETCH(&b2[v442 * n8 + v399], 3);
                      const long v443 = v399 + 15L;
                      TRI_PREFETCH(&b2[v442 * n8 + v443], 3);
                      const long v444 = (long)((ulong)i438 / (ulong)16L);
                      const long v445 = v393 * v353;
                      const long v446 = v445 + v444;
                      const long v447 = v343 - 1L;
                      const long v448 = v446 < v447 ? v446 : v447;
                      const long v449 = v399 + 16L;
                      const long v450 = v21 - 16L;
                      const long v451 = v449 < v450 ? v449 : v450;
                      const long v452 = i341 + v448;
                      TRI_PREFETCH(&b1[v451 + v452 * n6], 2);
                      const long v453 = v451 + 15L;
                      const long v454 = i341 + v448;
                      TRI_PREFETCH(&b1[v453 + v454 * n6], 2);
                      const long v455 = i438 + 16L;
                      const long v456 = v455 < v343 ? v455 : v343;
                      float8 c457 = c426;
                      float8 c458 = c427;
                      float8 c459 = c428;
                      float8 c460 = c429;
                      float8 c461 = c430;
                      float8 c462 = c431;
                      float8 c463 = c432;
                      float8 c464 = c433;
                      float8 c465 = c434;
                      float8 c466 = c435;
                      float8 c467 = c436;
                      float8 c468 = c437;
                      for (long i469 = i438; i469 < v456; i469 += 1L) {
                        const long v470 = i341 + i469;
                        const long v471 = v398 + i469;
                        const long v472 = v398 + i469;
                        const float8 v473 = vload8(0, &a333[v471 * 16L]);
                        const float8 v474 = vload8(0, &a333[v472 * 16L + 8L]);
                        const float v475 = b0[v376 * n4 + v470];
                        const float8 v476 = (float8)(v475);
                        const float8 v477 = fma(v476, v473, c457);
                        const float v478 = b0[v376 * n4 + v470];
                        const float8 v479 = (float8)(v478);
                        const float8 v480 = fma(v479, v474, c458);
                        const float v481 = b0[v379 * n4 + v470];
                        const float8 v482 = (float8)(v481);
                        const float8 v483 = fma(v482, v473, c459);
                        const float v484 = b0[v379 * n4 + v470];
                        const float8 v485 = (float8)(v484);
                        const float8 v486 = fma(v485, v474, c460);
                        const float v487 = b0[v382 * n4 + v470];
                        const float8 v488 = (float8)(v487);
                        const float8 v489 = fma(v488, v473, c461);
                        const float v490 = b0[v382 * n4 + v470];
                        const float8 v491 = (float8)(v490);
                        const float8 v492 = fma(v491, v474, c462);
                        const float v493 = b0[v385 * n4 + v470];
                        const float8 v494 = (float8)(v493);
                        const float8 v495 = fma(v494, v473, c463);
                        const float v496 = b0[v385 * n4 + v470];
                        const float8 v497 = (float8)(v496);
                        const float8 v498 = fma(v497, v474, c464);
                        const float v499 = b0[v388 * n4 + v470];
                        const float8 v500 = (float8)(v499);
                        const float8 v501 = fma(v500, v473, c465);
                        const float v502 = b0[v388 * n4 + v470];
                        const float8 v503 = (float8)(v502);
                        const float8 v504 = fma(v503, v474, c466);
                        const float v505 = b0[v391 * n4 + v470];
                        const float8 v506 = (float8)(v505);
                        const float8 v507 = fma(v506, v473, c467);
                        const float v508 = b0[v391 * n4 + v470];
                        const float8 v509 = (float8)(v508);
                        const float8 v510 = fma(v509, v474, c468);
                        c457 = v477;
                        c458 = v480;
                        c459 = v483;
                        c460 = v486;
                        c461 = v489;
                        c462 = v492;
                        c463 = v495;
                        c464 = v498;
                        c465 = v501;
                        c466 = v504;
                        c467 = v507;
                        c468 = v510;
                      }
                      c426 = c457;
                      c427 = c458;
                      c428 = c459;
                      c429 = c460;
                      c430 = c461;
                      c431 = c462;
                      c432 = c463;
                      c433 = c464;
                      c434 = c465;
                      c435 = c466;
                      c436 = c467;
                      c437 = c468;
                    }
                    vstore8(c426, 0, &b2[v376 * n8 + v399]);
                    vstore8(c428, 0, &b2[v379 * n8 + v399]);
                    vstore8(c430, 0, &b2[v382 * n8 + v399]);
                    vstore8(c432, 0, &b2[v385 * n8 + v399]);
                    vstore8(c434, 0, &b2[v388 * n8 + v399]);
                    vstore8(c436, 0, &b2[v391 * n8 + v399]);
                    vstore8(c427, 0, &b2[v376 * n8 + v400]);
                    vstore8(c429, 0, &b2[v379 * n8 + v400]);
                    vstore8(c431, 0, &b2[v382 * n8 + v400]);
                    vstore8(c433, 0, &b2[v385 * n8 + v400]);
                    vstore8(c435, 0, &b2[v388 * n8 + v400]);
                    vstore8(c437, 0, &b2[v391 * n8 + v400]);
                  }
                }
              }
              const long v511 = v361 * 16L;
              const long v512 = v361 * v343;
              const long v513 = i358 + v511;
              const long v514 = v513 - i358;
              const long v515 = v360 - v514;
              for (long i516 = 0L; i516 < v515; i516 += 8L) {
                const long v517 = v515 - i516;
                const long v518 = v513 + i516;
                for (long i519 = 0L; i519 < v343; i519 += 1L) {
                  const long v520 = i341 + i519;
                  const long v521 = v512 + i519;
                  const float8 v522 = tri_get_float8_global(&b1[v518 + v520 * n6], 1L, v517);
                  vstore8(v522, 0, &a333[v521 * 16L + i516]);
                }
                for (long i523 = i344; i523 < v346; i523 += 6L) {
                  const long v524 = v22 - 1L;
                  const long v525 = i523 + v16;
                  const long v526 = i523 + 1L;
                  const long v527 = v526 < v524 ? v526 : v524;
                  const long v528 = v527 + v16;
                  const long v529 = i523 + 2L;
                  const long v530 = v529 < v524 ? v529 : v524;
                  const long v531 = v530 + v16;
                  const long v532 = i523 + 3L;
                  const long v533 = v532 < v524 ? v532 : v524;
                  const long v534 = v533 + v16;
                  const long v535 = i523 + 4L;
                  const long v536 = v535 < v524 ? v535 : v524;
                  const long v537 = v536 + v16;
                  const long v538 = i523 + 5L;
                  const long v539 = v538 < v524 ? v538 : v524;
                  const long v540 = v539 + v16;
                  const bool v541 = i341 == 0L;
                  float8 c542;
                  float8 c543;
                  float8 c544;
                  float8 c545;
                  float8 c546;
                  float8 c547;
                  if (v541) {
                    c542 = v2;
                    c543 = v2;
                    c544 = v2;
                    c545 = v2;
                    c546 = v2;
                    c547 = v2;
                  } else {
                    const float8 v548 = tri_get_float8_global(&b2[v525 * n8 + v518], 1L, v517);
                    const float8 v549 = tri_get_float8_global(&b2[v528 * n8 + v518], 1L, v517);
                    const float8 v550 = tri_get_float8_global(&b2[v531 * n8 + v518], 1L, v517);
                    const float8 v551 = tri_get_float8_global(&b2[v534 * n8 + v518], 1L, v517);
                    const float8 v552 = tri_get_float8_global(&b2[v537 * n8 + v518], 1L, v517);
                    const float8 v553 = tri_get_float8_global(&b2[v540 * n8 + v518], 1L, v517);
                    c542 = v548;
                    c543 = v549;
                    c544 = v550;
                    c545 = v551;
                    c546 = v552;
                    c547 = v553;
                  }
                  float8 c554 = c542;
                  float8 c555 = c543;
                  float8 c556 = c544;
                  float8 c557 = c545;
                  float8 c558 = c546;
                  float8 c559 = c547;
                  for (long i560 = 0L; i560 < v343; i560 += 1L) {
                    const long v561 = i341 + i560;
                    const long v562 = v512 + i560;
                    const float8 v563 = vload8(0, &a333[v562 * 16L + i516]);
                    const float v564 = b0[v525 * n4 + v561];
                    const float8 v565 = (float8)(v564);
                    const float8 v566 = fma(v565, v563, c554);
                    const float v567 = b0[v528 * n4 + v561];
                    const float8 v568 = (float8)(v567);
                    const float8 v569 = fma(v568, v563, c555);
                    const float v570 = b0[v531 * n4 + v561];
                    const float8 v571 = (float8)(v570);
                    const float8 v572 = fma(v571, v563, c556);
                    const float v573 = b0[v534 * n4 + v561];
                    const float8 v574 = (float8)(v573);
                    const float8 v575 = fma(v574, v563, c557);
                    const float v576 = b0[v537 * n4 + v561];
                    const float8 v577 = (float8)(v576);
                    const float8 v578 = fma(v577, v563, c558);
                    const float v579 = b0[v540 * n4 + v561];
                    const float8 v580 = (float8)(v579);
                    const float8 v581 = fma(v580, v563, c559);
                    c554 = v566;
                    c555 = v569;
                    c556 = v572;
                    c557 = v575;
                    c558 = v578;
                    c559 = v581;
                  }
                  tri_put_float8_global(c554, &b2[v525 * n8 + v518], 1L, v517);
                  tri_put_float8_global(c555, &b2[v528 * n8 + v518], 1L, v517);
                  tri_put_float8_global(c556, &b2[v531 * n8 + v518], 1L, v517);
                  tri_put_float8_global(c557, &b2[v534 * n8 + v518], 1L, v517);
                  tri_put_float8_global(c558, &b2[v537 * n8 + v518], 1L, v517);
                  tri_put_float8_global(c559, &b2[v540 * n8 + v518], 1L, v517);
                }
              }
            }
          }
        }
      }
    } else {
      for (long i582 = v16; i582 < v18; i582 += 1L) {
        for (long i583 = v19; i583 < v21; i583 += 128L) {
          const long v584 = v21 - i583;
          const long v585 = v584 < 128L ? v584 : 128L;
          float a586[128];
          const long v587 = n2 < 1L ? n2 : 1L;
          const long v588 = v587 > 1L ? v587 : 1L;
          const bool v589 = n2 > 0L;
          for (long i590 = 0L; i590 < 1L; i590 += 1L) {
            for (long i591 = 0L; i591 < v585; i591 += 1L) {
              a586[i590 * 128L + i591] = 0x0.0p+0f;
            }
          }
          const long v592 = n2 - 0L;
          const long v593 = (long)((ulong)v592 % (ulong)4L);
          const long v594 = n2 - v593;
          for (long i595 = 0L; i595 < v594; i595 += 4L) {
            for (long i596 = 0L; i596 < 1L; i596 += 1L) {
              const long v597 = i595 + i596;
              const long v598 = v597 + 1L;
              const long v599 = v598 + 1L;
              const long v600 = v599 + 1L;
              for (long i601 = 0L; i601 < v585; i601 += 1L) {
                const long v602 = i583 + i601;
                const float v603 = a586[i596 * 128L + i601];
                const bool v604 = i595 < 1L;
                const float v605 = v604 ? 0x0.0p+0f : v603;
                const float v606 = b0[i582 * n4 + v597];
                const float v607 = b1[v602 + v597 * n6];
                const float v608 = TRI_FMA32(v606, v607, v605);
                const float v609 = b0[i582 * n4 + v598];
                const float v610 = b1[v602 + v598 * n6];
                const float v611 = TRI_FMA32(v609, v610, v608);
                const float v612 = b0[i582 * n4 + v599];
                const float v613 = b1[v602 + v599 * n6];
                const float v614 = TRI_FMA32(v612, v613, v611);
                const float v615 = b0[i582 * n4 + v600];
                const float v616 = b1[v602 + v600 * n6];
                const float v617 = TRI_FMA32(v615, v616, v614);
                a586[i596 * 128L + i601] = v617;
              }
            }
          }
          for (long i618 = v594; i618 < n2; i618 += 1L) {
            const long v619 = i618 & 0L;
            for (long i620 = 0L; i620 < v585; i620 += 1L) {
              const long v621 = i583 + i620;
              const float v622 = a586[v619 * 128L + i620];
              const bool v623 = i618 < 1L;
              const float v624 = v623 ? 0x0.0p+0f : v622;
              const float v625 = b0[i582 * n4 + i618];
              const float v626 = b1[v621 + i618 * n6];
              const float v627 = TRI_FMA32(v625, v626, v624);
              a586[v619 * 128L + i620] = v627;
            }
          }
          for (long i628 = 0L; i628 < v585; i628 += 1L) {
            const long v629 = i583 + i628;
            const float v630 = a586[i628];
            b2[i582 * n8 + v629] = v630;
          }
        }
      }
    }
  }
}
