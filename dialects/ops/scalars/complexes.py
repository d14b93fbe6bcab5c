"""What do the words of the scalar language mean for complex numbers? Words on their parts.

Sums, products and comparisons follow their definitions, part by part, without any contraction; so
does PyTorch. A quotient is scaled by the larger part of the divisor, which does not overflow where
the result does not. The functions are those of `expansions/complex_registry`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast as assume

from ...attributes.dtype import DType, bool_
from . import scalar
from .expansions.complex_registry import COMPLEX_FUNCTIONS
from .pairs import Pair, join, narrowed, split, widened
from .scalar import Language, Scalar


class ComplexLanguage(Language):
    """Writes words of complex scalars in a language for real ones.

    >>> import numpy as np
    >>> from ...attributes.dtype import float32, complex64
    >>> from .reference import NumpyLanguage
    >>> real = NumpyLanguage().array(np.array([3.0, 0.0], np.float32), float32)
    >>> z = complex_of(real, real + 1.0)
    >>> (z * z).value.imag.value
    array([24.,  0.], dtype=float32)
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Language) -> None:
        """Build on the language of the parts."""
        self.parts = parts

    def constant(self, value: complex, dtype: DType) -> Scalar:
        """Return a constant of two parts; a real number has a zero imaginary part."""
        if not dtype.is_complex:
            return self.parts.constant(assume("float", value), dtype)
        number, part = complex(value), dtype.to_real()
        pair = Pair(self.parts.constant(number.real, part), self.parts.constant(number.imag, part))
        return Scalar(self, pair, dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Write one word."""
        if op == "cast":
            return _cast(arguments[0], dtype)
        word = _WORDS.get(op)
        if word is not None:
            return word(*arguments)
        wide = [widened(argument) for argument in arguments]
        return narrowed(COMPLEX_FUNCTIONS[op](*wide), arguments[0])

    def check(self, bad: Scalar, code: str) -> None:
        """Report a fault; conditions are real."""
        self.parts.check(bad, code)


def complex_of(real: Scalar, imag: Scalar | None = None) -> Scalar:
    """Return a complex scalar of two parts of one floating dtype, or of a real part alone."""
    if imag is None:
        imag = real.language.constant(0.0, real.dtype)
    return Scalar(ComplexLanguage(real.language), Pair(real, imag), real.dtype.to_complex())


def _cast(z: Scalar, dtype: DType) -> Scalar:
    """Cast the parts; a real dtype drops the imaginary one, bool asks whether one is not zero."""
    real, imag = split(z)
    if dtype is bool_:
        return real.ne(0.0) | imag.ne(0.0)
    if not dtype.is_complex:
        return scalar.cast(real, dtype)
    part = dtype.to_real()
    return Scalar(z.language, Pair(scalar.cast(real, part), scalar.cast(imag, part)), dtype)


def _add(a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    return join(a, ar + br, ai + bi)


def _subtract(a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    return join(a, ar - br, ai - bi)


def _multiply(a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    return join(a, ar * br - ai * bi, ar * bi + ai * br)


def _divide(a: Scalar, b: Scalar) -> Scalar:
    """Divide by Smith's method: numerator and divisor are scaled by the larger part."""
    (ar, ai), (br, bi) = split(a), split(b)
    is_wide = abs(br) >= abs(bi)
    large, small = scalar.select(is_wide, br, bi), scalar.select(is_wide, bi, br)
    ratio = small / large
    scale = 1.0 / (large + small * ratio)
    real = scalar.select(is_wide, ar + ai * ratio, ar * ratio + ai) * scale
    imag = scalar.select(is_wide, ai - ar * ratio, ai * ratio - ar) * scale
    is_zero = br.eq(0.0) & bi.eq(0.0)
    return join(
        a,
        scalar.select(is_zero, ar / abs(br), real),
        scalar.select(is_zero, ai / abs(br), imag),
    )


def _negate(z: Scalar) -> Scalar:
    real, imag = split(z)
    return join(z, -real, -imag)


def conjugate(z: Scalar) -> Scalar:
    """Return the conjugate of a complex scalar."""
    return z.language.apply("conj", (z,), z.dtype)


def _conjugate(z: Scalar) -> Scalar:
    real, imag = split(z)
    return join(z, real, -imag)


def _equal(a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    return ar.eq(br) & ai.eq(bi)


def _not_equal(a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    return ar.ne(br) | ai.ne(bi)


def _select(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    (ar, ai), (br, bi) = split(a), split(b)
    real, imag = scalar.select(condition, ar, br), scalar.select(condition, ai, bi)
    return join(a, real, imag)


_WORDS: dict[str, Callable[..., Scalar]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "div": _divide,
    "neg": _negate,
    "eq": _equal,
    "ne": _not_equal,
    "select": _select,
    "conj": _conjugate,
}
