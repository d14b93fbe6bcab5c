"""Are transposed copies right that are larger than the caches, wherever their rows begin?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import trilith as tri

#: Bytes of a matrix that leaves the caches for sure.
LARGE = 17 << 20
DTYPES = ["int8", "int16", "float32", "float64", "complex64", "complex128"]


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """Run with one thread and with several, which get parts of a matrix."""
    before = tri.get_num_threads()
    tri.set_num_threads(request.param)
    yield request.param
    tri.set_num_threads(before)


def numbers(rows: int, columns: int, dtype: str) -> np.ndarray:
    """Return a matrix whose neighbours differ, in each direction."""
    values = np.arange(rows)[:, None] * 7 + np.arange(columns) * 3
    return (values % 113).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", [1784, 1787])
def test_a_copy(threads: int, dtype: str, rows: int) -> None:
    """Rows that begin with a line, and rows that begin anywhere in one; edges of tiles."""
    columns = LARGE // np.dtype(dtype).itemsize // rows + 5
    array = numbers(rows, columns, dtype)
    copy = tri.compile(lambda x: x.T.contiguous())
    x = tri.from_numpy(array)
    for _ in range(3):  # the first calls may run code that was made in a hurry
        np.testing.assert_array_equal(copy(x).numpy(), array.T)


@pytest.mark.parametrize(
    ("rows", "columns"), [(3, 1500003), (20, 220001), (190001, 23), (90, 50001)]
)
def test_few_rows_or_columns(rows: int, columns: int) -> None:
    """Tiles that are smaller than a table, and than a square."""
    array = numbers(rows, columns, "float32")
    np.testing.assert_array_equal(tri.from_numpy(array).T.contiguous().numpy(), array.T)


def test_fused(threads: int) -> None:
    """What is added lies along, and the first element of the result is the caller's to choose."""
    array, other = numbers(2101, 2099, "float32"), numbers(2099, 2101, "float32")
    add = tri.compile(lambda x, y: x.T + y)
    x, y = tri.from_numpy(array), tri.from_numpy(other)
    for _ in range(3):
        np.testing.assert_array_equal(add(x, y).numpy(), array.T + other)
    for start in (0, 1, 15, 16, 100):
        memory = tri.full((2099 * 2101 + 200,), -1.0)
        out = memory[start : start + 2099 * 2101].view(2099, 2101)
        tri.add(x.T, y, out=out)
        found = memory.numpy()
        np.testing.assert_array_equal(out.numpy(), array.T + other)
        assert (found[:start] == -1).all()
        assert (found[start + 2099 * 2101 :] == -1).all()


def test_elements_that_begin_anywhere() -> None:
    """No line begins with an element where memory does not begin at a multiple of its bytes."""
    array = numbers(2101, 2099, "float32")
    memory = bytearray(array.nbytes + 65)
    for start in (1, 2, 63):
        out = tri.frombuffer(memory, dtype=tri.float32, count=array.size, offset=start)
        out.view(2099, 2101).copy_(tri.from_numpy(array).T)
        np.testing.assert_array_equal(out.view(2099, 2101).numpy(), array.T)
