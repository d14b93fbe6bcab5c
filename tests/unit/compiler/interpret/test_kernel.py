"""Does interpreting a kernel give what its text says, in either form?"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from trilith.compiler.interpret import kernel as interpreter
from trilith.compiler.interpret.kernel import Fault, interpret_kernel
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.steps import Step
from trilith.dialects.diagnostics import InternalError
from trilith.dialects.kernel.function import FuncOp

Parse = Callable[[str], FuncOp]
Array = np.ndarray[Any, Any]


def scheduled(kernel: FuncOp, bits: int = 256) -> FuncOp:
    module = kernel.parent_op()
    assert isinstance(module, ModuleOp)
    module = module.clone()
    Runner().run(module, [Step("kernel-schedule", (("vector_bits", bits),))])
    module.verify()
    found = module.body.block.first_op
    assert isinstance(found, FuncOp)
    return found


TRANSPOSE = """
kernel.func @f(%n: index, %m: index, %s: f32,
    %x: !kernel.buffer<f32, [?, 1]>, %y: !kernel.buffer<f32, [1, ?]>) {
  kernel.map (%i, %j) to (%n, %m) {
    %0 = kernel.load %x[%i, %j] : f32
    %1 = arith.mulf %0, %s : f32
    kernel.store %1, %y[%i, %j]
  }
}
"""


@pytest.mark.parametrize("form", ["structured", "scheduled"])
def test_offsets_strides_and_scalars(parse_kernel: Parse, form: str):
    kernel = parse_kernel(TRANSPOSE)
    kernel = scheduled(kernel) if form == "scheduled" else kernel
    x = np.arange(100, dtype=np.float32)
    y = np.zeros(40, np.float32)
    half = int(np.array(0.5, np.float32).view(np.uint32))
    # %x begins at element 7 and its rows are 10 apart, %y at 2 and its columns are 4 apart.
    assert interpret_kernel(kernel, [x, y], [3, 9, half, 7, 10, 2, 4]) == []
    expected = np.zeros(40, np.float32)
    for i in range(3):
        for j in range(9):
            expected[2 + i + 4 * j] = 0.5 * x[7 + 10 * i + j]
    np.testing.assert_array_equal(y, expected)


SUM = """
kernel.func @f(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {
  %s = kernel.reduce KIND (%i) to (%n) {lanes = LANES, block = BLOCK} : f32 {
    %0 = kernel.load %x[%i] : f32
    kernel.yield %0 : f32
  }
  kernel.store %s, %y[]
}
"""


def reduce_as_specified(values: Array, lanes: int, block: int, start: float, combine: Any) -> Any:
    """The order of kernel.reduce, word for word, one number at a time."""
    block = block or max(len(values), 1)
    totals = [np.float32(start)] * lanes
    for first in range(0, len(values), block):
        current = [np.float32(start)] * lanes
        for number, value in enumerate(values[first : first + block]):
            current[number % lanes] = combine(current[number % lanes], value)
        totals = [combine(a, b) for a, b in zip(totals, current, strict=True)]
    while len(totals) > 1:
        half = len(totals) // 2
        totals = [combine(a, b) for a, b in zip(totals[:half], totals[half:], strict=True)]
    return totals[0]


@pytest.mark.parametrize(("lanes", "block"), [(1, 0), (4, 0), (16, 0), (4, 4), (16, 64), (1, 8)])
@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 63, 64, 65, 200])
@pytest.mark.parametrize(
    ("kind", "start", "combine"),
    [("add", 0, np.add), ("mul", 1, np.multiply), ("maximum", -np.inf, np.maximum)],
)
def test_order_of_reductions(
    parse_kernel: Parse, kind: str, start: float, combine: Any, lanes: int, block: int, count: int
):
    text = SUM.replace("KIND", kind).replace("LANES", str(lanes)).replace("BLOCK", str(block))
    generator = np.random.default_rng(count)
    x = (generator.normal(size=count) * 10 ** generator.uniform(-0.5, 0.5, count)).astype("f4")
    expected = reduce_as_specified(x, lanes, block, start, combine)
    y = np.zeros(1, np.float32)
    interpret_kernel(parse_kernel(text), [x, y], [count, 0, 0])
    assert y[0] == expected


@pytest.mark.parametrize("bits", [128, 512])
@pytest.mark.parametrize("count", [1, 17, 200])
def test_a_scheduled_reduction_keeps_the_order(parse_kernel: Parse, bits: int, count: int):
    kernel = parse_kernel(SUM.replace("KIND", "add").replace("LANES", "16").replace("BLOCK", "64"))
    x = np.random.default_rng(1).normal(size=count).astype(np.float32)
    results: list[bytes] = []
    for form in (kernel, scheduled(kernel, bits)):
        y = np.zeros(1, np.float32)
        interpret_kernel(form, [x, y], [count, 0, 0])
        results.append(y.tobytes())
    assert results[0] == results[1]


def test_the_sum_of_negative_zeros_is_zero(parse_kernel: Parse):
    kernel = parse_kernel(SUM.replace("KIND", "add").replace("LANES", "4").replace("BLOCK", "0"))
    y = np.zeros(1, np.float32)
    interpret_kernel(kernel, [np.full(9, -0.0, np.float32), y], [9, 0, 0])
    assert not np.signbit(y[0])


SOFTMAX = """
kernel.func @f(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]>, %y: !kernel.buffer<f32, [?, 1]>) {
  kernel.parallel (%i) to (%n) {
    %a = kernel.reduce maximum (%j) to (%m) {lanes = 16, block = 1024} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }
    %s = kernel.reduce add (%j) to (%m) {lanes = 16, block = 1024} : f32 {
      %v = kernel.load %x[%i, %j] : f32
      %d = arith.subf %v, %a : f32
      %e = math.exp %d : f32
      kernel.store %e, %y[%i, %j]
      kernel.yield %e : f32
    }
    kernel.map (%j) to (%m) {
      %e = kernel.load %y[%i, %j] : f32
      %q = arith.divf %e, %s : f32
      kernel.store %q, %y[%i, %j]
    }
  }
}
"""


def softmax(kernel: FuncOp, x: Array) -> Array:
    y = np.full_like(x, 9)
    n, m = x.shape
    interpret_kernel(kernel, [x, y], [n, m, 0, m, 0, m])
    return y


@pytest.mark.parametrize("shape", [(1, 1), (4, 7), (3, 50), (0, 3)])
def test_a_nest_with_reductions(parse_kernel: Parse, shape: tuple[int, int]):
    x = np.random.default_rng(2).normal(size=shape).astype(np.float32)
    kernel = parse_kernel(SOFTMAX)
    y = softmax(kernel, x)
    wide = np.exp(x.astype(np.float64) - x.max(1, keepdims=True, initial=-np.inf))
    np.testing.assert_allclose(y, wide / wide.sum(1, keepdims=True), rtol=1e-6)
    assert softmax(scheduled(kernel), x).tobytes() == y.tobytes()


def test_many_points_are_computed_in_parts(parse_kernel: Parse, monkeypatch: pytest.MonkeyPatch):
    x = np.random.default_rng(3).normal(size=(9, 31)).astype(np.float32)
    kernel = parse_kernel(SOFTMAX)
    whole = softmax(kernel, x)
    monkeypatch.setattr(interpreter, "LIMIT", 64)
    assert softmax(kernel, x).tobytes() == whole.tobytes()


SCAN = """
kernel.func @f(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
  kernel.scan add (%i) to (%n) : f32 {
    %0 = kernel.load %x[%i] : f32
    kernel.yield %0 : f32
  } into (%i, %sum) {
    kernel.store %sum, %y[%i]
  }
}
"""


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("form", ["structured", "scheduled"])
def test_scan(parse_kernel: Parse, in_place: bool, form: str):
    kernel = parse_kernel(SCAN)
    kernel = scheduled(kernel) if form == "scheduled" else kernel
    x = np.random.default_rng(4).normal(size=21).astype(np.float32)
    y = x.copy() if in_place else np.zeros_like(x)
    interpret_kernel(kernel, [y if in_place else x, y], [21, 0, 0])
    total, expected = np.float32(0), list[Any]()
    for value in x:
        total = np.float32(total + value)
        expected.append(total)
    assert y.tolist() == expected


SHIFTED = SCAN.replace(
    "kernel.store %sum, %y[%i]",
    "%one = arith.constant 1 : index\n%j = arith.addi %i, %one : index\nkernel.store %sum, %y[%j]",
)


def test_a_scan_may_read_what_it_wrote(parse_kernel: Parse):
    memory = np.array([1, 10, 100, 1000], np.float32)
    interpret_kernel(parse_kernel(SHIFTED), [memory, memory], [3, 0, 0])
    assert memory.tolist() == [1, 1, 2, 4]


ARGMAX = """
kernel.func @f(%n: index, %m: index,
    %x: !kernel.buffer<f32, [?, 1]>, %y: !kernel.buffer<i64, [1]>) {
  %low = arith.constant -1.0e30 : f32
  %zero = arith.constant 0 : i64
  kernel.parallel (%i) to (%n) {
    %v, %k = kernel.reduce custom (%j) to (%m) {lanes = 1, block = 0} init (%low, %zero)
        : f32, i64 {
      %0 = kernel.load %x[%i, %j] : f32
      %1 = arith.index_cast %j : index to i64
      kernel.yield %0, %1 : f32, i64
    } combine (%a, %p, %b, %q) {
      %2 = arith.cmpf ogt, %b, %a : f32
      %3 = arith.select %2, %b, %a : f32
      %4 = arith.select %2, %q, %p : i64
      kernel.yield %3, %4 : f32, i64
    }
    kernel.store %k, %y[%i]
  }
}
"""


@pytest.mark.parametrize("form", ["structured", "scheduled"])
def test_a_custom_reduction(parse_kernel: Parse, form: str):
    kernel = parse_kernel(ARGMAX)
    kernel = scheduled(kernel) if form == "scheduled" else kernel
    x = np.random.default_rng(5).integers(0, 4, (6, 11)).astype(np.float32)
    y = np.zeros(6, np.int64)
    interpret_kernel(kernel, [x, y], [6, 11, 0, 11, 0])
    np.testing.assert_array_equal(y, x.argmax(1))


CHECKED = """
kernel.func @f(%n: index, %x: !kernel.buffer<i32, [1]>, %y: !kernel.buffer<i32, [1]>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : i32
    %1 = arith.cmpi eq, %0, %zero : i32
    kernel.check %1, "ZeroDivisionError" at 3
    %2 = arith.cmpi slt, %0, %zero : i32
    kernel.check %2, "NegativeExponentError" at 5
    %3 = arith.select %1, %one, %0 : i32
    %4 = arith.divsi %one, %3 : i32
    kernel.store %4, %y[%i]
  }
}
"""


@pytest.mark.parametrize("form", ["structured", "scheduled"])
@pytest.mark.parametrize(
    ("values", "faults"),
    [
        ([1, 2, 3], []),
        ([1, 0, 0], [Fault("ZeroDivisionError", 3)]),
        ([-1, 5, 0], [Fault("NegativeExponentError", 5), Fault("ZeroDivisionError", 3)]),
        ([], []),
    ],
)
def test_faults(parse_kernel: Parse, form: str, values: list[int], faults: list[Fault]):
    kernel = parse_kernel(CHECKED)
    kernel = scheduled(kernel) if form == "scheduled" else kernel
    # Lanes beyond the end would be zero, and must not report.
    x, y = np.array(values, np.int32), np.zeros(len(values), np.int32)
    found = interpret_kernel(kernel, [x, y], [len(values), 0, 0])
    assert set(found) == set(faults)
    assert len(found) == len(faults)


LANES = """
kernel.func @f(%x: !kernel.buffer<f32, [?]>, %y: !kernel.buffer<f32, [1]>, %n: index) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %ids = kernel.lane_ids : vector<4xindex>
  %mask = kernel.mask %n : vector<4xi1>
  %a = kernel.load %x[%zero] mask %mask else 1 : vector<4xf32>
  %threes = arith.constant dense<3> : vector<4xindex>
  %back = arith.subi %threes, %ids : vector<4xindex>
  %b = kernel.load %x[%back] : vector<4xf32>
  %c = arith.addf %a, %b : vector<4xf32>
  kernel.store %c, %y[%zero]
  %d = kernel.slice %c[2] : vector<4xf32> to vector<2xf32>
  %e = kernel.extract %d[1] : vector<2xf32>
  %f = kernel.splat %e : vector<4xf32>
  %g = kernel.compare olt, %c, %f : vector<4xf32>
  %h = kernel.select %g, %c, %f : vector<4xf32>
  %k = kernel.convert fptosi %h : vector<4xf32> to vector<4xi32>
  %l = kernel.convert sitofp %k : vector<4xi32> to vector<4xf32>
  kernel.store %l, %y[%four] mask %mask
}
"""


def test_lanes(parse_kernel: Parse):
    kernel = parse_kernel(LANES)
    x = np.array([0.5, 9, 1.5, 9, 2.5, 9, 3.5, 9], np.float32)
    y = np.full(8, -1, np.float32)
    interpret_kernel(kernel, [x, y], [0, 2, 0, 3])
    # Every second element; the fourth is masked off, reads as one, and is not written.
    first = [0.5 + 3.5, 1.5 + 2.5, 2.5 + 1.5, 1 + 0.5]
    assert y.tolist() == [*first, 1, 1, 1, -1]


LOOPS = """
kernel.func @f(%n: index, %x: !kernel.buffer<i32, [1]>, %y: !kernel.buffer<i32, [1]>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %p = kernel.alloc [2] : !kernel.buffer<i32, [1], private>
  kernel.parallel (%t) to (%one) {
    %s = kernel.for %i = %zero to %n step %one iter_args(%a = %none) -> (i32) {
      %v = kernel.load %x[%i] : i32
      %odd = arith.trunci %v : i32 to i1
      %w = kernel.if %odd -> (i32) {
        %b = arith.addi %a, %v : i32
        kernel.yield %b : i32
      } else {
        kernel.yield %a : i32
      }
      kernel.yield %w : i32
    }
    kernel.store %s, %p[%one]
    kernel.barrier
    %r = kernel.load %p[%one] : i32
    kernel.store %r, %y[%t]
  }
}
"""


def test_loops_branches_and_private_memory(parse_kernel: Parse):
    y = np.zeros(1, np.int32)
    interpret_kernel(parse_kernel(LOOPS), [np.arange(10, dtype=np.int32), y], [10, 0, 0])
    assert y.tolist() == [1 + 3 + 5 + 7 + 9]


@pytest.mark.parametrize(
    ("integers", "element"), [([5, 0, 0], 4), ([4, -1, 0], -1), ([1, 0, 10], 10)]
)
def test_accesses_outside_of_memory_are_found(
    parse_kernel: Parse, integers: Sequence[int], element: int
):
    kernel = parse_kernel(SCAN)
    memory = [np.zeros(4, np.float32), np.zeros(4, np.float32)]
    with pytest.raises(InternalError, match=f"touches element {element} of memory with 4"):
        interpret_kernel(kernel, memory, integers)


def test_arguments_are_counted(parse_kernel: Parse):
    with pytest.raises(InternalError, match="takes 2 pointers and 3 integers, got 1 and 3"):
        interpret_kernel(parse_kernel(SCAN), [np.zeros(4, np.float32)], [1, 0, 0])
