# RUN: python %s | filecheck %s
# ruff: noqa: E501
# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

# A function and its derivative in a direction are one program.

import trilith as tri

x = tri.ones(3)
y = tri.ones(3)
a = tri.ones(2, 3)

# The direction is an argument as others are.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %v: !tri.tensor<3xf32>, %captured: !tri.tensor<3xf32>, %captured_1: !tri.tensor<3xf32>, %captured_2: !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>, !tri.tensor<3xf32>) {
# CHECK-NEXT: %0 = tri.mul %x, %captured : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.constant 0 : !tri.scalar<int>
# CHECK-NEXT: %2 = tri.full_strided %1 {size = array<i64: 3>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<3xf32>
# CHECK-NEXT: %3 = tri.mul %2, %captured_1 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %4 = tri.mul %v, %captured_2 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: func.return %0, %4 : !tri.tensor<3xf32>, !tri.tensor<3xf32>
print(tri.trace(lambda x, v: tri.jvp(lambda x: x * y, (x,), (v,)), x, y))

# A linear map is its own derivative.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %v: !tri.tensor<3xf32>, %captured: !tri.tensor<2x3xf32>, %captured_1: !tri.tensor<2x3xf32>) -> (!tri.tensor<2xf32>, !tri.tensor<2xf32>) {
# CHECK-NEXT: %0 = tri.matmul %captured, %x : !tri.tensor<2x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: %1 = tri.constant 0 : !tri.scalar<int>
# CHECK-NEXT: %2 = tri.full_strided %1 {size = array<i64: 2>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<2xf32>
# CHECK-NEXT: %3 = tri.transpose %captured_1 {dim0 = 0 : i64, dim1 = 1 : i64} : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: %4 = tri.unsqueeze %2 {dim = 1 : i64} : !tri.tensor<2xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %5 = tri.matmul %3, %4 : !tri.tensor<3x2xf32, layout=strided<[1, 3]>>, !tri.tensor<2x1xf32> -> !tri.tensor<3x1xf32>
# CHECK-NEXT: %6 = tri.squeeze %5 {dim = array<i64: 1>} : !tri.tensor<3x1xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %7 = tri.view %v {size = array<i64: 3, 1>} : !tri.tensor<3xf32> -> !tri.tensor<3x1xf32>
# CHECK-NEXT: %8 = tri.transpose %3 {dim0 = 0 : i64, dim1 = 1 : i64} : !tri.tensor<3x2xf32, layout=strided<[1, 3]>> -> !tri.tensor<2x3xf32>
# CHECK-NEXT: %9 = tri.matmul %8, %7 : !tri.tensor<2x3xf32>, !tri.tensor<3x1xf32> -> !tri.tensor<2x1xf32>
# CHECK-NEXT: %10 = tri.squeeze %9 {dim = array<i64: 1>} : !tri.tensor<2x1xf32> -> !tri.tensor<2xf32>
# CHECK-NEXT: func.return %0, %10 : !tri.tensor<2xf32>, !tri.tensor<2xf32>
print(tri.trace(lambda x, v: tri.jvp(lambda x: a @ x, (x,), (v,)), x, y))

# All directions at once: the rows of an identity are one dim more.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %captured: !tri.tensor<3xf32>, %captured_1: !tri.tensor<3xf32>) -> !tri.tensor<3x3xf32> {
# CHECK-NEXT: %0 = tri.mul %x, %captured : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.range_of {start = 0 : i64, end = 3 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<3xsi64>
# CHECK-NEXT: %2 = tri.range_of {start = 0 : i64, end = 3 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<3xsi64>
# CHECK-NEXT: %3 = tri.unsqueeze %1 {dim = 1 : i64} : !tri.tensor<3xsi64> -> !tri.tensor<3x1xsi64>
# CHECK-NEXT: %4 = tri.eq %3, %2 : !tri.tensor<3x1xsi64>, !tri.tensor<3xsi64> -> !tri.tensor<3x3xi1>
# CHECK-NEXT: %5 = tri.cast %4 {dtype = f32} : !tri.tensor<3x3xi1> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %6 = tri.view %5 {size = array<i64: 3, 3>} : !tri.tensor<3x3xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %7 = tri.mul %6, %captured_1 : !tri.tensor<3x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %8 = tri.view %7 {size = array<i64: 3, 3>} : !tri.tensor<3x3xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: func.return %8 : !tri.tensor<3x3xf32>
print(tri.trace(tri.jacrev(lambda x: x * y), x))

# Forwards the dim of the directions comes last.
# CHECK: func.func @{{.*}}(%x: !tri.tensor<3xf32>, %captured: !tri.tensor<3xf32>, %captured_1: !tri.tensor<3xf32>, %captured_2: !tri.tensor<3xf32>) -> !tri.tensor<3x3xf32, layout=strided<[1, 3]>> {
# CHECK-NEXT: %0 = tri.mul %x, %captured : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %1 = tri.constant 0 : !tri.scalar<int>
# CHECK-NEXT: %2 = tri.full_strided %1 {size = array<i64: 3>, dtype = f32, device = #tri.device<"cpu">} : !tri.scalar<int> -> !tri.tensor<3xf32>
# CHECK-NEXT: %3 = tri.mul %2, %captured_1 : !tri.tensor<3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3xf32>
# CHECK-NEXT: %4 = tri.range_of {start = 0 : i64, end = 3 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<3xsi64>
# CHECK-NEXT: %5 = tri.range_of {start = 0 : i64, end = 3 : i64, step = 1 : i64, dtype = si64, device = #tri.device<"cpu">} : -> !tri.tensor<3xsi64>
# CHECK-NEXT: %6 = tri.unsqueeze %4 {dim = 1 : i64} : !tri.tensor<3xsi64> -> !tri.tensor<3x1xsi64>
# CHECK-NEXT: %7 = tri.eq %6, %5 : !tri.tensor<3x1xsi64>, !tri.tensor<3xsi64> -> !tri.tensor<3x3xi1>
# CHECK-NEXT: %8 = tri.cast %7 {dtype = f32} : !tri.tensor<3x3xi1> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %9 = tri.view %8 {size = array<i64: 3, 3>} : !tri.tensor<3x3xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %10 = tri.mul %9, %captured_2 : !tri.tensor<3x3xf32>, !tri.tensor<3xf32> -> !tri.tensor<3x3xf32>
# CHECK-NEXT: %11 = tri.movedim %10 {source = array<i64: 0>, destination = array<i64: 1>} : !tri.tensor<3x3xf32> -> !tri.tensor<3x3xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: %12 = tri.view %11 {size = array<i64: 3, 3>} : !tri.tensor<3x3xf32, layout=strided<[1, 3]>> -> !tri.tensor<3x3xf32, layout=strided<[1, 3]>>
# CHECK-NEXT: func.return %12 : !tri.tensor<3x3xf32, layout=strided<[1, 3]>>
print(tri.trace(tri.jacfwd(lambda x: x * y), x))
