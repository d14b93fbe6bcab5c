"""The floating remainder without a loop, where the quotient is no larger than a mantissa."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, fma, fmod, rarely, select, trunc
from .floating import format_of


def quick_fmod(a: Scalar, b: Scalar) -> Scalar:
    """Return C's fmod, exact: by one division, or by `fmod` where that does not do.

    The rounded quotient, cut to a whole number of at most 2^22 (2^51), is the true one, or one
    more where it was rounded up to it, so that a - q b is the remainder, or a divisor less and near
    zero. Both are floats, so fma is exact. Zeros, infinities, NaN and larger quotients are left to
    `fmod`.

    >>> import numpy as np
    >>> from ....attributes.dtype import float32
    >>> from ..reference import NumpyLanguage
    >>> a = NumpyLanguage().array(np.array([7, -7], np.float32), float32)
    >>> quick_fmod(a, NumpyLanguage().array(np.array([2.5, 2], np.float32), float32)).value
    array([ 2., -1.], dtype=float32)
    """
    size, divisor = abs(a), abs(b)
    most = 2.0 ** (format_of(a).mantissa_bits - 1)
    is_usual = (size < divisor * most) & (divisor < math.inf)
    rest = fma(-trunc(size / divisor), divisor, size)
    rest = select(rest < 0.0, rest + divisor, rest)
    (result,) = rarely(~is_usual, lambda: [fmod(a, b)], copysign(rest, a))
    return result
