// RUN: not trilith-opt %s -p tri-resolve-conj 2>&1 | filecheck %s

// Nothing but a view hands out conjugates.
// CHECK: tri.neg: the result's is_conj must be False, but the type says True
func.func @computed(%x: !tri.tensor<2xcomplex<f32>>) -> !tri.tensor<2xcomplex<f32>, conj> {
  %0 = tri.neg %x : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>, conj>
  func.return %0 : !tri.tensor<2xcomplex<f32>, conj>
}
