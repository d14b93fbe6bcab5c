// trilith: {"local": [1], "global": [[0, 126], [1, 128]]}
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
  const long v3 = n0 + 125L;
  const long v4 = (long)((ulong)v3 / (ulong)126L);
  const long v5 = n1 + 127L;
  const long v6 = (long)((ulong)v5 / (ulong)128L);
  const long i7 = (long)get_global_id(0);
  if (i7 < v4 * v6) {
    const long i9 = (long)((ulong)i7 / (ulong)v6);
    const long i8 = i7 - i9 * v6;
    const long v10 = v4 * 6L;
    const long v11 = v10 - 1L;
    const long v12 = n0 + v11;
    const long v13 = (long)((ulong)v12 / (ulong)v10);
    const long v14 = v13 * 6L;
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
        float a29[10240] __attribute__((aligned(64)));
        const long v30 = n2 > 1L ? n2 : 1L;
        const long v31 = v30 - 1L;
        const long v32 = (long)((ulong)v31 / (ulong)160L);
        const long v33 = v32 + 1L;
        const long v34 = v30 - 1L;
        const long v35 = (long)((ulong)v34 / (ulong)v33);
        const long v36 = v35 + 1L;
        for (long i37 = 0L; i37 < v30; i37 += v36) {
          const long v38 = n2 - i37;
          const long v39 = v38 < v36 ? v38 : v36;
          for (long i40 = 0L; i40 < v22; i40 += 456L) {
            const long v41 = i40 + 456L;
            const long v42 = v41 < v22 ? v41 : v22;
            const long v43 = v42 - i40;
            const long v44 = v43 - 1L;
            const long v45 = (long)((ulong)v44 / (ulong)6L);
            const long v46 = v45 + 1L;
            const long v47 = v39 - 1L;
            const long v48 = (long)((ulong)v47 / (ulong)v46);
            const long v49 = v48 + 1L;
            const long v50 = v39 > 1L ? v39 : 1L;
            const long v51 = (long)((ulong)96L / (ulong)v50);
            const long v52 = v51 > 1L ? v51 : 1L;
            const long v53 = 64L * v52;
            for (long i54 = v19; i54 < v21; i54 += v53) {
              const long v55 = v21 - i54;
              const long v56 = v55 < v53 ? v55 : v53;
              const long v57 = (long)((ulong)v56 / (ulong)64L);
              const bool v58 = v57 > 0L;
              if (v58) {
                for (long i59 = 0L; i59 < v57; i59 += 1L) {
                  const long v60 = i59 * 64L;
                  const long v61 = i59 * v39;
                  const long v62 = i54 + v60;
                  const long v63 = v62 + 16L;
                  const long v64 = v62 + 32L;
                  const long v65 = v62 + 48L;
                  for (long i66 = 0L; i66 < v39; i66 += 1L) {
                    const long v67 = i37 + i66;
                    const long v68 = v61 + i66;
                    const float16 v69 = vload16(0, &b1[v62 + v67 * n6]);
                    vstore16(v69, 0, &a29[v68 * 64L]);
                    const long v70 = v61 + i66;
                    const float16 v71 = vload16(0, &b1[v63 + v67 * n6]);
                    vstore16(v71, 0, &a29[v70 * 64L + 16L]);
                    const long v72 = v61 + i66;
                    const float16 v73 = vload16(0, &b1[v64 + v67 * n6]);
                    vstore16(v73, 0, &a29[v72 * 64L + 32L]);
                    const long v74 = v61 + i66;
                    const float16 v75 = vload16(0, &b1[v65 + v67 * n6]);
                    vstore16(v75, 0, &a29[v74 * 64L + 48L]);
                  }
                }
                for (long i76 = i40; i76 < v42; i76 += 6L) {
                  const long v77 = v22 - 1L;
                  const long v78 = i76 + v16;
                  const long v79 = i76 + 1L;
                  const long v80 = v79 < v77 ? v79 : v77;
                  const long v81 = v80 + v16;
                  const long v82 = i76 + 2L;
                  const long v83 = v82 < v77 ? v82 : v77;
                  const long v84 = v83 + v16;
                  const long v85 = i76 + 3L;
                  const long v86 = v85 < v77 ? v85 : v77;
                  const long v87 = v86 + v16;
                  const long v88 = i76 + 4L;
                  const long v89 = v88 < v77 ? v88 : v77;
                  const long v90 = v89 + v16;
                  const long v91 = i76 + 5L;
                  const long v92 = v91 < v77 ? v91 : v77;
                  const long v93 = v92 + v16;
                  const long v94 = i76 - i40;
                  const long v95 = (long)((ulong)v94 / (ulong)6L);
                  const long v96 = i76 + 6L;
                  const long v97 = v22 - 1L;
                  for (long i98 = 0L; i98 < v57; i98 += 1L) {
                    const long v99 = i98 * 64L;
                    const long v100 = i98 * v39;
                    const long v101 = i54 + v99;
                    const long v102 = v101 + 16L;
                    const long v103 = v101 + 32L;
                    const long v104 = v101 + 48L;
                    const bool v105 = i37 == 0L;
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
                    float16 c122;
                    float16 c123;
                    float16 c124;
                    float16 c125;
                    float16 c126;
                    float16 c127;
                    float16 c128;
                    float16 c129;
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
                      c122 = v1;
                      c123 = v1;
                      c124 = v1;
                      c125 = v1;
                      c126 = v1;
                      c127 = v1;
                      c128 = v1;
                      c129 = v1;
                    } else {
                      const float16 v130 = vload16(0, &b2[v78 * n8 + v101]);
                      const float16 v131 = vload16(0, &b2[v81 * n8 + v101]);
                      const float16 v132 = vload16(0, &b2[v84 * n8 + v101]);
                      const float16 v133 = vload16(0, &b2[v87 * n8 + v101]);
                      const float16 v134 = vload16(0, &b2[v90 * n8 + v101]);
                      const float16 v135 = vload16(0, &b2[v93 * n8 + v101]);
                      const float16 v136 = vload16(0, &b2[v78 * n8 + v102]);
                      const float16 v137 = vload16(0, &b2[v81 * n8 + v102]);
                      const float16 v138 = vload16(0, &b2[v84 * n8 + v102]);
                      const float16 v139 = vload16(0, &b2[v87 * n8 + v102]);
                      const float16 v140 = vload16(0, &b2[v90 * n8 + v102]);
                      const float16 v141 = vload16(0, &b2[v93 * n8 + v102]);
                      const float16 v142 = vload16(0, &b2[v78 * n8 + v103]);
                      const float16 v143 = vload16(0, &b2[v81 * n8 + v103]);
                      const float16 v144 = vload16(0, &b2[v84 * n8 + v103]);
                      const float16 v145 = vload16(0, &b2[v87 * n8 + v103]);
                      const float16 v146 = vload16(0, &b2[v90 * n8 + v103]);
                      const float16 v147 = vload16(0, &b2[v93 * n8 + v103]);
                      const float16 v148 = vload16(0, &b2[v78 * n8 + v104]);
                      const float16 v149 = vload16(0, &b2[v81 * n8 + v104]);
                      const float16 v150 = vload16(0, &b2[v84 * n8 + v104]);
                      const float16 v151 = vload16(0, &b2[v87 * n8 + v104]);
                      const float16 v152 = vload16(0, &b2[v90 * n8 + v104]);
                      const float16 v153 = vload16(0, &b2[v93 * n8 + v104]);
                      c106 = v130;
                      c107 = v136;
                      c108 = v142;
                      c109 = v148;
                      c110 = v131;
                      c111 = v137;
                      c112 = v143;
                      c113 = v149;
                      c114 = v132;
                      c115 = v138;
                      c116 = v144;
                      c117 = v150;
                      c118 = v133;
                      c119 = v139;
                      c120 = v145;
                      c121 = v151;
                      c122 = v134;
                      c123 = v140;
                      c124 = v146;
                      c125 = v152;
                      c126 = v135;
                      c127 = v141;
                      c128 = v147;
                      c129 = v153;
                    }
                    float16 c154 = c106;
                    float16 c155 = c107;
                    float16 c156 = c108;
                    float16 c157 = c109;
                    float16 c158 = c110;
                    float16 c159 = c111;
                    float16 c160 = c112;
                    float16 c161 = c113;
                    float16 c162 = c114;
                    float16 c163 = c115;
                    float16 c164 = c116;
                    float16 c165 = c117;
                    float16 c166 = c118;
                    float16 c167 = c119;
                    float16 c168 = c120;
                    float16 c169 = c121;
                    float16 c170 = c122;
                    float16 c171 = c123;
                    float16 c172 = c124;
                    float16 c173 = c125;
                    float16 c174 = c126;
                    float16 c175 = c127;
                    float16 c176 = c128;
                    float16 c177 = c129;
                    for (long i178 = 0L; i178 < v39; i178 += 16L) {
                      const long v179 = (long)((ulong)i178 / (ulong)16L);
                      const long v180 = v96 + v179;
                      const long v181 = v180 < v97 ? v180 : v97;
                      const long v182 = v181 + v16;
                      TRI_PREFETCH(&b2[v182 * n8 + v101], 3);
                      const long v183 = v101 + 16L;
                      TRI_PREFETCH(&b2[v182 * n8 + v183], 3);
                      const long v184 = v101 + 32L;
                      TRI_PREFETCH(&b2[v182 * n8 + v184], 3);
                      const long v185 = v101 + 48L;
                      TRI_PREFETCH(&b2[v182 * n8 + v185], 3);
                      const long v186 = v101 + 63L;
                      TRI_PREFETCH(&b2[v182 * n8 + v186], 3);
                      const long v187 = (long)((ulong)i178 / (ulong)16L);
                      const long v188 = v95 * v49;
                      const long v189 = v188 + v187;
                      const long v190 = v39 - 1L;
                      const long v191 = v189 < v190 ? v189 : v190;
                      const long v192 = v101 + 64L;
                      const long v193 = v21 - 64L;
                      const long v194 = v192 < v193 ? v192 : v193;
                      const long v195 = i37 + v191;
                      TRI_PREFETCH(&b1[v194 + v195 * n6], 2);
                      const long v196 = v194 + 16L;
                      const long v197 = i37 + v191;
                      TRI_PREFETCH(&b1[v196 + v197 * n6], 2);
                      const long v198 = v194 + 32L;
                      const long v199 = i37 + v191;
                      TRI_PREFETCH(&b1[v198 + v199 * n6], 2);
                      const long v200 = v194 + 48L;
                      const long v201 = i37 + v191;
                      TRI_PREFETCH(&b1[v200 + v201 * n6], 2);
                      const long v202 = v194 + 63L;
                      const long v203 = i37 + v191;
                      TRI_PREFETCH(&b1[v202 + v203 * n6], 2);
                      const long v204 = i178 + 16L;
                      const long v205 = v204 < v39 ? v204 : v39;
                      float16 c206 = c154;
                      float16 c207 = c155;
                      float16 c208 = c156;
                      float16 c209 = c157;
                      float16 c210 = c158;
                      float16 c211 = c159;
                      float16 c212 = c160;
                      float16 c213 = c161;
                      float16 c214 = c162;
                      float16 c215 = c163;
                      float16 c216 = c164;
                      float16 c217 = c165;
                      float16 c218 = c166;
                      float16 c219 = c167;
                      float16 c220 = c168;
                      float16 c221 = c169;
                      float16 c222 = c170;
                      float16 c223 = c171;
                      float16 c224 = c172;
                      float16 c225 = c173;
                      float16 c226 = c174;
                      float16 c227 = c175;
                      float16 c228 = c176;
                      float16 c229 = c177;
                      for (long i230 = i178; i230 < v205; i230 += 1L) {
                        const long v231 = i37 + i230;
                        const long v232 = v100 + i230;
                        const long v233 = v100 + i230;
                        const long v234 = v100 + i230;
                        const long v235 = v100 + i230;
                        const float16 v236 = vload16(0, &a29[v232 * 64L]);
                        const float16 v237 = vload16(0, &a29[v233 * 64L + 16L]);
                        const float16 v238 = vload16(0, &a29[v234 * 64L + 32L]);
                        const float16 v239 = vload16(0, &a29[v235 * 64L + 48L]);
                        const float v240 = b0[v78 * n4 + v231];
                        const float16 v241 = (float16)(v240);
                        const float16 v242 = fma(v241, v236, c206);
                        const float v243 = b0[v78 * n4 + v231];
                        const float16 v244 = (float16)(v243);
                        const float16 v245 = fma(v244, v237, c207);
                        const float v246 = b0[v78 * n4 + v231];
                        const float16 v247 = (float16)(v246);
                        const float16 v248 = fma(v247, v238, c208);
                        const float v249 = b0[v78 * n4 + v231];
                        const float16 v250 = (float16)(v249);
                        const float16 v251 = fma(v250, v239, c209);
                        const float v252 = b0[v81 * n4 + v231];
                        const float16 v253 = (float16)(v252);
                        const float16 v254 = fma(v253, v236, c210);
                        const float v255 = b0[v81 * n4 + v231];
                        const float16 v256 = (float16)(v255);
                        const float16 v257 = fma(v256, v237, c211);
                        const float v258 = b0[v81 * n4 + v231];
                        const float16 v259 = (float16)(v258);
                        const float16 v260 = fma(v259, v238, c212);
                        const float v261 = b0[v81 * n4 + v231];
                        const float16 v262 = (float16)(v261);
                        const float16 v263 = fma(v262, v239, c213);
                        const float v264 = b0[v84 * n4 + v231];
                        const float16 v265 = (float16)(v264);
                        const float16 v266 = fma(v265, v236, c214);
                        const float v267 = b0[v84 * n4 + v231];
                        const float16 v268 = (float16)(v267);
                        const float16 v269 = fma(v268, v237, c215);
                        const float v270 = b0[v84 * n4 + v231];
                        const float16 v271 = (float16)(v270);
                        const float16 v272 = fma(v271, v238, c216);
                        const float v273 = b0[v84 * n4 + v231];
                        const float16 v274 = (float16)(v273);
                        const float16 v275 = fma(v274, v239, c217);
                        const float v276 = b0[v87 * n4 + v231];
                        const float16 v277 = (float16)(v276);
                        const float16 v278 = fma(v277, v236, c218);
                        const float v279 = b0[v87 * n4 + v231];
                        const float16 v280 = (float16)(v279);
                        const float16 v281 = fma(v280, v237, c219);
                        const float v282 = b0[v87 * n4 + v231];
                        const float16 v283 = (float16)(v282);
                        const float16 v284 = fma(v283, v238, c220);
                        const float v285 = b0[v87 * n4 + v231];
                        const float16 v286 = (float16)(v285);
                        const float16 v287 = fma(v286, v239, c221);
                        const float v288 = b0[v90 * n4 + v231];
                        const float16 v289 = (float16)(v288);
                        const float16 v290 = fma(v289, v236, c222);
                        const float v291 = b0[v90 * n4 + v231];
                        const float16 v292 = (float16)(v291);
                        const float16 v293 = fma(v292, v237, c223);
                        const float v294 = b0[v90 * n4 + v231];
                        const float16 v295 = (float16)(v294);
                        const float16 v296 = fma(v295, v238, c224);
                        const float v297 = b0[v90 * n4 + v231];
                        const float16 v298 = (float16)(v297);
                        const float16 v299 = fma(v298, v239, c225);
                        const float v300 = b0[v93 * n4 + v231];
                        const float16 v301 = (float16)(v300);
                        const float16 v302 = fma(v301, v236, c226);
                        const float v303 = b0[v93 * n4 + v231];
                        const float16 v304 = (float16)(v303);
                        const float16 v305 = fma(v304, v237, c227);
                        const float v306 = b0[v93 * n4 + v231];
                        const float16 v307 = (float16)(v306);
                        const float16 v308 = fma(v307, v238, c228);
                        const float v309 = b0[v93 * n4 + v231];
                        const float16 v310 = (float16)(v309);
                        const float16 v311 = fma(v310, v239, c229);
                        c206 = v242;
                        c207 = v245;
                        c208 = v248;
                        c209 = v251;
                        c210 = v254;
                        c211 = v257;
                        c212 = v260;
                        c213 = v263;
                        c214 = v266;
                        c215 = v269;
                        c216 = v272;
                        c217 = v275;
                        c218 = v278;
                        c219 = v281;
                        c220 = v284;
                        c221 = v287;
                        c222 = v290;
                        c223 = v293;
                        c224 = v296;
                        c225 = v299;
                        c226 = v302;
                        c227 = v305;
                        c228 = v308;
                        c229 = v311;
                      }
                      c154 = c206;
                      c155 = c207;
                      c156 = c208;
                      c157 = c209;
                      c158 = c210;
                      c159 = c211;
                      c160 = c212;
                      c161 = c213;
                      c162 = c214;
                      c163 = c215;
                      c164 = c216;
                      c165 = c217;
                      c166 = c218;
                      c167 = c219;
                      c168 = c220;
                      c169 = c221;
                      c170 = c222;
                      c171 = c223;
                      c172 = c224;
                      c173 = c225;
                      c174 = c226;
                      c175 = c227;
                      c176 = c228;
                      c177 = c229;
                    }
                    vstore16(c154, 0, &b2[v78 * n8 + v101]);
                    vstore16(c158, 0, &b2[v81 * n8 + v101]);
                    vstore16(c162, 0, &b2[v84 * n8 + v101]);
                    vstore16(c166, 0, &b2[v87 * n8 + v101]);
                    vstore16(c170, 0, &b2[v90 * n8 + v101]);
                    vstore16(c174, 0, &b2[v93 * n8 + v101]);
                    vstore16(c155, 0, &b2[v78 * n8 + v102]);
                    vstore16(c159, 0, &b2[v81 * n8 + v102]);
                    vstore16(c163, 0, &b2[v84 * n8 + v102]);
                    vstore16(c167, 0, &b2[v87 * n8 + v102]);
                    vstore16(c171, 0, &b2[v90 * n8 + v102]);
                    vstore16(c175, 0, &b2[v93 * n8 + v102]);
                    vstore16(c156, 0, &b2[v78 * n8 + v103]);
                    vstore16(c160, 0, &b2[v81 * n8 + v103]);
                    vstore16(c164, 0, &b2[v84 * n8 + v103]);
                    vstore16(c168, 0, &b2[v87 * n8 + v103]);
                    vstore16(c172, 0, &b2[v90 * n8 + v103]);
                    vstore16(c176, 0, &b2[v93 * n8 + v103]);
                    vstore16(c157, 0, &b2[v78 * n8 + v104]);
                    vstore16(c161, 0, &b2[v81 * n8 + v104]);
                    vstore16(c165, 0, &b2[v84 * n8 + v104]);
                    vstore16(c169, 0, &b2[v87 * n8 + v104]);
                    vstore16(c173, 0, &b2[v90 * n8 + v104]);
                    vstore16(c177, 0, &b2[v93 * n8 + v104]);
                  }
                }
              }
              const long v312 = v57 * 64L;
              const long v313 = v57 * v39;
              const long v314 = i54 + v312;
              const long v315 = v314 - i54;
              const long v316 = v56 - v315;
              for (long i317 = 0L; i317 < v316; i317 += 8L) {
                const long v318 = v316 - i317;
                const long v319 = v314 + i317;
                for (long i320 = 0L; i320 < v39; i320 += 1L) {
                  const long v321 = i37 + i320;
                  const long v322 = v313 + i320;
                  const float8 v323 = tri_get_float8_global(&b1[v319 + v321 * n6], 1L, v318);
                  vstore8(v323, 0, &a29[v322 * 64L + i317]);
                }
                for (long i324 = i40; i324 < v42; i324 += 6L) {
                  const long v325 = v22 - 1L;
                  const long v326 = i324 + v16;
                  const long v327 = i324 + 1L;
                  const long v328 = v327 < v325 ? v327 : v325;
                  const long v329 = v328 + v16;
                  const long v330 = i324 + 2L;
                  const long v331 = v330 < v325 ? v330 : v325;
                  const long v332 = v331 + v16;
                  const long v333 = i324 + 3L;
                  const long v334 = v333 < v325 ? v333 : v325;
                  const long v335 = v334 + v16;
                  const long v336 = i324 + 4L;
                  const long v337 = v336 < v325 ? v336 : v325;
                  const long v338 = v337 + v16;
                  const long v339 = i324 + 5L;
                  const long v340 = v339 < v325 ? v339 : v325;
                  const long v341 = v340 + v16;
                  const bool v342 = i37 == 0L;
                  float8 c343;
                  float8 c344;
                  float8 c345;
                  float8 c346;
                  float8 c347;
                  float8 c348;
                  if (v342) {
                    c343 = v2;
                    c344 = v2;
                    c345 = v2;
                    c346 = v2;
                    c347 = v2;
                    c348 = v2;
                  } else {
                    const float8 v349 = tri_get_float8_global(&b2[v326 * n8 + v319], 1L, v318);
                    const float8 v350 = tri_get_float8_global(&b2[v329 * n8 + v319], 1L, v318);
                    const float8 v351 = tri_get_float8_global(&b2[v332 * n8 + v319], 1L, v318);
                    const float8 v352 = tri_get_float8_global(&b2[v335 * n8 + v319], 1L, v318);
                    const float8 v353 = tri_get_float8_global(&b2[v338 * n8 + v319], 1L, v318);
                    const float8 v354 = tri_get_float8_global(&b2[v341 * n8 + v319], 1L, v318);
                    c343 = v349;
                    c344 = v350;
                    c345 = v351;
                    c346 = v352;
                    c347 = v353;
                    c348 = v354;
                  }
                  float8 c355 = c343;
                  float8 c356 = c344;
                  float8 c357 = c345;
                  float8 c358 = c346;
                  float8 c359 = c347;
                  float8 c360 = c348;
                  for (long i361 = 0L; i361 < v39; i361 += 1L) {
                    const long v362 = i37 + i361;
                    const long v363 = v313 + i361;
                    const float8 v364 = vload8(0, &a29[v363 * 64L + i317]);
                    const float v365 = b0[v326 * n4 + v362];
                    const float8 v366 = (float8)(v365);
                    const float8 v367 = fma(v366, v364, c355);
                    const float v368 = b0[v329 * n4 + v362];
                    const float8 v369 = (float8)(v368);
                    const float8 v370 = fma(v369, v364, c356);
                    const float v371 = b0[v332 * n4 + v362];
                    const float8 v372 = (float8)(v371);
                    const float8 v373 = fma(v372, v364, c357);
                    const float v374 = b0[v335 * n4 + v362];
                    const float8 v375 = (float8)(v374);
                    const float8 v376 = fma(v375, v364, c358);
                    const float v377 = b0[v338 * n4 + v362];
                    const float8 v378 = (float8)(v377);
                    const float8 v379 = fma(v378, v364, c359);
                    const float v380 = b0[v341 * n4 + v362];
                    const float8 v381 = (float8)(v380);
                    const float8 v382 = fma(v381, v364, c360);
                    c355 = v367;
                    c356 = v370;
                    c357 = v373;
                    c358 = v376;
                    c359 = v379;
                    c360 = v382;
                  }
                  tri_put_float8_global(c355, &b2[v326 * n8 + v319], 1L, v318);
                  tri_put_float8_global(c356, &b2[v329 * n8 + v319], 1L, v318);
                  tri_put_float8_global(c357, &b2[v332 * n8 + v319], 1L, v318);
                  tri_put_float8_global(c358, &b2[v335 * n8 + v319], 1L, v318);
                  tri_put_float8_global(c359, &b2[v338 * n8 + v319], 1L, v318);
                  tri_put_float8_global(c360, &b2[v341 * n8 + v319], 1L, v318);
                }
              }
            }
          }
        }
      } else {
        float a383[6144] __attribute__((aligned(64)));
        const long v384 = n2 > 1L ? n2 : 1L;
        const long v385 = v384 - 1L;
        const long v386 = (long)((ulong)v385 / (ulong)384L);
        const long v387 = v386 + 1L;
        const long v388 = v384 - 1L;
        const long v389 = (long)((ulong)v388 / (ulong)v387);
        const long v390 = v389 + 1L;
        for (long i391 = 0L; i391 < v384; i391 += v390) {
          const long v392 = n2 - i391;
          const long v393 = v392 < v390 ? v392 : v390;
          for (long i394 = 0L; i394 < v22; i394 += 192L) {
            const long v395 = i394 + 192L;
            const long v396 = v395 < v22 ? v395 : v22;
            const long v397 = v396 - i394;
            const long v398 = v397 - 1L;
            const long v399 = (long)((ulong)v398 / (ulong)6L);
            const long v400 = v399 + 1L;
            const long v401 = v393 - 1L;
            const long v402 = (long)((ulong)v401 / (ulong)v400);
            const long v403 = v402 + 1L;
            const long v404 = v393 > 1L ? v393 : 1L;
            const long v405 = (long)((ulong)96L / (ulong)v404);
            const long v406 = v405 > 1L ? v405 : 1L;
            const long v407 = 16L * v406;
            for (long i408 = v19; i408 < v21; i408 += v407) {
              const long v409 = v21 - i408;
              const long v410 = v409 < v407 ? v409 : v407;
              const long v411 = (long)((ulong)v410 / (ulong)16L);
              const bool v412 = v411 > 0L;
              if (v412) {
                for (long i413 = 0L; i413 < v411; i413 += 1L) {
                  const long v414 = i413 * 16L;
                  const long v415 = i413 * v393;
                  const long v416 = i408 + v414;
                  const long v417 = v416 + 8L;
                  for (long i418 = 0L; i418 < v393; i418 += 1L) {
                    const long v419 = i391 + i418;
                    const long v420 = v415 + i418;
                    const float8 v421 = vload8(0, &b1[v416 + v419 * n6]);
                    vstore8(v421, 0, &a383[v420 * 16L]);
                    const long v422 = v415 + i418;
                    const float8 v423 = vload8(0, &b1[v417 + v419 * n6]);
                    vstore8(v423, 0, &a383[v422 * 16L + 8L]);
                  }
                }
                for (long i424 = i394; i424 < v396; i424 += 6L) {
                  const long v425 = v22 - 1L;
                  const long v426 = i424 + v16;
                  const long v427 = i424 + 1L;
                  const long v428 = v427 < v425 ? v427 : v425;
                  const long v429 = v428 + v16;
                  const long v430 = i424 + 2L;
                  const long v431 = v430 < v425 ? v430 : v425;
                  const long v432 = v431 + v16;
                  const long v433 = i424 + 3L;
                  const long v434 = v433 < v425 ? v433 : v425;
                  const long v435 = v434 + v16;
                  const long v436 = i424 + 4L;
                  const long v437 = v436 < v425 ? v436 : v425;
                  const long v438 = v437 + v16;
                  const long v439 = i424 + 5L;
                  const long v440 = v439 < v425 ? v439 : v425;
                  const long v441 = v440 + v16;
                  const long v442 = i424 - i394;
                  const long v443 = (long)((ulong)v442 / (ulong)6L);
                  const long v444 = i424 + 6L;
                  const long v445 = v22 - 1L;
                  for (long i446 = 0L; i446 < v411; i446 += 1L) {
                    const long v447 = i446 * 16L;
                    const long v448 = i446 * v393;
                    const long v449 = i408 + v447;
                    const long v450 = v449 + 8L;
                    const bool v451 = i391 == 0L;
                    float8 c452;
                    float8 c453;
                    float8 c454;
                    float8 c455;
                    float8 c456;
                    float8 c457;
                    float8 c458;
                    float8 c459;
                    float8 c460;
                    float8 c461;
                    float8 c462;
                    float8 c463;
                    if (v451) {
                      c452 = v2;
                      c453 = v2;
                      c454 = v2;
                      c455 = v2;
                      c456 = v2;
                      c457 = v2;
                      c458 = v2;
                      c459 = v2;
                      c460 = v2;
                      c461 = v2;
                      c462 = v2;
                      c463 = v2;
                    } else {
                      const float8 v464 = vload8(0, &b2[v426 * n8 + v449]);
                      const float8 v465 = vload8(0, &b2[v429 * n8 + v449]);
                      const float8 v466 = vload8(0, &b2[v432 * n8 + v449]);
                      const float8 v467 = vload8(0, &b2[v435 * n8 + v449]);
                      const float8 v468 = vload8(0, &b2[v438 * n8 + v449]);
                      const float8 v469 = vload8(0, &b2[v441 * n8 + v449]);
                      const float8 v470 = vload8(0, &b2[v426 * n8 + v450]);
                      const float8 v471 = vload8(0, &b2[v429 * n8 + v450]);
                      const float8 v472 = vload8(0, &b2[v432 * n8 + v450]);
                      const float8 v473 = vload8(0, &b2[v435 * n8 + v450]);
                      const float8 v474 = vload8(0, &b2[v438 * n8 + v450]);
                      const float8 v475 = vload8(0, &b2[v441 * n8 + v450]);
                      c452 = v464;
                      c453 = v470;
                      c454 = v465;
                      c455 = v471;
                      c456 = v466;
                      c457 = v472;
                      c458 = v467;
                      c459 = v473;
                      c460 = v468;
                      c461 = v474;
                      c462 = v469;
                      c463 = v475;
                    }
                    float8 c476 = c452;
                    float8 c477 = c453;
                    float8 c478 = c454;
                    float8 c479 = c455;
                    float8 c480 = c456;
                    float8 c481 = c457;
                    float8 c482 = c458;
                    float8 c483 = c459;
                    float8 c484 = c460;
                    float8 c485 = c461;
                    float8 c486 = c462;
                    float8 c487 = c463;
                    for (long i488 = 0L; i488 < v393; i488 += 16L) {
                      const long v489 = (long)((ulong)i488 / (ulong)16L);
                      const long v490 = v444 + v489;
                      const long v491 = v490 < v445 ? v490 : v445;
                      const long v492 = v491 + v16;
                      TRI_PREFETCH(&b2[v492 * n8 + v449], 3);
                      const long v493 = v449 + 15L;
                      TRI_PREFETCH(&b2[v492 * n8 + v493], 3);
                      const long v494 = (long)((ulong)i488 / (ulong)16L);
                      const long v495 = v443 * v403;
                      const long v496 = v495 + v494;
                      const long v497 = v393 - 1L;
                      const long v498 = v496 < v497 ? v496 : v497;
                      const long v499 = v449 + 16L;
                      const long v500 = v21 - 16L;
                      const long v501 = v499 < v500 ? v499 : v500;
                      const long v502 = i391 + v498;
                      TRI_PREFETCH(&b1[v501 + v502 * n6], 2);
                      const long v503 = v501 + 15L;
                      const long v504 = i391 + v498;
                      TRI_PREFETCH(&b1[v503 + v504 * n6], 2);
                      const long v505 = i488 + 16L;
                      const long v506 = v505 < v393 ? v505 : v393;
                      float8 c507 = c476;
                      float8 c508 = c477;
                      float8 c509 = c478;
                      float8 c510 = c479;
                      float8 c511 = c480;
                      float8 c512 = c481;
                      float8 c513 = c482;
                      float8 c514 = c483;
                      float8 c515 = c484;
                      float8 c516 = c485;
                      float8 c517 = c486;
                      float8 c518 = c487;
                      for (long i519 = i488; i519 < v506; i519 += 1L) {
                        const long v520 = i391 + i519;
                        const long v521 = v448 + i519;
                        const long v522 = v448 + i519;
                        const float8 v523 = vload8(0, &a383[v521 * 16L]);
                        const float8 v524 = vload8(0, &a383[v522 * 16L + 8L]);
                        const float v525 = b0[v426 * n4 + v520];
                        const float8 v526 = (float8)(v525);
                        const float8 v527 = fma(v526, v523, c507);
                        const float v528 = b0[v426 * n4 + v520];
                        const float8 v529 = (float8)(v528);
                        const float8 v530 = fma(v529, v524, c508);
                        const float v531 = b0[v429 * n4 + v520];
                        const float8 v532 = (float8)(v531);
                        const float8 v533 = fma(v532, v523, c509);
                        const float v534 = b0[v429 * n4 + v520];
                        const float8 v535 = (float8)(v534);
                        const float8 v536 = fma(v535, v524, c510);
                        const float v537 = b0[v432 * n4 + v520];
                        const float8 v538 = (float8)(v537);
                        const float8 v539 = fma(v538, v523, c511);
                        const float v540 = b0[v432 * n4 + v520];
                        const float8 v541 = (float8)(v540);
                        const float8 v542 = fma(v541, v524, c512);
                        const float v543 = b0[v435 * n4 + v520];
                        const float8 v544 = (float8)(v543);
                        const float8 v545 = fma(v544, v523, c513);
                        const float v546 = b0[v435 * n4 + v520];
                        const float8 v547 = (float8)(v546);
                        const float8 v548 = fma(v547, v524, c514);
                        const float v549 = b0[v438 * n4 + v520];
                        const float8 v550 = (float8)(v549);
                        const float8 v551 = fma(v550, v523, c515);
                        const float v552 = b0[v438 * n4 + v520];
                        const float8 v553 = (float8)(v552);
                        const float8 v554 = fma(v553, v524, c516);
                        const float v555 = b0[v441 * n4 + v520];
                        const float8 v556 = (float8)(v555);
                        const float8 v557 = fma(v556, v523, c517);
                        const float v558 = b0[v441 * n4 + v520];
                        const float8 v559 = (float8)(v558);
                        const float8 v560 = fma(v559, v524, c518);
                        c507 = v527;
                        c508 = v530;
                        c509 = v533;
                        c510 = v536;
                        c511 = v539;
                        c512 = v542;
                        c513 = v545;
                        c514 = v548;
                        c515 = v551;
                        c516 = v554;
                        c517 = v557;
                        c518 = v560;
                      }
                      c476 = c507;
                      c477 = c508;
                      c478 = c509;
                      c479 = c510;
                      c480 = c511;
                      c481 = c512;
                      c482 = c513;
                      c483 = c514;
                      c484 = c515;
                      c485 = c516;
                      c486 = c517;
                      c487 = c518;
                    }
                    vstore8(c476, 0, &b2[v426 * n8 + v449]);
                    vstore8(c478, 0, &b2[v429 * n8 + v449]);
                    vstore8(c480, 0, &b2[v432 * n8 + v449]);
                    vstore8(c482, 0, &b2[v435 * n8 + v449]);
                    vstore8(c484, 0, &b2[v438 * n8 + v449]);
                    vstore8(c486, 0, &b2[v441 * n8 + v449]);
                    vstore8(c477, 0, &b2[v426 * n8 + v450]);
                    vstore8(c479, 0, &b2[v429 * n8 + v450]);
                    vstore8(c481, 0, &b2[v432 * n8 + v450]);
                    vstore8(c483, 0, &b2[v435 * n8 + v450]);
                    vstore8(c485, 0, &b2[v438 * n8 + v450]);
                    vstore8(c487, 0, &b2[v441 * n8 + v450]);
                  }
                }
              }
              const long v561 = v411 * 16L;
              const long v562 = v411 * v393;
              const long v563 = i408 + v561;
              const long v564 = v563 - i408;
              const long v565 = v410 - v564;
              for (long i566 = 0L; i566 < v565; i566 += 8L) {
                const long v567 = v565 - i566;
                const long v568 = v563 + i566;
                for (long i569 = 0L; i569 < v393; i569 += 1L) {
                  const long v570 = i391 + i569;
                  const long v571 = v562 + i569;
                  const float8 v572 = tri_get_float8_global(&b1[v568 + v570 * n6], 1L, v567);
                  vstore8(v572, 0, &a383[v571 * 16L + i566]);
                }
                for (long i573 = i394; i573 < v396; i573 += 6L) {
                  const long v574 = v22 - 1L;
                  const long v575 = i573 + v16;
                  const long v576 = i573 + 1L;
                  const long v577 = v576 < v574 ? v576 : v574;
                  const long v578 = v577 + v16;
                  const long v579 = i573 + 2L;
                  const long v580 = v579 < v574 ? v579 : v574;
                  const long v581 = v580 + v16;
                  const long v582 = i573 + 3L;
                  const long v583 = v582 < v574 ? v582 : v574;
                  const long v584 = v583 + v16;
                  const long v585 = i573 + 4L;
                  const long v586 = v585 < v574 ? v585 : v574;
                  const long v587 = v586 + v16;
                  const long v588 = i573 + 5L;
                  const long v589 = v588 < v574 ? v588 : v574;
                  const long v590 = v589 + v16;
                  const bool v591 = i391 == 0L;
                  float8 c592;
                  float8 c593;
                  float8 c594;
                  float8 c595;
                  float8 c596;
                  float8 c597;
                  if (v591) {
                    c592 = v2;
                    c593 = v2;
                    c594 = v2;
                    c595 = v2;
                    c596 = v2;
                    c597 = v2;
                  } else {
                    const float8 v598 = tri_get_float8_global(&b2[v575 * n8 + v568], 1L, v567);
                    const float8 v599 = tri_get_float8_global(&b2[v578 * n8 + v568], 1L, v567);
                    const float8 v600 = tri_get_float8_global(&b2[v581 * n8 + v568], 1L, v567);
                    const float8 v601 = tri_get_float8_global(&b2[v584 * n8 + v568], 1L, v567);
                    const float8 v602 = tri_get_float8_global(&b2[v587 * n8 + v568], 1L, v567);
                    const float8 v603 = tri_get_float8_global(&b2[v590 * n8 + v568], 1L, v567);
                    c592 = v598;
                    c593 = v599;
                    c594 = v600;
                    c595 = v601;
                    c596 = v602;
                    c597 = v603;
                  }
                  float8 c604 = c592;
                  float8 c605 = c593;
                  float8 c606 = c594;
                  float8 c607 = c595;
                  float8 c608 = c596;
                  float8 c609 = c597;
                  for (long i610 = 0L; i610 < v393; i610 += 1L) {
                    const long v611 = i391 + i610;
                    const long v612 = v562 + i610;
                    const float8 v613 = vload8(0, &a383[v612 * 16L + i566]);
                    const float v614 = b0[v575 * n4 + v611];
                    const float8 v615 = (float8)(v614);
                    const float8 v616 = fma(v615, v613, c604);
                    const float v617 = b0[v578 * n4 + v611];
                    const float8 v618 = (float8)(v617);
                    const float8 v619 = fma(v618, v613, c605);
                    const float v620 = b0[v581 * n4 + v611];
                    const float8 v621 = (float8)(v620);
                    const float8 v622 = fma(v621, v613, c606);
                    const float v623 = b0[v584 * n4 + v611];
                    const float8 v624 = (float8)(v623);
                    const float8 v625 = fma(v624, v613, c607);
                    const float v626 = b0[v587 * n4 + v611];
                    const float8 v627 = (float8)(v626);
                    const float8 v628 = fma(v627, v613, c608);
                    const float v629 = b0[v590 * n4 + v611];
                    const float8 v630 = (float8)(v629);
                    const float8 v631 = fma(v630, v613, c609);
                    c604 = v616;
                    c605 = v619;
                    c606 = v622;
                    c607 = v625;
                    c608 = v628;
                    c609 = v631;
                  }
                  tri_put_float8_global(c604, &b2[v575 * n8 + v568], 1L, v567);
                  tri_put_float8_global(c605, &b2[v578 * n8 + v568], 1L, v567);
                  tri_put_float8_global(c606, &b2[v581 * n8 + v568], 1L, v567);
                  tri_put_float8_global(c607, &b2[v584 * n8 + v568], 1L, v567);
                  tri_put_float8_global(c608, &b2[v587 * n8 + v568], 1L, v567);
                  tri_put_float8_global(c609, &b2[v590 * n8 + v568], 1L, v567);
                }
              }
            }
          }
        }
      }
    } else {
      for (long i632 = v16; i632 < v18; i632 += 1L) {
        for (long i633 = v19; i633 < v21; i633 += 128L) {
          const long v634 = v21 - i633;
          const long v635 = v634 < 128L ? v634 : 128L;
          float a636[128];
          const long v637 = n2 < 1L ? n2 : 1L;
          const long v638 = v637 > 1L ? v637 : 1L;
          const bool v639 = n2 > 0L;
          for (long i640 = 0L; i640 < 1L; i640 += 1L) {
            for (long i641 = 0L; i641 < v635; i641 += 1L) {
              a636[i640 * 128L + i641] = 0x0.0p+0f;
            }
          }
          const long v642 = n2 - 0L;
          const long v643 = (long)((ulong)v642 % (ulong)4L);
          const long v644 = n2 - v643;
          for (long i645 = 0L; i645 < v644; i645 += 4L) {
            for (long i646 = 0L; i646 < 1L; i646 += 1L) {
              const long v647 = i645 + i646;
              const long v648 = v647 + 1L;
              const long v649 = v648 + 1L;
              const long v650 = v649 + 1L;
              for (long i651 = 0L; i651 < v635; i651 += 1L) {
                const long v652 = i633 + i651;
                const float v653 = a636[i646 * 128L + i651];
                const bool v654 = i645 < 1L;
                const float v655 = v654 ? 0x0.0p+0f : v653;
                const float v656 = b0[i632 * n4 + v647];
                const float v657 = b1[v652 + v647 * n6];
                const float v658 = TRI_FMA32(v656, v657, v655);
                const float v659 = b0[i632 * n4 + v648];
                const float v660 = b1[v652 + v648 * n6];
                const float v661 = TRI_FMA32(v659, v660, v658);
                const float v662 = b0[i632 * n4 + v649];
                const float v663 = b1[v652 + v649 * n6];
                const float v664 = TRI_FMA32(v662, v663, v661);
                const float v665 = b0[i632 * n4 + v650];
                const float v666 = b1[v652 + v650 * n6];
                const float v667 = TRI_FMA32(v665, v666, v664);
                a636[i646 * 128L + i651] = v667;
              }
            }
          }
          for (long i668 = v644; i668 < n2; i668 += 1L) {
            const long v669 = i668 & 0L;
            for (long i670 = 0L; i670 < v635; i670 += 1L) {
              const long v671 = i633 + i670;
              const float v672 = a636[v669 * 128L + i670];
              const bool v673 = i668 < 1L;
              const float v674 = v673 ? 0x0.0p+0f : v672;
              const float v675 = b0[i632 * n4 + i668];
              const float v676 = b1[v671 + i668 * n6];
              const float v677 = TRI_FMA32(v675, v676, v674);
              a636[v669 * 128L + i670] = v677;
            }
          }
          for (long i678 = 0L; i678 < v635; i678 += 1L) {
            const long v679 = i633 + i678;
            const float v680 = a636[i678];
            b2[i632 * n8 + v679] = v680;
          }
        }
      }
    }
  }
}
