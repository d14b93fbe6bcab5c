// RUN: trilith-opt %s -p "kernel-schedule{target=cpu vector-bits=128}" -t "tri-asm{cpu=armv8-a}" | filecheck %s

// The same schedule for Arm's vectors of four floats: for each element of k a tile reads two vectors
// of a panel and one float of each of six rows, and multiplies them lane by element.

// CHECK-LABEL: product:
// CHECK:         ldp {{q[0-9]+, q[0-9]+}}, [{{.+}}]
// CHECK-COUNT-12: fmla {{v[0-9]+.4s, v[0-9]+.4s, v[0-9]+.s\[0\]}}
// CHECK:         b.lt
// CHECK-NOT:     xmm
kernel.func @product(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %s = kernel.reduce fma (%l) to (%k) {lanes = 1, block = 0} : f32 {
      %x = kernel.load %a[%i, %j, %l] : f32
      %y = kernel.load %b[%i, %j, %l] : f32
      kernel.yield %x, %y : f32, f32
    }
    kernel.store %s, %c[%i, %j]
  }
}
