"""Do the tiles of a work item form sums of products in the order of the structured form?

Both forms are interpreted, for a machine with registers of 512 bits and one without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from trilith.compiler.interpret import kernel as interpreter
from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.pipeline import Runner
from trilith.compiler.schedules.opencl import product_tiles
from trilith.compiler.targets.steps import Step
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.memory import StoreOp
from trilith.dialects.kernel.prefetch import PrefetchOp
from trilith.dialects.kernel.registers import ClearRegistersOp
from trilith.dialects.kernel.transpose import TransposeOp
from trilith.dialects.kernel.types import is_vector, lanes_of

from .convolutions import of_filters

Array = np.ndarray[Any, Any]
Parse = Callable[[str], FuncOp]
RANDOM = np.random.default_rng(11)

PRODUCT = """
kernel.func @product(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<f32, [?, 0, 1]> {{kernel.access = "read"}},
    %y: !kernel.buffer<f32, [0, {right}]> {{kernel.access = "read"}},
    %z: !kernel.buffer<f32, [?, 1]> {{kernel.access = "write", kernel.noalias}}) {{
  kernel.parallel (%i, %j) to (%m, %n) {{
    %s = kernel.reduce fma (%l) to (%k) {{lanes = 1, block = 0}} : f32 {{
      %a = kernel.load %x[%i, %j, %l] : f32
      %b = kernel.load %y[%i, %j, %l] : f32
      kernel.yield %a, %b : f32, f32
    }}
    kernel.store %s, %z[%i, %j]
  }}
}}
"""
#: A convolution of each channel by itself: the channels lie side by side, or the places do.
OF_CHANNELS = """
kernel.func @of_channels(%h: index, %w: index, %c: index, %p: index, %q: index,
    %x: !kernel.buffer<f32, [?, ?, 1, ?, ?]> {kernel.access = "read"},
    %f: !kernel.buffer<f32, [0, 0, ?, ?, 1]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j, %l) to (%h, %w, %c) {
    %s = kernel.reduce fma (%a, %b) to (%p, %q) {lanes = 1, block = 0} : f32 {
      %u = kernel.load %x[%i, %j, %l, %a, %b] : f32
      %v = kernel.load %f[%i, %j, %l, %a, %b] : f32
      kernel.yield %u, %v : f32, f32
    }
    kernel.store %s, %z[%i, %j, %l]
  }
}
"""
OF_PLANES = (
    OF_CHANNELS.replace("f32, [?, ?, 1, ?, ?]", "f32, [?, ?, 1, ?, 1]")
    .replace("[0, 0, ?, ?, 1]", "[?, 0, 0, ?, 1]")
    .replace("of_channels", "of_planes")
)
#: The same whose lanes are filters, far apart in memory.
OF_FILTERS = of_filters("0, ?, 1, ?, ?, 1")


def scheduled(kernel: FuncOp) -> FuncOp:
    """Return the form for work items on a CPU."""
    module = ModuleOp([kernel.clone()])
    Runner().run(module, [Step("kernel-schedule", (("target", "opencl-cpu"),))])
    module.verify()
    (found,) = module.body.block.ops
    assert isinstance(found, FuncOp)
    return found


def compare(kernel: FuncOp, arrays: list[Array], integers: list[int]) -> None:
    """Run both forms and compare what they write, which is the last array."""
    answers: list[Array] = []
    for form in (kernel, scheduled(kernel)):
        given = [array.copy() for array in arrays]
        assert interpret_kernel(form, given, integers) == []
        answers.append(given[-1])
    assert np.any(answers[0])
    first, second = answers
    np.testing.assert_array_equal(first, second)


def normal(count: int) -> Array:
    return RANDOM.standard_normal(count).astype(np.float32) * 1000


def is_in_vectors(kernel: FuncOp) -> bool:
    """Whether results are stored in vectors."""
    return any(isinstance(op, StoreOp) and is_vector(op.value.type) for op in kernel.walk())


@pytest.fixture(params=[512, 256])
def bits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(interpreter, "REGISTER_BITS", request.param)
    return request.param


@pytest.mark.parametrize("sizes", [(17, 33, 5), (16, 64, 400), (20, 7, 9), (3, 40, 6), (150, 9, 4)])
@pytest.mark.parametrize("right", ["1, ?", "?, 1"])
@pytest.mark.usefixtures("bits")
def test_products(parse_kernel: Parse, sizes: tuple[int, int, int], right: str) -> None:
    kernel = parse_kernel(PRODUCT.format(right=right))
    (m, n, k), is_across = sizes, right == "?, 1"
    arrays = [normal(m * k), normal(k * n), np.zeros(m * n, np.float32)]
    compare(kernel, arrays, [m, n, k, 0, k, 0, k if is_across else n, 0, n])
    assert is_in_vectors(scheduled(kernel))


def test_what_lies_across_is_transposed_and_what_comes_next_asked_for(parse_kernel: Parse) -> None:
    for right in ("1, ?", "?, 1"):
        ops = list(scheduled(parse_kernel(PRODUCT.format(right=right))).walk())
        assert any(isinstance(op, PrefetchOp) for op in ops)
        assert any(isinstance(op, TransposeOp) for op in ops) == (right == "?, 1")


@pytest.mark.parametrize("channels", [1, 5, 16, 33, 40])
@pytest.mark.usefixtures("bits")
def test_channels_with_filters_of_their_own(parse_kernel: Parse, channels: int) -> None:
    kernel = parse_kernel(OF_CHANNELS)
    assert is_in_vectors(scheduled(kernel))
    (h, w), (p, q) = (30, 6), (3, 2)
    row = (w + q - 1) * channels
    x, f = normal((h + p - 1) * row), normal(channels * p * q)
    z = np.zeros(h * w * channels, np.float32)
    strides = [0, row, channels, row, channels, 0, p * q, q, 0, w * channels, channels]
    compare(kernel, [x, f, z], [h, w, channels, p, q, *strides])


@pytest.mark.parametrize("width", [1, 7, 32, 45])
@pytest.mark.usefixtures("bits")
def test_planes_with_a_filter_for_all_places(parse_kernel: Parse, width: int) -> None:
    kernel = parse_kernel(OF_PLANES)
    assert is_in_vectors(scheduled(kernel))
    channels, h, (p, q) = 3, 19, (2, 3)
    row = width + q - 1
    plane = (h + p - 1) * row
    x, f = normal(channels * plane), normal(channels * p * q)
    z = np.zeros(channels * h * width, np.float32)
    strides = [0, plane, row, row, 0, p * q, q, 0, h * width, width]
    compare(kernel, [x, f, z], [channels, h, width, p, q, *strides])


@pytest.mark.parametrize(
    ("filters", "channels", "width", "line"),
    [
        (32, 3, 8, 8),
        (40, 3, 5, 5),
        (16, 100, 7, 9),
        (35, 2, 13, 13),
        (20, 2, 16, 17),
        (65, 3, 5, 5),
    ],
)
@pytest.mark.usefixtures("bits")
def test_tiles_of_filters_are_transposed(
    parse_kernel: Parse,
    monkeypatch: pytest.MonkeyPatch,
    filters: int,
    channels: int,
    width: int,
    line: int,
) -> None:
    monkeypatch.setattr(product_tiles, "LONG", 18)
    kernel = parse_kernel(OF_FILTERS)
    ops = list(scheduled(kernel).walk())
    assert any(isinstance(op, TransposeOp) for op in ops)
    assert any(isinstance(op, ClearRegistersOp) for op in ops)
    h, (p, q) = 17, (3, 2)
    row = width + q - 1
    plane = (h + p - 1) * row
    x, f = normal(channels * plane), normal(filters * channels * p * q)
    z = np.zeros(filters * h * line, np.float32)
    strides = [0, row, plane, row, 0, channels * p * q, p * q, q, 0, h * line, line]
    compare(kernel, [x, f, z], [filters, h, width, channels, p, q, *strides])


def test_a_tile_is_built_for_either_width_of_registers(parse_kernel: Parse) -> None:
    kernel = scheduled(parse_kernel(PRODUCT.format(right="1, ?")))
    (question,) = [op for op in kernel.walk() if op.name == "kernel.has_registers"]
    (use,) = question.results[0].uses
    wide, usual = ({_lanes(op) for op in region.walk()} for region in use.operation.regions)
    assert (16 in wide, 16 in usual, 8 in usual) == (True, False, True)


def _lanes(op: Any) -> int:
    """Return the lanes of what is stored, 0 where nothing is."""
    if not isinstance(op, StoreOp) or not is_vector(op.value.type):
        return 0
    return lanes_of(op.value.type)
