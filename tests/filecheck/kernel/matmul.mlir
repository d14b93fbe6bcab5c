// RUN: trilith-opt %s | trilith-opt | filecheck %s

// c = a b with a 2x16 micro-kernel, in the scheduled form: 256 rows of 16 columns of b are packed
// into private memory, and a loop over k carries the sums in four registers. For m a multiple of 2
// and n a multiple of 16; k is free.

// CHECK-LABEL: kernel.func @matmul(
// CHECK:         %panel = kernel.alloc [256, 16] : !kernel.buffer<f32, [16, 1], private>
// CHECK:         kernel.for %q = %zero to %depth step %one {
// CHECK:           kernel.store %left, %panel[%q, %zero]
// CHECK:         %r0, %r1, %r2, %r3 = kernel.for %q_1 = %zero to %depth step %one iter_args(%s0 = %c0, %s1 = %c1, %s2 = %c2, %s3 = %c3) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK:           %t0 = math.fma %u0, %b0, %s0 : vector<8xf32>
// CHECK:           kernel.yield %t0, %t1, %t2, %t3 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
kernel.func @matmul(%m: index, %n: index, %k: index,
    %a: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %b: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %c: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite", kernel.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %eight = arith.constant 8 : index
  %sixteen = arith.constant 16 : index
  %most = arith.constant 256 : index
  %panel = kernel.alloc [256, 16] : !kernel.buffer<f32, [16, 1], private>
  %nothing = arith.constant 0.0 : f32
  %nothings = kernel.splat %nothing : vector<8xf32>
  kernel.for %i = %zero to %m step %one {
    kernel.for %j = %zero to %n step %eight {
      kernel.store %nothings, %c[%i, %j]
    }
  }
  kernel.for %j = %zero to %n step %sixteen {
    %j8 = arith.addi %j, %eight : index
    kernel.for %p = %zero to %k step %most {
      %rest = arith.subi %k, %p : index
      %depth = arith.minsi %rest, %most : index
      kernel.for %q = %zero to %depth step %one {
        %pq = arith.addi %p, %q : index
        %left = kernel.load %b[%pq, %j] : vector<8xf32>
        %right = kernel.load %b[%pq, %j8] : vector<8xf32>
        kernel.store %left, %panel[%q, %zero]
        kernel.store %right, %panel[%q, %eight]
      }
      kernel.for %i = %zero to %m step %two {
        %i1 = arith.addi %i, %one : index
        %c0 = kernel.load %c[%i, %j] : vector<8xf32>
        %c1 = kernel.load %c[%i, %j8] : vector<8xf32>
        %c2 = kernel.load %c[%i1, %j] : vector<8xf32>
        %c3 = kernel.load %c[%i1, %j8] : vector<8xf32>
        %r0, %r1, %r2, %r3 = kernel.for %q = %zero to %depth step %one
            iter_args(%s0 = %c0, %s1 = %c1, %s2 = %c2, %s3 = %c3)
            -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
          %b0 = kernel.load %panel[%q, %zero] : vector<8xf32>
          %b1 = kernel.load %panel[%q, %eight] : vector<8xf32>
          %pq = arith.addi %p, %q : index
          %a0 = kernel.load %a[%i, %pq] : f32
          %a1 = kernel.load %a[%i1, %pq] : f32
          %u0 = kernel.splat %a0 : vector<8xf32>
          %u1 = kernel.splat %a1 : vector<8xf32>
          %t0 = math.fma %u0, %b0, %s0 : vector<8xf32>
          %t1 = math.fma %u0, %b1, %s1 : vector<8xf32>
          %t2 = math.fma %u1, %b0, %s2 : vector<8xf32>
          %t3 = math.fma %u1, %b1, %s3 : vector<8xf32>
          kernel.yield %t0, %t1, %t2, %t3
              : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
        }
        kernel.store %r0, %c[%i, %j]
        kernel.store %r1, %c[%i, %j8]
        kernel.store %r2, %c[%i1, %j]
        kernel.store %r3, %c[%i1, %j8]
      }
    }
  }
}
