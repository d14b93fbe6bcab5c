// RUN: trilith-opt %s -p tri-drop-meta | filecheck %s

// Nothing runs on meta: results are memory, views of results stay views.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %[[E:.+]] = tri.empty : !tri.tensor<2x3xf32, device="meta">
// CHECK-NEXT:    %[[T:.+]] = tri.t %[[E]]
// CHECK-NEXT:    func.return %[[T]]
func.func @chain(%x: !tri.tensor<2x3xf32, device="meta">) -> !tri.tensor<3x2xf32, device="meta", layout=strided<[1, 3]>> {
  %0 = tri.exp %x : !tri.tensor<2x3xf32, device="meta"> -> !tri.tensor<2x3xf32, device="meta">
  %1 = tri.neg %0 : !tri.tensor<2x3xf32, device="meta"> -> !tri.tensor<2x3xf32, device="meta">
  %2 = tri.t %1 : !tri.tensor<2x3xf32, device="meta"> -> !tri.tensor<3x2xf32, device="meta", layout=strided<[1, 3]>>
  func.return %2 : !tri.tensor<3x2xf32, device="meta", layout=strided<[1, 3]>>
}

// What only feeds meta goes too; the rest of the function stays.
// CHECK-LABEL: func.func @partly(
// CHECK-NEXT:    %[[N:.+]] = tri.neg %x
// CHECK-NEXT:    %[[E:.+]] = tri.empty : !tri.tensor<4xf32, device="meta">
// CHECK-NEXT:    func.return %[[N]], %[[E]]
func.func @partly(%x: !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>, !tri.tensor<4xf32, device="meta">) {
  %0 = tri.neg %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.exp %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %2 = tri.transfer %1 {device = #tri.device<"meta">} : !tri.tensor<4xf32> -> !tri.tensor<4xf32, device="meta">
  func.return %0, %2 : !tri.tensor<4xf32>, !tri.tensor<4xf32, device="meta">
}

// A write into memory without bytes is none.
// CHECK-LABEL: func.func @written(
// CHECK-NEXT:    func.return %x
func.func @written(%x: !tri.tensor<4xf32, device="meta">) -> !tri.tensor<4xf32, device="meta"> {
  %0 = tri.neg %x : !tri.tensor<4xf32, device="meta"> -> !tri.tensor<4xf32, device="meta">
  tri.write %0 into %x : !tri.tensor<4xf32, device="meta"> into !tri.tensor<4xf32, device="meta">
  func.return %x : !tri.tensor<4xf32, device="meta">
}
