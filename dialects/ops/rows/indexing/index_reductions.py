"""Which operation reduces slices into those that an index names? index_reduce."""

from __future__ import annotations

from math import inf
from typing import Any

from ....attributes.dtype import DType, bool_, int64
from ....attributes.limits import iinfo
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ....frames import warn_once
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.index_reductions import OF_INDEX_REDUCE
from .gathering import INDEX_DTYPES
from .scattering import PLACES_APART
from .slices import put_slices

#: What becomes of an element, by the word for it; a mean is a sum that is divided later.
_REDUCES = {"prod": "multiply", "mean": "add", "amax": "amax", "amin": "amin"}


def _index_reduce(
    t: TensorLanguage,
    input: Any,
    dim: int,
    index: Any,
    source: Any,
    reduce: str,
    include_self: bool,
) -> Any:
    into, places, values = (tensor_of(t, each) for each in (input, index, source))
    dim = wrap_dim(dim, max(into.rank, 1))
    if reduce not in _REDUCES:
        raise TrilithRuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    warn_once("index_reduce() is in beta and the API may change at any time.")
    _check(into, places, values, dim)
    check_dtype("index_func_", into.dtype, ARITHMETIC - {bool_})
    if not places.numel:
        return t.call("clone", input, memory_format=contiguous_format)
    if not include_self:
        input = t.call("index_fill", input, dim, _whole(t, index), _neutral(reduce, into.dtype))
    found = put_slices(t, input, index, source, dim, _REDUCES[reduce])
    if reduce != "mean":
        return found
    return _divided(t, found, index, dim, include_self=include_self)


def _whole(t: TensorLanguage, index: Any) -> Any:
    return t.call("to", index, int64)


def _check(into: TensorSpec, places: TensorSpec, values: TensorSpec, dim: int) -> None:
    if places.dtype not in INDEX_DTYPES:
        raise TrilithRuntimeError(
            f"index_reduce_(): Expected dtype int32/int64 for index but got: {places.dtype.c_name}"
        )
    if places.rank > 1:
        raise TrilithIndexError(
            f"index_reduce_(): Index is supposed to be a vector, but got dim: {places.rank} with "
            f"type: {places.dtype.c_name} and size: {list(places.shape)}"
        )
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError(
            f"index_reduce_(): self ({into.dtype.c_name}) and source ({values.dtype.c_name}) must "
            "have the same scalar type"
        )
    if values.rank and dim >= values.rank:
        raise TrilithRuntimeError(
            f"index_reduce_(): Indexing dim {dim} is out of bounds of the source tensor with shape "
            f"{list(values.shape)}"
        )
    count = values.shape[dim] if values.rank else 1
    if places.numel != count:
        raise TrilithRuntimeError(
            f"index_reduce_(): Number of indices ({places.numel}) should be equal to "
            f"source.size(dim): ({count}), for dim: {dim}"
        )
    others = [(*spec.shape[:dim], *spec.shape[dim + 1 :]) for spec in (into, values)]
    if into.rank != values.rank or others[0] != others[1]:
        raise TrilithRuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(into.shape)} source.shape = {list(values.shape)}"
        )


def _neutral(reduce: str, dtype: DType) -> float:
    """Return what a reduction without the element that is there begins with."""
    if reduce in ("prod", "mean"):
        return 1 if reduce == "prod" else 0
    if dtype.is_floating_point:
        return -inf if reduce == "amax" else inf
    limits = iinfo(dtype)
    return limits.min if reduce == "amax" else limits.max


def _divided(t: TensorLanguage, sums: Any, index: Any, dim: int, *, include_self: bool) -> Any:
    """Return the means: sums over how many elements are in each; integers are rounded down."""
    spec = tensor_of(t, sums)
    size = spec.shape[dim] if spec.rank else 1
    options = {"dtype": int64, "device": spec.device}
    counts = t.call("full", (size,), int(include_self), **options)
    ones = t.call("full", (tensor_of(t, index).numel,), 1, **options)
    counts = put_slices(t, counts, t.call("reshape", index, (-1,)), ones, 0, "add")
    counts = t.call("clamp_min", counts, 1)
    shape = tuple([-1 if each == dim else 1 for each in range(spec.rank)])
    counts = t.call("to", t.call("reshape", counts, shape), spec.dtype)
    row = "true_divide" if spec.dtype.is_floating_point else "floor_divide"
    return t.call(row, sums, counts)


composite(
    "index_reduce(Tensor input, int dim, Tensor index, Tensor source, str reduce, *, "
    "bool include_self=True)",
    "The input in which slices that a vector names are reduced with the slices of source.",
    "tri.scatter_reduce(tri.tensor([1., 5.]), 0, tri.tensor([0, 0]), tri.tensor([2., 3.]), 'amax')"
    "  # tensor([3., 5.])",
    _index_reduce,
    in_place=("index_reduce_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_INDEX_REDUCE,
)
