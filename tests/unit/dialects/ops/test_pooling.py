"""Do pools give what their definition says, window by window?"""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import trilith as tri

F = tri.nn.functional
SEED = 11
Array = np.ndarray[Any, np.dtype[Any]]


def windows(
    shape: tuple[int, ...], kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> list[list[tuple[int, list[int]]]]:
    """Return for each dim the start of each window and the elements of the input it has."""
    found: list[list[tuple[int, list[int]]]] = []
    for size in shape:
        reach = dilation * (kernel - 1)
        room = (size + 2 * padding - reach - 1) / stride
        starts = range((math.ceil if ceil_mode else math.floor)(room) + 1)
        dims = [number * stride - padding for number in starts]
        found.append(
            [
                (start, [e for e in range(start, start + reach + 1, dilation) if 0 <= e < size])
                for start in dims
                if start < size or not ceil_mode
            ]
        )
    return found


SETTINGS = [(2, 2, 0, 1, False), (3, 2, 1, 1, True), (2, 3, 1, 2, True), (3, 1, 1, 2, False)]


@pytest.mark.parametrize(
    ("dims", "kernel", "stride", "padding", "dilation", "ceil_mode"),
    [(1, *SETTINGS[1]), *((2, *setting) for setting in SETTINGS), (3, *SETTINGS[1])],
)
def test_largest_of_each_window(
    dims: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
):
    shape = (8, 7, 6)[:dims]
    x = np.random.default_rng(SEED).integers(-3, 3, (2, 2, *shape)).astype("float32")
    x[0, 0] = -np.inf
    x[1, 1].flat[5] = np.nan
    pool = getattr(F, f"max_pool{dims}d")
    arguments = (tri.tensor(x), kernel, stride, padding, dilation, ceil_mode)
    values, places = pool(*arguments, return_indices=True)
    assert np.array_equal(pool(*arguments).numpy(), values.numpy(), equal_nan=True)
    found = windows(shape, kernel, stride, padding, dilation, ceil_mode)
    assert values.shape[2:] == tuple(map(len, found))
    numbers = np.arange(math.prod(shape)).reshape(shape)
    for window in itertools.product(*(range(len(dim)) for dim in found)):
        inside = np.ix_(*(dim[number][1] for dim, number in zip(found, window, strict=True)))
        for plane in itertools.product(range(2), range(2)):
            under = x[plane][inside].ravel()
            bad = np.flatnonzero(np.isnan(under))
            best = bad[-1] if bad.size else np.argmax(under)
            assert np.array_equal(values[(*plane, *window)].item(), under[best], equal_nan=True)
            assert places[(*plane, *window)].item() == numbers[inside].ravel()[best]


@pytest.mark.parametrize("counts_padding", [True, False])
@pytest.mark.parametrize(
    ("dims", "kernel", "stride", "padding", "ceil_mode"),
    [(1, 3, 2, 1, True), (2, 2, 2, 0, False), (2, 3, 2, 1, True), (3, 2, 3, 1, True)],
)
def test_mean_of_each_window(
    dims: int, kernel: int, stride: int, padding: int, ceil_mode: bool, counts_padding: bool
):
    shape = (8, 7, 6)[:dims]
    x = np.random.default_rng(SEED).standard_normal((2, 3, *shape))
    pool = getattr(F, f"avg_pool{dims}d")
    made = pool(tri.tensor(x), kernel, stride, padding, ceil_mode, counts_padding).numpy()
    found = windows(shape, kernel, stride, padding, 1, ceil_mode)
    assert made.shape[2:] == tuple(map(len, found))
    for window in itertools.product(*(range(len(dim)) for dim in found)):
        here = [dim[number] for dim, number in zip(found, window, strict=True)]
        count = math.prod(
            min(start + kernel, size + padding) - start if counts_padding else len(elements)
            for (start, elements), size in zip(here, shape, strict=True)
        )
        total = x[(..., *np.ix_(*(elements for _, elements in here)))]
        expected = total.sum(axis=tuple(range(2, 2 + dims))) / count
        assert np.allclose(made[(..., *window)], expected, rtol=1e-14, atol=1e-14)


def test_norm_of_each_window():
    x = np.random.default_rng(SEED).random((1, 2, 4, 4))
    made = F.lp_pool2d(tri.tensor(x), 2.0, 2).numpy()
    blocks = x.reshape(1, 2, 2, 2, 2, 2)
    assert np.allclose(made, np.sqrt((blocks**2).sum(axis=(3, 5))), rtol=1e-14)


def test_norm_of_infinite_order():
    x = tri.arange(-8.0, 8.0).reshape(1, 1, 4, 4)
    assert F.lp_pool2d(x, math.inf, 2).tolist() == [[[[8.0, 6.0], [5.0, 7.0]]]]
    assert F.lp_pool2d(x, -math.inf, 2).tolist() == [[[[3.0, 1.0], [0.0, 2.0]]]]
    assert F.lp_pool3d(x, -math.inf, (1, 2, 2)).tolist() == [[[[3.0, 1.0], [0.0, 2.0]]]]
    largest, least = ([8, 6], [4, 2], [2, 3], [6, 7]), ([6, 5], [2, 1], [0, 2], [4, 6])
    assert F.lp_pool1d(x[0], math.inf, 3, 2, True).tolist() == [[*largest]]
    assert F.lp_pool1d(x[0], -math.inf, 3, 2, True).tolist() == [[*least]]
    compiled = tri.compile(lambda x: F.lp_pool1d(x, -math.inf, 3, 2, True))
    assert compiled(x[0]).tolist() == [[*least]]
    kept = tri.ones(2, 3, 4, 4).contiguous(memory_format=tri.channels_last)
    for order in (math.inf, -math.inf, 2):
        assert F.lp_pool2d(kept, order, 2).stride() == (12, 1, 6, 3)


def test_norms_of_whole_numbers():
    """An order that is an integer leaves powers and their means whole numbers."""
    x = tri.arange(-8, 8).reshape(1, 4, 4)
    of_integer, of_float = F.lp_pool1d(x, 2, 2), F.lp_pool1d(x, 2.0, 2)
    assert of_integer.dtype is of_float.dtype is tri.float32
    assert abs(of_integer[0, 0, 0].item() - 10.58300495147705) < 1e-5
    assert abs(of_float[0, 0, 0].item() - 10.630146026611328) < 1e-5
    assert tri.compile(lambda x: F.lp_pool1d(x, 2, 2))(x).equal(of_integer)
    flags = tri.tensor([[True, False, True, True]])
    assert F.lp_pool1d(flags, 2, 2).tolist() == [[0.0, 1.4142135381698608]]
    assert F.lp_pool1d(flags, 2.0, 2).tolist() == [[1.0, 1.4142135381698608]]
    for dtype, name in ((tri.int16, "Short"), (tri.int32, "Int"), (tri.uint8, "Byte")):
        with pytest.raises(NotImplementedError, match=f"\"avg_pool2d\" .* for '{name}'"):
            F.lp_pool1d(x.to(dtype), 2, 2)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        F.lp_pool1d(x, 0, 2)


def test_format_stays():
    x = tri.ones(2, 3, 6, 6).contiguous(memory_format=tri.channels_last)
    for made in (
        F.max_pool2d(x, 2),
        F.avg_pool2d(x, 3, 1),
        *F.max_pool2d(x, 2, return_indices=True),
    ):
        assert made.is_contiguous(memory_format=tri.channels_last)


def test_whole_numbers():
    x = tri.tensor([[-7, 2, 5, -128]])
    assert F.avg_pool1d(x, 2).tolist() == [[-2, -61]]
    assert F.max_pool2d(x.to(tri.int8)[None], (1, 2), padding=(0, 1)).tolist() == [[[-7, 5, -128]]]


def test_what_is_no_pool():
    x = tri.ones(1, 3, 7, 7)
    cases: list[tuple[Any, tuple[Any, ...], str]] = [
        (F.max_pool2d, (x, 9), r"\(3x7x7\). Calculated output size: \(3x0x0\)"),
        (F.max_pool2d, (x, 2, 0), "stride should not be zero"),
        (F.max_pool2d, (x, 2, 2, 2), "pad should be at most half of effective kernel size"),
        (F.max_pool2d, (x, (2, 2, 2)), "a single int, or a tuple of two ints"),
        (F.avg_pool2d, (x, -1), "greater than zero, but got kH: -1 kW: -1"),
        (F.max_pool1d, (x[0], 9), "Invalid computed output size: 0"),
        (F.avg_pool2d, (x.bool(), 2), "\"avg_pool2d\" not implemented for 'Bool'"),
        (F.adaptive_avg_pool2d, (x, (1,)), "adaptive_avg_pool2d: output_size must be 2"),
        (F.adaptive_max_pool2d, (x, (1,)), r"output_size.size\(\) must be 2"),
    ]
    for function, arguments, text in cases:
        with pytest.raises(RuntimeError, match=text):
            function(*arguments)
