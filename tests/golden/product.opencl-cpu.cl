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
        const long v31 = v22 > 1L ? v22 : 1L;
        const long v32 = v31 - 1L;
        const long v33 = (long)((ulong)v32 / (ulong)456L);
        const long v34 = v33 + 1L;
        const long v35 = v31 - 1L;
        const long v36 = (long)((ulong)v35 / (ulong)v34);
        const long v37 = v36 + 1L;
        const long v38 = v37 - 1L;
        const long v39 = (long)((ulong)v38 / (ulong)6L);
        const long v40 = v39 + 1L;
        const long v41 = v40 * 6L;
        const long v42 = v30 - 1L;
        const long v43 = (long)((ulong)v42 / (ulong)160L);
        const long v44 = v43 + 1L;
        const long v45 = v30 - 1L;
        const long v46 = (long)((ulong)v45 / (ulong)v44);
        const long v47 = v46 + 1L;
        for (long i48 = 0L; i48 < v30; i48 += v47) {
          const long v49 = n2 - i48;
          const long v50 = v49 < v47 ? v49 : v47;
          for (long i51 = 0L; i51 < v22; i51 += v41) {
            const long v52 = i51 + v41;
            const long v53 = v52 < v22 ? v52 : v22;
            const long v54 = v53 - i51;
            const long v55 = v54 - 1L;
            const long v56 = (long)((ulong)v55 / (ulong)6L);
            const long v57 = v56 + 1L;
            const long v58 = v50 - 1L;
            const long v59 = (long)((ulong)v58 / (ulong)v57);
            const long v60 = v59 + 1L;
            const long v61 = v50 > 1L ? v50 : 1L;
            const long v62 = (long)((ulong)96L / (ulong)v61);
            const long v63 = v62 > 1L ? v62 : 1L;
            const long v64 = 64L * v63;
            for (long i65 = v19; i65 < v21; i65 += v64) {
              const long v66 = v21 - i65;
              const long v67 = v66 < v64 ? v66 : v64;
              const long v68 = (long)((ulong)v67 / (ulong)64L);
              const bool v69 = v68 > 0L;
              if (v69) {
                for (long i70 = 0L; i70 < v68; i70 += 1L) {
                  const long v71 = i70 * 64L;
                  const long v72 = i70 * v50;
                  const long v73 = i65 + v71;
                  const long v74 = v73 + 16L;
                  const long v75 = v73 + 32L;
                  const long v76 = v73 + 48L;
                  for (long i77 = 0L; i77 < v50; i77 += 1L) {
                    const long v78 = i48 + i77;
                    const long v79 = v72 + i77;
                    const float16 v80 = vload16(0, &b1[v73 + v78 * n6]);
                    vstore16(v80, 0, &a29[v79 * 64L]);
                    const long v81 = v72 + i77;
                    const float16 v82 = vload16(0, &b1[v74 + v78 * n6]);
                    vstore16(v82, 0, &a29[v81 * 64L + 16L]);
                    const long v83 = v72 + i77;
                    const float16 v84 = vload16(0, &b1[v75 + v78 * n6]);
                    vstore16(v84, 0, &a29[v83 * 64L + 32L]);
                    const long v85 = v72 + i77;
                    const float16 v86 = vload16(0, &b1[v76 + v78 * n6]);
                    vstore16(v86, 0, &a29[v85 * 64L + 48L]);
                  }
                }
                for (long i87 = i51; i87 < v53; i87 += 6L) {
                  const long v88 = v22 - 1L;
                  const long v89 = i87 + v16;
                  const long v90 = i87 + 1L;
                  const long v91 = v90 < v88 ? v90 : v88;
                  const long v92 = v91 + v16;
                  const long v93 = i87 + 2L;
                  const long v94 = v93 < v88 ? v93 : v88;
                  const long v95 = v94 + v16;
                  const long v96 = i87 + 3L;
                  const long v97 = v96 < v88 ? v96 : v88;
                  const long v98 = v97 + v16;
                  const long v99 = i87 + 4L;
                  const long v100 = v99 < v88 ? v99 : v88;
                  const long v101 = v100 + v16;
                  const long v102 = i87 + 5L;
                  const long v103 = v102 < v88 ? v102 : v88;
                  const long v104 = v103 + v16;
                  const long v105 = i87 - i51;
                  const long v106 = (long)((ulong)v105 / (ulong)6L);
                  const long v107 = i87 + 6L;
                  const long v108 = v22 - 1L;
                  for (long i109 = 0L; i109 < v68; i109 += 1L) {
                    const long v110 = i109 * 64L;
                    const long v111 = i109 * v50;
                    const long v112 = i65 + v110;
                    const long v113 = v112 + 16L;
                    const long v114 = v112 + 32L;
                    const long v115 = v112 + 48L;
                    const bool v116 = i48 == 0L;
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
                    float16 c130;
                    float16 c131;
                    float16 c132;
                    float16 c133;
                    float16 c134;
                    float16 c135;
                    float16 c136;
                    float16 c137;
                    float16 c138;
                    float16 c139;
                    float16 c140;
                    if (v116) {
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
                      c130 = v1;
                      c131 = v1;
                      c132 = v1;
                      c133 = v1;
                      c134 = v1;
                      c135 = v1;
                      c136 = v1;
                      c137 = v1;
                      c138 = v1;
                      c139 = v1;
                      c140 = v1;
                    } else {
                      const float16 v141 = vload16(0, &b2[v89 * n8 + v112]);
                      const float16 v142 = vload16(0, &b2[v92 * n8 + v112]);
                      const float16 v143 = vload16(0, &b2[v95 * n8 + v112]);
                      const float16 v144 = vload16(0, &b2[v98 * n8 + v112]);
                      const float16 v145 = vload16(0, &b2[v101 * n8 + v112]);
                      const float16 v146 = vload16(0, &b2[v104 * n8 + v112]);
                      const float16 v147 = vload16(0, &b2[v89 * n8 + v113]);
                      const float16 v148 = vload16(0, &b2[v92 * n8 + v113]);
                      const float16 v149 = vload16(0, &b2[v95 * n8 + v113]);
                      const float16 v150 = vload16(0, &b2[v98 * n8 + v113]);
                      const float16 v151 = vload16(0, &b2[v101 * n8 + v113]);
                      const float16 v152 = vload16(0, &b2[v104 * n8 + v113]);
                      const float16 v153 = vload16(0, &b2[v89 * n8 + v114]);
                      const float16 v154 = vload16(0, &b2[v92 * n8 + v114]);
                      const float16 v155 = vload16(0, &b2[v95 * n8 + v114]);
                      const float16 v156 = vload16(0, &b2[v98 * n8 + v114]);
                      const float16 v157 = vload16(0, &b2[v101 * n8 + v114]);
                      const float16 v158 = vload16(0, &b2[v104 * n8 + v114]);
                      const float16 v159 = vload16(0, &b2[v89 * n8 + v115]);
                      const float16 v160 = vload16(0, &b2[v92 * n8 + v115]);
                      const float16 v161 = vload16(0, &b2[v95 * n8 + v115]);
                      const float16 v162 = vload16(0, &b2[v98 * n8 + v115]);
                      const float16 v163 = vload16(0, &b2[v101 * n8 + v115]);
                      const float16 v164 = vload16(0, &b2[v104 * n8 + v115]);
                      c117 = v141;
                      c118 = v147;
                      c119 = v153;
                      c120 = v159;
                      c121 = v142;
                      c122 = v148;
                      c123 = v154;
                      c124 = v160;
                      c125 = v143;
                      c126 = v149;
                      c127 = v155;
                      c128 = v161;
                      c129 = v144;
                      c130 = v150;
                      c131 = v156;
                      c132 = v162;
                      c133 = v145;
                      c134 = v151;
                      c135 = v157;
                      c136 = v163;
                      c137 = v146;
                      c138 = v152;
                      c139 = v158;
                      c140 = v164;
                    }
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
                    float16 c178 = c130;
                    float16 c179 = c131;
                    float16 c180 = c132;
                    float16 c181 = c133;
                    float16 c182 = c134;
                    float16 c183 = c135;
                    float16 c184 = c136;
                    float16 c185 = c137;
                    float16 c186 = c138;
                    float16 c187 = c139;
                    float16 c188 = c140;
                    for (long i189 = 0L; i189 < v50; i189 += 16L) {
                      const long v190 = (long)((ulong)i189 / (ulong)16L);
                      const long v191 = v107 + v190;
                      const long v192 = v191 < v108 ? v191 : v108;
                      const long v193 = v192 + v16;
                      TRI_PREFETCH(&b2[v193 * n8 + v112], 3);
                      const long v194 = v112 + 16L;
                      TRI_PREFETCH(&b2[v193 * n8 + v194], 3);
                      const long v195 = v112 + 32L;
                      TRI_PREFETCH(&b2[v193 * n8 + v195], 3);
                      const long v196 = v112 + 48L;
                      TRI_PREFETCH(&b2[v193 * n8 + v196], 3);
                      const long v197 = v112 + 63L;
                      TRI_PREFETCH(&b2[v193 * n8 + v197], 3);
                      const long v198 = (long)((ulong)i189 / (ulong)16L);
                      const long v199 = v106 * v60;
                      const long v200 = v199 + v198;
                      const long v201 = v50 - 1L;
                      const long v202 = v200 < v201 ? v200 : v201;
                      const long v203 = v112 + 64L;
                      const long v204 = v21 - 64L;
                      const long v205 = v203 < v204 ? v203 : v204;
                      const long v206 = i48 + v202;
                      TRI_PREFETCH(&b1[v205 + v206 * n6], 2);
                      const long v207 = v205 + 16L;
                      const long v208 = i48 + v202;
                      TRI_PREFETCH(&b1[v207 + v208 * n6], 2);
                      const long v209 = v205 + 32L;
                      const long v210 = i48 + v202;
                      TRI_PREFETCH(&b1[v209 + v210 * n6], 2);
                      const long v211 = v205 + 48L;
                      const long v212 = i48 + v202;
                      TRI_PREFETCH(&b1[v211 + v212 * n6], 2);
                      const long v213 = v205 + 63L;
                      const long v214 = i48 + v202;
                      TRI_PREFETCH(&b1[v213 + v214 * n6], 2);
                      const long v215 = i189 + 16L;
                      const long v216 = v215 < v50 ? v215 : v50;
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
                      float16 c230 = c178;
                      float16 c231 = c179;
                      float16 c232 = c180;
                      float16 c233 = c181;
                      float16 c234 = c182;
                      float16 c235 = c183;
                      float16 c236 = c184;
                      float16 c237 = c185;
                      float16 c238 = c186;
                      float16 c239 = c187;
                      float16 c240 = c188;
                      for (long i241 = i189; i241 < v216; i241 += 1L) {
                        const long v242 = i48 + i241;
                        const long v243 = v111 + i241;
                        const float16 v244 = vload16(0, &a29[v243 * 64L]);
                        const long v245 = v111 + i241;
                        const float16 v246 = vload16(0, &a29[v245 * 64L + 16L]);
                        const long v247 = v111 + i241;
                        const float16 v248 = vload16(0, &a29[v247 * 64L + 32L]);
                        const long v249 = v111 + i241;
                        const float16 v250 = vload16(0, &a29[v249 * 64L + 48L]);
                        const float v251 = (b0 + v89 * n4 + i48)[i241];
                        const float16 v252 = (float16)(v251);
                        const float16 v253 = fma(v252, v244, c217);
                        const float v254 = (b0 + v89 * n4 + i48)[i241];
                        const float16 v255 = (float16)(v254);
                        const float16 v256 = fma(v255, v246, c218);
                        const float v257 = (b0 + v89 * n4 + i48)[i241];
                        const float16 v258 = (float16)(v257);
                        const float16 v259 = fma(v258, v248, c219);
                        const float v260 = (b0 + v89 * n4 + i48)[i241];
                        const float16 v261 = (float16)(v260);
                        const float16 v262 = fma(v261, v250, c220);
                        const float v263 = (b0 + v92 * n4 + i48)[i241];
                        const float16 v264 = (float16)(v263);
                        const float16 v265 = fma(v264, v244, c221);
                        const float v266 = (b0 + v92 * n4 + i48)[i241];
                        const float16 v267 = (float16)(v266);
                        const float16 v268 = fma(v267, v246, c222);
                        const float v269 = (b0 + v92 * n4 + i48)[i241];
                        const float16 v270 = (float16)(v269);
                        const float16 v271 = fma(v270, v248, c223);
                        const float v272 = (b0 + v92 * n4 + i48)[i241];
                        const float16 v273 = (float16)(v272);
                        const float16 v274 = fma(v273, v250, c224);
                        const float v275 = (b0 + v95 * n4 + i48)[i241];
                        const float16 v276 = (float16)(v275);
                        const float16 v277 = fma(v276, v244, c225);
                        const float v278 = (b0 + v95 * n4 + i48)[i241];
                        const float16 v279 = (float16)(v278);
                        const float16 v280 = fma(v279, v246, c226);
                        const float v281 = (b0 + v95 * n4 + i48)[i241];
                        const float16 v282 = (float16)(v281);
                        const float16 v283 = fma(v282, v248, c227);
                        const float v284 = (b0 + v95 * n4 + i48)[i241];
                        const float16 v285 = (float16)(v284);
                        const float16 v286 = fma(v285, v250, c228);
                        const float v287 = (b0 + v98 * n4 + i48)[i241];
                        const float16 v288 = (float16)(v287);
                        const float16 v289 = fma(v288, v244, c229);
                        const float v290 = (b0 + v98 * n4 + i48)[i241];
                        const float16 v291 = (float16)(v290);
                        const float16 v292 = fma(v291, v246, c230);
                        const float v293 = (b0 + v98 * n4 + i48)[i241];
                        const float16 v294 = (float16)(v293);
                        const float16 v295 = fma(v294, v248, c231);
                        const float v296 = (b0 + v98 * n4 + i48)[i241];
                        const float16 v297 = (float16)(v296);
                        const float16 v298 = fma(v297, v250, c232);
                        const float v299 = (b0 + v101 * n4 + i48)[i241];
                        const float16 v300 = (float16)(v299);
                        const float16 v301 = fma(v300, v244, c233);
                        const float v302 = (b0 + v101 * n4 + i48)[i241];
                        const float16 v303 = (float16)(v302);
                        const float16 v304 = fma(v303, v246, c234);
                        const float v305 = (b0 + v101 * n4 + i48)[i241];
                        const float16 v306 = (float16)(v305);
                        const float16 v307 = fma(v306, v248, c235);
                        const float v308 = (b0 + v101 * n4 + i48)[i241];
                        const float16 v309 = (float16)(v308);
                        const float16 v310 = fma(v309, v250, c236);
                        const float v311 = (b0 + v104 * n4 + i48)[i241];
                        const float16 v312 = (float16)(v311);
                        const float16 v313 = fma(v312, v244, c237);
                        const float v314 = (b0 + v104 * n4 + i48)[i241];
                        const float16 v315 = (float16)(v314);
                        const float16 v316 = fma(v315, v246, c238);
                        const float v317 = (b0 + v104 * n4 + i48)[i241];
                        const float16 v318 = (float16)(v317);
                        const float16 v319 = fma(v318, v248, c239);
                        const float v320 = (b0 + v104 * n4 + i48)[i241];
                        const float16 v321 = (float16)(v320);
                        const float16 v322 = fma(v321, v250, c240);
                        c217 = v253;
                        c218 = v256;
                        c219 = v259;
                        c220 = v262;
                        c221 = v265;
                        c222 = v268;
                        c223 = v271;
                        c224 = v274;
                        c225 = v277;
                        c226 = v280;
                        c227 = v283;
                        c228 = v286;
                        c229 = v289;
                        c230 = v292;
                        c231 = v295;
                        c232 = v298;
                        c233 = v301;
                        c234 = v304;
                        c235 = v307;
                        c236 = v310;
                        c237 = v313;
                        c238 = v316;
                        c239 = v319;
                        c240 = v322;
                      }
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
                      c178 = c230;
                      c179 = c231;
                      c180 = c232;
                      c181 = c233;
                      c182 = c234;
                      c183 = c235;
                      c184 = c236;
                      c185 = c237;
                      c186 = c238;
                      c187 = c239;
                      c188 = c240;
                    }
                    vstore16(c165, 0, &b2[v89 * n8 + v112]);
                    vstore16(c169, 0, &b2[v92 * n8 + v112]);
                    vstore16(c173, 0, &b2[v95 * n8 + v112]);
                    vstore16(c177, 0, &b2[v98 * n8 + v112]);
                    vstore16(c181, 0, &b2[v101 * n8 + v112]);
                    vstore16(c185, 0, &b2[v104 * n8 + v112]);
                    vstore16(c166, 0, &b2[v89 * n8 + v113]);
                    vstore16(c170, 0, &b2[v92 * n8 + v113]);
                    vstore16(c174, 0, &b2[v95 * n8 + v113]);
                    vstore16(c178, 0, &b2[v98 * n8 + v113]);
                    vstore16(c182, 0, &b2[v101 * n8 + v113]);
                    vstore16(c186, 0, &b2[v104 * n8 + v113]);
                    vstore16(c167, 0, &b2[v89 * n8 + v114]);
                    vstore16(c171, 0, &b2[v92 * n8 + v114]);
                    vstore16(c175, 0, &b2[v95 * n8 + v114]);
                    vstore16(c179, 0, &b2[v98 * n8 + v114]);
                    vstore16(c183, 0, &b2[v101 * n8 + v114]);
                    vstore16(c187, 0, &b2[v104 * n8 + v114]);
                    vstore16(c168, 0, &b2[v89 * n8 + v115]);
                    vstore16(c172, 0, &b2[v92 * n8 + v115]);
                    vstore16(c176, 0, &b2[v95 * n8 + v115]);
                    vstore16(c180, 0, &b2[v98 * n8 + v115]);
                    vstore16(c184, 0, &b2[v101 * n8 + v115]);
                    vstore16(c188, 0, &b2[v104 * n8 + v115]);
                  }
                }
              }
              const long v323 = v68 * 64L;
              const long v324 = v68 * v50;
              const long v325 = i65 + v323;
              const long v326 = v325 - i65;
              const long v327 = v67 - v326;
              for (long i328 = 0L; i328 < v327; i328 += 8L) {
                const long v329 = v327 - i328;
                const long v330 = v325 + i328;
                for (long i331 = 0L; i331 < v50; i331 += 1L) {
                  const long v332 = i48 + i331;
                  const long v333 = v324 + i331;
                  const float8 v334 = tri_get_float8_global(&b1[v330 + v332 * n6], 1L, v329);
                  vstore8(v334, 0, &a29[v333 * 64L + i328]);
                }
                for (long i335 = i51; i335 < v53; i335 += 6L) {
                  const long v336 = v22 - 1L;
                  const long v337 = i335 + v16;
                  const long v338 = i335 + 1L;
                  const long v339 = v338 < v336 ? v338 : v336;
                  const long v340 = v339 + v16;
                  const long v341 = i335 + 2L;
                  const long v342 = v341 < v336 ? v341 : v336;
                  const long v343 = v342 + v16;
                  const long v344 = i335 + 3L;
                  const long v345 = v344 < v336 ? v344 : v336;
                  const long v346 = v345 + v16;
                  const long v347 = i335 + 4L;
                  const long v348 = v347 < v336 ? v347 : v336;
                  const long v349 = v348 + v16;
                  const long v350 = i335 + 5L;
                  const long v351 = v350 < v336 ? v350 : v336;
                  const long v352 = v351 + v16;
                  const bool v353 = i48 == 0L;
                  float8 c354;
                  float8 c355;
                  float8 c356;
                  float8 c357;
                  float8 c358;
                  float8 c359;
                  if (v353) {
                    c354 = v2;
                    c355 = v2;
                    c356 = v2;
                    c357 = v2;
                    c358 = v2;
                    c359 = v2;
                  } else {
                    const float8 v360 = tri_get_float8_global(&b2[v337 * n8 + v330], 1L, v329);
                    const float8 v361 = tri_get_float8_global(&b2[v340 * n8 + v330], 1L, v329);
                    const float8 v362 = tri_get_float8_global(&b2[v343 * n8 + v330], 1L, v329);
                    const float8 v363 = tri_get_float8_global(&b2[v346 * n8 + v330], 1L, v329);
                    const float8 v364 = tri_get_float8_global(&b2[v349 * n8 + v330], 1L, v329);
                    const float8 v365 = tri_get_float8_global(&b2[v352 * n8 + v330], 1L, v329);
                    c354 = v360;
                    c355 = v361;
                    c356 = v362;
                    c357 = v363;
                    c358 = v364;
                    c359 = v365;
                  }
                  float8 c366 = c354;
                  float8 c367 = c355;
                  float8 c368 = c356;
                  float8 c369 = c357;
                  float8 c370 = c358;
                  float8 c371 = c359;
                  for (long i372 = 0L; i372 < v50; i372 += 1L) {
                    const long v373 = i48 + i372;
                    const long v374 = v324 + i372;
                    const float8 v375 = vload8(0, &a29[v374 * 64L + i328]);
                    const float v376 = (b0 + v337 * n4 + i48)[i372];
                    const float8 v377 = (float8)(v376);
                    const float8 v378 = fma(v377, v375, c366);
                    const float v379 = (b0 + v340 * n4 + i48)[i372];
                    const float8 v380 = (float8)(v379);
                    const float8 v381 = fma(v380, v375, c367);
                    const float v382 = (b0 + v343 * n4 + i48)[i372];
                    const float8 v383 = (float8)(v382);
                    const float8 v384 = fma(v383, v375, c368);
                    const float v385 = (b0 + v346 * n4 + i48)[i372];
                    const float8 v386 = (float8)(v385);
                    const float8 v387 = fma(v386, v375, c369);
                    const float v388 = (b0 + v349 * n4 + i48)[i372];
                    const float8 v389 = (float8)(v388);
                    const float8 v390 = fma(v389, v375, c370);
                    const float v391 = (b0 + v352 * n4 + i48)[i372];
                    const float8 v392 = (float8)(v391);
                    const float8 v393 = fma(v392, v375, c371);
                    c366 = v378;
                    c367 = v381;
                    c368 = v384;
                    c369 = v387;
                    c370 = v390;
                    c371 = v393;
                  }
                  tri_put_float8_global(c366, &b2[v337 * n8 + v330], 1L, v329);
                  tri_put_float8_global(c367, &b2[v340 * n8 + v330], 1L, v329);
                  tri_put_float8_global(c368, &b2[v343 * n8 + v330], 1L, v329);
                  tri_put_float8_global(c369, &b2[v346 * n8 + v330], 1L, v329);
                  tri_put_float8_global(c370, &b2[v349 * n8 + v330], 1L, v329);
                  tri_put_float8_global(c371, &b2[v352 * n8 + v330], 1L, v329);
                }
              }
            }
          }
        }
      } else {
        float a394[6144] __attribute__((aligned(64)));
        const long v395 = n2 > 1L ? n2 : 1L;
        const long v396 = v22 > 1L ? v22 : 1L;
        const long v397 = v396 - 1L;
        const long v398 = (long)((ulong)v397 / (ulong)192L);
        const long v399 = v398 + 1L;
        const long v400 = v396 - 1L;
        const long v401 = (long)((ulong)v400 / (ulong)v399);
        const long v402 = v401 + 1L;
        const long v403 = v402 - 1L;
        const long v404 = (long)((ulong)v403 / (ulong)6L);
        const long v405 = v404 + 1L;
        const long v406 = v405 * 6L;
        const long v407 = v395 - 1L;
        const long v408 = (long)((ulong)v407 / (ulong)384L);
        const long v409 = v408 + 1L;
        const long v410 = v395 - 1L;
        const long v411 = (long)((ulong)v410 / (ulong)v409);
        const long v412 = v411 + 1L;
        for (long i413 = 0L; i413 < v395; i413 += v412) {
          const long v414 = n2 - i413;
          const long v415 = v414 < v412 ? v414 : v412;
          for (long i416 = 0L; i416 < v22; i416 += v406) {
            const long v417 = i416 + v406;
            const long v418 = v417 < v22 ? v417 : v22;
            const long v419 = v418 - i416;
            const long v420 = v419 - 1L;
            const long v421 = (long)((ulong)v420 / (ulong)6L);
            const long v422 = v421 + 1L;
            const long v423 = v415 - 1L;
            const long v424 = (long)((ulong)v423 / (ulong)v422);
            const long v425 = v424 + 1L;
            const long v426 = v415 > 1L ? v415 : 1L;
            const long v427 = (long)((ulong)96L / (ulong)v426);
            const long v428 = v427 > 1L ? v427 : 1L;
            const long v429 = 16L * v428;
            for (long i430 = v19; i430 < v21; i430 += v429) {
              const long v431 = v21 - i430;
              const long v432 = v431 < v429 ? v431 : v429;
              const long v433 = (long)((ulong)v432 / (ulong)16L);
              const bool v434 = v433 > 0L;
              if (v434) {
                for (long i435 = 0L; i435 < v433; i435 += 1L) {
                  const long v436 = i435 * 16L;
                  const long v437 = i435 * v415;
                  const long v438 = i430 + v436;
                  const long v439 = v438 + 8L;
                  for (long i440 = 0L; i440 < v415; i440 += 1L) {
                    const long v441 = i413 + i440;
                    const long v442 = v437 + i440;
                    const float8 v443 = vload8(0, &b1[v438 + v441 * n6]);
                    vstore8(v443, 0, &a394[v442 * 16L]);
                    const long v444 = v437 + i440;
                    const float8 v445 = vload8(0, &b1[v439 + v441 * n6]);
                    vstore8(v445, 0, &a394[v444 * 16L + 8L]);
                  }
                }
                for (long i446 = i416; i446 < v418; i446 += 6L) {
                  const long v447 = v22 - 1L;
                  const long v448 = i446 + v16;
                  const long v449 = i446 + 1L;
                  const long v450 = v449 < v447 ? v449 : v447;
                  const long v451 = v450 + v16;
                  const long v452 = i446 + 2L;
                  const long v453 = v452 < v447 ? v452 : v447;
                  const long v454 = v453 + v16;
                  const long v455 = i446 + 3L;
                  const long v456 = v455 < v447 ? v455 : v447;
                  const long v457 = v456 + v16;
                  const long v458 = i446 + 4L;
                  const long v459 = v458 < v447 ? v458 : v447;
                  const long v460 = v459 + v16;
                  const long v461 = i446 + 5L;
                  const long v462 = v461 < v447 ? v461 : v447;
                  const long v463 = v462 + v16;
                  const long v464 = i446 - i416;
                  const long v465 = (long)((ulong)v464 / (ulong)6L);
                  const long v466 = i446 + 6L;
                  const long v467 = v22 - 1L;
                  for (long i468 = 0L; i468 < v433; i468 += 1L) {
                    const long v469 = i468 * 16L;
                    const long v470 = i468 * v415;
                    const long v471 = i430 + v469;
                    const long v472 = v471 + 8L;
                    const bool v473 = i413 == 0L;
                    float8 c474;
                    float8 c475;
                    float8 c476;
                    float8 c477;
                    float8 c478;
                    float8 c479;
                    float8 c480;
                    float8 c481;
                    float8 c482;
                    float8 c483;
                    float8 c484;
                    float8 c485;
                    if (v473) {
                      c474 = v2;
                      c475 = v2;
                      c476 = v2;
                      c477 = v2;
                      c478 = v2;
                      c479 = v2;
                      c480 = v2;
                      c481 = v2;
                      c482 = v2;
                      c483 = v2;
                      c484 = v2;
                      c485 = v2;
                    } else {
                      const float8 v486 = vload8(0, &b2[v448 * n8 + v471]);
                      const float8 v487 = vload8(0, &b2[v451 * n8 + v471]);
                      const float8 v488 = vload8(0, &b2[v454 * n8 + v471]);
                      const float8 v489 = vload8(0, &b2[v457 * n8 + v471]);
                      const float8 v490 = vload8(0, &b2[v460 * n8 + v471]);
                      const float8 v491 = vload8(0, &b2[v463 * n8 + v471]);
                      const float8 v492 = vload8(0, &b2[v448 * n8 + v472]);
                      const float8 v493 = vload8(0, &b2[v451 * n8 + v472]);
                      const float8 v494 = vload8(0, &b2[v454 * n8 + v472]);
                      const float8 v495 = vload8(0, &b2[v457 * n8 + v472]);
                      const float8 v496 = vload8(0, &b2[v460 * n8 + v472]);
                      const float8 v497 = vload8(0, &b2[v463 * n8 + v472]);
                      c474 = v486;
                      c475 = v492;
                      c476 = v487;
                      c477 = v493;
                      c478 = v488;
                      c479 = v494;
                      c480 = v489;
                      c481 = v495;
                      c482 = v490;
                      c483 = v496;
                      c484 = v491;
                      c485 = v497;
                    }
                    float8 c498 = c474;
                    float8 c499 = c475;
                    float8 c500 = c476;
                    float8 c501 = c477;
                    float8 c502 = c478;
                    float8 c503 = c479;
                    float8 c504 = c480;
                    float8 c505 = c481;
                    float8 c506 = c482;
                    float8 c507 = c483;
                    float8 c508 = c484;
                    float8 c509 = c485;
                    for (long i510 = 0L; i510 < v415; i510 += 16L) {
                      const long v511 = (long)((ulong)i510 / (ulong)16L);
                      const long v512 = v466 + v511;
                      const long v513 = v512 < v467 ? v512 : v467;
                      const long v514 = v513 + v16;
                      TRI_PREFETCH(&b2[v514 * n8 + v471], 3);
                      const long v515 = v471 + 15L;
                      TRI_PREFETCH(&b2[v514 * n8 + v515], 3);
                      const long v516 = (long)((ulong)i510 / (ulong)16L);
                      const long v517 = v465 * v425;
                      const long v518 = v517 + v516;
                      const long v519 = v415 - 1L;
                      const long v520 = v518 < v519 ? v518 : v519;
                      const long v521 = v471 + 16L;
                      const long v522 = v21 - 16L;
                      const long v523 = v521 < v522 ? v521 : v522;
                      const long v524 = i413 + v520;
                      TRI_PREFETCH(&b1[v523 + v524 * n6], 2);
                      const long v525 = v523 + 15L;
                      const long v526 = i413 + v520;
                      TRI_PREFETCH(&b1[v525 + v526 * n6], 2);
                      const long v527 = i510 + 16L;
                      const long v528 = v527 < v415 ? v527 : v415;
                      float8 c529 = c498;
                      float8 c530 = c499;
                      float8 c531 = c500;
                      float8 c532 = c501;
                      float8 c533 = c502;
                      float8 c534 = c503;
                      float8 c535 = c504;
                      float8 c536 = c505;
                      float8 c537 = c506;
                      float8 c538 = c507;
                      float8 c539 = c508;
                      float8 c540 = c509;
                      for (long i541 = i510; i541 < v528; i541 += 1L) {
                        const long v542 = i413 + i541;
                        const long v543 = v470 + i541;
                        const float8 v544 = vload8(0, &a394[v543 * 16L]);
                        const long v545 = v470 + i541;
                        const float8 v546 = vload8(0, &a394[v545 * 16L + 8L]);
                        const float v547 = (b0 + v448 * n4 + i413)[i541];
                        const float8 v548 = (float8)(v547);
                        const float8 v549 = fma(v548, v544, c529);
                        const float v550 = (b0 + v448 * n4 + i413)[i541];
                        const float8 v551 = (float8)(v550);
                        const float8 v552 = fma(v551, v546, c530);
                        const float v553 = (b0 + v451 * n4 + i413)[i541];
                        const float8 v554 = (float8)(v553);
                        const float8 v555 = fma(v554, v544, c531);
                        const float v556 = (b0 + v451 * n4 + i413)[i541];
                        const float8 v557 = (float8)(v556);
                        const float8 v558 = fma(v557, v546, c532);
                        const float v559 = (b0 + v454 * n4 + i413)[i541];
                        const float8 v560 = (float8)(v559);
                        const float8 v561 = fma(v560, v544, c533);
                        const float v562 = (b0 + v454 * n4 + i413)[i541];
                        const float8 v563 = (float8)(v562);
                        const float8 v564 = fma(v563, v546, c534);
                        const float v565 = (b0 + v457 * n4 + i413)[i541];
                        const float8 v566 = (float8)(v565);
                        const float8 v567 = fma(v566, v544, c535);
                        const float v568 = (b0 + v457 * n4 + i413)[i541];
                        const float8 v569 = (float8)(v568);
                        const float8 v570 = fma(v569, v546, c536);
                        const float v571 = (b0 + v460 * n4 + i413)[i541];
                        const float8 v572 = (float8)(v571);
                        const float8 v573 = fma(v572, v544, c537);
                        const float v574 = (b0 + v460 * n4 + i413)[i541];
                        const float8 v575 = (float8)(v574);
                        const float8 v576 = fma(v575, v546, c538);
                        const float v577 = (b0 + v463 * n4 + i413)[i541];
                        const float8 v578 = (float8)(v577);
                        const float8 v579 = fma(v578, v544, c539);
                        const float v580 = (b0 + v463 * n4 + i413)[i541];
                        const float8 v581 = (float8)(v580);
                        const float8 v582 = fma(v581, v546, c540);
                        c529 = v549;
                        c530 = v552;
                        c531 = v555;
                        c532 = v558;
                        c533 = v561;
                        c534 = v564;
                        c535 = v567;
                        c536 = v570;
                        c537 = v573;
                        c538 = v576;
                        c539 = v579;
                        c540 = v582;
                      }
                      c498 = c529;
                      c499 = c530;
                      c500 = c531;
                      c501 = c532;
                      c502 = c533;
                      c503 = c534;
                      c504 = c535;
                      c505 = c536;
                      c506 = c537;
                      c507 = c538;
                      c508 = c539;
                      c509 = c540;
                    }
                    vstore8(c498, 0, &b2[v448 * n8 + v471]);
                    vstore8(c500, 0, &b2[v451 * n8 + v471]);
                    vstore8(c502, 0, &b2[v454 * n8 + v471]);
                    vstore8(c504, 0, &b2[v457 * n8 + v471]);
                    vstore8(c506, 0, &b2[v460 * n8 + v471]);
                    vstore8(c508, 0, &b2[v463 * n8 + v471]);
                    vstore8(c499, 0, &b2[v448 * n8 + v472]);
                    vstore8(c501, 0, &b2[v451 * n8 + v472]);
                    vstore8(c503, 0, &b2[v454 * n8 + v472]);
                    vstore8(c505, 0, &b2[v457 * n8 + v472]);
                    vstore8(c507, 0, &b2[v460 * n8 + v472]);
                    vstore8(c509, 0, &b2[v463 * n8 + v472]);
                  }
                }
              }
              const long v583 = v433 * 16L;
              const long v584 = v433 * v415;
              const long v585 = i430 + v583;
              const long v586 = v585 - i430;
              const long v587 = v432 - v586;
              for (long i588 = 0L; i588 < v587; i588 += 8L) {
                const long v589 = v587 - i588;
                const long v590 = v585 + i588;
                for (long i591 = 0L; i591 < v415; i591 += 1L) {
                  const long v592 = i413 + i591;
                  const long v593 = v584 + i591;
                  const float8 v594 = tri_get_float8_global(&b1[v590 + v592 * n6], 1L, v589);
                  vstore8(v594, 0, &a394[v593 * 16L + i588]);
                }
                for (long i595 = i416; i595 < v418; i595 += 6L) {
                  const long v596 = v22 - 1L;
                  const long v597 = i595 + v16;
                  const long v598 = i595 + 1L;
                  const long v599 = v598 < v596 ? v598 : v596;
                  const long v600 = v599 + v16;
                  const long v601 = i595 + 2L;
                  const long v602 = v601 < v596 ? v601 : v596;
                  const long v603 = v602 + v16;
                  const long v604 = i595 + 3L;
                  const long v605 = v604 < v596 ? v604 : v596;
                  const long v606 = v605 + v16;
                  const long v607 = i595 + 4L;
                  const long v608 = v607 < v596 ? v607 : v596;
                  const long v609 = v608 + v16;
                  const long v610 = i595 + 5L;
                  const long v611 = v610 < v596 ? v610 : v596;
                  const long v612 = v611 + v16;
                  const bool v613 = i413 == 0L;
                  float8 c614;
                  float8 c615;
                  float8 c616;
                  float8 c617;
                  float8 c618;
                  float8 c619;
                  if (v613) {
                    c614 = v2;
                    c615 = v2;
                    c616 = v2;
                    c617 = v2;
                    c618 = v2;
                    c619 = v2;
                  } else {
                    const float8 v620 = tri_get_float8_global(&b2[v597 * n8 + v590], 1L, v589);
                    const float8 v621 = tri_get_float8_global(&b2[v600 * n8 + v590], 1L, v589);
                    const float8 v622 = tri_get_float8_global(&b2[v603 * n8 + v590], 1L, v589);
                    const float8 v623 = tri_get_float8_global(&b2[v606 * n8 + v590], 1L, v589);
                    const float8 v624 = tri_get_float8_global(&b2[v609 * n8 + v590], 1L, v589);
                    const float8 v625 = tri_get_float8_global(&b2[v612 * n8 + v590], 1L, v589);
                    c614 = v620;
                    c615 = v621;
                    c616 = v622;
                    c617 = v623;
                    c618 = v624;
                    c619 = v625;
                  }
                  float8 c626 = c614;
                  float8 c627 = c615;
                  float8 c628 = c616;
                  float8 c629 = c617;
                  float8 c630 = c618;
                  float8 c631 = c619;
                  for (long i632 = 0L; i632 < v415; i632 += 1L) {
                    const long v633 = i413 + i632;
                    const long v634 = v584 + i632;
                    const float8 v635 = vload8(0, &a394[v634 * 16L + i588]);
                    const float v636 = (b0 + v597 * n4 + i413)[i632];
                    const float8 v637 = (float8)(v636);
                    const float8 v638 = fma(v637, v635, c626);
                    const float v639 = (b0 + v600 * n4 + i413)[i632];
                    const float8 v640 = (float8)(v639);
                    const float8 v641 = fma(v640, v635, c627);
                    const float v642 = (b0 + v603 * n4 + i413)[i632];
                    const float8 v643 = (float8)(v642);
                    const float8 v644 = fma(v643, v635, c628);
                    const float v645 = (b0 + v606 * n4 + i413)[i632];
                    const float8 v646 = (float8)(v645);
                    const float8 v647 = fma(v646, v635, c629);
                    const float v648 = (b0 + v609 * n4 + i413)[i632];
                    const float8 v649 = (float8)(v648);
                    const float8 v650 = fma(v649, v635, c630);
                    const float v651 = (b0 + v612 * n4 + i413)[i632];
                    const float8 v652 = (float8)(v651);
                    const float8 v653 = fma(v652, v635, c631);
                    c626 = v638;
                    c627 = v641;
                    c628 = v644;
                    c629 = v647;
                    c630 = v650;
                    c631 = v653;
                  }
                  tri_put_float8_global(c626, &b2[v597 * n8 + v590], 1L, v589);
                  tri_put_float8_global(c627, &b2[v600 * n8 + v590], 1L, v589);
                  tri_put_float8_global(c628, &b2[v603 * n8 + v590], 1L, v589);
                  tri_put_float8_global(c629, &b2[v606 * n8 + v590], 1L, v589);
                  tri_put_float8_global(c630, &b2[v609 * n8 + v590], 1L, v589);
                  tri_put_float8_global(c631, &b2[v612 * n8 + v590], 1L, v589);
                }
              }
            }
          }
        }
      }
    } else {
      for (long i654 = v16; i654 < v18; i654 += 1L) {
        for (long i655 = v19; i655 < v21; i655 += 128L) {
          const long v656 = v21 - i655;
          const long v657 = v656 < 128L ? v656 : 128L;
          float a658[128];
          const long v659 = n2 < 1L ? n2 : 1L;
          const long v660 = v659 > 1L ? v659 : 1L;
          const bool v661 = n2 > 0L;
          for (long i662 = 0L; i662 < 1L; i662 += 1L) {
            for (long i663 = 0L; i663 < v657; i663 += 1L) {
              a658[i662 * 128L + i663] = 0x0.0p+0f;
            }
          }
          const long v664 = n2 - 0L;
          const long v665 = (long)((ulong)v664 % (ulong)4L);
          const long v666 = n2 - v665;
          for (long i667 = 0L; i667 < v666; i667 += 4L) {
            for (long i668 = 0L; i668 < 1L; i668 += 1L) {
              const long v669 = i667 + i668;
              const long v670 = v669 + 1L;
              const long v671 = v670 + 1L;
              const long v672 = v671 + 1L;
              for (long i673 = 0L; i673 < v657; i673 += 1L) {
                const long v674 = i655 + i673;
                const float v675 = a658[i668 * 128L + i673];
                const bool v676 = i667 < 1L;
                const float v677 = v676 ? 0x0.0p+0f : v675;
                const float v678 = (b0 + i654 * n4 + i667)[i668];
                const float v679 = (b1 + i655 + v669 * n6)[i673];
                const float v680 = TRI_FMA32(v678, v679, v677);
                const float v681 = b0[i654 * n4 + v670];
                const float v682 = (b1 + i655 + v670 * n6)[i673];
                const float v683 = TRI_FMA32(v681, v682, v680);
                const float v684 = b0[i654 * n4 + v671];
                const float v685 = (b1 + i655 + v671 * n6)[i673];
                const float v686 = TRI_FMA32(v684, v685, v683);
                const float v687 = b0[i654 * n4 + v672];
                const float v688 = (b1 + i655 + v672 * n6)[i673];
                const float v689 = TRI_FMA32(v687, v688, v686);
                a658[i668 * 128L + i673] = v689;
              }
            }
          }
          for (long i690 = v666; i690 < n2; i690 += 1L) {
            const long v691 = i690 & 0L;
            for (long i692 = 0L; i692 < v657; i692 += 1L) {
              const long v693 = i655 + i692;
              const float v694 = a658[v691 * 128L + i692];
              const bool v695 = i690 < 1L;
              const float v696 = v695 ? 0x0.0p+0f : v694;
              const float v697 = b0[i654 * n4 + i690];
              const float v698 = (b1 + i655 + i690 * n6)[i692];
              const float v699 = TRI_FMA32(v697, v698, v696);
              a658[v691 * 128L + i692] = v699;
            }
          }
          for (long i700 = 0L; i700 < v657; i700 += 1L) {
            const long v701 = i655 + i700;
            const float v702 = a658[i700];
            b2[i654 * n8 + v701] = v702;
          }
        }
      }
    }
  }
}
