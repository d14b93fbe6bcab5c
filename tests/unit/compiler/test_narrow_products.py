"""Are sums of products of narrow floats formed in float32, in order, and rounded once, bit for bit?

They are formed of copies in float32 where a factor is read often: nothing else may tell.
"""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import trilith as tri
import trilith.nn.functional as F

from ..product_sums import convolution, product

RANDOM = np.random.default_rng(41)
DTYPES = {tri.float16: np.float16, tri.bfloat16: ml_dtypes.bfloat16}
#: Rows, products of a sum, columns: few of each, several pieces of k, edges of all kinds.
SIZES = [
    *((2, 2, 2), (2, 40, 33), (16, 16, 8), (15, 40, 33), (40, 15, 33), (40, 40, 7), (40, 1, 9)),
    *((3, 400, 37), (19, 400, 37), (70, 801, 45)),
]


def narrow(dtype: tri.dtype, *shape: int) -> Any:
    """Return random numbers of a dtype, in NumPy."""
    return RANDOM.standard_normal(shape, dtype=np.float32).astype(DTYPES[dtype])


def wide(x: Any) -> Any:
    return x.astype(np.float32)


def check(answer: tri.Tensor, sums: Any, dtype: tri.dtype) -> None:
    """Compare bits with sums that are rounded once."""
    with np.errstate(over="ignore"):
        expected = sums.astype(DTYPES[dtype])
    assert answer.dtype is dtype
    assert answer.cpu().numpy().tobytes() == expected.tobytes()


def casts(function: Any, *arguments: Any) -> int:
    """Return how many launches of a function do nothing but cast."""
    return len(re.findall(r"tri\.launch @cast_\d", str(tri.trace(function, *arguments).lower())))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_products(size: tuple[int, int, int], dtype: tri.dtype, tested_device: str):
    rows, depth, columns = size
    x, y = narrow(dtype, rows, depth), narrow(dtype, depth, columns)
    left, right = (tri.from_numpy(array).to(tested_device) for array in (x, y))
    across = [tri.from_numpy(array.T.copy()).to(tested_device).T for array in (x, y)]
    sums = product(wide(x), wide(y))
    check(left @ right, sums, dtype)
    check(left @ across[1], sums, dtype)
    check(across[0] @ right, sums, dtype)
    check(across[0] @ across[1], sums, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("batch", [(3,), (2, 1)])
def test_batches(batch: tuple[int, ...], dtype: tri.dtype, tested_device: str):
    x, y = narrow(dtype, *batch, 18, 40), narrow(dtype, 3, 40, 21)
    answer = tri.from_numpy(x).to(tested_device) @ tri.from_numpy(y).to(tested_device)
    pairs = np.broadcast_to(x, (*batch[:-1], 3, 18, 40)).reshape(-1, 18, 40)
    sums = [product(wide(left), wide(y[number % 3])) for number, left in enumerate(pairs)]
    check(answer, np.stack(sums).reshape(answer.shape), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [tri.contiguous_format, tri.channels_last])
@pytest.mark.parametrize(
    ("image", "filters", "stride", "groups"),
    [
        ((2, 3, 9, 7), (9, 3, 3, 3), 1, 1),
        ((1, 140, 7, 7), (33, 140, 3, 3), 1, 1),
        ((1, 16, 12, 11), (32, 8, 3, 3), 2, 2),
        ((1, 18, 12, 11), (18, 1, 3, 3), 1, 18),
        ((1, 5, 9, 7), (2, 5, 3, 3), 1, 1),
        ((1, 5, 2, 1), (3, 5, 3, 3), 1, 1),
    ],
)
def test_convolutions(
    image: Any,
    filters: Any,
    stride: int,
    groups: int,
    order: Any,
    dtype: tri.dtype,
    tested_device: str,
):
    x, w = narrow(dtype, *image), narrow(dtype, *filters)
    given = [
        tri.from_numpy(array).to(tested_device).contiguous(memory_format=order) for array in (x, w)
    ]
    answer = F.conv2d(*given, stride=stride, padding=1, groups=groups)
    check(answer, convolution(wide(x), wide(w), 1, stride, groups), dtype)


def test_sums_beyond_float16_are_infinite(tested_device: str):
    """Unfinished sums may be larger than any float16: they are in no memory of that dtype."""
    x = np.full((20, 900), 100, np.float16)
    y = np.concatenate([np.full((450, 20), 100), np.full((450, 20), -100)]).astype(np.float16)
    left, right = (tri.from_numpy(array).to(tested_device) for array in (x, y))
    assert (left @ right == 0).all()
    assert (left @ right.abs() == tri.inf).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_follows_rounds_after_each_operation(dtype: tri.dtype, tested_device: str):
    x, y, b = narrow(dtype, 40, 50), narrow(dtype, 50, 30), narrow(dtype, 30)
    given = [tri.from_numpy(array).to(tested_device) for array in (x, y, b)]
    answer = tri.compile(lambda x, y, b: (x @ y + b).relu())(*given)
    sums = product(wide(x), wide(y)).astype(DTYPES[dtype])
    check(answer, np.maximum(wide(sums) + wide(b), 0), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_casts_of_the_program_round(dtype: tri.dtype, tested_device: str):
    """As under autocast: factors are rounded to few bits, sums too, and both are widened again."""
    x, y = (RANDOM.standard_normal((24, 24), dtype=np.float32) for _ in range(2))
    given = [tri.from_numpy(array).to(tested_device) for array in (x, y)]
    answer = tri.compile(lambda x, y: (x.to(dtype) @ y.to(dtype)).float())(*given)
    sums = product(*(wide(array.astype(DTYPES[dtype])) for array in (x, y)))
    assert answer.cpu().numpy().tobytes() == wide(sums.astype(DTYPES[dtype])).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_few_and_many_rows_of_one_function(dtype: tri.dtype):
    """A plan for any number of rows is for few, or for many."""
    function = tri.compile(lambda x, y: x @ y, dynamic=True)
    y = narrow(dtype, 40, 24)
    for rows in (5, 2, 6, 60, 7, 61, 62, 15, 16, 17):
        x = narrow(dtype, rows, 40)
        answer = function(tri.from_numpy(x), tri.from_numpy(y))
        check(answer, product(wide(x), wide(y)), dtype)


def test_a_factor_of_several_products_is_widened_once():
    x, y, z = (tri.from_numpy(narrow(tri.float16, 24, 24)) for _ in range(3))

    def two(x: tri.Tensor, y: tri.Tensor, z: tri.Tensor) -> tuple[tri.Tensor, tri.Tensor]:
        return x @ y, x @ z

    def with_square(x: tri.Tensor, y: tri.Tensor) -> tuple[tri.Tensor, tri.Tensor]:
        return x @ y, y @ y

    def of_a_row(x: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
        return x[:1] @ y

    # The left factor of both: the right ones are widened on their way into panels.
    assert casts(two, x, y, z) == 1
    # Two factors that are read often, or from the left.
    assert casts(with_square, x, y) == 2
    # A matrix that is read once is widened where it is read.
    assert casts(of_a_row, x, y) == 0


@pytest.mark.parametrize("dtype", [tri.float16, tri.bfloat16, tri.int8, tri.bool, tri.float64])
@pytest.mark.parametrize("rows", [3, 40])
def test_a_right_factor_is_widened_where_it_is_read(rows: int, dtype: tri.dtype):
    """Whatever is wider than what lies in memory is; what is narrower costs less than that."""
    x = tri.from_numpy(RANDOM.standard_normal((rows, 500), dtype=np.float32))
    w = tri.from_numpy(RANDOM.integers(-9, 9, (37, 500)).astype(np.float32)).to(dtype)

    def function(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
        return x @ w.T.float()

    assert casts(function, x, w) == int(dtype is tri.float64)
    answer = tri.compile(function)(x, w).numpy()
    assert answer.tobytes() == product(x.numpy(), w.float().numpy().T).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_short_sums_are_rounded_in_one_kernel(dtype: tri.dtype):
    """Long ones are interrupted, and have room in memory of their own dtype alone."""
    function = tri.compile(lambda x, y: (x @ y).to(dtype), dynamic=True)
    for depth, launches in [(50, 1), (384, 1), (385, 2), (60, 1), (900, 2), (0, 1)]:
        x = RANDOM.standard_normal((20, depth), dtype=np.float32)
        y = RANDOM.standard_normal((depth, 33), dtype=np.float32)
        given = tri.from_numpy(x), tri.from_numpy(y)
        assert str(tri.trace(function, *given).lower()).count("tri.launch") == launches
        check(function(*given), product(x, y), dtype)


def test_threads_give_the_same_bits():
    x, y = (tri.from_numpy(narrow(tri.float16, *shape)) for shape in ((200, 900), (900, 300)))
    before, answers = tri.get_num_threads(), list[bytes]()
    try:
        for count in (1, 2, 3):
            tri.set_num_threads(count)
            answers.append((x @ y).numpy().tobytes())
    finally:
        tri.set_num_threads(before)
    assert answers == answers[:1] * 3
