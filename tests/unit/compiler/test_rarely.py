"""Is what code branches around computed where, and only where, an element wants it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.reference import NumpyLanguage

DTYPES = {np.float32: float32, np.float64: float64}


def expanded(name: str, x: Any) -> Any:
    """Return a function of an array by NumPy's arithmetic, where both sides are computed."""
    dtype: DType = DTYPES[x.dtype.type]
    with np.errstate(all="ignore"):
        return EXPANSIONS[name](NumpyLanguage().array(x, dtype)).value


def angles(count: int, dtype: Any) -> Any:
    """Return angles of a usual size, with larger ones among them, next to the bounds, too."""
    rng = np.random.default_rng(count)
    x = rng.standard_normal(count) * 9
    places = rng.integers(0, count, count // 20 + 1)
    x[places] = 10.0 ** rng.uniform(4, 37, len(places))
    bound = 2.0**17 if dtype is np.float32 else 2.0**20
    edges = [bound, np.nextafter(dtype(bound), dtype(0)), np.inf, -np.inf, np.nan, -bound, 2.0**44]
    x = x.astype(dtype)
    x[: min(len(edges), count)] = np.array(edges, dtype)[:count]
    return x


def same(found: Any, wanted: Any) -> bool:
    """Whether arrays are equal bit by bit; NaN is any NaN."""
    kind = np.uint32 if found.dtype == np.float32 else np.uint64
    is_nan = np.isnan(found) & np.isnan(wanted)
    return bool(np.all(is_nan | (found.view(kind) == wanted.view(kind))))


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 3, 16, 17, 100, 1001])
def test_the_bits_are_those_of_both_sides(name: str, dtype: Any, count: int):
    x = angles(count, dtype)
    function: Any = getattr(tri, name)
    found = tri.compile(lambda x: function(x))(tri.from_numpy(x)).numpy()
    assert same(found, expanded(name, x))


WHERE: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "a column": (lambda x: x[:, ::3].sin(), lambda x: expanded("sin", x[:, ::3].copy())),
    "across": (lambda x: x.T.sin() + x.T, lambda x: expanded("sin", x.T.copy()) + x.T),
    "a sum": (lambda x: x.sin().amax(1), lambda x: expanded("sin", x).max(1)),
    "a sum of columns": (lambda x: x.cos().amin(0), lambda x: expanded("cos", x).min(0)),
    "of a sum": (lambda x: x.amax(1).sin(), lambda x: expanded("sin", x.max(1))),
    "one for all": (lambda x: x + x[0, 8].sin(), lambda x: x + expanded("sin", x[:1, 8])[0]),
    "twice": (lambda x: x.sin().cos(), lambda x: expanded("cos", expanded("sin", x))),
}


@pytest.mark.parametrize("name", WHERE)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_wherever_it_stands(name: str, dtype: Any):
    x = np.where(np.isfinite(found := angles(70 * 31, dtype)), found, 1e9).astype(dtype)
    x = x.reshape(70, 31)
    program, wanted = WHERE[name]
    result = tri.compile(program)(tri.from_numpy(x)).numpy()
    assert same(np.ascontiguousarray(result), np.ascontiguousarray(wanted(x)))


def test_rows_between_reductions():
    """Between the reductions of a row the angle is one of the row's."""
    x = angles(64 * 40, np.float32).reshape(64, 40)
    x = np.where(np.isfinite(x), x, 3e8).astype(np.float32)

    def program(x: tri.Tensor) -> tri.Tensor:
        top = x.amax(1, keepdim=True).sin()
        return (x * top).amax(1) + top[:, 0]

    top = expanded("sin", x.max(1))
    wanted = (x * top[:, None]).max(1) + top
    assert same(tri.compile(program)(tri.from_numpy(x)).numpy(), wanted)


def test_the_ir_of_a_sine():
    """The CPU branches; OpenCL, whose compilers make vectors of straight lines, does not."""
    traced = tri.trace(lambda x: x.sin(), tri.spec((5,)))
    lowered = traced.lower()
    assert "kernel.any" in lowered.as_text("scheduled")
    assert "kernel.rarely" not in lowered.as_text("scheduled")
