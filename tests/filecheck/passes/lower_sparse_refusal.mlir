// RUN: not trilith-opt %s -p tri-lower-sparse 2>&1 | filecheck %s

// A sparse tensor has no memory: it is no argument of a function.
// CHECK: error: f() takes a sparse tensor as one argument
// CHECK-NEXT: hint: let it take indices and values, and tri.assemble them
func.func @f(%s: !tri.tensor<4x5xf32, layout=sparse_coo>) {
  func.return
}
