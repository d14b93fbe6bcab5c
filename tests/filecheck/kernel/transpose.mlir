// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// A copy of x transposed, in the structured form.

// CHECK-LABEL: kernel.func @transpose(
// CHECK:         kernel.map (%i, %j) to (%n, %m) {
// CHECK-NEXT:      %v = kernel.load %x[%j, %i] : f32
// CHECK-NEXT:      kernel.store %v, %y[%i, %j]
// CHECK-NEXT:    }

// Lanes run along the last index: rows of y are whole vectors, x is read lane by lane.
// SCHEDULED-LABEL: kernel.func @transpose(
// SCHEDULED:         kernel.load %x[{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED-NEXT:    kernel.store {{.+}}, %y[
kernel.func @transpose(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%j, %i] : f32
    kernel.store %v, %y[%i, %j]
  }
}

// The same by tiles of 8x8, in the scheduled form: rows of x go to a private tile, its columns to
// rows of y. What is left at the edges is copied one by one.

// CHECK-LABEL: kernel.func @transpose_tiles(
// CHECK:         %tile = kernel.alloc [8, 8] : !kernel.buffer<f32, [8, 1], private>
// CHECK:         kernel.for %j = %zero to %whole_m step %eight {
// CHECK-NEXT:      kernel.for %i = %zero to %whole_n step %eight {
// CHECK-NEXT:        kernel.for %r = %zero to %eight step %one {
// CHECK-NEXT:          %jr = arith.addi %j, %r : index
// CHECK-NEXT:          %row = kernel.load %x[%jr, %i] : vector<8xf32>
// CHECK-NEXT:          kernel.store %row, %tile[%r, %zero]
// CHECK:               %column = kernel.load %tile[%zero, %c] along 0 : vector<8xf32>
// SCHEDULED-LABEL: kernel.func @transpose_tiles(
// SCHEDULED:         kernel.load {{.+}}[{{.+}}, {{.+}}] along 0 : vector<8xf32>
kernel.func @transpose_tiles(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %low = arith.constant -8 : index
  %whole_n = arith.andi %n, %low : index
  %whole_m = arith.andi %m, %low : index
  %tile = kernel.alloc [8, 8] : !kernel.buffer<f32, [8, 1], private>
  kernel.for %j = %zero to %whole_m step %eight {
    kernel.for %i = %zero to %whole_n step %eight {
      kernel.for %r = %zero to %eight step %one {
        %jr = arith.addi %j, %r : index
        %row = kernel.load %x[%jr, %i] : vector<8xf32>
        kernel.store %row, %tile[%r, %zero]
      }
      kernel.for %c = %zero to %eight step %one {
        %column = kernel.load %tile[%zero, %c] along 0 : vector<8xf32>
        %ic = arith.addi %i, %c : index
        kernel.store %column, %y[%ic, %j]
      }
    }
    kernel.for %i = %whole_n to %n step %one {
      %column = kernel.load %x[%j, %i] along 0 : vector<8xf32>
      kernel.store %column, %y[%i, %j]
    }
  }
  kernel.for %j = %whole_m to %m step %one {
    kernel.for %i = %zero to %n step %one {
      %v = kernel.load %x[%j, %i] : f32
      kernel.store %v, %y[%i, %j]
    }
  }
}

// As it is lowered: the strides of x say that it lies across. What is read across is a part of it in
// the nearest cache, which is filled along the rows of x.

// SCHEDULED-LABEL: kernel.func @add_transposed(
// SCHEDULED:         [[TILE:%.+]] = kernel.alloc [32, 33] : !kernel.buffer<f32, [33, 1], private>
// SCHEDULED:           [[PIECE:%.+]] = kernel.load %x[{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED-NEXT:      kernel.store [[PIECE]], [[TILE]][{{.+}}, {{.+}}]
// SCHEDULED:           [[ACROSS:%.+]] = kernel.load [[TILE]][{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED-NEXT:      [[OTHER:%.+]] = kernel.load %z[{{.+}}, {{.+}}] : vector<8xf32>
// SCHEDULED-NEXT:      [[SUM:%.+]] = arith.addf [[ACROSS]], [[OTHER]] : vector<8xf32>
// SCHEDULED-NEXT:      kernel.store [[SUM]], %y[{{.+}}, {{.+}}]
// SCHEDULED:           kernel.load [[TILE]][{{.+}}, {{.+}}] along 0 mask {{.+}} : vector<8xf32>
kernel.func @add_transposed(%n: index, %m: index,
    %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    %w = kernel.load %z[%i, %j] : f32
    %s = arith.addf %v, %w : f32
    kernel.store %s, %y[%i, %j]
  }
}
