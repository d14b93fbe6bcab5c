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
            const long v38 = v21 - v19;
            const long v39 = v38 & (-32L);
            const long v40 = v39 + v19;
            for (long i41 = v19; i41 < v40; i41 += 32L) {
              const long v42 = i41 + 16L;
              for (long i43 = 0L; i43 < v34; i43 += 1L) {
                const long v44 = i32 + i43;
                const float16 v45 = vload16(0, &b1[i41 + v44 * n6]);
                vstore16(v45, 0, &a24[i43 * 32L]);
                const float16 v46 = vload16(0, &b1[v42 + v44 * n6]);
                vstore16(v46, 0, &a24[i43 * 32L + 16L]);
              }
              for (long i47 = i35; i47 < v37; i47 += 8L) {
                const long v48 = i47 - i35;
                const long v49 = (long)((ulong)v48 / (ulong)8L);
                const long v50 = v37 - i35;
                const long v51 = v50 - 1L;
                const long v52 = (long)((ulong)v51 / (ulong)8L);
                const long v53 = v52 + 1L;
                const long v54 = v34 - 1L;
                const long v55 = (long)((ulong)v54 / (ulong)v53);
                const long v56 = v55 + 1L;
                const long v57 = i47 + 8L;
                const long v58 = v22 - 1L;
                const long v59 = v22 - 1L;
                const long v60 = i47 + v16;
                const long v61 = i47 + 1L;
                const long v62 = v61 < v59 ? v61 : v59;
                const long v63 = v62 + v16;
                const long v64 = i47 + 2L;
                const long v65 = v64 < v59 ? v64 : v59;
                const long v66 = v65 + v16;
                const long v67 = i47 + 3L;
                const long v68 = v67 < v59 ? v67 : v59;
                const long v69 = v68 + v16;
                const long v70 = i47 + 4L;
                const long v71 = v70 < v59 ? v70 : v59;
                const long v72 = v71 + v16;
                const long v73 = i47 + 5L;
                const long v74 = v73 < v59 ? v73 : v59;
                const long v75 = v74 + v16;
                const long v76 = i47 + 6L;
                const long v77 = v76 < v59 ? v76 : v59;
                const long v78 = v77 + v16;
                const long v79 = i47 + 7L;
                const long v80 = v79 < v59 ? v79 : v59;
                const long v81 = v80 + v16;
                const long v82 = v22 - 1L;
                const long v83 = i47 + v16;
                const long v84 = i47 + 1L;
                const long v85 = v84 < v82 ? v84 : v82;
                const long v86 = v85 + v16;
                const long v87 = i47 + 2L;
                const long v88 = v87 < v82 ? v87 : v82;
                const long v89 = v88 + v16;
                const long v90 = i47 + 3L;
                const long v91 = v90 < v82 ? v90 : v82;
                const long v92 = v91 + v16;
                const long v93 = i47 + 4L;
                const long v94 = v93 < v82 ? v93 : v82;
                const long v95 = v94 + v16;
                const long v96 = i47 + 5L;
                const long v97 = v96 < v82 ? v96 : v82;
                const long v98 = v97 + v16;
                const long v99 = i47 + 6L;
                const long v100 = v99 < v82 ? v99 : v82;
                const long v101 = v100 + v16;
                const long v102 = i47 + 7L;
                const long v103 = v102 < v82 ? v102 : v82;
                const long v104 = v103 + v16;
                const bool v105 = i32 == 0L;
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
                float16 c121;
                if (v105) {
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
                  c121 = v1;
                } else {
                  const float16 v122 = vload16(0, &b2[v60 * n8 + i41]);
                  const float16 v123 = vload16(0, &b2[v63 * n8 + i41]);
                  const float16 v124 = vload16(0, &b2[v66 * n8 + i41]);
                  const float16 v125 = vload16(0, &b2[v69 * n8 + i41]);
                  const float16 v126 = vload16(0, &b2[v72 * n8 + i41]);
                  const float16 v127 = vload16(0, &b2[v75 * n8 + i41]);
                  const float16 v128 = vload16(0, &b2[v78 * n8 + i41]);
                  const float16 v129 = vload16(0, &b2[v81 * n8 + i41]);
                  const float16 v130 = vload16(0, &b2[v83 * n8 + v42]);
                  const float16 v131 = vload16(0, &b2[v86 * n8 + v42]);
                  const float16 v132 = vload16(0, &b2[v89 * n8 + v42]);
                  const float16 v133 = vload16(0, &b2[v92 * n8 + v42]);
                  const float16 v134 = vload16(0, &b2[v95 * n8 + v42]);
                  const float16 v135 = vload16(0, &b2[v98 * n8 + v42]);
                  const float16 v136 = vload16(0, &b2[v101 * n8 + v42]);
                  const float16 v137 = vload16(0, &b2[v104 * n8 + v42]);
                  c106 = v122;
                  c107 = v130;
                  c108 = v123;
                  c109 = v131;
                  c110 = v124;
                  c111 = v132;
                  c112 = v125;
                  c113 = v133;
                  c114 = v126;
                  c115 = v134;
                  c116 = v127;
                  c117 = v135;
                  c118 = v128;
                  c119 = v136;
                  c120 = v129;
                  c121 = v137;
                }
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
                float16 c153 = c121;
                for (long i154 = 0L; i154 < v34; i154 += 16L) {
                  const long v155 = (long)((ulong)i154 / (ulong)16L);
                  const long v156 = v57 + v155;
                  const long v157 = v156 < v58 ? v156 : v58;
                  const long v158 = v157 + v16;
                  const long v159 = v21 - 1L;
                  const long v160 = i41 < v159 ? i41 : v159;
                  TRI_PREFETCH(&b2[v158 * n8 + v160], 3);
                  const long v161 = i41 + 16L;
                  const long v162 = v21 - 1L;
                  const long v163 = v161 < v162 ? v161 : v162;
                  TRI_PREFETCH(&b2[v158 * n8 + v163], 3);
                  const long v164 = i41 + 31L;
                  const long v165 = v21 - 1L;
                  const long v166 = v164 < v165 ? v164 : v165;
                  TRI_PREFETCH(&b2[v158 * n8 + v166], 3);
                  const long v167 = (long)((ulong)i154 / (ulong)16L);
                  const long v168 = v49 * v56;
                  const long v169 = v168 + v167;
                  const long v170 = v34 - 1L;
                  const long v171 = v169 < v170 ? v169 : v170;
                  const long v172 = i41 + 32L;
                  const long v173 = v21 - 1L;
                  const long v174 = v172 < v173 ? v172 : v173;
                  const long v175 = i32 + v171;
                  TRI_PREFETCH(&b1[v174 + v175 * n6], 2);
                  const long v176 = i41 + 48L;
                  const long v177 = v21 - 1L;
                  const long v178 = v176 < v177 ? v176 : v177;
                  const long v179 = i32 + v171;
                  TRI_PREFETCH(&b1[v178 + v179 * n6], 2);
                  const long v180 = i41 + 63L;
                  const long v181 = v21 - 1L;
                  const long v182 = v180 < v181 ? v180 : v181;
                  const long v183 = i32 + v171;
                  TRI_PREFETCH(&b1[v182 + v183 * n6], 2);
                  const long v184 = i154 + 16L;
                  const long v185 = v184 < v34 ? v184 : v34;
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
                  float16 c201 = c153;
                  for (long i202 = i154; i202 < v185; i202 += 1L) {
                    const long v203 = i32 + i202;
                    const float16 v204 = vload16(0, &a24[i202 * 32L]);
                    const float16 v205 = vload16(0, &a24[i202 * 32L + 16L]);
                    const float v206 = b0[v60 * n4 + v203];
                    const float16 v207 = (float16)(v206);
                    const float16 v208 = fma(v207, v204, c186);
                    const float v209 = b0[v83 * n4 + v203];
                    const float16 v210 = (float16)(v209);
                    const float16 v211 = fma(v210, v205, c187);
                    const float v212 = b0[v63 * n4 + v203];
                    const float16 v213 = (float16)(v212);
                    const float16 v214 = fma(v213, v204, c188);
                    const float v215 = b0[v86 * n4 + v203];
                    const float16 v216 = (float16)(v215);
                    const float16 v217 = fma(v216, v205, c189);
                    const float v218 = b0[v66 * n4 + v203];
                    const float16 v219 = (float16)(v218);
                    const float16 v220 = fma(v219, v204, c190);
                    const float v221 = b0[v89 * n4 + v203];
                    const float16 v222 = (float16)(v221);
                    const float16 v223 = fma(v222, v205, c191);
                    const float v224 = b0[v69 * n4 + v203];
                    const float16 v225 = (float16)(v224);
                    const float16 v226 = fma(v225, v204, c192);
                    const float v227 = b0[v92 * n4 + v203];
                    const float16 v228 = (float16)(v227);
                    const float16 v229 = fma(v228, v205, c193);
                    const float v230 = b0[v72 * n4 + v203];
                    const float16 v231 = (float16)(v230);
                    const float16 v232 = fma(v231, v204, c194);
                    const float v233 = b0[v95 * n4 + v203];
                    const float16 v234 = (float16)(v233);
                    const float16 v235 = fma(v234, v205, c195);
                    const float v236 = b0[v75 * n4 + v203];
                    const float16 v237 = (float16)(v236);
                    const float16 v238 = fma(v237, v204, c196);
                    const float v239 = b0[v98 * n4 + v203];
                    const float16 v240 = (float16)(v239);
                    const float16 v241 = fma(v240, v205, c197);
                    const float v242 = b0[v78 * n4 + v203];
                    const float16 v243 = (float16)(v242);
                    const float16 v244 = fma(v243, v204, c198);
                    const float v245 = b0[v101 * n4 + v203];
                    const float16 v246 = (float16)(v245);
                    const float16 v247 = fma(v246, v205, c199);
                    const float v248 = b0[v81 * n4 + v203];
                    const float16 v249 = (float16)(v248);
                    const float16 v250 = fma(v249, v204, c200);
                    const float v251 = b0[v104 * n4 + v203];
                    const float16 v252 = (float16)(v251);
                    const float16 v253 = fma(v252, v205, c201);
                    c186 = v208;
                    c187 = v211;
                    c188 = v214;
                    c189 = v217;
                    c190 = v220;
                    c191 = v223;
                    c192 = v226;
                    c193 = v229;
                    c194 = v232;
                    c195 = v235;
                    c196 = v238;
                    c197 = v241;
                    c198 = v244;
                    c199 = v247;
                    c200 = v250;
                    c201 = v253;
                  }
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
                  c153 = c201;
                }
                vstore16(c138, 0, &b2[v60 * n8 + i41]);
                vstore16(c140, 0, &b2[v63 * n8 + i41]);
                vstore16(c142, 0, &b2[v66 * n8 + i41]);
                vstore16(c144, 0, &b2[v69 * n8 + i41]);
                vstore16(c146, 0, &b2[v72 * n8 + i41]);
                vstore16(c148, 0, &b2[v75 * n8 + i41]);
                vstore16(c150, 0, &b2[v78 * n8 + i41]);
                vstore16(c152, 0, &b2[v81 * n8 + i41]);
                vstore16(c139, 0, &b2[v83 * n8 + v42]);
                vstore16(c141, 0, &b2[v86 * n8 + v42]);
                vstore16(c143, 0, &b2[v89 * n8 + v42]);
                vstore16(c145, 0, &b2[v92 * n8 + v42]);
                vstore16(c147, 0, &b2[v95 * n8 + v42]);
                vstore16(c149, 0, &b2[v98 * n8 + v42]);
                vstore16(c151, 0, &b2[v101 * n8 + v42]);
                vstore16(c153, 0, &b2[v104 * n8 + v42]);
              }
            }
            for (long i254 = v40; i254 < v21; i254 += 8L) {
              const long v255 = v21 - i254;
              for (long i256 = 0L; i256 < v34; i256 += 1L) {
                const long v257 = i32 + i256;
                const float8 v258 = tri_get_float8_global(&b1[i254 + v257 * n6], 1L, v255);
                vstore8(v258, 0, &a24[i256 * 32L]);
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
                  const float8 v292 = tri_get_float8_global(&b2[v261 * n8 + i254], 1L, v255);
                  const float8 v293 = tri_get_float8_global(&b2[v264 * n8 + i254], 1L, v255);
                  const float8 v294 = tri_get_float8_global(&b2[v267 * n8 + i254], 1L, v255);
                  const float8 v295 = tri_get_float8_global(&b2[v270 * n8 + i254], 1L, v255);
                  const float8 v296 = tri_get_float8_global(&b2[v273 * n8 + i254], 1L, v255);
                  const float8 v297 = tri_get_float8_global(&b2[v276 * n8 + i254], 1L, v255);
                  const float8 v298 = tri_get_float8_global(&b2[v279 * n8 + i254], 1L, v255);
                  const float8 v299 = tri_get_float8_global(&b2[v282 * n8 + i254], 1L, v255);
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
                  const float8 v310 = vload8(0, &a24[i308 * 32L]);
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
                tri_put_float8_global(c300, &b2[v261 * n8 + i254], 1L, v255);
                tri_put_float8_global(c301, &b2[v264 * n8 + i254], 1L, v255);
                tri_put_float8_global(c302, &b2[v267 * n8 + i254], 1L, v255);
                tri_put_float8_global(c303, &b2[v270 * n8 + i254], 1L, v255);
                tri_put_float8_global(c304, &b2[v273 * n8 + i254], 1L, v255);
                tri_put_float8_global(c305, &b2[v276 * n8 + i254], 1L, v255);
                tri_put_float8_global(c306, &b2[v279 * n8 + i254], 1L, v255);
                tri_put_float8_global(c307, &b2[v282 * n8 + i254], 1L, v255);
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
            const long v349 = v21 - v19;
            const long v350 = v349 & (-16L);
            const long v351 = v350 + v19;
            for (long i352 = v19; i352 < v351; i352 += 16L) {
              const long v353 = i352 + 8L;
              for (long i354 = 0L; i354 < v345; i354 += 1L) {
                const long v355 = i343 + i354;
                const float8 v356 = vload8(0, &b1[i352 + v355 * n6]);
                vstore8(v356, 0, &a335[i354 * 16L]);
                const float8 v357 = vload8(0, &b1[v353 + v355 * n6]);
                vstore8(v357, 0, &a335[i354 * 16L + 8L]);
              }
              for (long i358 = i346; i358 < v348; i358 += 6L) {
                const long v359 = i358 - i346;
                const long v360 = (long)((ulong)v359 / (ulong)6L);
                const long v361 = v348 - i346;
                const long v362 = v361 - 1L;
                const long v363 = (long)((ulong)v362 / (ulong)6L);
                const long v364 = v363 + 1L;
                const long v365 = v345 - 1L;
                const long v366 = (long)((ulong)v365 / (ulong)v364);
                const long v367 = v366 + 1L;
                const long v368 = i358 + 6L;
                const long v369 = v22 - 1L;
                const long v370 = v22 - 1L;
                const long v371 = i358 + v16;
                const long v372 = i358 + 1L;
                const long v373 = v372 < v370 ? v372 : v370;
                const long v374 = v373 + v16;
                const long v375 = i358 + 2L;
                const long v376 = v375 < v370 ? v375 : v370;
                const long v377 = v376 + v16;
                const long v378 = i358 + 3L;
                const long v379 = v378 < v370 ? v378 : v370;
                const long v380 = v379 + v16;
                const long v381 = i358 + 4L;
                const long v382 = v381 < v370 ? v381 : v370;
                const long v383 = v382 + v16;
                const long v384 = i358 + 5L;
                const long v385 = v384 < v370 ? v384 : v370;
                const long v386 = v385 + v16;
                const long v387 = v22 - 1L;
                const long v388 = i358 + v16;
                const long v389 = i358 + 1L;
                const long v390 = v389 < v387 ? v389 : v387;
                const long v391 = v390 + v16;
                const long v392 = i358 + 2L;
                const long v393 = v392 < v387 ? v392 : v387;
                const long v394 = v393 + v16;
                const long v395 = i358 + 3L;
                const long v396 = v395 < v387 ? v395 : v387;
                const long v397 = v396 + v16;
                const long v398 = i358 + 4L;
                const long v399 = v398 < v387 ? v398 : v387;
                const long v400 = v399 + v16;
                const long v401 = i358 + 5L;
                const long v402 = v401 < v387 ? v401 : v387;
                const long v403 = v402 + v16;
                const bool v404 = i343 == 0L;
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
                float8 c416;
                if (v404) {
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
                  c416 = v2;
                } else {
                  const float8 v417 = vload8(0, &b2[v371 * n8 + i352]);
                  const float8 v418 = vload8(0, &b2[v374 * n8 + i352]);
                  const float8 v419 = vload8(0, &b2[v377 * n8 + i352]);
                  const float8 v420 = vload8(0, &b2[v380 * n8 + i352]);
                  const float8 v421 = vload8(0, &b2[v383 * n8 + i352]);
                  const float8 v422 = vload8(0, &b2[v386 * n8 + i352]);
                  const float8 v423 = vload8(0, &b2[v388 * n8 + v353]);
                  const float8 v424 = vload8(0, &b2[v391 * n8 + v353]);
                  const float8 v425 = vload8(0, &b2[v394 * n8 + v353]);
                  const float8 v426 = vload8(0, &b2[v397 * n8 + v353]);
                  const float8 v427 = vload8(0, &b2[v400 * n8 + v353]);
                  const float8 v428 = vload8(0, &b2[v403 * n8 + v353]);
                  c405 = v417;
                  c406 = v423;
                  c407 = v418;
                  c408 = v424;
                  c409 = v419;
                  c410 = v425;
                  c411 = v420;
                  c412 = v426;
                  c413 = v421;
                  c414 = v427;
                  c415 = v422;
                  c416 = v428;
                }
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
                float8 c440 = c416;
                for (long i441 = 0L; i441 < v345; i441 += 16L) {
                  const long v442 = (long)((ulong)i441 / (ulong)16L);
                  const long v443 = v368 + v442;
                  const long v444 = v443 < v369 ? v443 : v369;
                  const long v445 = v444 + v16;
                  const long v446 = v21 - 1L;
                  const long v447 = i352 < v446 ? i352 : v446;
                  TRI_PREFETCH(&b2[v445 * n8 + v447], 3);
                  const long v448 = i352 + 15L;
                  const long v449 = v21 - 1L;
                  const long v450 = v448 < v449 ? v448 : v449;
                  TRI_PREFETCH(&b2[v445 * n8 + v450], 3);
                  const long v451 = (long)((ulong)i441 / (ulong)16L);
                  const long v452 = v360 * v367;
                  const long v453 = v452 + v451;
                  const long v454 = v345 - 1L;
                  const long v455 = v453 < v454 ? v453 : v454;
                  const long v456 = i352 + 16L;
                  const long v457 = v21 - 1L;
                  const long v458 = v456 < v457 ? v456 : v457;
                  const long v459 = i343 + v455;
                  TRI_PREFETCH(&b1[v458 + v459 * n6], 2);
                  const long v460 = i352 + 31L;
                  const long v461 = v21 - 1L;
                  const long v462 = v460 < v461 ? v460 : v461;
                  const long v463 = i343 + v455;
                  TRI_PREFETCH(&b1[v462 + v463 * n6], 2);
                  const long v464 = i441 + 16L;
                  const long v465 = v464 < v345 ? v464 : v345;
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
                  float8 c477 = c440;
                  for (long i478 = i441; i478 < v465; i478 += 1L) {
                    const long v479 = i343 + i478;
                    const float8 v480 = vload8(0, &a335[i478 * 16L]);
                    const float8 v481 = vload8(0, &a335[i478 * 16L + 8L]);
                    const float v482 = b0[v371 * n4 + v479];
                    const float8 v483 = (float8)(v482);
                    const float8 v484 = fma(v483, v480, c466);
                    const float v485 = b0[v388 * n4 + v479];
                    const float8 v486 = (float8)(v485);
                    const float8 v487 = fma(v486, v481, c467);
                    const float v488 = b0[v374 * n4 + v479];
                    const float8 v489 = (float8)(v488);
                    const float8 v490 = fma(v489, v480, c468);
                    const float v491 = b0[v391 * n4 + v479];
                    const float8 v492 = (float8)(v491);
                    const float8 v493 = fma(v492, v481, c469);
                    const float v494 = b0[v377 * n4 + v479];
                    const float8 v495 = (float8)(v494);
                    const float8 v496 = fma(v495, v480, c470);
                    const float v497 = b0[v394 * n4 + v479];
                    const float8 v498 = (float8)(v497);
                    const float8 v499 = fma(v498, v481, c471);
                    const float v500 = b0[v380 * n4 + v479];
                    const float8 v501 = (float8)(v500);
                    const float8 v502 = fma(v501, v480, c472);
                    const float v503 = b0[v397 * n4 + v479];
                    const float8 v504 = (float8)(v503);
                    const float8 v505 = fma(v504, v481, c473);
                    const float v506 = b0[v383 * n4 + v479];
                    const float8 v507 = (float8)(v506);
                    const float8 v508 = fma(v507, v480, c474);
                    const float v509 = b0[v400 * n4 + v479];
                    const float8 v510 = (float8)(v509);
                    const float8 v511 = fma(v510, v481, c475);
                    const float v512 = b0[v386 * n4 + v479];
                    const float8 v513 = (float8)(v512);
                    const float8 v514 = fma(v513, v480, c476);
                    const float v515 = b0[v403 * n4 + v479];
                    const float8 v516 = (float8)(v515);
                    const float8 v517 = fma(v516, v481, c477);
                    c466 = v484;
                    c467 = v487;
                    c468 = v490;
                    c469 = v493;
                    c470 = v496;
                    c471 = v499;
                    c472 = v502;
                    c473 = v505;
                    c474 = v508;
                    c475 = v511;
                    c476 = v514;
                    c477 = v517;
                  }
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
                  c440 = c477;
                }
                vstore8(c429, 0, &b2[v371 * n8 + i352]);
                vstore8(c431, 0, &b2[v374 * n8 + i352]);
                vstore8(c433, 0, &b2[v377 * n8 + i352]);
                vstore8(c435, 0, &b2[v380 * n8 + i352]);
                vstore8(c437, 0, &b2[v383 * n8 + i352]);
                vstore8(c439, 0, &b2[v386 * n8 + i352]);
                vstore8(c430, 0, &b2[v388 * n8 + v353]);
                vstore8(c432, 0, &b2[v391 * n8 + v353]);
                vstore8(c434, 0, &b2[v394 * n8 + v353]);
                vstore8(c436, 0, &b2[v397 * n8 + v353]);
                vstore8(c438, 0, &b2[v400 * n8 + v353]);
                vstore8(c440, 0, &b2[v403 * n8 + v353]);
              }
            }
            for (long i518 = v351; i518 < v21; i518 += 8L) {
              const long v519 = v21 - i518;
              for (long i520 = 0L; i520 < v345; i520 += 1L) {
                const long v521 = i343 + i520;
                const float8 v522 = tri_get_float8_global(&b1[i518 + v521 * n6], 1L, v519);
                vstore8(v522, 0, &a335[i520 * 16L]);
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
                  const float8 v548 = tri_get_float8_global(&b2[v525 * n8 + i518], 1L, v519);
                  const float8 v549 = tri_get_float8_global(&b2[v528 * n8 + i518], 1L, v519);
                  const float8 v550 = tri_get_float8_global(&b2[v531 * n8 + i518], 1L, v519);
                  const float8 v551 = tri_get_float8_global(&b2[v534 * n8 + i518], 1L, v519);
                  const float8 v552 = tri_get_float8_global(&b2[v537 * n8 + i518], 1L, v519);
                  const float8 v553 = tri_get_float8_global(&b2[v540 * n8 + i518], 1L, v519);
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
                  const float8 v562 = vload8(0, &a335[i560 * 16L]);
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
                tri_put_float8_global(c554, &b2[v525 * n8 + i518], 1L, v519);
                tri_put_float8_global(c555, &b2[v528 * n8 + i518], 1L, v519);
                tri_put_float8_global(c556, &b2[v531 * n8 + i518], 1L, v519);
                tri_put_float8_global(c557, &b2[v534 * n8 + i518], 1L, v519);
                tri_put_float8_global(c558, &b2[v537 * n8 + i518], 1L, v519);
                tri_put_float8_global(c559, &b2[v540 * n8 + i518], 1L, v519);
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
