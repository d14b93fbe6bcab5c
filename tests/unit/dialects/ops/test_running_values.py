"""Do scans, differences, areas, counts by bins and covariances give what NumPy gives?"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import trilith

tri: Any = trilith
RANDOM: Any = np.random.default_rng(11)


def values(*shape: int) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("compiled", [False, True])
def test_extremes_so_far_and_the_last_place_of_each(dim: int, compiled: bool):
    x = RANDOM.integers(0, 9, (5, 6, 7)).astype(np.float32)
    for name, ufunc in (("cummax", np.maximum), ("cummin", np.minimum)):
        function = getattr(tri, name)
        if compiled:
            function = tri.compile(function, static_argnames="dim")
        found = function(tri.tensor(x), dim=dim)
        expected = ufunc.accumulate(x, dim)
        assert np.array_equal(found.values.numpy(), expected)
        indices = np.moveaxis(found.indices.numpy(), dim, 0)
        columns, best = np.moveaxis(x, dim, 0), np.moveaxis(expected, dim, 0)
        for step in range(len(columns)):
            hits = columns[: step + 1] == best[step]
            assert np.array_equal(indices[step], step - np.argmax(hits[::-1], 0))


def test_nan_stays_the_extreme_and_a_later_one_is_named():
    found = tri.cummin(tri.tensor([3.0, math.nan, 1.0, math.nan, 0.0]), 0)
    assert found.indices.tolist() == [0, 1, 1, 3, 3]
    assert math.isnan(found.values[4].item())


def test_extremes_of_one_number_need_no_order():
    found = tri.cummax(tri.tensor(2 + 1j), 0)
    assert (found.values.item(), found.indices.item()) == (2 + 1j, 0)
    with pytest.raises(IndexError, match="Expected reduction dim -1 or 0 for scalar but got 1"):
        tri.cummax(tri.tensor(2.0), 1)


def test_sums_of_exponentials_up_to_each():
    x = values(40, 30) * 20
    expected = np.logaddexp.accumulate(x.astype(np.float64), 1)
    found = tri.logcumsumexp(tri.tensor(x), 1)
    np.testing.assert_allclose(found.numpy(), expected, rtol=2e-7)
    # What is lost beside 1 is not lost beside 0.
    tiny = tri.logcumsumexp(tri.tensor([0.0, -40.0], dtype=tri.float64), 0)[1].item()
    assert tiny == pytest.approx(math.exp(-40), rel=1e-12)
    ends = tri.logcumsumexp(tri.tensor([-math.inf, 1.0, math.inf, math.inf, math.nan]), 0)
    np.testing.assert_array_equal(
        ends.numpy(), np.array([-math.inf, 1, math.inf, math.inf, math.nan], np.float32)
    )


def test_sums_of_complex_exponentials():
    x = values(30) + 1j * values(30)
    expected = np.exp(x.astype(np.complex128)).cumsum()
    found = np.exp(tri.logcumsumexp(tri.tensor(x), 0).numpy().astype(np.complex128))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("n", [0, 1, 2, 6, 9])
def test_differences(n: int):
    x = RANDOM.integers(-50, 50, (3, 6))
    for dim in (0, 1):
        found = tri.diff(tri.tensor(x), n, dim).numpy()
        assert np.array_equal(found, np.diff(x, n, dim))
    beside = tri.diff(tri.tensor(x), 1, 1, tri.tensor(x[:, :2]), tri.tensor(x[:, :1])).numpy()
    assert np.array_equal(beside, np.diff(x, prepend=x[:, :2], append=x[:, :1]))
    flips = tri.diff(tri.tensor([True, False, False, True])).tolist()
    assert flips == [True, False, True]


def test_areas():
    y, x = values(3, 20), np.sort(values(20))
    numpy: Any = np
    whole = numpy.trapezoid if hasattr(np, "trapezoid") else numpy.trapz
    expected = whole(y.astype(np.float64), x, axis=1)
    found = tri.trapezoid(tri.tensor(y), tri.tensor(x)).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    steps = (y[:, 1:] + y[:, :-1]).astype(np.float64) / 2 * np.diff(x)
    found = tri.cumulative_trapezoid(tri.tensor(y), tri.tensor(x)).numpy()
    np.testing.assert_allclose(found, steps.cumsum(1), rtol=1e-4, atol=1e-5)
    assert tri.trapz(tri.tensor([1.0, 2.0, 4.0]), dx=2).item() == 9.0
    with pytest.raises(TypeError, match="received an invalid combination of arguments"):
        tri.trapezoid(tri.tensor(y), tri.tensor(y), dx=1)


def test_counts_of_integers():
    x = RANDOM.integers(0, 20, 1000)
    weights = RANDOM.random(1000)
    assert np.array_equal(tri.bincount(tri.tensor(x), minlength=30), np.bincount(x, None, 30))
    found = tri.bincount(tri.tensor(x), tri.tensor(weights))
    assert np.array_equal(found.numpy(), np.bincount(x, weights))
    with pytest.raises(RuntimeError, match="only supports 1-d non-negative integral inputs"):
        tri.bincount(tri.tensor([-1]))


def test_counts_of_ranges():
    x = RANDOM.integers(0, 64, 3000).astype(np.float32) / 8
    for low, high in ((0, 8), (2, 6)):
        expected, edges = np.histogram(x, 16, (low, high))
        assert np.array_equal(tri.histc(tri.tensor(x), 16, low, high).numpy(), expected)
        found = tri.histogram(tri.tensor(x), 16, range=(low, high))
        assert np.array_equal(found.hist.numpy(), expected)
        assert np.array_equal(found.bin_edges.numpy(), edges)
    uneven = np.array([0, 0.5, 3, 3, 7], np.float32)
    found = tri.histogram(tri.tensor(x), tri.tensor(uneven), density=True)
    expected, _ = np.histogram(x, uneven)
    with np.errstate(all="ignore"):
        dense = expected / expected.sum() / np.diff(uneven)
    np.testing.assert_allclose(found.hist.numpy(), dense, rtol=1e-6)


def test_what_is_no_number_lies_in_no_range():
    x = tri.tensor([math.nan, 1.0, 5.0, -1.0])
    assert tri.histc(x, 2, 0, 4).tolist() == [1, 0]
    with pytest.raises(RuntimeError, match=r"range of .nan, nan. is not finite"):
        tri.histc(x, 2)


def test_variables_that_go_together():
    x = values(3, 50)
    counts, weights = RANDOM.integers(1, 5, 50), RANDOM.random(50).astype(np.float32)
    for options in ({}, {"fweights": counts}, {"fweights": counts, "aweights": weights}):
        given: Any = {name: tri.tensor(value) for name, value in options.items()}
        numbers: Any = options
        numpy: Any = np
        expected = numpy.cov(x.astype(np.float64), **numbers)
        np.testing.assert_allclose(tri.cov(tri.tensor(x), **given), expected, rtol=2e-5, atol=1e-6)
    found = tri.corrcoef(tri.tensor(x)).numpy()
    np.testing.assert_allclose(found, np.corrcoef(x), rtol=2e-5, atol=1e-6)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert math.isnan(tri.cov(tri.tensor([3.0])).item())
    assert all("degrees of freedom is <= 0" in str(each.message) for each in caught)


def test_a_sum_to_a_size_that_expands_to_the_own():
    x = values(4, 2, 3)
    assert np.allclose(tri.tensor(x).sum_to_size(2, 1).numpy(), x.sum((0, 2))[:, None], 1e-6)
    with pytest.raises(RuntimeError, match="is not expandable to size"):
        tri.tensor(x).sum_to_size(4, 3)
