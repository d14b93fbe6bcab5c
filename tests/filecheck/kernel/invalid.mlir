// RUN: trilith-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

// Memory

kernel.func @rank(%n: index, %x: !kernel.buffer<f32, [?, 1]>) {
  %v = "kernel.load"(%x, %n) : (!kernel.buffer<f32, [?, 1]>, index) -> f32
}
// CHECK: kernel.load: expected 2 indices, got 1

// -----

kernel.func @prefetch_rank(%n: index, %x: !kernel.buffer<f32, [?, 1]>) {
  kernel.prefetch %x[%n] into 1
}
// CHECK: kernel.prefetch: expected 2 indices, got 1

// -----

kernel.func @prefetch_cache(%n: index, %x: !kernel.buffer<f32, [1]>) {
  kernel.prefetch %x[%n] into 3
}
// CHECK: kernel.prefetch: expected one of the caches (1, 2), got 3

// -----

kernel.func @prefetch_index(%n: i64, %x: !kernel.buffer<f32, [1]>) {
  kernel.prefetch %x[%n] into 1
}
// CHECK: kernel.prefetch: expected indices of type index

// -----

kernel.func @stride(%x: !kernel.buffer<f32, [?, 1]>) {
  %s = kernel.stride %x along 2
}
// CHECK: kernel.stride: expected along < 2, got 2

// -----

kernel.func @in_line(%i: index, %x: !kernel.buffer<f32, [?, 1]>) {
  %b = kernel.in_line %x[%i]
}
// CHECK: kernel.in_line: expected 2 indices, got 1

// -----

kernel.func @past_caches(%i: index, %v: f32, %x: !kernel.buffer<f32, [1]>) {
  kernel.store %v, %x[%i] past caches
}
// CHECK: kernel.store: expected neighbours without a mask past caches

// -----

kernel.func @rank_as_text(%n: index, %x: !kernel.buffer<f32, [?, 1]>) {
  %v = kernel.load %x[%n] : f32
}
// CHECK: expected 2 indices, got 1

// -----

kernel.func @element(%n: index, %x: !kernel.buffer<f32, [1]>) {
  %v = kernel.load %x[%n] : f64
}
// CHECK: kernel.load: expected the element f32 of the buffer, got f64

// -----

kernel.func @index_type(%n: i64, %x: !kernel.buffer<f32, [1]>) {
  %v = kernel.load %x[%n] : f32
}
// CHECK: kernel.load: expected index 0 to be index or vector<1xindex>, got i64

// -----

kernel.func @mask(%n: index, %c: i1, %x: !kernel.buffer<f32, [1]>) {
  %v = kernel.load %x[%n] mask %c : f32
}
// CHECK: kernel.load: expected a mask of type vector<1xi1> on a vector access, got i1

// -----

kernel.func @along(%n: index, %x: !kernel.buffer<f32, [?, 1]>) {
  %v = kernel.load %x[%n, %n] along 2 : vector<8xf32>
}
// CHECK: kernel.load: expected along < 2, got 2

// -----

kernel.func @space(%x: !kernel.buffer<f32, [1], elsewhere>) {
}
// CHECK: kernel.buffer: expected a space of ('global', 'local', 'private'), got 'elsewhere'

// -----

kernel.func @alloc() {
  %p = kernel.alloc [4, 4] : !kernel.buffer<f32, [?, 1], private>
}
// CHECK: kernel.alloc: expected known strides, got !kernel.buffer<f32, [?, 1], private>

// -----

kernel.func @alloc_global() {
  %p = kernel.alloc [4] : !kernel.buffer<f32, [1]>
}
// CHECK: kernel.alloc: expected a private or local buffer, got a global

// -----

kernel.func @fault(%c: i1) {
  kernel.check %c, "Oops" at 0
}
// CHECK: kernel.check: expected one of ('ZeroDivisionError',

// -----

kernel.func @details(%c: i1, %k: i32) {
  kernel.check %c, "BoundsError" at 0 with %k
}
// CHECK: kernel.check: expected i64 after with, got i32

// -----

kernel.func @too_many_details(%c: i1, %k: i64) {
  kernel.check %c, "BoundsError" at 0 with %k, %k, %k, %k
}
// CHECK: kernel.check: expected at most 3 numbers after with

// -----

// Functions

kernel.func @facts(%n: index {kernel.noalias}) {
}
// CHECK: kernel.func: expected facts on buffers only

// -----

kernel.func @access(%x: !kernel.buffer<f32, [1]> {kernel.access = "often"}) {
}
// CHECK: kernel.func: expected an access of ('read', 'write', 'readwrite'), got "often"

// -----

// Iteration

kernel.func @extents(%n: index) {
  kernel.map (%i, %j) to (%n) {
  }
}
// CHECK: expected 2 extents, got 1

// -----

kernel.func @extent_type(%n: i64) {
  kernel.parallel (%i) to (%n) {
  }
}
// CHECK: Expected attribute index but got i64

// -----

kernel.func @barrier_of_some(%n: index, %c: i1) {
  kernel.parallel groups (%g) to (%n) {
    kernel.parallel items (%i) to (%n) {
      kernel.if %c {
        kernel.barrier
      }
    }
  }
}
// CHECK: kernel.parallel: expected no kernel.barrier inside of items, where not all may come to it; it stands between two nests of items

// -----

kernel.func @nested(%n: index) {
  kernel.map (%i) to (%n) {
    kernel.map (%j) to (%n) {
    }
  }
}
// CHECK: kernel.map: expected a body without nests, got kernel.map; use kernel.parallel

// -----

kernel.func @lanes(%n: index, %s: f32) {
  %r = kernel.reduce add (%i) to (%n) {lanes = 12, block = 0} : f32 {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.reduce: expected lanes to be a power of 2, got 12

// -----

kernel.func @block(%n: index, %s: f32) {
  %r = kernel.reduce add (%i) to (%n) {lanes = 8, block = 12} : f32 {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.reduce: expected block to be a multiple of lanes = 8, got 12

// -----

kernel.func @yielded(%n: index, %s: f64) {
  %r = kernel.reduce add (%i) to (%n) {lanes = 1, block = 0} : f32 {
    kernel.yield %s : f64
  }
}
// CHECK: kernel.reduce: expected the body to yield (f32), got (f64)

// -----

kernel.func @combiner(%n: index, %s: f32) {
  %r = kernel.reduce custom (%i) to (%n) {lanes = 1, block = 0} init (%s) : f32 {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.reduce: expected init (f32) and a combiner for kind custom

// -----

kernel.func @neutral(%n: index, %s: f32) {
  %r = kernel.reduce add (%i) to (%n) {lanes = 1, block = 0, neutral} : f32 {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.reduce: expected neutral with an init only

// -----

kernel.func @two_values(%n: index, %s: f32) {
  %r, %q = kernel.reduce add (%i) to (%n) {lanes = 1, block = 0} : f32, f32 {
    kernel.yield %s, %s : f32, f32
  }
}
// CHECK: kernel.reduce: expected one value, no init and no combiner for kind 'add'

// -----

kernel.func @one_factor(%n: index, %s: f32) {
  %r = kernel.reduce fma (%i) to (%n) {lanes = 1, block = 0} : f32 {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.reduce: expected the body to yield (f32, f32), got (f32)

// -----

kernel.func @integer_factors(%n: index, %s: i32) {
  %r = kernel.reduce fma (%i) to (%n) {lanes = 1, block = 0} : i32 {
    kernel.yield %s, %s : i32, i32
  }
}
// CHECK: kernel.reduce: expected floats for kind fma, got i32

// -----

kernel.func @memory(%n: index, %x: !kernel.buffer<f32, [1]>) {
  %r = kernel.reduce add (%i) to (%n) {lanes = 1, block = 0} : !kernel.buffer<f32, [1]> {
    kernel.yield %x : !kernel.buffer<f32, [1]>
  }
}
// CHECK: kernel.reduce: expected scalars to combine, got (!kernel.buffer<f32, [1]>)

// -----

// The scheduled form

kernel.func @carried(%n: index, %s: f32, %d: f64) {
  %r = kernel.for %i = %n to %n step %n iter_args(%a = %s) -> (f32) {
    kernel.yield %d : f64
  }
}
// CHECK: kernel.for: expected the body to yield (f32), got (f64)

// -----

kernel.func @no_else(%c: i1, %s: f32) {
  %r = kernel.if %c -> (f32) {
    kernel.yield %s : f32
  }
}
// CHECK: kernel.if: expected an else body where there are results

// -----

kernel.func @slice(%s: f32) {
  %v = kernel.splat %s : vector<8xf32>
  %w = kernel.slice %v[6] : vector<8xf32> to vector<4xf32>
}
// CHECK: kernel.slice: expected lanes inside vector<8xf32>, got [6] and 4 lanes

// -----

kernel.func @transpose(%s: f32) {
  %v = kernel.splat %s : vector<4xf32>
  %a, %b, %c, %d = kernel.transpose(%v, %v, %v) : vector<4xf32>
}
// CHECK: kernel.transpose: expected sides that are powers of two, got 3 x 4

// -----

kernel.func @transpose_other_type(%s: f32) {
  %v = kernel.splat %s : vector<2xf32>
  %a, %b = kernel.transpose(%v, %v) : vector<4xf32>
}
// CHECK: expected rows of type vector<4xf32>

// -----

kernel.func @transpose_scalars(%s: f32) {
  %a = kernel.transpose(%s) : f32
}
// CHECK: kernel.transpose: expected vectors of one type

// -----

kernel.func @preceding(%s: f32) {
  %v = kernel.splat %s : vector<4xf32>
  %w = kernel.preceding %v by 4 : vector<4xf32>
}
// CHECK: kernel.preceding: expected pairs of blocks of 1, 2, 4 ... lanes in vector<4xf32>, got blocks of 4

// -----

kernel.func @preceding_odd(%s: f32) {
  %v = kernel.splat %s : vector<12xf32>
  %w = kernel.preceding %v by 3 : vector<12xf32>
}
// CHECK: kernel.preceding: expected pairs of blocks of 1, 2, 4 ... lanes in vector<12xf32>, got blocks of 3

// -----

kernel.func @select(%s: f32, %n: index) {
  %v = kernel.splat %s : vector<8xf32>
  %m = kernel.mask %n : vector<4xi1>
  %w = kernel.select %m, %v, %v : vector<8xf32>
}
// CHECK: kernel.select: expected a condition for each lane of vector<8xf32>, got vector<4xi1>

// -----

kernel.func @predicate(%s: f32) {
  %v = kernel.splat %s : vector<8xf32>
  %w = kernel.compare slt, %v, %v : vector<8xf32>
}
// CHECK: kernel.compare: expected a predicate of ('false', 'oeq',

// -----

kernel.func @part(%z: i64) {
  %0 = kernel.part %z, 0 : i64 -> f64
}
// CHECK: kernel.part: expected f64 to be half of i64

// -----

kernel.func @third_part(%z: i64) {
  %0 = kernel.part %z, 2 : i64 -> f32
}
// CHECK: kernel.part: expected part 0 or 1, got 2

// -----

kernel.func @pair(%a: f32) {
  %0 = kernel.pair %a, %a : f32 -> i32
}
// CHECK: kernel.pair: expected f32 to be half of i32

// -----

kernel.func @any_of_numbers(%s: f32) {
  %v = kernel.splat %s : vector<4xf32>
  %b = kernel.any %v : vector<4xf32>
}
// CHECK: kernel.any: expected a vector of i1, got vector<4xf32>

// -----

kernel.func @first_set_of_numbers(%s: f32) {
  %v = kernel.splat %s : vector<4xf32>
  %n = kernel.first_set %v : vector<4xf32>
}
// CHECK: kernel.first_set: expected a vector of i1, got vector<4xf32>
