// trilith: {"local": [1], "global": [[0, 32], [1, 32]]}
#pragma OPENCL FP_CONTRACT OFF
__kernel void add_0(__global const uchar *p0, const long o0, __global const uchar *p1, const long o1, __global uchar *restrict p2, const long o2, const long n0, const long n1, const long n2, const long n3, const long n4, const long n5, const long n6, const long n7) {
  __global const float *b0 = (__global const float *)(p0 + o0) + n2;
  __global const float *b1 = (__global const float *)(p1 + o1) + n4;
  __global float *b2 = (__global float *)(p2 + o2) + n6;
  const long v1 = n0 + 31L;
  const long v2 = (long)((ulong)v1 / (ulong)32L);
  const long v3 = n1 + 31L;
  const long v4 = (long)((ulong)v3 / (ulong)32L);
  const long i5 = (long)get_global_id(0);
  if (i5 < v2 * v4) {
    const long i7 = (long)((ulong)i5 / (ulong)v4);
    const long i6 = i5 - i7 * v4;
    const long v8 = i7 * 32L;
    const long v9 = v8 + 32L;
    const long v10 = v9 < n0 ? v9 : n0;
    const long v11 = i6 * 32L;
    const long v12 = v11 + 32L;
    const long v13 = v12 < n1 ? v12 : n1;
    float a14[1056];
    for (long i15 = v11; i15 < v13; i15 += 1L) {
      for (long i16 = v8; i16 < v10; i16 += 1L) {
        const long v17 = i15 - v11;
        const long v18 = i16 - v8;
        const float v19 = b1[i16 + i15 * n5];
        a14[v17 * 33L + v18] = v19;
      }
    }
    for (long i20 = v8; i20 < v10; i20 += 1L) {
      for (long i21 = v11; i21 < v13; i21 += 1L) {
        const long v22 = i21 - v11;
        const long v23 = i20 - v8;
        const float v24 = b0[i20 * n3 + i21];
        const float v25 = a14[v22 * 33L + v23];
        const float v26 = v24 + v25;
        b2[i20 * n7 + i21] = v26;
      }
    }
  }
}
