"""Which operations write elements at places that a tensor holds? Those of scatter.

All of them are functions: they give a copy of their input in which some elements are others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import bool_, float8_e8m0fnu
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import preserve_strides, strides_for
from ....attributes.views import Strided, expand, wrap_dim
from ....diagnostics import TrilithOutOfRangeError, TrilithRuntimeError
from ....records import replace
from ...frame.indexed import Combine, Placement, ScatterOp, arguments_of
from ...frame.literals import check_fits
from ...frame.mapped_places import gathering_along, putting
from ...frame.opspec import composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import WIDE_UNSIGNED, check_dtype, common_device
from ...frame.writing import Writing, expanded_warning
from ...gradients.indexing import (
    OF_PUT_AT,
    OF_SCATTER,
    OF_SCATTER_ADD,
    OF_SCATTER_ALONG,
)
from ...scalars.scalar import Scalar, maximum, minimum
from .gathering import (
    GATHERABLE,
    MOVABLE,
    check_index_dtype,
    check_ranks,
    place_along,
    place_indices,
    tensors_of,
    with_a_dim,
)

#: What PyTorch's kernel for index_put is made for.
PUTTABLE = MOVABLE - WIDE_UNSIGNED - {float8_e8m0fnu}
#: What is read while elements are written may not be what is written to.
PLACES_APART = Writing(apart=frozenset({"index", "src", "source"}))


def _add(old: Scalar, value: Scalar) -> Scalar:
    return old | value if old.dtype is bool_ else old + value


def _multiply(old: Scalar, value: Scalar) -> Scalar:
    return old & value if old.dtype is bool_ else old * value


def _greatest(old: Scalar, value: Scalar) -> Scalar:
    return old | value if old.dtype is bool_ else maximum(old, value)


def _least(old: Scalar, value: Scalar) -> Scalar:
    return old & value if old.dtype is bool_ else minimum(old, value)


_COMBINES: Mapping[str, Combine | None] = {
    "": None,
    "add": _add,
    "multiply": _multiply,
    "amax": _greatest,
    "amin": _least,
}


def _combine(attributes: Attributes) -> Combine | None:
    return _COMBINES[str(attributes["reduce"])]


def _result(tensors: Sequence[TensorSpec], attributes: Attributes) -> Resolved:
    """Return a copy of the first operand: packed, or in the order of dims that it has."""
    input = tensors[0]
    memory_format: Any = attributes["memory_format"]
    if memory_format is None:
        strides = preserve_strides(input.shape, input.strides)
    else:
        strides = strides_for(input.shape, memory_format)
    result = TensorSpec.of(input.shape, input.dtype, common_device(tensors), strides)
    return Resolved(dict(attributes), tuple(tensor.dtype for tensor in tensors), result)


# ---- at indices


def _place_put(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> Placement:
    input, values, *indices = operands
    dims, wraps, is_along = arguments_of(attributes, "dims", "wrap", "along")
    placement = place_indices(input, indices, dims, 2, wraps=wraps)
    view = expand(Strided(values.shape, values.strides), placement.points)
    reported = dims if is_along else placement.reported
    return replace(placement, value=view.strides, reported=reported)


def _resolve_put(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    tensors = tensors_of(operands)
    input, values, *indices = tensors
    dims, wraps = arguments_of(attributes, "dims", "wrap")
    placement = place_indices(input, indices, dims, 2, wraps=wraps)
    if not _is_expandable(values.shape, placement.points):
        raise TrilithRuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to "
            f"indexing result of shape {list(placement.points)}"
        )
    if input.dtype is not values.dtype:
        raise TrilithRuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{input.dtype.c_name} for the destination and {values.dtype.c_name} for the source."
        )
    check_dtype("index_put", input.dtype, MOVABLE)
    return _result(tensors, attributes)


def _is_expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    if len(shape) > len(target):
        return False
    pairs = zip(shape, target[len(target) - len(shape) :], strict=True)
    return all(size in (1, wanted) for size, wanted in pairs)


TABLE.add(
    ScatterOp(
        "put_at(Tensor input, Tensor values, Tensor[] indices, int[] dims, bool wrap=True, "
        "bool along=False, str reduce='', *, memory_format? memory_format=None)",
        "The input with values at the elements that index tensors for some dims name.",
        "tri.index_put(tri.tensor([1, 2, 3]), (tri.tensor([0]),), tri.tensor(7))"
        "  # tensor([7, 2, 3])",
        methods=(),
        resolver=_resolve_put,
        place=_place_put,
        combine=_combine,
        is_public=False,
        writing=Writing(
            apart=frozenset({"values", "indices"}),
            expanded=expanded_warning("index_put_", "tensor[indices] = tensor"),
        ),
        gradient=OF_PUT_AT,
        mapping=putting,
    )
)


# ---- along a dim


def _place_scatter(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> Placement:
    _, values, index = operands
    (dim,) = arguments_of(attributes, "dim")
    placement = place_along(index, dim, 2)
    strides = values.strides if values.rank else (0,) * index.rank
    return replace(placement, value=strides)


def _resolve_scatter(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    tensors = tensors_of(operands)
    input, values, index = tensors
    (dim,) = arguments_of(attributes, "dim")
    check_dtype("scatter" if values.rank else "scatter.number", input.dtype, GATHERABLE)
    if input.dtype is not values.dtype:
        raise TrilithRuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    _check_sizes(input, values, index, dim)
    if index.numel and not input.shape[dim]:
        raise TrilithOutOfRangeError(f"index is out of bounds for dimension {dim} with size 0")
    return _result(tensors, attributes)


def _check_sizes(input: TensorSpec, values: TensorSpec, index: TensorSpec, dim: int) -> None:
    limits = values.shape if values.rank else index.shape
    fits = all(
        (number == dim or size <= limit) and size <= other
        for number, (size, limit, other) in enumerate(
            zip(index.shape, input.shape, limits, strict=True)
        )
    )
    if not fits:
        text = (
            f"Expected index {list(index.shape)} to be no larger than self {list(input.shape)} "
            f"apart from dimension {dim}"
        )
        if values.rank:
            text += f" and to be no larger size than src {list(values.shape)}"
        raise TrilithRuntimeError(text)


TABLE.add(
    ScatterOp(
        "scatter_along(Tensor input, Tensor values, Tensor index, int dim, str reduce='', "
        "*, memory_format? memory_format=None)",
        "The input with each value at its own position, but at an index along one dim.",
        "tri.scatter(tri.tensor([1, 2, 3]), 0, tri.tensor([2]), 7)  # tensor([1, 2, 7])",
        methods=(),
        resolver=_resolve_scatter,
        place=_place_scatter,
        combine=_combine,
        is_public=False,
        gradient=OF_SCATTER_ALONG,
        mapping=gathering_along,
    )
)

_REDUCES = {None: "", "add": "add", "multiply": "multiply"}


def specs_of(t: TensorLanguage, *values: Any) -> list[Any]:
    """Return the specs of several values."""
    return [t.spec(value) for value in values]


def number_as(t: TensorLanguage, value: Any, like: TensorSpec) -> Any:
    """Return a Python number as a 0-dim tensor of a tensor's dtype, as fill does it."""
    return t.call("full", (), value, dtype=like.dtype, device=like.device)


def _check_written(bound: Mapping[str, Any]) -> None:
    """Refuse a number that the dtype of what it is written into cannot hold."""
    into, places = getattr(bound["input"], "spec", None), getattr(bound["index"], "spec", None)
    if into is None or into.dtype not in GATHERABLE or (places is not None and not places.numel):
        return
    for name in ("src", "value"):
        check_fits(bound.get(name), into.dtype, narrow_floats=True)


def _scatter(
    t: TensorLanguage, input: Any, dim: int, index: Any, src: Any, value: Any, reduce: str | None
) -> Any:
    if reduce not in _REDUCES:
        raise TrilithRuntimeError("reduce argument must be either add or multiply.")
    return _scattered(t, input, dim, index, value if src is None else src, _REDUCES[reduce])


def _scattered(
    t: TensorLanguage, input: Any, dim: int, index: Any, source: Any, reduce: str
) -> Any:
    """Give values of the index's rank to the primitive; a number becomes a 0-dim tensor."""
    into, places, values = specs_of(t, input, index, source)
    dim = wrap_dim(dim, max(into.rank, 1))
    has_number = isinstance(values, ScalarSpec)
    if places.numel:
        check_index_dtype("scatter", places.dtype)
    check_dtype("scatter.number" if has_number else "scatter", into.dtype, GATHERABLE)
    if not has_number and values.dtype is not into.dtype:
        raise TrilithRuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not places.numel:
        return t.call("clone", input, memory_format=contiguous_format)
    check_ranks(places, into, "self")
    if has_number:
        source = number_as(t, source, into)
    else:
        check_ranks(places, values, "src")
        source = with_a_dim(t, source)
    operands = (with_a_dim(t, input), source, with_a_dim(t, index))
    found = t.call("scatter_along", *operands, dim, reduce, memory_format=contiguous_format)
    return found if into.rank else t.call("squeeze", found, 0)


composite(
    "scatter(Tensor input, int dim, Tensor index, Operand? src=None, *, "
    "Operand? value=None, str? reduce=None)",
    "The input with each element of src, or one number, at its own position, but at "
    "index along dim.",
    "tri.scatter(tri.tensor([1, 2, 3]), 0, tri.tensor([2]), 7)  # tensor([1, 2, 7])",
    _scatter,
    check_numbers=_check_written,
    in_place=("scatter_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_SCATTER,
)


def _scatter_add(t: TensorLanguage, input: Any, dim: int, index: Any, src: Any) -> Any:
    return _scattered(t, input, dim, index, src, "add")


composite(
    "scatter_add(Tensor input, int dim, Tensor index, Tensor src)",
    "The input plus each element of src at its own position, but at index along dim.",
    "tri.scatter_add(tri.tensor([1, 2]), 0, tri.tensor([1, 1]), tri.tensor([5, 6]))"
    "  # tensor([ 1, 13])",
    _scatter_add,
    in_place=("scatter_add_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_SCATTER_ADD,
)
