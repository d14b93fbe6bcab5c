"""Gradients of Fourier transforms: differences, at once, compiled and twice."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.func

from .slopes import check, drawn


def parts(value: Any) -> Any:
    """Return real and imaginary parts, side by side in a new dim."""
    return tri.view_as_real(value.resolve_conj())


def complex_of(x: Any) -> Any:
    """Return complex numbers made of real ones."""
    return tri.complex(x, x * x)


TRANSFORMS: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "fft": (lambda x: parts(tri.fft.fft(complex_of(x))), (2, 3)),
    "ifft of a dim": (lambda x: parts(tri.fft.ifft(complex_of(x), 4, 0, "ortho")), (3, 2)),
    "fft of real numbers": (lambda x: parts(tri.fft.fft(x, norm="forward")), (5,)),
    "rfft of even size": (lambda x: parts(tri.fft.rfft(x)), (2, 4)),
    "rfft of odd size": (lambda x: parts(tri.fft.rfft(x, dim=0)), (5, 2)),
    "rfft of one point": (lambda x: parts(tri.fft.rfft(x)), (2, 1)),
    "rfft of two points": (lambda x: parts(tri.fft.rfft(x)), (2, 2)),
    "ihfft": (lambda x: parts(tri.fft.ihfft(x, norm="ortho")), (4,)),
    "irfft": (lambda x: tri.fft.irfft(complex_of(x)), (2, 3)),
    "irfft to odd size": (lambda x: tri.fft.irfft(complex_of(x), 5), (3,)),
    "irfft to one point": (lambda x: tri.fft.irfft(complex_of(x), 1), (2,)),
    "irfft cut off": (lambda x: tri.fft.irfft(complex_of(x), 2), (4,)),
    "hfft": (lambda x: tri.fft.hfft(complex_of(x), 4), (3,)),
    "rfft2": (lambda x: parts(tri.fft.rfft2(x, norm="ortho")), (3, 4)),
    "irfft2": (lambda x: tri.fft.irfft2(complex_of(x), norm="ortho"), (3, 3)),
    "fftn": (lambda x: parts(tri.fft.fftn(x, (2, 2, 3))), (2, 3, 2)),
    "fftshift": (lambda x: tri.fft.fftshift(x), (3,)),
    "stft": (
        lambda x: parts(tri.stft(x, 4, 2, window=tri.hann_window(4), return_complex=True)),
        (8,),
    ),
    "istft": (
        lambda x: tri.istft(
            complex_of(x), 4, 2, window=tri.ones(4, dtype=tri.float64), center=False
        ),
        (3, 3),
    ),
}
COMPILED = ("fft", "rfft of even size", "irfft to odd size", "stft")


@pytest.mark.parametrize("name", TRANSFORMS)
def test_as_differences_say(name: str) -> None:
    function, shape = TRANSFORMS[name]
    check(function, drawn(1, *shape), is_compiled=name in COMPILED)


def test_a_transform_in_a_direction_is_that_of_the_direction() -> None:
    x, v = drawn(1, 2, 5), drawn(2, 2, 5)
    value, moved = trilith.func.jvp(tri.fft.rfft, (tri.tensor(x),), (tri.tensor(v),))
    np.testing.assert_allclose(value.numpy(), np.fft.rfft(x), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(moved.numpy(), np.fft.rfft(v), rtol=1e-12, atol=1e-12)
    _, moved = trilith.func.jvp(tri.fft.irfft, (tri.tensor(x + 0j),), (tri.tensor(v + 1j),))
    np.testing.assert_allclose(moved.numpy(), np.fft.irfft(v + 1j), rtol=1e-12, atol=1e-12)


def test_gradients_of_many_examples_are_those_of_each() -> None:
    def loss(x: Any) -> Any:
        return (tri.fft.rfft(x).abs() ** 3).sum()

    x = tri.tensor(drawn(1, 3, 4))
    together = trilith.func.vmap(trilith.func.grad(loss))(x)
    for number in range(3):
        alone = trilith.func.grad(loss)(x[number])
        np.testing.assert_allclose(together[number].numpy(), alone.numpy(), rtol=1e-12)
