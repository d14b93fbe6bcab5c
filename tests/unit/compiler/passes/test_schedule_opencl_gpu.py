"""Do work-groups compute what the structured form says, in its order, and wait where they must?

Both forms are interpreted; the interpreter refuses an item that touches what another one writes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from trilith.compiler.schedules.opencl import group_reductions, group_transposes
from trilith.compiler.schedules.opencl import shared_tiles as group_tiles
from trilith.compiler.schedules.opencl.shared_tiles import TileShape
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.memory import AllocOp, BarrierOp
from trilith.dialects.kernel.structured import ParallelOp

from .conftest import ParseKernel
from .test_schedule_opencl import ROWS, both, scheduled, values

GPU = "opencl-gpu"


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give groups a few items: the interpreter runs them one after the other."""
    monkeypatch.setattr(group_tiles, "SQUARE", TileShape((2, 4), (2, 2)))
    monkeypatch.setattr(group_tiles, "ROWS", TileShape((4,), (1,)))
    monkeypatch.setattr(group_tiles, "DEPTH", 4)
    monkeypatch.setattr(group_reductions, "ITEMS", 8)
    monkeypatch.setattr(group_reductions, "ITEMS_ACROSS", 16)
    monkeypatch.setattr(group_transposes, "SIDE", 4)
    monkeypatch.setattr(group_transposes, "ITEMS", 8)


def is_grouped(kernel: FuncOp) -> bool:
    """Whether a kernel is scheduled for groups."""
    return any(
        isinstance(op, ParallelOp) and op.is_grid("groups") for op in scheduled(kernel, GPU).walk()
    )


def check(kernel: FuncOp, arrays: list[Any], integers: list[int]) -> None:
    """Compare both forms."""
    first, second = both(kernel, GPU, arrays, integers)
    np.testing.assert_array_equal(first, second)


MATMUL = """
kernel.func @f(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<f32, [?, 0, 1]> {kernel.access = "read"},
    %y: !kernel.buffer<f32, [0, YN, YK]> {kernel.access = "read"},
    %b: !kernel.buffer<f32, [1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %c = kernel.load %b[%j] : f32
    %s = kernel.reduce add (%q) to (%k) {lanes = 1, block = 0} : f32 {
      %u = kernel.load %x[%i, %j, %q] : f32
      %v = kernel.load %y[%i, %j, %q] : f32
      %w = math.fma %u, %v, USED : f32
      kernel.yield %w : f32
    }
    %t = arith.addf %s, %c : f32
    kernel.store %t, %z[%i, %j]
  }
}
"""


@pytest.mark.parametrize("used", ["%u", "%c"])
@pytest.mark.parametrize("strides", [("1", "?"), ("?", "1")])
def test_a_matrix_product(parse_kernel: ParseKernel, strides: tuple[str, str], used: str) -> None:
    text = MATMUL.replace("YN", strides[0]).replace("YK", strides[1]).replace("USED", used)
    kernel = parse_kernel(text)
    assert is_grouped(kernel)
    for m, n, k in ((1, 1, 1), (5, 9, 6), (4, 8, 0), (3, 17, 4)):
        arrays = [values(m * k), values(n * k), values(n), np.zeros(m * n, np.float32)]
        stride = n if strides[0] == "1" else k
        check(kernel, arrays, [m, n, k, 0, k, 0, stride, 0, 0, n])


def test_the_serial_reduction_of_rows(parse_kernel: ParseKernel) -> None:
    kernel = parse_kernel("""
    kernel.func @f(%m: index, %n: index, %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
        %y: !kernel.buffer<i64, [1]> {kernel.access = "write", kernel.noalias}) {
      %low = arith.constant 0xff800000 : f32
      %none = arith.constant 0 : i64
      kernel.parallel (%i) to (%m) {
        %b, %at = kernel.reduce custom (%j) to (%n) {lanes = 1, block = 0}
            init (%low, %none) : f32, i64 {
          %v = kernel.load %x[%i, %j] : f32
          %k = arith.index_cast %j : index to i64
          kernel.yield %v, %k : f32, i64
        } combine (%a, %p, %c, %q) {
          %less = arith.cmpf olt, %a, %c : f32
          %d = arith.select %less, %c, %a : f32
          %r = arith.select %less, %q, %p : i64
          kernel.yield %d, %r : f32, i64
        }
        kernel.store %at, %y[%i]
      }
    }""")
    assert is_grouped(kernel)
    for m, n in ((1, 1), (5, 9), (4, 0), (9, 4)):
        check(kernel, [values(m * n), np.zeros(m, np.int64)], [m, n, 0, n, 0])


def test_reductions_that_need_one_another(parse_kernel: ParseKernel) -> None:
    kernel = parse_kernel("""
    kernel.func @f(%m: index, %n: index, %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read"},
        %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
      kernel.parallel (%i) to (%m) {
        %s = kernel.reduce add (%j) to (%n) {lanes = 4, block = 8} : f32 {
          %v = kernel.load %x[%i, %j] : f32
          kernel.yield %v : f32
        }
        %h = arith.addf %s, %s : f32
        %t = kernel.reduce maximum (%j) to (%n) {lanes = 4, block = 0} : f32 {
          %v = kernel.load %x[%i, %j] : f32
          %d = arith.subf %v, %h : f32
          kernel.yield %d : f32
        }
        %r = arith.addf %h, %t : f32
        kernel.store %r, %y[%i]
      }
    }""")
    form = scheduled(kernel, GPU)
    assert sum(isinstance(op, AllocOp) for op in form.walk()) == 2
    assert sum(isinstance(op, BarrierOp) for op in form.walk()) == 4
    for m, n in ((1, 1), (3, 0), (33, 21)):
        check(kernel, [values(m * n), np.zeros(m, np.float32)], [m, n, 0, n, 0])


@pytest.mark.parametrize("strides", ["[1, ?]", "[?, 1]"])
@pytest.mark.parametrize("order", [(4, 0), (4, 8)])
def test_rows_and_columns(parse_kernel: ParseKernel, order: tuple[int, int], strides: str) -> None:
    text = ROWS.format(kind="add", lanes=order[0], block=order[1])
    kernel = parse_kernel(text.replace("[?, ?]", strides))
    assert is_grouped(kernel)
    for m, n in ((1, 1), (5, 3), (4, 0), (9, 21)):
        stride = n if strides == "[?, 1]" else m
        check(kernel, [values(m * n), np.zeros(m, np.float32)], [m, n, 0, stride, 0])


def test_an_operand_that_lies_across(parse_kernel: ParseKernel) -> None:
    kernel = parse_kernel("""
    kernel.func @f(%b: index, %m: index, %n: index,
        %x: !kernel.buffer<f32, [?, 1, ?]> {kernel.access = "read"},
        %y: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "read"},
        %z: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
      kernel.map (%h, %i, %j) to (%b, %m, %n) {
        %u = kernel.load %x[%h, %i, %j] : f32
        %v = kernel.load %y[%h, %i, %j] : f32
        %w = arith.subf %u, %v : f32
        kernel.store %w, %z[%h, %i, %j]
      }
    }""")
    assert is_grouped(kernel)
    for m, n in ((1, 1), (5, 9), (8, 4)):
        size = m * n
        arrays = [values(2 * size), values(2 * size), np.zeros(2 * size, np.float32)]
        check(kernel, arrays, [2, m, n, 0, size, m, 0, size, n, 0, size, n])


def test_a_store_before_a_reduction_keeps_a_nest_to_its_items(parse_kernel: ParseKernel) -> None:
    kernel = parse_kernel("""
    kernel.func @f(%m: index, %n: index, %x: !kernel.buffer<f32, [?, 1]>,
        %y: !kernel.buffer<f32, [1]>) {
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0 : index
      kernel.parallel (%i) to (%m) {
        kernel.store %one, %x[%i, %zero]
        %s = kernel.reduce add (%j) to (%n) {lanes = 4, block = 0} : f32 {
          %v = kernel.load %x[%i, %j] : f32
          kernel.yield %v : f32
        }
        kernel.store %s, %y[%i]
      }
    }""")
    assert not is_grouped(kernel)
    check(kernel, [values(15), np.zeros(3, np.float32)], [3, 5, 0, 5, 0])


def test_memory_that_the_kernel_writes_is_not_shared(parse_kernel: ParseKernel) -> None:
    text = MATMUL.replace("YN", "1").replace("YK", "?").replace("USED", "%u")
    assert not is_grouped(parse_kernel(text.replace('"write", kernel.noalias', '"readwrite"')))
