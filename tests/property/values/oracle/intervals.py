"""Between which bounds must a result lie? Interval arithmetic in float64 on the test's side.

Floats are intervals [low, high] in float64: a correctly rounded operation keeps points points, so
the bounds of most results are one number; others are widened by the error that the operation may
make. Integers and truth values are known or not. NaN is a point of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ..program import NUMPY_TYPES
from .semantics import FLOATS

Array = NDArray[Any]

#: Errors of NumPy's and the C library's own float64 functions, in units in the last place.
ORACLE_ULP = 4.0
_LIMITS: dict[str, Any] = {name: ml_dtypes.finfo(NUMPY_TYPES[name]) for name in FLOATS}
LARGEST = {name: float(limits.max) for name, limits in _LIMITS.items()}
#: Half the distance from 1 to the next number, of the dtype that arithmetic is done in.
ROUNDOFF = {"float16": 2.0**-24, "bfloat16": 2.0**-24, "float32": 2.0**-24, "float64": 2.0**-53}
#: Below this a product may lose digits.
NORMAL = {"float16": 2.0**-126, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1022}


class Bounds(NamedTuple):
    """Bounds of each element, and whether they are known. low is high for integers and bool."""

    low: Array
    high: Array
    known: Array

    def map(self, function: Callable[[Array], Array]) -> Bounds:
        """Apply what moves elements, such as a view, to all three arrays."""
        return Bounds(function(self.low), function(self.high), function(self.known))

    @property
    def is_point(self) -> Array:
        """Where there is one possible value; NaN and each of the two zeros is one."""
        same = (self.low == self.high) & (np.signbit(self.low) == np.signbit(self.high))
        return self.known & (same | (np.isnan(self.low) & np.isnan(self.high)))


def exactly(values: Array) -> Bounds:
    """Return points."""
    return Bounds(values, values, np.ones(values.shape, bool))


def unknown(shape: tuple[int, ...], dtype: str) -> Bounds:
    """Return bounds that say nothing."""
    nothing = np.zeros(shape, storage_type(dtype))
    return Bounds(nothing, nothing, np.zeros(shape, bool))


def storage_type(dtype: str) -> Any:
    """Return the NumPy type that holds bounds of a dtype."""
    return np.bool_ if dtype == "bool" else np.float64 if dtype in FLOATS else np.int64


def wrap(values: Array, dtype: str) -> Array:
    """Return integers modulo the width of a dtype, as int64."""
    return values.astype(NUMPY_TYPES[dtype]).astype(np.int64)


def round_to(values: Array, dtype: str) -> Array:
    """Round float64 to a dtype; to the 16-bit floats by way of float32."""
    if dtype == "float64":
        return values
    single = values.astype(np.float32)
    return single.astype(NUMPY_TYPES[dtype]).astype(np.float64)


def spacing(values: Array, dtype: str) -> Array:
    """Return the unit in the last place of the dtype that arithmetic on a dtype is done in."""
    kind = np.float64 if dtype == "float64" else np.float32
    units = np.spacing(np.abs(values).astype(kind)).astype(np.float64)
    return np.where(np.isfinite(units), units, 0.0)


def rounded(low: Array, high: Array, known: Array, dtype: str, ulp: Array | float = 0.0) -> Bounds:
    """Return the bounds of a result whose exact value lies between low and high.

    The library may be `ulp` units away from the exact value; 0 means correctly rounded.
    """
    if np.any(ulp):
        allowed = ulp + ORACLE_ULP if dtype == "float64" else ulp + 0.001
        low = low - allowed * spacing(low, dtype)
        high = high + allowed * spacing(high, dtype)
    return settled(round_to(low, dtype), round_to(high, dtype), known)


def settled(low: Array, high: Array, known: Array) -> Bounds:
    """Give up bounds that are not finite, unless they are one value; zeros cover both signs."""
    low, high = np.asarray(low), np.asarray(high)
    both_nan = np.isnan(low) & np.isnan(high)
    one = both_nan | ((low == high) & (np.signbit(low) == np.signbit(high)))
    known = known & (one | (np.isfinite(low) & np.isfinite(high)))
    low = np.where(~one & (low == 0), -0.0, low)
    high = np.where(~one & (high == 0), 0.0, high)
    return Bounds(low, high, known)


def monotone(
    function: Callable[..., Array], operands: Sequence[Bounds], dtype: str, ulp: float = 0.0
) -> Bounds:
    """Return the bounds of a function that is monotone in each operand over the bounds.

    It is evaluated at all corners; a NaN at one of several corners makes the result unknown.
    """
    known = conjunction([operand.known for operand in operands])
    corners = [function(*(operand.low for operand in operands))]
    if not all(bool(np.all(operand.is_point)) for operand in operands):
        for number in range(1, 1 << len(operands)):
            chosen = [b.high if number >> k & 1 else b.low for k, b in enumerate(operands)]
            corners.append(function(*chosen))
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    any_nan, all_nan = np.isnan(low), np.isnan(corners).all(0)
    points = conjunction([operand.is_point for operand in operands])
    # minimum and maximum do not tell the zeros apart; settled() does for what is no point.
    zero = (low == 0) & (high == 0) & ~points
    low, high = np.where(zero, -0.0, low), np.where(zero, 0.0, high)
    return rounded(low, high, known & ~(any_nan & ~(points & all_nan)), dtype, ulp)


def lipschitz(
    function: Callable[[Array], Array],
    operand: Bounds,
    slope: float,
    dtype: str,
    ulp: Array | float,
) -> Bounds:
    """Return the bounds of a function whose slope is bounded."""
    middle = np.where(operand.is_point, operand.low, operand.low / 2 + operand.high / 2)
    # Between neighbours there is no middle: it is one of them.
    reach = np.fmax(operand.high - middle, middle - operand.low) * 1.02 * slope
    reach = np.where(operand.is_point, 0.0, reach)
    value = function(middle)
    known = operand.known & (operand.is_point | ~np.isnan(value))
    return rounded(value - reach, value + reach, known, dtype, ulp)


def conjunction(masks: Sequence[Array]) -> Array:
    """Return where all masks hold, broadcast."""
    return reduce(np.logical_and, masks)


# ---- reductions and scans along the last axis


class Along(NamedTuple):
    """What becomes of a last axis: one value, or one for each beginning of it."""

    add: Callable[[Array], Array]
    every: Callable[[Array], Array]


def counted(terms: Bounds) -> Array:
    """Return how many terms each beginning of the last axis has: 1, 2, 3, ..."""
    return np.asarray(range(1, terms.low.shape[-1] + 1), np.int64)


def _sum(terms: Array) -> Array:
    return terms.sum(-1)


def _sums(terms: Array) -> Array:
    return np.asarray(np.cumsum(terms, -1))


def _every(flags: Array) -> Array:
    return np.asarray(flags.all(-1))


def _every_so_far(flags: Array) -> Array:
    return np.logical_and.accumulate(flags, axis=-1)


WHOLE, RUNNING = Along(_sum, _every), Along(_sums, _every_so_far)


def total(
    terms: Bounds, dtype: str, count_of_roundings: Array | int, along: Along = WHOLE
) -> Bounds:
    """Return the bounds of sums along the last axis, before the result is rounded to the dtype.

    In any order of n additions the error is at most n u / (1 - n u) times the sum of magnitudes
    (Higham, "Accuracy and stability of numerical algorithms", 4.2).
    """
    known = along.every(terms.known)
    low, high = along.add(terms.low), along.add(terms.high)
    size = along.add(np.maximum(np.abs(terms.low), np.abs(terms.high)))
    # Elements that are whole numbers add exactly, in any order, while they stay small.
    whole = terms.is_point & (terms.low == np.floor(terms.low))
    unit = ROUNDOFF[dtype]
    exact = along.every(whole) & (size <= 1 / unit)
    relative = (count_of_roundings + 1) * (unit + 2.0**-53) * 1.01
    tiny = (count_of_roundings + 1) * (2.0**-1074 if dtype == "float64" else 2.0**-149)
    slack = np.where(exact, 0.0, relative * size + tiny)
    if not terms.low.shape[-1]:
        return Bounds(low, high, known)
    # Finite terms must not overflow on the way, whatever their order.
    limit = LARGEST["float64" if dtype == "float64" else "float32"]
    finite_size = along.add(np.where(np.isfinite(terms.low), np.abs(terms.low), 0.0))
    finite = np.isfinite(size) & (size < limit)
    has_special = ~along.every(np.isfinite(terms.low))
    special = along.every(terms.is_point) & (finite_size < limit) & has_special
    low = np.where(special, low, low - slack)
    high = np.where(special, low, high + slack)
    zero = finite & (low == 0) & (high == 0)
    low, high = np.where(zero, -0.0, low), np.where(zero, 0.0, high)
    return Bounds(low, high, known & (finite | special))


def product(terms: Bounds, dtype: str, along: Along = WHOLE) -> Bounds:
    """Return the bounds of products along the last axis, before the result is rounded."""
    count = terms.low.shape[-1]
    if along is RUNNING and not count:
        return terms
    low: Array = np.ones(terms.low.shape[:-1])
    high: Array = low.copy()
    largest, smallest = low.copy(), low.copy()
    states: list[tuple[Array, Array, Array, Array]] = []
    for place in range(count):
        a, b = terms.low[..., place], terms.high[..., place]
        corners = [low * a, low * b, high * a, high * b]
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
        size = np.maximum(np.abs(a), np.abs(b))
        largest = largest * np.maximum(size, 1.0)
        smallest = smallest * np.where(size == 0, 1.0, np.minimum(np.minimum(abs(a), abs(b)), 1.0))
        states.append((low, high, largest, smallest))
    counts: Array | int = count
    if along is RUNNING:
        low, high, largest, smallest = (np.stack(part, -1) for part in zip(*states, strict=True))
        counts = counted(terms)
    points = along.every(terms.is_point)
    whole = points & along.every(terms.low == np.floor(terms.low))
    exact = whole & (largest <= 1 / ROUNDOFF[dtype])
    slack = np.where(exact, 0.0, (counts + 1) * (ROUNDOFF[dtype] + 2.0**-53) * 1.01)
    limit = LARGEST["float64" if dtype == "float64" else "float32"]
    usual = (largest < limit) & ((smallest > NORMAL[dtype]) | exact)
    has_nan = points & ~along.every(~np.isnan(terms.low))
    known = along.every(terms.known) & (usual | has_nan)
    low, high = low - np.abs(low) * slack, high + np.abs(high) * slack
    zero = (low == 0) & (high == 0) & (count > 0)
    return Bounds(np.where(zero, -0.0, low), np.where(zero, 0.0, high), known)
