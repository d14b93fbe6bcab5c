"""Do the kernels of the grammar compute what NumPy computes?"""

import itertools
import pathlib
from typing import Any

import numpy as np
import pytest

from ...fused import fused

SHORT_ROWS = pathlib.Path(__file__).parents[3] / "filecheck/kernel/schedule_short_rows.mlir"
RANDOM = np.random.default_rng(7)
SHAPES = [(1, 1), (3, 5), (2, 8), (5, 31), (4, 33), (3, 1100), (0, 4)]


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, dtype=np.float32)


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_softmax(compile_kernel: Any, rows: int, cols: int):
    x = normal(rows, cols)
    y = np.empty_like(x)
    compile_kernel("", file="softmax.mlir")(rows, cols, x, y)
    exact = np.exp(x.astype(np.float64) - x.max(1, keepdims=True, initial=-np.inf))
    np.testing.assert_allclose(y, exact / exact.sum(1, keepdims=True), rtol=2e-6)


def test_softmax_of_a_row_with_nan_is_nan(compile_kernel: Any):
    x = normal(3, 40)
    x[1, 33] = np.nan
    y = np.empty_like(x)
    compile_kernel("", file="softmax.mlir")(3, 40, x, y)
    assert np.isnan(y[1]).all()
    assert np.isfinite(y[[0, 2]]).all()


@pytest.mark.parametrize("vector_bits", [128, 256, 512])
def test_short_rows_side_by_side_have_the_same_bits(compile_kernel: Any, vector_bits: int):
    text = SHORT_ROWS.read_text()
    one_by_one = text.replace("attributes {kernel.short_rows} ", "")
    assert one_by_one != text
    kernels = compile_kernel(text, vector_bits=vector_bits), compile_kernel(one_by_one)
    for rows, cols in itertools.product((0, 1, 7, 8, 64, 131), (1, 2, 7, 8, 15, 40)):
        x = normal(rows, cols)
        results = [np.empty_like(x) for _ in kernels]
        for kernel, y in zip(kernels, results, strict=True):
            kernel(rows, cols, x, y)
        assert results[0].tobytes() == results[1].tobytes(), (rows, cols)


@pytest.mark.parametrize(("m", "n", "k"), [(2, 16, 1), (4, 32, 7), (6, 48, 300), (2, 16, 0)])
def test_matmul(compile_kernel: Any, m: int, n: int, k: int):
    a, b = normal(m, k), normal(k, n)
    c = np.full((m, n), 9, np.float32)
    compile_kernel("", file="matmul.mlir")(m, n, k, a, b, c)
    expected = np.zeros((m, n), np.float32)
    for step in range(k):  # the order of the kernel
        expected = fused(a[:, step : step + 1], b[step : step + 1], expected)
    assert (c == expected).all()


@pytest.mark.parametrize("name", ["transpose", "transpose_tiles"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (8, 8), (7, 19), (16, 33), (33, 16), (0, 3)])
def test_transpose(compile_kernel: Any, name: str, n: int, m: int):
    x = normal(m, n)
    y = np.empty((n, m), np.float32)
    compile_kernel("", name, file="transpose.mlir")(n, m, x, y)
    assert (y == x.T).all()


@pytest.mark.parametrize(("rows", "cols"), SHAPES[:-1])
def test_argmax_of_equals_is_the_first(compile_kernel: Any, rows: int, cols: int):
    x = RANDOM.integers(0, 9, (rows, cols)).astype(np.float32)
    y = np.empty(rows, np.int64)
    compile_kernel("", file="argmax.mlir")(rows, cols, x, y)
    assert (y == x.argmax(1)).all()


@pytest.mark.parametrize(("name", "axis"), [("cumsum_rows", 1), ("cumsum_columns", 0)])
@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_cumsum(compile_kernel: Any, name: str, axis: int, rows: int, cols: int):
    x = normal(rows, cols)
    y = np.empty_like(x)
    compile_kernel("", name, file="scan.mlir")(rows, cols, x, y)
    assert (y == np.cumsum(x, axis, dtype=np.float32)).all()


def test_cummax_without_sign(compile_kernel: Any):
    x = RANDOM.integers(0, 2**32, 50, dtype=np.uint32)
    y = np.empty_like(x)
    compile_kernel("", "cummax", file="scan.mlir")(50, x, y)
    assert (y == np.maximum.accumulate(x)).all()


@pytest.mark.parametrize("vector_bits", [128, 256, 512])
def test_bits_do_not_depend_on_the_vector_width(compile_kernel: Any, vector_bits: int):
    x = normal(5, 1100)
    results: list[Any] = []
    for bits in (256, vector_bits):
        y = np.empty_like(x)
        compile_kernel("", file="softmax.mlir", vector_bits=bits)(5, 1100, x, y)
        results.append(y)
    assert results[0].tobytes() == results[1].tobytes()
