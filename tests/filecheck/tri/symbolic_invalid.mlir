// RUN: trilith-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// What cannot be a size, or is known to be wrong, is refused where it stands.

// CHECK: symbolic_invalid.mlir:6:47: error: there is no size 'm'; there are n
func.func @unknown(%x: !tri.tensor<(n)x(2*n - m)xf32>) attributes {tri.symbols = #tri.symbols<n = 7>} {
  func.return
}

// -----

// CHECK: error: 'floordiv' cannot be a symbol
func.func @a_word(%x: !tri.tensor<3xf32>) attributes {tri.symbols = #tri.symbols<floordiv = 7>} {
  func.return
}

// -----

// CHECK: error: there is a symbol 'n' already
func.func @twice(%x: !tri.tensor<3xf32>) attributes {tri.symbols = #tri.symbols<n = 7, n = 8>} {
  func.return
}

// -----

// CHECK: error: a size that is a symbol is at least 2, but n is 1: 0 and 1 are written as numbers
func.func @one(%x: !tri.tensor<(n)xf32>) attributes {tri.symbols = #tri.symbols<n = 1>} {
  func.return
}

// -----

// CHECK: symbolic_invalid.mlir:34:95: error: n > 9 does not hold for n = 7: name other sizes in tri.symbols
func.func @wrong_guard(%x: !tri.tensor<(n)xf32>) attributes {tri.guards = #tri.guards<[n > 2, n > 9]>, tri.symbols = #tri.symbols<n = 7>} {
  func.return
}

// -----

// CHECK: error: expected ==, ne, <, <=, > or >=
func.func @no_relation(%x: !tri.tensor<(n)xf32>) attributes {tri.guards = #tri.guards<[n]>} {
  func.return
}

// -----

// CHECK: error: n - 8 is a size or a stride, so at least 2, which it is not for n = 7
func.func @too_small(%x: !tri.tensor<(n - 8)xf32>) attributes {tri.symbols = #tri.symbols<n = 7>} {
  func.return
}

// -----

// CHECK: error: division by zero
func.func @zero(%x: !tri.tensor<(n floordiv 0)xf32>) {
  func.return
}

// -----

// CHECK: error: an expression of more than 256 terms
func.func @terms(%x: !tri.tensor<((a+b+c+d+e+f)*(a+b+c+d+e+f)*(a+b+c+d+e+f)*(a+b+c+d+e+f))xf32>) {
  func.return
}

// -----

// CHECK: error: a number is written as an integer: 3 : i64
func.func @number(%x: !tri.tensor<4xf32>) {
  %0 = tri.slice %x {end = #tri.size<3>} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  func.return
}

// -----

// CHECK: error: numbers are written as an array: array<i64: 2, 2>
func.func @numbers(%x: !tri.tensor<4xf32>) {
  %0 = tri.view %x {size = #tri.sizes<[2, 2]>} : !tri.tensor<4xf32> -> !tri.tensor<2x2xf32>
  func.return
}

// -----

// CHECK: error: tri.add: The size of tensor a (7) must match the size of tensor b (8) at non-singleton dimension 0
func.func @shapes_that_do_not_broadcast(%x: !tri.tensor<(n)xf32>, %y: !tri.tensor<(m)xf32>) attributes {tri.symbols = #tri.symbols<n = 7, m = 8>} {
  %0 = tri.add %x, %y : !tri.tensor<(n)xf32>, !tri.tensor<(m)xf32> -> !tri.tensor<(n)xf32>
  func.return
}

// -----

// CHECK: error: tri.exp: the result's shape must be (n,), but the type says (n + 1,)
func.func @wrong_shape(%x: !tri.tensor<(n)xf32>) {
  %0 = tri.exp %x : !tri.tensor<(n)xf32> -> !tri.tensor<(n + 1)xf32>
  func.return
}
