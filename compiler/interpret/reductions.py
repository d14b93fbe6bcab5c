"""What do reductions and sums of products come to, within an error that is far below theirs?

Integers and bool are exact (they wrap); floats are reduced in float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.ops.frame.opspec import ReductionOp
from ...dialects.ops.frame.reduction_fields import JointReduction
from ...dialects.ops.frame.row import Attributes
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.pairs import join, split
from ...dialects.ops.scalars.reference import NumpyLanguage
from ...dialects.ops.scalars.scalar import Scalar, cast
from .elements import convert_array, narrow, widen
from .payload import Array


def _extreme(ufunc: Any, wins: bool) -> Callable[[Array], Array]:
    """Return a reduction to the largest or smallest; NaN beats all, and -0 is less than +0."""

    def run(values: Array) -> Array:
        total = np.asarray(ufunc.reduce(values, axis=-1))
        if values.dtype.kind != "f":
            return total
        # Which zero it is: the largest is -0 only if all zeros are, the smallest if one is.
        zeros = values == 0
        negative = zeros & np.signbit(values)
        is_negative = (negative == zeros).all(-1) if wins else negative.any(-1)
        return np.where(total == 0, np.where(is_negative, -0.0, 0.0), total)

    return run


_REDUCTIONS: dict[str, Callable[[Array], Any]] = {
    "add": lambda values: np.add.reduce(values, axis=-1, dtype=values.dtype),
    "mul": lambda values: np.multiply.reduce(values, axis=-1, dtype=values.dtype),
    "maximum": _extreme(np.maximum, wins=True),
    "minimum": _extreme(np.minimum, wins=False),
    "and": lambda values: np.bitwise_and.reduce(values, axis=-1),
    "or": lambda values: np.bitwise_or.reduce(values, axis=-1),
    "xor": lambda values: np.bitwise_xor.reduce(values, axis=-1),
}


def _at(values: Array, places: Any) -> tuple[Array, Array]:
    """Return the elements at places along the last axis, and the places."""
    indices = np.asarray(places)
    return np.take_along_axis(values, indices[..., None], -1)[..., 0], indices


def _var_mean(values: Array, attributes: Attributes) -> tuple[Array, Array]:
    """Return the variance and the mean, from two looks at the elements."""
    count: int = values.shape[-1]
    correction: Any = attributes["correction"]
    wide = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    mean = np.asarray(wide.sum(-1) / np.float64(count))
    steps = wide - mean[..., None]
    freedom = np.float64(max(count - correction, 0))
    parts = [steps.real, steps.imag] if wide.dtype.kind == "c" else [steps]
    variances: Any = [(part**2).sum(-1) / freedom for part in parts]
    return np.asarray(sum(variances)), mean


def _std_mean(values: Array, attributes: Attributes) -> tuple[Array, Array]:
    """Return the standard deviation and the mean."""
    variance, mean = _var_mean(values, attributes)
    return np.asarray(np.sqrt(variance)), mean


#: Reductions to several values at once: elements along the last axis -> the results. Of equals the
#: first counts, and the first NaN, as in PyTorch. Said otherwise than in the rows, so that kernels
#: are compared with something else; a row that is not here is computed as it says itself.
_JOINT: dict[str, Callable[[Array, Attributes], tuple[Array, ...]]] = {
    "argmax": lambda values, _: (np.asarray(np.argmax(values, axis=-1)),),
    "argmin": lambda values, _: (np.asarray(np.argmin(values, axis=-1)),),
    "max": lambda values, _: _at(values, np.argmax(values, axis=-1)),
    "min": lambda values, _: _at(values, np.argmin(values, axis=-1)),
    "aminmax": lambda values, _: (
        np.asarray(_extreme(np.minimum, wins=False)(values)),
        np.asarray(_extreme(np.maximum, wins=True)(values)),
    ),
    "var_mean": _var_mean,
    "var": lambda values, attributes: _var_mean(values, attributes)[:1],
    "std_mean": _std_mean,
    "std": lambda values, attributes: _std_mean(values, attributes)[:1],
}


def reduce(
    row: ReductionOp,
    elements: Array,
    dtype: DType,
    results: Sequence[DType],
    attributes: Attributes,
) -> list[Array]:
    """Reduce elements of a dtype over dims; the shape is that of the other dims.

    `attributes` are those that the row has resolved, with the dims among them.

    >>> from ...dialects.ops.table import TABLE
    >>> row = TABLE["sum"]
    >>> assert isinstance(row, ReductionOp)
    >>> elements, dtype = np.ones((2, 3), np.float32), dtypes.float32
    >>> reduce(row, elements, dtype, [dtype], {"dim": (1,)})
    [array([3., 3.], dtype=float32)]
    """
    language = NumpyLanguage()
    dims: Any = attributes["dim"]
    kept = [dim for dim in range(elements.ndim) if dim not in dims]
    shape = tuple(elements.shape[dim] for dim in kept)
    count = prod(elements.shape[dim] for dim in dims)
    rows = elements.transpose([*kept, *dims]).reshape((*shape, count))
    value = widen(language, rows, dtype)
    if row.joint is not None and row.combine in _JOINT:
        return _reduce_jointly(row, value, results, attributes)
    if row.joint is not None:
        return _reduce_as_said(row.joint, value, rows.shape, results, attributes)
    (result,) = results
    if value.dtype.is_floating_point:
        value = cast(value, dtypes.float64)
    if row.prepare is not None:
        value = row.prepare(value)
    if value.dtype.is_complex:
        return [narrow(_reduce_complex(row, cast(value, dtypes.complex128), count), result)]
    with np.errstate(all="ignore"):
        total = np.asarray(_REDUCTIONS[row.combine](value.value))
    final = language.array(total, value.dtype)
    if row.finish is not None:
        final = row.finish(final, language.constant(count, value.dtype))
    return [narrow(final, result)]


def _reduce_jointly(
    row: ReductionOp, value: Scalar, results: Sequence[DType], attributes: Attributes
) -> list[Array]:
    """Reduce to several values at once along the last axis."""
    with np.errstate(all="ignore"):
        totals = _JOINT[row.combine](narrow(value, value.dtype), attributes)
    return [
        convert_array(total, dtypes.from_numpy(total.dtype), result)
        for total, result in zip(totals, results, strict=True)
    ]


def _reduce_as_said(
    joint: JointReduction,
    value: Scalar,
    shape: Sequence[int],
    results: Sequence[DType],
    attributes: Attributes,
) -> list[Array]:
    """Reduce along the last axis with the functions of a row; neighbours are merged, in order."""
    language = NumpyLanguage()
    count = shape[-1]
    number = language.array(np.arange(count), dtypes.int64)
    with np.errstate(all="ignore"):
        given = [value, number] if joint.is_indexed else [value]
        pivots: list[Scalar] = []
        if joint.pivot is not None:
            pivot = joint.pivot(_first(value, shape), partial(_mean, value))
            given.append(pivot)
            pivots.append(_each(pivot, lambda part: _part(part, 0)))
        entered = joint.enter(*given)
        total = tuple(
            _after(start, part, shape)
            for start, part in zip(joint.start(value.dtype), entered, strict=True)
        )
        while (left := total[0].value.shape[-1]) > 1:
            merged = joint.merge(_every_other(total, 0, left), _every_other(total, 1, left))
            rest = tuple(_part(old, slice(left - left % 2, left)) for old in total)
            total = tuple(_joined(pair) for pair in zip(merged, rest, strict=True))
        whole = tuple(_part(part, 0) for part in total)
        number_of = partial(language.constant, count)
        final = joint.finish(whole, number_of, *pivots, **attributes)
    return [narrow(part, result) for part, result in zip(final, results, strict=True)]


def _each(value: Scalar, function: Callable[[Scalar], Scalar]) -> Scalar:
    """Apply a function to a real value, or to both parts of a complex one."""
    return join(value, *map(function, split(value))) if value.dtype.is_complex else function(value)


def _first(value: Scalar, shape: Sequence[int]) -> Scalar:
    """Return the first elements along the last axis, which stays; 0 where there is none."""
    if shape[-1]:
        return _each(value, lambda part: _part(part, slice(0, 1)))
    return _each(
        value,
        lambda part: NumpyLanguage().array(
            np.zeros((*shape[:-1], 1), part.value.dtype), part.dtype
        ),
    )


def _mean(value: Scalar) -> Scalar:
    """Return means along the last axis, which stays."""

    def mean(part: Scalar) -> Scalar:
        total = part.value.sum(-1, keepdims=True, dtype=part.value.dtype)
        found = total / part.value.dtype.type(part.value.shape[-1])
        return NumpyLanguage().array(found, part.dtype)

    return _each(value, mean)


def _after(start: float, part: Scalar, shape: Sequence[int]) -> Scalar:
    """Return what elements enter as behind what an accumulator starts from, along the last axis."""
    first = np.full((*shape[:-1], 1), start, part.value.dtype)
    rest = np.broadcast_to(part.value, shape)
    return NumpyLanguage().array(np.concatenate([first, rest], -1), part.dtype)


def _every_other(parts: Sequence[Scalar], first: int, count: int) -> tuple[Scalar, ...]:
    """Return the first, or the second, of all pairs of neighbours."""
    return tuple(_part(part, slice(first, count - count % 2, 2)) for part in parts)


def _part(value: Scalar, which: int | slice) -> Scalar:
    """Return a part along the last axis."""
    return NumpyLanguage().array(value.value[..., which], value.dtype)


def _joined(pair: tuple[Scalar, Scalar]) -> Scalar:
    """Return two parts as one, along the last axis."""
    values = [part.value for part in pair]
    return NumpyLanguage().array(np.concatenate(values, -1), pair[0].dtype)


def _reduce_complex(row: ReductionOp, value: Scalar, count: int) -> Scalar:
    """Reduce complex128 elements along the last axis."""
    language = NumpyLanguage()
    with np.errstate(all="ignore"):
        total = np.asarray(_REDUCTIONS[row.combine](narrow(value, dtypes.complex128)))
    parts = [
        language.array(np.asarray(part), dtypes.float64)
        for part in (np.real(total), np.imag(total))
    ]
    final = complex_of(*parts)
    if row.finish is None:
        return final
    return row.finish(final, language.constant(count, dtypes.float64))


def contract(left: Array, right: Array, dtype: DType) -> Array:
    """Return the matrix product, with the rules of matmul for 1-D operands and batches.

    >>> contract(np.ones((1, 2), np.int8), np.full(2, 100, np.int8), dtypes.int8)
    array([-56], dtype=int8)
    """
    language = NumpyLanguage()
    if dtype.is_complex:
        wide = np.complex128
        with np.errstate(all="ignore"):
            product = np.matmul(left.astype(wide), right.astype(wide))
            return np.asarray(product.astype(dtype.numpy))
    wide = dtypes.float64 if dtype.is_floating_point else dtypes.int64
    factors = [cast(widen(language, values, dtype), wide).value for values in (left, right)]
    with np.errstate(all="ignore"):
        product = np.asarray(np.matmul(*factors))
    return narrow(language.array(product, wide), dtype)
