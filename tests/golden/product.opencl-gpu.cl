// trilith: {"local": [256], "groups": [[0, 64], [1, 64]]}
#pragma OPENCL FP_CONTRACT OFF
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define TRI_FMA32(a, b, c) fma(a, b, c)
#endif
#ifndef TRI_DIVIDE_DEFINED
#define TRI_DIVIDE_DEFINED
static inline long tri_divide(long a, long b) {
  return (ulong)(a | b) >> 32 ? (long)((ulong)a / (ulong)b) : (long)((uint)a / (uint)b);
}
#endif
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void matmul_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7, const long n8) {
  __local float s11[1087];
  __local float s12[1087];
  __global const float *b0 = (__global const float *)(p0 + o0) + n3;
  __global const float *b1 = (__global const float *)(p1 + o1) + n5;
  __global float *b2 = (__global float *)(p2 + o2) + n7;
  const long v1 = n0 + 63L;
  const long v2 = (long)((ulong)v1 / (ulong)64L);
  const long v3 = n1 + 63L;
  const long v4 = (long)((ulong)v3 / (ulong)64L);
  const long i5 = (long)get_group_id(0);
  const long i6 = (long)get_local_id(0);
  const long i8 = tri_divide(i5, v4);
  const long i7 = i5 - i8 * v4;
  const long v9 = i8 * 64L;
  const long v10 = i7 * 64L;
  float a13[16];
  a13[0] = 0x0.0p+0f;
  a13[1L] = 0x0.0p+0f;
  a13[2L] = 0x0.0p+0f;
  a13[3L] = 0x0.0p+0f;
  a13[4L] = 0x0.0p+0f;
  a13[5L] = 0x0.0p+0f;
  a13[6L] = 0x0.0p+0f;
  a13[7L] = 0x0.0p+0f;
  a13[8L] = 0x0.0p+0f;
  a13[9L] = 0x0.0p+0f;
  a13[10L] = 0x0.0p+0f;
  a13[11L] = 0x0.0p+0f;
  a13[12L] = 0x0.0p+0f;
  a13[13L] = 0x0.0p+0f;
  a13[14L] = 0x0.0p+0f;
  a13[15L] = 0x0.0p+0f;
  for (long i14 = 0L; i14 < n2; i14 += 16L) {
    for (long i15 = 0L; i15 < 1024L; i15 += 256L) {
      const long v16 = i15 + i6;
      const long v17 = (long)((ulong)v16 >> (ulong)4L);
      const long v18 = v16 & 15L;
      const long v19 = v9 + v17;
      const long v20 = n0 - 1L;
      const long v21 = v19 < v20 ? v19 : v20;
      const long v22 = i14 + v18;
      const long v23 = n2 - 1L;
      const long v24 = v22 < v23 ? v22 : v23;
      const float v25 = b0[v21 * n4 + v24];
      s11[v17 * 17L + v18] = v25;
    }
    for (long i26 = 0L; i26 < 1024L; i26 += 256L) {
      const long v27 = i26 + i6;
      const long v28 = v27 & 63L;
      const long v29 = (long)((ulong)v27 >> (ulong)6L);
      const long v30 = v10 + v28;
      const long v31 = n1 - 1L;
      const long v32 = v30 < v31 ? v30 : v31;
      const long v33 = i14 + v29;
      const long v34 = n2 - 1L;
      const long v35 = v33 < v34 ? v33 : v34;
      const float v36 = b1[v32 + v35 * n6];
      s12[v28 * 17L + v29] = v36;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const long v37 = n2 - i14;
    const long v38 = v37 < 16L ? v37 : 16L;
    const long v39 = i6 & 15L;
    const long v40 = (long)((ulong)i6 >> (ulong)4L);
    const long v41 = v39 + 16L;
    const long v42 = v39 + 32L;
    const long v43 = v39 + 48L;
    const long v44 = v40 + 16L;
    const long v45 = v40 + 32L;
    const long v46 = v40 + 48L;
    const float v47 = a13[0];
    const float v48 = a13[1L];
    const float v49 = a13[2L];
    const float v50 = a13[3L];
    const float v51 = a13[4L];
    const float v52 = a13[5L];
    const float v53 = a13[6L];
    const float v54 = a13[7L];
    const float v55 = a13[8L];
    const float v56 = a13[9L];
    const float v57 = a13[10L];
    const float v58 = a13[11L];
    const float v59 = a13[12L];
    const float v60 = a13[13L];
    const float v61 = a13[14L];
    const float v62 = a13[15L];
    float c63 = v47;
    float c64 = v48;
    float c65 = v49;
    float c66 = v50;
    float c67 = v51;
    float c68 = v52;
    float c69 = v53;
    float c70 = v54;
    float c71 = v55;
    float c72 = v56;
    float c73 = v57;
    float c74 = v58;
    float c75 = v59;
    float c76 = v60;
    float c77 = v61;
    float c78 = v62;
    for (long i79 = 0L; i79 < v38; i79 += 1L) {
      const long v80 = i14 + i79;
      const float v81 = s11[v40 * 17L + i79];
      const float v82 = s11[v44 * 17L + i79];
      const float v83 = s11[v45 * 17L + i79];
      const float v84 = s11[v46 * 17L + i79];
      const float v85 = s12[v39 * 17L + i79];
      const float v86 = s12[v41 * 17L + i79];
      const float v87 = s12[v42 * 17L + i79];
      const float v88 = s12[v43 * 17L + i79];
      const float v89 = TRI_FMA32(v81, v85, c63);
      const float v90 = TRI_FMA32(v81, v86, c64);
      const float v91 = TRI_FMA32(v81, v87, c65);
      const float v92 = TRI_FMA32(v81, v88, c66);
      const float v93 = TRI_FMA32(v82, v85, c67);
      const float v94 = TRI_FMA32(v82, v86, c68);
      const float v95 = TRI_FMA32(v82, v87, c69);
      const float v96 = TRI_FMA32(v82, v88, c70);
      const float v97 = TRI_FMA32(v83, v85, c71);
      const float v98 = TRI_FMA32(v83, v86, c72);
      const float v99 = TRI_FMA32(v83, v87, c73);
      const float v100 = TRI_FMA32(v83, v88, c74);
      const float v101 = TRI_FMA32(v84, v85, c75);
      const float v102 = TRI_FMA32(v84, v86, c76);
      const float v103 = TRI_FMA32(v84, v87, c77);
      const float v104 = TRI_FMA32(v84, v88, c78);
      c63 = v89;
      c64 = v90;
      c65 = v91;
      c66 = v92;
      c67 = v93;
      c68 = v94;
      c69 = v95;
      c70 = v96;
      c71 = v97;
      c72 = v98;
      c73 = v99;
      c74 = v100;
      c75 = v101;
      c76 = v102;
      c77 = v103;
      c78 = v104;
    }
    a13[0] = c63;
    a13[1L] = c64;
    a13[2L] = c65;
    a13[3L] = c66;
    a13[4L] = c67;
    a13[5L] = c68;
    a13[6L] = c69;
    a13[7L] = c70;
    a13[8L] = c71;
    a13[9L] = c72;
    a13[10L] = c73;
    a13[11L] = c74;
    a13[12L] = c75;
    a13[13L] = c76;
    a13[14L] = c77;
    a13[15L] = c78;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const long v105 = i6 & 15L;
  const long v106 = (long)((ulong)i6 >> (ulong)4L);
  const long v107 = v105 + 16L;
  const long v108 = v105 + 32L;
  const long v109 = v105 + 48L;
  const long v110 = v106 + 16L;
  const long v111 = v106 + 32L;
  const long v112 = v106 + 48L;
  const long v113 = v9 + v106;
  const long v114 = v10 + v105;
  const bool v115 = v113 < n0;
  const bool v116 = v114 < n1;
  const bool v117 = (((uint)v115 & (uint)v116) & 1) != 0;
  if (v117) {
    const float v118 = a13[0];
    b2[v113 * n8 + v114] = v118;
  }
  const long v119 = v9 + v106;
  const long v120 = v10 + v107;
  const bool v121 = v119 < n0;
  const bool v122 = v120 < n1;
  const bool v123 = (((uint)v121 & (uint)v122) & 1) != 0;
  if (v123) {
    const float v124 = a13[1L];
    b2[v119 * n8 + v120] = v124;
  }
  const long v125 = v9 + v106;
  const long v126 = v10 + v108;
  const bool v127 = v125 < n0;
  const bool v128 = v126 < n1;
  const bool v129 = (((uint)v127 & (uint)v128) & 1) != 0;
  if (v129) {
    const float v130 = a13[2L];
    b2[v125 * n8 + v126] = v130;
  }
  const long v131 = v9 + v106;
  const long v132 = v10 + v109;
  const bool v133 = v131 < n0;
  const bool v134 = v132 < n1;
  const bool v135 = (((uint)v133 & (uint)v134) & 1) != 0;
  if (v135) {
    const float v136 = a13[3L];
    b2[v131 * n8 + v132] = v136;
  }
  const long v137 = v9 + v110;
  const long v138 = v10 + v105;
  const bool v139 = v137 < n0;
  const bool v140 = v138 < n1;
  const bool v141 = (((uint)v139 & (uint)v140) & 1) != 0;
  if (v141) {
    const float v142 = a13[4L];
    b2[v137 * n8 + v138] = v142;
  }
  const long v143 = v9 + v110;
  const long v144 = v10 + v107;
  const bool v145 = v143 < n0;
  const bool v146 = v144 < n1;
  const bool v147 = (((uint)v145 & (uint)v146) & 1) != 0;
  if (v147) {
    const float v148 = a13[5L];
    b2[v143 * n8 + v144] = v148;
  }
  const long v149 = v9 + v110;
  const long v150 = v10 + v108;
  const bool v151 = v149 < n0;
  const bool v152 = v150 < n1;
  const bool v153 = (((uint)v151 & (uint)v152) & 1) != 0;
  if (v153) {
    const float v154 = a13[6L];
    b2[v149 * n8 + v150] = v154;
  }
  const long v155 = v9 + v110;
  const long v156 = v10 + v109;
  const bool v157 = v155 < n0;
  const bool v158 = v156 < n1;
  const bool v159 = (((uint)v157 & (uint)v158) & 1) != 0;
  if (v159) {
    const float v160 = a13[7L];
    b2[v155 * n8 + v156] = v160;
  }
  const long v161 = v9 + v111;
  const long v162 = v10 + v105;
  const bool v163 = v161 < n0;
  const bool v164 = v162 < n1;
  const bool v165 = (((uint)v163 & (uint)v164) & 1) != 0;
  if (v165) {
    const float v166 = a13[8L];
    b2[v161 * n8 + v162] = v166;
  }
  const long v167 = v9 + v111;
  const long v168 = v10 + v107;
  const bool v169 = v167 < n0;
  const bool v170 = v168 < n1;
  const bool v171 = (((uint)v169 & (uint)v170) & 1) != 0;
  if (v171) {
    const float v172 = a13[9L];
    b2[v167 * n8 + v168] = v172;
  }
  const long v173 = v9 + v111;
  const long v174 = v10 + v108;
  const bool v175 = v173 < n0;
  const bool v176 = v174 < n1;
  const bool v177 = (((uint)v175 & (uint)v176) & 1) != 0;
  if (v177) {
    const float v178 = a13[10L];
    b2[v173 * n8 + v174] = v178;
  }
  const long v179 = v9 + v111;
  const long v180 = v10 + v109;
  const bool v181 = v179 < n0;
  const bool v182 = v180 < n1;
  const bool v183 = (((uint)v181 & (uint)v182) & 1) != 0;
  if (v183) {
    const float v184 = a13[11L];
    b2[v179 * n8 + v180] = v184;
  }
  const long v185 = v9 + v112;
  const long v186 = v10 + v105;
  const bool v187 = v185 < n0;
  const bool v188 = v186 < n1;
  const bool v189 = (((uint)v187 & (uint)v188) & 1) != 0;
  if (v189) {
    const float v190 = a13[12L];
    b2[v185 * n8 + v186] = v190;
  }
  const long v191 = v9 + v112;
  const long v192 = v10 + v107;
  const bool v193 = v191 < n0;
  const bool v194 = v192 < n1;
  const bool v195 = (((uint)v193 & (uint)v194) & 1) != 0;
  if (v195) {
    const float v196 = a13[13L];
    b2[v191 * n8 + v192] = v196;
  }
  const long v197 = v9 + v112;
  const long v198 = v10 + v108;
  const bool v199 = v197 < n0;
  const bool v200 = v198 < n1;
  const bool v201 = (((uint)v199 & (uint)v200) & 1) != 0;
  if (v201) {
    const float v202 = a13[14L];
    b2[v197 * n8 + v198] = v202;
  }
  const long v203 = v9 + v112;
  const long v204 = v10 + v109;
  const bool v205 = v203 < n0;
  const bool v206 = v204 < n1;
  const bool v207 = (((uint)v205 & (uint)v206) & 1) != 0;
  if (v207) {
    const float v208 = a13[15L];
    b2[v203 * n8 + v204] = v208;
  }
}
