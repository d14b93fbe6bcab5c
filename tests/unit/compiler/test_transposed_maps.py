"""Is what lies across computed with as NumPy does, in squares, at their edges and by tables?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

RANDOM = np.random.default_rng(23)
#: Whole squares, what is left on either side, and sides that are shorter than one.
SHAPES = [(1, 1), (3, 40), (40, 3), (32, 32), (31, 33), (64, 96), (65, 63), (100, 129)]
#: Rows of one side, or of both, are pages apart: everything goes through tables.
PAGES = [(1, 4096), (5, 1024), (1024, 5), (70, 1024), (1024, 130), (1024, 1024), (33, 4096)]
DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "int32",
    "int64",
    "float16",
    *("float32", "float64", "complex64", "complex128"),
]


def numbers(dtype: str, *shape: int) -> Any:
    found = RANDOM.integers(0, 9, shape)
    if dtype.startswith("complex"):
        return (found + 1j * RANDOM.integers(-9, 9, shape)).astype(dtype)
    return (found > 4 if dtype == "bool" else found).astype(dtype)


def is_equal(function: Callable[..., Any], *arrays: Any) -> bool:
    """Whether a function computes of tensors what it computes of arrays."""
    found, expected = tri.compile(function)(*map(tri.tensor, arrays)).numpy(), function(*arrays)
    assert found.dtype == expected.dtype
    return np.array_equal(found, expected)


def product(x: Any, y: Any) -> Any:
    return x.T * y


def of_three(x: Any, y: Any, z: Any) -> Any:
    return x.T * y - z.T


def much(x: Any, y: Any) -> Any:
    value = x = x.T
    for number in range(2, 14):
        value = (value * number + y) - x * (y + number)
    return value


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_copies(dtype: str, shape: tuple[int, int]):
    x = numbers(dtype, *shape)
    found = tri.tensor(x).T.contiguous()
    assert found.stride() == (shape[0], 1)
    np.testing.assert_array_equal(found.numpy(), x.T)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["int16", "int64", "float32", "float64"])
def test_light_arithmetic(dtype: str, shape: tuple[int, int]):
    x, y, z = numbers(dtype, *shape), numbers(dtype, *shape[::-1]), numbers(dtype, *shape)
    assert is_equal(product, x, y)
    assert is_equal(of_three, x, y, z)


@pytest.mark.parametrize("shape", PAGES)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
def test_rows_that_are_pages_apart(dtype: str, shape: tuple[int, int]):
    x, y = numbers(dtype, *shape), numbers(dtype, *shape[::-1])
    np.testing.assert_array_equal(tri.tensor(x).T.contiguous().numpy(), x.T)
    assert is_equal(product, x, y)
    target = tri.tensor(y)
    target += tri.tensor(x).T
    np.testing.assert_array_equal(target.numpy(), y + x.T)


@pytest.mark.parametrize("shape", [(3, 1), (3, 255), (3, 256), (4, 515), (7, 300), (1, 90)])
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "complex64", "complex128"])
def test_few_rows_and_columns(dtype: str, shape: tuple[int, int]):
    for one in (numbers(dtype, 2, *shape), numbers(dtype, 2, *shape[::-1])):
        found = tri.tensor(one).transpose(1, 2).contiguous()
        np.testing.assert_array_equal(found.numpy(), one.transpose(0, 2, 1))


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5])
def test_arithmetic_on_few_rows(channels: int):
    @tri.compile
    def quotients(x: tri.Tensor) -> tri.Tensor:
        return (x.T / 3).contiguous()

    @tri.compile
    def roots(x: tri.Tensor) -> tri.Tensor:
        return (x.T * x.T).sqrt().contiguous()

    @tri.compile
    def sums(x: tri.Tensor) -> tri.Tensor:
        return (x.T * 2 + 1).contiguous()

    x = numbers("float32", 1000, channels)
    given, y = tri.tensor(x), np.ascontiguousarray(x.T)
    np.testing.assert_array_equal(quotients(given).numpy(), y / np.float32(3))
    np.testing.assert_array_equal(roots(given).numpy(), np.sqrt(y * y))
    np.testing.assert_array_equal(sums(given).numpy(), y * np.float32(2) + np.float32(1))


def test_parts_of_memory_are_written_alone():
    x, target = numbers("float32", 50, 1024), np.zeros((1024, 1024), "float32")
    found = tri.tensor(target)
    found[:1000, 40:90] = tri.tensor(x).T[:1000]
    target[:1000, 40:90] = x.T[:1000]
    np.testing.assert_array_equal(found.numpy(), target)


@pytest.mark.parametrize("shape", [*SHAPES, (1024, 70)])
def test_much_arithmetic(shape: tuple[int, int]):
    assert is_equal(much, numbers("float64", *shape), numbers("float64", *shape[::-1]))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_written_is_read_as_well(shape: tuple[int, int]):
    x, y = numbers("float32", *shape), numbers("float32", *shape[::-1])
    target = tri.tensor(y)
    target += tri.tensor(x).T
    np.testing.assert_array_equal(target.numpy(), y + x.T)


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_other_dims(order: tuple[int, int, int]):
    x = numbers("float32", 35, 40, 66)
    found = tri.tensor(x).permute(order).contiguous()
    np.testing.assert_array_equal(found.numpy(), x.transpose(order))


def test_narrow_beside_wide():
    x = numbers("int8", 70, 45)
    assert is_equal(product, x, numbers("float64", 45, 70))
    assert is_equal(product, x, numbers("int64", 45, 70))
