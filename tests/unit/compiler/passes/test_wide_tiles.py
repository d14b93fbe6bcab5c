"""Do wide tiles form sums of products in the order of the structured form, on any machine?

Both forms are interpreted, with registers of 512 bits; what counts as large is made small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.pipeline import Runner
from trilith.compiler.schedules.products import wide_tiles
from trilith.compiler.schedules.products.sums_in_results import bits_of
from trilith.compiler.targets.steps import Step
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.memory import AllocOp
from trilith.dialects.kernel.prefetch import PrefetchOp
from trilith.dialects.kernel.registers import ClearRegistersOp
from trilith.dialects.kernel.scheduled import HURRIED
from trilith.dialects.kernel.types import buffer_type_of
from trilith.dialects.making import all_operations

from .convolutions import of_filters

Parse = Callable[[str], FuncOp]
RANDOM = np.random.default_rng(23)

PRODUCT = """
kernel.func @product(%m: index, %n: index, %k: index,
    %x: !kernel.buffer<DTYPE, [LEFT]> {kernel.access = "read"},
    %y: !kernel.buffer<DTYPE, [RIGHT]> {kernel.access = "read"},
    %z: !kernel.buffer<DTYPE, [?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%i, %j) to (%m, %n) {
    %s = kernel.reduce fma (%l) to (%k) {lanes = 1, block = 0} : DTYPE {
      %a = kernel.load %x[%i, %j, %l] : DTYPE
      %b = kernel.load %y[%i, %j, %l] : DTYPE
      kernel.yield %a, %b : DTYPE, DTYPE
    }
    kernel.store %s, %z[%i, %j]
  }
}
"""

#: Convolutions of an image whose channels lie side by side, and of planes.
OF_CHANNELS = """
kernel.func @of_channels(%h: index, %w: index, %o: index, %c: index, %p: index, %q: index,
    %x: !kernel.buffer<f32, [?, ?, 0, 1, ?, ?]> {kernel.access = "read"},
    %f: !kernel.buffer<f32, [0, 0, ?, 1, ?, ?]> {kernel.access = "read"},
    %z: !kernel.buffer<f32, [?, ?, 1]> {kernel.access = "write", kernel.noalias}) {
  kernel.parallel (%y, %i, %j) to (%h, %w, %o) {
    %s = kernel.reduce fma (%l, %a, %b) to (%c, %p, %q) {lanes = 1, block = 0} : f32 {
      %u = kernel.load %x[%y, %i, %j, %l, %a, %b] : f32
      %v = kernel.load %f[%y, %i, %j, %l, %a, %b] : f32
      kernel.yield %u, %v : f32, f32
    }
    kernel.store %s, %z[%y, %i, %j]
  }
}
"""
OF_PLANES = of_filters("0, ?, ?, ?, ?, 1")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take small products for large ones, and so short pieces of k that there are several."""
    monkeypatch.setattr(wide_tiles, "LEAST_DEPTH", 1)
    monkeypatch.setattr(wide_tiles, "WINDOW_DEPTH", 20)
    monkeypatch.setattr(wide_tiles, "NEAREST_BYTES", 70 * 16 * 8)


def scheduled(kernel: FuncOp, bits: int = 512, *, hurried: bool = False) -> FuncOp:
    module = ModuleOp([kernel.clone()])
    options = (("target", "cpu"), ("vector_bits", bits), ("hurried", hurried))
    Runner().run(module, [Step("kernel-schedule", options)])
    module.verify()
    (found,) = module.body.block.ops
    assert isinstance(found, FuncOp)
    return found


def panels(kernel: FuncOp) -> list[AllocOp]:
    """Return the memory of panels of four registers."""
    found = [op for op in all_operations(kernel) if isinstance(op, AllocOp)]
    shapes = [buffer_type_of(op.results[0]) for op in found]
    wide = [(4 * 512 // bits_of(shape.element), 1) for shape in shapes]
    return [op for op, shape, one in zip(found, shapes, wide, strict=True) if shape.strides == one]


def written(dtype: str, left: str, right: str) -> str:
    return PRODUCT.replace("DTYPE", dtype).replace("LEFT", left).replace("RIGHT", right)


@pytest.mark.parametrize(("dtype", "numpy_type"), [("f32", np.float32), ("f64", np.float64)])
@pytest.mark.parametrize(("m", "n", "k"), [(16, 65, 20), (18, 70, 16), (29, 96, 19), (17, 64, 33)])
@pytest.mark.parametrize("across", [(False, False), (True, False), (False, True), (True, True)])
def test_wide_tiles_keep_the_order(
    parse_kernel: Parse,
    dtype: str,
    numpy_type: type[np.floating[Any]],
    m: int,
    n: int,
    k: int,
    across: tuple[bool, bool],
):
    left, right = across
    kernel = parse_kernel(
        written(dtype, "1, 0, ?" if left else "?, 0, 1", "0, ?, 1" if right else "0, 1, ?")
    )
    x, y = (RANDOM.standard_normal(size).astype(numpy_type) for size in (m * k, n * k))
    # Strides that are not known are those of what lies one after the other; offsets are zero.
    strides = [m if left else k, k if right else n, n]
    form, results = scheduled(kernel), list[bytes]()
    assert panels(form)
    for each in (kernel, form):
        z = np.full(m * n, np.nan, numpy_type)
        interpret_kernel(each, [x, y, z], [m, n, k, *integers(strides)])
        results.append(z.tobytes())
    assert results[0] == results[1]
    a, b = x.reshape((k, m)).T if left else x.reshape((m, k)), y.reshape((n, k)).T
    b = b if right else y.reshape((k, n))
    found = np.frombuffer(results[0], numpy_type).reshape((m, n))
    np.testing.assert_allclose(found, a @ b, rtol=1e-4, atol=1e-4)


def integers(strides: list[int]) -> list[int]:
    """Return what follows the extents: for each buffer its offset and its unknown stride."""
    return [word for stride in strides for word in (0, stride)]


def test_other_products_have_none(parse_kernel: Parse):
    kernel = parse_kernel(written("f32", "?, 0, 1", "0, 1, ?"))
    assert panels(scheduled(kernel))
    assert not panels(scheduled(kernel, 256))
    assert not panels(scheduled(parse_kernel(written("f32", "?, 0, ?", "0, 1, ?"))))


@pytest.mark.parametrize("are_planes", [False, True])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(
    ("filters", "channels", "height", "width"), [(64, 5, 4, 7), (130, 3, 2, 6), (70, 11, 3, 13)]
)
def test_windows_keep_the_order(
    parse_kernel: Parse,
    filters: int,
    channels: int,
    height: int,
    width: int,
    step: int,
    are_planes: bool,
):
    (p, q), places = (3, 2), height * width
    line, lines = (width - 1) * step + q, (height - 1) * step + p
    x = RANDOM.standard_normal((lines, line, channels)).astype(np.float32)
    f = RANDOM.standard_normal((filters, p, q, channels)).astype(np.float32)
    arrays = [x, f]
    if are_planes:
        kernel = parse_kernel(OF_PLANES)
        arrays = [x.transpose(2, 0, 1), f.transpose(0, 3, 1, 2)]
        own = [step * line, step, lines * line, line]
        strides = [0, *own, 0, channels * p * q, p * q, q, 0, places, width]
        sizes = [filters, height, width, channels, p, q]
    else:
        kernel = parse_kernel(OF_CHANNELS)
        row = line * channels
        own = [step * row, step * channels, row, channels]
        strides = [0, *own, 0, p * q * channels, q * channels, channels, 0, width * filters]
        sizes, strides = [height, width, filters, channels, p, q], [*strides, filters]
    flat = [np.ascontiguousarray(array).ravel() for array in arrays]
    form, results = scheduled(kernel), list[bytes]()
    (panel,) = panels(form)
    assert any(
        isinstance(op, PrefetchOp) and op.buffer.owner is panel for op in all_operations(form)
    )
    assert any(isinstance(op, ClearRegistersOp) for op in all_operations(form))
    for each in (kernel, form):
        z = np.full(filters * places, np.nan, np.float32)
        assert interpret_kernel(each, [*flat, z], [*sizes, *strides]) == []
        results.append(z.tobytes())
    assert results[0] == results[1]
    windows = np.lib.stride_tricks.sliding_window_view(x, (p, q), axis=(0, 1))[::step, ::step]
    wanted = np.einsum("yxcab,oabc->oyx" if are_planes else "yxcab,oabc->yxo", windows, f)
    found = np.frombuffer(results[0], np.float32).reshape(wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_a_form_made_in_a_hurry_leaves_them_out_and_says_so(parse_kernel: Parse):
    kernel = parse_kernel(written("f32", "?, 0, 1", "0, 1, ?"))
    hurried = scheduled(kernel, hurried=True)
    assert not panels(hurried)
    assert HURRIED in hurried.attributes
    assert HURRIED not in scheduled(kernel).attributes
    assert HURRIED not in scheduled(kernel, 256, hurried=True).attributes
