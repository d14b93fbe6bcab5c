// trilith: {"local": [1], "global": [[0, 128], [1, 256]]}
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
  const long v5 = n1 + 255L;
  const long v6 = (long)((ulong)v5 / (ulong)256L);
  const long i7 = (long)get_global_id(0);
  if (i7 < v4 * v6) {
    const long i9 = (long)((ulong)i7 / (ulong)v6);
    const long i8 = i7 - i9 * v6;
    const long v10 = i9 * 128L;
    const long v11 = v10 + 128L;
    const long v12 = v11 < n0 ? v11 : n0;
    const long v13 = i8 * 256L;
    const long v14 = v13 + 256L;
    const long v15 = v14 < n1 ? v14 : n1;
    const long v16 = v12 - v10;
    const bool v17 = v16 >= 16L;
    if (v17) {
      if (TRI_HAS_512) {
        float a18[12288] __attribute__((aligned(64)));
        const long v19 = n2 > 1L ? n2 : 1L;
        const long v20 = v19 - 1L;
        const long v21 = (long)((ulong)v20 / (ulong)384L);
        const long v22 = v21 + 1L;
        const long v23 = v19 - 1L;
        const long v24 = (long)((ulong)v23 / (ulong)v22);
        const long v25 = v24 + 1L;
        for (long i26 = 0L; i26 < v19; i26 += v25) {
          const long v27 = n2 - i26;
          const long v28 = v27 < v25 ? v27 : v25;
          for (long i29 = 0L; i29 < v16; i29 += 192L) {
            const long v30 = i29 + 192L;
            const long v31 = v30 < v16 ? v30 : v16;
            const long v32 = v15 - v13;
            const long v33 = v32 & (-32L);
            const long v34 = v33 + v13;
            for (long i35 = v13; i35 < v34; i35 += 32L) {
              const long v36 = i35 + 16L;
              for (long i37 = 0L; i37 < v28; i37 += 1L) {
                const long v38 = i26 + i37;
                const float16 v39 = vload16(0, &b1[i35 + v38 * n6]);
                vstore16(v39, 0, &a18[i37 * 32L]);
                const float16 v40 = vload16(0, &b1[v36 + v38 * n6]);
                vstore16(v40, 0, &a18[i37 * 32L + 16L]);
              }
              for (long i41 = i29; i41 < v31; i41 += 8L) {
                const long v42 = i41 - i29;
                const long v43 = (long)((ulong)v42 / (ulong)8L);
                const long v44 = v31 - i29;
                const long v45 = v44 - 1L;
                const long v46 = (long)((ulong)v45 / (ulong)8L);
                const long v47 = v46 + 1L;
                const long v48 = v28 - 1L;
                const long v49 = (long)((ulong)v48 / (ulong)v47);
                const long v50 = v49 + 1L;
                const long v51 = i41 + 8L;
                const long v52 = v16 - 1L;
                const long v53 = v16 - 1L;
                const long v54 = i41 + v10;
                const long v55 = i41 + 1L;
                const long v56 = v55 < v53 ? v55 : v53;
                const long v57 = v56 + v10;
                const long v58 = i41 + 2L;
                const long v59 = v58 < v53 ? v58 : v53;
                const long v60 = v59 + v10;
                const long v61 = i41 + 3L;
                const long v62 = v61 < v53 ? v61 : v53;
                const long v63 = v62 + v10;
                const long v64 = i41 + 4L;
                const long v65 = v64 < v53 ? v64 : v53;
                const long v66 = v65 + v10;
                const long v67 = i41 + 5L;
                const long v68 = v67 < v53 ? v67 : v53;
                const long v69 = v68 + v10;
                const long v70 = i41 + 6L;
                const long v71 = v70 < v53 ? v70 : v53;
                const long v72 = v71 + v10;
                const long v73 = i41 + 7L;
                const long v74 = v73 < v53 ? v73 : v53;
                const long v75 = v74 + v10;
                const long v76 = v16 - 1L;
                const long v77 = i41 + v10;
                const long v78 = i41 + 1L;
                const long v79 = v78 < v76 ? v78 : v76;
                const long v80 = v79 + v10;
                const long v81 = i41 + 2L;
                const long v82 = v81 < v76 ? v81 : v76;
                const long v83 = v82 + v10;
                const long v84 = i41 + 3L;
                const long v85 = v84 < v76 ? v84 : v76;
                const long v86 = v85 + v10;
                const long v87 = i41 + 4L;
                const long v88 = v87 < v76 ? v87 : v76;
                const long v89 = v88 + v10;
                const long v90 = i41 + 5L;
                const long v91 = v90 < v76 ? v90 : v76;
                const long v92 = v91 + v10;
                const long v93 = i41 + 6L;
                const long v94 = v93 < v76 ? v93 : v76;
                const long v95 = v94 + v10;
                const long v96 = i41 + 7L;
                const long v97 = v96 < v76 ? v96 : v76;
                const long v98 = v97 + v10;
                const bool v99 = i26 == 0L;
                float16 c100;
                float16 c101;
                float16 c102;
                float16 c103;
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
                if (v99) {
                  c100 = v1;
                  c101 = v1;
                  c102 = v1;
                  c103 = v1;
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
                } else {
                  const float16 v116 = vload16(0, &b2[v54 * n8 + i35]);
                  const float16 v117 = vload16(0, &b2[v77 * n8 + v36]);
                  const float16 v118 = vload16(0, &b2[v57 * n8 + i35]);
                  const float16 v119 = vload16(0, &b2[v80 * n8 + v36]);
                  const float16 v120 = vload16(0, &b2[v60 * n8 + i35]);
                  const float16 v121 = vload16(0, &b2[v83 * n8 + v36]);
                  const float16 v122 = vload16(0, &b2[v63 * n8 + i35]);
                  const float16 v123 = vload16(0, &b2[v86 * n8 + v36]);
                  const float16 v124 = vload16(0, &b2[v66 * n8 + i35]);
                  const float16 v125 = vload16(0, &b2[v89 * n8 + v36]);
                  const float16 v126 = vload16(0, &b2[v69 * n8 + i35]);
                  const float16 v127 = vload16(0, &b2[v92 * n8 + v36]);
                  const float16 v128 = vload16(0, &b2[v72 * n8 + i35]);
                  const float16 v129 = vload16(0, &b2[v95 * n8 + v36]);
                  const float16 v130 = vload16(0, &b2[v75 * n8 + i35]);
                  const float16 v131 = vload16(0, &b2[v98 * n8 + v36]);
                  c100 = v116;
                  c101 = v117;
                  c102 = v118;
                  c103 = v119;
                  c104 = v120;
                  c105 = v121;
                  c106 = v122;
                  c107 = v123;
                  c108 = v124;
                  c109 = v125;
                  c110 = v126;
                  c111 = v127;
                  c112 = v128;
                  c113 = v129;
                  c114 = v130;
                  c115 = v131;
                }
                float16 c132 = c100;
                float16 c133 = c101;
                float16 c134 = c102;
                float16 c135 = c103;
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
                for (long i148 = 0L; i148 < v28; i148 += 16L) {
                  const long v149 = (long)((ulong)i148 / (ulong)16L);
                  const long v150 = v51 + v149;
                  const long v151 = v150 < v52 ? v150 : v52;
                  const long v152 = v151 + v10;
                  const long v153 = v15 - 1L;
                  const long v154 = i35 < v153 ? i35 : v153;
                  TRI_PREFETCH(&b2[v152 * n8 + v154], 3);
                  const long v155 = i35 + 16L;
                  const long v156 = v15 - 1L;
                  const long v157 = v155 < v156 ? v155 : v156;
                  TRI_PREFETCH(&b2[v152 * n8 + v157], 3);
                  const long v158 = i35 + 31L;
                  const long v159 = v15 - 1L;
                  const long v160 = v158 < v159 ? v158 : v159;
                  TRI_PREFETCH(&b2[v152 * n8 + v160], 3);
                  const long v161 = (long)((ulong)i148 / (ulong)16L);
                  const long v162 = v43 * v50;
                  const long v163 = v162 + v161;
                  const long v164 = v28 - 1L;
                  const long v165 = v163 < v164 ? v163 : v164;
                  const long v166 = i35 + 32L;
                  const long v167 = v15 - 1L;
                  const long v168 = v166 < v167 ? v166 : v167;
                  const long v169 = i26 + v165;
                  TRI_PREFETCH(&b1[v168 + v169 * n6], 2);
                  const long v170 = i35 + 48L;
                  const long v171 = v15 - 1L;
                  const long v172 = v170 < v171 ? v170 : v171;
                  const long v173 = i26 + v165;
                  TRI_PREFETCH(&b1[v172 + v173 * n6], 2);
                  const long v174 = i35 + 63L;
                  const long v175 = v15 - 1L;
                  const long v176 = v174 < v175 ? v174 : v175;
                  const long v177 = i26 + v165;
                  TRI_PREFETCH(&b1[v176 + v177 * n6], 2);
                  const long v178 = i148 + 16L;
                  const long v179 = v178 < v28 ? v178 : v28;
                  float16 c180 = c132;
                  float16 c181 = c133;
                  float16 c182 = c134;
                  float16 c183 = c135;
                  float16 c184 = c136;
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
                  for (long i196 = i148; i196 < v179; i196 += 1L) {
                    const long v197 = i26 + i196;
                    const float16 v198 = vload16(0, &a18[i196 * 32L]);
                    const float16 v199 = vload16(0, &a18[i196 * 32L + 16L]);
                    const float v200 = b0[v54 * n4 + v197];
                    const float16 v201 = (float16)(v200);
                    const float16 v202 = fma(v201, v198, c180);
                    const float v203 = b0[v77 * n4 + v197];
                    const float16 v204 = (float16)(v203);
                    const float16 v205 = fma(v204, v199, c181);
                    const float v206 = b0[v57 * n4 + v197];
                    const float16 v207 = (float16)(v206);
                    const float16 v208 = fma(v207, v198, c182);
                    const float v209 = b0[v80 * n4 + v197];
                    const float16 v210 = (float16)(v209);
                    const float16 v211 = fma(v210, v199, c183);
                    const float v212 = b0[v60 * n4 + v197];
                    const float16 v213 = (float16)(v212);
                    const float16 v214 = fma(v213, v198, c184);
                    const float v215 = b0[v83 * n4 + v197];
                    const float16 v216 = (float16)(v215);
                    const float16 v217 = fma(v216, v199, c185);
                    const float v218 = b0[v63 * n4 + v197];
                    const float16 v219 = (float16)(v218);
                    const float16 v220 = fma(v219, v198, c186);
                    const float v221 = b0[v86 * n4 + v197];
                    const float16 v222 = (float16)(v221);
                    const float16 v223 = fma(v222, v199, c187);
                    const float v224 = b0[v66 * n4 + v197];
                    const float16 v225 = (float16)(v224);
                    const float16 v226 = fma(v225, v198, c188);
                    const float v227 = b0[v89 * n4 + v197];
                    const float16 v228 = (float16)(v227);
                    const float16 v229 = fma(v228, v199, c189);
                    const float v230 = b0[v69 * n4 + v197];
                    const float16 v231 = (float16)(v230);
                    const float16 v232 = fma(v231, v198, c190);
                    const float v233 = b0[v92 * n4 + v197];
                    const float16 v234 = (float16)(v233);
                    const float16 v235 = fma(v234, v199, c191);
                    const float v236 = b0[v72 * n4 + v197];
                    const float16 v237 = (float16)(v236);
                    const float16 v238 = fma(v237, v198, c192);
                    const float v239 = b0[v95 * n4 + v197];
                    const float16 v240 = (float16)(v239);
                    const float16 v241 = fma(v240, v199, c193);
                    const float v242 = b0[v75 * n4 + v197];
                    const float16 v243 = (float16)(v242);
                    const float16 v244 = fma(v243, v198, c194);
                    const float v245 = b0[v98 * n4 + v197];
                    const float16 v246 = (float16)(v245);
                    const float16 v247 = fma(v246, v199, c195);
                    c180 = v202;
                    c181 = v205;
                    c182 = v208;
                    c183 = v211;
                    c184 = v214;
                    c185 = v217;
                    c186 = v220;
                    c187 = v223;
                    c188 = v226;
                    c189 = v229;
                    c190 = v232;
                    c191 = v235;
                    c192 = v238;
                    c193 = v241;
                    c194 = v244;
                    c195 = v247;
                  }
                  c132 = c180;
                  c133 = c181;
                  c134 = c182;
                  c135 = c183;
                  c136 = c184;
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
                }
                vstore16(c132, 0, &b2[v54 * n8 + i35]);
                vstore16(c133, 0, &b2[v77 * n8 + v36]);
                vstore16(c134, 0, &b2[v57 * n8 + i35]);
                vstore16(c135, 0, &b2[v80 * n8 + v36]);
                vstore16(c136, 0, &b2[v60 * n8 + i35]);
                vstore16(c137, 0, &b2[v83 * n8 + v36]);
                vstore16(c138, 0, &b2[v63 * n8 + i35]);
                vstore16(c139, 0, &b2[v86 * n8 + v36]);
                vstore16(c140, 0, &b2[v66 * n8 + i35]);
                vstore16(c141, 0, &b2[v89 * n8 + v36]);
                vstore16(c142, 0, &b2[v69 * n8 + i35]);
                vstore16(c143, 0, &b2[v92 * n8 + v36]);
                vstore16(c144, 0, &b2[v72 * n8 + i35]);
                vstore16(c145, 0, &b2[v95 * n8 + v36]);
                vstore16(c146, 0, &b2[v75 * n8 + i35]);
                vstore16(c147, 0, &b2[v98 * n8 + v36]);
              }
            }
            for (long i248 = v34; i248 < v15; i248 += 8L) {
              const long v249 = v15 - i248;
              for (long i250 = 0L; i250 < v28; i250 += 1L) {
                const long v251 = i26 + i250;
                const float8 v252 = tri_get_float8_global(&b1[i248 + v251 * n6], 1L, v249);
                vstore8(v252, 0, &a18[i250 * 32L]);
              }
              for (long i253 = i29; i253 < v31; i253 += 8L) {
                const long v254 = v16 - 1L;
                const long v255 = i253 + v10;
                const long v256 = i253 + 1L;
                const long v257 = v256 < v254 ? v256 : v254;
                const long v258 = v257 + v10;
                const long v259 = i253 + 2L;
                const long v260 = v259 < v254 ? v259 : v254;
                const long v261 = v260 + v10;
                const long v262 = i253 + 3L;
                const long v263 = v262 < v254 ? v262 : v254;
                const long v264 = v263 + v10;
                const long v265 = i253 + 4L;
                const long v266 = v265 < v254 ? v265 : v254;
                const long v267 = v266 + v10;
                const long v268 = i253 + 5L;
                const long v269 = v268 < v254 ? v268 : v254;
                const long v270 = v269 + v10;
                const long v271 = i253 + 6L;
                const long v272 = v271 < v254 ? v271 : v254;
                const long v273 = v272 + v10;
                const long v274 = i253 + 7L;
                const long v275 = v274 < v254 ? v274 : v254;
                const long v276 = v275 + v10;
                const bool v277 = i26 == 0L;
                float8 c278;
                float8 c279;
                float8 c280;
                float8 c281;
                float8 c282;
                float8 c283;
                float8 c284;
                float8 c285;
                if (v277) {
                  c278 = v2;
                  c279 = v2;
                  c280 = v2;
                  c281 = v2;
                  c282 = v2;
                  c283 = v2;
                  c284 = v2;
                  c285 = v2;
                } else {
                  const float8 v286 = tri_get_float8_global(&b2[v255 * n8 + i248], 1L, v249);
                  const float8 v287 = tri_get_float8_global(&b2[v258 * n8 + i248], 1L, v249);
                  const float8 v288 = tri_get_float8_global(&b2[v261 * n8 + i248], 1L, v249);
                  const float8 v289 = tri_get_float8_global(&b2[v264 * n8 + i248], 1L, v249);
                  const float8 v290 = tri_get_float8_global(&b2[v267 * n8 + i248], 1L, v249);
                  const float8 v291 = tri_get_float8_global(&b2[v270 * n8 + i248], 1L, v249);
                  const float8 v292 = tri_get_float8_global(&b2[v273 * n8 + i248], 1L, v249);
                  const float8 v293 = tri_get_float8_global(&b2[v276 * n8 + i248], 1L, v249);
                  c278 = v286;
                  c279 = v287;
                  c280 = v288;
                  c281 = v289;
                  c282 = v290;
                  c283 = v291;
                  c284 = v292;
                  c285 = v293;
                }
                float8 c294 = c278;
                float8 c295 = c279;
                float8 c296 = c280;
                float8 c297 = c281;
                float8 c298 = c282;
                float8 c299 = c283;
                float8 c300 = c284;
                float8 c301 = c285;
                for (long i302 = 0L; i302 < v28; i302 += 1L) {
                  const long v303 = i26 + i302;
                  const float8 v304 = vload8(0, &a18[i302 * 32L]);
                  const float v305 = b0[v255 * n4 + v303];
                  const float8 v306 = (float8)(v305);
                  const float8 v307 = fma(v306, v304, c294);
                  const float v308 = b0[v258 * n4 + v303];
                  const float8 v309 = (float8)(v308);
                  const float8 v310 = fma(v309, v304, c295);
                  const float v311 = b0[v261 * n4 + v303];
                  const float8 v312 = (float8)(v311);
                  const float8 v313 = fma(v312, v304, c296);
                  const float v314 = b0[v264 * n4 + v303];
                  const float8 v315 = (float8)(v314);
                  const float8 v316 = fma(v315, v304, c297);
                  const float v317 = b0[v267 * n4 + v303];
                  const float8 v318 = (float8)(v317);
                  const float8 v319 = fma(v318, v304, c298);
                  const float v320 = b0[v270 * n4 + v303];
                  const float8 v321 = (float8)(v320);
                  const float8 v322 = fma(v321, v304, c299);
                  const float v323 = b0[v273 * n4 + v303];
                  const float8 v324 = (float8)(v323);
                  const float8 v325 = fma(v324, v304, c300);
                  const float v326 = b0[v276 * n4 + v303];
                  const float8 v327 = (float8)(v326);
                  const float8 v328 = fma(v327, v304, c301);
                  c294 = v307;
                  c295 = v310;
                  c296 = v313;
                  c297 = v316;
                  c298 = v319;
                  c299 = v322;
                  c300 = v325;
                  c301 = v328;
                }
                tri_put_float8_global(c294, &b2[v255 * n8 + i248], 1L, v249);
                tri_put_float8_global(c295, &b2[v258 * n8 + i248], 1L, v249);
                tri_put_float8_global(c296, &b2[v261 * n8 + i248], 1L, v249);
                tri_put_float8_global(c297, &b2[v264 * n8 + i248], 1L, v249);
                tri_put_float8_global(c298, &b2[v267 * n8 + i248], 1L, v249);
                tri_put_float8_global(c299, &b2[v270 * n8 + i248], 1L, v249);
                tri_put_float8_global(c300, &b2[v273 * n8 + i248], 1L, v249);
                tri_put_float8_global(c301, &b2[v276 * n8 + i248], 1L, v249);
              }
            }
          }
        }
      } else {
        float a329[6144] __attribute__((aligned(64)));
        const long v330 = n2 > 1L ? n2 : 1L;
        const long v331 = v330 - 1L;
        const long v332 = (long)((ulong)v331 / (ulong)384L);
        const long v333 = v332 + 1L;
        const long v334 = v330 - 1L;
        const long v335 = (long)((ulong)v334 / (ulong)v333);
        const long v336 = v335 + 1L;
        for (long i337 = 0L; i337 < v330; i337 += v336) {
          const long v338 = n2 - i337;
          const long v339 = v338 < v336 ? v338 : v336;
          for (long i340 = 0L; i340 < v16; i340 += 192L) {
            const long v341 = i340 + 192L;
            const long v342 = v341 < v16 ? v341 : v16;
            const long v343 = v15 - v13;
            const long v344 = v343 & (-16L);
            const long v345 = v344 + v13;
            for (long i346 = v13; i346 < v345; i346 += 16L) {
              const long v347 = i346 + 8L;
              for (long i348 = 0L; i348 < v339; i348 += 1L) {
                const long v349 = i337 + i348;
                const float8 v350 = vload8(0, &b1[i346 + v349 * n6]);
                vstore8(v350, 0, &a329[i348 * 16L]);
                const float8 v351 = vload8(0, &b1[v347 + v349 * n6]);
                vstore8(v351, 0, &a329[i348 * 16L + 8L]);
              }
              for (long i352 = i340; i352 < v342; i352 += 6L) {
                const long v353 = i352 - i340;
                const long v354 = (long)((ulong)v353 / (ulong)6L);
                const long v355 = v342 - i340;
                const long v356 = v355 - 1L;
                const long v357 = (long)((ulong)v356 / (ulong)6L);
                const long v358 = v357 + 1L;
                const long v359 = v339 - 1L;
                const long v360 = (long)((ulong)v359 / (ulong)v358);
                const long v361 = v360 + 1L;
                const long v362 = i352 + 6L;
                const long v363 = v16 - 1L;
                const long v364 = v16 - 1L;
                const long v365 = i352 + v10;
                const long v366 = i352 + 1L;
                const long v367 = v366 < v364 ? v366 : v364;
                const long v368 = v367 + v10;
                const long v369 = i352 + 2L;
                const long v370 = v369 < v364 ? v369 : v364;
                const long v371 = v370 + v10;
                const long v372 = i352 + 3L;
                const long v373 = v372 < v364 ? v372 : v364;
                const long v374 = v373 + v10;
                const long v375 = i352 + 4L;
                const long v376 = v375 < v364 ? v375 : v364;
                const long v377 = v376 + v10;
                const long v378 = i352 + 5L;
                const long v379 = v378 < v364 ? v378 : v364;
                const long v380 = v379 + v10;
                const long v381 = v16 - 1L;
                const long v382 = i352 + v10;
                const long v383 = i352 + 1L;
                const long v384 = v383 < v381 ? v383 : v381;
                const long v385 = v384 + v10;
                const long v386 = i352 + 2L;
                const long v387 = v386 < v381 ? v386 : v381;
                const long v388 = v387 + v10;
                const long v389 = i352 + 3L;
                const long v390 = v389 < v381 ? v389 : v381;
                const long v391 = v390 + v10;
                const long v392 = i352 + 4L;
                const long v393 = v392 < v381 ? v392 : v381;
                const long v394 = v393 + v10;
                const long v395 = i352 + 5L;
                const long v396 = v395 < v381 ? v395 : v381;
                const long v397 = v396 + v10;
                const bool v398 = i337 == 0L;
                float8 c399;
                float8 c400;
                float8 c401;
                float8 c402;
                float8 c403;
                float8 c404;
                float8 c405;
                float8 c406;
                float8 c407;
                float8 c408;
                float8 c409;
                float8 c410;
                if (v398) {
                  c399 = v2;
                  c400 = v2;
                  c401 = v2;
                  c402 = v2;
                  c403 = v2;
                  c404 = v2;
                  c405 = v2;
                  c406 = v2;
                  c407 = v2;
                  c408 = v2;
                  c409 = v2;
                  c410 = v2;
                } else {
                  const float8 v411 = vload8(0, &b2[v365 * n8 + i346]);
                  const float8 v412 = vload8(0, &b2[v382 * n8 + v347]);
                  const float8 v413 = vload8(0, &b2[v368 * n8 + i346]);
                  const float8 v414 = vload8(0, &b2[v385 * n8 + v347]);
                  const float8 v415 = vload8(0, &b2[v371 * n8 + i346]);
                  const float8 v416 = vload8(0, &b2[v388 * n8 + v347]);
                  const float8 v417 = vload8(0, &b2[v374 * n8 + i346]);
                  const float8 v418 = vload8(0, &b2[v391 * n8 + v347]);
                  const float8 v419 = vload8(0, &b2[v377 * n8 + i346]);
                  const float8 v420 = vload8(0, &b2[v394 * n8 + v347]);
                  const float8 v421 = vload8(0, &b2[v380 * n8 + i346]);
                  const float8 v422 = vload8(0, &b2[v397 * n8 + v347]);
                  c399 = v411;
                  c400 = v412;
                  c401 = v413;
                  c402 = v414;
                  c403 = v415;
                  c404 = v416;
                  c405 = v417;
                  c406 = v418;
                  c407 = v419;
                  c408 = v420;
                  c409 = v421;
                  c410 = v422;
                }
                float8 c423 = c399;
                float8 c424 = c400;
                float8 c425 = c401;
                float8 c426 = c402;
                float8 c427 = c403;
                float8 c428 = c404;
                float8 c429 = c405;
                float8 c430 = c406;
                float8 c431 = c407;
                float8 c432 = c408;
                float8 c433 = c409;
                float8 c434 = c410;
                for (long i435 = 0L; i435 < v339; i435 += 16L) {
                  const long v436 = (long)((ulong)i435 / (ulong)16L);
                  const long v437 = v362 + v436;
                  const long v438 = v437 < v363 ? v437 : v363;
                  const long v439 = v438 + v10;
                  const long v440 = v15 - 1L;
                  const long v441 = i346 < v440 ? i346 : v440;
                  TRI_PREFETCH(&b2[v439 * n8 + v441], 3);
                  const long v442 = i346 + 15L;
                  const long v443 = v15 - 1L;
                  const long v444 = v442 < v443 ? v442 : v443;
                  TRI_PREFETCH(&b2[v439 * n8 + v444], 3);
                  const long v445 = (long)((ulong)i435 / (ulong)16L);
                  const long v446 = v354 * v361;
                  const long v447 = v446 + v445;
                  const long v448 = v339 - 1L;
                  const long v449 = v447 < v448 ? v447 : v448;
                  const long v450 = i346 + 16L;
                  const long v451 = v15 - 1L;
                  const long v452 = v450 < v451 ? v450 : v451;
                  const long v453 = i337 + v449;
                  TRI_PREFETCH(&b1[v452 + v453 * n6], 2);
                  const long v454 = i346 + 31L;
                  const long v455 = v15 - 1L;
                  const long v456 = v454 < v455 ? v454 : v455;
                  const long v457 = i337 + v449;
                  TRI_PREFETCH(&b1[v456 + v457 * n6], 2);
                  const long v458 = i435 + 16L;
                  const long v459 = v458 < v339 ? v458 : v339;
                  float8 c460 = c423;
                  float8 c461 = c424;
                  float8 c462 = c425;
                  float8 c463 = c426;
                  float8 c464 = c427;
                  float8 c465 = c428;
                  float8 c466 = c429;
                  float8 c467 = c430;
                  float8 c468 = c431;
                  float8 c469 = c432;
                  float8 c470 = c433;
                  float8 c471 = c434;
                  for (long i472 = i435; i472 < v459; i472 += 1L) {
                    const long v473 = i337 + i472;
                    const float8 v474 = vload8(0, &a329[i472 * 16L]);
                    const float8 v475 = vload8(0, &a329[i472 * 16L + 8L]);
                    const float v476 = b0[v365 * n4 + v473];
                    const float8 v477 = (float8)(v476);
                    const float8 v478 = fma(v477, v474, c460);
                    const float v479 = b0[v382 * n4 + v473];
                    const float8 v480 = (float8)(v479);
                    const float8 v481 = fma(v480, v475, c461);
                    const float v482 = b0[v368 * n4 + v473];
                    const float8 v483 = (float8)(v482);
                    const float8 v484 = fma(v483, v474, c462);
                    const float v485 = b0[v385 * n4 + v473];
                    const float8 v486 = (float8)(v485);
                    const float8 v487 = fma(v486, v475, c463);
                    const float v488 = b0[v371 * n4 + v473];
                    const float8 v489 = (float8)(v488);
                    const float8 v490 = fma(v489, v474, c464);
                    const float v491 = b0[v388 * n4 + v473];
                    const float8 v492 = (float8)(v491);
                    const float8 v493 = fma(v492, v475, c465);
                    const float v494 = b0[v374 * n4 + v473];
                    const float8 v495 = (float8)(v494);
                    const float8 v496 = fma(v495, v474, c466);
                    const float v497 = b0[v391 * n4 + v473];
                    const float8 v498 = (float8)(v497);
                    const float8 v499 = fma(v498, v475, c467);
                    const float v500 = b0[v377 * n4 + v473];
                    const float8 v501 = (float8)(v500);
                    const float8 v502 = fma(v501, v474, c468);
                    const float v503 = b0[v394 * n4 + v473];
                    const float8 v504 = (float8)(v503);
                    const float8 v505 = fma(v504, v475, c469);
                    const float v506 = b0[v380 * n4 + v473];
                    const float8 v507 = (float8)(v506);
                    const float8 v508 = fma(v507, v474, c470);
                    const float v509 = b0[v397 * n4 + v473];
                    const float8 v510 = (float8)(v509);
                    const float8 v511 = fma(v510, v475, c471);
                    c460 = v478;
                    c461 = v481;
                    c462 = v484;
                    c463 = v487;
                    c464 = v490;
                    c465 = v493;
                    c466 = v496;
                    c467 = v499;
                    c468 = v502;
                    c469 = v505;
                    c470 = v508;
                    c471 = v511;
                  }
                  c423 = c460;
                  c424 = c461;
                  c425 = c462;
                  c426 = c463;
                  c427 = c464;
                  c428 = c465;
                  c429 = c466;
                  c430 = c467;
                  c431 = c468;
                  c432 = c469;
                  c433 = c470;
                  c434 = c471;
                }
                vstore8(c423, 0, &b2[v365 * n8 + i346]);
                vstore8(c424, 0, &b2[v382 * n8 + v347]);
                vstore8(c425, 0, &b2[v368 * n8 + i346]);
                vstore8(c426, 0, &b2[v385 * n8 + v347]);
                vstore8(c427, 0, &b2[v371 * n8 + i346]);
                vstore8(c428, 0, &b2[v388 * n8 + v347]);
                vstore8(c429, 0, &b2[v374 * n8 + i346]);
                vstore8(c430, 0, &b2[v391 * n8 + v347]);
                vstore8(c431, 0, &b2[v377 * n8 + i346]);
                vstore8(c432, 0, &b2[v394 * n8 + v347]);
                vstore8(c433, 0, &b2[v380 * n8 + i346]);
                vstore8(c434, 0, &b2[v397 * n8 + v347]);
              }
            }
            for (long i512 = v345; i512 < v15; i512 += 8L) {
              const long v513 = v15 - i512;
              for (long i514 = 0L; i514 < v339; i514 += 1L) {
                const long v515 = i337 + i514;
                const float8 v516 = tri_get_float8_global(&b1[i512 + v515 * n6], 1L, v513);
                vstore8(v516, 0, &a329[i514 * 16L]);
              }
              for (long i517 = i340; i517 < v342; i517 += 6L) {
                const long v518 = v16 - 1L;
                const long v519 = i517 + v10;
                const long v520 = i517 + 1L;
                const long v521 = v520 < v518 ? v520 : v518;
                const long v522 = v521 + v10;
                const long v523 = i517 + 2L;
                const long v524 = v523 < v518 ? v523 : v518;
                const long v525 = v524 + v10;
                const long v526 = i517 + 3L;
                const long v527 = v526 < v518 ? v526 : v518;
                const long v528 = v527 + v10;
                const long v529 = i517 + 4L;
                const long v530 = v529 < v518 ? v529 : v518;
                const long v531 = v530 + v10;
                const long v532 = i517 + 5L;
                const long v533 = v532 < v518 ? v532 : v518;
                const long v534 = v533 + v10;
                const bool v535 = i337 == 0L;
                float8 c536;
                float8 c537;
                float8 c538;
                float8 c539;
                float8 c540;
                float8 c541;
                if (v535) {
                  c536 = v2;
                  c537 = v2;
                  c538 = v2;
                  c539 = v2;
                  c540 = v2;
                  c541 = v2;
                } else {
                  const float8 v542 = tri_get_float8_global(&b2[v519 * n8 + i512], 1L, v513);
                  const float8 v543 = tri_get_float8_global(&b2[v522 * n8 + i512], 1L, v513);
                  const float8 v544 = tri_get_float8_global(&b2[v525 * n8 + i512], 1L, v513);
                  const float8 v545 = tri_get_float8_global(&b2[v528 * n8 + i512], 1L, v513);
                  const float8 v546 = tri_get_float8_global(&b2[v531 * n8 + i512], 1L, v513);
                  const float8 v547 = tri_get_float8_global(&b2[v534 * n8 + i512], 1L, v513);
                  c536 = v542;
                  c537 = v543;
                  c538 = v544;
                  c539 = v545;
                  c540 = v546;
                  c541 = v547;
                }
                float8 c548 = c536;
                float8 c549 = c537;
                float8 c550 = c538;
                float8 c551 = c539;
                float8 c552 = c540;
                float8 c553 = c541;
                for (long i554 = 0L; i554 < v339; i554 += 1L) {
                  const long v555 = i337 + i554;
                  const float8 v556 = vload8(0, &a329[i554 * 16L]);
                  const float v557 = b0[v519 * n4 + v555];
                  const float8 v558 = (float8)(v557);
                  const float8 v559 = fma(v558, v556, c548);
                  const float v560 = b0[v522 * n4 + v555];
                  const float8 v561 = (float8)(v560);
                  const float8 v562 = fma(v561, v556, c549);
                  const float v563 = b0[v525 * n4 + v555];
                  const float8 v564 = (float8)(v563);
                  const float8 v565 = fma(v564, v556, c550);
                  const float v566 = b0[v528 * n4 + v555];
                  const float8 v567 = (float8)(v566);
                  const float8 v568 = fma(v567, v556, c551);
                  const float v569 = b0[v531 * n4 + v555];
                  const float8 v570 = (float8)(v569);
                  const float8 v571 = fma(v570, v556, c552);
                  const float v572 = b0[v534 * n4 + v555];
                  const float8 v573 = (float8)(v572);
                  const float8 v574 = fma(v573, v556, c553);
                  c548 = v559;
                  c549 = v562;
                  c550 = v565;
                  c551 = v568;
                  c552 = v571;
                  c553 = v574;
                }
                tri_put_float8_global(c548, &b2[v519 * n8 + i512], 1L, v513);
                tri_put_float8_global(c549, &b2[v522 * n8 + i512], 1L, v513);
                tri_put_float8_global(c550, &b2[v525 * n8 + i512], 1L, v513);
                tri_put_float8_global(c551, &b2[v528 * n8 + i512], 1L, v513);
                tri_put_float8_global(c552, &b2[v531 * n8 + i512], 1L, v513);
                tri_put_float8_global(c553, &b2[v534 * n8 + i512], 1L, v513);
              }
            }
          }
        }
      }
    } else {
      for (long i575 = v10; i575 < v12; i575 += 1L) {
        for (long i576 = v13; i576 < v15; i576 += 128L) {
          const long v577 = v15 - i576;
          const long v578 = v577 < 128L ? v577 : 128L;
          float a579[128];
          const long v580 = n2 < 1L ? n2 : 1L;
          const long v581 = v580 > 1L ? v580 : 1L;
          const bool v582 = n2 > 0L;
          for (long i583 = 0L; i583 < 1L; i583 += 1L) {
            for (long i584 = 0L; i584 < v578; i584 += 1L) {
              a579[i583 * 128L + i584] = 0x0.0p+0f;
            }
          }
          const long v585 = n2 - 0L;
          const long v586 = (long)((ulong)v585 % (ulong)4L);
          const long v587 = n2 - v586;
          for (long i588 = 0L; i588 < v587; i588 += 4L) {
            for (long i589 = 0L; i589 < 1L; i589 += 1L) {
              const long v590 = i588 + i589;
              const long v591 = v590 + 1L;
              const long v592 = v591 + 1L;
              const long v593 = v592 + 1L;
              for (long i594 = 0L; i594 < v578; i594 += 1L) {
                const long v595 = i576 + i594;
                const float v596 = a579[i589 * 128L + i594];
                const bool v597 = i588 < 1L;
                const float v598 = v597 ? 0x0.0p+0f : v596;
                const float v599 = b0[i575 * n4 + v590];
                const float v600 = b1[v595 + v590 * n6];
                const float v601 = TRI_FMA32(v599, v600, v598);
                const float v602 = b0[i575 * n4 + v591];
                const float v603 = b1[v595 + v591 * n6];
                const float v604 = TRI_FMA32(v602, v603, v601);
                const float v605 = b0[i575 * n4 + v592];
                const float v606 = b1[v595 + v592 * n6];
                const float v607 = TRI_FMA32(v605, v606, v604);
                const float v608 = b0[i575 * n4 + v593];
                const float v609 = b1[v595 + v593 * n6];
                const float v610 = TRI_FMA32(v608, v609, v607);
                a579[i589 * 128L + i594] = v610;
              }
            }
          }
          for (long i611 = v587; i611 < n2; i611 += 1L) {
            const long v612 = i611 & 0L;
            for (long i613 = 0L; i613 < v578; i613 += 1L) {
              const long v614 = i576 + i613;
              const float v615 = a579[v612 * 128L + i613];
              const bool v616 = i611 < 1L;
              const float v617 = v616 ? 0x0.0p+0f : v615;
              const float v618 = b0[i575 * n4 + i611];
              const float v619 = b1[v614 + i611 * n6];
              const float v620 = TRI_FMA32(v618, v619, v617);
              a579[v612 * 128L + i613] = v620;
            }
          }
          for (long i621 = 0L; i621 < v578; i621 += 1L) {
            const long v622 = i576 + i621;
            const float v623 = a579[i621];
            b2[i575 * n8 + v622] = v623;
          }
        }
      }
    }
  }
}
