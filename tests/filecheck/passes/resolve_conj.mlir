// RUN: trilith-opt %s -p tri-resolve-conj | filecheck %s

// What is read is conjugated once, whoever reads it; the view goes.
// CHECK-LABEL: func.func @read(
// CHECK-NEXT:    %[[C:.+]] = tri.conj_elements %x
// CHECK-NEXT:    %[[M:.+]] = tri.mul %[[C]], %[[C]]
// CHECK-NEXT:    func.return %[[M]]
func.func @read(%x: !tri.tensor<2xcomplex<f32>>) -> !tri.tensor<2xcomplex<f32>> {
  %0 = tri.conj_view %x : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>, conj>
  %1 = tri.mul %0, %0 : !tri.tensor<2xcomplex<f32>, conj>, !tri.tensor<2xcomplex<f32>, conj> -> !tri.tensor<2xcomplex<f32>>
  func.return %1 : !tri.tensor<2xcomplex<f32>>
}

// Views are taken of what lies in the memory, and returned as conjugates of that.
// CHECK-LABEL: func.func @seen(
// CHECK-NEXT:    %[[T:.+]] = tri.t %x : !tri.tensor<2x3xcomplex<f32>> -> !tri.tensor<3x2xcomplex<f32>, layout=strided<[1, 3]>>
// CHECK-NEXT:    %[[C:.+]] = tri.conj_view %[[T]]
// CHECK-NEXT:    func.return %[[C]]
func.func @seen(%x: !tri.tensor<2x3xcomplex<f32>>) -> !tri.tensor<3x2xcomplex<f32>, layout=strided<[1, 3]>, conj> {
  %0 = tri.conj_view %x : !tri.tensor<2x3xcomplex<f32>> -> !tri.tensor<2x3xcomplex<f32>, conj>
  %1 = tri.t %0 : !tri.tensor<2x3xcomplex<f32>, conj> -> !tri.tensor<3x2xcomplex<f32>, layout=strided<[1, 3]>, conj>
  func.return %1 : !tri.tensor<3x2xcomplex<f32>, layout=strided<[1, 3]>, conj>
}

// The conjugate of a conjugate is what lies in the memory.
// CHECK-LABEL: func.func @back(
// CHECK-NEXT:    %[[C:.+]] = tri.conj_view %x : !tri.tensor<2xcomplex<f32>, conj> -> !tri.tensor<2xcomplex<f32>>
// CHECK-NEXT:    %[[N:.+]] = tri.neg %[[C]]
// CHECK-NEXT:    func.return %[[N]]
func.func @back(%x: !tri.tensor<2xcomplex<f32>, conj>) -> !tri.tensor<2xcomplex<f32>> {
  %0 = tri.conj_view %x : !tri.tensor<2xcomplex<f32>, conj> -> !tri.tensor<2xcomplex<f32>>
  %1 = tri.neg %0 : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>>
  func.return %1 : !tri.tensor<2xcomplex<f32>>
}

// A write through a conjugate writes conjugates.
// CHECK-LABEL: func.func @written(
// CHECK-NEXT:    %[[C:.+]] = tri.conj_elements %y
// CHECK-NEXT:    tri.write %[[C]] into %x
// CHECK-NEXT:    func.return
func.func @written(%x: !tri.tensor<2xcomplex<f32>>, %y: !tri.tensor<2xcomplex<f32>>) {
  %0 = tri.conj_view %x : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>, conj>
  tri.write %y into %0 : !tri.tensor<2xcomplex<f32>> into !tri.tensor<2xcomplex<f32>, conj>
  func.return
}
