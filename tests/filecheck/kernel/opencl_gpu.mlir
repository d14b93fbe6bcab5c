// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-gpu}" | filecheck %s --check-prefix=IR
// RUN: trilith-opt %s -p "kernel-schedule{target=opencl-gpu}" | trilith-opt -t tri-opencl | filecheck %s
// RUN: not trilith-opt %s -p "kernel-schedule{target=opencl-gpu}" -t tri-llvm 2>&1 | filecheck %s --check-prefix=LLVM

// LLVM: kernel.alloc of local memory: a CPU schedule uses private memory

// A group reduces four rows: an item for each of 32 lanes, then a tree in memory of the group. The
// last group may do the last row again; it is stored once. Barriers stand where all items come.

// IR-LABEL: kernel.func @rows(
// IR:         kernel.parallel groups ([[G:%.+]]) to (%{{.+}}) attributes {kernel.local = 128 : i64} {
// IR-NEXT:      [[T:%.+]] = kernel.alloc [128, 1] : !kernel.buffer<f32, [1, 1], local>
// IR-NEXT:      kernel.parallel items ([[I:%.+]]) to (%{{.+}}) {
// IR:             [[ROW:%.+]] = arith.minsi
// IR:             [[LANE:%.+]] = arith.andi [[I]],
// IR:             [[SUM:%.+]] = kernel.for [[B:%.+]] = %{{.+}} to %n step %{{.+}} iter_args(
// IR:               [[FIRST:%.+]] = arith.addi [[B]], [[LANE]] : index
// IR-NEXT:          kernel.for [[J:%.+]] = [[FIRST]] to %{{.+}} step %{{.+}} iter_args(
// IR-NEXT:            kernel.load %x[[[ROW]], [[J]]] : f32
// IR:             kernel.store [[SUM]], [[T]][[[I]],
// IR-NEXT:      }
// IR-NEXT:      kernel.barrier
// IR-NEXT:      kernel.for
// IR:             kernel.parallel items (
// IR:               kernel.if
// IR:             kernel.barrier
// IR-NEXT:      }
// IR-NEXT:      kernel.parallel items (
// IR:             kernel.if
// IR:               kernel.if
// IR:                 kernel.store

// CHECK:       // trilith: {"local": [128], "groups": {{\[\[}}0, 4]]}
// CHECK-LABEL: __kernel __attribute__((reqd_work_group_size(128, 1, 1))) void rows(
// CHECK-NEXT:    __local float [[T:s[0-9]+]][128];
// CHECK:         const long [[G:i[0-9]+]] = (long)get_group_id(0);
// CHECK-NEXT:    const long [[I:i[0-9]+]] = (long)get_local_id(0);
// CHECK:         for (long [[J:i[0-9]+]] = [[F:v[0-9]+]]; [[J]] < [[S:v[0-9]+]]; [[J]] += 32L) {
// CHECK-NEXT:      const float [[V:v[0-9]+]] = b0[[[R:v[0-9]+]] * n3 + [[J]]];
// CHECK:         [[T]][[[I]]] = c
// CHECK-NEXT:    barrier(CLK_LOCAL_MEM_FENCE);
// CHECK:         [[T]][[[I]]] = v
// CHECK-NEXT:    }
// CHECK-NEXT:    barrier(CLK_LOCAL_MEM_FENCE);
// CHECK-NEXT:  }
// CHECK-NOT:   barrier
kernel.func @rows(%m: index, %n: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%m) {
    %s = kernel.reduce add (%j) to (%n) {lanes = 32, block = 16384} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%i]
  }
}

// A whole tensor is one group's.

// IR-LABEL: kernel.func @whole(
// IR:         kernel.parallel groups () to () attributes {kernel.local = 32 : i64} {
// CHECK:       // trilith: {"local": [32], "groups": []}
// CHECK-LABEL: __kernel __attribute__((reqd_work_group_size(32, 1, 1))) void whole(
kernel.func @whole(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, []> {kernel.access = "write", kernel.noalias}) {
  %s = kernel.reduce add (%j) to (%n) {lanes = 32, block = 16384} : f32 {
    %v = kernel.load %x[%j] : f32
    kernel.yield %v : f32
  }
  kernel.store %s, %y[]
}

// Where memory runs across the lanes, neighbours have neighbouring results: eight for a group.

// IR-LABEL: kernel.func @columns(
// IR-DAG:     [[SEVEN:%.+]] = arith.constant 7 : index
// IR-DAG:     [[THREE:%.+]] = arith.constant 3 : index
// IR:         kernel.parallel groups (%{{.+}}) to (%{{.+}}) attributes {kernel.local = 256 : i64} {
// IR:           kernel.parallel items ([[I:%.+]]) to (%{{.+}}) {
// IR:             [[N:%.+]] = arith.andi [[I]], [[SEVEN]] : index
// IR:             [[ROW:%.+]] = arith.minsi
// IR:             [[LANE:%.+]] = arith.shrui [[I]], [[THREE]] : index
// IR:               kernel.load %x[[[ROW]], %{{.+}}] : f32
// CHECK:       // trilith: {"local": [256], "groups": {{\[\[}}0, 8]]}
kernel.func @columns(%m: index, %n: index,
    %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%m) {
    %s = kernel.reduce add (%j) to (%n) {lanes = 32, block = 16384} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%i]
  }
}

// An operand that lies across goes through memory of the group.

// IR-LABEL: kernel.func @across(
// IR:         kernel.parallel groups ({{.+}}, {{.+}}) to ({{.+}}, {{.+}}) attributes {kernel.local = 256 : i64} {
// IR:           [[T:%.+]] = kernel.alloc [32, 32] : !kernel.buffer<f32, [33, 1], local>
// IR-NEXT:      kernel.parallel items (
// IR:             [[V:%.+]] = kernel.load %x
// IR-NEXT:        kernel.store [[V]], [[T]][[[ROW:%.+]], [[COLUMN:%.+]]]
// IR:           kernel.barrier
// IR-NEXT:      kernel.parallel items (
// IR:             kernel.if
// IR-NEXT:          [[V:%.+]] = kernel.load [[T]]
// IR-NEXT:          kernel.store [[V]], %y
// CHECK:       // trilith: {"local": [256], "groups": {{\[\[}}0, 32], [1, 32]]}
// CHECK-LABEL: __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void across(
// CHECK-NEXT:    __local float s{{[0-9]+}}[1055];
kernel.func @across(%n: index, %m: index,
    %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    kernel.store %v, %y[%i, %j]
  }
}

// A matrix product: 64x64 results for a group, 4x4 for an item, which sums over k in its order.

// IR-LABEL: kernel.func @product(
// IR:         kernel.parallel groups ({{.+}}, {{.+}}) to ({{.+}}, {{.+}}) attributes {kernel.local = 256 : i64} {
// IR:           [[X:%.+]] = kernel.alloc [64, 16] : !kernel.buffer<f32, [17, 1], local>
// IR-NEXT:      [[Y:%.+]] = kernel.alloc [64, 16] : !kernel.buffer<f32, [17, 1], local>
// IR-NEXT:      [[SUMS:%.+]] = kernel.alloc [16, 1] : !kernel.buffer<f32, [1, 1], private>
// IR:           kernel.for
// IR-NEXT:        kernel.parallel items (
// IR:               kernel.store {{.+}}, [[X]]
// IR:               kernel.store {{.+}}, [[Y]]
// IR:             kernel.barrier
// IR:             kernel.parallel items (
// IR:               kernel.for {{.+}} iter_args(
// IR-COUNT-4:         kernel.load [[X]]
// IR-COUNT-4:         kernel.load [[Y]]
// IR-COUNT-16:        arith.addf
// IR-NOT:             arith.addf
// IR:             kernel.barrier
// CHECK:       // trilith: {"local": [256], "groups": {{\[\[}}0, 64], [1, 64]]}
// CHECK-LABEL: __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void product(
kernel.func @product(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [0, 1, ?]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %s = kernel.reduce add (%q) to (%k) {lanes = 1, block = 0} : f32 {
      %u = kernel.load %x[%i, %j, %q] : f32
      %v = kernel.load %y[%i, %j, %q] : f32
      %w = arith.mulf %u, %v : f32
      kernel.yield %w : f32
    }
    kernel.store %s, %z[%i, %j]
  }
}

// Serial reductions along rows: an item for each row, and a copy in the order of memory.

// IR-LABEL: kernel.func @serial(
// IR:         kernel.parallel groups (%{{.+}}) to (%{{.+}}) attributes {kernel.local = 128 : i64} {
// IR:           kernel.alloc [128, 16] : !kernel.buffer<f32, [17, 1], local>
// IR-NEXT:      kernel.alloc [1, 1] : !kernel.buffer<f32, [1, 1], private>
// CHECK:       // trilith: {"local": [128], "groups": {{\[\[}}0, 128]]}
kernel.func @serial(%m: index, %n: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%m) {
    %s = kernel.reduce maximum (%j) to (%n) {lanes = 1, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    kernel.store %s, %y[%i]
  }
}
