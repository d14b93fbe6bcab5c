// RUN: not trilith-opt %s -p 'tri-specialize{n=3}' 2>&1 | filecheck %s --check-prefix=GUARD
// RUN: not trilith-opt %s -p 'tri-specialize{n=9 m=8}' 2>&1 | filecheck %s --check-prefix=EQUAL
// RUN: not trilith-opt %s -p 'tri-specialize{n=1}' 2>&1 | filecheck %s --check-prefix=STRUCTURE
// RUN: not trilith-opt %s -p 'tri-specialize{n=9223372036854775807}' 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: not trilith-opt %s -p 'tri-specialize{k=4}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not trilith-opt %s -p 'tri-specialize{n=many}' 2>&1 | filecheck %s --check-prefix=NUMBER

// GUARD: error: n = 3 does not pass the guard n > 3
// GUARD-NEXT: hint: sizes that a guard does not take make another function: trace it for them
// EQUAL: error: m = 8, n = 9 does not pass the guard n == m
// STRUCTURE: error: n = 1: a size that is a symbol is at least 2
// STRUCTURE-NEXT: hint: sizes of 0 and 1 make another function: trace it for them
// LARGE: error: n = 9223372036854775807: not all sizes fit into 64 bits then
// UNKNOWN: error: there is no symbol 'k'; there are m, n
// NUMBER: trilith-opt: error: tri-specialize: a symbol is put in as a number: n=5
func.func @f(%x: !tri.tensor<(n)xf32>, %y: !tri.tensor<(m)xf32>) attributes {tri.symbols = #tri.symbols<n = 7, m = 7>, tri.guards = #tri.guards<[n > 3, n == m]>} {
  func.return
}
