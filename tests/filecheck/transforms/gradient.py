# RUN: python %s | filecheck %s
# ruff: noqa: E501
# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

# The forward and the backward pass of a function are one program.

import trilith as tri

x = tri.ones(3)
y = tri.ones(3)

# A product: each factor gets the other one.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %y: !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>, !tri.tensor<3xf32>) {
# CHECK-NEXT: %0 = tri.mul %x, %y : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.sum %0 {dim = array<i64: 0>} : !tri.tensor<3xf32> -> !tri.tensor<f32>
# CHECK-NEXT: %2 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %3 = tri.full_strided %2 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<f32>
# CHECK-NEXT: %4 = tri.unsqueeze %3 {dim = 0 : i64} : !tri.tensor<f32> -> !tri.tensor<1xf32>
# CHECK-NEXT: %5 = tri.expand %4 {size = array<i64: 3>} : !tri.tensor<1xf32> -> !tri.tensor<3xf32, layout=strided<[0]>>
# CHECK-NEXT: %6 = tri.mul %5, %y : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %7 = tri.mul %5, %x : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: func.return %6, %7 : !tri.tensor<3xf32>, !tri.tensor<3xf32>
print(tri.trace(tri.grad(lambda x, y: (x * y).sum(), argnums=(0, 1)), x, y))

# The gradient of a linear function does not read its argument.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>) -> !tri.tensor<3xf32> {
# CHECK-NEXT: %0 = tri.constant 3 : !tri.scalar<int>
# CHECK-NEXT: %1 = tri.mul %x, %0 : !tri.tensor<3xf32>, !tri.scalar<int> -> !tri.tensor<3xf32>
# CHECK-NEXT: %2 = tri.sum %1 {dim = array<i64: 0>} : !tri.tensor<3xf32> -> !tri.tensor<f32>
# CHECK-NEXT: %3 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %4 = tri.full_strided %3 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<f32>
# CHECK-NEXT: %5 = tri.unsqueeze %4 {dim = 0 : i64} : !tri.tensor<f32> -> !tri.tensor<1xf32>
# CHECK-NEXT: %6 = tri.expand %5 {size = array<i64: 3>} : !tri.tensor<1xf32> -> !tri.tensor<3xf32, layout=strided<[0]>>
# CHECK-NEXT: %7 = tri.mul %6, %0 : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.scalar<int> -> !tri.tensor<3xf32>
# CHECK-NEXT: func.return %7 : !tri.tensor<3xf32>
print(tri.trace(tri.grad(lambda x: (3 * x).sum()), x))

# The value is the one that the gradient is computed with.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>, !tri.tensor<f32>) {
# CHECK-NEXT: %0 = tri.mul %x, %x : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.sum %0 {dim = array<i64: 0>} : !tri.tensor<3xf32> -> !tri.tensor<f32>
# CHECK-NEXT: %2 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %3 = tri.full_strided %2 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<f32>
# CHECK-NEXT: %4 = tri.unsqueeze %3 {dim = 0 : i64} : !tri.tensor<f32> -> !tri.tensor<1xf32>
# CHECK-NEXT: %5 = tri.expand %4 {size = array<i64: 3>} : !tri.tensor<1xf32> -> !tri.tensor<3xf32, layout=strided<[0]>>
# CHECK-NEXT: %6 = tri.mul %5, %x : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %7 = tri.mul %5, %x : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %8 = tri.add %6, %7 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: func.return %8, %1 : !tri.tensor<3xf32>, !tri.tensor<f32>
print(tri.trace(tri.func.grad_and_value(lambda x: (x * x).sum()), x))

# A gradient of a gradient is a program of the same operations.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>) -> !tri.tensor<3xf32> {
# CHECK-NEXT: %0 = tri.mul %x, %x : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.sum %0 {dim = array<i64: 0>} : !tri.tensor<3xf32> -> !tri.tensor<f32>
# CHECK-NEXT: %2 = tri.constant 1 : !tri.scalar<int>
# CHECK-NEXT: %3 = tri.full_strided %2 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<f32>
# CHECK-NEXT: %4 = tri.unsqueeze %3 {dim = 0 : i64} : !tri.tensor<f32> -> !tri.tensor<1xf32>
# CHECK-NEXT: %5 = tri.expand %4 {size = array<i64: 3>} : !tri.tensor<1xf32> -> !tri.tensor<3xf32, layout=strided<[0]>>
# CHECK-NEXT: %6 = tri.mul %5, %x : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %7 = tri.mul %5, %x : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %8 = tri.add %6, %7 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %9 = tri.sum %8 {dim = array<i64: 0>} : !tri.tensor<3xf32> -> !tri.tensor<f32>
# CHECK-NEXT: %10 = tri.full_strided %2 {size = array<i64>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<f32>
# CHECK-NEXT: %11 = tri.unsqueeze %10 {dim = 0 : i64} : !tri.tensor<f32> -> !tri.tensor<1xf32>
# CHECK-NEXT: %12 = tri.expand %11 {size = array<i64: 3>} : !tri.tensor<1xf32> -> !tri.tensor<3xf32, layout=strided<[0]>>
# CHECK-NEXT: %13 = tri.mul %12, %5 : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32, layout=strided<[0]>> -> !tri.tensor<3xf32>
# CHECK-NEXT: %14 = tri.mul %12, %5 : !tri.tensor<3xf32, layout=strided<[0]>>, !tri.tensor<3xf32, layout=strided<[0]>> -> !tri.tensor<3xf32>
# CHECK-NEXT: %15 = tri.add %13, %14 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: func.return %15 : !tri.tensor<3xf32>
print(tri.trace(tri.grad(lambda x: tri.grad(lambda y: (y * y).sum())(x).sum()), x))
