"""Do convolutions give what their definition says, tap by tap?"""

import itertools
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.dialects.frames import WARNED

SEED = 7
Array = np.ndarray[Any, np.dtype[Any]]


def convolved(x: Array, w: Array, stride: int, padding: int, dilation: int, groups: int) -> Array:
    """Add the product of each tap with what lies under it."""
    dims = w.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *[(padding, padding)] * dims])
    kernel = w.shape[2:]
    sizes = [(x.shape[2 + n] - dilation * (kernel[n] - 1) - 1) // stride + 1 for n in range(dims)]
    parts = w.reshape(groups, -1, *w.shape[1:])
    channels = np.split(x, groups, axis=1)
    made = np.zeros((x.shape[0], w.shape[0], *sizes), x.dtype)
    rows = np.split(made, groups, axis=1)
    for tap in itertools.product(*map(range, kernel)):
        under = tuple(
            slice(t * dilation, t * dilation + (size - 1) * stride + 1, stride)
            for t, size in zip(tap, sizes, strict=True)
        )
        for group in range(groups):
            taps = parts[group][(..., *tap)]
            rows[group] += np.einsum("nc...,oc->no...", channels[group][:, :, *under], taps)
    return np.concatenate(rows, axis=1)


def whole(shape: tuple[int, ...], dtype: str = "float64") -> Array:
    """Return small whole numbers: every sum of products of them is exact."""
    return np.random.default_rng(SEED).integers(-4, 5, shape).astype(dtype)


@pytest.mark.parametrize(
    ("dims", "stride", "padding", "dilation", "groups"),
    [(1, 1, 0, 1, 1), (1, 2, 1, 1, 2), (2, 1, 2, 3, 4), (2, 2, 1, 1, 2), (3, 2, 1, 2, 2)],
)
def test_convolution_is_the_sum_over_taps(
    dims: int, stride: int, padding: int, dilation: int, groups: int
):
    x, w = whole((2, 4, *[7, 8, 6][:dims])), whole((8, 4 // groups, *[3, 2, 2][:dims]))
    bias = whole((8,))
    expected = convolved(x, w, stride, padding, dilation, groups)
    expected = expected + bias.reshape(-1, *[1] * dims)
    function = getattr(tri.nn.functional, f"conv{dims}d")
    arguments = (tri.tensor(x), tri.tensor(w), tri.tensor(bias))
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}

    def applied(*tensors: Any) -> Any:
        return function(*tensors, **settings)

    assert np.array_equal(function(*arguments, **settings).numpy(), expected)
    assert np.array_equal(tri.compile(applied)(*arguments).numpy(), expected)
    alone = function(arguments[0][0], *arguments[1:], **settings)
    assert np.array_equal(alone.numpy(), expected[0])


@pytest.mark.parametrize(
    ("dims", "stride", "padding", "dilation", "groups"),
    [(1, 1, 0, 1, 1), (1, 2, 1, 1, 2), (2, 3, 1, 2, 4), (2, 1, 1, 1, 2), (3, 2, 1, 2, 2)],
)
def test_transposed_convolution_is_the_adjoint(
    dims: int, stride: int, padding: int, dilation: int, groups: int
):
    """<conv(x), y> = <x, conv_transpose(y)>, exactly, for whole numbers."""
    x, w = whole((2, 4, *[9, 8, 7][:dims])), whole((8, 4 // groups, *[3, 2, 2][:dims]))
    forward = convolved(x, w, stride, padding, dilation, groups)
    y = whole(forward.shape)
    function = getattr(tri, f"conv_transpose{dims}d")
    reach = [dilation * (size - 1) + 1 for size in w.shape[2:]]
    more = tuple(
        size + 2 * padding - span - (count - 1) * stride
        for size, span, count in zip(x.shape[2:], reach, forward.shape[2:], strict=True)
    )
    back = function(tri.tensor(y), tri.tensor(w), None, stride, padding, more, groups, dilation)
    assert back.shape == x.shape
    assert float((back * tri.tensor(x)).sum()) == float((forward * y).sum())


def test_padding_by_a_word():
    WARNED.clear()  # it is said once in a process, by who makes the plan
    x, w = whole((1, 2, 6, 6)), whole((3, 2, 3, 2))
    with no_plans(), pytest.warns(UserWarning, match="even kernel lengths"):
        same = tri.conv2d(tri.tensor(x), tri.tensor(w), padding="same").numpy()
    wide = np.pad(x, [(0, 0), (0, 0), (1, 1), (0, 1)])
    assert np.array_equal(same, convolved(wide, w, 1, 0, 1, 1))
    valid = tri.conv2d(tri.tensor(x), tri.tensor(w), padding="valid", stride=2).numpy()
    assert np.array_equal(valid, convolved(x, w, 2, 0, 1, 1))
    with pytest.raises(RuntimeError, match="not supported for strided convolutions"):
        tri.conv2d(tri.tensor(x), tri.tensor(w), padding="same", stride=2)


def test_one_operand_with_channels_last_gives_them_last():
    x, w = tri.ones(2, 3, 5, 5), tri.ones(4, 3, 2, 2)
    last = tri.channels_last
    assert tri.conv2d(x, w).stride() == (64, 16, 4, 1)
    for result in (
        tri.conv2d(x.contiguous(memory_format=last), w),
        tri.conv2d(x, w.contiguous(memory_format=last)),
        tri.conv_transpose2d(x.contiguous(memory_format=last), tri.ones(3, 4, 2, 2)),
    ):
        assert result.is_contiguous(memory_format=last)
        assert not result.is_contiguous()


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float16", "complex128"])
def test_other_dtypes(dtype: str):
    x, w = np.abs(whole((1, 2, 5, 5))).astype(dtype), np.abs(whole((2, 2, 2, 2))).astype(dtype)
    if dtype.startswith("complex"):
        x, w = x * (1 + 2j), w * (2 - 1j)
    made = tri.conv2d(tri.tensor(x), tri.tensor(w))
    assert np.array_equal(made.numpy(), convolved(x, w, 1, 0, 1, 1))


def test_what_is_no_convolution():
    x, w = tri.ones(1, 4, 5, 5), tri.ones(2, 4, 3, 3)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((x, w, None, 0), "non-positive stride is not supported"),
        ((x, w, None, 1, -1), "negative padding is not supported"),
        ((x, w, None, (1, 1, 1)), "expected stride to be a single integer value or a list of 2"),
        ((x, tri.ones(2, 3, 3, 3)), "to have 3 channels, but got 4 channels instead"),
        ((x, tri.ones(2, 4, 6, 3)), r"input size per channel: \(5 x 5\). Kernel size: \(6 x 3\)"),
        ((x, w, tri.ones(3)), "expected bias to be 1-dimensional with 2 elements"),
        ((x, w.double()), "weight type .* should be the same"),
    ]
    for arguments, text in cases:
        with pytest.raises(RuntimeError, match=text):
            tri.conv2d(*arguments)


def laid_out(shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return ones of a shape with strides."""
    return tri.ones(64).as_strided(shape, strides)


@pytest.mark.parametrize(
    ("name", "input", "weight", "wanted"),
    [
        # As PyTorch 2.13 gives them: of one dim, the weight may have its channels last.
        ("conv_transpose1d", ((1, 2, 2), (2, 1, 2)), ((2, 2, 1), (2, 1, 2)), (4, 1, 2)),
        ("conv_transpose1d", ((1, 2), (6, 2)), ((1, 1, 1), (8, 2, 4)), (1, 1)),
        ("conv_transpose1d", ((2, 1, 2), (2, 4, 1)), ((1, 1, 2), (2, 1, 1)), (3, 1, 1)),
        ("conv1d", ((1, 1, 2), (1, 1, 1)), ((2, 1, 1), (8, 2, 4)), (4, 2, 1)),
        # Packed, the channels lie both ways.
        ("conv2d", ((1, 1, 2, 1), (2, 2, 1, 2)), ((2, 1, 1, 1), (16, 2, 8, 4)), (4, 2, 1, 1)),
    ],
)
def test_the_format_of_the_weight_counts(name: str, input: Any, weight: Any, wanted: Any):
    operands = laid_out(*input), laid_out(*weight)
    convolve = getattr(tri.nn.functional, name)
    assert convolve(*operands).stride() == wanted
    compiled: Any = tri.compile(convolve)
    assert compiled(*operands).stride() == wanted
