"""How does a tensor become sparse or dense, or move to a dtype or a device?"""

from __future__ import annotations

from typing import Any, cast

from ....attributes.device import Device, home_of
from ....attributes.dtype import DType
from ....attributes.layout import Layout, sparse_coo, strided
from ....attributes.memory_format import contiguous_format
from ....diagnostics import TrilithRuntimeError
from ....records import replace
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.row import TABLE
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import (
    OF_ALIAS,
    OF_CAST,
    OF_COALESCE,
    OF_COPY,
    OF_SPARSE_MASK,
    OF_TO_DENSE,
    OF_TO_SPARSE,
)
from .entries import coalesced, no_entries, sparse_dim, taken_apart, values_of
from .products import masked, without_mask
from .sums import placed_in_zeros

# ---- coalesce


def _dense_coalesce(t: ValueLanguage, input: Any) -> Any:
    raise TrilithRuntimeError("coalesce expected sparse coordinate tensor layout but got Strided")


TABLE.add(
    HostOp(
        "coalesce(Tensor input)",
        "The same sparse tensor, its coordinates in order and the values of equal ones added.",
        "tri.sparse_coo_tensor([[1, 1]], [2., 3.]).coalesce().values()  # tensor([5.])",
        _dense_coalesce,
        is_method_only=True,
    )
)


@sparse_form("coalesce", gradient=OF_COALESCE)
def _coalesce(t: SparseLanguage, input: Any) -> Any:
    parts = taken_apart(t, input)
    return input if parts.is_coalesced else t.sparse(coalesced(t, parts))


# ---- to_dense


def _check_dense(dtype: DType | None) -> None:
    if dtype is not None:
        raise TrilithRuntimeError("dtype argument is not supported by sparse_to_dense")


def _dense_to_dense(
    t: ValueLanguage, input: Any, dtype: DType | None, masked_grad: bool | None
) -> Any:
    return input if dtype is None else t.call("to", input, dtype)


TABLE.add(
    HostOp(
        "to_dense(Tensor input, dtype? dtype=None, *, bool? masked_grad=None)",
        "The strided tensor with the same elements: itself, if it is strided.",
        "tri.eye(2).to_sparse().to_dense()  # tensor([[1., 0.],\n#         [0., 1.]])",
        _dense_to_dense,
        is_method_only=True,
    )
)


def _to_dense(t: SparseLanguage, input: Any, dtype: DType | None, masked_grad: bool | None) -> Any:
    _check_dense(dtype)
    return placed_in_zeros(t, taken_apart(t, input))


sparse_form("to_dense", gradient=OF_TO_DENSE)(_to_dense)

# ---- to_sparse


def _check_sparse_dim(dims: int, rank: int) -> None:
    if rank and not dims:
        raise TrilithRuntimeError(
            "dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0"
        )
    if not 0 <= dims <= rank:
        raise TrilithRuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{rank}] range, but {dims} is given"
        )


def _to_sparse(t: Any, input: Any, sparse_dim: int | None, layout: Layout | None, **_: Any) -> Any:
    """Return what is not zero; of a row with dense dims, what has any element that is not."""
    if layout is strided:
        return input
    spec = tensor_of(t, input)
    dims = spec.rank if sparse_dim is None else sparse_dim
    _check_sparse_dim(dims, spec.rank)
    is_there = t.call("ne", input, 0)
    if dims < spec.rank:
        is_there = t.call("any", is_there, tuple(range(dims, spec.rank)))
    positions = t.positions(is_there)
    indices = _coordinates(t, positions, is_of_rows=dims < spec.rank)
    if not dims:
        values = t.call("narrow", t.call("unsqueeze", input, 0), 0, 0, _rows(t, positions))
        values = t.call("clone", values)
    elif not _rows(t, positions):
        shape = (0, *spec.shape[dims:])
        values = t.call("empty", shape, dtype=spec.dtype, device=spec.device)
    else:
        rows = [t.call("select", indices, 0, dim) for dim in range(dims)]
        values = t.call("take_at", input, rows, tuple(range(dims)), wrap=False, packed=True)
    return t.sparse(Parts(indices, values, spec.shape, True))


def _coordinates(t: ValueLanguage, positions: Any, *, is_of_rows: bool) -> Any:
    """Return positions dim by dim, with PyTorch's strides: rows of dense dims are found in turn."""
    if is_of_rows:
        positions = t.call("clone", positions, memory_format=contiguous_format)
    across = t.call("transpose", positions, 0, 1)
    if not _rows(t, positions):  # strides of nothing are contiguous, whatever they are
        return t.call("clone", across, memory_format=contiguous_format)
    return t.call("contiguous", across)


def _rows(t: ValueLanguage, positions: Any) -> int:
    return tensor_of(t, positions).shape[0]


TABLE.add(
    HostOp(
        "to_sparse(Tensor input, int? sparse_dim=None, *, layout? layout=None, "
        "int[]? blocksize=None, int? dense_dim=None)",
        "The elements that are not zero as a coalesced sparse tensor.",
        "tri.eye(2).to_sparse().values()  # tensor([1., 1.])",
        _to_sparse,
        methods=("to_sparse", "to_sparse_coo"),
        is_method_only=True,
        gradient=OF_TO_SPARSE,
    )
)


@sparse_form("to_sparse", gradient=OF_COPY)
def _sparse_to_sparse(
    t: SparseLanguage, input: Any, sparse_dim: int | None, layout: Layout | None, **_: Any
) -> Any:
    if layout is strided:
        return t.call("to_dense", input)
    parts = taken_apart(t, input)
    if sparse_dim is not None and sparse_dim != tensor_of(t, parts.indices).shape[0]:
        raise TrilithRuntimeError(
            "to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
            "!=self.sparse_dim() is not supported"
        )
    return input


# ---- at the places of another


TABLE.add(
    HostOp(
        "sparse_mask(Tensor input, Tensor mask)",
        "The elements at the places that a sparse tensor specifies.",
        "tri.ones(2, 2).sparse_mask(tri.eye(2).to_sparse()).values()  # tensor([1., 1.])",
        without_mask,
        is_method_only=True,
    )
)
sparse_form("sparse_mask", gradient=OF_SPARSE_MASK)(masked)

# ---- dtype and device


def moved(t: SparseLanguage, parts: Parts, dtype: DType | None, device: Device | None) -> Parts:
    """Return the entries in another dtype, on another device; on meta there are none."""
    spec = values_of(t, parts)
    dtype = dtype or spec.dtype
    home = spec.device if device is None else home_of(device)
    if not home.has_values and spec.device.has_values:
        return no_entries(t, parts.shape, sparse_dim(t, parts), dtype, home)
    values = t.call("to", t.call("to", parts.values, dtype), home)
    return replace(parts, indices=t.call("to", parts.indices, home), values=values)


@sparse_form("to", gradient=OF_CAST)
def _to(
    t: SparseLanguage,
    input: Any,
    target: Any,
    dtype: DType | None,
    copy: bool,
    device: Device | None,
    memory_format: Any,
    **_: Any,
) -> Any:
    if isinstance(target, tuple):
        dtype, device = cast("tuple[DType, Device]", target)
    elif isinstance(target, DType):
        dtype = target
    elif target is not None:
        device = target
    if t.parts(input) is None:  # another argument is sparse
        return t.call("to", input, dtype or tensor_of(t, input).dtype)
    spec = tensor_of(t, input)
    is_cast = dtype is not None and dtype is not spec.dtype
    is_moved = device is not None and home_of(device) != spec.device
    if is_cast or is_moved:
        return t.sparse(moved(t, taken_apart(t, input), dtype, device))
    return t.call("clone", input) if copy else input


@sparse_form("cast", gradient=OF_CAST)
def _cast(t: SparseLanguage, input: Any, dtype: DType) -> Any:
    return t.sparse(moved(t, taken_apart(t, input), dtype, None))


@sparse_form("type_as", is_stepwise=True)
def _type_as(t: SparseLanguage, input: Any, other: Any) -> Any:
    own, spec = tensor_of(t, input), tensor_of(t, other)
    if own.layout is not spec.layout:
        names = ["Sparse" if each.layout is sparse_coo else "Strided" for each in (own, spec)]
        raise TrilithRuntimeError(
            "to(options) doesn't support converting to a different layout, but got self.layout "
            f"being {names[0]} and options.layout set as {names[1]}"
        )
    return t.call("to", input, spec.device, spec.dtype)


@sparse_form("clone", gradient=OF_COPY)
def _clone(t: SparseLanguage, input: Any, memory_format: Any) -> Any:
    parts = taken_apart(t, input)
    indices, values = (t.call("clone", part) for part in (parts.indices, parts.values))
    return t.sparse(Parts(indices, values, parts.shape, parts.is_coalesced))


@sparse_form("alias", gradient=OF_ALIAS)
def _alias(t: SparseLanguage, input: Any) -> Any:
    return t.sparse(taken_apart(t, input))
