// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// Scans along memory run on vectors of eight rows: four columns are read of each, become vectors of
// rows, and what is shown goes back. A column that is left is read and written row by row; rows that
// are left run four at once, and one by one.

// CHECK-LABEL: kernel.func @sums(
// CHECK:         kernel.for [[I:%.+]] = {{%.+}} to {{%.+}} step
// CHECK:           [[S:%.+]] = kernel.for [[J:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[A:%[0-9]+]] = {{%.+}}) -> (vector<8xf32>) {
// CHECK:             kernel.load %x[[[I]], [[J]]] : vector<4xf32>
// CHECK:             [[C0:%[0-9]+]], [[C1:%[0-9]+]], [[C2:%[0-9]+]], [[C3:%[0-9]+]] = kernel.transpose({{.+}}) : vector<4xf32>
// CHECK-NEXT:        [[S0:%.+]] = arith.addf [[A]], [[C0]] : vector<8xf32>
// CHECK:             [[S1:%.+]] = arith.addf [[S0]], [[C1]] : vector<8xf32>
// CHECK:             [[S2:%.+]] = arith.addf [[S1]], [[C2]] : vector<8xf32>
// CHECK:             [[S3:%.+]] = arith.addf [[S2]], [[C3]] : vector<8xf32>
// CHECK-NEXT:        [[R:%[0-9]+]], {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} = kernel.transpose([[S0]], [[S1]], [[S2]], [[S3]]) : vector<8xf32>
// CHECK-NEXT:        kernel.store [[R]], %y[[[I]], [[J]]]
// CHECK:             kernel.yield [[S3]] : vector<8xf32>
// CHECK:           kernel.for [[K:%.+]] = {{%.+}} to %m step {{%.+}} iter_args({{%.+}} = [[S]]) -> (vector<8xf32>) {
// CHECK-NEXT:        kernel.load %x[[[I]], [[K]]] along 0 : vector<8xf32>
// CHECK:             kernel.store {{%.+}}, %y[[[I]], [[K]]] along 0
// CHECK:         iter_args({{.+}}) -> (f32, f32, f32, f32) {
// CHECK:         iter_args({{.+}}) -> (f32) {
kernel.func @sums(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%n) {
    kernel.scan add (%j) to (%m) : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    } into (%j, %sum) {
      kernel.store %sum, %y[%i, %j]
    }
  }
}

// Much arithmetic stands in code once for all columns of a square, which go through tables.

// CHECK-LABEL: kernel.func @long(
// CHECK:         kernel.transpose(
// CHECK:         kernel.store {{%.+}}, [[IN:%.+]][{{%.+}}, {{%.+}}]
// CHECK:         kernel.for [[C:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args({{.+}}) -> (vector<8xf32>) {
// CHECK-NEXT:      kernel.load [[IN]][[[C]], {{%.+}}] : vector<8xf32>
// CHECK:           kernel.store {{%.+}}, [[OUT:%.+]][[[C]], {{%.+}}]
// CHECK:         kernel.load [[OUT]][{{%.+}}, {{%.+}}] : vector<8xf32>
// CHECK:         kernel.transpose(
kernel.func @long(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%n) {
    kernel.scan add (%j) to (%m) : f32 {
      %v = kernel.load %x[%i, %j] : f32
      %0 = arith.mulf %v, %v : f32
      %1 = arith.addf %0, %v : f32
      %2 = arith.mulf %1, %v : f32
      %3 = arith.addf %2, %v : f32
      %4 = arith.mulf %3, %v : f32
      %5 = arith.addf %4, %v : f32
      %6 = arith.mulf %5, %v : f32
      %7 = arith.addf %6, %v : f32
      %8 = arith.mulf %7, %v : f32
      %9 = arith.addf %8, %v : f32
      %10 = arith.mulf %9, %v : f32
      %11 = arith.addf %10, %v : f32
      %12 = arith.mulf %11, %v : f32
      %13 = arith.addf %12, %v : f32
      %14 = arith.mulf %13, %v : f32
      %15 = arith.addf %14, %v : f32
      %16 = arith.mulf %15, %v : f32
      %17 = arith.addf %16, %v : f32
      %18 = arith.mulf %17, %v : f32
      %19 = arith.addf %18, %v : f32
      kernel.yield %19 : f32
    } into (%j, %sum) {
      kernel.store %sum, %y[%i, %j]
    }
  }
}
