// trilith: {"local": [256], "groups": [[0, 8]]}
#pragma OPENCL FP_CONTRACT OFF
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void mul_sum_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6) {
  __local float s5[256];
  __global const float *b0 = (__global const float *)(p0 + o0) + n2;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const long v1 = n0 + 7L;
  const long v2 = (long)((ulong)v1 / (ulong)8L);
  const long i3 = (long)get_group_id(0);
  const long i4 = (long)get_local_id(0);
  const long v6 = i3 * 8L;
  const long v7 = i4 & 7L;
  const long v8 = v6 + v7;
  const long v9 = n0 - 1L;
  const long v10 = v8 < v9 ? v8 : v9;
  const bool v11 = v8 <= v9;
  const long v12 = (long)((ulong)i4 >> (ulong)3L);
  float c13 = 0x0.0p+0f;
  for (long i14 = 0L; i14 < n1; i14 += 16384L) {
    const long v15 = i14 + 16384L;
    const long v16 = v15 < n1 ? v15 : n1;
    const long v17 = i14 + v12;
    float c18 = 0x0.0p+0f;
    for (long i19 = v17; i19 < v16; i19 += 32L) {
      const float v20 = b0[v10 + i19 * n3];
      const float v21 = b1[v10 + i19 * n5];
      const float v22 = v20 * v21;
      const float v23 = c18 + v22;
      c18 = v23;
    }
    const float v24 = c13 + c18;
    c13 = v24;
  }
  s5[i4] = c13;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long i25 = 0L; i25 < 5L; i25 += 1L) {
    const long v26 = (long)((ulong)128L >> (ulong)i25);
    const bool v27 = i4 < v26;
    if (v27) {
      const long v28 = i4 + v26;
      const float v29 = s5[v28];
      const float v30 = s5[i4];
      const float v31 = v30 + v29;
      s5[i4] = v31;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const long v32 = (long)((ulong)i4 >> (ulong)3L);
  const bool v33 = v32 == 0L;
  if (v33) {
    const long v34 = i3 * 8L;
    const long v35 = i4 & 7L;
    const long v36 = v34 + v35;
    const long v37 = n0 - 1L;
    const long v38 = v36 < v37 ? v36 : v37;
    const bool v39 = v36 <= v37;
    const long v40 = i4 & 7L;
    const float v41 = s5[v40];
    if (v39) {
      b2[v38] = v41;
    }
  }
}
