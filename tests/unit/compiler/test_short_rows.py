"""Do reductions of rows of few elements give the bits that the order of their rows says?"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function

CALLS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(1),
    "sum, kept": lambda x: x.sum(1, keepdim=True),
    "mean": lambda x: x.mean(1),
    "prod": lambda x: x.prod(-1),
    "amax": lambda x: x.amax(1),
    "norm": lambda x: tri.linalg.vector_norm(x, dim=1),
    "all": lambda x: (x > 0).all(1),
    "of no dims": lambda x: tri.all(x, dim=()),
    "of something": lambda x: (x * x - x.abs()).sum(1),
    "two of them": lambda x: x.amax(1) - x.amin(1),
    "argmax": lambda x: x.argmax(1),
    "argmin": lambda x: x.argmin(1),
    "max": lambda x: tuple(x.max(1)),
    "min": lambda x: tuple(x.min(1)),
    "aminmax": lambda x: tuple(tri.aminmax(x, dim=1)),
    "logsumexp": lambda x: x.logsumexp(1),
    "variance": lambda x: x.var(1, correction=0),
    "variance and mean": lambda x: tri.var_mean(x, 1, correction=0),
}
#: As many as are short, and more.
WIDTHS = (1, 2, 3, 7, 8, 15, 16, 33)
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.0, 3e38)


def rows(width: int, dtype: str) -> np.ndarray[Any, Any]:
    """Return all pairs of special values at the ends of rows of random ones, and random rows."""
    random = np.random.default_rng(width)
    ends = np.array([*itertools.product(SPECIAL, repeat=2)])
    found = random.standard_normal((len(ends) + 37, width))
    found[: len(ends), 0], found[: len(ends), -1] = ends.T
    found[-20:] = np.floor(found[-20:])
    found[-3:] = [[-np.inf], [np.inf], [np.nan]]
    return found.astype(dtype)


def listed(found: Any) -> list[Any]:
    """Return one result, or several, as a list."""
    return [*found] if isinstance(found, tuple) else [found]  # pyright: ignore[reportUnknownVariableType]


@pytest.mark.filterwarnings("ignore:.*overflow")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", CALLS)
def test_bits_are_those_of_the_order(name: str, dtype: str):
    function = tri.compile(CALLS[name])
    for width in WIDTHS:
        x = rows(width, dtype)
        found: Any = function(tri.from_numpy(x))
        expected = interpret_function(tri.trace(CALLS[name], tri.from_numpy(x)).lower().module, [x])
        for one, other in zip(listed(found), expected, strict=True):
            np.testing.assert_array_equal(one.numpy(), other, strict=True)
            is_number = other == other
            assert one.numpy()[is_number].tobytes() == other[is_number].tobytes()


def test_sizes_of_both_kinds_have_a_plan_each():
    function = tri.compile(lambda x: x.sum(1))
    for width in (*range(2, 40), *range(40, 1, -1)):
        assert function(tri.ones(100, width)).tolist() == [width] * 100
    # The first one is of the first sizes alone.
    assert function.stats().plans <= 3


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (3, 2, 1, 0)])
def test_rows_of_nothing_are_not_short(order: tuple[int, ...]):
    """All elements of such a result may be at one place, where no two lanes are to write."""
    f = tri.compile(lambda x: x * x.mean((-1,), True))
    for shape in ((3, 2, 4, 0), (3, 0, 4, 5), (0, 2, 1, 3)):
        x = tri.ones(shape).permute(order)
        result = f(x)
        assert result.shape == x.shape
        assert result.stride() == (x * x.mean((-1,), True)).stride()


@pytest.mark.parametrize("rows", [1, 5, 16, 17, 100])
@pytest.mark.parametrize("length", [1, 3, 10, 15])
def test_what_is_written_may_be_narrow(rows: int, length: int):
    x = np.random.default_rng(rows).standard_normal((rows, length), dtype=np.float32)
    function = tri.compile(lambda x: ((x > -0.5).all(1), (x > 1).any(1), x.sum(1).half()))
    every, some, total = function(tri.from_numpy(x))
    assert every.tolist() == (x > -0.5).all(1).tolist()
    assert some.tolist() == (x > 1).any(1).tolist()
    assert total.tolist() == tri.from_numpy(x).sum(1).half().tolist()


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("rows", [1, 7, 33, 100])
@pytest.mark.parametrize("length", [1, 5, 15, 16])
def test_what_is_read_may_be_narrow(dtype: str, rows: int, length: int):
    x = np.random.default_rng(length).integers(-100, 100, (rows, length)).astype(dtype)
    tensor = tri.from_numpy(x)
    assert tensor.sum(1).tolist() == x.sum(1).tolist()
    assert tensor.all(1).tolist() == x.all(1).tolist()
    assert tensor.any(1).tolist() == x.any(1).tolist()
    assert tensor.amax(1).tolist() == x.max(1).tolist()
    if dtype != "bool":
        assert tensor.argmin(1).tolist() == x.argmin(1).tolist()
        assert tensor.max(1)[1].tolist() == x.argmax(1).tolist()


@pytest.mark.parametrize("length", [1, 2, 9, 15])
def test_sums_of_bfloat16_are_those_of_float32(length: int):
    x = np.random.default_rng(length).standard_normal((57, length), dtype=np.float32)
    narrow = tri.from_numpy(x).bfloat16()
    wide = narrow.float()
    assert narrow.sum(1).tolist() == wide.sum(1).bfloat16().tolist()
    assert narrow.amax(1).tolist() == wide.numpy().max(1).tolist()
    assert narrow.argmax(1).tolist() == wide.numpy().argmax(1).tolist()
