// RUN: trilith-opt %s -p 'tri-specialize{n=5}' | filecheck %s
// RUN: trilith-opt %s -p 'tri-specialize{n=5 m=9}' | filecheck %s --check-prefix=BOTH
// RUN: trilith-opt %s -p 'tri-specialize{n=5 m=9},tri-promote-types,tri-fuse,tri-lower-to-kernel' | filecheck %s --check-prefix=LOWERED
// RUN: trilith-opt %s -p 'tri-promote-types,tri-fuse,tri-lower-to-kernel,tri-specialize{n=5 m=9}' | filecheck %s --check-prefix=LOWERED

// A size that was an argument is a constant; a symbol that a guard makes a number becomes one; what
// is known of the others stays.
// CHECK-LABEL: func.func @mean(%x: !tri.tensor<5x(m)xf32>, %y: !tri.tensor<5x3xf32>) -> !tri.tensor<(m - 1)xf32> attributes {tri.symbols = #tri.symbols<m = 6>, tri.guards = #tri.guards<[m > 2]>} {
// CHECK-NEXT:    %0 = tri.constant 5 : !tri.scalar<int>
// CHECK-NEXT:    %1 = tri.slice %x {dim = 1 : i64, start = 1 : i64, end = #tri.size<m>} : !tri.tensor<5x(m)xf32> -> !tri.tensor<5x(m - 1)xf32, layout=strided<[m, 1]>>
// CHECK-NEXT:    %2 = tri.sum %1
// CHECK-NEXT:    %3 = tri.true_divide %2, %0
// BOTH-LABEL: func.func @mean(%x: !tri.tensor<5x9xf32>, %y: !tri.tensor<5x3xf32>) -> !tri.tensor<8xf32> {
// BOTH:         tri.slice %x {dim = 1 : i64, start = 1 : i64, end = 9 : i64} : !tri.tensor<5x9xf32> -> !tri.tensor<5x8xf32, layout=strided<[9, 1]>>
// LOWERED:      tri.launch @sum_{{.*}}true_divide_0(%x, %{{.+}}, %{{.+}}) [8, 5, 1, 9, 0, 0] : !tri.tensor<5x9xf32>, !tri.tensor<8xf32>, !tri.scalar
func.func @mean(%x: !tri.tensor<(n)x(m)xf32>, %y: !tri.tensor<(k)x3xf32>, %0: !tri.scalar<int> {tri.size = #tri.size<n>}) -> !tri.tensor<(m - 1)xf32> attributes {tri.symbols = #tri.symbols<n = 7, m = 6, k = 7>, tri.guards = #tri.guards<[m > 2, n == k]>} {
  %1 = tri.slice %x {dim = 1 : i64, start = 1 : i64, end = #tri.size<m>} : !tri.tensor<(n)x(m)xf32> -> !tri.tensor<(n)x(m - 1)xf32, layout=strided<[m, 1]>>
  %2 = tri.sum %1 {dim = array<i64: 0>} : !tri.tensor<(n)x(m - 1)xf32, layout=strided<[m, 1]>> -> !tri.tensor<(m - 1)xf32>
  %3 = tri.true_divide %2, %0 : !tri.tensor<(m - 1)xf32>, !tri.scalar<int> -> !tri.tensor<(m - 1)xf32>
  func.return %3 : !tri.tensor<(m - 1)xf32>
}

// A function of numbers stays as it is.
// CHECK-LABEL: func.func @plain(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
func.func @plain(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  func.return %x : !tri.tensor<4xf32>
}
