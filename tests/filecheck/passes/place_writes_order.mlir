// RUN: trilith-opt %s -p tri-place-writes | filecheck %s

// Of writes that overlap, the last one stays: none is placed before its turn.

// The second is computed first: only the first is placed.
// CHECK-LABEL: func.func @computed_in_another_order(
// CHECK:         tri.write direct %[[FIRST:.+]] into
// CHECK:         tri.write %[[SECOND:.+]] into
func.func @computed_in_another_order(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) {
  %0 = tri.fusion (%a = %y : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>) {
    %1 = tri.neg %a : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %1 : !tri.tensor<3xf32>
  }
  %2 = tri.fusion (%b = %y : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>) {
    %3 = tri.abs %b : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %3 : !tri.tensor<3xf32>
  }
  %4 = tri.slice %x {start = 0 : i64, end = 3 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %2 into %4 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  %5 = tri.slice %x {start = 1 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %0 into %5 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  func.return
}

// One kernel computes both, element by element.
// CHECK-LABEL: func.func @computed_at_once(
// CHECK:         tri.write direct
// CHECK:         tri.write %
func.func @computed_at_once(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) {
  %0, %1 = tri.fusion (%a = %y : !tri.tensor<3xf32>) -> (!tri.tensor<3xf32>, !tri.tensor<3xf32>) {
    %2 = tri.neg %a : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    %3 = tri.abs %a : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    tri.yield %2, %3 : !tri.tensor<3xf32>, !tri.tensor<3xf32>
  }
  %4 = tri.slice %x {start = 0 : i64, end = 3 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %0 into %4 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  %5 = tri.slice %x {start = 1 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<3xf32>
  tri.write %1 into %5 : !tri.tensor<3xf32> into !tri.tensor<3xf32>
  func.return
}

// Apart from each other they need no order.
// CHECK-LABEL: func.func @apart(
// CHECK:         tri.write direct
// CHECK:         tri.write direct
func.func @apart(%x: !tri.tensor<4xf32>, %y: !tri.tensor<2xf32>) {
  %0, %1 = tri.fusion (%a = %y : !tri.tensor<2xf32>) -> (!tri.tensor<2xf32>, !tri.tensor<2xf32>) {
    %2 = tri.neg %a : !tri.tensor<2xf32> -> !tri.tensor<2xf32>
    %3 = tri.abs %a : !tri.tensor<2xf32> -> !tri.tensor<2xf32>
    tri.yield %2, %3 : !tri.tensor<2xf32>, !tri.tensor<2xf32>
  }
  %4 = tri.slice %x {start = 2 : i64, end = 4 : i64} : !tri.tensor<4xf32> -> !tri.tensor<2xf32>
  tri.write %0 into %4 : !tri.tensor<2xf32> into !tri.tensor<2xf32>
  %5 = tri.slice %x {start = 0 : i64, end = 2 : i64} : !tri.tensor<4xf32> -> !tri.tensor<2xf32>
  tri.write %1 into %5 : !tri.tensor<2xf32> into !tri.tensor<2xf32>
  func.return
}

// After a write that waits, all others of the memory wait too.
// CHECK-LABEL: func.func @behind_one_that_waits(
// CHECK-NOT:     direct
func.func @behind_one_that_waits(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>, %z: !tri.tensor<4xf32>) {
  %0 = tri.fusion (%a = %y : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
    %1 = tri.neg %a : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    tri.yield %1 : !tri.tensor<4xf32>
  }
  tri.write %z into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>
  func.return
}
