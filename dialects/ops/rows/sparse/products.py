"""Which products of sparse tensors are elementwise? mul, div, pow: no place is added.

A product has the places that both operands specify; what a dense operand holds counts at the places
of the sparse one alone.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ....attributes.broadcast import broadcast_shapes
from ....attributes.promotion import can_cast
from ....attributes.spec import ScalarSpec, TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ....records import replace
from ...frame.gradients import UNKNOWN
from ...frame.sparse_forms import Ints, Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_PRODUCT
from ...gradients.sparse_functions import OF_POWER, OF_QUOTIENT, OF_TRUE_QUOTIENT
from .entries import (
    are_places_shared,
    coalesced,
    count,
    integers,
    keys,
    keys_of,
    lookup,
    other_values,
    picked,
    rows_of,
    sparse_dim,
    taken_apart,
    values_of,
    where,
    with_values,
)

# ---- mul


def intersection(t: SparseLanguage, first: Parts, second: Parts) -> Parts:
    """Return the products at the places that both specify."""
    dims = sparse_dim(t, first)
    if (dims, first.shape[:dims], len(first.shape)) != (
        sparse_dim(t, second),
        second.shape[:dims],
        len(second.shape),
    ):
        raise TrilithRuntimeError(
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, "
            "number of sparse dimensions, and shape of sparse dimensions"
        )
    if are_places_shared(first, second):
        values = t.call("mul", first.values, second.values)
        return replace(
            first, values=values, shape=(*first.shape[:dims], *tensor_of(t, values).shape[1:])
        )
    is_coalesced = first.is_coalesced and second.is_coalesced
    one, other = coalesced(t, first), coalesced(t, second)
    which, partners = _pairs(t, one, other)
    left = picked(t, one, which)
    values = t.call("mul", left.values, t.call("index_select", other.values, 0, partners))
    shape = (*first.shape[:dims], *tensor_of(t, values).shape[1:])
    return Parts(left.indices, values, shape, is_coalesced)


def _pairs(t: SparseLanguage, one: Parts, other: Parts) -> tuple[Any, Any]:
    """Return the entries of one at whose places the other has one, too, and which those are.

    Both have their keys in order, which are merged: equal ones come to lie side by side.
    """
    own = count(t, one)
    ordered, order = t.call("sort", t.call("cat", (keys_of(t, one), keys_of(t, other))))
    last = max(own + count(t, other) - 1, 0)
    later = t.call("narrow", ordered, 0, min(1, last), last)
    found = where(t, t.call("eq", t.call("narrow", ordered, 0, 0, last), later))
    which = t.call("index_select", order, 0, found)
    partners = t.call("index_select", order, 0, t.call("add", found, 1))
    return which, t.call("sub", partners, own)


def at_places(t: SparseLanguage, dense: Any, parts: Parts) -> Any:
    """Return what a dense tensor of the same shape has at the places of entries."""
    rows = rows_of(t, parts)
    if not rows:
        return t.call("unsqueeze", dense, 0)
    if not count(t, parts):
        spec, shape = tensor_of(t, dense), (0, *parts.shape[len(rows) :])
        return t.call("empty", shape, dtype=spec.dtype, device=spec.device)
    return t.call("take_at", dense, rows, tuple(range(len(rows))), wrap=False)


def _expanded(t: SparseLanguage, parts: Parts, shape: Ints) -> Parts:
    """Return the entries of a sparse tensor that is broadcast: one for each place."""
    dims, new = sparse_dim(t, parts), len(shape) - len(parts.shape)
    old = (1,) * new + parts.shape[:dims]
    wanted = shape[: new + dims]
    if old == wanted and not new:
        return parts
    whole = coalesced(t, parts)
    device = values_of(t, parts).device
    grid = np.indices([size if was == 1 else 1 for was, size in zip(old, wanted, strict=True)])
    repeats, total = prod(grid.shape[1:]), count(t, whole)
    shifts = t.call("unsqueeze", integers(t, grid.reshape(len(old), repeats), device), 2)
    zeros = integers(t, np.zeros((new, total), np.int64), device)
    places = t.call("unsqueeze", t.call("cat", (zeros, whole.indices), 0), 1)
    indices = t.call("reshape", t.call("add", places, shifts), (len(old), repeats * total))
    numbers = integers(t, np.tile(np.arange(total), repeats), device)
    values = t.call("index_select", whole.values, 0, numbers)
    ordered = t.call("sort", keys(t, indices, wanted))[1]
    made = Parts(indices, values, (*wanted, *parts.shape[dims:]), True)
    return picked(t, made, ordered)


def _with_dense(t: SparseLanguage, parts: Parts, other: Any) -> Any:
    spec = t.spec(other)
    if isinstance(spec, ScalarSpec) or not spec.rank:
        return with_values(t, parts, t.call("mul", parts.values, other))
    shape = broadcast_shapes(spec.shape, parts.shape)
    whole = _expanded(t, parts, shape)
    found = at_places(t, t.call("expand", other, shape), replace(whole, shape=shape))
    return with_values(t, whole, t.call("mul", whole.values, found))


def _product(t: SparseLanguage, input: Any, other: Any) -> Any:
    first, second = t.parts(input), t.parts(other)
    if first is not None and second is not None:
        return t.sparse(intersection(t, first, second))
    if first is not None:
        return _with_dense(t, first, other)
    assert second is not None
    return _with_dense(t, second, input)


def _write_product(t: SparseLanguage, input: Any, other: Any) -> None:
    own = tensor_of(t, input).dtype
    result = _product(t, input, other)
    parts = taken_apart(t, result)
    if t.parts(input) is None:
        t.write("copy", input, t.call("to_dense", result))
        return
    found = tensor_of(t, result).dtype
    if found is not own and not _is_number(t, other):
        if not can_cast(found, own):
            raise other_values(found, own)
        parts = replace(parts, values=t.call("to", parts.values, own))
    elif found is not own:
        raise other_values(found, own)
    if t.parts(other) is None:
        parts = replace(parts, is_coalesced=count(t, parts) < 2)
    t.hold(input, parts)


def _is_number(t: SparseLanguage, value: Any) -> bool:
    spec = t.spec(value)
    return isinstance(spec, ScalarSpec) or not spec.rank


sparse_form("mul", write=_write_product, gradient=OF_PRODUCT)(_product)

# ---- div


def _divisor(t: SparseLanguage, input: Any, other: Any, what: str) -> Parts:
    spec = t.spec(other)
    parts = t.parts(input)
    if isinstance(spec, TensorSpec) and (spec.rank or parts is None or t.parts(other) is not None):
        raise TrilithRuntimeError(
            f"Sparse {what} requires a scalar or zero-dim dense tensor divisor (got shape "
            f"{list(spec.shape)} for divisor)"
        )
    assert parts is not None
    return parts


def _dividing(name: str, what: str) -> None:
    def dividend(t: SparseLanguage, input: Any, other: Any, options: dict[str, Any]) -> Parts:
        """Return what is divided: what is rounded are sums of the entries of a coordinate."""
        parts = _divisor(t, input, other, what)
        is_rounded = name == "floor_divide" or options.get("rounding_mode") is not None
        return coalesced(t, parts) if is_rounded else parts

    def run(t: SparseLanguage, input: Any, other: Any, **options: Any) -> Any:
        parts = dividend(t, input, other, options)
        return with_values(t, parts, t.call(name, parts.values, other, **options))

    def write(t: SparseLanguage, input: Any, other: Any, **options: Any) -> None:
        parts = dividend(t, input, other, options)
        t.write(name, parts.values, other, **options)
        if parts.is_coalesced and not taken_apart(t, input).is_coalesced:
            t.hold(input, parts)

    sparse_form(name, write=write, gradient=_QUOTIENTS[name])(run)


#: PyTorch knows no derivative of `//`.
_QUOTIENTS = {"div": OF_QUOTIENT, "true_divide": OF_TRUE_QUOTIENT, "floor_divide": UNKNOWN}


_dividing("div", "division")
_dividing("true_divide", "division")
_dividing("floor_divide", "floor division")

# ---- pow


@sparse_form("pow", gradient=OF_POWER)
def _power(t: SparseLanguage, input: Any, exponent: Any) -> Any:
    parts = t.parts(input)
    if parts is None or not isinstance(t.spec(exponent), ScalarSpec):
        raise TrilithNotImplementedError(
            "pow takes a sparse base and a number", hint="convert with .to_dense() first"
        )
    if exponent == 0:
        raise TrilithRuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor "
            "dense"
        )
    parts = coalesced(t, parts)
    return with_values(t, parts, t.call("pow", parts.values, exponent))


# ---- the values at other places


def without_mask(t: Any, input: Any, mask: Any) -> Any:
    """Refuse a mask that says no places, as PyTorch does: only a sparse tensor specifies some."""
    raise TrilithNotImplementedError("sparse_mask(): the mask must be sparse")


def masked(t: SparseLanguage, input: Any, mask: Any) -> Any:
    """Return what a tensor has at the places of a mask; 0 where it specifies nothing."""
    places, own = t.parts(mask), t.parts(input)
    spec = tensor_of(t, input)
    if places is None:
        return without_mask(t, input, mask)
    if spec.shape != places.shape:
        raise TrilithRuntimeError(
            "sparse_mask(): operands have incompatible sizes; self has size "
            f"{list(spec.shape)} but mask has size {list(places.shape)}"
        )
    if own is None:
        return t.sparse(replace(places, values=at_places(t, input, places)))
    own = coalesced(t, own)
    found, is_known = lookup(t, keys_of(t, own), keys_of(t, places))
    values = values_of(t, own)
    if not values.shape[0]:
        empty = (count(t, places), *values.shape[1:])
        zeros = t.call("zeros", empty, dtype=values.dtype, device=values.device)
        return t.sparse(replace(places, values=zeros))
    for _ in values.shape[1:]:
        is_known = t.call("unsqueeze", is_known, -1)
    taken = t.call("index_select", own.values, 0, found)
    return t.sparse(replace(places, values=t.call("where", is_known, taken, 0)))
