// RUN: trilith-opt %s -p 'tri-fuse{maximum-work=2}' | filecheck %s --check-prefix=WORK
// RUN: trilith-opt %s -p 'tri-fuse{maximum-streams=3}' | filecheck %s --check-prefix=STREAMS
// RUN: trilith-opt %s -p 'tri-fuse{maximum-operands=4}' | filecheck %s --check-prefix=OPERANDS

// A part ends where the next operation would be too much; what is needed later is stored.
// WORK-LABEL: func.func @chain(
// WORK-NEXT:    %0 = tri.fusion (%{{.+}} = %x : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
// WORK-NEXT:      tri.neg
// WORK-NEXT:      tri.abs
// WORK-NEXT:      tri.yield
// WORK-NEXT:    }
// WORK-NEXT:    %1 = tri.fusion (%{{.+}} = %0 : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>) {
// WORK-NEXT:      tri.neg
// WORK-NEXT:      tri.yield
// WORK-NEXT:    }
// WORK-NEXT:    func.return %1
func.func @chain(%x: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.neg %x : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.abs %0 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %2 = tri.neg %1 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %2 : !tri.tensor<4xf32>
}

// Two tensors that are read and one that is written are three streams.
// STREAMS-LABEL: func.func @sum(
// STREAMS:         %0 = tri.fusion (%{{.+}} = %a : !tri.tensor<4xf32>, %{{.+}} = %b : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>)
// STREAMS:         %1 = tri.fusion (%{{.+}} = %0 : !tri.tensor<4xf32>, %{{.+}} = %c : !tri.tensor<4xf32>) -> (!tri.tensor<4xf32>)
// STREAMS:         func.return %1
func.func @sum(%a: !tri.tensor<4xf32>, %b: !tri.tensor<4xf32>, %c: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.add %a, %b : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  %1 = tri.add %0, %c : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %1 : !tri.tensor<4xf32>
}

// Windows that overlap are one stream, and as many operands.
// STREAMS-LABEL: func.func @windows(
// STREAMS-COUNT-1: tri.fusion
// OPERANDS-LABEL: func.func @windows(
// OPERANDS-COUNT-2: tri.fusion
func.func @windows(%x: !tri.tensor<9xf32>) -> !tri.tensor<6xf32> {
  %0 = tri.slice %x {dim = 0 : i64, start = 0 : i64, end = 6 : i64, step = 1 : i64} : !tri.tensor<9xf32> -> !tri.tensor<6xf32>
  %1 = tri.slice %x {dim = 0 : i64, start = 1 : i64, end = 7 : i64, step = 1 : i64} : !tri.tensor<9xf32> -> !tri.tensor<6xf32>
  %2 = tri.slice %x {dim = 0 : i64, start = 2 : i64, end = 8 : i64, step = 1 : i64} : !tri.tensor<9xf32> -> !tri.tensor<6xf32>
  %3 = tri.slice %x {dim = 0 : i64, start = 3 : i64, end = 9 : i64, step = 1 : i64} : !tri.tensor<9xf32> -> !tri.tensor<6xf32>
  %4 = tri.add %0, %1 : !tri.tensor<6xf32>, !tri.tensor<6xf32> -> !tri.tensor<6xf32>
  %5 = tri.add %4, %2 : !tri.tensor<6xf32>, !tri.tensor<6xf32> -> !tri.tensor<6xf32>
  %6 = tri.add %5, %3 : !tri.tensor<6xf32>, !tri.tensor<6xf32> -> !tri.tensor<6xf32>
  func.return %6 : !tri.tensor<6xf32>
}
