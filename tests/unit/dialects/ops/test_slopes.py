"""Is gradient NumPy's, and are index_reduce and range what loops over elements give?"""

from typing import Any

import numpy as np
import pytest

import trilith as tri

face: Any = tri
#: NumPy's has types for some orders alone.
numpy_gradient: Any = np.gradient
RANDOM = np.random.default_rng(7)


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize("spacing", [1.0, 2.5, (0.5, 3.0)])
def test_slopes_of_even_samples(spacing: Any, edge_order: int):
    x = RANDOM.random((4, 5))
    expected = numpy_gradient(x, *np.atleast_1d(spacing).tolist(), edge_order=edge_order)
    found = face.gradient(tri.tensor(x), spacing=spacing, edge_order=edge_order)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-12)


@pytest.mark.parametrize("edge_order", [1, 2])
def test_slopes_of_samples_at_places(edge_order: int):
    x = RANDOM.random((4, 5))
    places = np.cumsum(RANDOM.random(5))
    expected = numpy_gradient(x, places, axis=1, edge_order=edge_order)

    def slopes(values: Any, where: Any) -> Any:
        return face.gradient(values, spacing=[where], dim=1, edge_order=edge_order)

    for of in (slopes, tri.compile(slopes)):
        (found,) = of(tri.tensor(x), tri.tensor(places))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9)


def test_slopes_are_refused():
    for options, words in (
        ({"edge_order": 3}, "only supports edge_order=1 and edge_order=2"),
        ({"spacing": (1, 2, 3)}, "a list of length 3"),
        ({"dim": (0, 0)}, "dim 0 appears multiple times"),
        ({"dim": 0, "edge_order": 2}, "to be at least edge_order"),
    ):
        with pytest.raises(RuntimeError, match=words):
            face.gradient(tri.ones(2, 3), **options)


# ---- slices reduced by an index


def by_loop(into: Any, index: Any, source: Any, reduce: str, include_self: bool) -> Any:
    found = into.copy()
    for place in range(len(into)):
        rows = [source[k] for k in range(len(index)) if index[k] == place]
        rows = [into[place], *rows] if include_self or not rows else rows
        found[place] = {"prod": np.prod, "mean": np.mean, "amax": np.max, "amin": np.min}[reduce](
            rows, axis=0
        )
    return found


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin"])
def test_slices_are_reduced(reduce: str, include_self: bool):
    into, source = RANDOM.random((3, 2)), RANDOM.random((5, 2))
    index = np.array([2, 0, 2, 2, 0])
    expected = by_loop(into, index, source, reduce, include_self)
    x: Any = tri.tensor(into)
    arguments = (0, tri.tensor(index), tri.tensor(source), reduce)
    found = x.index_reduce(*arguments, include_self=include_self)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
    assert x.index_reduce_(*arguments, include_self=include_self) is x
    assert x.tolist() == found.tolist()


@pytest.mark.filterwarnings("ignore:index_reduce")
def test_means_of_integers_are_rounded_down():
    x: Any = tri.tensor([7, -7])
    source = tri.tensor([-2, -4, -3])
    assert x.index_reduce(0, tri.tensor([0, 0, 1]), source, "mean").tolist() == [0, -5]


# ---- ranges that hold their end


@pytest.mark.filterwarnings("ignore:trilith.range is deprecated")
def test_ranges_hold_their_end():
    assert face.range(0, 3).tolist() == [0, 1, 2, 3]
    assert face.range(0, 3).dtype is tri.float32
    assert face.range(0.5, 3).tolist() == [0.5, 1.5, 2.5]
    assert face.range(1, 0, -1, dtype=tri.int64).tolist() == [1, 0]
    assert face.range(0.9, 3.5, 1.5, dtype=tri.int32).tolist() == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="upper bound and lower bound inconsistent"):
        face.range(3, 0)


def test_range_is_deprecated():
    with pytest.warns(UserWarning, match="Instead, use trilith.arange, which produces values in"):
        face.range(0, 1)
