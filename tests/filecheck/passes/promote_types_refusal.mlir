// RUN: not trilith-opt %s --disable-verify -p tri-promote-types 2>&1 | filecheck %s

// CHECK: Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Int
func.func @unsigned(%u: !tri.tensor<2xui16>, %i: !tri.tensor<2xsi32>) -> !tri.tensor<2xsi32> {
  %0 = tri.mul %u, %i : !tri.tensor<2xui16>, !tri.tensor<2xsi32> -> !tri.tensor<2xsi32>
  func.return %0 : !tri.tensor<2xsi32>
}
