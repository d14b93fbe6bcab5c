// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s

// Every op of the dialect once, as it is printed.

// CHECK-LABEL: kernel.func @structured(%n: index, %m: index, %x: !kernel.buffer<f32, [?, 1]>, %s: f32) attributes {note = "kept"} {
kernel.func @structured(%n: index, %m: index, %x: !kernel.buffer<f32, [?, 1]>, %s: f32)
    attributes {note = "kept"} {
  // CHECK:      kernel.parallel (%i, %j) to (%n, %m) {
  // CHECK-NEXT:   kernel.map (%k) to (%n) {
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  kernel.parallel (%i, %j) to (%n, %m) {
    kernel.map (%k) to (%n) {
      kernel.yield
    }
  }
  // CHECK-NEXT: kernel.parallel (%i_1) to (%n) {
  kernel.parallel (%i) to (%n) {
  }
  // CHECK:      %place, %inside = kernel.within %n from %m size %n
  %place, %inside = kernel.within %n from %m size %n
  // CHECK:      %total = kernel.reduce minimum (%i_2, %j_1) to (%n, %m) {lanes = 4, block = 64} : f32 {
  // CHECK-NEXT:   kernel.yield %s : f32
  // CHECK-NEXT: }
  %total = kernel.reduce minimum (%i, %j) to (%n, %m) {lanes = 4, block = 64} : f32 {
    kernel.yield %s : f32
  }
  kernel.return
}

// CHECK-LABEL: kernel.func @scheduled(%n: index, %x: !kernel.buffer<f32, [2, ?, 0]>, %c: i1) {
kernel.func @scheduled(%n: index, %x: !kernel.buffer<f32, [2, ?, 0]>, %c: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK:      %tile = kernel.alloc [2, 4] : !kernel.buffer<f32, [4, 1], private>
  // CHECK-NEXT: %shared = kernel.alloc [16] : !kernel.buffer<i32, [1], local>
  // CHECK-NEXT: %lanes = kernel.lane_ids : vector<4xindex>
  // CHECK-NEXT: %mask = kernel.mask %n : vector<4xi1>
  // CHECK-NEXT: %first = kernel.first_set %mask : vector<4xi1>
  // CHECK-NEXT: %v = kernel.load %x[%zero, %one, %n] along 1 mask %mask else 1 : vector<4xf32>
  // CHECK-NEXT: %g = kernel.load %x[%zero, %lanes, %n] : vector<4xf32>
  %tile = kernel.alloc [2, 4] : !kernel.buffer<f32, [4, 1], private>
  %shared = kernel.alloc [16] : !kernel.buffer<i32, [1], local>
  %lanes = kernel.lane_ids : vector<4xindex>
  %mask = kernel.mask %n : vector<4xi1>
  %first = kernel.first_set %mask : vector<4xi1>
  %v = kernel.load %x[%zero, %one, %n] along 1 mask %mask else 1 : vector<4xf32>
  %g = kernel.load %x[%zero, %lanes, %n] : vector<4xf32>
  // CHECK-NEXT: %less = kernel.compare olt, %v, %g : vector<4xf32>
  // CHECK-NEXT: %w = kernel.select %less, %v, %g : vector<4xf32>
  // CHECK-NEXT: %h = kernel.slice %w[2] : vector<4xf32> to vector<2xf32>
  // CHECK-NEXT: %e = kernel.extract %w[3] : vector<4xf32>
  // CHECK-NEXT: %u = kernel.splat %e : vector<4xf32>
  // CHECK-NEXT: %k = kernel.convert fptosi %u : vector<4xf32> to vector<4xi32>
  // CHECK-NEXT: %r = kernel.fmod %u, %w : vector<4xf32>
  // CHECK-NEXT: %p = kernel.ldexp %u, %r : vector<4xf32>
  // CHECK-NEXT: %z = kernel.pair %u, %r : vector<4xf32> -> vector<4xi64>
  // CHECK-NEXT: %q = kernel.part %z, 1 : vector<4xi64> -> vector<4xf32>
  // CHECK-NEXT: %c0, %c1 = kernel.transpose(%h, %h) : vector<2xf32>
  // CHECK-NEXT: %d0, %d1, %d2, %d3 = kernel.transpose(%w, %w) : vector<4xf32>
  // CHECK-NEXT: %e0, %e1 = kernel.transpose(%d0, %d1, %d2, %d3) : vector<2xf32>
  // CHECK-NEXT: %f0, %f1, %f2, %f3 = kernel.transpose(%e0, %e1) : vector<4xf32>
  // CHECK-NEXT: %before = kernel.preceding %w by 2 : vector<4xf32>
  %less = kernel.compare olt, %v, %g : vector<4xf32>
  %w = kernel.select %less, %v, %g : vector<4xf32>
  %h = kernel.slice %w[2] : vector<4xf32> to vector<2xf32>
  %e = kernel.extract %w[3] : vector<4xf32>
  %u = kernel.splat %e : vector<4xf32>
  %k = kernel.convert fptosi %u : vector<4xf32> to vector<4xi32>
  %r = kernel.fmod %u, %w : vector<4xf32>
  %p = kernel.ldexp %u, %r : vector<4xf32>
  %z = kernel.pair %u, %r : vector<4xf32> -> vector<4xi64>
  %q = kernel.part %z, 1 : vector<4xi64> -> vector<4xf32>
  %c0, %c1 = kernel.transpose(%h, %h) : vector<2xf32>
  %d0, %d1, %d2, %d3 = kernel.transpose(%w, %w) : vector<4xf32>
  %e0, %e1 = kernel.transpose(%d0, %d1, %d2, %d3) : vector<2xf32>
  %f0, %f1, %f2, %f3 = kernel.transpose(%e0, %e1) : vector<4xf32>
  %before = kernel.preceding %w by 2 : vector<4xf32>
  // CHECK-NEXT: kernel.check %less, "ZeroDivisionError" at 3 mask %mask
  // CHECK-NEXT: kernel.check %c, "IndexError" at 0
  // CHECK-NEXT: kernel.store %w, %tile[%one, %zero] mask %mask
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: kernel.prefetch %x[%zero, %one, %n] into 2
  // CHECK-NEXT: %stride = kernel.stride %x along 1
  // CHECK-NEXT: %bytes = kernel.in_line %x[%zero, %one, %n]
  // CHECK-NEXT: kernel.store %w, %tile[%one, %zero] past caches
  // CHECK-NEXT: %fits = kernel.has_registers 512
  // CHECK-NEXT: kernel.clear_registers
  kernel.check %less, "ZeroDivisionError" at 3 mask %mask
  kernel.check %c, "IndexError" at 0
  kernel.store %w, %tile[%one, %zero] mask %mask
  kernel.barrier
  kernel.prefetch %x[%zero, %one, %n] into 2
  %stride = kernel.stride %x along 1
  %bytes = kernel.in_line %x[%zero, %one, %n]
  kernel.store %w, %tile[%one, %zero] past caches
  %fits = kernel.has_registers 512
  kernel.clear_registers
  // CHECK-NEXT: %sum = kernel.for %i = %zero to %n step %one iter_args(%a = %e) -> (f32) {
  // CHECK-NEXT:   %b = kernel.if %c -> (f32) {
  // CHECK-NEXT:     kernel.yield %a : f32
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     kernel.yield %e : f32
  // CHECK-NEXT:   }
  // CHECK-NEXT:   kernel.yield %b : f32
  // CHECK-NEXT: }
  %sum = kernel.for %i = %zero to %n step %one iter_args(%a = %e) -> (f32) {
    %b = kernel.if %c -> (f32) {
      kernel.yield %a : f32
    } else {
      kernel.yield %e : f32
    }
    kernel.yield %b : f32
  }
  // CHECK-NEXT: kernel.if %c {
  // CHECK-NEXT:   kernel.for %i_1 = %zero to %n step %one {
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  kernel.if %c {
    kernel.for %i = %zero to %n step %one {
    }
  }
}
