"""Is what is computed around sums of products the same in one kernel with them, bit for bit?

The oracle forms the sums first, one fused multiply-add after the other, and goes on in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.nn.functional as F
from trilith.compiler.lowering.product_orders import SHORTEST

from ..product_sums import convolution, in_lanes, product

RANDOM = np.random.default_rng(23)
FORMATS = {"contiguous": tri.contiguous_format, "channels last": tri.channels_last}


def positive(x: Any) -> Any:
    """Return what is not less than 0, and -0.0."""
    return np.where(x < 0, np.float32(0), x)


def sums(x: Any, y: Any) -> Any:
    """Return a product; that with a vector is summed in lanes."""
    is_wide = 1 in (len(x), y.shape[1]) and x.shape[1] >= SHORTEST
    if not is_wide:
        return product(x, y)
    return in_lanes(y.T, x[0])[None] if len(x) == 1 else in_lanes(x, y[:, 0])[:, None]


#: Rows, elements of a sum, columns: nothing fills tiles; several pieces of k; one row; no product.
#: Rows, products of each sum, columns; the last are few rows of a matrix that is read by rows.
SIZES = [(19, 5, 37), (70, 800, 45), (1, 900, 70), (33, 0, 20), (20, 33, 1), (6, 241, 1100)]
#: A number of what is computed from sums, a row and a matrix, in trilith and in NumPy.
Epilogue = Callable[[Any, Any, Any], Any]
EPILOGUES: dict[str, tuple[Epilogue, Epilogue]] = {
    "bias": (lambda s, b, _: s + b, lambda s, b, _: s + b),
    "activation": (
        lambda s, b, _: (s + b).relu(),
        lambda s, b, _: positive(s + b),
    ),
    "residual": (lambda s, b, r: r - (s + b) * 2, lambda s, b, r: r - (s + b) * np.float32(2)),
    "choice": (
        lambda s, b, r: tri.where(s > b, s, r),
        lambda s, b, r: np.choose(s > b, [r, s]),
    ),
}


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def kernels(function: Any, *arguments: Any) -> list[str]:
    return [kernel.symbol for kernel in tri.trace(function, *arguments).lower().kernels]


@pytest.mark.parametrize("name", EPILOGUES)
@pytest.mark.parametrize("size", SIZES)
def test_products(size: tuple[int, int, int], name: str, tested_device: str):
    made, expected = EPILOGUES[name]
    rows, depth, columns = size
    x, y, b, r = normal(rows, depth), normal(depth, columns), normal(columns), normal(rows, columns)
    given = [tri.from_numpy(array).to(tested_device) for array in (x, y, b, r)]

    def function(x: Any, y: Any, b: Any, r: Any) -> Any:
        return made(x @ y, b, r)

    assert len(kernels(function, *given)) == 1
    answer = tri.compile(function)(*given).cpu().numpy()
    assert answer.tobytes() == expected(sums(x, y), b, r).tobytes()


@pytest.mark.parametrize("lying", ["alike", "gaps", "columns"])
@pytest.mark.parametrize("order", FORMATS)
@pytest.mark.parametrize(("channels", "filters", "side"), [(3, 5, 9), (140, 33, 7), (16, 32, 12)])
def test_convolutions(
    channels: int, filters: int, side: int, order: str, lying: str, tested_device: str
):
    """What is added lies like the result, or across the ends of its lines it does not."""
    x, w, b = normal(2, channels, side, side), normal(filters, channels, 3, 3), normal(filters)
    r = normal(2, filters, side, side)
    image, weight = (
        tri.from_numpy(array).to(tested_device).contiguous(memory_format=FORMATS[order])
        for array in (x, w)
    )
    other = laid(r, lying, FORMATS[order]).to(tested_device)

    def function(x: Any, w: Any, b: Any, r: Any) -> Any:
        return (F.conv2d(x, w, b, padding=1) + r).relu()

    answer = tri.compile(function)(image, weight, tri.from_numpy(b).to(tested_device), other)
    expected = convolution(x, w, 1, 1, 1) + b[:, None, None] + r
    assert answer.cpu().numpy().tobytes() == positive(expected).tobytes()


def laid(r: Any, lying: str, order: Any) -> tri.Tensor:
    """Return a tensor that lies as a result does, with gaps behind its lines, or by columns."""
    if lying == "alike":
        return tri.from_numpy(r).contiguous(memory_format=order)
    if lying == "gaps":
        wide = np.full((*r.shape[:3], r.shape[3] + 3), np.nan, np.float32)
        wide[..., :-3] = r
        return tri.from_numpy(wide)[..., :-3]
    return tri.from_numpy(np.ascontiguousarray(r.swapaxes(2, 3))).transpose(2, 3)


def test_one_kernel_for_each_of_two_products():
    x, y, z = (tri.from_numpy(normal(20, 20)) for _ in range(3))

    def function(x: tri.Tensor, y: tri.Tensor, z: tri.Tensor) -> tri.Tensor:
        return x @ y + x @ z

    assert kernels(function, x, y, z) == ["matmul_0", "matmul_add_1"]
    first, second = (product(x.numpy(), other.numpy()) for other in (y, z))
    assert tri.compile(function)(x, y, z).numpy().tobytes() == (first + second).tobytes()


def test_what_is_written_over_is_read_first():
    """Unfinished sums do not lie in the memory of what is added to them."""
    x, y, r = normal(30, 800), normal(800, 30), normal(30, 30)
    target = tri.from_numpy(r.copy())

    def function(x: tri.Tensor, y: tri.Tensor, r: tri.Tensor) -> None:
        r += x @ y

    tri.compile(function)(tri.from_numpy(x), tri.from_numpy(y), target)
    assert target.numpy().tobytes() == (r + product(x, y)).tobytes()


def test_every_size_has_one_kernel():
    function = tri.compile(lambda x, y, b: (x @ y + b).relu())
    for rows, depth, columns in SIZES:
        x, y, b = normal(rows, depth), normal(depth, columns), normal(columns)
        answer = function(*map(tri.from_numpy, (x, y, b))).numpy()
        expected = positive(sums(x, y) + b)
        assert answer.tobytes() == expected.tobytes()


def test_threads_give_the_same_bits():
    x, y, b = normal(200, 900), normal(900, 300), normal(300)
    given = [tri.from_numpy(array) for array in (x, y, b)]
    function, before = tri.compile(lambda x, y, b: (x @ y + b).relu()), tri.get_num_threads()
    answers: list[bytes] = []
    try:
        for count in (1, 2, 3):
            tri.set_num_threads(count)
            answers.append(function(*given).numpy().tobytes())
    finally:
        tri.set_num_threads(before)
    assert answers == answers[:1] * 3


@pytest.mark.parametrize(
    "dtype", [tri.float16, tri.bfloat16, tri.float64, tri.int32, tri.complex64]
)
def test_dtypes(dtype: tri.dtype):
    """Each operation rounds, as one by one."""
    x, y, r = (tri.from_numpy(normal(24, 24) * 3).to(dtype) for _ in range(3))

    def function(x: tri.Tensor, y: tri.Tensor, r: tri.Tensor) -> tri.Tensor:
        return (x @ y) * 3 - r

    one_by_one = x @ y
    one_by_one = one_by_one * 3
    one_by_one = one_by_one - r
    assert tri.equal(tri.compile(function)(x, y, r), one_by_one)


def of_row(x: Any, w: Any, s: Any) -> Any:
    return x @ (w.to(tri.float32) * s)


def of_row_across(x: Any, w: Any, s: Any) -> Any:
    return x @ (w.T.to(tri.float32) * s[:, None]).T


def of_column(x: Any, w: Any, s: Any) -> Any:
    return (w.T.to(tri.float32) * s[:, None]) @ x[0]


def of_batch(x: Any, w: Any, s: Any) -> Any:
    return (x[None] @ (w.to(tri.float32) * s)[None])[0]


@pytest.mark.parametrize("depth", [40, 300])
@pytest.mark.parametrize("function", [of_row, of_row_across, of_column, of_batch])
def test_a_matrix_that_is_read_once_is_scaled_where_it_is_read(
    tested_device: str, function: Any, depth: int
):
    x, w, s = normal(1, depth), RANDOM.integers(-99, 99, (depth, 70), np.int8), normal(70)
    given = [tri.from_numpy(array).to(tested_device) for array in (x, w, s)]
    assert len(kernels(function, *given)) == 1
    compiled: Any = tri.compile(function)
    answer = compiled(*given).cpu().numpy()
    expected: Any = sums(x, w.astype(np.float32) * s)
    assert answer.tobytes() == expected.tobytes()


def test_both_vectors_are_computed_where_they_are_read(tested_device: str):
    x, y = normal(1000), normal(1000)

    def function(x: Any, y: Any) -> Any:
        return (x * 2) @ (y - x)

    given = [tri.from_numpy(array).to(tested_device) for array in (x, y)]
    assert len(kernels(function, *given)) == 1
    expected = in_lanes((x * np.float32(2))[None], y - x)[0]
    assert tri.compile(function)(*given).item() == expected


def test_a_copy_that_was_made_for_a_product_is_made():
    """Short sums of narrow floats are formed side by side: what lies across is copied first."""
    x, w, b = normal(1, 48), normal(50, 48), normal(50)
    given = [tri.from_numpy(array).half() for array in (x, w, b)]
    # The copy, and the sums with all that follows: they are short, and rounded in their kernel.
    assert len(kernels(F.linear, *given)) == 2
    narrow = [array.astype(np.float16).astype(np.float32) for array in (x, w.T, b)]
    expected = (product(*narrow[:2]) + narrow[2]).astype(np.float16)
    assert tri.compile(F.linear)(*given).numpy().tobytes() == expected.tobytes()


def plus(x: Any, w: Any, r: Any) -> Any:
    return x @ w + r


def image_plus(x: Any, w: Any, r: Any) -> Any:
    return F.conv2d(x, w) + r


def row_of_sum(x: Any, w: Any, y: Any) -> Any:
    return x @ (w + y)


def test_what_lies_otherwise_is_a_kernel_behind_the_sums(tested_device: str):
    """Lanes are neighbours of the result: what has others would be gathered element by element."""
    x, w, r = (tri.from_numpy(normal(20, 20)).to(tested_device) for _ in range(3))
    assert kernels(plus, x, w, r) == kernels(plus, x, w, r[:, :1]) == ["matmul_add_0"]
    assert len(kernels(plus, x, w, r.T)) == len(kernels(plus, x, w, r[:, 0])) == 2
    image = tri.from_numpy(normal(2, 8, 6, 6)).to(tested_device)
    last = image.contiguous(memory_format=tri.channels_last)
    filters = tri.from_numpy(normal(8, 8, 1, 1)).to(tested_device)
    for own, other, count in ((image, image, 1), (last, last, 1), (last, image, 2)):
        assert len(kernels(image_plus, own, filters, other)) == count


def test_a_matrix_of_what_lies_in_two_ways_is_made_in_front(tested_device: str):
    x, w, y = (tri.from_numpy(normal(*shape)) for shape in ((1, 70), (70, 70), (70, 70)))
    x, w, y = (array.to(tested_device) for array in (x, w, y))
    assert len(kernels(row_of_sum, x, w, y)) == 1
    assert len(kernels(row_of_sum, x, w, y.T)) == 2
