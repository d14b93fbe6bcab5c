"""How are discrete Fourier transforms computed? By NumPy's, which are pocketfft's."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from .bodies import Array, Arrays, rows_along

_Norm: TypeAlias = Literal["backward", "ortho", "forward"]

#: What NumPy calls a scale of a transform, by whether it is forward, and the scale: none, one over
#: the root of the number of points, one over that number.
_NORMS: dict[bool, tuple[_Norm, _Norm, _Norm]] = {
    True: ("backward", "ortho", "forward"),
    False: ("forward", "ortho", "backward"),
}


def complex_to_complex(
    operands: Arrays, results: Arrays, *, dim: tuple[int, ...], normalization: int, forward: bool
) -> None:
    """Fill the transform of complex numbers over dims."""
    transform = np.fft.fftn if forward else np.fft.ifftn
    results[0][...] = transform(operands[0], axes=dim, norm=_NORMS[forward][normalization])


def real_to_complex(
    operands: Arrays, results: Arrays, *, dim: tuple[int, ...], normalization: int, onesided: bool
) -> None:
    """Fill the transform of real numbers; if it is one-sided, half of it along the last dim.

    The other half is made of that: it is at the opposite place, and conjugate.
    """
    half = np.fft.rfftn(operands[0], axes=dim, norm=_NORMS[True][normalization])
    if onesided:
        results[0][...] = half
        return
    whole = results[0]
    if len(dim) == 1:
        whole, half = rows_along(whole, dim[0]), rows_along(half, dim[0])
    else:
        whole, half = (np.moveaxis(each, dim, range(-len(dim), 0)) for each in (whole, half))
    known, size = half.shape[-1], whole.shape[-1]
    whole[..., :known] = half
    rest = half[..., size - known : 0 : -1]
    for axis in range(-len(dim), -1):
        # Place k goes to place -k: 0 stays, the others turn round.
        rest = np.roll(np.flip(rest, axis), 1, axis)
    np.conjugate(rest, out=whole[..., known:])


def complex_to_real(
    operands: Arrays,
    results: Arrays,
    *,
    dim: tuple[int, ...],
    normalization: int,
    last_dim_size: int,
) -> None:
    """Fill the inverse of a one-sided transform, whose last dim gets its size back."""
    elements: Array = operands[0]
    norm = _NORMS[False][normalization]
    *others, last = dim
    if others:
        elements = np.fft.ifftn(elements, axes=others, norm=norm)
    results[0][...] = np.fft.irfft(elements, last_dim_size, axis=last, norm=norm)
