"""Are medians and quantiles those that NumPy finds, with NaN and without?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import trilith

tri: Any = trilith
NUMPY: Any = np
RANDOM: Any = np.random.default_rng(3)


def with_holes(*shape: int) -> Any:
    x = RANDOM.standard_normal(shape).astype(np.float32)
    x[RANDOM.random(shape) < 0.1] = np.nan
    return x


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_medians_are_elements_and_their_places(dim: int):
    whole = RANDOM.permutation(5 * 6 * 8).reshape(5, 6, 8).astype(np.float32)
    for x, name in ((whole, "median"), (with_holes(5, 6, 8), "nanmedian")):
        found = getattr(tri, name)(tri.tensor(x), dim)
        expected = NUMPY.nanquantile(x, 0.5, dim, method="lower")
        assert np.array_equal(found.values.numpy(), expected)
        places = np.expand_dims(found.indices.numpy(), dim)
        assert np.array_equal(np.take_along_axis(x, places, dim).squeeze(dim), expected)


def test_the_median_of_what_has_a_nan_is_the_first_one():
    x = tri.tensor([[1.0, math.nan, 2.0, math.nan], [3.0, 1.0, 2.0, 4.0]])
    found = tri.median(x, 1)
    assert found.indices.tolist() == [1, 2]
    assert math.isnan(found.values[0].item())
    assert math.isnan(tri.median(x).item())
    assert tri.nanmedian(x).item() == 2
    assert math.isnan(tri.nanmedian(tri.tensor([math.nan])).item())
    with pytest.raises(IndexError, match="Expected reduction dim 0 to have non-zero size"):
        tri.median(tri.ones(0), 0)


@pytest.mark.parametrize("kind", ["normal", "few", "sorted", "one far away", "NaN"])
def test_ranks_in_a_long_row(kind: str):
    """So long that a sample says where to look."""
    x = RANDOM.standard_normal(100_000).astype(np.float32)
    if kind == "few":
        x = RANDOM.integers(0, 3, len(x)).astype(np.float32)
    elif kind == "sorted":
        x.sort()
    elif kind == "one far away":
        x[:] = 1
        x[77] = -1e30
    elif kind == "NaN":
        x[RANDOM.permutation(len(x))[:100]] = np.nan
    order = np.argsort(x, kind="stable")
    for rank in (1, 2, 50_000, 99_990, 100_000):
        found = tri.kthvalue(tri.tensor(x), rank)
        assert found.indices.item() == order[rank - 1]
    name = "nanquantile" if kind == "NaN" else "quantile"
    expected = getattr(NUMPY, name)(x, [0.2, 0.9], method="lower")
    shares = tri.tensor([0.2, 0.9])
    assert getattr(tri, name)(tri.tensor(x), shares, interpolation="lower").tolist() == [*expected]


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest"])
@pytest.mark.parametrize("dim", [None, 0, 1])
def test_quantiles(method: str, dim: int | None):
    shares = np.array([0.0, 0.1, 0.35, 0.77, 1.0], np.float32)
    for x, name in ((RANDOM.random((7, 9)), "quantile"), (with_holes(7, 9), "nanquantile")):
        narrow = x.astype(np.float32)
        expected = getattr(NUMPY, name)(narrow.astype(np.float64), shares, dim, method=method)
        found = getattr(tri, name)(
            tri.tensor(narrow), tri.tensor(shares), dim, interpolation=method
        )
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_one_nan_is_every_quantile_of_its_row():
    x = tri.tensor([[1.0, math.nan], [1.0, 2.0]])
    assert tri.quantile(x, 0.5, 1).tolist()[1] == 1.5
    assert math.isnan(tri.quantile(x, 0.0, 1)[0].item())
    assert tri.quantile(x[1], 0.5, 0, keepdim=True).shape == (1,)


def test_what_is_no_part_is_refused():
    x = tri.ones(3)
    with pytest.raises(RuntimeError, match=r"q must be in the range \[0, 1\] but got 2"):
        tri.quantile(x, 2.0)
    with pytest.raises(RuntimeError, match=r"q values must be in the range \[0, 1\]"):
        tri.quantile(x, tri.tensor([0.5, -1.0]))
    with pytest.raises(TypeError, match="received an invalid combination of arguments"):
        tri.quantile(x, [0.5])


@pytest.mark.parametrize("dtype", [tri.int32, tri.float32])
def test_a_median_does_not_keep_what_was_sorted(dtype: Any):
    found = tri.arange(101, dtype=dtype).median()
    assert found.item() == 50
    assert found.untyped_storage().nbytes() == 4


def test_nuclear_and_spectral_norms():
    x = RANDOM.standard_normal((4, 3, 5)).astype(np.float32)
    for order in ("nuc", 2, -2):
        expected = np.linalg.norm(x.astype(np.float64), order, axis=(0, 2))
        found = tri.linalg.matrix_norm(tri.tensor(x), order, (0, 2)).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_the_median_of_nothing_is_what_nan_is_in_a_dtype():
    # What torch 2.13 gives.
    expected = {"bool": True, "uint8": 0, "int8": 0, "int32": -(2**31), "uint16": 0}
    for name, value in expected.items():
        found = tri.tensor([], dtype=getattr(tri, name)).median()
        assert (found.dtype, found.item()) == (getattr(tri, name), value)
    assert str(tri.tensor([], dtype=tri.complex64).nanmedian()) == "tensor(nan+0.j)"
