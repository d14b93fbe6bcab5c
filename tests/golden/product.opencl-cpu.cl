// trilith: {"local": [1], "global": [[0, 64], [1, 256]]}
#pragma OPENCL FP_CONTRACT OFF
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define TRI_FMA32(a, b, c) fma(a, b, c)
#endif
#ifndef TRI_GET_FLOAT8_GLOBAL_DEFINED
#define TRI_GET_FLOAT8_GLOBAL_DEFINED
static inline float8 tri_get_float8_global(
    __global const float *place, long step, long count) {
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
  const long v3 = n0 + 63L;
  const long v4 = (long)((ulong)v3 / (ulong)64L);
  const long v5 = n1 + 255L;
  const long v6 = (long)((ulong)v5 / (ulong)256L);
  const long i7 = (long)get_global_id(0);
  if (i7 < v4 * v6) {
    const long i9 = (long)((ulong)i7 / (ulong)v6);
    const long i8 = i7 - i9 * v6;
    const long v10 = i9 * 64L;
    const long v11 = v10 + 64L;
    const long v12 = v11 < n0 ? v11 : n0;
    const long v13 = i8 * 256L;
    const long v14 = v13 + 256L;
    const long v15 = v14 < n1 ? v14 : n1;
    const long v16 = v12 - v10;
    const bool v17 = v16 >= 16L;
    if (v17) {
      float a18[6144];
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
          const long v33 = v32 & (-16L);
          const long v34 = v33 + v13;
          for (long i35 = v13; i35 < v34; i35 += 16L) {
            for (long i36 = 0L; i36 < v28; i36 += 1L) {
              const long v37 = i26 + i36;
              const float16 v38 = vload16(0, &b1[i35 + v37 * n6]);
              vstore16(v38, 0, &a18[i36 * 16L]);
            }
            for (long i39 = i29; i39 < v31; i39 += 8L) {
              const long v40 = v16 - 1L;
              const long v41 = i39 + v10;
              const long v42 = i39 + 1L;
              const long v43 = v42 < v40 ? v42 : v40;
              const long v44 = v43 + v10;
              const long v45 = i39 + 2L;
              const long v46 = v45 < v40 ? v45 : v40;
              const long v47 = v46 + v10;
              const long v48 = i39 + 3L;
              const long v49 = v48 < v40 ? v48 : v40;
              const long v50 = v49 + v10;
              const long v51 = i39 + 4L;
              const long v52 = v51 < v40 ? v51 : v40;
              const long v53 = v52 + v10;
              const long v54 = i39 + 5L;
              const long v55 = v54 < v40 ? v54 : v40;
              const long v56 = v55 + v10;
              const long v57 = i39 + 6L;
              const long v58 = v57 < v40 ? v57 : v40;
              const long v59 = v58 + v10;
              const long v60 = i39 + 7L;
              const long v61 = v60 < v40 ? v60 : v40;
              const long v62 = v61 + v10;
              const bool v63 = i26 == 0L;
              float16 c64;
              float16 c65;
              float16 c66;
              float16 c67;
              float16 c68;
              float16 c69;
              float16 c70;
              float16 c71;
              if (v63) {
                c64 = v1;
                c65 = v1;
                c66 = v1;
                c67 = v1;
                c68 = v1;
                c69 = v1;
                c70 = v1;
                c71 = v1;
              } else {
                const float16 v72 = vload16(0, &b2[v41 * n8 + i35]);
                const float16 v73 = vload16(0, &b2[v44 * n8 + i35]);
                const float16 v74 = vload16(0, &b2[v47 * n8 + i35]);
                const float16 v75 = vload16(0, &b2[v50 * n8 + i35]);
                const float16 v76 = vload16(0, &b2[v53 * n8 + i35]);
                const float16 v77 = vload16(0, &b2[v56 * n8 + i35]);
                const float16 v78 = vload16(0, &b2[v59 * n8 + i35]);
                const float16 v79 = vload16(0, &b2[v62 * n8 + i35]);
                c64 = v72;
                c65 = v73;
                c66 = v74;
                c67 = v75;
                c68 = v76;
                c69 = v77;
                c70 = v78;
                c71 = v79;
              }
              float16 c80 = c64;
              float16 c81 = c65;
              float16 c82 = c66;
              float16 c83 = c67;
              float16 c84 = c68;
              float16 c85 = c69;
              float16 c86 = c70;
              float16 c87 = c71;
              for (long i88 = 0L; i88 < v28; i88 += 1L) {
                const long v89 = i26 + i88;
                const float16 v90 = vload16(0, &a18[i88 * 16L]);
                const float v91 = b0[v41 * n4 + v89];
                const float16 v92 = (float16)(v91);
                const float16 v93 = fma(v92, v90, c80);
                const float v94 = b0[v44 * n4 + v89];
                const float16 v95 = (float16)(v94);
                const float16 v96 = fma(v95, v90, c81);
                const float v97 = b0[v47 * n4 + v89];
                const float16 v98 = (float16)(v97);
                const float16 v99 = fma(v98, v90, c82);
                const float v100 = b0[v50 * n4 + v89];
                const float16 v101 = (float16)(v100);
                const float16 v102 = fma(v101, v90, c83);
                const float v103 = b0[v53 * n4 + v89];
                const float16 v104 = (float16)(v103);
                const float16 v105 = fma(v104, v90, c84);
                const float v106 = b0[v56 * n4 + v89];
                const float16 v107 = (float16)(v106);
                const float16 v108 = fma(v107, v90, c85);
                const float v109 = b0[v59 * n4 + v89];
                const float16 v110 = (float16)(v109);
                const float16 v111 = fma(v110, v90, c86);
                const float v112 = b0[v62 * n4 + v89];
                const float16 v113 = (float16)(v112);
                const float16 v114 = fma(v113, v90, c87);
                c80 = v93;
                c81 = v96;
                c82 = v99;
                c83 = v102;
                c84 = v105;
                c85 = v108;
                c86 = v111;
                c87 = v114;
              }
              vstore16(c80, 0, &b2[v41 * n8 + i35]);
              vstore16(c81, 0, &b2[v44 * n8 + i35]);
              vstore16(c82, 0, &b2[v47 * n8 + i35]);
              vstore16(c83, 0, &b2[v50 * n8 + i35]);
              vstore16(c84, 0, &b2[v53 * n8 + i35]);
              vstore16(c85, 0, &b2[v56 * n8 + i35]);
              vstore16(c86, 0, &b2[v59 * n8 + i35]);
              vstore16(c87, 0, &b2[v62 * n8 + i35]);
            }
          }
          for (long i115 = v34; i115 < v15; i115 += 8L) {
            const long v116 = v15 - i115;
            for (long i117 = 0L; i117 < v28; i117 += 1L) {
              const long v118 = i26 + i117;
              const float8 v119 = tri_get_float8_global(&b1[i115 + v118 * n6], 1L, v116);
              vstore8(v119, 0, &a18[i117 * 16L]);
            }
            for (long i120 = i29; i120 < v31; i120 += 8L) {
              const long v121 = v16 - 1L;
              const long v122 = i120 + v10;
              const long v123 = i120 + 1L;
              const long v124 = v123 < v121 ? v123 : v121;
              const long v125 = v124 + v10;
              const long v126 = i120 + 2L;
              const long v127 = v126 < v121 ? v126 : v121;
              const long v128 = v127 + v10;
              const long v129 = i120 + 3L;
              const long v130 = v129 < v121 ? v129 : v121;
              const long v131 = v130 + v10;
              const long v132 = i120 + 4L;
              const long v133 = v132 < v121 ? v132 : v121;
              const long v134 = v133 + v10;
              const long v135 = i120 + 5L;
              const long v136 = v135 < v121 ? v135 : v121;
              const long v137 = v136 + v10;
              const long v138 = i120 + 6L;
              const long v139 = v138 < v121 ? v138 : v121;
              const long v140 = v139 + v10;
              const long v141 = i120 + 7L;
              const long v142 = v141 < v121 ? v141 : v121;
              const long v143 = v142 + v10;
              const bool v144 = i26 == 0L;
              float8 c145;
              float8 c146;
              float8 c147;
              float8 c148;
              float8 c149;
              float8 c150;
              float8 c151;
              float8 c152;
              if (v144) {
                c145 = v2;
                c146 = v2;
                c147 = v2;
                c148 = v2;
                c149 = v2;
                c150 = v2;
                c151 = v2;
                c152 = v2;
              } else {
                const float8 v153 = tri_get_float8_global(&b2[v122 * n8 + i115], 1L, v116);
                const float8 v154 = tri_get_float8_global(&b2[v125 * n8 + i115], 1L, v116);
                const float8 v155 = tri_get_float8_global(&b2[v128 * n8 + i115], 1L, v116);
                const float8 v156 = tri_get_float8_global(&b2[v131 * n8 + i115], 1L, v116);
                const float8 v157 = tri_get_float8_global(&b2[v134 * n8 + i115], 1L, v116);
                const float8 v158 = tri_get_float8_global(&b2[v137 * n8 + i115], 1L, v116);
                const float8 v159 = tri_get_float8_global(&b2[v140 * n8 + i115], 1L, v116);
                const float8 v160 = tri_get_float8_global(&b2[v143 * n8 + i115], 1L, v116);
                c145 = v153;
                c146 = v154;
                c147 = v155;
                c148 = v156;
                c149 = v157;
                c150 = v158;
                c151 = v159;
                c152 = v160;
              }
              float8 c161 = c145;
              float8 c162 = c146;
              float8 c163 = c147;
              float8 c164 = c148;
              float8 c165 = c149;
              float8 c166 = c150;
              float8 c167 = c151;
              float8 c168 = c152;
              for (long i169 = 0L; i169 < v28; i169 += 1L) {
                const long v170 = i26 + i169;
                const float8 v171 = vload8(0, &a18[i169 * 16L]);
                const float v172 = b0[v122 * n4 + v170];
                const float8 v173 = (float8)(v172);
                const float8 v174 = fma(v173, v171, c161);
                const float v175 = b0[v125 * n4 + v170];
                const float8 v176 = (float8)(v175);
                const float8 v177 = fma(v176, v171, c162);
                const float v178 = b0[v128 * n4 + v170];
                const float8 v179 = (float8)(v178);
                const float8 v180 = fma(v179, v171, c163);
                const float v181 = b0[v131 * n4 + v170];
                const float8 v182 = (float8)(v181);
                const float8 v183 = fma(v182, v171, c164);
                const float v184 = b0[v134 * n4 + v170];
                const float8 v185 = (float8)(v184);
                const float8 v186 = fma(v185, v171, c165);
                const float v187 = b0[v137 * n4 + v170];
                const float8 v188 = (float8)(v187);
                const float8 v189 = fma(v188, v171, c166);
                const float v190 = b0[v140 * n4 + v170];
                const float8 v191 = (float8)(v190);
                const float8 v192 = fma(v191, v171, c167);
                const float v193 = b0[v143 * n4 + v170];
                const float8 v194 = (float8)(v193);
                const float8 v195 = fma(v194, v171, c168);
                c161 = v174;
                c162 = v177;
                c163 = v180;
                c164 = v183;
                c165 = v186;
                c166 = v189;
                c167 = v192;
                c168 = v195;
              }
              tri_put_float8_global(c161, &b2[v122 * n8 + i115], 1L, v116);
              tri_put_float8_global(c162, &b2[v125 * n8 + i115], 1L, v116);
              tri_put_float8_global(c163, &b2[v128 * n8 + i115], 1L, v116);
              tri_put_float8_global(c164, &b2[v131 * n8 + i115], 1L, v116);
              tri_put_float8_global(c165, &b2[v134 * n8 + i115], 1L, v116);
              tri_put_float8_global(c166, &b2[v137 * n8 + i115], 1L, v116);
              tri_put_float8_global(c167, &b2[v140 * n8 + i115], 1L, v116);
              tri_put_float8_global(c168, &b2[v143 * n8 + i115], 1L, v116);
            }
          }
        }
      }
    } else {
      for (long i196 = v10; i196 < v12; i196 += 1L) {
        for (long i197 = v13; i197 < v15; i197 += 128L) {
          const long v198 = v15 - i197;
          const long v199 = v198 < 128L ? v198 : 128L;
          float a200[128];
          const long v201 = n2 < 1L ? n2 : 1L;
          const long v202 = v201 > 1L ? v201 : 1L;
          const bool v203 = n2 > 0L;
          for (long i204 = 0L; i204 < 1L; i204 += 1L) {
            for (long i205 = 0L; i205 < v199; i205 += 1L) {
              a200[i204 * 128L + i205] = 0x0.0p+0f;
            }
          }
          const long v206 = n2 - 0L;
          const long v207 = (long)((ulong)v206 % (ulong)4L);
          const long v208 = n2 - v207;
          for (long i209 = 0L; i209 < v208; i209 += 4L) {
            for (long i210 = 0L; i210 < 1L; i210 += 1L) {
              const long v211 = i209 + i210;
              const long v212 = v211 + 1L;
              const long v213 = v212 + 1L;
              const long v214 = v213 + 1L;
              for (long i215 = 0L; i215 < v199; i215 += 1L) {
                const long v216 = i197 + i215;
                const float v217 = a200[i210 * 128L + i215];
                const bool v218 = i209 < 1L;
                const float v219 = v218 ? 0x0.0p+0f : v217;
                const float v220 = b0[i196 * n4 + v211];
                const float v221 = b1[v216 + v211 * n6];
                const float v222 = TRI_FMA32(v220, v221, v219);
                const float v223 = b0[i196 * n4 + v212];
                const float v224 = b1[v216 + v212 * n6];
                const float v225 = TRI_FMA32(v223, v224, v222);
                const float v226 = b0[i196 * n4 + v213];
                const float v227 = b1[v216 + v213 * n6];
                const float v228 = TRI_FMA32(v226, v227, v225);
                const float v229 = b0[i196 * n4 + v214];
                const float v230 = b1[v216 + v214 * n6];
                const float v231 = TRI_FMA32(v229, v230, v228);
                a200[i210 * 128L + i215] = v231;
              }
            }
          }
          for (long i232 = v208; i232 < n2; i232 += 1L) {
            const long v233 = i232 & 0L;
            for (long i234 = 0L; i234 < v199; i234 += 1L) {
              const long v235 = i197 + i234;
              const float v236 = a200[v233 * 128L + i234];
              const bool v237 = i232 < 1L;
              const float v238 = v237 ? 0x0.0p+0f : v236;
              const float v239 = b0[i196 * n4 + i232];
              const float v240 = b1[v235 + i232 * n6];
              const float v241 = TRI_FMA32(v239, v240, v238);
              a200[v233 * 128L + i234] = v241;
            }
          }
          for (long i242 = 0L; i242 < v199; i242 += 1L) {
            const long v243 = i197 + i242;
            const float v244 = a200[i242];
            b2[i196 * n8 + v243] = v244;
          }
        }
      }
    }
  }
}
