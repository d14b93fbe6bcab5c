"""Do the schedules for OpenCL compute what the structured form says, in its order?

Both forms are interpreted; no device is needed. What is for GPUs alone has a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.passes.kernels.split_reductions import split_of
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.steps import Step
from trilith.dialects.kernel.function import FuncOp

Array = np.ndarray[Any, Any]
Parse = Callable[[str], FuncOp]
TARGETS = ("opencl-cpu", "opencl-gpu")


def scheduled(kernel: FuncOp, target: str) -> FuncOp:
    """Return the scheduled form of a kernel."""
    module = ModuleOp([kernel.clone()])
    Runner().run(module, [Step("kernel-schedule", (("target", target),))])
    module.verify()
    (found,) = module.body.block.ops
    assert isinstance(found, FuncOp)
    return found


def both(kernel: FuncOp, target: str, arrays: list[Array], integers: list[int]) -> list[Array]:
    """Run both forms; return the last array as each leaves it."""
    answers: list[Array] = []
    for form in (kernel, scheduled(kernel, target)):
        given = [array.copy() for array in arrays]
        assert interpret_kernel(form, given, integers) == []
        answers.append(given[-1])
    return answers


def values(count: int) -> Array:
    """Return floats whose sum depends on the order."""
    return np.random.default_rng(7).standard_normal(count).astype(np.float32) * 1000


ROWS = """
kernel.func @f(%m: index, %n: index,
    %x: !kernel.buffer<f32, [?, ?]> {{kernel.access = "read", kernel.noalias}},
    %y: !kernel.buffer<f32, [1]> {{kernel.access = "write", kernel.noalias}}) {{
  kernel.parallel (%i) to (%m) {{
    %s = kernel.reduce {kind} (%j) to (%n) {{lanes = {lanes}, block = {block}}} : f32 {{
      %v = kernel.load %x[%i, %j] : f32
      kernel.yield %v : f32
    }}
    kernel.store %s, %y[%i]
  }}
}}
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("order", [(1, 0), (4, 0), (4, 16), (8, 8), (1, 5)])
@pytest.mark.parametrize("kind", ["add", "maximum"])
def test_rows(parse_kernel: Parse, target: str, order: tuple[int, int], kind: str) -> None:
    kernel = parse_kernel(ROWS.format(kind=kind, lanes=order[0], block=order[1]))
    for count in (0, 1, 3, 4, 5, 16, 17, 33) if target == "opencl-cpu" else (5, 33):
        x, y = values(6 * count), np.zeros(6, np.float32)
        first, second = both(kernel, target, [x, y], [6, count, 0, count, 1, 0])
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("order", [(1, 0), (4, 16)])
def test_columns_are_reduced_in_strips(parse_kernel: Parse, order: tuple[int, int]) -> None:
    text = ROWS.format(kind="add", lanes=order[0], block=order[1])
    kernel = parse_kernel(text.replace("[?, ?]", "[1, ?]"))
    assert "kernel.alloc [" in str(scheduled(kernel, "opencl-cpu"))
    for rows, columns in ((0, 3), (1, 1), (37, 5), (20, 130)):
        x, y = values(rows * columns), np.zeros(columns, np.float32)
        integers = [columns, rows, 0, columns, 0]
        first, second = both(kernel, "opencl-cpu", [x, y], integers)
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("order", [(4, 0), (4, 16)])
def test_several_dimensions(parse_kernel: Parse, target: str, order: tuple[int, int]) -> None:
    kernel = parse_kernel(f"""
    kernel.func @f(%m: index, %n: index, %x: !kernel.buffer<f32, [?, 1]>,
        %y: !kernel.buffer<f32, []>) {{
      %s = kernel.reduce add (%i, %j) to (%m, %n) {{lanes = {order[0]}, block = {order[1]}}}
          : f32 {{
        %v = kernel.load %x[%i, %j] : f32
        kernel.yield %v : f32
      }}
      kernel.store %s, %y[]
    }}""")
    for rows, columns in ((0, 3), (3, 0), (1, 1), (5, 3), (7, 9), (4, 16), (3, 21)):
        x, y = values(rows * (columns + 2)), np.zeros(1, np.float32)
        first, second = both(kernel, target, [x, y], [rows, columns, 0, columns + 2, 0])
        np.testing.assert_array_equal(first, second)


def test_an_operand_that_lies_across(parse_kernel: Parse) -> None:
    kernel = parse_kernel("""
    kernel.func @f(%m: index, %n: index, %x: !kernel.buffer<f32, [1, ?]> {kernel.access = "read"},
        %y: !kernel.buffer<f32, [?, 1]> {kernel.access = "write", kernel.noalias}) {
      kernel.map (%i, %j) to (%m, %n) {
        %v = kernel.load %x[%i, %j] : f32
        %w = arith.addf %v, %v : f32
        kernel.store %w, %y[%i, %j]
      }
    }""")
    for rows, columns in ((0, 3), (1, 1), (3, 40), (40, 33), (64, 32)):
        x, y = values(rows * columns), np.zeros(rows * columns, np.float32)
        first, second = both(kernel, "opencl-cpu", [x, y], [rows, columns, 0, rows, 0, columns])
        np.testing.assert_array_equal(first, second)


def test_a_split_reduction_keeps_its_order(parse_kernel: Parse) -> None:
    kernel = parse_kernel(ROWS.format(kind="add", lanes=4, block=16))
    split = split_of(kernel)
    assert split is not None
    parts, total = split.make()
    for count in (17, 32, 33, 100):
        blocks, rows = -(-count // 16), 3
        x, whole, found = values(rows * count), np.zeros(rows, "f4"), np.zeros(rows, "f4")
        scratch = np.zeros(rows * blocks * 4, np.float32)
        interpret_kernel(kernel, [x, whole], [rows, count, 0, count, 1, 0])
        length = blocks * 4
        interpret_kernel(parts, [x, scratch], [rows, count, 0, count, 1, blocks, 4, 0, length])
        interpret_kernel(total, [found, scratch], [rows, 0, length, 0, length])
        np.testing.assert_array_equal(whole, found)
