// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Elements at the places that another buffer holds: an index that is computed, checked and replaced.

// CHECK-LABEL: kernel.func @gather(
// CHECK:         kernel.check %bad, "BoundsError" at 0 with %k, %dim, %limit
// CHECK-NEXT:    %safe = arith.select %bad, %zero, %k : i64
// CHECK-NEXT:    %place = arith.index_cast %safe : i64 to index
// CHECK-NEXT:    %v = kernel.load %x[%place] : f32

// Each lane has an address of its own, and under a mask the lanes that are off are not checked.
// SCHEDULED-LABEL: kernel.func @gather(
// SCHEDULED:         kernel.check {{.+}}, "BoundsError" at 0 with
// SCHEDULED:         kernel.convert index_cast {{.+}} : vector<{{[48]}}xi64> to vector<{{[48]}}xindex>
// SCHEDULED:         kernel.load {{.+}} : vector<{{[48]}}xf32>
// SCHEDULED:         kernel.check {{.+}}, "BoundsError" at 0 with {{.+}} mask
kernel.func @gather(%n: index, %size: index,
    %places: !kernel.buffer<i64, [1]> {kernel.access = "read"},
    %x: !kernel.buffer<f32, [?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  %zero = arith.constant 0 : i64
  %dim = arith.constant 0 : i64
  kernel.map (%i) to (%n) {
    %k = kernel.load %places[%i] : i64
    %limit = arith.index_cast %size : index to i64
    %bad = arith.cmpi uge, %k, %limit : i64
    kernel.check %bad, "BoundsError" at 0 with %k, %dim, %limit
    %safe = arith.select %bad, %zero, %k : i64
    %place = arith.index_cast %safe : i64 to index
    %v = kernel.load %x[%place] : f32
    kernel.store %v, %y[%i]
  }
}
