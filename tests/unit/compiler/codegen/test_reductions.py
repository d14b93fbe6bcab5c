"""Does every way to run a reduction keep the order that its attributes say, to the bit?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

RANDOM = np.random.default_rng(11)
ORDERS = [(1, 0), (1, 16), (2, 4), (4, 0), (8, 16), (16, 64), (32, 0), (32, 1024), (64, 128)]
SHAPES = [(1, 0), (3, 1), (2, 5), (3, 16), (2, 31), (3, 33), (5, 100), (2, 1024), (37, 130)]


def sums(order: tuple[int, int], element: str, where: str, strides: str) -> str:
    lanes, block = order
    return f"""
    kernel.func @sums(%r: index, %c: index,
        %x: !kernel.buffer<f32, {strides}> {{kernel.access = "read", kernel.noalias}},
        %y: !kernel.buffer<f32, [1]> {{kernel.access = "write", kernel.noalias}}) {{
      kernel.parallel (%i) to (%r) {{
        %s = kernel.reduce {element} (%j) to (%c) {{lanes = {lanes}, block = {block}}} : f32 {{
          %v = kernel.load %x[{where}] : f32
          kernel.yield %v : f32
        }}
        kernel.store %s, %y[%i]
      }}
    }}"""


def same_bits(a: Any, b: Any) -> bool:
    return a.tobytes() == b.tobytes()


@pytest.mark.parametrize("order", ORDERS)
def test_rows(compile_kernel: Any, reduce_in_order: Callable[..., Any], order: tuple[int, int]):
    kernel = compile_kernel(sums(order, "add", "%i, %j", "[?, 1]"))
    for rows, cols in SHAPES:
        x = RANDOM.standard_normal((rows, cols), dtype=np.float32)
        y = np.full(rows, 7, np.float32)
        kernel(rows, cols, x, y)
        assert same_bits(y, reduce_in_order(x.T, *order, np.add, 0))


@pytest.mark.parametrize("order", ORDERS)
def test_columns(compile_kernel: Any, reduce_in_order: Callable[..., Any], order: tuple[int, int]):
    kernel = compile_kernel(sums(order, "add", "%j, %i", "[?, 1]"))
    for cols, rows in [*SHAPES, (600, 300)]:
        x = RANDOM.standard_normal((rows, cols), dtype=np.float32)
        y = np.full(cols, 7, np.float32)
        kernel(cols, rows, x, y)
        assert same_bits(y, reduce_in_order(x, *order, np.add, 0))


@pytest.mark.parametrize("order", [(8, 16), (32, 0)])
def test_unknown_strides(
    compile_kernel: Any, reduce_in_order: Callable[..., Any], order: tuple[int, int]
):
    kernel = compile_kernel(sums(order, "add", "%i, %j", "[?, ?]"))
    for rows, cols in SHAPES:
        x = RANDOM.standard_normal((rows + 1, 3 * cols + 1), dtype=np.float32)[1:, 1::3]
        y = np.full(rows, 7, np.float32)
        kernel(rows, cols, x, y)
        assert same_bits(y, reduce_in_order(x.T, *order, np.add, 0))


@pytest.mark.parametrize(
    ("kind", "ufunc", "neutral"),
    [("maximum", np.maximum, -np.inf), ("minimum", np.minimum, np.inf), ("mul", np.multiply, 1)],
)
@pytest.mark.parametrize("where", ["%i, %j", "%j, %i"])
def test_kinds(
    compile_kernel: Any,
    reduce_in_order: Callable[..., Any],
    kind: str,
    ufunc: Any,
    neutral: float,
    where: str,
):
    kernel = compile_kernel(sums((16, 64), kind, where, "[?, 1]"))
    for rows, cols in SHAPES:
        x = RANDOM.standard_normal((rows, cols), dtype=np.float32)
        y = np.full(rows, 7, np.float32)
        kernel(rows, cols, x if where == "%i, %j" else x.T.copy(), y)
        assert same_bits(y, reduce_in_order(x.T, 16, 64, ufunc, neutral))


@pytest.mark.parametrize("order", [(4, 0), (8, 16), (16, 64), (32, 64)])
@pytest.mark.parametrize("where", ["%j, %i, %k", "%j, %k, %i"])
def test_two_indices(
    compile_kernel: Any, reduce_in_order: Callable[..., Any], order: tuple[int, int], where: str
):
    lanes, block = order
    kernel = compile_kernel(f"""
    kernel.func @sums(%r: index, %c: index, %d: index, %x: !kernel.buffer<f32, [?, ?, 1]>,
        %y: !kernel.buffer<f32, [1]>) {{
      kernel.parallel (%i) to (%r) {{
        %s = kernel.reduce add (%j, %k) to (%c, %d) {{lanes = {lanes}, block = {block}}} : f32 {{
          %v = kernel.load %x[{where}] : f32
          kernel.yield %v : f32
        }}
        kernel.store %s, %y[%i]
      }}
    }}""")
    for r, c, d in [(3, 4, 5), (2, 7, 33), (3, 5, 64), (1, 1, 1), (2, 0, 3), (2, 3, 0), (2, 99, 3)]:
        x = RANDOM.standard_normal((c, r, d), dtype=np.float32)
        y = np.full(r, 7, np.float32)
        stored = x if where == "%j, %i, %k" else x.transpose(0, 2, 1).copy()
        kernel(r, c, d, stored, y)
        flat = x.transpose(0, 2, 1).reshape(c * d, r)
        assert same_bits(y, reduce_in_order(flat, *order, np.add, 0))


def test_sums_never_are_negative_zero(compile_kernel: Any):
    x, y = np.full((2, 5), -0.0, np.float32), np.full(2, 7, np.float32)
    compile_kernel(sums((8, 0), "add", "%i, %j", "[?, 1]"))(2, 5, x, y)
    assert not np.signbit(y).any()


def test_a_second_reduction_reads_the_first_along_columns(compile_kernel: Any):
    """Variance over the first axis: the strip reads the sums of the reduction before it."""
    kernel = compile_kernel("""
    kernel.func @variance(%r: index, %c: index, %count: f32,
        %x: !kernel.buffer<f32, [?, 1]> {kernel.access = "read", kernel.noalias},
        %y: !kernel.buffer<f32, [1]> {kernel.access = "write", kernel.noalias}) {
      kernel.parallel (%j) to (%c) {
        %s = kernel.reduce add (%i) to (%r) {lanes = 8, block = 0} : f32 {
          %v = kernel.load %x[%i, %j] : f32
          kernel.yield %v : f32
        }
        %mean = arith.divf %s, %count : f32
        %t = kernel.reduce add (%i) to (%r) {lanes = 8, block = 0} : f32 {
          %v = kernel.load %x[%i, %j] : f32
          %d = arith.subf %v, %mean : f32
          %q = arith.mulf %d, %d : f32
          kernel.yield %q : f32
        }
        %u = arith.divf %t, %count : f32
        kernel.store %u, %y[%j]
      }
    }""")
    for rows, cols in [(1, 1), (5, 3), (40, 700), (9, 33)]:
        x = RANDOM.standard_normal((rows, cols), dtype=np.float32)
        y = np.empty(cols, np.float32)
        kernel(rows, cols, np.float32(rows), x, y)
        np.testing.assert_allclose(y, x.var(0, dtype=np.float64), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 1000])
def test_bytes_to_a_bit(compile_kernel: Any, count: int):
    kernel = compile_kernel("""
    kernel.func @any(%n: index, %x: !kernel.buffer<i8, [1]>, %y: !kernel.buffer<i8, [1]>) {
      %first = arith.constant 0 : index
      %zero = arith.constant 0 : i8
      %s = kernel.reduce or (%i) to (%n) {lanes = 64, block = 0} : i1 {
        %v = kernel.load %x[%i] : i8
        %b = arith.cmpi ne, %v, %zero : i8
        kernel.yield %b : i1
      }
      %e = arith.extui %s : i1 to i8
      kernel.store %e, %y[%first]
    }""")
    x, y = np.zeros(count, np.int8), np.full(1, 9, np.int8)
    kernel(count, x, y)
    assert y[0] == 0
    if count:
        x[-1] = -128
        kernel(count, x, y)
        assert y[0] == 1


@pytest.mark.parametrize(("lanes", "block"), [(1, 0), (8, 0), (16, 64)])
@pytest.mark.parametrize("where", ["%i, %j", "%j, %i"])
def test_custom_reduction_to_two_values(compile_kernel: Any, lanes: int, block: int, where: str):
    kernel = compile_kernel(f"""
    kernel.func @range(%r: index, %c: index, %x: !kernel.buffer<f32, [?, 1]>,
        %y: !kernel.buffer<f32, [1]>, %z: !kernel.buffer<f32, [1]>) {{
      %high = arith.constant 0x7F800000 : f32
      %low = arith.constant 0xFF800000 : f32
      kernel.parallel (%i) to (%r) {{
        %a, %b = kernel.reduce custom (%j) to (%c) {{lanes = {lanes}, block = {block}}}
            init (%high, %low) : f32, f32 {{
          %v = kernel.load %x[{where}] : f32
          kernel.yield %v, %v : f32, f32
        }} combine (%p, %q, %s, %t) {{
          %u = arith.minimumf %p, %s : f32
          %w = arith.maximumf %q, %t : f32
          kernel.yield %u, %w : f32, f32
        }}
        kernel.store %a, %y[%i]
        kernel.store %b, %z[%i]
      }}
    }}""")
    for rows, cols in SHAPES[1:]:
        x = RANDOM.standard_normal((rows, cols), dtype=np.float32)
        y, z = np.empty(rows, np.float32), np.empty(rows, np.float32)
        kernel(rows, cols, x if where == "%i, %j" else x.T.copy(), y, z)
        assert (y == x.min(1)).all()
        assert (z == x.max(1)).all()
