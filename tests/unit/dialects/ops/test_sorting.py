"""Are elements put in order, chosen and looked up as they should be? NumPy and plain Python say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.host import searching, selection, sorting

RANDOM = np.random.default_rng(11)
TYPES: list[Any] = [
    *(np.bool_, np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64),
    *(np.float16, np.float32, np.float64),
]


def _elements(dtype: Any, *shape: int) -> np.ndarray[Any, Any]:
    """Return few different elements, so that there are ties; of floats some are special."""
    found = RANDOM.integers(0, 7, shape).astype(np.float64) - 3
    if np.dtype(dtype).kind == "f":
        for number, special in enumerate((np.nan, -0.0, np.inf, -np.inf)):
            found[RANDOM.random(shape) < 0.05 * (number + 1)] = special
        return found.astype(dtype)
    return (found + 3 if np.dtype(dtype).kind in "ub" else found).astype(dtype)


def _python_key(value: Any) -> tuple[bool, Any]:
    """Return what Python's own sort, which is stable, puts NaN last by."""
    return (bool(value != value), 0 if value != value else value)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_order_is_stable(dtype: Any, descending: bool):
    for length in (1, 2, 40, 300):
        row = _elements(dtype, length)
        items = sorted(range(length), key=lambda n: _python_key(row[n]), reverse=False)
        if descending:
            # What is reversed twice stays in order where it is equal.
            items = sorted(range(length)[::-1], key=lambda n: _python_key(row[n]))[::-1]
        assert sorting.order_of(row, descending=descending).tolist() == items


def test_wide_keys_leave_equal_elements_in_order():
    rows = RANDOM.integers(-(2**62), 2**62, (3, 500))
    rows[:, 100:400] = rows[:, :300]
    np.testing.assert_array_equal(sorting.order_of(rows), np.argsort(rows, axis=-1, kind="stable"))


@pytest.mark.parametrize("name", ["bfloat16", "float32", "int64"])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_sort_of_any_strides(name: str, dim: int):
    whole = tri.from_numpy(np.nan_to_num(_elements(np.float32, 6, 5, 4).clip(-3, 3)))
    x = whole.to(getattr(tri, name)).permute(2, 0, 1)[::2]
    values, indices = tri.sort(x, dim)
    plain = np.array(x.double().numpy())
    np.testing.assert_array_equal(values.double().numpy(), np.sort(plain, dim))
    np.testing.assert_array_equal(indices.numpy(), np.argsort(plain, dim, kind="stable"))
    assert values.stride() == tri.empty_like(x).stride()


def test_the_words_of_errors():
    x: Any = tri.ones(3)
    sort: Any = tri.sort
    cases: list[tuple[Callable[[], Any], str]] = [
        (lambda: sort(x, 0, stable=True), "sort() received an invalid combination"),
        (lambda: sort(x, "a"), "sort() received an invalid combination"),
        (lambda: sort(x + 1j), " Sort does not support complex dtypes on CPU"),
        (lambda: tri.topk(x, 4), "selected index k out of range"),
        (lambda: tri.kthvalue(x, 0), "kthvalue(): selected number k out of range for dimension 0"),
        (lambda: tri.mode(x[:0]), "mode(): Expected reduction dim 0 to have non-zero size."),
        (lambda: tri.searchsorted(x, x, side="up"), "side can only be 'left' or 'right'"),
        (lambda: tri.isin(x > 0, x), "Unsupported input type encountered for isin(): Bool"),
        (lambda: tri.histc(x, 3, 2, 1), "torch.histc: max must be larger than min"),
    ]
    for call, words in cases:
        with pytest.raises(tri.TrilithError) as caught:
            call()
        assert words in str(caught.value)


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_topk_is_the_beginning_of_a_sort(dtype: Any, largest: bool):
    for shape in ((4, 30), (2, 3000)):
        x = tri.from_numpy(_elements(dtype, *shape))
        values, indices = tri.sort(x, 1, largest)
        for count in (0, 1, 7):
            found = tri.topk(x, count, 1, largest)
            np.testing.assert_array_equal(found.values.numpy(), values[:, :count].numpy())
            np.testing.assert_array_equal(found.indices.numpy(), indices[:, :count].numpy())


def test_kthvalue_is_an_item_of_a_sort():
    x = tri.from_numpy(_elements(np.float32, 5, 2000))
    ordered = tri.sort(x, 1)
    for rank in (1, 3, 1500, 2000):
        found = tri.kthvalue(x, rank, 1)
        np.testing.assert_array_equal(found.values.numpy(), ordered.values[:, rank - 1].numpy())
        np.testing.assert_array_equal(found.indices.numpy(), ordered.indices[:, rank - 1].numpy())


def test_mode_counts():
    rows = RANDOM.integers(0, 9, (50, 12))
    values, indices = tri.mode(tri.from_numpy(rows))
    lists: list[list[int]] = rows.tolist()
    for row, value, index in zip(lists, values.tolist(), indices.tolist(), strict=True):
        counts = Counter(row)
        most = max(counts.values())
        assert value == min(item for item in counts if counts[item] == most)
        assert row[index] == value
        assert value not in row[index + 1 :]


@pytest.mark.parametrize("right", [False, True])
def test_bisection_is_that_of_the_book(right: bool):
    for row in ([1.0, 2.0, 2.0, 5.0], [1.0, np.nan], [3.0, 1.0, 2.0], []):
        values = np.array([0.5, 1.0, 2.0, 4.0, 9.0, np.nan])
        found = searching._places(np.array(row), values, right=right)  # pyright: ignore[reportPrivateUsage]
        assert found.tolist() == [_bisect(row, value, right) for value in values.tolist()]


def _bisect(row: list[float], value: float, right: bool) -> int:
    start, end = 0, len(row)
    while start < end:
        middle = (start + end) // 2
        is_before = not row[middle] > value if right else not row[middle] >= value
        start, end = (middle + 1, end) if is_before else (start, middle)
    return start


def test_searchsorted_of_rows_numbers_and_orders():
    rows = np.sort(RANDOM.normal(size=(3, 20)), -1)
    values = RANDOM.normal(size=(3, 7))
    places: list[Any] = [np.searchsorted(rows[n], values[n]) for n in range(3)]
    wanted = np.stack(places).tolist()
    assert tri.searchsorted(tri.from_numpy(rows), tri.from_numpy(values)).tolist() == wanted
    shuffled = RANDOM.permuted(rows, axis=-1)
    sorter = tri.argsort(tri.from_numpy(shuffled))
    found = tri.searchsorted(tri.from_numpy(shuffled), tri.from_numpy(values), sorter=sorter)
    assert found.tolist() == wanted
    assert tri.bucketize(2.5, tri.tensor([1, 3, 5])).item() == 1
    compiled = tri.compile(lambda x, number: tri.bucketize(number, x, right=True))
    assert [compiled(tri.tensor([1, 3, 5]), number).item() for number in (0, 3, 7)] == [0, 2, 3]


def test_a_bad_order_is_said_of_the_line_that_calls():
    x = tri.tensor([1.0, 2.0])
    with pytest.raises(tri.TrilithError, match="sorter index out of range") as caught:
        tri.compile(lambda x: tri.searchsorted(x, x, sorter=tri.tensor([0, 7])))(x)
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


@pytest.mark.parametrize("dtype", TYPES)
def test_unique_puts_everything_back(dtype: Any):
    x = _elements(dtype, 6, 9)
    if np.dtype(dtype).kind == "f":
        x[np.isnan(x)] = 2
    values, inverse, counts = tri.unique(tri.from_numpy(x), True, True, True)
    wanted, wanted_counts = np.unique(x, return_counts=True)
    np.testing.assert_array_equal(values.numpy(), wanted)
    np.testing.assert_array_equal(counts.numpy(), wanted_counts)
    np.testing.assert_array_equal(values.numpy()[inverse.numpy()], x)


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_unique_slices(dim: int):
    x = RANDOM.integers(0, 2, (8, 2, 9))
    values, inverse, counts = tri.unique(tri.from_numpy(x), True, True, True, dim)
    wanted, places, amounts = np.unique(x, return_inverse=True, return_counts=True, axis=dim)
    np.testing.assert_array_equal(values.numpy(), wanted)
    np.testing.assert_array_equal(inverse.numpy(), places.reshape(-1))
    np.testing.assert_array_equal(counts.numpy(), amounts)


def test_unique_consecutive_is_a_walk():
    x = [3, 3, 1, 1, 1, 3, 2]
    values, inverse, counts = tri.unique_consecutive(tri.tensor(x), True, True)
    assert (values.tolist(), counts.tolist()) == ([3, 1, 3, 2], [2, 3, 1, 1])
    assert inverse.tolist() == [0, 0, 1, 1, 1, 2, 3]
    assert len(tri.unique(tri.tensor([np.nan, 1.0, np.nan]))) == 3


def test_nonzero_static_and_histc():
    x = tri.from_numpy(np.nan_to_num(_elements(np.float32, 5, 6).clip(-3, 3)))
    found = tri.nonzero_static(x, size=7, fill_value=-2).numpy()
    np.testing.assert_array_equal(found, np.argwhere(x.numpy())[:7])
    assert tri.nonzero_static(x[:0], size=2).tolist() == [[-1, -1], [-1, -1]]
    counts = np.histogram(x.numpy(), 5, (-2, 3))[0]
    np.testing.assert_array_equal(tri.histc(x, 5, -2, 3).numpy(), counts)


def test_a_part_of_a_sort_chooses_the_first_of_equal_elements():
    row = np.zeros(5000, np.float32)
    row[::7] = 1
    assert selection.first_of(row, 3, descending=True).tolist() == [0, 7, 14]
    assert selection.first_of(row, 3).tolist() == [1, 2, 3]
