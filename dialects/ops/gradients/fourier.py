"""What are the gradients of Fourier transforms? Transforms in the other direction, as they lie.

A transform is a symmetric matrix, so its adjoint is the conjugate one, with the same scale. Half of
a transform of real numbers stands for both halves: what lies between the first frequency and the
middle one counts twice on the way back, so it is halved there, or doubled.
"""

from __future__ import annotations

from typing import Any

from ...attributes.spec import TensorSpec
from ..frame.gradients import gradient

Ints = tuple[int, ...]


def _of_complex(t: Any, grad: Any, dim: Ints, normalization: int, forward: bool) -> Any:
    return t.call("fft_complex", grad, dim, normalization, not forward)


def _between_times(t: Any, half: Any, dim: int, size: int, factor: float) -> Any:
    """Return half of a transform of `size` points, in which what counts twice has a factor."""
    count = size - half.shape[dim]
    if not count:
        return half
    parts = [half.narrow(dim, 0, 1), half.narrow(dim, 1, count) * factor]
    if size % 2 == 0:
        parts.append(half.narrow(dim, count + 1, 1))
    return t.call("cat", parts, dim)


def _of_real(
    t: Any, grad: Any, input_spec: TensorSpec, dim: Ints, normalization: int, onesided: bool
) -> Any:
    size = input_spec.shape[dim[-1]]
    if not onesided or size == 1:
        # Half of a transform of one point is all of it.
        return t.call("real", t.call("fft_complex", grad, dim, normalization, False))
    half = _between_times(t, grad, dim[-1], size, 0.5)
    return t.call("fft_back", half, dim, normalization, size)


def _of_half(t: Any, grad: Any, dim: Ints, normalization: int) -> Any:
    half = t.call("fft_real", grad, dim, normalization, True)
    return _between_times(t, half, dim[-1], grad.shape[dim[-1]], 2.0)


OF_COMPLEX_TRANSFORM = gradient("FftC2CBackward0", input=_of_complex)
OF_REAL_TRANSFORM = gradient("FftR2CBackward0", input=_of_real)
OF_TRANSFORM_BACK = gradient("FftC2RBackward0", input=_of_half)
