"""Which tensors hold all combinations? Grids of vectors' elements, and places in triangles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

from ...attributes.device import Device
from ...attributes.dtype import DType, int32, int64
from ...diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ...frames import warn_once
from ..frame.opspec import composite
from ..frame.row import TensorLanguage
from ..frame.rules import check_dtype
from ..frame.schema import Schema
from ..frame.view_rows import tensor_of, with_tensors

# ---- grids


def _meshgrid(t: TensorLanguage, tensors: Sequence[Any], indexing: str | None) -> Any:
    if indexing is None:
        warn_once(
            "trilith.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument."
        )
    if not tensors:
        raise TrilithRuntimeError("meshgrid expects a non-empty TensorList")
    specs = [tensor_of(t, tensor) for tensor in tensors]
    if any(spec.dtype is not specs[0].dtype for spec in specs):
        raise TrilithRuntimeError("meshgrid expects all tensors to have the same dtype")
    if any(spec.device != specs[0].device for spec in specs):
        raise TrilithRuntimeError("meshgrid expects all tensors to have the same device")
    if indexing not in (None, "ij", "xy"):
        raise TrilithRuntimeError(
            'trilith.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for spec in specs:
        if spec.rank > 1:
            raise TrilithRuntimeError(
                "trilith.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                f"{spec.rank}D"
            )
    is_swapped = indexing == "xy" and len(tensors) > 1
    order = list(range(len(tensors)))
    if is_swapped:
        order[:2] = 1, 0
    shape = tuple([specs[place].numel for place in order])
    made: list[Any] = []
    for place, tensor in enumerate(tensors):
        sizes = [1] * len(shape)
        sizes[order.index(place)] = -1
        made.append(t.call("expand", t.call("view", tensor, tuple(sizes)), shape))
    return tuple(made)
