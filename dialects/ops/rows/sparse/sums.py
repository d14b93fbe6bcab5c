"""How are sparse tensors added? Their places are united; a dense tensor is added to at places."""

from __future__ import annotations

from functools import partial
from typing import Any

from ....attributes.dtype import DType, bool_, float16
from ....attributes.promotion import can_cast, promote_types
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ....records import replace
from ...frame.rules import ARITHMETIC, COMPLEX, subtract
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_DIFFERENCE, OF_SUM_OF_TWO
from .entries import (
    are_places_shared,
    check_same_sparse_dim,
    coalesced,
    count,
    entries,
    rows_of,
    sparse_dim,
    taken_apart,
    values_of,
)

#: What PyTorch's kernel adds.
_ADDED = (ARITHMETIC | COMPLEX) - {bool_, float16}


def _check_dtype(dtype: DType) -> None:
    if dtype not in _ADDED:
        raise TrilithNotImplementedError(f"\"cadd_sparse\" not implemented for '{dtype.c_name}'")


def _check_alpha(alpha: Any, dtype: DType) -> None:
    if isinstance(alpha, bool) and dtype is not bool_:
        raise TrilithRuntimeError(
            "Boolean alpha only supported for Boolean results.",
        )
    is_integral = not (dtype.is_floating_point or dtype.is_complex)
    if is_integral and isinstance(alpha, (float, complex)):
        raise TrilithRuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )


def _scaled(t: SparseLanguage, values: Any, dtype: DType, alpha: Any) -> Any:
    cast = t.call("to", values, dtype)
    return cast if alpha == 1 else t.call("mul", cast, alpha)


def _of_two(t: SparseLanguage, first: Parts, second: Parts, alpha: Any) -> Parts:
    """Return first + alpha * second: the places of both."""
    if first.shape != second.shape:
        raise TrilithRuntimeError(
            "add: expected sizes of 'self' and 'other' to match, but "
            f"{list(first.shape)} != {list(second.shape)}"
        )
    check_same_sparse_dim(t, "add", first, second)
    dtype = promote_types(values_of(t, first).dtype, values_of(t, second).dtype)
    _check_alpha(alpha, dtype)
    if count(t, first) and count(t, second):
        _check_dtype(dtype)
    values = (t.call("to", first.values, dtype), _scaled(t, second.values, dtype, alpha))
    if are_places_shared(first, second):
        return replace(first, values=t.call("add", *values))
    united = entries(
        t,
        t.call("cat", (first.indices, second.indices), 1),
        t.call("cat", values),
        first.shape,
    )
    is_coalesced = first.is_coalesced and second.is_coalesced
    return replace(coalesced(t, united), is_coalesced=is_coalesced)


def _check_dense(dense: TensorSpec | None, parts: Parts) -> None:
    """Refuse a dense tensor, or a number, of another size than the sparse one."""
    shape = () if dense is None else dense.shape
    if shape != parts.shape:
        raise TrilithRuntimeError(
            "add: expected 'self' and 'other' to have same size, but self has size "
            f"{list(shape)} while other has size {list(parts.shape)} (FYI: dense-sparse addition "
            "does not currently support broadcasting)"
        )


def _at_places(t: SparseLanguage, values: Any, parts: Parts) -> tuple[Any, list[Any], Any]:
    """Return values, indices and dims as `put_at` takes them."""
    return values, rows_of(t, parts), tuple(range(sparse_dim(t, parts)))


def added_at_places(t: SparseLanguage, dense: Any, parts: Parts, values: Any) -> Any:
    """Return a dense tensor to which values are added at the places of entries."""
    if not sparse_dim(t, parts):
        return t.call("add", dense, t.call("sum", values, 0, dtype=tensor_of(t, values).dtype))
    if not tensor_of(t, dense).numel:
        return t.call("clone", dense)
    return t.call("put_at", dense, *_at_places(t, values, parts), wrap=False, reduce="add")


def placed_in_zeros(t: SparseLanguage, parts: Parts) -> Any:
    """Return the dense tensor with the values of entries: those of one place are added.

    Where tensors have memory values are written into that of the zeros, which nobody else has.
    """
    spec = values_of(t, parts)
    zeros = t.call("zeros", parts.shape, dtype=spec.dtype, device=spec.device)
    if not spec.device.has_values:
        return zeros
    has_memory = getattr(t, "has_memory", False) and tensor_of(t, zeros).numel
    if not has_memory or not sparse_dim(t, parts):
        return added_at_places(t, zeros, parts, parts.values)
    t.write("put_at", zeros, *_at_places(t, parts.values, parts), wrap=False, reduce="add")
    return zeros


def _to_dense_tensor(t: SparseLanguage, dense: Any, parts: Parts, alpha: Any) -> Any:
    spec = t.spec(dense)
    tensor = spec if isinstance(spec, TensorSpec) else None
    _check_dense(tensor, parts)
    assert tensor is not None
    dtype = promote_types(tensor.dtype, values_of(t, parts).dtype)
    _check_alpha(alpha, dtype)
    whole = t.call("contiguous", t.call("to", dense, dtype))
    return added_at_places(t, whole, parts, _scaled(t, parts.values, dtype, alpha))


def _sum(sign: int, t: SparseLanguage, input: Any, other: Any, alpha: Any) -> Any:
    first, second = t.parts(input), t.parts(other)
    if sign < 0:
        # Refuses bool, in words of its own.
        subtract([t.spec(input), t.spec(other)], {})
    if first is not None and second is None:
        raise TrilithRuntimeError(
            "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
        )
    assert second is not None
    factor = alpha if sign > 0 else -alpha
    if first is None:
        return _to_dense_tensor(t, input, second, factor)
    return t.sparse(_of_two(t, first, second, factor))


def _write_sum(sign: int, t: SparseLanguage, input: Any, other: Any, alpha: Any) -> None:
    own = tensor_of(t, input).dtype
    result = _sum(sign, t, input, other, alpha)
    found = tensor_of(t, result).dtype
    if not can_cast(found, own):
        raise TrilithRuntimeError(
            f"Can't convert result type {found.c_name} to output {own.c_name} in add operation"
        )
    if t.parts(input) is None:
        t.write("copy", input, result)
        return
    parts = taken_apart(t, result)
    t.hold(input, replace(parts, values=t.call("to", parts.values, own)))


sparse_form("add", write=partial(_write_sum, 1), gradient=OF_SUM_OF_TWO)(partial(_sum, 1))
sparse_form("sub", write=partial(_write_sum, -1), gradient=OF_DIFFERENCE)(partial(_sum, -1))
