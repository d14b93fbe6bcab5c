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

// As it is lowered: the strides of x say that it lies across. Whether its rows or those of y are pages
// apart is asked. If not, squares are transposed in registers: sixteen pieces of rows, whose columns
// are lines of y; the last ones begin earlier. Else a tile is copied into a table, in squares or, where
// it is smaller than one, under masks; then it is read as z is, and the next tile is asked for.

// SCHEDULED-LABEL: kernel.func @add_transposed(
// SCHEDULED:         kernel.stride %x along 1
// SCHEDULED:         kernel.stride %y along 0
// SCHEDULED:         kernel.if
// SCHEDULED:           [[TABLE:%.+]] = kernel.alloc [64, 128] : !kernel.buffer<f32, [128, 1], private>
// SCHEDULED:             [[E:%.+]] = kernel.load %x[{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED:             [[F:%\d+]], {{.+}} = kernel.transpose([[E]], {{.+}}) : vector<8xf32>
// SCHEDULED:             kernel.store [[F]], [[TABLE]][{{.+}}, {{.+}}]
// SCHEDULED:             [[M:%.+]] = kernel.mask {{.+}} : vector<8xi1>
// SCHEDULED:             kernel.load %x[{{.+}}, {{.+}}] along 0 mask [[M]] : vector<8xf32>
// SCHEDULED:           kernel.prefetch %x[
// SCHEDULED:           [[T:%.+]] = kernel.load [[TABLE]][{{.+}}, {{.+}}] : vector<8xf32>
// SCHEDULED:           arith.addf [[T]], {{.+}} : vector<8xf32>
// SCHEDULED:           kernel.load [[TABLE]][{{.+}}, {{.+}}] mask {{.+}} : vector<8xf32>
// SCHEDULED:         } else {
// SCHEDULED:           kernel.for {{.+}} to %n step
// SCHEDULED:             arith.minsi
// SCHEDULED:             kernel.for {{.+}} to %m step
// SCHEDULED:               [[A:%.+]] = kernel.load %x[{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED-COUNT-15:      kernel.load %x[{{.+}}, {{.+}}] along 0 : vector<8xf32>
// SCHEDULED:               [[B:%\d+]], {{%\d+}}, {{.+}} = kernel.transpose([[A]], {{.+}}) : vector<8xf32>
// SCHEDULED:               [[C:%.+]] = kernel.load %z[{{.+}}, {{.+}}] : vector<16xf32>
// SCHEDULED-NEXT:          [[S:%.+]] = arith.addf [[B]], [[C]] : vector<16xf32>
// SCHEDULED-NEXT:          kernel.store [[S]], %y[{{.+}}, {{.+}}]
// SCHEDULED-COUNT-7:       kernel.store {{.+}}, %y[
// SCHEDULED:               kernel.transpose(
// SCHEDULED-NOT:           kernel.transpose(
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

// A copy alone. Rows of a matrix that is larger than the caches go past them from the table, in whole
// lines: what is in front of the first line and behind the last one is written under masks.

// SCHEDULED-LABEL: kernel.func @copy_transposed(
// SCHEDULED:         kernel.stride %x along 1
// SCHEDULED:         kernel.stride %y along 0
// SCHEDULED:         [[ROW:%.+]] = kernel.stride %y along 0
// SCHEDULED-NEXT:    [[COLUMN:%.+]] = kernel.stride %x along 1
// SCHEDULED-NEXT:    [[SIZE:%.+]] = arith.muli [[ROW]], [[COLUMN]] : index
// SCHEDULED-NEXT:    [[LARGE:%.+]] = arith.cmpi sge, [[SIZE]], {{.+}} : index
// SCHEDULED-NEXT:    kernel.in_line %y[
// SCHEDULED:         [[BEYOND:%.+]] = arith.andi [[LARGE]], {{.+}} : i1
// SCHEDULED:         [[OVERLAP:%.+]] = arith.select
// SCHEDULED:           arith.addi {{.+}}, [[OVERLAP]] : index
// SCHEDULED:           [[TABLE:%.+]] = kernel.alloc [64, 144] : !kernel.buffer<f32, [144, 1], private>
// SCHEDULED:           kernel.prefetch %x[
// SCHEDULED:           kernel.if [[BEYOND]] {
// SCHEDULED-NEXT:        kernel.in_line %y[
// SCHEDULED:             kernel.store {{.+}}, %y[{{.+}}, {{.+}}] mask
// SCHEDULED:             kernel.for {{.+}} to [[END:%.+]] step
// SCHEDULED:               [[L:%.+]] = kernel.load [[TABLE]][{{.+}}, {{.+}}] : vector<8xf32>
// SCHEDULED:               kernel.store [[L]], %y[{{.+}}, {{.+}}] past caches
// SCHEDULED:             kernel.for {{.+}} = [[END]] to
// SCHEDULED:               kernel.store {{.+}}, %y[{{.+}}, {{.+}}] mask
kernel.func @copy_transposed(%n: index, %m: index,
    %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.map (%i, %j) to (%n, %m) {
    %v = kernel.load %x[%i, %j] : f32
    kernel.store %v, %y[%i, %j]
  }
}
