// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// A long body stands there once; its loads and its stores know whether all lanes are inside.

// CHECK-LABEL: kernel.func @long(
// CHECK:         kernel.for %[[I:.+]] = %{{.+}} to %n step %[[STEP:.+]] {
// CHECK-NEXT:      %[[LEFT:.+]] = arith.subi %n, %[[I]] : index
// CHECK-NEXT:      %[[WHOLE:.+]] = arith.cmpi sge, %[[LEFT]], %[[STEP]] : index
// CHECK-NEXT:      %[[A:.+]], %[[B:.+]] = kernel.if %[[WHOLE]] -> (vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:        %[[X:.+]] = kernel.load %x[%[[I]]] : vector<16xf32>
// CHECK-NEXT:        %[[Y:.+]] = kernel.load %y[%[[I]]] : vector<16xf32>
// CHECK-NEXT:        kernel.yield %[[X]], %[[Y]] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[MASK:.+]] = kernel.mask %[[LEFT]] : vector<16xi1>
// CHECK-NEXT:        kernel.load %x[%[[I]]] mask %[[MASK]] : vector<16xf32>
// CHECK-NEXT:        kernel.load %y[%[[I]]] mask %[[MASK]] : vector<16xf32>
// CHECK:           arith.mulf %[[A]], %[[B]] : vector<16xf32>
// CHECK:           kernel.if %[[WHOLE]] {
// CHECK-NEXT:        kernel.store %[[R:.+]], %y[%[[I]]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %[[REST:.+]] = kernel.mask %[[LEFT]] : vector<16xi1>
// CHECK-NEXT:        kernel.store %[[R]], %y[%[[I]]] mask %[[REST]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
kernel.func @long(%n: index,
    %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "readwrite"}) {
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f32
    %w = kernel.load %y[%i] : f32
    %0 = arith.mulf %v, %w : f32
    %1 = arith.mulf %0, %v : f32
    %2 = arith.mulf %1, %w : f32
    %3 = arith.mulf %2, %v : f32
    %4 = arith.mulf %3, %w : f32
    %5 = arith.mulf %4, %v : f32
    %6 = arith.mulf %5, %w : f32
    %7 = arith.mulf %6, %v : f32
    %8 = arith.mulf %7, %w : f32
    %9 = arith.mulf %8, %v : f32
    %10 = arith.mulf %9, %w : f32
    %11 = arith.mulf %10, %v : f32
    %12 = arith.mulf %11, %w : f32
    %13 = arith.mulf %12, %v : f32
    %14 = arith.mulf %13, %w : f32
    %15 = arith.mulf %14, %v : f32
    %16 = arith.mulf %15, %w : f32
    %17 = arith.mulf %16, %v : f32
    %18 = arith.mulf %17, %w : f32
    %19 = arith.mulf %18, %v : f32
    %20 = arith.mulf %19, %w : f32
    %21 = arith.mulf %20, %v : f32
    %22 = arith.mulf %21, %w : f32
    %23 = arith.mulf %22, %v : f32
    kernel.store %23, %y[%i]
  }
}

// Where memory is strided each lane is code of its own, which no branch makes shorter.

// CHECK-LABEL: kernel.func @strided(
// CHECK:         kernel.for
// CHECK-NOT:       kernel.if
// CHECK:         kernel.for
kernel.func @strided(%n: index,
    %x: !kernel.buffer<f32, [?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "readwrite"}) {
  kernel.map (%i) to (%n) {
    %v = kernel.load %x[%i] : f32
    %w = kernel.load %y[%i] : f32
    %0 = arith.mulf %v, %w : f32
    %1 = arith.mulf %0, %v : f32
    %2 = arith.mulf %1, %w : f32
    %3 = arith.mulf %2, %v : f32
    %4 = arith.mulf %3, %w : f32
    %5 = arith.mulf %4, %v : f32
    %6 = arith.mulf %5, %w : f32
    %7 = arith.mulf %6, %v : f32
    %8 = arith.mulf %7, %w : f32
    %9 = arith.mulf %8, %v : f32
    %10 = arith.mulf %9, %w : f32
    %11 = arith.mulf %10, %v : f32
    %12 = arith.mulf %11, %w : f32
    %13 = arith.mulf %12, %v : f32
    %14 = arith.mulf %13, %w : f32
    %15 = arith.mulf %14, %v : f32
    %16 = arith.mulf %15, %w : f32
    %17 = arith.mulf %16, %v : f32
    %18 = arith.mulf %17, %w : f32
    %19 = arith.mulf %18, %v : f32
    %20 = arith.mulf %19, %w : f32
    %21 = arith.mulf %20, %v : f32
    %22 = arith.mulf %21, %w : f32
    %23 = arith.mulf %22, %v : f32
    kernel.store %23, %y[%i]
  }
}
