// RUN: trilith-opt %s -p tri-fuse-rows | filecheck %s

// Two reductions of a row, and what reads them back, are one kernel: a softmax written by hand.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:    %0 = tri.fusion (%[[A:.+]] = %x : !tri.tensor<80x30xf32>) -> (!tri.tensor<80x30xf32>) {
// CHECK-NEXT:      %[[M:.+]] = tri.amax %[[A]]
// CHECK-NEXT:      %[[D:.+]] = tri.sub %[[A]], %[[M]]
// CHECK-NEXT:      %[[E:.+]] = tri.exp %[[D]]
// CHECK-NEXT:      %[[S:.+]] = tri.sum %[[E]]
// CHECK-NEXT:      %[[Q:.+]] = tri.true_divide %[[E]], %[[S]]
// CHECK-NEXT:      tri.yield %[[Q]] : !tri.tensor<80x30xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %0
func.func @softmax(%x: !tri.tensor<80x30xf32>) -> !tri.tensor<80x30xf32> {
  %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<80x30xf32> -> !tri.tensor<80x1xf32>
  %1 = tri.sub %x, %0 : !tri.tensor<80x30xf32>, !tri.tensor<80x1xf32> -> !tri.tensor<80x30xf32>
  %2 = tri.exp %1 : !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  %3 = tri.sum %2 {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<80x30xf32> -> !tri.tensor<80x1xf32>
  %4 = tri.true_divide %2, %3 : !tri.tensor<80x30xf32>, !tri.tensor<80x1xf32> -> !tri.tensor<80x30xf32>
  func.return %4 : !tri.tensor<80x30xf32>
}

// What is in front of a reduction goes in if it is cheap, else it has a kernel of its own. Values of
// rows may be results, too.
// CHECK-LABEL: func.func @in_front(
// CHECK-NEXT:    %0 = tri.exp %x
// CHECK-NEXT:    %1, %2 = tri.fusion (%{{.+}} = %x : !tri.tensor<80x30xf32>, %{{.+}} = %0 : !tri.tensor<80x30xf32>) -> (!tri.tensor<80x1xf32>, !tri.tensor<80x30xf32>) {
// CHECK:           tri.neg
// CHECK:           tri.sum
// CHECK:           tri.sub
// CHECK:           tri.mul
// CHECK:           tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %2, %1
func.func @in_front(%x: !tri.tensor<80x30xf32>) -> (!tri.tensor<80x30xf32>, !tri.tensor<80x1xf32>) {
  %0 = tri.neg %x : !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  %1 = tri.exp %x : !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  %2 = tri.sum %0 {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<80x30xf32> -> !tri.tensor<80x1xf32>
  %3 = tri.sub %0, %2 : !tri.tensor<80x30xf32>, !tri.tensor<80x1xf32> -> !tri.tensor<80x30xf32>
  %4 = tri.mul %3, %1 : !tri.tensor<80x30xf32>, !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  func.return %4, %2 : !tri.tensor<80x30xf32>, !tri.tensor<80x1xf32>
}

// A value that leaves and comes back ends the fusion: the scan stands between.
// CHECK-LABEL: func.func @comes_back(
// CHECK-NEXT:    %0 = tri.fusion
// CHECK:           tri.amax
// CHECK:           tri.sub
// CHECK:           tri.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = tri.cumsum %0
// CHECK-NEXT:    %2 = tri.add %0, %1
// CHECK-NEXT:    func.return %2
func.func @comes_back(%x: !tri.tensor<80x30xf32>) -> !tri.tensor<80x30xf32> {
  %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<80x30xf32> -> !tri.tensor<80x1xf32>
  %1 = tri.sub %x, %0 : !tri.tensor<80x30xf32>, !tri.tensor<80x1xf32> -> !tri.tensor<80x30xf32>
  %2 = tri.cumsum %1 {dim = 1 : i64} : !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  %3 = tri.add %1, %2 : !tri.tensor<80x30xf32>, !tri.tensor<80x30xf32> -> !tri.tensor<80x30xf32>
  func.return %3 : !tri.tensor<80x30xf32>
}

// Nothing is read back here, and rows that are few and long are left to the whole device.
// CHECK-LABEL: func.func @left_alone(
// CHECK-NOT:     tri.fusion
// CHECK:         func.return
func.func @left_alone(%x: !tri.tensor<80x30xf32>, %y: !tri.tensor<2x70000xf32>) -> (!tri.tensor<80x1xf32>, !tri.tensor<2x70000xf32>) {
  %0 = tri.amax %x {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<80x30xf32> -> !tri.tensor<80x1xf32>
  %1 = tri.neg %0 : !tri.tensor<80x1xf32> -> !tri.tensor<80x1xf32>
  %2 = tri.amax %y {dim = array<i64: 1>, keepdim = #tri.number<true>} : !tri.tensor<2x70000xf32> -> !tri.tensor<2x1xf32>
  %3 = tri.sub %y, %2 : !tri.tensor<2x70000xf32>, !tri.tensor<2x1xf32> -> !tri.tensor<2x70000xf32>
  func.return %1, %3 : !tri.tensor<80x1xf32>, !tri.tensor<2x70000xf32>
}
