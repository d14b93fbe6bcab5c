// RUN: trilith-opt %s | trilith-opt | filecheck %s
// RUN: trilith-opt %s -p "kernel-expand-math,kernel-schedule{target=cpu}" | trilith-opt | filecheck %s --check-prefix=SCHEDULED

// Rows of a few elements, one behind the other in memory: vectors are of neighbouring rows, whose
// lanes are tables, and each row is walked along one element after the other.

// CHECK-LABEL: kernel.func @softmax(%rows: index, %cols: index,
// CHECK:         kernel.parallel (%i) to (%rows) attributes {kernel.short_rows} {

// SCHEDULED-LABEL: kernel.func @softmax(
// SCHEDULED:         [[LARGEST:%.+]] = kernel.alloc [32, 64] : !kernel.buffer<f32, [64, 1], private>
// SCHEDULED:         kernel.for {{.+}} to %cols step
// SCHEDULED:           kernel.load %x[{{.+}}] along 0 : vector<8xf32>
// SCHEDULED-NEXT:      arith.maximumf {{.+}} : vector<8xf32>
// SCHEDULED-NEXT:      kernel.store {{.+}}, [[LARGEST]][{{.+}}]
// SCHEDULED:         kernel.alloc [32, 64]
// SCHEDULED-NOT:     kernel.extract
// SCHEDULED:         arith.divf {{.+}} : vector<8xf32>
// SCHEDULED-NEXT:    kernel.store {{.+}}, %y[{{.+}}] along 0
kernel.func @softmax(%rows: index, %cols: index,
    %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
    %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i) to (%rows) attributes {kernel.short_rows} {
    %m = kernel.reduce maximum (%j) to (%cols) {lanes = 32, block = 0} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    %s = kernel.reduce add (%j) to (%cols) {lanes = 32, block = 1024} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      kernel.yield %e : f32
    }
    kernel.map (%j) to (%cols) {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %s : f32
      kernel.store %q, %y[%i, %j]
    }
  }
}
