// RUN: trilith-opt %s -p kernel-schedule -t tri-llvm | filecheck %s --check-prefix=LLVM
// RUN: trilith-opt %s -p kernel-schedule -t tri-asm | filecheck %s --check-prefix=ASM
// RUN: not trilith-opt %s -t tri-llvm 2>&1 | filecheck %s --check-prefix=STRUCTURED
// RUN: not trilith-opt %s -p kernel-schedule -t 'tri-llvm{cpu=abacus}' 2>&1 | filecheck %s --check-prefix=CPU
// RUN: trilith-opt %s --print-op-generic | trilith-opt -t mlir | filecheck %s --check-prefix=MLIR

// One text per kernel, in the order of the module.

// LLVM: ; kernel @double
// LLVM-NEXT: define void @double(
// LLVM: fadd <{{[0-9]+}} x float>
// LLVM: ; kernel @negate
// LLVM-NEXT: define void @negate(

// ASM: double:
// ASM: negate:

// STRUCTURED: targets.mlir: error: tri-llvm: kernel.map in @double has no order of execution yet; `-p kernel-schedule` gives it one
// CPU: error: there is no CPU 'abacus'; there are host

// MLIR: kernel.func @double

kernel.func @double(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f32
    %r = arith.addf %v, %v : f32
    kernel.store %r, %y[%i]
  }
}

kernel.func @negate(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f32
    %r = arith.negf %v : f32
    kernel.store %r, %y[%i]
  }
}
