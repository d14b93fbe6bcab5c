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
            const long v43 = v39 > 1L ? v39 : 1L;
            const long v44 = (long)((ulong)96L / (ulong)v43);
            const long v45 = v44 > 1L ? v44 : 1L;
            const long v46 = 32L * v45;
            const long v47 = v42 - i40;
            const long v48 = v47 - 1L;
            const long v49 = (long)((ulong)v48 / (ulong)8L);
            const long v50 = v49 + 1L;
            const long v51 = v39 - 1L;
            const long v52 = (long)((ulong)v51 / (ulong)v50);
            const long v53 = v52 + 1L;
            for (long i54 = v19; i54 < v21; i54 += v46) {
              const long v55 = v21 - i54;
              const long v56 = v55 < v46 ? v55 : v46;
              const long v57 = (long)((ulong)v56 / (ulong)32L);
              for (long i58 = 0L; i58 < v57; i58 += 1L) {
                const long v59 = i58 * 32L;
                const long v60 = i58 * v39;
                const long v61 = i54 + v59;
                const long v62 = v61 + 16L;
                for (long i63 = 0L; i63 < v39; i63 += 1L) {
                  const long v64 = i37 + i63;
                  const long v65 = v60 + i63;
                  const float16 v66 = vload16(0, &b1[v61 + v64 * n6]);
                  vstore16(v66, 0, &a29[v65 * 32L]);
                  const long v67 = v60 + i63;
                  const float16 v68 = vload16(0, &b1[v62 + v64 * n6]);
                  vstore16(v68, 0, &a29[v67 * 32L + 16L]);
                }
              }
              for (long i69 = i40; i69 < v42; i69 += 8L) {
                const long v70 = v22 - 1L;
                const long v71 = i69 + v16;
                const long v72 = i69 + 1L;
                const long v73 = v72 < v70 ? v72 : v70;
                const long v74 = v73 + v16;
                const long v75 = i69 + 2L;
                const long v76 = v75 < v70 ? v75 : v70;
                const long v77 = v76 + v16;
                const long v78 = i69 + 3L;
                const long v79 = v78 < v70 ? v78 : v70;
                const long v80 = v79 + v16;
                const long v81 = i69 + 4L;
                const long v82 = v81 < v70 ? v81 : v70;
                const long v83 = v82 + v16;
                const long v84 = i69 + 5L;
                const long v85 = v84 < v70 ? v84 : v70;
                const long v86 = v85 + v16;
                const long v87 = i69 + 6L;
                const long v88 = v87 < v70 ? v87 : v70;
                const long v89 = v88 + v16;
                const long v90 = i69 + 7L;
                const long v91 = v90 < v70 ? v90 : v70;
                const long v92 = v91 + v16;
                const long v93 = i69 - i40;
                const long v94 = (long)((ulong)v93 / (ulong)8L);
                const long v95 = i69 + 8L;
                const long v96 = v22 - 1L;
                for (long i97 = 0L; i97 < v57; i97 += 1L) {
                  const long v98 = i97 * 32L;
                  const long v99 = i97 * v39;
                  const long v100 = i54 + v98;
                  const long v101 = v100 + 16L;
                  const bool v102 = i37 == 0L;
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
                  float16 c116;
                  float16 c117;
                  float16 c118;
                  if (v102) {
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
                    c116 = v1;
                    c117 = v1;
                    c118 = v1;
                  } else {
                    const float16 v119 = vload16(0, &b2[v71 * n8 + v100]);
                    const float16 v120 = vload16(0, &b2[v74 * n8 + v100]);
                    const float16 v121 = vload16(0, &b2[v77 * n8 + v100]);
                    const float16 v122 = vload16(0, &b2[v80 * n8 + v100]);
                    const float16 v123 = vload16(0, &b2[v83 * n8 + v100]);
                    const float16 v124 = vload16(0, &b2[v86 * n8 + v100]);
                    const float16 v125 = vload16(0, &b2[v89 * n8 + v100]);
                    const float16 v126 = vload16(0, &b2[v92 * n8 + v100]);
                    const float16 v127 = vload16(0, &b2[v71 * n8 + v101]);
                    const float16 v128 = vload16(0, &b2[v74 * n8 + v101]);
                    const float16 v129 = vload16(0, &b2[v77 * n8 + v101]);
                    const float16 v130 = vload16(0, &b2[v80 * n8 + v101]);
                    const float16 v131 = vload16(0, &b2[v83 * n8 + v101]);
                    const float16 v132 = vload16(0, &b2[v86 * n8 + v101]);
                    const float16 v133 = vload16(0, &b2[v89 * n8 + v101]);
                    const float16 v134 = vload16(0, &b2[v92 * n8 + v101]);
                    c103 = v119;
                    c104 = v127;
                    c105 = v120;
                    c106 = v128;
                    c107 = v121;
                    c108 = v129;
                    c109 = v122;
                    c110 = v130;
                    c111 = v123;
                    c112 = v131;
                    c113 = v124;
                    c114 = v132;
                    c115 = v125;
                    c116 = v133;
                    c117 = v126;
                    c118 = v134;
                  }
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
                  float16 c148 = c116;
                  float16 c149 = c117;
                  float16 c150 = c118;
                  for (long i151 = 0L; i151 < v39; i151 += 16L) {
                    const long v152 = (long)((ulong)i151 / (ulong)16L);
                    const long v153 = v95 + v152;
                    const long v154 = v153 < v96 ? v153 : v96;
                    const long v155 = v154 + v16;
                    TRI_PREFETCH(&b2[v155 * n8 + v100], 3);
                    const long v156 = v100 + 16L;
                    TRI_PREFETCH(&b2[v155 * n8 + v156], 3);
                    const long v157 = v100 + 31L;
                    TRI_PREFETCH(&b2[v155 * n8 + v157], 3);
                    const long v158 = (long)((ulong)i151 / (ulong)16L);
                    const long v159 = v94 * v53;
                    const long v160 = v159 + v158;
                    const long v161 = v39 - 1L;
                    const long v162 = v160 < v161 ? v160 : v161;
                    const long v163 = v100 + 32L;
                    const long v164 = v21 - 32L;
                    const long v165 = v163 < v164 ? v163 : v164;
                    const long v166 = i37 + v162;
                    TRI_PREFETCH(&b1[v165 + v166 * n6], 2);
                    const long v167 = v165 + 16L;
                    const long v168 = i37 + v162;
                    TRI_PREFETCH(&b1[v167 + v168 * n6], 2);
                    const long v169 = v165 + 31L;
                    const long v170 = i37 + v162;
                    TRI_PREFETCH(&b1[v169 + v170 * n6], 2);
                    const long v171 = i151 + 16L;
                    const long v172 = v171 < v39 ? v171 : v39;
                    float16 c173 = c135;
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
                    for (long i189 = i151; i189 < v172; i189 += 1L) {
                      const long v190 = i37 + i189;
                      const long v191 = v99 + i189;
                      const long v192 = v99 + i189;
                      const float16 v193 = vload16(0, &a29[v191 * 32L]);
                      const float16 v194 = vload16(0, &a29[v192 * 32L + 16L]);
                      const float v195 = b0[v71 * n4 + v190];
                      const float16 v196 = (float16)(v195);
                      const float16 v197 = fma(v196, v193, c173);
                      const float v198 = b0[v71 * n4 + v190];
                      const float16 v199 = (float16)(v198);
                      const float16 v200 = fma(v199, v194, c174);
                      const float v201 = b0[v74 * n4 + v190];
                      const float16 v202 = (float16)(v201);
                      const float16 v203 = fma(v202, v193, c175);
                      const float v204 = b0[v74 * n4 + v190];
                      const float16 v205 = (float16)(v204);
                      const float16 v206 = fma(v205, v194, c176);
                      const float v207 = b0[v77 * n4 + v190];
                      const float16 v208 = (float16)(v207);
                      const float16 v209 = fma(v208, v193, c177);
                      const float v210 = b0[v77 * n4 + v190];
                      const float16 v211 = (float16)(v210);
                      const float16 v212 = fma(v211, v194, c178);
                      const float v213 = b0[v80 * n4 + v190];
                      const float16 v214 = (float16)(v213);
                      const float16 v215 = fma(v214, v193, c179);
                      const float v216 = b0[v80 * n4 + v190];
                      const float16 v217 = (float16)(v216);
                      const float16 v218 = fma(v217, v194, c180);
                      const float v219 = b0[v83 * n4 + v190];
                      const float16 v220 = (float16)(v219);
                      const float16 v221 = fma(v220, v193, c181);
                      const float v222 = b0[v83 * n4 + v190];
                      const float16 v223 = (float16)(v222);
                      const float16 v224 = fma(v223, v194, c182);
                      const float v225 = b0[v86 * n4 + v190];
                      const float16 v226 = (float16)(v225);
                      const float16 v227 = fma(v226, v193, c183);
                      const float v228 = b0[v86 * n4 + v190];
                      const float16 v229 = (float16)(v228);
                      const float16 v230 = fma(v229, v194, c184);
                      const float v231 = b0[v89 * n4 + v190];
                      const float16 v232 = (float16)(v231);
                      const float16 v233 = fma(v232, v193, c185);
                      const float v234 = b0[v89 * n4 + v190];
                      const float16 v235 = (float16)(v234);
                      const float16 v236 = fma(v235, v194, c186);
                      const float v237 = b0[v92 * n4 + v190];
                      const float16 v238 = (float16)(v237);
                      const float16 v239 = fma(v238, v193, c187);
                      const float v240 = b0[v92 * n4 + v190];
                      const float16 v241 = (float16)(v240);
                      const float16 v242 = fma(v241, v194, c188);
                      c173 = v197;
                      c174 = v200;
                      c175 = v203;
                      c176 = v206;
                      c177 = v209;
                      c178 = v212;
                      c179 = v215;
                      c180 = v218;
                      c181 = v221;
                      c182 = v224;
                      c183 = v227;
                      c184 = v230;
                      c185 = v233;
                      c186 = v236;
                      c187 = v239;
                      c188 = v242;
                    }
                    c135 = c173;
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
                  }
                  vstore16(c135, 0, &b2[v71 * n8 + v100]);
                  vstore16(c137, 0, &b2[v74 * n8 + v100]);
                  vstore16(c139, 0, &b2[v77 * n8 + v100]);
                  vstore16(c141, 0, &b2[v80 * n8 + v100]);
                  vstore16(c143, 0, &b2[v83 * n8 + v100]);
                  vstore16(c145, 0, &b2[v86 * n8 + v100]);
                  vstore16(c147, 0, &b2[v89 * n8 + v100]);
                  vstore16(c149, 0, &b2[v92 * n8 + v100]);
                  vstore16(c136, 0, &b2[v71 * n8 + v101]);
                  vstore16(c138, 0, &b2[v74 * n8 + v101]);
                  vstore16(c140, 0, &b2[v77 * n8 + v101]);
                  vstore16(c142, 0, &b2[v80 * n8 + v101]);
                  vstore16(c144, 0, &b2[v83 * n8 + v101]);
                  vstore16(c146, 0, &b2[v86 * n8 + v101]);
                  vstore16(c148, 0, &b2[v89 * n8 + v101]);
                  vstore16(c150, 0, &b2[v92 * n8 + v101]);
                }
              }
              const long v243 = v57 * 32L;
              const long v244 = v57 * v39;
              const long v245 = i54 + v243;
              const long v246 = v245 - i54;
              const long v247 = v56 - v246;
              for (long i248 = 0L; i248 < v247; i248 += 8L) {
                const long v249 = v247 - i248;
                const long v250 = v245 + i248;
                for (long i251 = 0L; i251 < v39; i251 += 1L) {
                  const long v252 = i37 + i251;
                  const long v253 = v244 + i251;
                  const float8 v254 = tri_get_float8_global(&b1[v250 + v252 * n6], 1L, v249);
                  vstore8(v254, 0, &a29[v253 * 32L + i248]);
                }
                for (long i255 = i40; i255 < v42; i255 += 8L) {
                  const long v256 = v22 - 1L;
                  const long v257 = i255 + v16;
                  const long v258 = i255 + 1L;
                  const long v259 = v258 < v256 ? v258 : v256;
                  const long v260 = v259 + v16;
                  const long v261 = i255 + 2L;
                  const long v262 = v261 < v256 ? v261 : v256;
                  const long v263 = v262 + v16;
                  const long v264 = i255 + 3L;
                  const long v265 = v264 < v256 ? v264 : v256;
                  const long v266 = v265 + v16;
                  const long v267 = i255 + 4L;
                  const long v268 = v267 < v256 ? v267 : v256;
                  const long v269 = v268 + v16;
                  const long v270 = i255 + 5L;
                  const long v271 = v270 < v256 ? v270 : v256;
                  const long v272 = v271 + v16;
                  const long v273 = i255 + 6L;
                  const long v274 = v273 < v256 ? v273 : v256;
                  const long v275 = v274 + v16;
                  const long v276 = i255 + 7L;
                  const long v277 = v276 < v256 ? v276 : v256;
                  const long v278 = v277 + v16;
                  const bool v279 = i37 == 0L;
                  float8 c280;
                  float8 c281;
                  float8 c282;
                  float8 c283;
                  float8 c284;
                  float8 c285;
                  float8 c286;
                  float8 c287;
                  if (v279) {
                    c280 = v2;
                    c281 = v2;
                    c282 = v2;
                    c283 = v2;
                    c284 = v2;
                    c285 = v2;
                    c286 = v2;
                    c287 = v2;
                  } else {
                    const float8 v288 = tri_get_float8_global(&b2[v257 * n8 + v250], 1L, v249);
                    const float8 v289 = tri_get_float8_global(&b2[v260 * n8 + v250], 1L, v249);
                    const float8 v290 = tri_get_float8_global(&b2[v263 * n8 + v250], 1L, v249);
                    const float8 v291 = tri_get_float8_global(&b2[v266 * n8 + v250], 1L, v249);
                    const float8 v292 = tri_get_float8_global(&b2[v269 * n8 + v250], 1L, v249);
                    const float8 v293 = tri_get_float8_global(&b2[v272 * n8 + v250], 1L, v249);
                    const float8 v294 = tri_get_float8_global(&b2[v275 * n8 + v250], 1L, v249);
                    const float8 v295 = tri_get_float8_global(&b2[v278 * n8 + v250], 1L, v249);
                    c280 = v288;
                    c281 = v289;
                    c282 = v290;
                    c283 = v291;
                    c284 = v292;
                    c285 = v293;
                    c286 = v294;
                    c287 = v295;
                  }
                  float8 c296 = c280;
                  float8 c297 = c281;
                  float8 c298 = c282;
                  float8 c299 = c283;
                  float8 c300 = c284;
                  float8 c301 = c285;
                  float8 c302 = c286;
                  float8 c303 = c287;
                  for (long i304 = 0L; i304 < v39; i304 += 1L) {
                    const long v305 = i37 + i304;
                    const long v306 = v244 + i304;
                    const float8 v307 = vload8(0, &a29[v306 * 32L + i248]);
                    const float v308 = b0[v257 * n4 + v305];
                    const float8 v309 = (float8)(v308);
                    const float8 v310 = fma(v309, v307, c296);
                    const float v311 = b0[v260 * n4 + v305];
                    const float8 v312 = (float8)(v311);
                    const float8 v313 = fma(v312, v307, c297);
                    const float v314 = b0[v263 * n4 + v305];
                    const float8 v315 = (float8)(v314);
                    const float8 v316 = fma(v315, v307, c298);
                    const float v317 = b0[v266 * n4 + v305];
                    const float8 v318 = (float8)(v317);
                    const float8 v319 = fma(v318, v307, c299);
                    const float v320 = b0[v269 * n4 + v305];
                    const float8 v321 = (float8)(v320);
                    const float8 v322 = fma(v321, v307, c300);
                    const float v323 = b0[v272 * n4 + v305];
                    const float8 v324 = (float8)(v323);
                    const float8 v325 = fma(v324, v307, c301);
                    const float v326 = b0[v275 * n4 + v305];
                    const float8 v327 = (float8)(v326);
                    const float8 v328 = fma(v327, v307, c302);
                    const float v329 = b0[v278 * n4 + v305];
                    const float8 v330 = (float8)(v329);
                    const float8 v331 = fma(v330, v307, c303);
                    c296 = v310;
                    c297 = v313;
                    c298 = v316;
                    c299 = v319;
                    c300 = v322;
                    c301 = v325;
                    c302 = v328;
                    c303 = v331;
                  }
                  tri_put_float8_global(c296, &b2[v257 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c297, &b2[v260 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c298, &b2[v263 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c299, &b2[v266 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c300, &b2[v269 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c301, &b2[v272 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c302, &b2[v275 * n8 + v250], 1L, v249);
                  tri_put_float8_global(c303, &b2[v278 * n8 + v250], 1L, v249);
                }
              }
            }
          }
        }
      } else {
        float a332[6144] __attribute__((aligned(64)));
        const long v333 = n2 > 1L ? n2 : 1L;
        const long v334 = v333 - 1L;
        const long v335 = (long)((ulong)v334 / (ulong)384L);
        const long v336 = v335 + 1L;
        const long v337 = v333 - 1L;
        const long v338 = (long)((ulong)v337 / (ulong)v336);
        const long v339 = v338 + 1L;
        for (long i340 = 0L; i340 < v333; i340 += v339) {
          const long v341 = n2 - i340;
          const long v342 = v341 < v339 ? v341 : v339;
          for (long i343 = 0L; i343 < v22; i343 += 192L) {
            const long v344 = i343 + 192L;
            const long v345 = v344 < v22 ? v344 : v22;
            const long v346 = v342 > 1L ? v342 : 1L;
            const long v347 = (long)((ulong)96L / (ulong)v346);
            const long v348 = v347 > 1L ? v347 : 1L;
            const long v349 = 16L * v348;
            const long v350 = v345 - i343;
            const long v351 = v350 - 1L;
            const long v352 = (long)((ulong)v351 / (ulong)6L);
            const long v353 = v352 + 1L;
            const long v354 = v342 - 1L;
            const long v355 = (long)((ulong)v354 / (ulong)v353);
            const long v356 = v355 + 1L;
            for (long i357 = v19; i357 < v21; i357 += v349) {
              const long v358 = v21 - i357;
              const long v359 = v358 < v349 ? v358 : v349;
              const long v360 = (long)((ulong)v359 / (ulong)16L);
              for (long i361 = 0L; i361 < v360; i361 += 1L) {
                const long v362 = i361 * 16L;
                const long v363 = i361 * v342;
                const long v364 = i357 + v362;
                const long v365 = v364 + 8L;
                for (long i366 = 0L; i366 < v342; i366 += 1L) {
                  const long v367 = i340 + i366;
                  const long v368 = v363 + i366;
                  const float8 v369 = vload8(0, &b1[v364 + v367 * n6]);
                  vstore8(v369, 0, &a332[v368 * 16L]);
                  const long v370 = v363 + i366;
                  const float8 v371 = vload8(0, &b1[v365 + v367 * n6]);
                  vstore8(v371, 0, &a332[v370 * 16L + 8L]);
                }
              }
              for (long i372 = i343; i372 < v345; i372 += 6L) {
                const long v373 = v22 - 1L;
                const long v374 = i372 + v16;
                const long v375 = i372 + 1L;
                const long v376 = v375 < v373 ? v375 : v373;
                const long v377 = v376 + v16;
                const long v378 = i372 + 2L;
                const long v379 = v378 < v373 ? v378 : v373;
                const long v380 = v379 + v16;
                const long v381 = i372 + 3L;
                const long v382 = v381 < v373 ? v381 : v373;
                const long v383 = v382 + v16;
                const long v384 = i372 + 4L;
                const long v385 = v384 < v373 ? v384 : v373;
                const long v386 = v385 + v16;
                const long v387 = i372 + 5L;
                const long v388 = v387 < v373 ? v387 : v373;
                const long v389 = v388 + v16;
                const long v390 = i372 - i343;
                const long v391 = (long)((ulong)v390 / (ulong)6L);
                const long v392 = i372 + 6L;
                const long v393 = v22 - 1L;
                for (long i394 = 0L; i394 < v360; i394 += 1L) {
                  const long v395 = i394 * 16L;
                  const long v396 = i394 * v342;
                  const long v397 = i357 + v395;
                  const long v398 = v397 + 8L;
                  const bool v399 = i340 == 0L;
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
                  float8 c411;
                  if (v399) {
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
                    c411 = v2;
                  } else {
                    const float8 v412 = vload8(0, &b2[v374 * n8 + v397]);
                    const float8 v413 = vload8(0, &b2[v377 * n8 + v397]);
                    const float8 v414 = vload8(0, &b2[v380 * n8 + v397]);
                    const float8 v415 = vload8(0, &b2[v383 * n8 + v397]);
                    const float8 v416 = vload8(0, &b2[v386 * n8 + v397]);
                    const float8 v417 = vload8(0, &b2[v389 * n8 + v397]);
                    const float8 v418 = vload8(0, &b2[v374 * n8 + v398]);
                    const float8 v419 = vload8(0, &b2[v377 * n8 + v398]);
                    const float8 v420 = vload8(0, &b2[v380 * n8 + v398]);
                    const float8 v421 = vload8(0, &b2[v383 * n8 + v398]);
                    const float8 v422 = vload8(0, &b2[v386 * n8 + v398]);
                    const float8 v423 = vload8(0, &b2[v389 * n8 + v398]);
                    c400 = v412;
                    c401 = v418;
                    c402 = v413;
                    c403 = v419;
                    c404 = v414;
                    c405 = v420;
                    c406 = v415;
                    c407 = v421;
                    c408 = v416;
                    c409 = v422;
                    c410 = v417;
                    c411 = v423;
                  }
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
                  float8 c435 = c411;
                  for (long i436 = 0L; i436 < v342; i436 += 16L) {
                    const long v437 = (long)((ulong)i436 / (ulong)16L);
                    const long v438 = v392 + v437;
                    const long v439 = v438 < v393 ? v438 : v393;
                    const long v440 = v439 + v16;
                    TRI_PREFETCH(&b2[v440 * n8 + v397], 3);
                    const long v441 = v397 + 15L;
                    TRI_PREFETCH(&b2[v440 * n8 + v441], 3);
                    const long v442 = (long)((ulong)i436 / (ulong)16L);
                    const long v443 = v391 * v356;
                    const long v444 = v443 + v442;
                    const long v445 = v342 - 1L;
                    const long v446 = v444 < v445 ? v444 : v445;
                    const long v447 = v397 + 16L;
                    const long v448 = v21 - 16L;
                    const long v449 = v447 < v448 ? v447 : v448;
                    const long v450 = i340 + v446;
                    TRI_PREFETCH(&b1[v449 + v450 * n6], 2);
                    const long v451 = v449 + 15L;
                    const long v452 = i340 + v446;
                    TRI_PREFETCH(&b1[v451 + v452 * n6], 2);
                    const long v453 = i436 + 16L;
                    const long v454 = v453 < v342 ? v453 : v342;
                    float8 c455 = c424;
                    float8 c456 = c425;
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
                    for (long i467 = i436; i467 < v454; i467 += 1L) {
                      const long v468 = i340 + i467;
                      const long v469 = v396 + i467;
                      const long v470 = v396 + i467;
                      const float8 v471 = vload8(0, &a332[v469 * 16L]);
                      const float8 v472 = vload8(0, &a332[v470 * 16L + 8L]);
                      const float v473 = b0[v374 * n4 + v468];
                      const float8 v474 = (float8)(v473);
                      const float8 v475 = fma(v474, v471, c455);
                      const float v476 = b0[v374 * n4 + v468];
                      const float8 v477 = (float8)(v476);
                      const float8 v478 = fma(v477, v472, c456);
                      const float v479 = b0[v377 * n4 + v468];
                      const float8 v480 = (float8)(v479);
                      const float8 v481 = fma(v480, v471, c457);
                      const float v482 = b0[v377 * n4 + v468];
                      const float8 v483 = (float8)(v482);
                      const float8 v484 = fma(v483, v472, c458);
                      const float v485 = b0[v380 * n4 + v468];
                      const float8 v486 = (float8)(v485);
                      const float8 v487 = fma(v486, v471, c459);
                      const float v488 = b0[v380 * n4 + v468];
                      const float8 v489 = (float8)(v488);
                      const float8 v490 = fma(v489, v472, c460);
                      const float v491 = b0[v383 * n4 + v468];
                      const float8 v492 = (float8)(v491);
                      const float8 v493 = fma(v492, v471, c461);
                      const float v494 = b0[v383 * n4 + v468];
                      const float8 v495 = (float8)(v494);
                      const float8 v496 = fma(v495, v472, c462);
                      const float v497 = b0[v386 * n4 + v468];
                      const float8 v498 = (float8)(v497);
                      const float8 v499 = fma(v498, v471, c463);
                      const float v500 = b0[v386 * n4 + v468];
                      const float8 v501 = (float8)(v500);
                      const float8 v502 = fma(v501, v472, c464);
                      const float v503 = b0[v389 * n4 + v468];
                      const float8 v504 = (float8)(v503);
                      const float8 v505 = fma(v504, v471, c465);
                      const float v506 = b0[v389 * n4 + v468];
                      const float8 v507 = (float8)(v506);
                      const float8 v508 = fma(v507, v472, c466);
                      c455 = v475;
                      c456 = v478;
                      c457 = v481;
                      c458 = v484;
                      c459 = v487;
                      c460 = v490;
                      c461 = v493;
                      c462 = v496;
                      c463 = v499;
                      c464 = v502;
                      c465 = v505;
                      c466 = v508;
                    }
                    c424 = c455;
                    c425 = c456;
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
                  }
                  vstore8(c424, 0, &b2[v374 * n8 + v397]);
                  vstore8(c426, 0, &b2[v377 * n8 + v397]);
                  vstore8(c428, 0, &b2[v380 * n8 + v397]);
                  vstore8(c430, 0, &b2[v383 * n8 + v397]);
                  vstore8(c432, 0, &b2[v386 * n8 + v397]);
                  vstore8(c434, 0, &b2[v389 * n8 + v397]);
                  vstore8(c425, 0, &b2[v374 * n8 + v398]);
                  vstore8(c427, 0, &b2[v377 * n8 + v398]);
                  vstore8(c429, 0, &b2[v380 * n8 + v398]);
                  vstore8(c431, 0, &b2[v383 * n8 + v398]);
                  vstore8(c433, 0, &b2[v386 * n8 + v398]);
                  vstore8(c435, 0, &b2[v389 * n8 + v398]);
                }
              }
              const long v509 = v360 * 16L;
              const long v510 = v360 * v342;
              const long v511 = i357 + v509;
              const long v512 = v511 - i357;
              const long v513 = v359 - v512;
              for (long i514 = 0L; i514 < v513; i514 += 8L) {
                const long v515 = v513 - i514;
                const long v516 = v511 + i514;
                for (long i517 = 0L; i517 < v342; i517 += 1L) {
                  const long v518 = i340 + i517;
                  const long v519 = v510 + i517;
                  const float8 v520 = tri_get_float8_global(&b1[v516 + v518 * n6], 1L, v515);
                  vstore8(v520, 0, &a332[v519 * 16L + i514]);
                }
                for (long i521 = i343; i521 < v345; i521 += 6L) {
                  const long v522 = v22 - 1L;
                  const long v523 = i521 + v16;
                  const long v524 = i521 + 1L;
                  const long v525 = v524 < v522 ? v524 : v522;
                  const long v526 = v525 + v16;
                  const long v527 = i521 + 2L;
                  const long v528 = v527 < v522 ? v527 : v522;
                  const long v529 = v528 + v16;
                  const long v530 = i521 + 3L;
                  const long v531 = v530 < v522 ? v530 : v522;
                  const long v532 = v531 + v16;
                  const long v533 = i521 + 4L;
                  const long v534 = v533 < v522 ? v533 : v522;
                  const long v535 = v534 + v16;
                  const long v536 = i521 + 5L;
                  const long v537 = v536 < v522 ? v536 : v522;
                  const long v538 = v537 + v16;
                  const bool v539 = i340 == 0L;
                  float8 c540;
                  float8 c541;
                  float8 c542;
                  float8 c543;
                  float8 c544;
                  float8 c545;
                  if (v539) {
                    c540 = v2;
                    c541 = v2;
                    c542 = v2;
                    c543 = v2;
                    c544 = v2;
                    c545 = v2;
                  } else {
                    const float8 v546 = tri_get_float8_global(&b2[v523 * n8 + v516], 1L, v515);
                    const float8 v547 = tri_get_float8_global(&b2[v526 * n8 + v516], 1L, v515);
                    const float8 v548 = tri_get_float8_global(&b2[v529 * n8 + v516], 1L, v515);
                    const float8 v549 = tri_get_float8_global(&b2[v532 * n8 + v516], 1L, v515);
                    const float8 v550 = tri_get_float8_global(&b2[v535 * n8 + v516], 1L, v515);
                    const float8 v551 = tri_get_float8_global(&b2[v538 * n8 + v516], 1L, v515);
                    c540 = v546;
                    c541 = v547;
                    c542 = v548;
                    c543 = v549;
                    c544 = v550;
                    c545 = v551;
                  }
                  float8 c552 = c540;
                  float8 c553 = c541;
                  float8 c554 = c542;
                  float8 c555 = c543;
                  float8 c556 = c544;
                  float8 c557 = c545;
                  for (long i558 = 0L; i558 < v342; i558 += 1L) {
                    const long v559 = i340 + i558;
                    const long v560 = v510 + i558;
                    const float8 v561 = vload8(0, &a332[v560 * 16L + i514]);
                    const float v562 = b0[v523 * n4 + v559];
                    const float8 v563 = (float8)(v562);
                    const float8 v564 = fma(v563, v561, c552);
                    const float v565 = b0[v526 * n4 + v559];
                    const float8 v566 = (float8)(v565);
                    const float8 v567 = fma(v566, v561, c553);
                    const float v568 = b0[v529 * n4 + v559];
                    const float8 v569 = (float8)(v568);
                    const float8 v570 = fma(v569, v561, c554);
                    const float v571 = b0[v532 * n4 + v559];
                    const float8 v572 = (float8)(v571);
                    const float8 v573 = fma(v572, v561, c555);
                    const float v574 = b0[v535 * n4 + v559];
                    const float8 v575 = (float8)(v574);
                    const float8 v576 = fma(v575, v561, c556);
                    const float v577 = b0[v538 * n4 + v559];
                    const float8 v578 = (float8)(v577);
                    const float8 v579 = fma(v578, v561, c557);
                    c552 = v564;
                    c553 = v567;
                    c554 = v570;
                    c555 = v573;
                    c556 = v576;
                    c557 = v579;
                  }
                  tri_put_float8_global(c552, &b2[v523 * n8 + v516], 1L, v515);
                  tri_put_float8_global(c553, &b2[v526 * n8 + v516], 1L, v515);
                  tri_put_float8_global(c554, &b2[v529 * n8 + v516], 1L, v515);
                  tri_put_float8_global(c555, &b2[v532 * n8 + v516], 1L, v515);
                  tri_put_float8_global(c556, &b2[v535 * n8 + v516], 1L, v515);
                  tri_put_float8_global(c557, &b2[v538 * n8 + v516], 1L, v515);
                }
              }
            }
          }
        }
      }
    } else {
      for (long i580 = v16; i580 < v18; i580 += 1L) {
        for (long i581 = v19; i581 < v21; i581 += 128L) {
          const long v582 = v21 - i581;
          const long v583 = v582 < 128L ? v582 : 128L;
          float a584[128];
          const long v585 = n2 < 1L ? n2 : 1L;
          const long v586 = v585 > 1L ? v585 : 1L;
          const bool v587 = n2 > 0L;
          for (long i588 = 0L; i588 < 1L; i588 += 1L) {
            for (long i589 = 0L; i589 < v583; i589 += 1L) {
              a584[i588 * 128L + i589] = 0x0.0p+0f;
            }
          }
          const long v590 = n2 - 0L;
          const long v591 = (long)((ulong)v590 % (ulong)4L);
          const long v592 = n2 - v591;
          for (long i593 = 0L; i593 < v592; i593 += 4L) {
            for (long i594 = 0L; i594 < 1L; i594 += 1L) {
              const long v595 = i593 + i594;
              const long v596 = v595 + 1L;
              const long v597 = v596 + 1L;
              const long v598 = v597 + 1L;
              for (long i599 = 0L; i599 < v583; i599 += 1L) {
                const long v600 = i581 + i599;
                const float v601 = a584[i594 * 128L + i599];
                const bool v602 = i593 < 1L;
                const float v603 = v602 ? 0x0.0p+0f : v601;
                const float v604 = b0[i580 * n4 + v595];
                const float v605 = b1[v600 + v595 * n6];
                const float v606 = TRI_FMA32(v604, v605, v603);
                const float v607 = b0[i580 * n4 + v596];
                const float v608 = b1[v600 + v596 * n6];
                const float v609 = TRI_FMA32(v607, v608, v606);
                const float v610 = b0[i580 * n4 + v597];
                const float v611 = b1[v600 + v597 * n6];
                const float v612 = TRI_FMA32(v610, v611, v609);
                const float v613 = b0[i580 * n4 + v598];
                const float v614 = b1[v600 + v598 * n6];
                const float v615 = TRI_FMA32(v613, v614, v612);
                a584[i594 * 128L + i599] = v615;
              }
            }
          }
          for (long i616 = v592; i616 < n2; i616 += 1L) {
            const long v617 = i616 & 0L;
            for (long i618 = 0L; i618 < v583; i618 += 1L) {
              const long v619 = i581 + i618;
              const float v620 = a584[v617 * 128L + i618];
              const bool v621 = i616 < 1L;
              const float v622 = v621 ? 0x0.0p+0f : v620;
              const float v623 = b0[i580 * n4 + i616];
              const float v624 = b1[v619 + i616 * n6];
              const float v625 = TRI_FMA32(v623, v624, v622);
              a584[v617 * 128L + i618] = v625;
            }
          }
          for (long i626 = 0L; i626 < v583; i626 += 1L) {
            const long v627 = i581 + i626;
            const float v628 = a584[i626];
            b2[i580 * n8 + v627] = v628;
          }
        }
      }
    }
  }
}
