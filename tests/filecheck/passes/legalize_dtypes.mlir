// RUN: trilith-opt %s -p kernel-legalize-dtypes | filecheck %s
// RUN: trilith-opt %s -p "kernel-legalize-dtypes{half=false}" | filecheck %s --check-prefix=SOFT

// bool is a byte in memory and among the arguments, and a bit in between.

// CHECK-LABEL: kernel.func @bool(
// CHECK-SAME:    %n: index, %x: !kernel.buffer<i8, [1]> {kernel.access = "readwrite"}, %s: i8)
// CHECK-NEXT:    [[ZERO:%.+]] = arith.constant 0 : i8
// CHECK-NEXT:    [[S:%.+]] = arith.cmpi ne, %s, [[ZERO]] : i8
// CHECK-NEXT:    kernel.map (%i) to (%n) {
// CHECK-NEXT:      [[X:%.+]] = kernel.load %x[%i] : i8
// CHECK-NEXT:      [[B:%.+]] = arith.cmpi ne, [[X]], [[ZERO]] : i8
// CHECK-NEXT:      [[R:%.+]] = arith.xori [[B]], [[S]] : i1
// CHECK-NEXT:      [[Y:%.+]] = arith.extui [[R]] : i1 to i8
// CHECK-NEXT:      kernel.store [[Y]], %x[%i]
kernel.func @bool(%n: index, %x: !kernel.buffer<i1, [1]> {kernel.access = "readwrite"}, %s: i1) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : i1
    %1 = arith.xori %0, %s : i1
    kernel.store %1, %x[%i]
  }
}

// bfloat16: widening is a shift; rounding goes to nearest even and keeps NaN.

// CHECK-LABEL: kernel.func @bfloat16(
// CHECK-SAME:    %x: !kernel.buffer<i16, [?, 1]>
// CHECK-DAG:     [[SIXTEEN:%.+]] = arith.constant 16 : i32
// CHECK-DAG:     [[NAN:%.+]] = arith.constant 32704 : i32
// CHECK:         kernel.parallel
// CHECK:           kernel.reduce maximum
// CHECK-NEXT:        [[V:%.+]] = kernel.load %x[%i, %j] : i16
// CHECK-NEXT:        [[W:%.+]] = arith.extui [[V]] : i16 to i32
// CHECK-NEXT:        [[S:%.+]] = arith.shli [[W]], [[SIXTEEN]] : i32
// CHECK-NEXT:        [[F:%.+]] = arith.bitcast [[S]] : i32 to f32
// CHECK-NEXT:        kernel.yield [[F]] : f32
// CHECK:           [[R:%.+]] = arith.select %{{.+}}, [[NAN]], %{{.+}} : i32
// CHECK-NEXT:      [[T:%.+]] = arith.trunci [[R]] : i32 to i16
// CHECK-NEXT:      kernel.store [[T]], %y[%i]
kernel.func @bfloat16(%n: index, %m: index,
    %x: !kernel.buffer<bf16, [?, 1]>, %y: !kernel.buffer<bf16, [1]>) {
  kernel.parallel (%i) to (%n) {
    %0 = kernel.reduce maximum (%j) to (%m) {lanes = 16, block = 0} : f32 {
      %1 = kernel.load %x[%i, %j] : bf16
      %2 = arith.extf %1 : bf16 to f32
      kernel.yield %2 : f32
    }
    %3 = arith.truncf %0 : f32 to bf16
    kernel.store %3, %y[%i]
  }
}

// A copy moves bits. Constants are encoded; 1.5 is 0x3fc0.

// CHECK-LABEL: kernel.func @copy(
// CHECK-NEXT:    [[C:%.+]] = arith.constant 16320 : i16
// CHECK-NEXT:    kernel.map (%i) to (%n) {
// CHECK-NEXT:      [[V:%.+]] = kernel.load %x[%i] : i16
// CHECK-NEXT:      kernel.store [[V]], %y[%i]
// CHECK-NEXT:      kernel.store [[C]], %x[%i]
// CHECK-NEXT:    }
kernel.func @copy(%n: index, %x: !kernel.buffer<bf16, [?]>, %y: !kernel.buffer<bf16, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : bf16
    kernel.store %0, %y[%i]
    %c = arith.constant 1.5 : bf16
    kernel.store %c, %x[%i]
  }
}

// float16 is the target's business, but a cast from f64 rounds by way of f32, as in PyTorch.
// Without hardware it becomes integers.

// CHECK-LABEL: kernel.func @float16(
// CHECK-SAME:    %y: !kernel.buffer<f16, [1]>
// CHECK:         [[D:%.+]] = kernel.load %x[%i] : f64
// CHECK-NEXT:    [[F:%.+]] = arith.truncf [[D]] : f64 to f32
// CHECK-NEXT:    [[H:%.+]] = arith.truncf [[F]] : f32 to f16
// CHECK-NEXT:    kernel.store [[H]], %y[%i]
// CHECK-NEXT:    [[V:%.+]] = kernel.load %y[%i] : f16
// CHECK-NEXT:    [[E:%.+]] = arith.extf [[V]] : f16 to f32
// CHECK-NEXT:    [[I:%.+]] = arith.fptosi [[E]] : f32 to i32
// SOFT-LABEL:  kernel.func @float16(
// SOFT-SAME:     %y: !kernel.buffer<i16, [1]>
// SOFT-NOT:      f16
// SOFT:          [[T:%.+]] = arith.trunci %{{.+}} : i32 to i16
// SOFT-NEXT:     kernel.store [[T]], %y[%i]
// SOFT-NOT:      f16
kernel.func @float16(%n: index, %x: !kernel.buffer<f64, [1]>, %y: !kernel.buffer<f16, [1]>,
    %z: !kernel.buffer<i32, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f64
    %1 = arith.truncf %0 : f64 to f16
    kernel.store %1, %y[%i]
    %2 = kernel.load %y[%i] : f16
    %3 = arith.fptosi %2 : f16 to i32
    kernel.store %3, %z[%i]
  }
}

// The 8-bit floats are bytes; e4m3fn saturates at 448, code 126.

// CHECK-LABEL: kernel.func @float8(
// CHECK-SAME:    %x: !kernel.buffer<i8, [1]>, %y: !kernel.buffer<i8, [1]>
// CHECK:         [[LARGEST:%.+]] = arith.constant 126 : i32
// CHECK:         kernel.load %x[%i] : i8
// CHECK-NOT:     f8E
// CHECK:         arith.select %{{.+}}, [[LARGEST]], %{{.+}} : i32
// CHECK:         [[T:%.+]] = arith.trunci %{{.+}} : i32 to i8
// CHECK-NEXT:    kernel.store [[T]], %y[%i]
kernel.func @float8(
    %n: index, %x: !kernel.buffer<f8E5M2, [1]>, %y: !kernel.buffer<f8E4M3FN, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : f8E5M2
    %1 = arith.extf %0 : f8E5M2 to f32
    %2 = arith.truncf %1 : f32 to f8E4M3FN
    kernel.store %2, %y[%i]
  }
}

// The parts of a complex32 are float16s: with half=false they are the halves of an integer.

// CHECK-LABEL: kernel.func @complex32(
// CHECK:           [[P:%.+]] = kernel.part %{{.+}}, 0 : i32 -> f16
// CHECK-NEXT:      kernel.pair [[P]], [[P]] : f16 -> i32
// SOFT-LABEL:  kernel.func @complex32(
// SOFT:            [[P:%.+]] = kernel.part %{{.+}}, 0 : i32 -> i16
// SOFT-NEXT:       kernel.pair [[P]], [[P]] : i16 -> i32
kernel.func @complex32(%n: index, %x: !kernel.buffer<i32, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : i32
    %1 = kernel.part %0, 0 : i32 -> f16
    %2 = kernel.pair %1, %1 : f16 -> i32
    kernel.store %2, %x[%i]
  }
}
