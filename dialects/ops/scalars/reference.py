"""What is the exact result of each word of the scalar language, on NumPy arrays?

`NumpyLanguage` is the reference that kernels are compared with bit for bit: results have exactly
the dtype asked for, never NumPy's promotion; float32 and float64 `fma` round once; no NumPy warning
escapes. The mathematical functions are the arithmetic of `expansions`, as in kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...attributes.dtype import Category, DType, bool_, float32, int32, int64
from .expansions.registry import EXPANSIONS
from .scalar import Language, Scalar

Array: TypeAlias = NDArray[Any]


class NumpyLanguage(Language):
    """Computes words on NumPy arrays; `faults` collects (code, where) from `check_failure`.

    >>> import numpy as np
    >>> from ...attributes.dtype import float32
    >>> x = NumpyLanguage().array(np.array([1.0, 2.0], np.float32), float32)
    >>> (x * x + 0.5).value
    array([1.5, 4.5], dtype=float32)
    """

    __slots__ = ("faults",)

    def __init__(self) -> None:
        """Start without faults."""
        self.faults: list[tuple[str, Array]] = []

    def array(self, values: Array, dtype: DType) -> Scalar:
        """Return an array of the dtype as an operand."""
        assert values.dtype == dtype.numpy, f"{values.dtype} given as {dtype!r}"
        return Scalar(self, np.asarray(values), dtype)

    def constant(self, value: float, dtype: DType) -> Scalar:
        """Return a 0-dim array."""
        if dtype.category is Category.INTEGRAL:
            # NumPy refuses what does not fit; here it wraps, as everywhere in the language.
            bits = np.array(int(value) & ((1 << dtype.bits) - 1), np.uint64)
            return Scalar(self, bits.astype(dtype.numpy), dtype)
        with np.errstate(all="ignore"):
            return Scalar(self, np.array(value, dtype.numpy), dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Compute one word."""
        if op in EXPANSIONS:
            return EXPANSIONS[op](*arguments)
        values = [argument.value for argument in arguments]
        with np.errstate(all="ignore"):
            if op == "cast":
                result = _cast(values[0], arguments[0].dtype, dtype)
            elif op == "bitcast":
                result = values[0].view(dtype.numpy)
            else:
                result = np.asarray(_WORDS[op](*values))
        assert result.dtype == dtype.numpy, f"{op} gave {result.dtype} for {dtype!r}"
        return Scalar(self, result, dtype)

    def check(self, bad: Scalar, code: str) -> None:
        """Note where a fault occurred, if anywhere."""
        if np.any(bad.value):
            self.faults.append((code, bad.value))


def _cast(x: Array, source: DType, dtype: DType) -> Array:
    if dtype is bool_:
        return np.asarray(x != 0)
    if not source.is_floating_point or dtype.is_floating_point:
        return x.astype(dtype.numpy)
    # As cvttss2si and its kin do: what does not fit becomes the smallest value.
    wide = int32 if dtype is int32 else int64
    bound = 2.0 ** (wide.bits - 1)
    whole = np.trunc(x.astype(np.float64))
    inside = (whole >= -bound) & (whole < bound)
    return np.where(inside, whole, -bound).astype(wide.numpy).astype(dtype.numpy)


def _minimum(a: Array, b: Array) -> Array:
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    return np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b))


def _maximum(a: Array, b: Array) -> Array:
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    return np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b))


def _quotient(a: Array, b: Array) -> Array:
    floored = np.floor_divide(a, b)
    rounded_down = (np.fmod(a, b) != 0) & ((a < 0) != (b < 0))
    return floored + rounded_down.astype(a.dtype)


def _fma(a: Array, b: Array, c: Array) -> Array:
    if a.dtype == float32.numpy:
        # The product of two 24-bit significands is exact in float64.
        product = a.astype(np.float64) * b.astype(np.float64)
        return np.asarray(_add_to_odd(product, c.astype(np.float64))).astype(np.float32)
    return _fma_float64(*np.broadcast_arrays(a, b, c))


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the rounded sum and its exact error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _add_to_odd(a: Array, b: Array) -> Array:
    """Return a + b in float64; if it is inexact, the neighbour whose last bit is one.

    Rounding such a value to a format that is two bits or more narrower is the same as rounding
    the exact sum to it (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").
    """
    total, error = _two_sum(a, b)
    is_even = (np.asarray(total).view(np.int64) & 1) == 0
    adjust = np.isfinite(total) & (error != 0) & is_even
    return np.where(adjust, np.nextafter(total, np.copysign(np.inf, error)), total)


def _two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the rounded product and its exact error (Dekker), away from over- and underflow."""
    product = a * b
    a_high, b_high = (x * 134217729.0 - (x * 134217729.0 - x) for x in (a, b))
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _fma_float64(a: Array, b: Array, c: Array) -> Array:
    product, product_error = _two_product(a, b)
    high, low = _two_sum(c, product_error)
    top, rest = _two_sum(product, high)
    result = np.asarray(top + _add_to_odd(low, rest))
    # Within these magnitudes no step above over- or underflows; the others go through fractions.
    magnitudes = [np.abs(x) for x in (a, b, product, c)]
    is_plain = np.ones(np.shape(result), bool)
    for magnitude, may_be_zero in zip(magnitudes, (False, False, False, True), strict=True):
        inside = (magnitude > 2.0**-900) & (magnitude < 2.0**990)
        is_plain &= inside | (may_be_zero & (magnitude == 0))
    is_finite = np.isfinite(a) & np.isfinite(b)
    is_simple = ~is_finite | (a == 0) | (b == 0)
    result = np.where(is_simple, a * b + c, np.where(np.isfinite(c), result, c))
    for index in np.argwhere(~is_plain & ~is_simple & np.isfinite(c)):
        at = tuple(index)
        result[at] = _fma_by_fractions(float(a[at]), float(b[at]), float(c[at]))
    return result


def _fma_by_fractions(a: float, b: float, c: float) -> float:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return 0.0
    try:
        # A tiny exact value may round to zero and must keep its sign.
        return float(np.copysign(float(exact), 1.0 if exact > 0 else -1.0))
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def _ldexp(x: Array, n: Array) -> Array:
    """Take n as integers, which have no NaN."""
    return np.where(np.isnan(n), n, np.ldexp(x, np.nan_to_num(n).astype(np.int32)))


_WORDS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
    "neg": np.negative, "abs": np.abs, "sqrt": np.sqrt,
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "eq": np.equal, "ne": np.not_equal,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "not": np.invert,
    "shl": np.left_shift, "shr": np.right_shift,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round_even": np.rint,
    "copysign": np.copysign, "fmod": np.fmod, "remainder": np.fmod, "quotient": _quotient,
    "minimum": _minimum, "maximum": _maximum, "select": np.where, "fma": _fma,
    "ldexp": _ldexp,
}  # fmt: skip
