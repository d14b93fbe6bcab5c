// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" -t "tri-llvm{cpu=x86-64-v3}" | filecheck %s

// Pointers, status word, integers; the scalar comes out of the low bits of its integer; the product
// of row and stride stands in front of the inner loop; constants are exact.

// CHECK-LABEL: define void @scale(ptr noalias readonly %p2, ptr noalias writeonly %p3, ptr noalias %status, i64 %i0, i64 %i1, i64 %o2, i64 %s2_0, i64 %o3, i64 %s3_0, i64 %i4)
// CHECK:         getelementptr inbounds float, ptr %p2, i64 %o2
// CHECK:         [[BITS:%.+]] = trunc i64 %i4 to i32
// CHECK:         [[S:%.+]] = bitcast i32 [[BITS]] to float
// CHECK:       loop{{[0-9]+}}:
// CHECK:         phi i64 [0,
// CHECK:         mul nsw i64 %{{.+}}, %s2_0
// CHECK:       [[INNER:loop[0-9]+]]:
// CHECK:         load <8 x float>, ptr %{{.+}}, align 1
// CHECK:         fmul <8 x float>
// CHECK:         fadd <8 x float> %{{.+}}, splat (float 0x3FB99999A0000000)
// CHECK:         bitcast <8 x i1> %{{.+}} to i8
// CHECK:         store i32 1, ptr %status, align 4
// CHECK:         store <8 x float>
// CHECK:         br i1 %{{.+}}, label %[[INNER]], label %done
// CHECK:         call <8 x float> @llvm.masked.load.v8f32.p0(
// CHECK:         call void @llvm.masked.store.v8f32.p0(
// CHECK:         ret void
kernel.func @scale(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}, %s: f32) {
  %tenth = arith.constant 0.1 : f32
  %zero = arith.constant 0.0 : f32
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    %p = arith.mulf %v, %s : f32
    %r = arith.addf %p, %tenth : f32
    %bad = arith.cmpf oeq, %r, %zero : f32
    kernel.check %bad, "ZeroDivisionError" at 7
    kernel.store %r, %y[%i, %j]
  }
}

// What goes past the caches is aligned, says so, and is there when the kernel ends.

// CHECK-LABEL: define void @past_caches(
// CHECK:         [[PLACE:%.+]] = call i64 asm {{.+}}(ptr nocapture %{{.+}}) nounwind memory(none)
// CHECK-NEXT:    and i64 [[PLACE]], 63
// CHECK:         store <8 x float> %{{.+}}, ptr %{{.+}}, align 32, !nontemporal !1
// CHECK-NEXT:    fence seq_cst
// CHECK-NEXT:    ret void
// CHECK:       !1 = !{i32 1}
kernel.func @past_caches(%i: index,
    %x: !kernel.buffer<f32, [1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  %bytes = kernel.in_line %y[%i]
  %v = kernel.load %x[%bytes] : vector<8xf32>
  kernel.store %v, %y[%i] past caches
}
