// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Rows added to rows at the places that another buffer holds. Several may meet in one: the loop over
// them is serial, and only the columns are independent.

// CHECK-LABEL: kernel.func @scatter_add(
// CHECK:         kernel.for %i = %first to %n step %one {
// CHECK-NEXT:      kernel.map (%j) to (%m) {
// CHECK:             kernel.store %sum, %y[%place, %j]

// SCHEDULED-LABEL: kernel.func @scatter_add(
// SCHEDULED:         kernel.for {{.+}} to %n step {{.+}} {
// SCHEDULED:           kernel.for
// SCHEDULED:             kernel.load %places[{{.+}}] : i64
// SCHEDULED:             kernel.check {{.+}}, "BoundsError" at 0{{$}}
// SCHEDULED:             kernel.store {{.+}}, %y[{{.+}}, {{.+}}]
kernel.func @scatter_add(%n: index, %m: index, %size: index,
    %places: !kernel.buffer<i64, [1]> {kernel.access = "read"},
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite"}) {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  kernel.for %i = %first to %n step %one {
    kernel.map (%j) to (%m) {
      %k = kernel.load %places[%i] : i64
      %limit = arith.index_cast %size : index to i64
      %bad = arith.cmpi uge, %k, %limit : i64
      kernel.check %bad, "BoundsError" at 0
      %safe = arith.select %bad, %zero, %k : i64
      %place = arith.index_cast %safe : i64 to index
      %v = kernel.load %x[%i, %j] : f32
      %old = kernel.load %y[%place, %j] : f32
      %sum = arith.addf %old, %v : f32
      kernel.store %sum, %y[%place, %j]
    }
  }
}
