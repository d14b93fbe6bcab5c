"""How is a sparse_coo tensor made of coordinates and values? Checked: what does not fit is refused.

PyTorch checks coordinates where it is asked to; here they are always checked, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import int64
from ...dialects.attributes.extents import check_sizes
from ...dialects.attributes.options import check_differentiable, check_pinned, dtype_argument
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.locks import imported
from ..gradients.state import requires_gradient
from . import recording
from .construction import build, device_argument
from .sparse import SparseTensor
from .tensor import Tensor

Array = np.ndarray[Any, Any]


def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Sequence[int] | None = None,
    *,
    dtype: Any = None,
    device: Device | str | int | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> SparseTensor:
    """Return a sparse tensor: `indices` is sparse_dim x nnz, `values` nnz x dense dims.

    Without a size it is the smallest that holds all coordinates. Coordinates are always checked
    (`check_invariants` changes nothing). The parts may share memory with the arguments.
    `sparse_coo_tensor(size)` has no coordinates.

    >>> sparse_coo_tensor([[0, 1]], [1.0, 2.0]).shape
    trilith.Size([2])
    """
    recording.unrecorded("a sparse tensor is made")
    asked = dtype_argument("sparse_coo_tensor", dtype)
    target = device_argument("sparse_coo_tensor", device)
    if values is None:
        size = _size_alone(indices, size)
        values, indices = [], np.empty((len(size), 0), np.int64)
    held = build(values, asked, target, copy=False)
    check_pinned(pin_memory)
    check_differentiable(held.dtype, requires_grad)
    coordinates = build(indices, int64, held.device, copy=False)
    if not held.ndim:
        held = Tensor(held.untyped_storage(), TensorSpec.of((1,), held.dtype, held.device))
    shape = _checked_shape(coordinates, held, size)
    if is_coalesced and not held.is_meta:
        _check_sorted(coordinates, shape)
    is_single = coordinates.shape[1] < 2
    make: Any = SparseTensor
    if requires_gradient(held):
        make = imported(".recorded_sparse", __package__).of_values
    made = make(coordinates, held, shape, coalesced=bool(is_coalesced) or is_single)
    return made.requires_grad_() if requires_grad else made


def _size_alone(given: Any, size: Sequence[int] | None) -> tuple[int, ...]:
    found = size if given is None else given
    if found is None or (given is not None and size is not None):
        raise TrilithTypeError("sparse_coo_tensor() takes indices and values, or a size")
    return tuple(found)


def _checked_shape(
    coordinates: Tensor, values: Tensor, size: Sequence[int] | None
) -> tuple[int, ...]:
    """Return the shape, after checking that the parts fit it and one another."""
    if size is not None:
        check_sizes(tuple(size))
    if coordinates.ndim != 2:
        raise TrilithRuntimeError(
            f"indices must be sparse_dim x nnz, but got: {list(coordinates.shape)}"
        )
    sparse_dim, nnz = coordinates.shape
    if values.shape[0] != nnz:
        raise TrilithRuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{nnz}, nnz from values: {values.shape[0]}"
        )
    dense_sizes = tuple(values.shape[1:])
    if coordinates.is_meta:
        if size is None:
            raise TrilithRuntimeError("the size of a sparse tensor on meta must be given")
        return tuple(size)
    array = _on_host(coordinates)
    lowest: list[int] = array.min(axis=1).tolist() if nnz else []
    for dim, index in enumerate(lowest):
        if index < 0:
            raise TrilithRuntimeError(f"found negative index {index} for dim {dim}")
    highest: list[int] = array.max(axis=1).tolist() if nnz else [-1] * sparse_dim
    if size is None:
        return (*(index + 1 for index in highest), *dense_sizes)
    shape = tuple(int(dim) for dim in size)
    if len(shape) != sparse_dim + len(dense_sizes):
        raise TrilithRuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)}, "
            f"sparse_dim = {sparse_dim}, dense_dim = {len(dense_sizes)}"
        )
    for dim, (length, index) in enumerate(zip(shape, highest, strict=False)):
        if index >= length:
            raise TrilithRuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {length} but found "
                f"index {index}"
            )
    if shape[sparse_dim:] != dense_sizes:
        raise TrilithRuntimeError(
            f"values has incorrect size, expected {[nnz, *shape[sparse_dim:]]}, got "
            f"{list(values.shape)}"
        )
    return shape


def _check_sorted(coordinates: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse coordinates that are not in row-major order, each greater than the one before."""
    array = _on_host(coordinates)
    keys = np.zeros(array.shape[1], np.int64)
    for row, size in zip(array, shape, strict=False):
        keys = keys * size + row
    if (np.diff(keys) <= 0).any():
        raise TrilithRuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )


def _on_host(part: Any) -> Array:
    return np.asarray(part.numpy(force=part.device.has_indices))
