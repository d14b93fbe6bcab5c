// RUN: trilith-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// What the verifier refuses: an operation against the rule of its row, in PyTorch's words.

// CHECK: invalid.mlir:8:3: error: tri.add: The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1
// CHECK-NEXT: %0 = tri.add %x, %y
func.func @shapes_that_do_not_broadcast(%x: !tri.tensor<4x3xf32>, %y: !tri.tensor<2xf32>) {
  %0 = tri.add %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<2xf32> -> !tri.tensor<4x3xf32>
  func.return
}

// -----

// CHECK: error: tri.exp: the result's shape must be (4, 3), but the type says (3, 4)
func.func @wrong_shape(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.exp %x : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32>
  func.return
}

// -----

// CHECK: error: tri.exp: the result's dtype must be trilith.float32, but the type says trilith.int32
func.func @wrong_dtype(%x: !tri.tensor<4xsi32>) {
  %0 = tri.exp %x : !tri.tensor<4xsi32> -> !tri.tensor<4xsi32>
  func.return
}

// -----

// CHECK: error: tri.exp: the result's device must be opencl:0, but the type says cpu
func.func @wrong_device(%x: !tri.tensor<4xf32, device="opencl:0">) {
  %0 = tri.exp %x : !tri.tensor<4xf32, device="opencl:0"> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.add: Tensor on device cpu is not on the expected device opencl:0!
func.func @two_devices(%x: !tri.tensor<4xf32, device="opencl:0">, %y: !tri.tensor<4xf32>) {
  %0 = tri.add %x, %y : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.permute: permute(): duplicate dims are not allowed.
func.func @duplicate_dims(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.permute %x {dims = array<i64: 0, 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x4xf32>
  func.return
}

// -----

// A view's strides follow from its operand's; those of other operations are free.
// CHECK: error: tri.permute: the result's strides must be (1, 3), but the type says (4, 1)
func.func @wrong_strides(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.permute %x {dims = array<i64: 1, 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32>
  func.return
}

// -----

// CHECK: error: tri.sum: there is no attribute 'dims'; there are dim, keepdim, dtype
func.func @unknown_attribute(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.sum %x {dims = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.cast: the attribute 'dtype' is missing
func.func @missing_attribute(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.cast %x : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  func.return
}

// -----

// CHECK: error: tri.sum: Dimension out of range (expected to be in range of [-2, 1], but got 2)
func.func @dim_out_of_range(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.sum %x {dim = array<i64: 2>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.matmul: mat1 and mat2 shapes cannot be multiplied (4x3 and 4x3)
func.func @matmul_of_shapes_that_do_not_fit(%x: !tri.tensor<4x3xf32>) {
  %0 = tri.matmul %x, %x : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  func.return
}

// -----

// CHECK: error: tri.exp: operand 0 must be a !tri.tensor or a !tri.scalar, but is i32
func.func @operand_of_another_dialect(%x: i32) {
  %0 = tri.exp %x : i32 -> !tri.tensor<f32>
  func.return
}

// -----

// CHECK: error: result 'result' at position 0 does not verify:
// CHECK-NEXT: !tri.scalar<int> should be of base attribute tri.tensor
func.func @scalar_result(%x: !tri.tensor<f32>) {
  %0 = tri.exp %x : !tri.tensor<f32> -> !tri.scalar<int>
  func.return
}

// -----

// CHECK: error: tri.constant: a constant is 0-dim, but its type is !tri.tensor<3xf32>
func.func @constant_with_a_dim() {
  %0 = tri.constant 2 : !tri.tensor<3xf32>
  func.return
}

// -----

// CHECK: error: tri.constant: true is not of kind int
func.func @constant_of_another_kind() {
  %0 = tri.constant true : !tri.scalar<int>
  func.return
}

// -----

// CHECK: error: tri.fusion: tri.yield must give values of the results' types
func.func @yield_of_another_type(%x: !tri.tensor<4xf32>) {
  %0 = tri.fusion (%p = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf64>) {
    tri.yield %p : !tri.tensor<4xf32>
  }
  func.return
}

// -----

// CHECK: error: Operation tri.exp terminates block in single-block region but is not a terminator
func.func @fusion_without_yield(%x: !tri.tensor<4xf32>) {
  %0 = tri.fusion (%p = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.exp %p : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  }
  func.return
}

// -----

// CHECK: error: Operation using value defined out of its IsolatedFromAbove parent
func.func @fusion_that_captures(%x: !tri.tensor<4xf32>) {
  %0 = tri.fusion () -> (!tri.tensor<4xf32>) {
    %1 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %1 : !tri.tensor<4xf32>
  }
  func.return
}

// -----

// CHECK: error: tri.fusion: the body's arguments must have the inputs' types
func.func @fusion_with_other_arguments(%x: !tri.tensor<4xf32>) {
  %0 = "tri.fusion"(%x) ({
  ^bb0(%p: !tri.tensor<5xf32>):
    "tri.yield"(%p) : (!tri.tensor<5xf32>) -> ()
  }) : (!tri.tensor<4xf32>) -> !tri.tensor<5xf32>
  func.return
}

// -----

// CHECK: error: tri.strided: the view reaches element 13, but its source spans 12
func.func @view_out_of_bounds() {
  %x = tri.empty : !tri.tensor<12xf32>
  %0 = tri.strided %x[7] : !tri.tensor<12xf32> -> !tri.tensor<2x3xf32>
  func.return
}

// -----

// CHECK: error: tri.strided: the view reaches element 7, but its source spans 6
func.func @bytes_out_of_bounds() {
  %x = tri.empty : !tri.tensor<12xf32>
  %0 = tri.strided %x[5] : !tri.tensor<12xf32> -> !tri.tensor<2xf64>
  func.return
}

// -----

// CHECK: error: Expected 1 operand, but got 2
func.func @view_of_two(%x: !tri.tensor<12xf32>) {
  %0 = "tri.strided"(%x, %x) <{offset = 0 : i64}> : (!tri.tensor<12xf32>, !tri.tensor<12xf32>) -> !tri.tensor<12xf32>
  func.return
}

// -----

// What the parser refuses: it points at the place.

// CHECK: invalid.mlir:201:37: error: i32 is not the type of a tensor's element
// CHECK-NEXT: func.func @signless
// CHECK-NEXT: {{^ {38}\^$}}
func.func @signless(%x: !tri.tensor<4xi32>) {
  func.return
}

// -----

// CHECK: error: a size is a number or an expression in parentheses, not '?'
func.func @unknown_size(%x: !tri.tensor<?xf32>) {
  func.return
}

// -----

// CHECK: error: dimensionality of sizes (2) must match dimensionality of strides (1)
func.func @strides_of_another_rank(%x: !tri.tensor<4x3xf32, layout=strided<[1]>>) {
  func.return
}

// -----

// CHECK: error: Storage size calculation overflowed with sizes=[4, 3] and strides=[-1, 2]
func.func @negative_stride(%x: !tri.tensor<4x3xf32, layout=strided<[-1, 2]>>) {
  func.return
}

// -----

// CHECK: error: Expected 'strided'
func.func @unknown_layout(%x: !tri.tensor<4x3xf32, layout=sparse_csr>) {
  func.return
}

// -----

// CHECK: error: Storage size calculation overflowed with sizes=[9223372036854775807, 9223372036854775807]
func.func @too_large(%x: !tri.tensor<9223372036854775807x9223372036854775807xf32>) {
  func.return
}

// -----

// CHECK: error: expected 'device', 'layout' or 'conj', but got 'colour'
func.func @unknown_part(%x: !tri.tensor<4xf32, colour="red">) {
  func.return
}

// -----

// CHECK: error: Expected one of cpu, cuda,
func.func @unknown_device(%x: !tri.tensor<4xf32, device="toaster">) {
  func.return
}

// -----

// CHECK: error: expected bool, int, float or complex, but got 'string'
func.func @unknown_kind(%x: !tri.scalar<string>) {
  func.return
}

// -----

// CHECK: error: 'diagonal' is not a memory format
func.func @unknown_format() attributes {a = #tri.format<diagonal>} {
  func.return
}

// -----

// CHECK: error: Invalid device string: 'cpu:x'
func.func @bad_device_index() attributes {a = #tri.device<"cpu:x">} {
  func.return
}

// -----

// CHECK: error: expected "nan", "inf" or "-inf", but got "three"
func.func @number_in_words() attributes {a = #tri.number<"three">} {
  func.return
}

// -----

// CHECK: error: tri.strided: the view begins 1 elements before its source
func.func @negative_offset() {
  %x = tri.empty : !tri.tensor<12xf32>
  %0 = tri.strided %x[-1] : !tri.tensor<12xf32> -> !tri.tensor<2xf32>
  func.return
}

// -----

// CHECK: error: operand is used with type i32, but has been previously used or defined with type !tri.tensor<12xf32>
func.func @launch_with_another_type(%x: !tri.tensor<12xf32>) {
  tri.launch @k(%x) [1] : i32
  func.return
}

// -----

// CHECK: error: expected 1 operand types but had 2
func.func @launch_with_too_few_types(%x: !tri.tensor<12xf32>) {
  tri.launch @k(%x, %x) [1] : !tri.tensor<12xf32>
  func.return
}

// -----

// CHECK: error: Operation tri.nonsense is not registered
func.func @no_such_operation() {
  %0 = tri.nonsense : !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.view_dtype: the source is trilith.float64, but the operand is trilith.float32
func.func @bytes_of_another_dtype(%x: !tri.tensor<4xf32>) {
  %0 = tri.view_dtype %x {dtype = si32, source = f64} : !tri.tensor<4xf32> -> !tri.tensor<4xsi32>
  func.return
}

// -----

// CHECK: error: tri.view_dtype: self.size(-1) must be divisible by 2 to view Float as Long (different element sizes), but got 3
func.func @bytes_left_over(%x: !tri.tensor<3xf32>) {
  %0 = tri.view_dtype %x {dtype = si64, source = f32} : !tri.tensor<3xf32> -> !tri.tensor<1xsi64>
  func.return
}

// -----

// CHECK: error: tri.view_dtype: the result's dtype must be trilith.int32, but the type says trilith.float32
func.func @bytes_as_said(%x: !tri.tensor<4xf32>) {
  %0 = tri.view_dtype %x {dtype = si32, source = f32} : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.strided_view: mismatch in length of strides and shape
func.func @sizes_without_strides(%x: !tri.tensor<4xf32>) {
  %0 = tri.strided_view %x {size = array<i64: 2, 2>, stride = array<i64: 1>} : !tri.tensor<4xf32> -> !tri.tensor<2x2xf32>
  func.return
}

// -----

// CHECK: error: tri.view_as_complex: Tensor must have a last dimension of size 2
func.func @no_pairs(%x: !tri.tensor<2x4xf32>) {
  %0 = tri.view_as_complex %x : !tri.tensor<2x4xf32> -> !tri.tensor<2xcomplex<f32>>
  func.return
}

// -----

// CHECK: error: tri.view_as_real: view_as_real is only supported for complex tensors
func.func @no_complex(%x: !tri.tensor<4xf32>) {
  %0 = tri.view_as_real %x : !tri.tensor<4xf32> -> !tri.tensor<4x2xf32>
  func.return
}

// -----

// CHECK: error: tri.copy_bytes: both memories are on cpu
func.func @copy_on_one_device(%x: !tri.tensor<4xf32>) {
  %0 = tri.empty : !tri.tensor<4xf32>
  tri.copy_bytes %x[0] into %0 : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}

// -----

// CHECK: error: tri.copy_bytes: bytes up to 20 are read, but the source has 16
func.func @copy_beyond_the_end(%x: !tri.tensor<4xf32>) {
  %0 = tri.empty : !tri.tensor<4xf32, device="opencl:0">
  tri.copy_bytes %x[1] into %0 : !tri.tensor<4xf32> into !tri.tensor<4xf32, device="opencl:0">
  func.return
}

// -----

// CHECK: error: tri.aminmax: expected 2 results, but there are 1
func.func @too_few_results(%x: !tri.tensor<4xf32>) {
  %0 = tri.aminmax %x : !tri.tensor<4xf32> -> !tri.tensor<f32>
  func.return
}

// -----

// CHECK: error: tri.max_along: result 1's dtype must be trilith.int64, but the type says trilith.int32
func.func @another_index(%x: !tri.tensor<4xf32>) {
  %0, %1 = tri.max_along %x {dim = 0 : i64} : !tri.tensor<4xf32> -> (!tri.tensor<f32>, !tri.tensor<si32>)
  func.return
}
