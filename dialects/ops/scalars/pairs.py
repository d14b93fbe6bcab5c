"""How is a complex scalar held? As two real scalars, its parts.

A `Scalar` of a complex dtype has a value with the attributes `real` and `imag`, and a language
(`complexes.ComplexLanguage`) that writes each word in the words of the parts.
"""

from __future__ import annotations

from typing import Protocol

from ...attributes.dtype import complex64, complex128
from ...records import record
from .scalar import Scalar, cast


class Parts(Protocol):
    """The value of a complex scalar; the parts may be made when they are first asked for."""

    @property
    def real(self) -> Scalar:
        """The real part."""
        ...

    @property
    def imag(self) -> Scalar:
        """The imaginary part."""
        ...


@record
class Pair:
    """Two parts that are there already."""

    real: Scalar
    imag: Scalar


def split(z: Scalar) -> tuple[Scalar, Scalar]:
    """Return the real and the imaginary part of a complex scalar."""
    parts: Parts = z.value
    return parts.real, parts.imag


def join(like: Scalar, real: Scalar, imag: Scalar) -> Scalar:
    """Return a complex scalar of the same dtype as another."""
    assert real.dtype is imag.dtype is like.dtype.to_real(), f"{real!r} and {imag!r}"
    return Scalar(like.language, Pair(real, imag), like.dtype)


def widened(z: Scalar) -> Scalar:
    """Return a complex64 as a complex128; every step on it is then accurate beyond need."""
    return cast(z, complex128) if z.dtype is complex64 else z


def narrowed(result: Scalar, like: Scalar) -> Scalar:
    """Return what was computed on a widened scalar, rounded to the precision of another."""
    return cast(result, like.dtype if result.dtype.is_complex else like.dtype.to_real())
