# RUN: python %s | filecheck %s
# ruff: noqa: E501
# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

# What a function is mapped over is one dim more of each operation: there is no loop.

import trilith as tri

x = tri.ones(3)
y = tri.ones(3)
a = tri.ones(2, 3)
b = tri.ones(4, 3)
i = tri.tensor([0, 2])

# Elementwise: what has fewer dims gets dims behind that of the examples.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %y: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.sum %x {dim = array<i64: 1>} : !tri.tensor<2x3xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: %1 = tri.unsqueeze %0 {dim = 1 : i64} : !tri.tensor<2xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %2 = tri.add %1, %y : !tri.tensor<2x1xf32>, !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %2 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x, y: x.sum() + y, in_dims=(0, 0)), a, a))

# What is the same for all broadcasts.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %captured: !tri.tensor<3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.mul %x, %captured : !tri.tensor<2x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %0 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x: x * y), a))

# A reduction keeps the dim of the examples, whatever dims it names.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2xf32> {
# CHECK-NEXT: %0 = tri.amax %x {dim = array<i64: 1>} : !tri.tensor<2x3xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: %1 = tri.mean %x {dim = array<i64: 1>} : !tri.tensor<2x3xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: %2 = tri.sub %0, %1 : !tri.tensor<2xf32>, !tri.tensor<2xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: func.return %2 : !tri.tensor<2xf32>
print(tri.trace(tri.vmap(lambda x: x.amax(-1) - x.mean()), a))

# Scans and sorts run along a dim counted behind it.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.cumsum %x {dim = 1 : i64} : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %1, %2 = tri.sort %0 {dim = 1 : i64} : !tri.tensor<2x3xf32> -> (!tri.tensor<2x3xf32>, !tri.tensor<2x3xsi64>)
# CHECK-NEXT: func.return %1 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x: x.cumsum(0).sort()[0]), a))

# Views.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x2x2xf32, layout=strided<[3, 1, 0]>> {
# CHECK-NEXT: %0 = tri.view %x {size = array<i64: 2, 1, 3>} : !tri.tensor<2x3xf32> -> !tri.tensor<2x1x3xf32>
# CHECK-NEXT: %1 = tri.transpose %0 {dim0 = 1 : i64, dim1 = 2 : i64} : !tri.tensor<2x1x3xf32> -> !tri.tensor<2x3x1xf32, layout=strided<[3, 1, 3]>>
# CHECK-NEXT: %2 = tri.expand %1 {size = array<i64: 2, 3, 2>} : !tri.tensor<2x3x1xf32, layout=strided<[3, 1, 3]>> -> !tri.tensor<2x3x2xf32, layout=strided<[3, 1, 0]>>
# CHECK-NEXT: %3 = tri.slice %2 {dim = 1 : i64, start = 1 : i64, end = 3 : i64} : !tri.tensor<2x3x2xf32, layout=strided<[3, 1, 0]>> -> !tri.tensor<2x2x2xf32, layout=strided<[3, 1, 0]>>
# CHECK-NEXT: func.return %3 : !tri.tensor<2x2x2xf32, layout=strided<[3, 1, 0]>>
print(tri.trace(tri.vmap(lambda x: x.view(1, 3).transpose(0, 1).expand(3, 2)[1:]), a))

# A dim that is no longer the first: it moves, and moves back.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.movedim %x {source = array<i64: 1>, destination = array<i64: 0>} : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: %1 = tri.exp %0 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: %2 = tri.movedim %1 {source = array<i64: 0>, destination = array<i64: 1>} : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %2 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x: x.exp(), in_dims=1, out_dims=1), a))

# Joins; what is the same for all is expanded.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %captured: !tri.tensor<3xf32>) -> !tri.tensor<2x6xf32> {
# CHECK-NEXT: %0 = tri.expand %captured {size = array<i64: 2, 3>} : !tri.tensor<3xf32> -> !tri.tensor<2x3xf32, layout=strided<[0, 1]>>
# CHECK-NEXT: %1 = tri.cat %x, %0 {dim = 1 : i64} : !tri.tensor<2x3xf32>, !tri.tensor<2x3xf32, layout=strided<[0, 1]>> -> !tri.tensor<2x6xf32>
# CHECK-NEXT: func.return %1 : !tri.tensor<2x6xf32>
print(tri.trace(tri.vmap(lambda x: tri.cat([x, y])), a))

# Vectors that differ are rows of one matrix.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %captured: !tri.tensor<4x3xf32>) -> !tri.tensor<2x4xf32, layout=strided<[1, 2]>> {
# CHECK-NEXT: %0 = tri.transpose %x {dim0 = 0 : i64, dim1 = 1 : i64} : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: %1 = tri.matmul %captured, %0 : !tri.tensor<4x3xf32>, !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<4x2xf32>
# CHECK-NEXT: %2 = tri.transpose %1 {dim0 = 0 : i64, dim1 = 1 : i64} : !tri.tensor<4x2xf32> -> !tri.tensor<2x4xf32, layout=strided<[1, 2]>>
# CHECK-NEXT: func.return %2 : !tri.tensor<2x4xf32, layout=strided<[1, 2]>>
print(tri.trace(tri.vmap(lambda x: b @ x), a))

# Vectors by vectors are products of a batch.
# CHECK: func.func @{{.*}}(%arg0: !tri.tensor<2x3xf32>, %arg1: !tri.tensor<2x3xf32>) -> !tri.tensor<2xf32> {
# CHECK-NEXT: %0 = tri.unsqueeze %arg0 {dim = 1 : i64} : !tri.tensor<2x3xf32> -> !tri.tensor<2x1x3xf32>
# CHECK-NEXT: %1 = tri.unsqueeze %arg1 {dim = 2 : i64} : !tri.tensor<2x3xf32> -> !tri.tensor<2x3x1xf32>
# CHECK-NEXT: %2 = tri.matmul %0, %1 : !tri.tensor<2x1x3xf32>, !tri.tensor<2x3x1xf32> -> !tri.tensor<2x1x1xf32>
# CHECK-NEXT: %3 = tri.squeeze %2 {dim = array<i64: 2>} : !tri.tensor<2x1x1xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %4 = tri.squeeze %3 {dim = array<i64: 1>} : !tri.tensor<2x1xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: func.return %4 : !tri.tensor<2xf32>
print(tri.trace(tri.vmap(tri.dot), a, a))

# An index that differs: the number of the example is one more index.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %i: !tri.tensor<2xsi64>) -> !tri.tensor<2xf32> {
# CHECK-NEXT: %0 = tri.range_of {start = 0 : i64, end = 2 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<2xsi64>
# CHECK-NEXT: %1 = tri.view %0 {size = array<i64: 2>} : !tri.tensor<2xsi64> -> !tri.tensor<2xsi64>
# CHECK-NEXT: %2 = tri.take_at %x, %1, %i {dims = array<i64: 0, 1>} : !tri.tensor<2x3xf32>, !tri.tensor<2xsi64>, !tri.tensor<2xsi64> -> !tri.tensor<2xf32>
# CHECK-NEXT: func.return %2 : !tri.tensor<2xf32>
print(tri.trace(tri.vmap(lambda x, i: x[i]), a, i))

# What is written differs, too.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %i: !tri.tensor<2xsi64>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.constant 0.0 : !tri.scalar<float>
# CHECK-NEXT: %1 = tri.full_strided %0 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<float> -> !tri.tensor<f32>
# CHECK-NEXT: %2 = tri.unsqueeze %i {dim = 1 : i64} : !tri.tensor<2xsi64> -> !tri.tensor<2x1xsi64>
# CHECK-NEXT: %3 = tri.range_of {start = 0 : i64, end = 2 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<2xsi64>
# CHECK-NEXT: %4 = tri.view %3 {size = array<i64: 2, 1>} : !tri.tensor<2xsi64> -> !tri.tensor<2x1xsi64>
# CHECK-NEXT: %5 = tri.put_at %x, %1, %4, %2 {dims = array<i64: 0, 1>, along = #tri.number<true>} : !tri.tensor<2x3xf32>, !tri.tensor<f32>, !tri.tensor<2x1xsi64>, !tri.tensor<2x1xsi64> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %5 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x, i: x.index_fill(0, i, 0.0)), a, i))

# New tensors of a tensor that differs are as many.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x2xf32> {
# CHECK-NEXT: %0 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %1 = tri.full_strided %0 {size = array<i64: 2, 2>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<2x2xf32>
# CHECK-NEXT: func.return %1 : !tri.tensor<2x2xf32>
print(tri.trace(tri.vmap(lambda x: x.new_ones(2)), a))

# In place: all examples of a tensor are written.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %captured: !tri.tensor<3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.clone %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %1 = tri.mul %0, %captured : !tri.tensor<2x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %1 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x: x.clone().mul_(y)), a))

# A composite is mapped step by step.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<2x3xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %1 = tri.sub %x, %0 : !tri.tensor<2x3xf32>, !tri.tensor<2x1xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %2 = tri.exp %1 : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %3 = tri.sum %2 {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<2x3xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %4 = tri.true_divide %2, %3 : !tri.tensor<2x3xf32>, !tri.tensor<2x1xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %4 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(lambda x: x.softmax(0)), a))

# Mapped twice.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<3x3xf32> {
# CHECK-NEXT: %0 = tri.unsqueeze %y {dim = 1 : i64} : !tri.tensor<3xf32> -> !tri.tensor<3x1xf32>
# CHECK-NEXT: %1 = tri.mul %x, %0 : !tri.tensor<3xf32>, !tri.tensor<3x1xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: func.return %1 : !tri.tensor<3x3xf32>
print(tri.trace(tri.vmap(tri.vmap(lambda x, y: x * y, in_dims=(0, None)), in_dims=(None, 0)), x, y))

# A gradient for each example.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<2x3xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<2x3xf32> {
# CHECK-NEXT: %0 = tri.mul %x, %y : !tri.tensor<2x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %1 = tri.sum %0 {dim = array<i64: 1>} : !tri.tensor<2x3xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: %2 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %3 = tri.full_strided %2 {size = array<i64: 2>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<2xf32>
# CHECK-NEXT: %4 = tri.unsqueeze %3 {dim = 1 : i64} : !tri.tensor<2xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %5 = tri.expand %4 {size = array<i64: 2, 3>} : !tri.tensor<2x1xf32> -> !tri.tensor<2x3xf32, layout=strided<[1, 0]>>
# CHECK-NEXT: %6 = tri.mul %5, %y : !tri.tensor<2x3xf32, layout=strided<[1, 0]>>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: func.return %6 : !tri.tensor<2x3xf32>
print(tri.trace(tri.vmap(tri.grad(lambda x, y: (x * y).sum()), in_dims=(0, None)), a, y))
