// RUN: trilith-opt %s | filecheck %s
// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s

// A size that is an expression stands in parentheses; what is known of its symbols are attributes.
// CHECK-LABEL: func.func @views(
// CHECK-SAME:    %x: !tri.tensor<(n0)x3x(n1)xf32>) -> !tri.tensor<(n1 - 1)x3x(n0)xf32, layout=strided<[1, n1, 3*n1]>>
// CHECK-SAME:    attributes {tri.symbols = #tri.symbols<n0 = 5, n1 = 6>, tri.guards = #tri.guards<[n1 > 2]>} {
// CHECK-NEXT:    %0 = tri.slice %x {dim = 2 : i64, start = 1 : i64, end = #tri.size<n1>}
// CHECK-NEXT:    %1 = tri.permute %0 {dims = array<i64: 2, 1, 0>}
func.func @views(%x: !tri.tensor<(n0)x3x(n1)xf32>) -> !tri.tensor<(n1 - 1)x3x(n0)xf32, layout=strided<[1, n1, 3*n1]>> attributes {tri.symbols = #tri.symbols<n0 = 5, n1 = 6>, tri.guards = #tri.guards<[n1 > 2]>} {
  %0 = tri.slice %x {dim = 2 : i64, start = 1 : i64, end = #tri.size<n1>} : !tri.tensor<(n0)x3x(n1)xf32> -> !tri.tensor<(n0)x3x(n1 - 1)xf32, layout=strided<[3*n1, n1, 1]>>
  %1 = tri.permute %0 {dims = array<i64: 2, 1, 0>} : !tri.tensor<(n0)x3x(n1 - 1)xf32, layout=strided<[3*n1, n1, 1]>> -> !tri.tensor<(n1 - 1)x3x(n0)xf32, layout=strided<[1, n1, 3*n1]>>
  func.return %1 : !tri.tensor<(n1 - 1)x3x(n0)xf32, layout=strided<[1, n1, 3*n1]>>
}

// The words are those of MLIR's affine expressions; equal ones are printed in one way.
// CHECK-LABEL: func.func @words(
// CHECK-SAME:    %a: !tri.tensor<(n floordiv 2)x(n ceildiv 2)x(n + 3)xf32>
// CHECK-SAME:    %b: !tri.tensor<(n - 3*(n floordiv 3) + 2)xf32>
// CHECK-SAME:    %c: !tri.tensor<(m*n + 2*m + 2*n + 4)xf32>
// CHECK-SAME:    %d: !tri.tensor<((m + n) floordiv m)x4xf32>
// CHECK-SAME:    %e: !tri.tensor<(m)xf32>
func.func @words(%a: !tri.tensor<(n floordiv 2)x(-(-n floordiv 2))x(3 + n)xf32>, %b: !tri.tensor<(n mod 3 + 2)xf32>, %c: !tri.tensor<((n + 2) * (2 + m))xf32>, %d: !tri.tensor<((m + n) floordiv m)x(2 * 2)xf32>, %e: !tri.tensor<(m * n floordiv n)xf32>) attributes {tri.symbols = #tri.symbols<n = 9, m = 8>} {
  func.return
}

// Values that nobody gives are found; what a text says of a size is a guard, as all it asks for.
// CHECK-LABEL: func.func @guards(
// CHECK-SAME:    tri.symbols = #tri.symbols<a = 40, b = 39, c = 52, e = 40, d = 40>
// CHECK-SAME:    tri.guards = #tri.guards<[a > b, b > 3, c ne a, e == a, 64 >= d, d > 2]>
func.func @guards(%x: !tri.tensor<(a)x(b)x(c)x(d - 1)x(e)xf32>) attributes {tri.guards = #tri.guards<[a > b, b >= 4, c ne a, e == a, d <= 64, 2 < d]>} {
  func.return
}

// Each function has symbols of its own; one that is no size may be any number.
// CHECK-LABEL: func.func @another(
// CHECK-SAME:    tri.symbols = #tri.symbols<n = 7, any k = -3>, tri.guards = #tri.guards<[k + n > 1]>
// CHECK:         tri.full_strided %0 {size = #tri.sizes<[k + n, 2]>
func.func @another(%x: !tri.tensor<(n)xf32>, %0: !tri.scalar<float>) -> !tri.tensor<(n + k)x2xf32> attributes {tri.symbols = #tri.symbols<n = 7, any k = -3>} {
  %1 = tri.full_strided %0 {size = #tri.sizes<[n + k, 2]>, dtype = f32} : !tri.scalar<float> -> !tri.tensor<(n + k)x2xf32>
  func.return %1 : !tri.tensor<(n + k)x2xf32>
}

// What is left of a function that was lowered: places, offsets and integers of launches.
// CHECK-LABEL: func.func @lowered(
// CHECK:         %0 = tri.empty in arena[64*(n ceildiv 16)] : !tri.tensor<(n)xf32>
// CHECK-NEXT:    tri.launch @copy_0(%x, %0) [n, 0, 2*n - 1] : !tri.tensor<(n)xf32>, !tri.tensor<(n)xf32>
// CHECK-NEXT:    %1 = tri.strided %0[n - 2] : !tri.tensor<(n)xf32> -> !tri.tensor<2xf32>
func.func @lowered(%x: !tri.tensor<(n)xf32>) -> !tri.tensor<2xf32> attributes {tri.symbols = #tri.symbols<n = 7>} {
  %0 = tri.empty in arena[(n ceildiv 16) * 64] : !tri.tensor<(n)xf32>
  tri.launch @copy_0(%x, %0) [n, 0, n + n - 1] : !tri.tensor<(n)xf32>, !tri.tensor<(n)xf32>
  %1 = tri.strided %0[n - 2] : !tri.tensor<(n)xf32> -> !tri.tensor<2xf32>
  func.return %1 : !tri.tensor<2xf32>
}
