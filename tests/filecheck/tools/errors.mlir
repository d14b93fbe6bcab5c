// RUN: not trilith-opt %s 2>&1 | filecheck %s
// RUN: not trilith-opt %s -p tri-promote-type 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not trilith-opt %s -p 'kernel-schedule{targt=cpu}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not trilith-opt %s -p 'kernel-schedule{vector-bits=wide}' 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not trilith-opt %s -p 'cse,,dce' 2>&1 | filecheck %s --check-prefix=SYNTAX
// RUN: not trilith-opt %s -t tri-lvm 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not trilith-opt %s --target-pipeline gpu 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: not trilith-opt %s --print-ir-aftr-all 2>&1 | filecheck %s --check-prefix=FLAG
// RUN: trilith-opt %s --split-input-file --parsing-diagnostics | filecheck %s --check-prefix=SPLIT

// No error prints more than twelve lines, and none a traceback.

// CHECK: errors.mlir:{{[0-9]+}}:18: error: Unexpected character: $
// CHECK-NEXT: func.func @first($) {
// CHECK-NEXT: {{^ {19}\^$}}

// PASS: trilith-opt: error: there is no pass 'tri-promote-type'; did you mean 'tri-promote-types'?
// PASS-NEXT: there are: tri-
// OPTION: trilith-opt: error: there is no option of kernel-schedule 'targt'; did you mean 'target'?
// OPTION-NEXT: there are: target, vector-bits
// VALUE: trilith-opt: error: kernel-schedule: Incompatible types: given ('wide',), expected int
// SYNTAX: trilith-opt: error: 'cse,,dce' cannot be read
// SYNTAX: Expected pass name here
// TARGET: trilith-opt: error: there is no target 'tri-lvm'; did you mean 'tri-llvm'?
// TARGET-NEXT: there are: mlir, tri-llvm, tri-asm, tri-opencl
// PIPELINE: trilith-opt: error: there is no pipeline 'gpu'; did you mean 'cpu'?
// FLAG: trilith-opt: error: unrecognized arguments: --print-ir-aftr-all; did you mean '--print-ir-after-all'?

// A piece that is refused does not keep the next one from being read.
// SPLIT: func.func @first($) {
// SPLIT: // -----
// SPLIT: func.func private @second()
// SPLIT: // -----
// SPLIT-NEXT: builtin.module {
// SPLIT-NEXT: }

func.func @first($) {
}

// -----

func.func private @second()

// -----
