"""Products with logarithms, logits and sums of exponentials as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, exp, exp2, fma, log, log1p, maximum, select
from .floating import rounded_once

_LOG2_E = 1.4426950408889634


def _product(x: Scalar, y: Scalar, logarithm: Scalar) -> Scalar:
    """Return x times a logarithm of y: 0 where x is zero, unless y is NaN."""
    result = select(x.eq(0.0), 0.0, x * logarithm)
    return select(y.ne(y), y, result)


@rounded_once
def xlogy(x: Scalar, y: Scalar, is_short: bool) -> Scalar:
    """Return x log(y), and 0 where x is zero and y a number.

    Largest error: float32 0.51, float64 1.60.
    """
    return _product(x, y, log(y))


@rounded_once
def xlog1py(x: Scalar, y: Scalar, is_short: bool) -> Scalar:
    """Return x log(1 + y), and 0 where x is zero and y a number.

    Largest error: float32 0.51, float64 2.00.
    """
    return _product(x, y, log1p(y))


@rounded_once
def entr(x: Scalar, is_short: bool) -> Scalar:
    """Return -x log(x): 0 at zero, -inf below.

    Largest error: float32 0.51, float64 1.60.
    """
    result = select(x.eq(0.0), 0.0, -x * log(x))
    return select(x < 0.0, -math.inf, result)


@rounded_once
def logit(x: Scalar, is_short: bool) -> Scalar:
    """Return log(x / (1 - x)): infinite at 0 and 1, NaN outside.

    About 1/2, where the result is zero, log1p of what the quotient is above 1. Largest error:
    float32 0.51, float64 2.00.
    """
    rest = 1.0 - x
    far = log(x / rest)
    if is_short:
        return select(x.eq(1.0), math.inf, far)
    rest_error = (1.0 - rest) - x
    above = (x - rest) - rest_error
    high = above / rest
    low = (fma(-high, rest, above) - high * rest_error) / rest
    near = log1p(high) + low / (high + 1.0)
    result = select(abs(x - 0.5) < 0.25, near, far)
    return select(x.eq(1.0), math.inf, result)


@rounded_once
def logaddexp(x: Scalar, y: Scalar, is_short: bool) -> Scalar:
    """Return log(e^x + e^y), of equal infinities that infinity.

    The error is one of the larger of the result and the operands: float32 0.51, float64 2.00.
    """
    result = maximum(x, y) + log1p(exp(-abs(x - y)))
    return select(x.eq(y) & abs(x).eq(math.inf), x, result)


@rounded_once
def logaddexp2(x: Scalar, y: Scalar, is_short: bool) -> Scalar:
    """Return log2(2^x + 2^y), of equal infinities that infinity.

    The error is one of the larger of the result and the operands: float32 0.51, float64 2.00.
    """
    result = maximum(x, y) + log1p(exp2(-abs(x - y))) * _LOG2_E
    return select(x.eq(y) & abs(x).eq(math.inf), x, result)
