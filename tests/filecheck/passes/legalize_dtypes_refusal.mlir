// RUN: not trilith-opt %s -p kernel-legalize-dtypes 2>&1 | filecheck %s

// Nobody rounds in between behind the program's back: arithmetic is on f32, between casts.
// CHECK: kernel-legalize-dtypes: arith.addf on bf16; narrow floats are computed on as f32, between arith.extf and arith.truncf
kernel.func @add(%n: index, %x: !kernel.buffer<bf16, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : bf16
    %1 = arith.addf %0, %0 : bf16
    kernel.store %1, %x[%i]
  }
}
