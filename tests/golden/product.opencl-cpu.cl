// trilith: {"local": [1], "global": [[0, 128], [1, 256]]}
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
      float a18[12288];
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
            for (long i36 = 0L; i36 < v28; i36 += 1L) {
              const long v37 = i26 + i36;
              const float16 v38 = vload16(0, &b1[i35 + v37 * n6]);
              vstore16(v38, 0, &a18[i36 * 32L]);
            }
            const long v39 = i35 + 16L;
            for (long i40 = 0L; i40 < v28; i40 += 1L) {
              const long v41 = i26 + i40;
              const float16 v42 = vload16(0, &b1[v39 + v41 * n6]);
              vstore16(v42, 0, &a18[i40 * 32L + 16L]);
            }
            for (long i43 = i29; i43 < v31; i43 += 4L) {
              const long v44 = v16 - 1L;
              const long v45 = i43 + v10;
              const long v46 = i43 + 1L;
              const long v47 = v46 < v44 ? v46 : v44;
              const long v48 = v47 + v10;
              const long v49 = i43 + 2L;
              const long v50 = v49 < v44 ? v49 : v44;
              const long v51 = v50 + v10;
              const long v52 = i43 + 3L;
              const long v53 = v52 < v44 ? v52 : v44;
              const long v54 = v53 + v10;
              const long v55 = v16 - 1L;
              const long v56 = i43 + v10;
              const long v57 = i43 + 1L;
              const long v58 = v57 < v55 ? v57 : v55;
              const long v59 = v58 + v10;
              const long v60 = i43 + 2L;
              const long v61 = v60 < v55 ? v60 : v55;
              const long v62 = v61 + v10;
              const long v63 = i43 + 3L;
              const long v64 = v63 < v55 ? v63 : v55;
              const long v65 = v64 + v10;
              const bool v66 = i26 == 0L;
              float16 c67;
              float16 c68;
              float16 c69;
              float16 c70;
              float16 c71;
              float16 c72;
              float16 c73;
              float16 c74;
              if (v66) {
                c67 = v1;
                c68 = v1;
                c69 = v1;
                c70 = v1;
                c71 = v1;
                c72 = v1;
                c73 = v1;
                c74 = v1;
              } else {
                const float16 v75 = vload16(0, &b2[v45 * n8 + i35]);
                const float16 v76 = vload16(0, &b2[v48 * n8 + i35]);
                const float16 v77 = vload16(0, &b2[v51 * n8 + i35]);
                const float16 v78 = vload16(0, &b2[v54 * n8 + i35]);
                const float16 v79 = vload16(0, &b2[v56 * n8 + v39]);
                const float16 v80 = vload16(0, &b2[v59 * n8 + v39]);
                const float16 v81 = vload16(0, &b2[v62 * n8 + v39]);
                const float16 v82 = vload16(0, &b2[v65 * n8 + v39]);
                c67 = v75;
                c68 = v76;
                c69 = v77;
                c70 = v78;
                c71 = v79;
                c72 = v80;
                c73 = v81;
                c74 = v82;
              }
              float16 c83 = c67;
              float16 c84 = c68;
              float16 c85 = c69;
              float16 c86 = c70;
              float16 c87 = c71;
              float16 c88 = c72;
              float16 c89 = c73;
              float16 c90 = c74;
              for (long i91 = 0L; i91 < v28; i91 += 1L) {
                const long v92 = i26 + i91;
                const float16 v93 = vload16(0, &a18[i91 * 32L]);
                const float16 v94 = vload16(0, &a18[i91 * 32L + 16L]);
                const float v95 = b0[v45 * n4 + v92];
                const float16 v96 = (float16)(v95);
                const float16 v97 = fma(v96, v93, c83);
                const float v98 = b0[v48 * n4 + v92];
                const float16 v99 = (float16)(v98);
                const float16 v100 = fma(v99, v93, c84);
                const float v101 = b0[v51 * n4 + v92];
                const float16 v102 = (float16)(v101);
                const float16 v103 = fma(v102, v93, c85);
                const float v104 = b0[v54 * n4 + v92];
                const float16 v105 = (float16)(v104);
                const float16 v106 = fma(v105, v93, c86);
                const float v107 = b0[v56 * n4 + v92];
                const float16 v108 = (float16)(v107);
                const float16 v109 = fma(v108, v94, c87);
                const float v110 = b0[v59 * n4 + v92];
                const float16 v111 = (float16)(v110);
                const float16 v112 = fma(v111, v94, c88);
                const float v113 = b0[v62 * n4 + v92];
                const float16 v114 = (float16)(v113);
                const float16 v115 = fma(v114, v94, c89);
                const float v116 = b0[v65 * n4 + v92];
                const float16 v117 = (float16)(v116);
                const float16 v118 = fma(v117, v94, c90);
                c83 = v97;
                c84 = v100;
                c85 = v103;
                c86 = v106;
                c87 = v109;
                c88 = v112;
                c89 = v115;
                c90 = v118;
              }
              vstore16(c83, 0, &b2[v45 * n8 + i35]);
              vstore16(c84, 0, &b2[v48 * n8 + i35]);
              vstore16(c85, 0, &b2[v51 * n8 + i35]);
              vstore16(c86, 0, &b2[v54 * n8 + i35]);
              vstore16(c87, 0, &b2[v56 * n8 + v39]);
              vstore16(c88, 0, &b2[v59 * n8 + v39]);
              vstore16(c89, 0, &b2[v62 * n8 + v39]);
              vstore16(c90, 0, &b2[v65 * n8 + v39]);
            }
          }
          for (long i119 = v34; i119 < v15; i119 += 8L) {
            const long v120 = v15 - i119;
            for (long i121 = 0L; i121 < v28; i121 += 1L) {
              const long v122 = i26 + i121;
              const float8 v123 = tri_get_float8_global(&b1[i119 + v122 * n6], 1L, v120);
              vstore8(v123, 0, &a18[i121 * 32L]);
            }
            for (long i124 = i29; i124 < v31; i124 += 4L) {
              const long v125 = v16 - 1L;
              const long v126 = i124 + v10;
              const long v127 = i124 + 1L;
              const long v128 = v127 < v125 ? v127 : v125;
              const long v129 = v128 + v10;
              const long v130 = i124 + 2L;
              const long v131 = v130 < v125 ? v130 : v125;
              const long v132 = v131 + v10;
              const long v133 = i124 + 3L;
              const long v134 = v133 < v125 ? v133 : v125;
              const long v135 = v134 + v10;
              const bool v136 = i26 == 0L;
              float8 c137;
              float8 c138;
              float8 c139;
              float8 c140;
              if (v136) {
                c137 = v2;
                c138 = v2;
                c139 = v2;
                c140 = v2;
              } else {
                const float8 v141 = tri_get_float8_global(&b2[v126 * n8 + i119], 1L, v120);
                const float8 v142 = tri_get_float8_global(&b2[v129 * n8 + i119], 1L, v120);
                const float8 v143 = tri_get_float8_global(&b2[v132 * n8 + i119], 1L, v120);
                const float8 v144 = tri_get_float8_global(&b2[v135 * n8 + i119], 1L, v120);
                c137 = v141;
                c138 = v142;
                c139 = v143;
                c140 = v144;
              }
              float8 c145 = c137;
              float8 c146 = c138;
              float8 c147 = c139;
              float8 c148 = c140;
              for (long i149 = 0L; i149 < v28; i149 += 1L) {
                const long v150 = i26 + i149;
                const float8 v151 = vload8(0, &a18[i149 * 32L]);
                const float v152 = b0[v126 * n4 + v150];
                const float8 v153 = (float8)(v152);
                const float8 v154 = fma(v153, v151, c145);
                const float v155 = b0[v129 * n4 + v150];
                const float8 v156 = (float8)(v155);
                const float8 v157 = fma(v156, v151, c146);
                const float v158 = b0[v132 * n4 + v150];
                const float8 v159 = (float8)(v158);
                const float8 v160 = fma(v159, v151, c147);
                const float v161 = b0[v135 * n4 + v150];
                const float8 v162 = (float8)(v161);
                const float8 v163 = fma(v162, v151, c148);
                c145 = v154;
                c146 = v157;
                c147 = v160;
                c148 = v163;
              }
              tri_put_float8_global(c145, &b2[v126 * n8 + i119], 1L, v120);
              tri_put_float8_global(c146, &b2[v129 * n8 + i119], 1L, v120);
              tri_put_float8_global(c147, &b2[v132 * n8 + i119], 1L, v120);
              tri_put_float8_global(c148, &b2[v135 * n8 + i119], 1L, v120);
            }
          }
        }
      }
    } else {
      for (long i164 = v10; i164 < v12; i164 += 1L) {
        for (long i165 = v13; i165 < v15; i165 += 128L) {
          const long v166 = v15 - i165;
          const long v167 = v166 < 128L ? v166 : 128L;
          float a168[128];
          const long v169 = n2 < 1L ? n2 : 1L;
          const long v170 = v169 > 1L ? v169 : 1L;
          const bool v171 = n2 > 0L;
          for (long i172 = 0L; i172 < 1L; i172 += 1L) {
            for (long i173 = 0L; i173 < v167; i173 += 1L) {
              a168[i172 * 128L + i173] = 0x0.0p+0f;
            }
          }
          const long v174 = n2 - 0L;
          const long v175 = (long)((ulong)v174 % (ulong)4L);
          const long v176 = n2 - v175;
          for (long i177 = 0L; i177 < v176; i177 += 4L) {
            for (long i178 = 0L; i178 < 1L; i178 += 1L) {
              const long v179 = i177 + i178;
              const long v180 = v179 + 1L;
              const long v181 = v180 + 1L;
              const long v182 = v181 + 1L;
              for (long i183 = 0L; i183 < v167; i183 += 1L) {
                const long v184 = i165 + i183;
                const float v185 = a168[i178 * 128L + i183];
                const bool v186 = i177 < 1L;
                const float v187 = v186 ? 0x0.0p+0f : v185;
                const float v188 = b0[i164 * n4 + v179];
                const float v189 = b1[v184 + v179 * n6];
                const float v190 = TRI_FMA32(v188, v189, v187);
                const float v191 = b0[i164 * n4 + v180];
                const float v192 = b1[v184 + v180 * n6];
                const float v193 = TRI_FMA32(v191, v192, v190);
                const float v194 = b0[i164 * n4 + v181];
                const float v195 = b1[v184 + v181 * n6];
                const float v196 = TRI_FMA32(v194, v195, v193);
                const float v197 = b0[i164 * n4 + v182];
                const float v198 = b1[v184 + v182 * n6];
                const float v199 = TRI_FMA32(v197, v198, v196);
                a168[i178 * 128L + i183] = v199;
              }
            }
          }
          for (long i200 = v176; i200 < n2; i200 += 1L) {
            const long v201 = i200 & 0L;
            for (long i202 = 0L; i202 < v167; i202 += 1L) {
              const long v203 = i165 + i202;
              const float v204 = a168[v201 * 128L + i202];
              const bool v205 = i200 < 1L;
              const float v206 = v205 ? 0x0.0p+0f : v204;
              const float v207 = b0[i164 * n4 + i200];
              const float v208 = b1[v203 + i200 * n6];
              const float v209 = TRI_FMA32(v207, v208, v206);
              a168[v201 * 128L + i202] = v209;
            }
          }
          for (long i210 = 0L; i210 < v167; i210 += 1L) {
            const long v211 = i165 + i210;
            const float v212 = a168[i210];
            b2[i164 * n8 + v211] = v212;
          }
        }
      }
    }
  }
}
