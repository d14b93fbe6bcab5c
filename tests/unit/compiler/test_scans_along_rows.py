"""Do scans of many rows, and those that pick an element, give what one step after the other gives?

The oracles are loops of NumPy, one element after the other, for all rows at once.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import trilith
from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.steps import Step
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.preceding import PrecedingOp
from trilith.dialects.kernel.transpose import TransposeOp

from ..runtime.opencl_support import runtime

tri: Any = trilith
RANDOM: Any = np.random.default_rng(46)
KINDS: dict[str, Any] = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
    "uint8": np.uint8,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "bool": np.bool_,
}
SHAPES = [(1, 1), (3, 15), (1, 16), (8, 17), (9, 31), (13, 64), (21, 83), (8, 3), (2, 500)]


def elements(kind: Any, shape: tuple[int, ...], *, has_nan: bool = False) -> Any:
    """Return elements of which many are equal, with zeros of both signs and infinities."""
    if np.dtype(kind).kind in "biu":
        low = 0 if np.dtype(kind).kind in "bu" else -6
        return RANDOM.integers(low, 2 if kind is np.bool_ else 7, shape).astype(kind)
    values = RANDOM.integers(-9, 9, shape) / 4
    values[RANDOM.random(shape) < 0.1] = -0.0
    values[RANDOM.random(shape) < 0.02] = -np.inf
    values[RANDOM.random(shape) < 0.003] = np.inf
    if has_nan:
        values[RANDOM.random(shape) < 0.02] = np.nan
    return values.astype(kind)


def picked(x: Any, dim: int, *, is_largest: bool) -> tuple[Any, Any]:
    """Return the best elements so far and their last places; NaN is beyond all."""
    numpy: Any = np
    rows = numpy.moveaxis(x, dim, 0)
    best, place = rows[0].copy(), numpy.zeros(rows.shape[1:], np.int64)
    values, places = [best.copy()], [place.copy()]
    for number, row in enumerate(rows[1:], 1):
        with np.errstate(invalid="ignore"):
            is_taken = (row >= best if is_largest else row <= best) | (row != row)
        best = numpy.where(is_taken, row, best)
        place = numpy.where(is_taken, number, place)
        values.append(best)
        places.append(place)
    return np.moveaxis(np.stack(values), 0, dim), np.moveaxis(np.stack(places), 0, dim)


def same(found: Any, expected: Any) -> bool:
    """Whether the bits of numbers are equal, and NaN is where NaN is."""
    found, expected = np.ascontiguousarray(found), np.ascontiguousarray(expected)
    kind = np.dtype(f"V{found.itemsize}")
    are_equal = (found.view(kind) == expected.view(kind)).reshape(found.shape)
    are_nan = (found != found) & (expected != expected)
    return found.dtype == expected.dtype and bool((are_equal | are_nan).all())


def laid_out(values: Any, layout: str) -> Any:
    """Return a tensor of elements that lie in one way."""
    x = tri.from_numpy(values)
    if layout == "strided":
        return tri.stack([x, x], -1)[..., 1]
    if layout == "transposed":
        return x.transpose(0, 1).contiguous().transpose(0, 1)
    return tri.cat([x, x], 1)[:, : x.shape[1]] if layout == "part" else x


@pytest.mark.parametrize("layout", ["contiguous", "strided", "transposed", "part"])
@pytest.mark.parametrize("name", KINDS)
def test_what_is_picked(name: str, layout: str) -> None:
    for shape in SHAPES:
        for has_nan in (False, True):
            x = elements(KINDS[name], shape, has_nan=has_nan)
            for dim in (0, 1):
                for function, is_largest in ((tri.cummax, True), (tri.cummin, False)):
                    found = function(laid_out(x, layout), dim)
                    values, places = picked(x, dim, is_largest=is_largest)
                    assert same(found.values.numpy(), values), (shape, dim)
                    assert np.array_equal(found.indices.numpy(), places), (shape, dim)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "int64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_and_products(name: str, shape: tuple[int, int]) -> None:
    kind = KINDS[name]
    wide = {"float16": np.float32, "bfloat16": np.float32, "float32": np.float64}.get(name, kind)
    x = elements(kind, shape, has_nan=True)
    for function, ufunc in ((tri.cumsum, np.add), (tri.cumprod, np.multiply)):
        with np.errstate(all="ignore"):
            start = ufunc.identity + np.zeros(shape[0], wide)
            steps: list[Any] = []
            for column in x.T.astype(wide):
                start = ufunc(start, column)
                steps.append(start.astype(kind))
        for layout in ("contiguous", "strided", "part"):
            assert same(function(laid_out(x, layout), 1).numpy(), np.stack(steps, 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_of_exponentials(shape: tuple[int, int]) -> None:
    x = RANDOM.standard_normal(shape) * 20
    expected = np.logaddexp.accumulate(x, 1)
    found = tri.logcumsumexp(tri.tensor(x), 1).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    narrow = tri.logcumsumexp(tri.tensor(x.astype(np.float32)), 1).numpy()
    expected = np.logaddexp.accumulate(x.astype(np.float32).astype(np.float64), 1)
    np.testing.assert_allclose(narrow, expected, rtol=2e-7, atol=1e-7)


def test_one_row() -> None:
    for count in (1, 15, 16, 17, 1000):
        x = elements(np.float32, (count,))
        values, places = picked(x, 0, is_largest=True)
        found = tri.cummax(tri.tensor(x), 0)
        assert same(found.values.numpy(), values)
        assert np.array_equal(found.indices.numpy(), places)


@pytest.mark.parametrize("name", ["float32", "float64", "int32", "bool"])
def test_opencl(name: str) -> None:
    runtime()
    x = elements(KINDS[name], (9, 37), has_nan=True)
    values, places = picked(x, 1, is_largest=False)
    found = tri.cummin(laid_out(x, "contiguous").to("opencl:0"), 1)
    assert same(found.values.cpu().numpy(), values)
    assert np.array_equal(found.indices.cpu().numpy(), places)


def test_in_place() -> None:
    for _ in range(20):
        x = elements(np.float32, (19, 45))
        expected = tri.tensor(x).cumsum(1).numpy()
        assert same(tri.tensor(x).cumsum_(1).numpy(), expected)


def test_no_elements() -> None:
    for shape, dim in (((0, 5), 1), ((5, 0), 1), ((5, 0), 0)):
        found = tri.cummax(tri.zeros(shape), dim)
        assert found.values.shape == found.indices.shape == shape
        assert tri.cumsum(tri.zeros(shape), dim).shape == shape


def test_gradients() -> None:
    x = tri.tensor(elements(np.float64, (9, 33)), requires_grad=True)
    found = tri.cummax(x, 1)
    found.values.sum().backward()
    expected = np.zeros((9, 33))
    rows = np.arange(9)[:, None]
    np.add.at(expected, (rows, found.indices.numpy()), 1)
    assert np.array_equal(x.grad.numpy(), expected)


@pytest.mark.parametrize("bits", [128, 256, 512])
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_the_schedule_computes_what_the_structured_form_does(
    name: str, dtype: str, bits: int
) -> None:
    shape = (11, 53)

    def function(x: Any) -> Any:
        return getattr(tri, name)(x, 1)

    traced = tri.trace(function, tri.spec(shape, getattr(tri, dtype)))
    (kernel,) = traced.lower().kernels
    schedule = Step("kernel-schedule", (("target", "cpu"), ("vector_bits", bits)))
    scheduled = ModuleOp([kernel.clone()])
    Runner().run(scheduled, [schedule])
    scheduled.verify()
    (form,) = scheduled.body.block.ops
    assert isinstance(form, FuncOp)
    kind = PrecedingOp if name in ("cummax", "cummin") else TransposeOp
    assert any(isinstance(op, kind) for op in form.walk())
    x = elements(KINDS[dtype], shape, has_nan=name != "logcumsumexp")
    answers: list[list[Any]] = []
    for each in (kernel, form):
        given = [x.reshape(-1).copy(), np.zeros(x.size, x.dtype), np.zeros(x.size, np.int64)]
        if name not in ("cummax", "cummin"):
            given.pop()
        places = [0, shape[1]] * len(given)
        assert interpret_kernel(each, given, [*shape, *places]) == []
        answers.append(given)
    for first, second in zip(*answers, strict=True):
        assert same(first, second)
