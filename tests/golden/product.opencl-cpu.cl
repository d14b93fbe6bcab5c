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
            for (long i43 = v19; i43 < v21; i43 += 32L) {
              const long v44 = v21 - i43;
              const bool v45 = v44 >= 32L;
              if (v45) {
                const long v46 = i43 + 16L;
                for (long i47 = 0L; i47 < v39; i47 += 1L) {
                  const long v48 = i37 + i47;
                  const float16 v49 = vload16(0, &b1[i43 + v48 * n6]);
                  vstore16(v49, 0, &a29[i47 * 32L]);
                  const float16 v50 = vload16(0, &b1[v46 + v48 * n6]);
                  vstore16(v50, 0, &a29[i47 * 32L + 16L]);
                }
                for (long i51 = i40; i51 < v42; i51 += 8L) {
                  const long v52 = i51 - i40;
                  const long v53 = (long)((ulong)v52 / (ulong)8L);
                  const long v54 = v42 - i40;
                  const long v55 = v54 - 1L;
                  const long v56 = (long)((ulong)v55 / (ulong)8L);
                  const long v57 = v56 + 1L;
                  const long v58 = v39 - 1L;
                  const long v59 = (long)((ulong)v58 / (ulong)v57);
                  const long v60 = v59 + 1L;
                  const long v61 = i51 + 8L;
                  const long v62 = v22 - 1L;
                  const long v63 = v22 - 1L;
                  const long v64 = i51 + v16;
                  const long v65 = i51 + 1L;
                  const long v66 = v65 < v63 ? v65 : v63;
                  const long v67 = v66 + v16;
                  const long v68 = i51 + 2L;
                  const long v69 = v68 < v63 ? v68 : v63;
                  const long v70 = v69 + v16;
                  const long v71 = i51 + 3L;
                  const long v72 = v71 < v63 ? v71 : v63;
                  const long v73 = v72 + v16;
                  const long v74 = i51 + 4L;
                  const long v75 = v74 < v63 ? v74 : v63;
                  const long v76 = v75 + v16;
                  const long v77 = i51 + 5L;
                  const long v78 = v77 < v63 ? v77 : v63;
                  const long v79 = v78 + v16;
                  const long v80 = i51 + 6L;
                  const long v81 = v80 < v63 ? v80 : v63;
                  const long v82 = v81 + v16;
                  const long v83 = i51 + 7L;
                  const long v84 = v83 < v63 ? v83 : v63;
                  const long v85 = v84 + v16;
                  const long v86 = v22 - 1L;
                  const long v87 = i51 + v16;
                  const long v88 = i51 + 1L;
                  const long v89 = v88 < v86 ? v88 : v86;
                  const long v90 = v89 + v16;
                  const long v91 = i51 + 2L;
                  const long v92 = v91 < v86 ? v91 : v86;
                  const long v93 = v92 + v16;
                  const long v94 = i51 + 3L;
                  const long v95 = v94 < v86 ? v94 : v86;
                  const long v96 = v95 + v16;
                  const long v97 = i51 + 4L;
                  const long v98 = v97 < v86 ? v97 : v86;
                  const long v99 = v98 + v16;
                  const long v100 = i51 + 5L;
                  const long v101 = v100 < v86 ? v100 : v86;
                  const long v102 = v101 + v16;
                  const long v103 = i51 + 6L;
                  const long v104 = v103 < v86 ? v103 : v86;
                  const long v105 = v104 + v16;
                  const long v106 = i51 + 7L;
                  const long v107 = v106 < v86 ? v106 : v86;
                  const long v108 = v107 + v16;
                  const bool v109 = i37 == 0L;
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
                  float16 c121;
                  float16 c122;
                  float16 c123;
                  float16 c124;
                  float16 c125;
                  if (v109) {
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
                    c121 = v1;
                    c122 = v1;
                    c123 = v1;
                    c124 = v1;
                    c125 = v1;
                  } else {
                    const float16 v126 = vload16(0, &b2[v64 * n8 + i43]);
                    const float16 v127 = vload16(0, &b2[v67 * n8 + i43]);
                    const float16 v128 = vload16(0, &b2[v70 * n8 + i43]);
                    const float16 v129 = vload16(0, &b2[v73 * n8 + i43]);
                    const float16 v130 = vload16(0, &b2[v76 * n8 + i43]);
                    const float16 v131 = vload16(0, &b2[v79 * n8 + i43]);
                    const float16 v132 = vload16(0, &b2[v82 * n8 + i43]);
                    const float16 v133 = vload16(0, &b2[v85 * n8 + i43]);
                    const float16 v134 = vload16(0, &b2[v87 * n8 + v46]);
                    const float16 v135 = vload16(0, &b2[v90 * n8 + v46]);
                    const float16 v136 = vload16(0, &b2[v93 * n8 + v46]);
                    const float16 v137 = vload16(0, &b2[v96 * n8 + v46]);
                    const float16 v138 = vload16(0, &b2[v99 * n8 + v46]);
                    const float16 v139 = vload16(0, &b2[v102 * n8 + v46]);
                    const float16 v140 = vload16(0, &b2[v105 * n8 + v46]);
                    const float16 v141 = vload16(0, &b2[v108 * n8 + v46]);
                    c110 = v126;
                    c111 = v134;
                    c112 = v127;
                    c113 = v135;
                    c114 = v128;
                    c115 = v136;
                    c116 = v129;
                    c117 = v137;
                    c118 = v130;
                    c119 = v138;
                    c120 = v131;
                    c121 = v139;
                    c122 = v132;
                    c123 = v140;
                    c124 = v133;
                    c125 = v141;
                  }
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
                  float16 c153 = c121;
                  float16 c154 = c122;
                  float16 c155 = c123;
                  float16 c156 = c124;
                  float16 c157 = c125;
                  for (long i158 = 0L; i158 < v39; i158 += 16L) {
                    const long v159 = (long)((ulong)i158 / (ulong)16L);
                    const long v160 = v61 + v159;
                    const long v161 = v160 < v62 ? v160 : v62;
                    const long v162 = v161 + v16;
                    const long v163 = v21 - 1L;
                    const long v164 = i43 < v163 ? i43 : v163;
                    TRI_PREFETCH(&b2[v162 * n8 + v164], 3);
                    const long v165 = i43 + 16L;
                    const long v166 = v21 - 1L;
                    const long v167 = v165 < v166 ? v165 : v166;
                    TRI_PREFETCH(&b2[v162 * n8 + v167], 3);
                    const long v168 = i43 + 31L;
                    const long v169 = v21 - 1L;
                    const long v170 = v168 < v169 ? v168 : v169;
                    TRI_PREFETCH(&b2[v162 * n8 + v170], 3);
                    const long v171 = (long)((ulong)i158 / (ulong)16L);
                    const long v172 = v53 * v60;
                    const long v173 = v172 + v171;
                    const long v174 = v39 - 1L;
                    const long v175 = v173 < v174 ? v173 : v174;
                    const long v176 = i43 + 32L;
                    const long v177 = v21 - 1L;
                    const long v178 = v176 < v177 ? v176 : v177;
                    const long v179 = i37 + v175;
                    TRI_PREFETCH(&b1[v178 + v179 * n6], 2);
                    const long v180 = i43 + 48L;
                    const long v181 = v21 - 1L;
                    const long v182 = v180 < v181 ? v180 : v181;
                    const long v183 = i37 + v175;
                    TRI_PREFETCH(&b1[v182 + v183 * n6], 2);
                    const long v184 = i43 + 63L;
                    const long v185 = v21 - 1L;
                    const long v186 = v184 < v185 ? v184 : v185;
                    const long v187 = i37 + v175;
                    TRI_PREFETCH(&b1[v186 + v187 * n6], 2);
                    const long v188 = i158 + 16L;
                    const long v189 = v188 < v39 ? v188 : v39;
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
                    float16 c201 = c153;
                    float16 c202 = c154;
                    float16 c203 = c155;
                    float16 c204 = c156;
                    float16 c205 = c157;
                    for (long i206 = i158; i206 < v189; i206 += 1L) {
                      const long v207 = i37 + i206;
                      const float16 v208 = vload16(0, &a29[i206 * 32L]);
                      const float16 v209 = vload16(0, &a29[i206 * 32L + 16L]);
                      const float v210 = b0[v64 * n4 + v207];
                      const float16 v211 = (float16)(v210);
                      const float16 v212 = fma(v211, v208, c190);
                      const float v213 = b0[v87 * n4 + v207];
                      const float16 v214 = (float16)(v213);
                      const float16 v215 = fma(v214, v209, c191);
                      const float v216 = b0[v67 * n4 + v207];
                      const float16 v217 = (float16)(v216);
                      const float16 v218 = fma(v217, v208, c192);
                      const float v219 = b0[v90 * n4 + v207];
                      const float16 v220 = (float16)(v219);
                      const float16 v221 = fma(v220, v209, c193);
                      const float v222 = b0[v70 * n4 + v207];
                      const float16 v223 = (float16)(v222);
                      const float16 v224 = fma(v223, v208, c194);
                      const float v225 = b0[v93 * n4 + v207];
                      const float16 v226 = (float16)(v225);
                      const float16 v227 = fma(v226, v209, c195);
                      const float v228 = b0[v73 * n4 + v207];
                      const float16 v229 = (float16)(v228);
                      const float16 v230 = fma(v229, v208, c196);
                      const float v231 = b0[v96 * n4 + v207];
                      const float16 v232 = (float16)(v231);
                      const float16 v233 = fma(v232, v209, c197);
                      const float v234 = b0[v76 * n4 + v207];
                      const float16 v235 = (float16)(v234);
                      const float16 v236 = fma(v235, v208, c198);
                      const float v237 = b0[v99 * n4 + v207];
                      const float16 v238 = (float16)(v237);
                      const float16 v239 = fma(v238, v209, c199);
                      const float v240 = b0[v79 * n4 + v207];
                      const float16 v241 = (float16)(v240);
                      const float16 v242 = fma(v241, v208, c200);
                      const float v243 = b0[v102 * n4 + v207];
                      const float16 v244 = (float16)(v243);
                      const float16 v245 = fma(v244, v209, c201);
                      const float v246 = b0[v82 * n4 + v207];
                      const float16 v247 = (float16)(v246);
                      const float16 v248 = fma(v247, v208, c202);
                      const float v249 = b0[v105 * n4 + v207];
                      const float16 v250 = (float16)(v249);
                      const float16 v251 = fma(v250, v209, c203);
                      const float v252 = b0[v85 * n4 + v207];
                      const float16 v253 = (float16)(v252);
                      const float16 v254 = fma(v253, v208, c204);
                      const float v255 = b0[v108 * n4 + v207];
                      const float16 v256 = (float16)(v255);
                      const float16 v257 = fma(v256, v209, c205);
                      c190 = v212;
                      c191 = v215;
                      c192 = v218;
                      c193 = v221;
                      c194 = v224;
                      c195 = v227;
                      c196 = v230;
                      c197 = v233;
                      c198 = v236;
                      c199 = v239;
                      c200 = v242;
                      c201 = v245;
                      c202 = v248;
                      c203 = v251;
                      c204 = v254;
                      c205 = v257;
                    }
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
                    c153 = c201;
                    c154 = c202;
                    c155 = c203;
                    c156 = c204;
                    c157 = c205;
                  }
                  vstore16(c142, 0, &b2[v64 * n8 + i43]);
                  vstore16(c144, 0, &b2[v67 * n8 + i43]);
                  vstore16(c146, 0, &b2[v70 * n8 + i43]);
                  vstore16(c148, 0, &b2[v73 * n8 + i43]);
                  vstore16(c150, 0, &b2[v76 * n8 + i43]);
                  vstore16(c152, 0, &b2[v79 * n8 + i43]);
                  vstore16(c154, 0, &b2[v82 * n8 + i43]);
                  vstore16(c156, 0, &b2[v85 * n8 + i43]);
                  vstore16(c143, 0, &b2[v87 * n8 + v46]);
                  vstore16(c145, 0, &b2[v90 * n8 + v46]);
                  vstore16(c147, 0, &b2[v93 * n8 + v46]);
                  vstore16(c149, 0, &b2[v96 * n8 + v46]);
                  vstore16(c151, 0, &b2[v99 * n8 + v46]);
                  vstore16(c153, 0, &b2[v102 * n8 + v46]);
                  vstore16(c155, 0, &b2[v105 * n8 + v46]);
                  vstore16(c157, 0, &b2[v108 * n8 + v46]);
                }
              } else {
                for (long i258 = 0L; i258 < v44; i258 += 8L) {
                  const long v259 = v44 - i258;
                  const long v260 = i43 + i258;
                  for (long i261 = 0L; i261 < v39; i261 += 1L) {
                    const long v262 = i37 + i261;
                    const float8 v263 = tri_get_float8_global(&b1[v260 + v262 * n6], 1L, v259);
                    vstore8(v263, 0, &a29[i261 * 32L + i258]);
                  }
                  for (long i264 = i40; i264 < v42; i264 += 8L) {
                    const long v265 = v22 - 1L;
                    const long v266 = i264 + v16;
                    const long v267 = i264 + 1L;
                    const long v268 = v267 < v265 ? v267 : v265;
                    const long v269 = v268 + v16;
                    const long v270 = i264 + 2L;
                    const long v271 = v270 < v265 ? v270 : v265;
                    const long v272 = v271 + v16;
                    const long v273 = i264 + 3L;
                    const long v274 = v273 < v265 ? v273 : v265;
                    const long v275 = v274 + v16;
                    const long v276 = i264 + 4L;
                    const long v277 = v276 < v265 ? v276 : v265;
                    const long v278 = v277 + v16;
                    const long v279 = i264 + 5L;
                    const long v280 = v279 < v265 ? v279 : v265;
                    const long v281 = v280 + v16;
                    const long v282 = i264 + 6L;
                    const long v283 = v282 < v265 ? v282 : v265;
                    const long v284 = v283 + v16;
                    const long v285 = i264 + 7L;
                    const long v286 = v285 < v265 ? v285 : v265;
                    const long v287 = v286 + v16;
                    const bool v288 = i37 == 0L;
                    float8 c289;
                    float8 c290;
                    float8 c291;
                    float8 c292;
                    float8 c293;
                    float8 c294;
                    float8 c295;
                    float8 c296;
                    if (v288) {
                      c289 = v2;
                      c290 = v2;
                      c291 = v2;
                      c292 = v2;
                      c293 = v2;
                      c294 = v2;
                      c295 = v2;
                      c296 = v2;
                    } else {
                      const float8 v297 = tri_get_float8_global(&b2[v266 * n8 + v260], 1L, v259);
                      const float8 v298 = tri_get_float8_global(&b2[v269 * n8 + v260], 1L, v259);
                      const float8 v299 = tri_get_float8_global(&b2[v272 * n8 + v260], 1L, v259);
                      const float8 v300 = tri_get_float8_global(&b2[v275 * n8 + v260], 1L, v259);
                      const float8 v301 = tri_get_float8_global(&b2[v278 * n8 + v260], 1L, v259);
                      const float8 v302 = tri_get_float8_global(&b2[v281 * n8 + v260], 1L, v259);
                      const float8 v303 = tri_get_float8_global(&b2[v284 * n8 + v260], 1L, v259);
                      const float8 v304 = tri_get_float8_global(&b2[v287 * n8 + v260], 1L, v259);
                      c289 = v297;
                      c290 = v298;
                      c291 = v299;
                      c292 = v300;
                      c293 = v301;
                      c294 = v302;
                      c295 = v303;
                      c296 = v304;
                    }
                    float8 c305 = c289;
                    float8 c306 = c290;
                    float8 c307 = c291;
                    float8 c308 = c292;
                    float8 c309 = c293;
                    float8 c310 = c294;
                    float8 c311 = c295;
                    float8 c312 = c296;
                    for (long i313 = 0L; i313 < v39; i313 += 1L) {
                      const long v314 = i37 + i313;
                      const float8 v315 = vload8(0, &a29[i313 * 32L + i258]);
                      const float v316 = b0[v266 * n4 + v314];
                      const float8 v317 = (float8)(v316);
                      const float8 v318 = fma(v317, v315, c305);
                      const float v319 = b0[v269 * n4 + v314];
                      const float8 v320 = (float8)(v319);
                      const float8 v321 = fma(v320, v315, c306);
                      const float v322 = b0[v272 * n4 + v314];
                      const float8 v323 = (float8)(v322);
                      const float8 v324 = fma(v323, v315, c307);
                      const float v325 = b0[v275 * n4 + v314];
                      const float8 v326 = (float8)(v325);
                      const float8 v327 = fma(v326, v315, c308);
                      const float v328 = b0[v278 * n4 + v314];
                      const float8 v329 = (float8)(v328);
                      const float8 v330 = fma(v329, v315, c309);
                      const float v331 = b0[v281 * n4 + v314];
                      const float8 v332 = (float8)(v331);
                      const float8 v333 = fma(v332, v315, c310);
                      const float v334 = b0[v284 * n4 + v314];
                      const float8 v335 = (float8)(v334);
                      const float8 v336 = fma(v335, v315, c311);
                      const float v337 = b0[v287 * n4 + v314];
                      const float8 v338 = (float8)(v337);
                      const float8 v339 = fma(v338, v315, c312);
                      c305 = v318;
                      c306 = v321;
                      c307 = v324;
                      c308 = v327;
                      c309 = v330;
                      c310 = v333;
                      c311 = v336;
                      c312 = v339;
                    }
                    tri_put_float8_global(c305, &b2[v266 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c306, &b2[v269 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c307, &b2[v272 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c308, &b2[v275 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c309, &b2[v278 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c310, &b2[v281 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c311, &b2[v284 * n8 + v260], 1L, v259);
                    tri_put_float8_global(c312, &b2[v287 * n8 + v260], 1L, v259);
                  }
                }
              }
            }
          }
        }
      } else {
        float a340[6144] __attribute__((aligned(64)));
        const long v341 = n2 > 1L ? n2 : 1L;
        const long v342 = v341 - 1L;
        const long v343 = (long)((ulong)v342 / (ulong)384L);
        const long v344 = v343 + 1L;
        const long v345 = v341 - 1L;
        const long v346 = (long)((ulong)v345 / (ulong)v344);
        const long v347 = v346 + 1L;
        for (long i348 = 0L; i348 < v341; i348 += v347) {
          const long v349 = n2 - i348;
          const long v350 = v349 < v347 ? v349 : v347;
          for (long i351 = 0L; i351 < v22; i351 += 192L) {
            const long v352 = i351 + 192L;
            const long v353 = v352 < v22 ? v352 : v22;
            for (long i354 = v19; i354 < v21; i354 += 16L) {
              const long v355 = v21 - i354;
              const bool v356 = v355 >= 16L;
              if (v356) {
                const long v357 = i354 + 8L;
                for (long i358 = 0L; i358 < v350; i358 += 1L) {
                  const long v359 = i348 + i358;
                  const float8 v360 = vload8(0, &b1[i354 + v359 * n6]);
                  vstore8(v360, 0, &a340[i358 * 16L]);
                  const float8 v361 = vload8(0, &b1[v357 + v359 * n6]);
                  vstore8(v361, 0, &a340[i358 * 16L + 8L]);
                }
                for (long i362 = i351; i362 < v353; i362 += 6L) {
                  const long v363 = i362 - i351;
                  const long v364 = (long)((ulong)v363 / (ulong)6L);
                  const long v365 = v353 - i351;
                  const long v366 = v365 - 1L;
                  const long v367 = (long)((ulong)v366 / (ulong)6L);
                  const long v368 = v367 + 1L;
                  const long v369 = v350 - 1L;
                  const long v370 = (long)((ulong)v369 / (ulong)v368);
                  const long v371 = v370 + 1L;
                  const long v372 = i362 + 6L;
                  const long v373 = v22 - 1L;
                  const long v374 = v22 - 1L;
                  const long v375 = i362 + v16;
                  const long v376 = i362 + 1L;
                  const long v377 = v376 < v374 ? v376 : v374;
                  const long v378 = v377 + v16;
                  const long v379 = i362 + 2L;
                  const long v380 = v379 < v374 ? v379 : v374;
                  const long v381 = v380 + v16;
                  const long v382 = i362 + 3L;
                  const long v383 = v382 < v374 ? v382 : v374;
                  const long v384 = v383 + v16;
                  const long v385 = i362 + 4L;
                  const long v386 = v385 < v374 ? v385 : v374;
                  const long v387 = v386 + v16;
                  const long v388 = i362 + 5L;
                  const long v389 = v388 < v374 ? v388 : v374;
                  const long v390 = v389 + v16;
                  const long v391 = v22 - 1L;
                  const long v392 = i362 + v16;
                  const long v393 = i362 + 1L;
                  const long v394 = v393 < v391 ? v393 : v391;
                  const long v395 = v394 + v16;
                  const long v396 = i362 + 2L;
                  const long v397 = v396 < v391 ? v396 : v391;
                  const long v398 = v397 + v16;
                  const long v399 = i362 + 3L;
                  const long v400 = v399 < v391 ? v399 : v391;
                  const long v401 = v400 + v16;
                  const long v402 = i362 + 4L;
                  const long v403 = v402 < v391 ? v402 : v391;
                  const long v404 = v403 + v16;
                  const long v405 = i362 + 5L;
                  const long v406 = v405 < v391 ? v405 : v391;
                  const long v407 = v406 + v16;
                  const bool v408 = i348 == 0L;
                  float8 c409;
                  float8 c410;
                  float8 c411;
                  float8 c412;
                  float8 c413;
                  float8 c414;
                  float8 c415;
                  float8 c416;
                  float8 c417;
                  float8 c418;
                  float8 c419;
                  float8 c420;
                  if (v408) {
                    c409 = v2;
                    c410 = v2;
                    c411 = v2;
                    c412 = v2;
                    c413 = v2;
                    c414 = v2;
                    c415 = v2;
                    c416 = v2;
                    c417 = v2;
                    c418 = v2;
                    c419 = v2;
                    c420 = v2;
                  } else {
                    const float8 v421 = vload8(0, &b2[v375 * n8 + i354]);
                    const float8 v422 = vload8(0, &b2[v378 * n8 + i354]);
                    const float8 v423 = vload8(0, &b2[v381 * n8 + i354]);
                    const float8 v424 = vload8(0, &b2[v384 * n8 + i354]);
                    const float8 v425 = vload8(0, &b2[v387 * n8 + i354]);
                    const float8 v426 = vload8(0, &b2[v390 * n8 + i354]);
                    const float8 v427 = vload8(0, &b2[v392 * n8 + v357]);
                    const float8 v428 = vload8(0, &b2[v395 * n8 + v357]);
                    const float8 v429 = vload8(0, &b2[v398 * n8 + v357]);
                    const float8 v430 = vload8(0, &b2[v401 * n8 + v357]);
                    const float8 v431 = vload8(0, &b2[v404 * n8 + v357]);
                    const float8 v432 = vload8(0, &b2[v407 * n8 + v357]);
                    c409 = v421;
                    c410 = v427;
                    c411 = v422;
                    c412 = v428;
                    c413 = v423;
                    c414 = v429;
                    c415 = v424;
                    c416 = v430;
                    c417 = v425;
                    c418 = v431;
                    c419 = v426;
                    c420 = v432;
                  }
                  float8 c433 = c409;
                  float8 c434 = c410;
                  float8 c435 = c411;
                  float8 c436 = c412;
                  float8 c437 = c413;
                  float8 c438 = c414;
                  float8 c439 = c415;
                  float8 c440 = c416;
                  float8 c441 = c417;
                  float8 c442 = c418;
                  float8 c443 = c419;
                  float8 c444 = c420;
                  for (long i445 = 0L; i445 < v350; i445 += 16L) {
                    const long v446 = (long)((ulong)i445 / (ulong)16L);
                    const long v447 = v372 + v446;
                    const long v448 = v447 < v373 ? v447 : v373;
                    const long v449 = v448 + v16;
                    const long v450 = v21 - 1L;
                    const long v451 = i354 < v450 ? i354 : v450;
                    TRI_PREFETCH(&b2[v449 * n8 + v451], 3);
                    const long v452 = i354 + 15L;
                    const long v453 = v21 - 1L;
                    const long v454 = v452 < v453 ? v452 : v453;
                    TRI_PREFETCH(&b2[v449 * n8 + v454], 3);
                    const long v455 = (long)((ulong)i445 / (ulong)16L);
                    const long v456 = v364 * v371;
                    const long v457 = v456 + v455;
                    const long v458 = v350 - 1L;
                    const long v459 = v457 < v458 ? v457 : v458;
                    const long v460 = i354 + 16L;
                    const long v461 = v21 - 1L;
                    const long v462 = v460 < v461 ? v460 : v461;
                    const long v463 = i348 + v459;
                    TRI_PREFETCH(&b1[v462 + v463 * n6], 2);
                    const long v464 = i354 + 31L;
                    const long v465 = v21 - 1L;
                    const long v466 = v464 < v465 ? v464 : v465;
                    const long v467 = i348 + v459;
                    TRI_PREFETCH(&b1[v466 + v467 * n6], 2);
                    const long v468 = i445 + 16L;
                    const long v469 = v468 < v350 ? v468 : v350;
                    float8 c470 = c433;
                    float8 c471 = c434;
                    float8 c472 = c435;
                    float8 c473 = c436;
                    float8 c474 = c437;
                    float8 c475 = c438;
                    float8 c476 = c439;
                    float8 c477 = c440;
                    float8 c478 = c441;
                    float8 c479 = c442;
                    float8 c480 = c443;
                    float8 c481 = c444;
                    for (long i482 = i445; i482 < v469; i482 += 1L) {
                      const long v483 = i348 + i482;
                      const float8 v484 = vload8(0, &a340[i482 * 16L]);
                      const float8 v485 = vload8(0, &a340[i482 * 16L + 8L]);
                      const float v486 = b0[v375 * n4 + v483];
                      const float8 v487 = (float8)(v486);
                      const float8 v488 = fma(v487, v484, c470);
                      const float v489 = b0[v392 * n4 + v483];
                      const float8 v490 = (float8)(v489);
                      const float8 v491 = fma(v490, v485, c471);
                      const float v492 = b0[v378 * n4 + v483];
                      const float8 v493 = (float8)(v492);
                      const float8 v494 = fma(v493, v484, c472);
                      const float v495 = b0[v395 * n4 + v483];
                      const float8 v496 = (float8)(v495);
                      const float8 v497 = fma(v496, v485, c473);
                      const float v498 = b0[v381 * n4 + v483];
                      const float8 v499 = (float8)(v498);
                      const float8 v500 = fma(v499, v484, c474);
                      const float v501 = b0[v398 * n4 + v483];
                      const float8 v502 = (float8)(v501);
                      const float8 v503 = fma(v502, v485, c475);
                      const float v504 = b0[v384 * n4 + v483];
                      const float8 v505 = (float8)(v504);
                      const float8 v506 = fma(v505, v484, c476);
                      const float v507 = b0[v401 * n4 + v483];
                      const float8 v508 = (float8)(v507);
                      const float8 v509 = fma(v508, v485, c477);
                      const float v510 = b0[v387 * n4 + v483];
                      const float8 v511 = (float8)(v510);
                      const float8 v512 = fma(v511, v484, c478);
                      const float v513 = b0[v404 * n4 + v483];
                      const float8 v514 = (float8)(v513);
                      const float8 v515 = fma(v514, v485, c479);
                      const float v516 = b0[v390 * n4 + v483];
                      const float8 v517 = (float8)(v516);
                      const float8 v518 = fma(v517, v484, c480);
                      const float v519 = b0[v407 * n4 + v483];
                      const float8 v520 = (float8)(v519);
                      const float8 v521 = fma(v520, v485, c481);
                      c470 = v488;
                      c471 = v491;
                      c472 = v494;
                      c473 = v497;
                      c474 = v500;
                      c475 = v503;
                      c476 = v506;
                      c477 = v509;
                      c478 = v512;
                      c479 = v515;
                      c480 = v518;
                      c481 = v521;
                    }
                    c433 = c470;
                    c434 = c471;
                    c435 = c472;
                    c436 = c473;
                    c437 = c474;
                    c438 = c475;
                    c439 = c476;
                    c440 = c477;
                    c441 = c478;
                    c442 = c479;
                    c443 = c480;
                    c444 = c481;
                  }
                  vstore8(c433, 0, &b2[v375 * n8 + i354]);
                  vstore8(c435, 0, &b2[v378 * n8 + i354]);
                  vstore8(c437, 0, &b2[v381 * n8 + i354]);
                  vstore8(c439, 0, &b2[v384 * n8 + i354]);
                  vstore8(c441, 0, &b2[v387 * n8 + i354]);
                  vstore8(c443, 0, &b2[v390 * n8 + i354]);
                  vstore8(c434, 0, &b2[v392 * n8 + v357]);
                  vstore8(c436, 0, &b2[v395 * n8 + v357]);
                  vstore8(c438, 0, &b2[v398 * n8 + v357]);
                  vstore8(c440, 0, &b2[v401 * n8 + v357]);
                  vstore8(c442, 0, &b2[v404 * n8 + v357]);
                  vstore8(c444, 0, &b2[v407 * n8 + v357]);
                }
              } else {
                for (long i522 = 0L; i522 < v355; i522 += 8L) {
                  const long v523 = v355 - i522;
                  const long v524 = i354 + i522;
                  for (long i525 = 0L; i525 < v350; i525 += 1L) {
                    const long v526 = i348 + i525;
                    const float8 v527 = tri_get_float8_global(&b1[v524 + v526 * n6], 1L, v523);
                    vstore8(v527, 0, &a340[i525 * 16L + i522]);
                  }
                  for (long i528 = i351; i528 < v353; i528 += 6L) {
                    const long v529 = v22 - 1L;
                    const long v530 = i528 + v16;
                    const long v531 = i528 + 1L;
                    const long v532 = v531 < v529 ? v531 : v529;
                    const long v533 = v532 + v16;
                    const long v534 = i528 + 2L;
                    const long v535 = v534 < v529 ? v534 : v529;
                    const long v536 = v535 + v16;
                    const long v537 = i528 + 3L;
                    const long v538 = v537 < v529 ? v537 : v529;
                    const long v539 = v538 + v16;
                    const long v540 = i528 + 4L;
                    const long v541 = v540 < v529 ? v540 : v529;
                    const long v542 = v541 + v16;
                    const long v543 = i528 + 5L;
                    const long v544 = v543 < v529 ? v543 : v529;
                    const long v545 = v544 + v16;
                    const bool v546 = i348 == 0L;
                    float8 c547;
                    float8 c548;
                    float8 c549;
                    float8 c550;
                    float8 c551;
                    float8 c552;
                    if (v546) {
                      c547 = v2;
                      c548 = v2;
                      c549 = v2;
                      c550 = v2;
                      c551 = v2;
                      c552 = v2;
                    } else {
                      const float8 v553 = tri_get_float8_global(&b2[v530 * n8 + v524], 1L, v523);
                      const float8 v554 = tri_get_float8_global(&b2[v533 * n8 + v524], 1L, v523);
                      const float8 v555 = tri_get_float8_global(&b2[v536 * n8 + v524], 1L, v523);
                      const float8 v556 = tri_get_float8_global(&b2[v539 * n8 + v524], 1L, v523);
                      const float8 v557 = tri_get_float8_global(&b2[v542 * n8 + v524], 1L, v523);
                      const float8 v558 = tri_get_float8_global(&b2[v545 * n8 + v524], 1L, v523);
                      c547 = v553;
                      c548 = v554;
                      c549 = v555;
                      c550 = v556;
                      c551 = v557;
                      c552 = v558;
                    }
                    float8 c559 = c547;
                    float8 c560 = c548;
                    float8 c561 = c549;
                    float8 c562 = c550;
                    float8 c563 = c551;
                    float8 c564 = c552;
                    for (long i565 = 0L; i565 < v350; i565 += 1L) {
                      const long v566 = i348 + i565;
                      const float8 v567 = vload8(0, &a340[i565 * 16L + i522]);
                      const float v568 = b0[v530 * n4 + v566];
                      const float8 v569 = (float8)(v568);
                      const float8 v570 = fma(v569, v567, c559);
                      const float v571 = b0[v533 * n4 + v566];
                      const float8 v572 = (float8)(v571);
                      const float8 v573 = fma(v572, v567, c560);
                      const float v574 = b0[v536 * n4 + v566];
                      const float8 v575 = (float8)(v574);
                      const float8 v576 = fma(v575, v567, c561);
                      const float v577 = b0[v539 * n4 + v566];
                      const float8 v578 = (float8)(v577);
                      const float8 v579 = fma(v578, v567, c562);
                      const float v580 = b0[v542 * n4 + v566];
                      const float8 v581 = (float8)(v580);
                      const float8 v582 = fma(v581, v567, c563);
                      const float v583 = b0[v545 * n4 + v566];
                      const float8 v584 = (float8)(v583);
                      const float8 v585 = fma(v584, v567, c564);
                      c559 = v570;
                      c560 = v573;
                      c561 = v576;
                      c562 = v579;
                      c563 = v582;
                      c564 = v585;
                    }
                    tri_put_float8_global(c559, &b2[v530 * n8 + v524], 1L, v523);
                    tri_put_float8_global(c560, &b2[v533 * n8 + v524], 1L, v523);
                    tri_put_float8_global(c561, &b2[v536 * n8 + v524], 1L, v523);
                    tri_put_float8_global(c562, &b2[v539 * n8 + v524], 1L, v523);
                    tri_put_float8_global(c563, &b2[v542 * n8 + v524], 1L, v523);
                    tri_put_float8_global(c564, &b2[v545 * n8 + v524], 1L, v523);
                  }
                }
              }
            }
          }
        }
      }
    } else {
      for (long i586 = v16; i586 < v18; i586 += 1L) {
        for (long i587 = v19; i587 < v21; i587 += 128L) {
          const long v588 = v21 - i587;
          const long v589 = v588 < 128L ? v588 : 128L;
          float a590[128];
          const long v591 = n2 < 1L ? n2 : 1L;
          const long v592 = v591 > 1L ? v591 : 1L;
          const bool v593 = n2 > 0L;
          for (long i594 = 0L; i594 < 1L; i594 += 1L) {
            for (long i595 = 0L; i595 < v589; i595 += 1L) {
              a590[i594 * 128L + i595] = 0x0.0p+0f;
            }
          }
          const long v596 = n2 - 0L;
          const long v597 = (long)((ulong)v596 % (ulong)4L);
          const long v598 = n2 - v597;
          for (long i599 = 0L; i599 < v598; i599 += 4L) {
            for (long i600 = 0L; i600 < 1L; i600 += 1L) {
              const long v601 = i599 + i600;
              const long v602 = v601 + 1L;
              const long v603 = v602 + 1L;
              const long v604 = v603 + 1L;
              for (long i605 = 0L; i605 < v589; i605 += 1L) {
                const long v606 = i587 + i605;
                const float v607 = a590[i600 * 128L + i605];
                const bool v608 = i599 < 1L;
                const float v609 = v608 ? 0x0.0p+0f : v607;
                const float v610 = b0[i586 * n4 + v601];
                const float v611 = b1[v606 + v601 * n6];
                const float v612 = TRI_FMA32(v610, v611, v609);
                const float v613 = b0[i586 * n4 + v602];
                const float v614 = b1[v606 + v602 * n6];
                const float v615 = TRI_FMA32(v613, v614, v612);
                const float v616 = b0[i586 * n4 + v603];
                const float v617 = b1[v606 + v603 * n6];
                const float v618 = TRI_FMA32(v616, v617, v615);
                const float v619 = b0[i586 * n4 + v604];
                const float v620 = b1[v606 + v604 * n6];
                const float v621 = TRI_FMA32(v619, v620, v618);
                a590[i600 * 128L + i605] = v621;
              }
            }
          }
          for (long i622 = v598; i622 < n2; i622 += 1L) {
            const long v623 = i622 & 0L;
            for (long i624 = 0L; i624 < v589; i624 += 1L) {
              const long v625 = i587 + i624;
              const float v626 = a590[v623 * 128L + i624];
              const bool v627 = i622 < 1L;
              const float v628 = v627 ? 0x0.0p+0f : v626;
              const float v629 = b0[i586 * n4 + i622];
              const float v630 = b1[v625 + i622 * n6];
              const float v631 = TRI_FMA32(v629, v630, v628);
              a590[v623 * 128L + i624] = v631;
            }
          }
          for (long i632 = 0L; i632 < v589; i632 += 1L) {
            const long v633 = i587 + i632;
            const float v634 = a590[i632];
            b2[i586 * n8 + v633] = v634;
          }
        }
      }
    }
  }
}
