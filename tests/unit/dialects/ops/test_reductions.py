"""Do reductions give what NumPy gives in float64, over any dims, and at infinities and NaN?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import trilith

tri: Any = trilith
RANDOM: Any = np.random.default_rng(7)
DIMS: list[Any] = [None, 0, 1, -1, (0, 2), (0, 1, 2)]


def values(shape: tuple[int, ...]) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("dim", DIMS, ids=str)
def test_spread_far_from_zero_is_that_of_float64(dim: Any):
    x = values((7, 5, 40)) + np.float32(1e4)
    for name in ("var", "std"):
        expected = getattr(np, name)(x.astype(np.float64), axis=dim, ddof=1)
        found = getattr(tri, name)(tri.tensor(x), dim).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        both = getattr(tri, f"{name}_mean")(tri.tensor(x), dim)
        assert np.array_equal(both[0].numpy(), found)
        np.testing.assert_allclose(both[1].numpy(), x.mean(dim, np.float64), rtol=1e-7)


@pytest.mark.parametrize("order", [0, 0.5, 1, 2, 2.5, 3, -1, math.inf, -math.inf])
def test_norms_of_vectors(order: float):
    x = values((3, 50))
    expected = np.linalg.norm(x.astype(np.float64), order, axis=1)
    for norm in (tri.linalg.vector_norm(tri.tensor(x), order, 1), tri.tensor(x).norm(order, 1)):
        np.testing.assert_allclose(norm.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("order", ["fro", 1, -1, math.inf, -math.inf])
def test_norms_of_matrices(order: Any):
    x = values((4, 5, 6))
    expected = np.linalg.norm(x.astype(np.float64), order, axis=(0, 2))
    found = tri.linalg.matrix_norm(tri.tensor(x), order, (0, 2))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)
    kept = tri.linalg.norm(tri.tensor(x), order, (0, 2), keepdim=True)
    assert np.array_equal(kept.numpy()[0, :, 0], found.numpy())


def test_a_narrow_norm_is_added_up_in_float32():
    assert tri.full((100,), 300.0, dtype=tri.float16).norm().item() == 3000.0


def test_the_norm_of_one_element_is_its_magnitude():
    assert tri.tensor([[-1e-30]]).norm(2, 0).item() == np.float32(1e-30)


def test_the_largest_of_nothing_is_refused():
    with pytest.raises(RuntimeError, match="cannot compute the inf norm on the dimension 0because"):
        tri.linalg.vector_norm(tri.ones(0, 2), math.inf, 0)


@pytest.mark.parametrize("dim", [0, 1, (0, 1)], ids=str)
def test_logsumexp_is_as_exact_as_float64_allows(dim: Any):
    x = values((300, 70)) * 30
    wide = x.astype(np.float64)
    expected = np.log(np.exp(wide - 90).sum(dim)) + 90
    np.testing.assert_allclose(tri.tensor(x).logsumexp(dim).numpy(), expected, rtol=3e-7)
    np.testing.assert_allclose(tri.tensor(wide).logsumexp(dim).numpy(), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        ([], -math.inf),
        ([-math.inf, -math.inf], -math.inf),
        ([-math.inf, 3.0], 3.0),
        ([math.inf, math.inf, 1.0], math.inf),
        ([math.inf, -math.inf], math.inf),
        ([math.nan, math.inf], math.nan),
        ([1e30, 1e30], 1e30),
    ],
)
def test_logsumexp_at_the_ends(elements: list[float], expected: float):
    found = tri.tensor(elements).logsumexp(0).item()
    assert found == np.float32(expected) or (math.isnan(found) and math.isnan(expected))


def test_the_first_of_equals_is_found_side_by_side_too():
    x = RANDOM.integers(0, 50, 40_000).astype(np.float32)
    for name in ("argmin", "argmax"):
        expected = getattr(np, name)
        assert getattr(tri, name)(tri.tensor(x)).item() == expected(x)
        columns = getattr(tri, name)(tri.tensor(x.reshape(200, 200)), 0)
        assert np.array_equal(columns.numpy(), expected(x.reshape(200, 200), 0))
        holes = x.copy()
        holes[[31_000, 12_345, 12_346]] = np.nan
        assert getattr(tri, name)(tri.tensor(holes)).item() == 12_345
    lowest = np.full(100, np.inf, np.float32)
    assert tri.tensor(lowest).argmin().item() == 0
    assert tri.tensor(-lowest).max(0).indices.item() == 0


def test_nan_and_zeros_are_left_out():
    x = values((30, 40))
    x[x > 1] = np.nan
    x[np.abs(x) < 0.2] = 0
    given = tri.tensor(x)
    np.testing.assert_allclose(given.nansum(0).numpy(), np.nansum(x, 0), rtol=2e-6, atol=1e-6)
    np.testing.assert_allclose(given.nanmean(1).numpy(), np.nanmean(x, 1), rtol=2e-6, atol=1e-6)
    assert np.array_equal(given.count_nonzero((0, 1)).numpy(), np.count_nonzero(x))
    assert np.array_equal(given.count_nonzero(1).numpy(), np.count_nonzero(x, 1))
    assert math.isnan(tri.tensor([math.nan]).nanmean().item())


def test_a_distance_broadcasts():
    x, y = values((4, 3)), values((3,))
    found = tri.dist(tri.tensor(x), tri.tensor(y), 3).item()
    np.testing.assert_allclose(found, np.linalg.norm((x - y).ravel(), 3), rtol=1e-6)
