"""Are rows moved as they are, of whatever elements, lengths and places they are?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import trilith as tri

DTYPES = ["bool", "int8", "float16", "float32", "float64", "complex64", "complex128"]
#: Around a register, two of them, four, and the eight lines from which on lines are looked for.
WIDTHS = [1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 129, 161, 515, 1030]


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """Run with one thread and with several, which get parts of a copy."""
    before = tri.get_num_threads()
    tri.set_num_threads(request.param)
    yield request.param
    tri.set_num_threads(before)


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return elements whose neighbours differ, in each direction."""
    count = np.arange(np.prod(shape)).reshape(shape)
    values = (count * 7 + count // 11) % 113
    return (values % 3 == 0) if dtype == "bool" else values.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("width", WIDTHS)
def test_parts_of_rows(dtype: str, width: int) -> None:
    """Rows of a result begin anywhere in a line, and nothing beside a part is touched."""
    x, y = numbers((9, width), dtype), numbers((9, width + 5), dtype)
    join = tri.compile(lambda x, y: tri.cat([x, y], 1))
    cut = tri.compile(lambda y: y[1:, 2:-2].contiguous())
    back = tri.compile(lambda y: tri.flip(y, (1,)))
    for _ in range(3):  # the first calls may run code that was made in a hurry
        found = join(tri.from_numpy(x), tri.from_numpy(y)).numpy()
        np.testing.assert_array_equal(found, np.concatenate([x, y], 1))
        np.testing.assert_array_equal(cut(tri.from_numpy(y)).numpy(), y[1:, 2:-2])
        np.testing.assert_array_equal(back(tri.from_numpy(y)).numpy(), y[:, ::-1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("width", WIDTHS)
def test_rows_by_number(dtype: str, width: int) -> None:
    """Which row is moved is asked once for all of it."""
    x = numbers((40, width), dtype)
    index = np.array([3, 39, 0, 3, 17, 8, 8, 1])
    take = tri.compile(lambda x, index: tri.index_select(x, 0, index))
    look_up = tri.compile(lambda x, index: x[index])
    operands = tri.from_numpy(x), tri.from_numpy(index)
    for _ in range(3):
        np.testing.assert_array_equal(take(*operands).numpy(), x[index])
        np.testing.assert_array_equal(look_up(*operands).numpy(), x[index])


def test_there_is_no_such_row() -> None:
    """Each number is checked, although once for a row; no row is no error of its columns."""
    take = tri.compile(lambda x, index: tri.index_select(x, 0, index))
    for width in (1, 8, 40, 600):
        x = tri.zeros((5, width))
        for _ in range(3):
            with pytest.raises(IndexError):
                take(x, tri.tensor([0, 4, 5]))
            assert take(x, tri.tensor([], dtype=tri.int64)).shape == (0, width)


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
@pytest.mark.parametrize("columns", [1024, 1027, 1031])
def test_larger_than_the_caches(threads: int, dtype: str, columns: int) -> None:
    """Rows that begin with a line, and rows that begin anywhere in one; a result by itself."""
    rows = (26 << 20) // np.dtype(dtype).itemsize // columns
    half = numbers((rows, columns // 2), dtype)
    other = numbers((rows, columns - columns // 2), dtype)
    x, y = tri.from_numpy(half), tri.from_numpy(other)
    expected = np.concatenate([half, other], 1)
    for _ in range(3):
        found = tri.cat([x, y], 1)
        np.testing.assert_array_equal(found.numpy(), expected)
        np.testing.assert_array_equal(found.clone().numpy(), expected)
        np.testing.assert_array_equal(found[:, 1:].contiguous().numpy(), expected[:, 1:])


def test_large_results_anywhere() -> None:
    """The caller chooses where the first line begins, and that no line begins with an element."""
    x, y = numbers((3400, 1001), "float32"), numbers((3400, 999), "float32")
    expected = np.concatenate([x, y], 1)
    operands = [tri.from_numpy(x), tri.from_numpy(y)]
    for start in (0, 1, 7, 15, 16, 33):
        memory = tri.full((expected.size + 64,), -1.0)
        out = memory[start : start + expected.size].view(*expected.shape)
        tri.cat(operands, 1, out=out)
        found = memory.numpy()
        np.testing.assert_array_equal(out.numpy(), expected)
        assert (found[:start] == -1).all()
        assert (found[start + expected.size :] == -1).all()
    raw = bytearray(expected.nbytes + 65)
    for offset in (1, 2, 63):
        out = tri.frombuffer(raw, dtype=tri.float32, count=expected.size, offset=offset)
        tri.cat(operands, 1, out=out.view(*expected.shape))
        np.testing.assert_array_equal(out.numpy(), expected.ravel())
