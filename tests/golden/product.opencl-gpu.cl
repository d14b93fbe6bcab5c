// trilith: {"local": [256], "groups": [[0, 64], [1, 64]]}
#pragma OPENCL FP_CONTRACT OFF
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
      const float v89 = v81 * v85;
      const float v90 = c63 + v89;
      const float v91 = v81 * v86;
      const float v92 = c64 + v91;
      const float v93 = v81 * v87;
      const float v94 = c65 + v93;
      const float v95 = v81 * v88;
      const float v96 = c66 + v95;
      const float v97 = v82 * v85;
      const float v98 = c67 + v97;
      const float v99 = v82 * v86;
      const float v100 = c68 + v99;
      const float v101 = v82 * v87;
      const float v102 = c69 + v101;
      const float v103 = v82 * v88;
      const float v104 = c70 + v103;
      const float v105 = v83 * v85;
      const float v106 = c71 + v105;
      const float v107 = v83 * v86;
      const float v108 = c72 + v107;
      const float v109 = v83 * v87;
      const float v110 = c73 + v109;
      const float v111 = v83 * v88;
      const float v112 = c74 + v111;
      const float v113 = v84 * v85;
      const float v114 = c75 + v113;
      const float v115 = v84 * v86;
      const float v116 = c76 + v115;
      const float v117 = v84 * v87;
      const float v118 = c77 + v117;
      const float v119 = v84 * v88;
      const float v120 = c78 + v119;
      c63 = v90;
      c64 = v92;
      c65 = v94;
      c66 = v96;
      c67 = v98;
      c68 = v100;
      c69 = v102;
      c70 = v104;
      c71 = v106;
      c72 = v108;
      c73 = v110;
      c74 = v112;
      c75 = v114;
      c76 = v116;
      c77 = v118;
      c78 = v120;
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
  const long v121 = i6 & 15L;
  const long v122 = (long)((ulong)i6 >> (ulong)4L);
  const long v123 = v121 + 16L;
  const long v124 = v121 + 32L;
  const long v125 = v121 + 48L;
  const long v126 = v122 + 16L;
  const long v127 = v122 + 32L;
  const long v128 = v122 + 48L;
  const long v129 = v9 + v122;
  const long v130 = v10 + v121;
  const bool v131 = v129 < n0;
  const bool v132 = v130 < n1;
  const bool v133 = (((uint)v131 & (uint)v132) & 1) != 0;
  if (v133) {
    const float v134 = a13[0];
    b2[v129 * n8 + v130] = v134;
  }
  const long v135 = v9 + v122;
  const long v136 = v10 + v123;
  const bool v137 = v135 < n0;
  const bool v138 = v136 < n1;
  const bool v139 = (((uint)v137 & (uint)v138) & 1) != 0;
  if (v139) {
    const float v140 = a13[1L];
    b2[v135 * n8 + v136] = v140;
  }
  const long v141 = v9 + v122;
  const long v142 = v10 + v124;
  const bool v143 = v141 < n0;
  const bool v144 = v142 < n1;
  const bool v145 = (((uint)v143 & (uint)v144) & 1) != 0;
  if (v145) {
    const float v146 = a13[2L];
    b2[v141 * n8 + v142] = v146;
  }
  const long v147 = v9 + v122;
  const long v148 = v10 + v125;
  const bool v149 = v147 < n0;
  const bool v150 = v148 < n1;
  const bool v151 = (((uint)v149 & (uint)v150) & 1) != 0;
  if (v151) {
    const float v152 = a13[3L];
    b2[v147 * n8 + v148] = v152;
  }
  const long v153 = v9 + v126;
  const long v154 = v10 + v121;
  const bool v155 = v153 < n0;
  const bool v156 = v154 < n1;
  const bool v157 = (((uint)v155 & (uint)v156) & 1) != 0;
  if (v157) {
    const float v158 = a13[4L];
    b2[v153 * n8 + v154] = v158;
  }
  const long v159 = v9 + v126;
  const long v160 = v10 + v123;
  const bool v161 = v159 < n0;
  const bool v162 = v160 < n1;
  const bool v163 = (((uint)v161 & (uint)v162) & 1) != 0;
  if (v163) {
    const float v164 = a13[5L];
    b2[v159 * n8 + v160] = v164;
  }
  const long v165 = v9 + v126;
  const long v166 = v10 + v124;
  const bool v167 = v165 < n0;
  const bool v168 = v166 < n1;
  const bool v169 = (((uint)v167 & (uint)v168) & 1) != 0;
  if (v169) {
    const float v170 = a13[6L];
    b2[v165 * n8 + v166] = v170;
  }
  const long v171 = v9 + v126;
  const long v172 = v10 + v125;
  const bool v173 = v171 < n0;
  const bool v174 = v172 < n1;
  const bool v175 = (((uint)v173 & (uint)v174) & 1) != 0;
  if (v175) {
    const float v176 = a13[7L];
    b2[v171 * n8 + v172] = v176;
  }
  const long v177 = v9 + v127;
  const long v178 = v10 + v121;
  const bool v179 = v177 < n0;
  const bool v180 = v178 < n1;
  const bool v181 = (((uint)v179 & (uint)v180) & 1) != 0;
  if (v181) {
    const float v182 = a13[8L];
    b2[v177 * n8 + v178] = v182;
  }
  const long v183 = v9 + v127;
  const long v184 = v10 + v123;
  const bool v185 = v183 < n0;
  const bool v186 = v184 < n1;
  const bool v187 = (((uint)v185 & (uint)v186) & 1) != 0;
  if (v187) {
    const float v188 = a13[9L];
    b2[v183 * n8 + v184] = v188;
  }
  const long v189 = v9 + v127;
  const long v190 = v10 + v124;
  const bool v191 = v189 < n0;
  const bool v192 = v190 < n1;
  const bool v193 = (((uint)v191 & (uint)v192) & 1) != 0;
  if (v193) {
    const float v194 = a13[10L];
    b2[v189 * n8 + v190] = v194;
  }
  const long v195 = v9 + v127;
  const long v196 = v10 + v125;
  const bool v197 = v195 < n0;
  const bool v198 = v196 < n1;
  const bool v199 = (((uint)v197 & (uint)v198) & 1) != 0;
  if (v199) {
    const float v200 = a13[11L];
    b2[v195 * n8 + v196] = v200;
  }
  const long v201 = v9 + v128;
  const long v202 = v10 + v121;
  const bool v203 = v201 < n0;
  const bool v204 = v202 < n1;
  const bool v205 = (((uint)v203 & (uint)v204) & 1) != 0;
  if (v205) {
    const float v206 = a13[12L];
    b2[v201 * n8 + v202] = v206;
  }
  const long v207 = v9 + v128;
  const long v208 = v10 + v123;
  const bool v209 = v207 < n0;
  const bool v210 = v208 < n1;
  const bool v211 = (((uint)v209 & (uint)v210) & 1) != 0;
  if (v211) {
    const float v212 = a13[13L];
    b2[v207 * n8 + v208] = v212;
  }
  const long v213 = v9 + v128;
  const long v214 = v10 + v124;
  const bool v215 = v213 < n0;
  const bool v216 = v214 < n1;
  const bool v217 = (((uint)v215 & (uint)v216) & 1) != 0;
  if (v217) {
    const float v218 = a13[14L];
    b2[v213 * n8 + v214] = v218;
  }
  const long v219 = v9 + v128;
  const long v220 = v10 + v125;
  const bool v221 = v219 < n0;
  const bool v222 = v220 < n1;
  const bool v223 = (((uint)v221 & (uint)v222) & 1) != 0;
  if (v223) {
    const float v224 = a13[15L];
    b2[v219 * n8 + v220] = v224;
  }
}
