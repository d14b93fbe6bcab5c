// RUN: trilith-opt %s -p kernel-keep-elements | filecheck %s
// RUN: trilith-opt %s -p kernel-keep-elements | trilith-opt | filecheck %s

// The exponentials of a row are written where the quotients will be, and read there.

// CHECK-LABEL: kernel.func @softmax(
// CHECK-SAME:    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite", kernel.noalias}
// CHECK:           kernel.reduce add (%j_1) to (%m) {lanes = 32, block = 16384} : f32 {
// CHECK:             %e = math.exp %d : f32
// CHECK-NEXT:        kernel.store %e, %y[%i, %j_1]
// CHECK-NEXT:        kernel.yield %e : f32
// CHECK:           kernel.map (%j_2) to (%m) {
// CHECK-NEXT:        [[E:%.+]] = kernel.load %y[%i, %j_2] : f32
// CHECK-NEXT:        [[Q:%.+]] = arith.divf [[E]], %s : f32
// CHECK-NEXT:        kernel.store [[Q]], %y[%i, %j_2]
kernel.func @softmax(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%n) {
    %t = kernel.reduce maximum (%j) to (%m) {lanes = 32, block = 16384} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    %s = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %t : f32
      %e = math.exp %d : f32
      kernel.yield %e : f32
    }
    kernel.map (%j) to (%m) {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %t : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %s : f32
      kernel.store %q, %y[%i, %j]
    }
  }
}

// Where the result may lie in what is read, nothing is written before all of it was.
// CHECK-LABEL: kernel.func @in_place(
// CHECK:         math.exp
// CHECK-NEXT:    kernel.yield
// CHECK:         math.exp
kernel.func @in_place(%m: index,
    %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write"}) {
  %s = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%j] : f32
    %e = math.exp %v : f32
    kernel.yield %e : f32
  }
  kernel.map (%j) to (%m) {
    %v = kernel.load %x[%j] : f32
    %e = math.exp %v : f32
    %q = arith.divf %e, %s : f32
    kernel.store %q, %y[%j]
  }
}

// Nor where the result has another type, or is of another element.
// CHECK-LABEL: kernel.func @others(
// CHECK:         math.exp
// CHECK-NEXT:    kernel.yield
// CHECK:         kernel.load %x[%j_1]
// CHECK-NEXT:    math.exp
// CHECK:         math.exp
// CHECK-NEXT:    kernel.yield
// CHECK:         kernel.load %z[%j_3]
// CHECK-NEXT:    math.exp
kernel.func @others(%m: index,
    %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f64, [1]> {kernel.access = "write", kernel.noalias},
    %w: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%j] : f32
    %e = math.exp %v : f32
    kernel.yield %e : f32
  }
  kernel.map (%j) to (%m) {
    %v = kernel.load %x[%j] : f32
    %e = math.exp %v : f32
    %q = arith.divf %e, %s : f32
    %d = arith.extf %q : f32 to f64
    kernel.store %d, %y[%j]
  }
  %t = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%j] : f32
    %e = math.exp %v : f32
    kernel.yield %e : f32
  }
  kernel.map (%j) to (%m) {
    %v = kernel.load %z[%j] : f32
    %e = math.exp %v : f32
    %q = arith.divf %e, %t : f32
    kernel.store %q, %w[%j]
  }
}
