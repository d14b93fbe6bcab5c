"""Are Fourier transforms NumPy's, eager, compiled and for any size, in PyTorch's strides?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

RANDOM = np.random.default_rng(1)
REAL = RANDOM.standard_normal((4, 5, 6))
COMPLEX = REAL + 1j * RANDOM.standard_normal((4, 5, 6))

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
MANY = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
OF_REAL = {"rfft", "ihfft", "rfft2", "rfftn"}


def array(value: Any) -> Any:
    return value.resolve_conj().numpy()


@pytest.mark.parametrize("norm", [None, "forward", "ortho", "backward"])
@pytest.mark.parametrize("name", [*ONE, *MANY])
def test_transforms_are_those_of_numpy(name: str, norm: Any):
    given = REAL if name in OF_REAL else COMPLEX
    expected: Any = getattr(np.fft, name)
    transform: Any = getattr(tri.fft, name)
    np.testing.assert_allclose(
        array(transform(tri.tensor(given), norm=norm)), expected(given, norm=norm), atol=1e-12
    )


@pytest.mark.parametrize("n", [1, 3, 5, 8])
@pytest.mark.parametrize("dim", [0, -2, 2])
@pytest.mark.parametrize("name", ONE)
def test_points_are_cut_off_or_filled_up(name: str, dim: int, n: int):
    given = REAL if name in OF_REAL else COMPLEX
    expected: Any = getattr(np.fft, name)(given, n, axis=dim)
    function: Any = getattr(tri.fft, name)
    eager = function(tri.tensor(given), n, dim)
    np.testing.assert_allclose(array(eager), expected, atol=1e-12)
    compiled: Any = tri.compile(lambda x: function(x, n, dim) * 2)(tri.tensor(given))
    np.testing.assert_allclose(array(compiled), expected * 2, atol=1e-12)


def test_one_plan_serves_all_sizes():
    transform: Any = tri.compile(lambda x: tri.fft.rfft(x).abs().sum(0))
    for size in (4, 5, 9, 16):
        x = RANDOM.standard_normal((3, size))
        np.testing.assert_allclose(
            transform(tri.tensor(x)).numpy(), np.abs(np.fft.rfft(x)).sum(0), atol=1e-12
        )
    assert transform.stats().plans <= 3


STRIDES: list[tuple[Callable[[Any], Any], tuple[int, ...]]] = [
    (lambda x: tri.fft.fft(x, dim=0), (1, 24, 4)),
    (lambda x: tri.fft.rfft(x, dim=1), (18, 1, 3)),
    (lambda x: tri.fft.fftn(x, dim=(0, 1)), (5, 1, 20)),
    (lambda x: tri.fft.irfft(x.permute(1, 2, 0), dim=0), (1, 8, 48)),
]


@pytest.mark.parametrize(("function", "strides"), STRIDES)
def test_transformed_dims_are_innermost(function: Any, strides: tuple[int, ...]):
    """As recorded from torch 2.13."""
    assert function(tri.tensor(REAL)).stride() == strides


def test_frequencies_and_shifts():
    for n in (4, 5):
        np.testing.assert_allclose(tri.fft.fftfreq(n, 0.5).numpy(), np.fft.fftfreq(n, 0.5))
        np.testing.assert_allclose(tri.fft.rfftfreq(n, 0.5).numpy(), np.fft.rfftfreq(n, 0.5))
    x = tri.tensor(REAL)
    assert np.array_equal(tri.fft.fftshift(x).numpy(), np.fft.fftshift(REAL))
    assert np.array_equal(tri.fft.ifftshift(x, (0, 2)).numpy(), np.fft.ifftshift(REAL, (0, 2)))


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: tri.fft.rfft(tri.tensor([1j])), RuntimeError, "rfft expects a real input tensor"),
    (lambda: tri.fft.fft(tri.ones(3), 0), RuntimeError, "Invalid number of data points (0)"),
    (lambda: tri.fft.fft(tri.ones(3), norm="x"), RuntimeError, "Invalid normalization mode"),
    (lambda: tri.fft.fft(tri.ones(3).half()), RuntimeError, "Unsupported dtype Half"),
    (lambda: tri.fft.fftn(tri.ones(3, 3), dim=(0, 0)), RuntimeError, "FFT dims must be unique"),
    (lambda: tri.fft.fft(tri.ones(())), IndexError, "Dimension specified as -1 but tensor has no"),
]


@pytest.mark.parametrize(("call", "error", "text"), REFUSED)
def test_refusals(call: Callable[[], Any], error: type[Exception], text: str):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
