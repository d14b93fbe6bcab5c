"""Do the functions of images give what their definitions say? Resampling, folds, grids."""

from typing import Any

import numpy as np
import pytest

import trilith as tri

F = tri.nn.functional
#: For calls that are wrong on purpose.
wrong_functions: Any = F
SEED = 3
Array = np.ndarray[Any, np.dtype[Any]]


def image(*shape: int) -> Array:
    return np.random.default_rng(SEED).standard_normal(shape)


@pytest.mark.parametrize("aligns", [True, False])
def test_linear_interpolation_is_that_of_numpy(aligns: bool):
    x = image(2, 3, 7)
    places = np.linspace(0, 6, 12) if aligns else (np.arange(12) + 0.5) * 7 / 12 - 0.5
    expected = np.stack([np.interp(places, np.arange(7), row) for row in x.reshape(6, 7)])
    made = F.interpolate(tri.tensor(x), 12, mode="linear", align_corners=aligns)
    assert np.allclose(made.numpy().reshape(6, 12), expected, rtol=1e-13, atol=1e-13)


def test_bilinear_is_linear_twice():
    x = image(1, 2, 5, 6)
    both = F.interpolate(tri.tensor(x), (9, 4), mode="bilinear")
    rows = F.interpolate(tri.tensor(x.reshape(1, 10, 6)), 4, mode="linear").reshape(1, 2, 5, 4)
    columns = rows.transpose(2, 3).reshape(1, 8, 5)
    expected = F.interpolate(columns, 9, mode="linear").reshape(1, 2, 4, 9).transpose(2, 3)
    assert np.allclose(both.numpy(), expected.numpy(), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_a_constant_stays(mode: str, antialias: bool):
    x = tri.full((1, 1, 9, 7), 3.0, dtype=tri.float64)
    for size in ((4, 3), (3, 30)):
        made = F.interpolate(x, size, mode=mode, antialias=antialias)
        assert np.allclose(made.numpy(), 3.0, rtol=1e-13)
    bytes_of = F.interpolate(x.to(tri.uint8), (4, 20), mode=mode, antialias=antialias)
    assert (bytes_of == 3).all()


def test_cubic_interpolation_halfway():
    """Keys' weights with A = -0.75, half an element from the middle two."""
    x = image(1, 1, 1, 6)
    made = F.interpolate(tri.tensor(x), (1, 11), mode="bicubic", align_corners=True).flatten()
    assert np.allclose(made.numpy()[::2], x.ravel(), rtol=1e-12)
    expected = np.convolve(x.ravel(), [-0.09375, 0.59375, 0.59375, -0.09375], "valid")
    assert np.allclose(made.numpy()[3:8:2], expected, rtol=1e-12)


def test_nearest_takes_elements():
    x = image(1, 1, 4, 5)
    made = F.interpolate(tri.tensor(x), (6, 3)).numpy()
    rows, columns = np.arange(6) * 4 // 6, np.arange(3) * 5 // 3
    assert np.array_equal(made[0, 0], x[0, 0][np.ix_(rows, columns)])
    exact = F.interpolate(tri.tensor(x), (6, 3), mode="nearest-exact").numpy()
    rows = ((np.arange(6) + 0.5) * 4 / 6).astype(int)
    columns = ((np.arange(3) + 0.5) * 5 / 3).astype(int)
    assert np.array_equal(exact[0, 0], x[0, 0][np.ix_(rows, columns)])


@pytest.mark.parametrize("counts", [(3, 4), (9, 2)])
def test_adaptive_pools(counts: tuple[int, int]):
    x = image(2, 3, 7, 6)
    given = tri.tensor(x)
    mean = F.adaptive_avg_pool2d(given, counts).numpy()
    largest, places = F.adaptive_max_pool2d(given, counts, return_indices=True)
    edges = [
        [(i * size // n, -(-(i + 1) * size // n)) for i in range(n)]
        for size, n in zip((7, 6), counts, strict=True)
    ]
    flat = x.reshape(2, 3, 42)
    for row, (top, bottom) in enumerate(edges[0]):
        for column, (left, right) in enumerate(edges[1]):
            window = x[:, :, top:bottom, left:right]
            assert np.allclose(mean[:, :, row, column], window.mean((2, 3)), rtol=1e-13)
            assert np.array_equal(largest[:, :, row, column].numpy(), window.max((2, 3)))
    found = np.take_along_axis(flat, places.numpy().reshape(2, 3, -1), 2)
    assert np.array_equal(found.reshape(largest.shape), largest.numpy())


@pytest.mark.parametrize(
    ("kernel", "dilation", "padding", "stride"),
    [((3, 2), (1, 2), (1, 0), (2, 1)), ((1, 2), 3, 1, 3)],
)
def test_fold_is_the_adjoint_of_unfold(kernel: Any, dilation: Any, padding: Any, stride: Any):
    """<unfold(x), y> = <x, fold(y)>, exactly, for whole numbers."""
    x = tri.tensor(np.random.default_rng(SEED).integers(-5, 6, (2, 3, 7, 8)).astype("float64"))
    columns = F.unfold(x, kernel, dilation, padding, stride)
    y = tri.tensor(np.random.default_rng(1).integers(-5, 6, columns.shape).astype("float64"))
    back = F.fold(y, (7, 8), kernel, dilation, padding, stride)
    assert back.shape == x.shape
    assert float((columns * y).sum()) == float((x * back).sum())


def test_a_transposed_convolution_by_one_element():
    x, w = image(1, 2, 3, 4), image(2, 5, 1, 1)
    made = tri.conv_transpose2d(tri.tensor(x), tri.tensor(w), stride=2, dilation=3).numpy()
    expected = np.zeros((1, 5, 5, 7))
    expected[:, :, ::2, ::2] = np.einsum("ncyx,co->noyx", x, w[:, :, 0, 0])
    assert np.allclose(made, expected, rtol=1e-13)


def test_what_was_pooled_goes_back():
    x = tri.tensor(image(2, 3, 6, 8))
    values, places = F.max_pool2d(x, 2, return_indices=True)
    back = F.max_unpool2d(values, places, 2)
    assert np.array_equal(back.numpy(), np.where(back.numpy() != 0, x.numpy(), 0))
    assert float((back != 0).sum()) == values.numel()


def test_pixels_and_channels():
    x = tri.arange(96).reshape(1, 8, 3, 4)
    wide = tri.pixel_shuffle(x, 2).numpy()
    for row in range(2):
        for column in range(2):
            part = wide[:, :, row::2, column::2]
            assert np.array_equal(part, x.numpy()[:, 2 * row + column :: 4])
    assert np.array_equal(tri.pixel_unshuffle(tri.tensor(wide), 2).numpy(), x.numpy())
    shuffled = tri.channel_shuffle(x, 4)[0, :, 0, 0]
    assert (shuffled // 12).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]


@pytest.mark.parametrize(("mode", "aligns"), [("bilinear", False), ("bicubic", True)])
def test_the_grid_of_the_identity_gives_the_image(mode: str, aligns: bool):
    x = tri.tensor(image(2, 3, 5, 6))
    theta = tri.eye(2, 3, dtype=tri.float64).expand(2, 2, 3)
    grid = F.affine_grid(theta, (2, 3, 5, 6), align_corners=aligns)
    made = F.grid_sample(x, grid, mode=mode, padding_mode="reflection", align_corners=aligns)
    assert np.allclose(made.numpy(), x.numpy(), rtol=1e-9, atol=1e-9)


def test_places_outside_of_the_image():
    x = tri.tensor([[[[1.0, 2.0, 4.0]]]])
    # With aligned corners these are the elements -2, 4 and 3 of 0 to 2.
    grid = tri.tensor([[[[-3.0, 0.0], [3.0, 0.0], [2.0, 0.0]]]])
    for padding, expected in (
        ("zeros", [0.0, 0.0, 0.0]),
        ("border", [1.0, 4.0, 4.0]),
        ("reflection", [4.0, 1.0, 2.0]),
    ):
        made = F.grid_sample(x, grid, mode="nearest", padding_mode=padding, align_corners=True)
        assert made.flatten().tolist() == expected


def test_local_response_norm():
    x = image(1, 4, 3)
    squares = np.pad(x**2, [(0, 0), (1, 1), (0, 0)])
    mean = (squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:]) / 3
    made = F.local_response_norm(tri.tensor(x), 3, alpha=0.5, beta=0.75, k=2.0).numpy()
    assert np.allclose(made, x / (2 + 0.5 * mean) ** 0.75, rtol=1e-12)


def test_a_list_has_a_size_for_each_dim_and_a_number_stands_for_all() -> None:
    image = tri.ones(1, 1, 2, 3)
    assert wrong_functions.interpolate(image, 4).shape == (1, 1, 4, 4)
    assert wrong_functions.interpolate(tri.ones(1, 2, 3), [4]).shape == (1, 2, 4)
    words = "Input and output must have the same number of spatial dimensions, but got input with "
    with pytest.raises(ValueError, match=rf"{words}spatial dimensions of \[2, 3\] .* of \[4\]\."):
        wrong_functions.interpolate(image, [4])
    with pytest.raises(ValueError, match=rf"{words}spatial dimensions of \[\] .* of \(4,\)\."):
        wrong_functions.interpolate(tri.ones(2, 3), (4,))
    words = "Input and scale_factor must have the same number of spatial dimensions, "
    with pytest.raises(ValueError, match=rf"{words}.*\[2, 3\] and scale_factor of shape \[2.0\]"):
        wrong_functions.interpolate(image, scale_factor=[2.0])
    with pytest.raises(NotImplementedError, match="Only 3D, 4D and 5D input Tensors supported"):
        wrong_functions.interpolate(tri.ones(2, 3), 4)


def test_what_cannot_be_unpooled_is_refused() -> None:
    x, places = tri.ones(1, 2, 2), tri.zeros(1, 2, 2, dtype=tri.int64)
    unpool = wrong_functions.max_unpool2d
    with pytest.raises(RuntimeError, match=r"exactly two elements .* but got 1 elements"):
        unpool(x, places, (2,))
    with pytest.raises(IndexError, match="tuple index out of range"):
        unpool(x, places, (2, 2, 2))
    with pytest.raises(IndexError, match="tuple index out of range"):
        unpool(x[0, 0], places[0, 0], 2)
    words = r"max_unpooling: output_size must contain .*, but got output_size\[0\]=-2"
    with pytest.raises(ValueError, match=words):
        unpool(x, places, 2, padding=3)
    words = r"max_unpooling2d_forward_out_cpu\(\): .* got \[1, 0, 2\] with dimension 1 being empty"
    with pytest.raises(RuntimeError, match=words):
        unpool(x[:, :0], places[:, :0], 2)
    with pytest.raises(RuntimeError, match=r"greater than zero, but got stride: \[0, 0, 0\]"):
        wrong_functions.max_unpool3d(x[None], places[None], 2, stride=0)
    assert unpool(x[:0], places[:0], 2).shape == (0, 4, 4)


def test_which_margins_are_refused():
    x, y = tri.ones(2, 3, 4), tri.ones(2, 3, 4, 5)
    size = "Padding size should be less than the corresponding input dimension, but got: padding"
    cases: list[tuple[Any, tuple[int, ...], str]] = [
        (x, (3, 3, 3, 3), rf"#6: {size} \(3, 3\) at dimension 1 of input \[2, 3, 4\]"),
        (x, (4, 1, 1, 1), rf"#4: {size} \(4, 1\) at dimension 2 of input \[2, 3, 4\]"),
        (y, (1, 1, 1, 1, 3, 3), rf"#8: {size} \(3, 3\) at dimension 1 of input \[2, 3, 4, 5\]"),
        (x, (1,), "Padding length must be divisible by 2"),
        (x, (1,) * 8, "padding length 8 and input of dimension 3"),
    ]
    for given, pad, text in cases:
        with pytest.raises(RuntimeError, match=text):
            F.pad(given, pad, "reflect")
    for pad in ((1,), (1, 1), (1,) * 8):
        with pytest.raises(NotImplementedError, match="Unrecognised padding mode bad"):
            F.pad(x, pad, "bad")


def test_which_elements_are_not_moved():
    x = tri.ones(1, 4, 2, 2)
    for dtype, name in ((tri.uint16, "UInt16"), (tri.uint64, "UInt64"), (tri.bool, "Bool")):
        for mode, kernel in (("reflect", "reflection"), ("replicate", "replication")):
            with pytest.raises(NotImplementedError, match=f"\"{kernel}_pad2d\" .* for '{name}'"):
                F.pad(x.to(dtype), (1, 1, 1, 1), mode)
        assert F.pad(x.to(dtype), (1, 1, 1, 1), "circular").shape == (1, 4, 4, 4)
    for name in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"):
        with pytest.raises(NotImplementedError, match=f"\"{name}\" not implemented for 'UInt16'"):
            getattr(F, name)(x.to(tri.uint16), 2)
