// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s --print-op-generic | trilith-opt | filecheck %s

// Every form that a type can take, unchanged through parser and printer in both syntaxes.

// CHECK: func.func @dtypes(%[[ARGS:.*]]: !tri.tensor<1xi1>, %{{.*}}: !tri.tensor<1xui8>, %{{.*}}: !tri.tensor<1xsi8>
// CHECK-SAME: !tri.tensor<1xsi16>, %{{.*}}: !tri.tensor<1xsi32>, %{{.*}}: !tri.tensor<1xsi64>
// CHECK-SAME: !tri.tensor<1xui16>, %{{.*}}: !tri.tensor<1xui32>, %{{.*}}: !tri.tensor<1xui64>
// CHECK-SAME: !tri.tensor<1xf16>, %{{.*}}: !tri.tensor<1xbf16>, %{{.*}}: !tri.tensor<1xf32>, %{{.*}}: !tri.tensor<1xf64>
func.func @dtypes(%0: !tri.tensor<1xi1>, %1: !tri.tensor<1xui8>, %2: !tri.tensor<1xsi8>,
    %3: !tri.tensor<1xsi16>, %4: !tri.tensor<1xsi32>, %5: !tri.tensor<1xsi64>,
    %6: !tri.tensor<1xui16>, %7: !tri.tensor<1xui32>, %8: !tri.tensor<1xui64>,
    %9: !tri.tensor<1xf16>, %10: !tri.tensor<1xbf16>, %11: !tri.tensor<1xf32>, %12: !tri.tensor<1xf64>) {
  func.return
}

// CHECK: func.func @complex(%{{.*}}: !tri.tensor<2xcomplex<f16>>, %{{.*}}: !tri.tensor<complex<f32>>, %{{.*}}: !tri.tensor<complex<f64>>)
func.func @complex(%0: !tri.tensor<2xcomplex<f16>>, %1: !tri.tensor<complex<f32>>, %2: !tri.tensor<complex<f64>>) {
  func.return
}

// CHECK: func.func @small_floats(%{{.*}}: !tri.tensor<f8E5M2>, %{{.*}}: !tri.tensor<f8E4M3FN>, %{{.*}}: !tri.tensor<f8E5M2FNUZ>
// CHECK-SAME: !tri.tensor<f8E4M3FNUZ>, %{{.*}}: !tri.tensor<f8E8M0FNU>, %{{.*}}: !tri.tensor<8x!tri.f4E2M1FNx2>
func.func @small_floats(%0: !tri.tensor<f8E5M2>, %1: !tri.tensor<f8E4M3FN>, %2: !tri.tensor<f8E5M2FNUZ>,
    %3: !tri.tensor<f8E4M3FNUZ>, %4: !tri.tensor<f8E8M0FNU>, %5: !tri.tensor<8x!tri.f4E2M1FNx2>) {
  func.return
}

// What is usual is left out: the device cpu, and the strides of a fresh tensor.
// CHECK: func.func @places(%{{.*}}: !tri.tensor<4x3xf32>, %{{.*}}: !tri.tensor<4x3xf32, device="opencl:0">
// CHECK-SAME: !tri.tensor<4x3xf32, layout=strided<[1, 4]>>, %{{.*}}: !tri.tensor<4x3xf32, device="meta", layout=strided<[1, 4]>>
// CHECK-SAME: !tri.tensor<4x3xf32, layout=strided<[0, 0]>>, %{{.*}}: !tri.tensor<0x3xf32>, %{{.*}}: !tri.tensor<2x0x1xi1>
func.func @places(%0: !tri.tensor<4x3xf32, device="cpu", layout=strided<[3, 1]>>,
    %1: !tri.tensor<4x3xf32, device="opencl:0">,
    %2: !tri.tensor<4x3xf32, layout=strided<[1, 4]>>,
    %3: !tri.tensor<4x3xf32, layout=strided<[1, 4]>, device="meta">,
    %4: !tri.tensor<4x3xf32, layout=strided<[0, 0]>>,
    %5: !tri.tensor<0x3xf32>, %6: !tri.tensor<2x0x1xi1>) {
  func.return
}

// CHECK: func.func @scalars(%{{.*}}: !tri.scalar<bool>, %{{.*}}: !tri.scalar<int>, %{{.*}}: !tri.scalar<float>, %{{.*}}: !tri.scalar<complex>)
func.func @scalars(%0: !tri.scalar<bool>, %1: !tri.scalar<int>, %2: !tri.scalar<float>, %3: !tri.scalar<complex>) {
  // CHECK-NEXT: tri.constant true : !tri.scalar<bool>
  // CHECK-NEXT: tri.constant -2 : !tri.scalar<int>
  // CHECK-NEXT: tri.constant 18446744073709551615 : !tri.scalar<int>
  // CHECK-NEXT: tri.constant 2.5 : !tri.scalar<float>
  // CHECK-NEXT: tri.constant -0.0 : !tri.scalar<float>
  // CHECK-NEXT: tri.constant 1.0e-45 : !tri.scalar<float>
  // CHECK-NEXT: tri.constant "nan" : !tri.scalar<float>
  // CHECK-NEXT: tri.constant "-inf" : !tri.scalar<float>
  // CHECK-NEXT: tri.constant 2.0 : !tri.scalar<float>
  // CHECK-NEXT: tri.constant (1.0, -0.5) : !tri.scalar<complex>
  // CHECK-NEXT: tri.constant 3 : !tri.tensor<f32>
  %c0 = tri.constant true : !tri.scalar<bool>
  %c1 = tri.constant -2 : !tri.scalar<int>
  %c2 = tri.constant 18446744073709551615 : !tri.scalar<int>
  %c3 = tri.constant 2.5 : !tri.scalar<float>
  %c4 = tri.constant -0.0 : !tri.scalar<float>
  %c5 = tri.constant 1.0e-45 : !tri.scalar<float>
  %c6 = tri.constant "nan" : !tri.scalar<float>
  %c7 = tri.constant "-inf" : !tri.scalar<float>
  %c8 = tri.constant 2 : !tri.scalar<float>
  %c9 = tri.constant (1.0, -0.5) : !tri.scalar<complex>
  %c10 = tri.constant 3 : !tri.tensor<f32>
  func.return
}

// One operation of each family. A static value or a number that equals the schema's default is left out.
// CHECK: func.func @families(
func.func @families(%x: !tri.tensor<4x3xf32>, %y: !tri.tensor<3xf32>, %n: !tri.scalar<int>) {
  // CHECK-NEXT: %[[SUM:.*]] = tri.add %[[X:.*]], %[[Y:.*]] : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4x3xf32>
  // CHECK-NEXT: tri.add %[[X]], %[[N:.*]], %[[N]] : !tri.tensor<4x3xf32>, !tri.scalar<int>, !tri.scalar<int> -> !tri.tensor<4x3xf32>
  %0 = tri.add %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4x3xf32>
  %1 = tri.add %x, %n, %n : !tri.tensor<4x3xf32>, !tri.scalar<int>, !tri.scalar<int> -> !tri.tensor<4x3xf32>
  // CHECK-NEXT: tri.cast %[[X]] {dtype = bf16} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xbf16>
  // CHECK-NEXT: tri.eq %[[X]], %[[Y]] : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4x3xi1>
  %2 = tri.cast %x {dtype = bf16} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xbf16>
  %3 = tri.eq %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4x3xi1>
  // CHECK-NEXT: tri.permute %[[X]] {dims = array<i64: 1, 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32, layout=strided<[1, 3]>>
  %4 = tri.permute %x {dims = array<i64: 1, 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32, layout=strided<[1, 3]>>
  // CHECK-NEXT: tri.sum %[[X]] {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
  // CHECK-NEXT: tri.sum %[[X]] {dim = array<i64: -1>, keepdim = #tri.number<true>, dtype = f64} : !tri.tensor<4x3xf32> -> !tri.tensor<4x1xf64>
  // CHECK-NEXT: tri.argmax %[[X]] : !tri.tensor<4x3xf32> -> !tri.tensor<si64>
  %5 = tri.sum %x {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
  %6 = tri.sum %x {dim = array<i64: -1>, keepdim = #tri.number<true>, dtype = f64} : !tri.tensor<4x3xf32> -> !tri.tensor<4x1xf64>
  %7 = tri.argmax %x : !tri.tensor<4x3xf32> -> !tri.tensor<si64>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tri.aminmax %[[X]] : !tri.tensor<4x3xf32> -> (!tri.tensor<f32>, !tri.tensor<f32>)
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tri.max_along %[[X]] {dim = 0 : i64} : !tri.tensor<4x3xf32> -> (!tri.tensor<3xf32>, !tri.tensor<3xsi64>)
  %low, %high = tri.aminmax %x : !tri.tensor<4x3xf32> -> (!tri.tensor<f32>, !tri.tensor<f32>)
  %values, %indices = tri.max_along %x {dim = 0 : i64} : !tri.tensor<4x3xf32> -> (!tri.tensor<3xf32>, !tri.tensor<3xsi64>)
  // CHECK-NEXT: tri.matmul %[[X]], %[[Y]] : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4xf32>
  %8 = tri.matmul %x, %y : !tri.tensor<4x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<4xf32>
  // CHECK-NEXT: tri.cat %[[X]], %[[X]] {dim = 1 : i64} : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x6xf32>
  %9 = tri.cat %x, %x {dim = 1 : i64} : !tri.tensor<4x3xf32>, !tri.tensor<4x3xf32> -> !tri.tensor<4x6xf32>
  // CHECK-NEXT: tri.clone %[[X]] {memory_format = #tri.format<contiguous_format>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  // CHECK-NEXT: tri.transfer %[[X]] {device = #tri.device<"opencl:1">} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32, device="opencl:1">
  %10 = tri.clone %x {memory_format = #tri.format<contiguous_format>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %11 = tri.transfer %x {device = #tri.device<"opencl:1">} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32, device="opencl:1">
  // CHECK-NEXT: tri.gelu %[[X]] {approximate = "tanh"} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %12 = tri.gelu %x {approximate = "tanh"} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  func.return
}

// Views of the storage: other bytes, other places. A complex number is a pair.
// CHECK: func.func @storage(
func.func @storage(%x: !tri.tensor<4x3xf32>, %c: !tri.tensor<4xcomplex<f32>>, %p: !tri.tensor<3x2xf64>) {
  // CHECK-NEXT: tri.view_dtype %[[X:.*]] {dtype = si16, source = f32} : !tri.tensor<4x3xf32> -> !tri.tensor<4x6xsi16>
  %0 = tri.view_dtype %x {dtype = si16, source = f32} : !tri.tensor<4x3xf32> -> !tri.tensor<4x6xsi16>
  // CHECK-NEXT: tri.strided_view %[[X]] {size = array<i64: 2, 2>, stride = array<i64: 3, 1>, offset = -1 : i64} : !tri.tensor<4x3xf32> -> !tri.tensor<2x2xf32, layout=strided<[3, 1]>>
  %1 = tri.strided_view %x {size = array<i64: 2, 2>, stride = array<i64: 3, 1>, offset = -1 : i64} : !tri.tensor<4x3xf32> -> !tri.tensor<2x2xf32, layout=strided<[3, 1]>>
  // CHECK-NEXT: tri.view_as_real %[[C:.*]] : !tri.tensor<4xcomplex<f32>> -> !tri.tensor<4x2xf32>
  // CHECK-NEXT: tri.view_as_complex %[[P:.*]] : !tri.tensor<3x2xf64> -> !tri.tensor<3xcomplex<f64>>
  %2 = tri.view_as_real %c : !tri.tensor<4xcomplex<f32>> -> !tri.tensor<4x2xf32>
  %3 = tri.view_as_complex %p : !tri.tensor<3x2xf64> -> !tri.tensor<3xcomplex<f64>>
  // CHECK-NEXT: tri.flip %[[X]] {dims = array<i64: 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  %4 = tri.flip %x {dims = array<i64: 0>} : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
  // CHECK-NEXT: tri.strided %[[X]][-2] : !tri.tensor<4x3xf32> -> !tri.tensor<4xsi16>
  %5 = tri.strided %x[-2] : !tri.tensor<4x3xf32> -> !tri.tensor<4xsi16>
  func.return
}

// CHECK: func.func @creation() -> !tri.tensor<5xsi64> {
// CHECK-NEXT: tri.range_of {start = #tri.number<0>, end = #tri.number<5>, step = #tri.number<1>} : -> !tri.tensor<5xsi64>
func.func @creation() -> !tri.tensor<5xsi64> {
  %0 = tri.range_of {start = #tri.number<0>, end = #tri.number<5>, step = #tri.number<1>} : -> !tri.tensor<5xsi64>
  func.return %0 : !tri.tensor<5xsi64>
}

// CHECK: func.func @fused(%[[A:.*]]: !tri.tensor<4xf32>, %[[B:.*]]: !tri.tensor<4xf32>)
// CHECK-NEXT: tri.fusion (%[[P:.*]] = %[[A]] : !tri.tensor<4xf32>, %[[Q:.*]] = %[[B]] : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xf32>) {
// CHECK-NEXT: %[[PRODUCT:.*]] = tri.mul %[[P]], %[[Q]] : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
// CHECK-NEXT: tri.yield %[[PRODUCT]], %[[P]] : !tri.tensor<4xf32>, !tri.tensor<4xf32>
// CHECK-NEXT: }
func.func @fused(%a: !tri.tensor<4xf32>, %b: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0, %1 = tri.fusion (%p = %a : !tri.tensor<4xf32>, %q = %b : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xf32>) {
    %2 = tri.mul %p, %q : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %2, %p : !tri.tensor<4xf32>, !tri.tensor<4xf32>
  }
  func.return %0 : !tri.tensor<4xf32>
}

// The host side of a lowered program.
// CHECK: func.func @lowered(%[[X:.*]]: !tri.tensor<4x3xf32>)
// CHECK-NEXT: %[[OWN:.*]] = tri.empty : !tri.tensor<12xf32>
// CHECK-NEXT: %[[PLACED:.*]] = tri.empty in arena[64] : !tri.tensor<4xf32>
// CHECK-NEXT: tri.launch @double(%[[X]], %[[OWN]]) [12, 0, 0] : !tri.tensor<4x3xf32>, !tri.tensor<12xf32>
// CHECK-NEXT: tri.launch @quotient(%[[OWN]], %[[PLACED]]) [-4, 0] origins ["f.py:3", "f.py:4"] : !tri.tensor<12xf32>, !tri.tensor<4xf32>
// CHECK-NEXT: tri.strided %[[OWN]][6] : !tri.tensor<12xf32> -> !tri.tensor<2x3xf32, layout=strided<[1, 2]>>
func.func @lowered(%x: !tri.tensor<4x3xf32>) -> !tri.tensor<2x3xf32, layout=strided<[1, 2]>> {
  %0 = tri.empty : !tri.tensor<12xf32>
  %1 = tri.empty in arena[64] : !tri.tensor<4xf32>
  tri.launch @double(%x, %0) [12, 0, 0] : !tri.tensor<4x3xf32>, !tri.tensor<12xf32>
  tri.launch @quotient(%0, %1) [-4, 0] origins ["f.py:3", "f.py:4"] : !tri.tensor<12xf32>, !tri.tensor<4xf32>
  %2 = tri.strided %0[6] : !tri.tensor<12xf32> -> !tri.tensor<2x3xf32, layout=strided<[1, 2]>>
  func.return %2 : !tri.tensor<2x3xf32, layout=strided<[1, 2]>>
}
