// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-expand-math,kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Softmax over the last dimension: two reductions and a map share the rows.

// CHECK-LABEL: kernel.func @softmax(%rows: index, %cols: index,
// CHECK-SAME:    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias}
// CHECK:         kernel.parallel (%i) to (%rows) {
// CHECK-NEXT:      %m = kernel.reduce maximum (%j) to (%cols) {lanes = 32, block = 0} : f32 {
// CHECK-NEXT:        %v = kernel.load %x[%i, %j] : f32
// CHECK-NEXT:        kernel.yield %v : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      %s = kernel.reduce add (%j_1) to (%cols) {lanes = 32, block = 1024} : f32 {
// CHECK:             kernel.yield %e : f32
// CHECK:           kernel.map (%j_2) to (%cols) {
// CHECK:             kernel.store %q, %y[%i, %j_2]
// CHECK-NEXT:      }

// Rows are loops in a group of some: one for each phase. The lanes of each reduction are those of one
// vector of four registers, and the elements that do not fill it are combined under a mask.
// SCHEDULED-LABEL: kernel.func @softmax(
// SCHEDULED-NOT:     math.exp
// SCHEDULED:         kernel.for [[GROUP:%.+]] = {{.*}} to %rows step
// SCHEDULED:           [[M:%.+]] = kernel.alloc [8] : !kernel.buffer<f32, [1], private>
// SCHEDULED-NEXT:      kernel.for [[R:%.+]] = {{.*}} {
// SCHEDULED-NEXT:        [[I:%.+]] = arith.addi [[GROUP]], [[R]] : index
// SCHEDULED:             kernel.load %x[[[I]], {{.+}}] : vector<32xf32>
// SCHEDULED-NEXT:        arith.maximumf {{.+}} : vector<32xf32>
// SCHEDULED:             kernel.mask {{.+}} : vector<32xi1>
// SCHEDULED:             kernel.select {{.+}} : vector<32xf32>
// SCHEDULED:             kernel.slice {{.+}}[16] : vector<32xf32> to vector<16xf32>
// SCHEDULED:             kernel.extract {{.+}}[1] : vector<2xf32>
// SCHEDULED:             kernel.store {{.+}}, [[M]][[[R]]]
// SCHEDULED:           kernel.for [[R2:%.+]] = {{.*}} {
// SCHEDULED:             kernel.load [[M]][[[R2]]] : f32
// SCHEDULED:             kernel.store {{.+}}, %y[{{.+}}, {{.+}}]
// SCHEDULED:           kernel.for [[R3:%.+]] = {{.*}} {
// SCHEDULED:             kernel.store {{.+}}, %y[{{.+}}, {{.+}}] mask
kernel.func @softmax(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "readwrite", kernel.noalias}) {
  kernel.parallel (%i) to (%rows) {
    %m = kernel.reduce maximum (%j) to (%cols) {lanes = 32, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    %s = kernel.reduce add (%j) to (%cols) {lanes = 32, block = 1024} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      kernel.store %e, %y[%i, %j]
      kernel.yield %e : f32
    }
    kernel.map (%j) to (%cols) {
      %e = kernel.load %y[%i, %j] : f32
      %q = arith.divf %e, %s : f32
      kernel.store %q, %y[%i, %j]
    }
  }
}
