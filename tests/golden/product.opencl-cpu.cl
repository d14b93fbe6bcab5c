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
    const bool v23 = v22 >= 16L;
    if (v23) {
      if (TRI_HAS_512) {
        float a24[12288] __attribute__((aligned(64)));
        const long v25 = n2 > 1L ? n2 : 1L;
        const long v26 = v25 - 1L;
        const long v27 = (long)((ulong)v26 / (ulong)384L);
        const long v28 = v27 + 1L;
        const long v29 = v25 - 1L;
        const long v30 = (long)((ulong)v29 / (ulong)v28);
        const long v31 = v30 + 1L;
        for (long i32 = 0L; i32 < v25; i32 += v31) {
          const long v33 = n2 - i32;
          const long v34 = v33 < v31 ? v33 : v31;
          for (long i35 = 0L; i35 < v22; i35 += 192L) {
            const long v36 = i35 + 192L;
            const long v37 = v36 < v22 ? v36 : v22;
            for (long i38 = v19; i38 < v21; i38 += 32L) {
              const long v39 = v21 - i38;
              const bool v40 = v39 >= 32L;
              if (v40) {
                const long v41 = i38 + 16L;
                for (long i42 = 0L; i42 < v34; i42 += 1L) {
                  const long v43 = i32 + i42;
                  const float16 v44 = vload16(0, &b1[i38 + v43 * n6]);
                  vstore16(v44, 0, &a24[i42 * 32L]);
                  const float16 v45 = vload16(0, &b1[v41 + v43 * n6]);
                  vstore16(v45, 0, &a24[i42 * 32L + 16L]);
                }
                for (long i46 = i35; i46 < v37; i46 += 8L) {
                  const long v47 = i46 - i35;
                  const long v48 = (long)((ulong)v47 / (ulong)8L);
                  const long v49 = v37 - i35;
                  const long v50 = v49 - 1L;
                  const long v51 = (long)((ulong)v50 / (ulong)8L);
                  const long v52 = v51 + 1L;
                  const long v53 = v34 - 1L;
                  const long v54 = (long)((ulong)v53 / (ulong)v52);
                  const long v55 = v54 + 1L;
                  const long v56 = i46 + 8L;
                  const long v57 = v22 - 1L;
                  const long v58 = v22 - 1L;
                  const long v59 = i46 + v16;
                  const long v60 = i46 + 1L;
                  const long v61 = v60 < v58 ? v60 : v58;
                  const long v62 = v61 + v16;
                  const long v63 = i46 + 2L;
                  const long v64 = v63 < v58 ? v63 : v58;
                  const long v65 = v64 + v16;
                  const long v66 = i46 + 3L;
                  const long v67 = v66 < v58 ? v66 : v58;
                  const long v68 = v67 + v16;
                  const long v69 = i46 + 4L;
                  const long v70 = v69 < v58 ? v69 : v58;
                  const long v71 = v70 + v16;
                  const long v72 = i46 + 5L;
                  const long v73 = v72 < v58 ? v72 : v58;
                  const long v74 = v73 + v16;
                  const long v75 = i46 + 6L;
                  const long v76 = v75 < v58 ? v75 : v58;
                  const long v77 = v76 + v16;
                  const long v78 = i46 + 7L;
                  const long v79 = v78 < v58 ? v78 : v58;
                  const long v80 = v79 + v16;
                  const long v81 = v22 - 1L;
                  const long v82 = i46 + v16;
                  const long v83 = i46 + 1L;
                  const long v84 = v83 < v81 ? v83 : v81;
                  const long v85 = v84 + v16;
                  const long v86 = i46 + 2L;
                  const long v87 = v86 < v81 ? v86 : v81;
                  const long v88 = v87 + v16;
                  const long v89 = i46 + 3L;
                  const long v90 = v89 < v81 ? v89 : v81;
                  const long v91 = v90 + v16;
                  const long v92 = i46 + 4L;
                  const long v93 = v92 < v81 ? v92 : v81;
                  const long v94 = v93 + v16;
                  const long v95 = i46 + 5L;
                  const long v96 = v95 < v81 ? v95 : v81;
                  const long v97 = v96 + v16;
                  const long v98 = i46 + 6L;
                  const long v99 = v98 < v81 ? v98 : v81;
                  const long v100 = v99 + v16;
                  const long v101 = i46 + 7L;
                  const long v102 = v101 < v81 ? v101 : v81;
                  const long v103 = v102 + v16;
                  const bool v104 = i32 == 0L;
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
                  float16 c120;
                  if (v104) {
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
                    c120 = v1;
                  } else {
                    const float16 v121 = vload16(0, &b2[v59 * n8 + i38]);
                    const float16 v122 = vload16(0, &b2[v62 * n8 + i38]);
                    const float16 v123 = vload16(0, &b2[v65 * n8 + i38]);
                    const float16 v124 = vload16(0, &b2[v68 * n8 + i38]);
                    const float16 v125 = vload16(0, &b2[v71 * n8 + i38]);
                    const float16 v126 = vload16(0, &b2[v74 * n8 + i38]);
                    const float16 v127 = vload16(0, &b2[v77 * n8 + i38]);
                    const float16 v128 = vload16(0, &b2[v80 * n8 + i38]);
                    const float16 v129 = vload16(0, &b2[v82 * n8 + v41]);
                    const float16 v130 = vload16(0, &b2[v85 * n8 + v41]);
                    const float16 v131 = vload16(0, &b2[v88 * n8 + v41]);
                    const float16 v132 = vload16(0, &b2[v91 * n8 + v41]);
                    const float16 v133 = vload16(0, &b2[v94 * n8 + v41]);
                    const float16 v134 = vload16(0, &b2[v97 * n8 + v41]);
                    const float16 v135 = vload16(0, &b2[v100 * n8 + v41]);
                    const float16 v136 = vload16(0, &b2[v103 * n8 + v41]);
                    c105 = v121;
                    c106 = v129;
                    c107 = v122;
                    c108 = v130;
                    c109 = v123;
                    c110 = v131;
                    c111 = v124;
                    c112 = v132;
                    c113 = v125;
                    c114 = v133;
                    c115 = v126;
                    c116 = v134;
                    c117 = v127;
                    c118 = v135;
                    c119 = v128;
                    c120 = v136;
                  }
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
                  float16 c152 = c120;
                  for (long i153 = 0L; i153 < v34; i153 += 16L) {
                    const long v154 = (long)((ulong)i153 / (ulong)16L);
                    const long v155 = v56 + v154;
                    const long v156 = v155 < v57 ? v155 : v57;
                    const long v157 = v156 + v16;
                    const long v158 = v21 - 1L;
                    const long v159 = i38 < v158 ? i38 : v158;
                    TRI_PREFETCH(&b2[v157 * n8 + v159], 3);
                    const long v160 = i38 + 16L;
                    const long v161 = v21 - 1L;
                    const long v162 = v160 < v161 ? v160 : v161;
                    TRI_PREFETCH(&b2[v157 * n8 + v162], 3);
                    const long v163 = i38 + 31L;
                    const long v164 = v21 - 1L;
                    const long v165 = v163 < v164 ? v163 : v164;
                    TRI_PREFETCH(&b2[v157 * n8 + v165], 3);
                    const long v166 = (long)((ulong)i153 / (ulong)16L);
                    const long v167 = v48 * v55;
                    const long v168 = v167 + v166;
                    const long v169 = v34 - 1L;
                    const long v170 = v168 < v169 ? v168 : v169;
                    const long v171 = i38 + 32L;
                    const long v172 = v21 - 1L;
                    const long v173 = v171 < v172 ? v171 : v172;
                    const long v174 = i32 + v170;
                    TRI_PREFETCH(&b1[v173 + v174 * n6], 2);
                    const long v175 = i38 + 48L;
                    const long v176 = v21 - 1L;
                    const long v177 = v175 < v176 ? v175 : v176;
                    const long v178 = i32 + v170;
                    TRI_PREFETCH(&b1[v177 + v178 * n6], 2);
                    const long v179 = i38 + 63L;
                    const long v180 = v21 - 1L;
                    const long v181 = v179 < v180 ? v179 : v180;
                    const long v182 = i32 + v170;
                    TRI_PREFETCH(&b1[v181 + v182 * n6], 2);
                    const long v183 = i153 + 16L;
                    const long v184 = v183 < v34 ? v183 : v34;
                    float16 c185 = c137;
                    float16 c186 = c138;
                    float16 c187 = c139;
                    float16 c188 = c140;
                    float16 c189 = c141;
                    float16 c190 = c142;
                    float16 c191 = c143;
                    float16 c192 = c144;
                    float16 c193 = c145;
                    float16 c194 = c146;
                    float16 c195 = c147;
                    float16 c196 = c148;
                    float16 c197 = c149;
                    float16 c198 = c150;
                    float16 c199 = c151;
                    float16 c200 = c152;
                    for (long i201 = i153; i201 < v184; i201 += 1L) {
                      const long v202 = i32 + i201;
                      const float16 v203 = vload16(0, &a24[i201 * 32L]);
                      const float16 v204 = vload16(0, &a24[i201 * 32L + 16L]);
                      const float v205 = b0[v59 * n4 + v202];
                      const float16 v206 = (float16)(v205);
                      const float16 v207 = fma(v206, v203, c185);
                      const float v208 = b0[v82 * n4 + v202];
                      const float16 v209 = (float16)(v208);
                      const float16 v210 = fma(v209, v204, c186);
                      const float v211 = b0[v62 * n4 + v202];
                      const float16 v212 = (float16)(v211);
                      const float16 v213 = fma(v212, v203, c187);
                      const float v214 = b0[v85 * n4 + v202];
                      const float16 v215 = (float16)(v214);
                      const float16 v216 = fma(v215, v204, c188);
                      const float v217 = b0[v65 * n4 + v202];
                      const float16 v218 = (float16)(v217);
                      const float16 v219 = fma(v218, v203, c189);
                      const float v220 = b0[v88 * n4 + v202];
                      const float16 v221 = (float16)(v220);
                      const float16 v222 = fma(v221, v204, c190);
                      const float v223 = b0[v68 * n4 + v202];
                      const float16 v224 = (float16)(v223);
                      const float16 v225 = fma(v224, v203, c191);
                      const float v226 = b0[v91 * n4 + v202];
                      const float16 v227 = (float16)(v226);
                      const float16 v228 = fma(v227, v204, c192);
                      const float v229 = b0[v71 * n4 + v202];
                      const float16 v230 = (float16)(v229);
                      const float16 v231 = fma(v230, v203, c193);
                      const float v232 = b0[v94 * n4 + v202];
                      const float16 v233 = (float16)(v232);
                      const float16 v234 = fma(v233, v204, c194);
                      const float v235 = b0[v74 * n4 + v202];
                      const float16 v236 = (float16)(v235);
                      const float16 v237 = fma(v236, v203, c195);
                      const float v238 = b0[v97 * n4 + v202];
                      const float16 v239 = (float16)(v238);
                      const float16 v240 = fma(v239, v204, c196);
                      const float v241 = b0[v77 * n4 + v202];
                      const float16 v242 = (float16)(v241);
                      const float16 v243 = fma(v242, v203, c197);
                      const float v244 = b0[v100 * n4 + v202];
                      const float16 v245 = (float16)(v244);
                      const float16 v246 = fma(v245, v204, c198);
                      const float v247 = b0[v80 * n4 + v202];
                      const float16 v248 = (float16)(v247);
                      const float16 v249 = fma(v248, v203, c199);
                      const float v250 = b0[v103 * n4 + v202];
                      const float16 v251 = (float16)(v250);
                      const float16 v252 = fma(v251, v204, c200);
                      c185 = v207;
                      c186 = v210;
                      c187 = v213;
                      c188 = v216;
                      c189 = v219;
                      c190 = v222;
                      c191 = v225;
                      c192 = v228;
                      c193 = v231;
                      c194 = v234;
                      c195 = v237;
                      c196 = v240;
                      c197 = v243;
                      c198 = v246;
                      c199 = v249;
                      c200 = v252;
                    }
                    c137 = c185;
                    c138 = c186;
                    c139 = c187;
                    c140 = c188;
                    c141 = c189;
                    c142 = c190;
                    c143 = c191;
                    c144 = c192;
                    c145 = c193;
                    c146 = c194;
                    c147 = c195;
                    c148 = c196;
                    c149 = c197;
                    c150 = c198;
                    c151 = c199;
                    c152 = c200;
                  }
                  vstore16(c137, 0, &b2[v59 * n8 + i38]);
                  vstore16(c139, 0, &b2[v62 * n8 + i38]);
                  vstore16(c141, 0, &b2[v65 * n8 + i38]);
                  vstore16(c143, 0, &b2[v68 * n8 + i38]);
                  vstore16(c145, 0, &b2[v71 * n8 + i38]);
                  vstore16(c147, 0, &b2[v74 * n8 + i38]);
                  vstore16(c149, 0, &b2[v77 * n8 + i38]);
                  vstore16(c151, 0, &b2[v80 * n8 + i38]);
                  vstore16(c138, 0, &b2[v82 * n8 + v41]);
                  vstore16(c140, 0, &b2[v85 * n8 + v41]);
                  vstore16(c142, 0, &b2[v88 * n8 + v41]);
                  vstore16(c144, 0, &b2[v91 * n8 + v41]);
                  vstore16(c146, 0, &b2[v94 * n8 + v41]);
                  vstore16(c148, 0, &b2[v97 * n8 + v41]);
                  vstore16(c150, 0, &b2[v100 * n8 + v41]);
                  vstore16(c152, 0, &b2[v103 * n8 + v41]);
                }
              } else {
                for (long i253 = 0L; i253 < v39; i253 += 8L) {
                  const long v254 = v39 - i253;
                  const long v255 = i38 + i253;
                  for (long i256 = 0L; i256 < v34; i256 += 1L) {
                    const long v257 = i32 + i256;
                    const float8 v258 = tri_get_float8_global(&b1[v255 + v257 * n6], 1L, v254);
                    vstore8(v258, 0, &a24[i256 * 32L + i253]);
                  }
                  for (long i259 = i35; i259 < v37; i259 += 8L) {
                    const long v260 = v22 - 1L;
                    const long v261 = i259 + v16;
                    const long v262 = i259 + 1L;
                    const long v263 = v262 < v260 ? v262 : v260;
                    const long v264 = v263 + v16;
                    const long v265 = i259 + 2L;
                    const long v266 = v265 < v260 ? v265 : v260;
                    const long v267 = v266 + v16;
                    const long v268 = i259 + 3L;
                    const long v269 = v268 < v260 ? v268 : v260;
                    const long v270 = v269 + v16;
                    const long v271 = i259 + 4L;
                    const long v272 = v271 < v260 ? v271 : v260;
                    const long v273 = v272 + v16;
                    const long v274 = i259 + 5L;
                    const long v275 = v274 < v260 ? v274 : v260;
                    const long v276 = v275 + v16;
                    const long v277 = i259 + 6L;
                    const long v278 = v277 < v260 ? v277 : v260;
                    const long v279 = v278 + v16;
                    const long v280 = i259 + 7L;
                    const long v281 = v280 < v260 ? v280 : v260;
                    const long v282 = v281 + v16;
                    const bool v283 = i32 == 0L;
                    float8 c284;
                    float8 c285;
                    float8 c286;
                    float8 c287;
                    float8 c288;
                    float8 c289;
                    float8 c290;
                    float8 c291;
                    if (v283) {
                      c284 = v2;
                      c285 = v2;
                      c286 = v2;
                      c287 = v2;
                      c288 = v2;
                      c289 = v2;
                      c290 = v2;
                      c291 = v2;
                    } else {
                      const float8 v292 = tri_get_float8_global(&b2[v261 * n8 + v255], 1L, v254);
                      const float8 v293 = tri_get_float8_global(&b2[v264 * n8 + v255], 1L, v254);
                      const float8 v294 = tri_get_float8_global(&b2[v267 * n8 + v255], 1L, v254);
                      const float8 v295 = tri_get_float8_global(&b2[v270 * n8 + v255], 1L, v254);
                      const float8 v296 = tri_get_float8_global(&b2[v273 * n8 + v255], 1L, v254);
                      const float8 v297 = tri_get_float8_global(&b2[v276 * n8 + v255], 1L, v254);
                      const float8 v298 = tri_get_float8_global(&b2[v279 * n8 + v255], 1L, v254);
                      const float8 v299 = tri_get_float8_global(&b2[v282 * n8 + v255], 1L, v254);
                      c284 = v292;
                      c285 = v293;
                      c286 = v294;
                      c287 = v295;
                      c288 = v296;
                      c289 = v297;
                      c290 = v298;
                      c291 = v299;
                    }
                    float8 c300 = c284;
                    float8 c301 = c285;
                    float8 c302 = c286;
                    float8 c303 = c287;
                    float8 c304 = c288;
                    float8 c305 = c289;
                    float8 c306 = c290;
                    float8 c307 = c291;
                    for (long i308 = 0L; i308 < v34; i308 += 1L) {
                      const long v309 = i32 + i308;
                      const float8 v310 = vload8(0, &a24[i308 * 32L + i253]);
                      const float v311 = b0[v261 * n4 + v309];
                      const float8 v312 = (float8)(v311);
                      const float8 v313 = fma(v312, v310, c300);
                      const float v314 = b0[v264 * n4 + v309];
                      const float8 v315 = (float8)(v314);
                      const float8 v316 = fma(v315, v310, c301);
                      const float v317 = b0[v267 * n4 + v309];
                      const float8 v318 = (float8)(v317);
                      const float8 v319 = fma(v318, v310, c302);
                      const float v320 = b0[v270 * n4 + v309];
                      const float8 v321 = (float8)(v320);
                      const float8 v322 = fma(v321, v310, c303);
                      const float v323 = b0[v273 * n4 + v309];
                      const float8 v324 = (float8)(v323);
                      const float8 v325 = fma(v324, v310, c304);
                      const float v326 = b0[v276 * n4 + v309];
                      const float8 v327 = (float8)(v326);
                      const float8 v328 = fma(v327, v310, c305);
                      const float v329 = b0[v279 * n4 + v309];
                      const float8 v330 = (float8)(v329);
                      const float8 v331 = fma(v330, v310, c306);
                      const float v332 = b0[v282 * n4 + v309];
                      const float8 v333 = (float8)(v332);
                      const float8 v334 = fma(v333, v310, c307);
                      c300 = v313;
                      c301 = v316;
                      c302 = v319;
                      c303 = v322;
                      c304 = v325;
                      c305 = v328;
                      c306 = v331;
                      c307 = v334;
                    }
                    tri_put_float8_global(c300, &b2[v261 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c301, &b2[v264 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c302, &b2[v267 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c303, &b2[v270 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c304, &b2[v273 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c305, &b2[v276 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c306, &b2[v279 * n8 + v255], 1L, v254);
                    tri_put_float8_global(c307, &b2[v282 * n8 + v255], 1L, v254);
                  }
                }
              }
            }
          }
        }
      } else {
        float a335[6144] __attribute__((aligned(64)));
        const long v336 = n2 > 1L ? n2 : 1L;
        const long v337 = v336 - 1L;
        const long v338 = (long)((ulong)v337 / (ulong)384L);
        const long v339 = v338 + 1L;
        const long v340 = v336 - 1L;
        const long v341 = (long)((ulong)v340 / (ulong)v339);
        const long v342 = v341 + 1L;
        for (long i343 = 0L; i343 < v336; i343 += v342) {
          const long v344 = n2 - i343;
          const long v345 = v344 < v342 ? v344 : v342;
          for (long i346 = 0L; i346 < v22; i346 += 192L) {
            const long v347 = i346 + 192L;
            const long v348 = v347 < v22 ? v347 : v22;
            for (long i349 = v19; i349 < v21; i349 += 16L) {
              const long v350 = v21 - i349;
              const bool v351 = v350 >= 16L;
              if (v351) {
                const long v352 = i349 + 8L;
                for (long i353 = 0L; i353 < v345; i353 += 1L) {
                  const long v354 = i343 + i353;
                  const float8 v355 = vload8(0, &b1[i349 + v354 * n6]);
                  vstore8(v355, 0, &a335[i353 * 16L]);
                  const float8 v356 = vload8(0, &b1[v352 + v354 * n6]);
                  vstore8(v356, 0, &a335[i353 * 16L + 8L]);
                }
                for (long i357 = i346; i357 < v348; i357 += 6L) {
                  const long v358 = i357 - i346;
                  const long v359 = (long)((ulong)v358 / (ulong)6L);
                  const long v360 = v348 - i346;
                  const long v361 = v360 - 1L;
                  const long v362 = (long)((ulong)v361 / (ulong)6L);
                  const long v363 = v362 + 1L;
                  const long v364 = v345 - 1L;
                  const long v365 = (long)((ulong)v364 / (ulong)v363);
                  const long v366 = v365 + 1L;
                  const long v367 = i357 + 6L;
                  const long v368 = v22 - 1L;
                  const long v369 = v22 - 1L;
                  const long v370 = i357 + v16;
                  const long v371 = i357 + 1L;
                  const long v372 = v371 < v369 ? v371 : v369;
                  const long v373 = v372 + v16;
                  const long v374 = i357 + 2L;
                  const long v375 = v374 < v369 ? v374 : v369;
                  const long v376 = v375 + v16;
                  const long v377 = i357 + 3L;
                  const long v378 = v377 < v369 ? v377 : v369;
                  const long v379 = v378 + v16;
                  const long v380 = i357 + 4L;
                  const long v381 = v380 < v369 ? v380 : v369;
                  const long v382 = v381 + v16;
                  const long v383 = i357 + 5L;
                  const long v384 = v383 < v369 ? v383 : v369;
                  const long v385 = v384 + v16;
                  const long v386 = v22 - 1L;
                  const long v387 = i357 + v16;
                  const long v388 = i357 + 1L;
                  const long v389 = v388 < v386 ? v388 : v386;
                  const long v390 = v389 + v16;
                  const long v391 = i357 + 2L;
                  const long v392 = v391 < v386 ? v391 : v386;
                  const long v393 = v392 + v16;
                  const long v394 = i357 + 3L;
                  const long v395 = v394 < v386 ? v394 : v386;
                  const long v396 = v395 + v16;
                  const long v397 = i357 + 4L;
                  const long v398 = v397 < v386 ? v397 : v386;
                  const long v399 = v398 + v16;
                  const long v400 = i357 + 5L;
                  const long v401 = v400 < v386 ? v400 : v386;
                  const long v402 = v401 + v16;
                  const bool v403 = i343 == 0L;
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
                  float8 c414;
                  float8 c415;
                  if (v403) {
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
                    c414 = v2;
                    c415 = v2;
                  } else {
                    const float8 v416 = vload8(0, &b2[v370 * n8 + i349]);
                    const float8 v417 = vload8(0, &b2[v373 * n8 + i349]);
                    const float8 v418 = vload8(0, &b2[v376 * n8 + i349]);
                    const float8 v419 = vload8(0, &b2[v379 * n8 + i349]);
                    const float8 v420 = vload8(0, &b2[v382 * n8 + i349]);
                    const float8 v421 = vload8(0, &b2[v385 * n8 + i349]);
                    const float8 v422 = vload8(0, &b2[v387 * n8 + v352]);
                    const float8 v423 = vload8(0, &b2[v390 * n8 + v352]);
                    const float8 v424 = vload8(0, &b2[v393 * n8 + v352]);
                    const float8 v425 = vload8(0, &b2[v396 * n8 + v352]);
                    const float8 v426 = vload8(0, &b2[v399 * n8 + v352]);
                    const float8 v427 = vload8(0, &b2[v402 * n8 + v352]);
                    c404 = v416;
                    c405 = v422;
                    c406 = v417;
                    c407 = v423;
                    c408 = v418;
                    c409 = v424;
                    c410 = v419;
                    c411 = v425;
                    c412 = v420;
                    c413 = v426;
                    c414 = v421;
                    c415 = v427;
                  }
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
                  float8 c438 = c414;
                  float8 c439 = c415;
                  for (long i440 = 0L; i440 < v345; i440 += 16L) {
                    const long v441 = (long)((ulong)i440 / (ulong)16L);
                    const long v442 = v367 + v441;
                    const long v443 = v442 < v368 ? v442 : v368;
                    const long v444 = v443 + v16;
                    const long v445 = v21 - 1L;
                    const long v446 = i349 < v445 ? i349 : v445;
                    TRI_PREFETCH(&b2[v444 * n8 + v446], 3);
                    const long v447 = i349 + 15L;
                    const long v448 = v21 - 1L;
                    const long v449 = v447 < v448 ? v447 : v448;
                    TRI_PREFETCH(&b2[v444 * n8 + v449], 3);
                    const long v450 = (long)((ulong)i440 / (ulong)16L);
                    const long v451 = v359 * v366;
                    const long v452 = v451 + v450;
                    const long v453 = v345 - 1L;
                    const long v454 = v452 < v453 ? v452 : v453;
                    const long v455 = i349 + 16L;
                    const long v456 = v21 - 1L;
                    const long v457 = v455 < v456 ? v455 : v456;
                    const long v458 = i343 + v454;
                    TRI_PREFETCH(&b1[v457 + v458 * n6], 2);
                    const long v459 = i349 + 31L;
                    const long v460 = v21 - 1L;
                    const long v461 = v459 < v460 ? v459 : v460;
                    const long v462 = i343 + v454;
                    TRI_PREFETCH(&b1[v461 + v462 * n6], 2);
                    const long v463 = i440 + 16L;
                    const long v464 = v463 < v345 ? v463 : v345;
                    float8 c465 = c428;
                    float8 c466 = c429;
                    float8 c467 = c430;
                    float8 c468 = c431;
                    float8 c469 = c432;
                    float8 c470 = c433;
                    float8 c471 = c434;
                    float8 c472 = c435;
                    float8 c473 = c436;
                    float8 c474 = c437;
                    float8 c475 = c438;
                    float8 c476 = c439;
                    for (long i477 = i440; i477 < v464; i477 += 1L) {
                      const long v478 = i343 + i477;
                      const float8 v479 = vload8(0, &a335[i477 * 16L]);
                      const float8 v480 = vload8(0, &a335[i477 * 16L + 8L]);
                      const float v481 = b0[v370 * n4 + v478];
                      const float8 v482 = (float8)(v481);
                      const float8 v483 = fma(v482, v479, c465);
                      const float v484 = b0[v387 * n4 + v478];
                      const float8 v485 = (float8)(v484);
                      const float8 v486 = fma(v485, v480, c466);
                      const float v487 = b0[v373 * n4 + v478];
                      const float8 v488 = (float8)(v487);
                      const float8 v489 = fma(v488, v479, c467);
                      const float v490 = b0[v390 * n4 + v478];
                      const float8 v491 = (float8)(v490);
                      const float8 v492 = fma(v491, v480, c468);
                      const float v493 = b0[v376 * n4 + v478];
                      const float8 v494 = (float8)(v493);
                      const float8 v495 = fma(v494, v479, c469);
                      const float v496 = b0[v393 * n4 + v478];
                      const float8 v497 = (float8)(v496);
                      const float8 v498 = fma(v497, v480, c470);
                      const float v499 = b0[v379 * n4 + v478];
                      const float8 v500 = (float8)(v499);
                      const float8 v501 = fma(v500, v479, c471);
                      const float v502 = b0[v396 * n4 + v478];
                      const float8 v503 = (float8)(v502);
                      const float8 v504 = fma(v503, v480, c472);
                      const float v505 = b0[v382 * n4 + v478];
                      const float8 v506 = (float8)(v505);
                      const float8 v507 = fma(v506, v479, c473);
                      const float v508 = b0[v399 * n4 + v478];
                      const float8 v509 = (float8)(v508);
                      const float8 v510 = fma(v509, v480, c474);
                      const float v511 = b0[v385 * n4 + v478];
                      const float8 v512 = (float8)(v511);
                      const float8 v513 = fma(v512, v479, c475);
                      const float v514 = b0[v402 * n4 + v478];
                      const float8 v515 = (float8)(v514);
                      const float8 v516 = fma(v515, v480, c476);
                      c465 = v483;
                      c466 = v486;
                      c467 = v489;
                      c468 = v492;
                      c469 = v495;
                      c470 = v498;
                      c471 = v501;
                      c472 = v504;
                      c473 = v507;
                      c474 = v510;
                      c475 = v513;
                      c476 = v516;
                    }
                    c428 = c465;
                    c429 = c466;
                    c430 = c467;
                    c431 = c468;
                    c432 = c469;
                    c433 = c470;
                    c434 = c471;
                    c435 = c472;
                    c436 = c473;
                    c437 = c474;
                    c438 = c475;
                    c439 = c476;
                  }
                  vstore8(c428, 0, &b2[v370 * n8 + i349]);
                  vstore8(c430, 0, &b2[v373 * n8 + i349]);
                  vstore8(c432, 0, &b2[v376 * n8 + i349]);
                  vstore8(c434, 0, &b2[v379 * n8 + i349]);
                  vstore8(c436, 0, &b2[v382 * n8 + i349]);
                  vstore8(c438, 0, &b2[v385 * n8 + i349]);
                  vstore8(c429, 0, &b2[v387 * n8 + v352]);
                  vstore8(c431, 0, &b2[v390 * n8 + v352]);
                  vstore8(c433, 0, &b2[v393 * n8 + v352]);
                  vstore8(c435, 0, &b2[v396 * n8 + v352]);
                  vstore8(c437, 0, &b2[v399 * n8 + v352]);
                  vstore8(c439, 0, &b2[v402 * n8 + v352]);
                }
              } else {
                for (long i517 = 0L; i517 < v350; i517 += 8L) {
                  const long v518 = v350 - i517;
                  const long v519 = i349 + i517;
                  for (long i520 = 0L; i520 < v345; i520 += 1L) {
                    const long v521 = i343 + i520;
                    const float8 v522 = tri_get_float8_global(&b1[v519 + v521 * n6], 1L, v518);
                    vstore8(v522, 0, &a335[i520 * 16L + i517]);
                  }
                  for (long i523 = i346; i523 < v348; i523 += 6L) {
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
                    const bool v541 = i343 == 0L;
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
                      const float8 v548 = tri_get_float8_global(&b2[v525 * n8 + v519], 1L, v518);
                      const float8 v549 = tri_get_float8_global(&b2[v528 * n8 + v519], 1L, v518);
                      const float8 v550 = tri_get_float8_global(&b2[v531 * n8 + v519], 1L, v518);
                      const float8 v551 = tri_get_float8_global(&b2[v534 * n8 + v519], 1L, v518);
                      const float8 v552 = tri_get_float8_global(&b2[v537 * n8 + v519], 1L, v518);
                      const float8 v553 = tri_get_float8_global(&b2[v540 * n8 + v519], 1L, v518);
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
                    for (long i560 = 0L; i560 < v345; i560 += 1L) {
                      const long v561 = i343 + i560;
                      const float8 v562 = vload8(0, &a335[i560 * 16L + i517]);
                      const float v563 = b0[v525 * n4 + v561];
                      const float8 v564 = (float8)(v563);
                      const float8 v565 = fma(v564, v562, c554);
                      const float v566 = b0[v528 * n4 + v561];
                      const float8 v567 = (float8)(v566);
                      const float8 v568 = fma(v567, v562, c555);
                      const float v569 = b0[v531 * n4 + v561];
                      const float8 v570 = (float8)(v569);
                      const float8 v571 = fma(v570, v562, c556);
                      const float v572 = b0[v534 * n4 + v561];
                      const float8 v573 = (float8)(v572);
                      const float8 v574 = fma(v573, v562, c557);
                      const float v575 = b0[v537 * n4 + v561];
                      const float8 v576 = (float8)(v575);
                      const float8 v577 = fma(v576, v562, c558);
                      const float v578 = b0[v540 * n4 + v561];
                      const float8 v579 = (float8)(v578);
                      const float8 v580 = fma(v579, v562, c559);
                      c554 = v565;
                      c555 = v568;
                      c556 = v571;
                      c557 = v574;
                      c558 = v577;
                      c559 = v580;
                    }
                    tri_put_float8_global(c554, &b2[v525 * n8 + v519], 1L, v518);
                    tri_put_float8_global(c555, &b2[v528 * n8 + v519], 1L, v518);
                    tri_put_float8_global(c556, &b2[v531 * n8 + v519], 1L, v518);
                    tri_put_float8_global(c557, &b2[v534 * n8 + v519], 1L, v518);
                    tri_put_float8_global(c558, &b2[v537 * n8 + v519], 1L, v518);
                    tri_put_float8_global(c559, &b2[v540 * n8 + v519], 1L, v518);
                  }
                }
              }
            }
          }
        }
      }
    } else {
      for (long i581 = v16; i581 < v18; i581 += 1L) {
        for (long i582 = v19; i582 < v21; i582 += 128L) {
          const long v583 = v21 - i582;
          const long v584 = v583 < 128L ? v583 : 128L;
          float a585[128];
          const long v586 = n2 < 1L ? n2 : 1L;
          const long v587 = v586 > 1L ? v586 : 1L;
          const bool v588 = n2 > 0L;
          for (long i589 = 0L; i589 < 1L; i589 += 1L) {
            for (long i590 = 0L; i590 < v584; i590 += 1L) {
              a585[i589 * 128L + i590] = 0x0.0p+0f;
            }
          }
          const long v591 = n2 - 0L;
          const long v592 = (long)((ulong)v591 % (ulong)4L);
          const long v593 = n2 - v592;
          for (long i594 = 0L; i594 < v593; i594 += 4L) {
            for (long i595 = 0L; i595 < 1L; i595 += 1L) {
              const long v596 = i594 + i595;
              const long v597 = v596 + 1L;
              const long v598 = v597 + 1L;
              const long v599 = v598 + 1L;
              for (long i600 = 0L; i600 < v584; i600 += 1L) {
                const long v601 = i582 + i600;
                const float v602 = a585[i595 * 128L + i600];
                const bool v603 = i594 < 1L;
                const float v604 = v603 ? 0x0.0p+0f : v602;
                const float v605 = b0[i581 * n4 + v596];
                const float v606 = b1[v601 + v596 * n6];
                const float v607 = TRI_FMA32(v605, v606, v604);
                const float v608 = b0[i581 * n4 + v597];
                const float v609 = b1[v601 + v597 * n6];
                const float v610 = TRI_FMA32(v608, v609, v607);
                const float v611 = b0[i581 * n4 + v598];
                const float v612 = b1[v601 + v598 * n6];
                const float v613 = TRI_FMA32(v611, v612, v610);
                const float v614 = b0[i581 * n4 + v599];
                const float v615 = b1[v601 + v599 * n6];
                const float v616 = TRI_FMA32(v614, v615, v613);
                a585[i595 * 128L + i600] = v616;
              }
            }
          }
          for (long i617 = v593; i617 < n2; i617 += 1L) {
            const long v618 = i617 & 0L;
            for (long i619 = 0L; i619 < v584; i619 += 1L) {
              const long v620 = i582 + i619;
              const float v621 = a585[v618 * 128L + i619];
              const bool v622 = i617 < 1L;
              const float v623 = v622 ? 0x0.0p+0f : v621;
              const float v624 = b0[i581 * n4 + i617];
              const float v625 = b1[v620 + i617 * n6];
              const float v626 = TRI_FMA32(v624, v625, v623);
              a585[v618 * 128L + i619] = v626;
            }
          }
          for (long i627 = 0L; i627 < v584; i627 += 1L) {
            const long v628 = i582 + i627;
            const float v629 = a585[i627];
            b2[i581 * n8 + v628] = v629;
          }
        }
      }
    }
  }
}
