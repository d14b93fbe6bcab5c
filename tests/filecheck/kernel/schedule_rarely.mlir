// RUN: trilith-opt %s | trilith-opt | filecheck %s --check-prefix=FORM
// RUN: trilith-opt %s -p "kernel-schedule{target=cpu}" | trilith-opt | filecheck %s

// What is seldom wanted is a branch around code for all lanes, which chooses by lane.

// FORM:      %{{.+}}, %{{.+}} = kernel.rarely %{{.+}} {
// FORM-NEXT:   %{{.+}} = arith.divf
// FORM-NEXT:   kernel.yield %{{.+}}, %{{.+}} : f32, f32
// FORM-NEXT: } else (%{{.+}}, %{{.+}})

// CHECK-LABEL: kernel.func @halved
// CHECK:         [[X:%.+]] = kernel.load %x[%{{.+}}] : vector<16xf32>
// CHECK:         [[LARGE:%.+]] = kernel.compare oge, [[X]], %{{.+}} : vector<16xf32>
// CHECK-NEXT:    [[ANY:%.+]] = kernel.any [[LARGE]] : vector<16xi1>
// CHECK-NEXT:    [[R:%.+]], %{{.+}} = kernel.if [[ANY]] -> (vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:      [[HALF:%.+]] = arith.divf [[X]], %{{.+}} : vector<16xf32>
// CHECK-NEXT:      kernel.select [[LARGE]], [[HALF]], [[X]] : vector<16xf32>
// CHECK:         } else {
// CHECK-NEXT:      kernel.yield [[X]], %{{.+}} : vector<16xf32>, vector<16xf32>
kernel.func @halved(%n: index, %x: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
  %bound = arith.constant 1.0e3 : f32
  %two = arith.constant 2.0 : f32
  kernel.map (%i) to (%n) {
    %a = kernel.load %x[%i] : f32
    %s0 = arith.addf %a, %two : f32
    %s1 = arith.addf %s0, %two : f32
    %s2 = arith.addf %s1, %two : f32
    %s3 = arith.addf %s2, %two : f32
    %s4 = arith.addf %s3, %two : f32
    %large = arith.cmpf oge, %a, %bound : f32
    %r, %q = kernel.rarely %large {
      %half = arith.divf %a, %two : f32
      kernel.yield %half, %two : f32, f32
    } else (%a, %s4)
    %t = arith.addf %r, %q : f32
    kernel.store %t, %y[%i]
  }
}
