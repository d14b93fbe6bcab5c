// RUN: trilith-opt %s -p canonicalize,cse --print-ir-before-all --print-ir-after-all 2>&1 | filecheck %s --check-prefix=ALL
// RUN: trilith-opt %s -p canonicalize,cse --print-ir-after=cse 2>&1 | filecheck %s --check-prefix=ONE
// RUN: trilith-opt %s -p canonicalize,cse,cse --print-ir-after-change 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: trilith-opt %s -p cse --print-ir-after-all --print-op-generic 2>&1 | filecheck %s --check-prefix=GENERIC
// RUN: trilith-opt %s -p cse,dce --time-passes 2>&1 | filecheck %s --check-prefix=TIMES

// The test runner puts stderr behind stdout, a shell in front of it: order is checked within each.

// ALL-DAG: // -----// IR Dump Before canonicalize //----- //
// ALL-DAG: // -----// IR Dump After canonicalize //----- //
// ALL-DAG: // -----// IR Dump Before cse //----- //
// ALL-DAG: // -----// IR Dump After cse //----- //

// ONE-NOT: IR Dump After canonicalize
// ONE: // -----// IR Dump After cse //----- //
// ONE-NEXT: builtin.module {
// ONE-NEXT: func.func @twice
// ONE-NEXT: tri.exp
// ONE-NEXT: tri.mul

// CHANGE-COUNT-1: IR Dump After cse
// CHANGE-NOT: IR Dump

// GENERIC: IR Dump After cse
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC: "tri.mul"

// TIMES-DAG: {{[0-9.]+}} ms  cse
// TIMES-DAG: {{[0-9.]+}} ms  dce
// TIMES-DAG: {{[0-9.]+}} ms  total

func.func @twice(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %2 = tri.mul %0, %1 : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %2 : !tri.tensor<4xf32>
}
