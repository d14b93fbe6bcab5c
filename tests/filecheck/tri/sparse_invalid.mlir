// RUN: trilith-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// Parts that are not those of their tensor, and operations that take no sparse tensor.

// CHECK: error: tri.assemble: values are of shape (3,) and trilith.float32, not !tri.tensor<4xf32>
func.func @other_count(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<4xf32>) {
  %0 = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<4xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  func.return
}

// -----

// CHECK: error: tri.assemble: indices are sparse dims x entries of int64, not !tri.tensor<2x3xsi32>
func.func @other_indices(%i: !tri.tensor<2x3xsi32>, %v: !tri.tensor<3xf32>) {
  %0 = tri.assemble %i, %v : !tri.tensor<2x3xsi32>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  func.return
}

// -----

// CHECK: error: tri.disassemble: the whole is of layout sparse_coo, not !tri.tensor<4x5xf32>
func.func @dense(%x: !tri.tensor<4x5xf32>) {
  %0, %1 = tri.disassemble %x : !tri.tensor<4x5xf32> -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)
  func.return
}

// -----

// CHECK: error: tri.sparse: no operation 'exp' takes sparse tensors
func.func @no_form(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) {
  %s = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %0 = tri.sparse "exp"(%s) : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  func.return
}

// -----

// CHECK: error: tri.sparse: neg has 1 operands, not 2
func.func @too_many(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) {
  %s = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %0 = tri.sparse "neg"(%s, %s) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  func.return
}

// -----

// CHECK: error: tri.sparse: no operand and no result is of layout sparse_coo
func.func @nothing_sparse(%x: !tri.tensor<4xf32>) {
  %0 = tri.sparse "neg"(%x) : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.neg: sparse tensors are operands of tri.sparse alone
func.func @plain(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) {
  %s = tri.assemble %i, %v : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<4x5xf32, layout=sparse_coo>
  %0 = tri.neg %s : !tri.tensor<4x5xf32, layout=sparse_coo> -> !tri.tensor<4x5xf32>
  func.return
}
