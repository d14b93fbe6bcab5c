"""Which operations write slices of a tensor at the places that a vector names?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....attributes.dtype import DType, complex128, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.literals import check_fits
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOAT8, check_dtype
from ...frame.writing import Writing, expanded_warning
from ...gradients.indexing import (
    OF_INDEX_ADD,
    OF_INDEX_COPY,
    OF_INDEX_FILL,
)
from .gathering import (
    INDEX_DTYPES,
    with_a_dim,
)
from .scattering import PLACES_APART, PUTTABLE, number_as, specs_of


def _check_filling(bound: Mapping[str, Any]) -> None:
    """As for any number that is written; parts of complex ones are not dropped."""
    dtype, value = getattr(bound["input"], "dtype", None), bound["value"]
    if not isinstance(dtype, DType) or dtype not in PUTTABLE - FLOAT8:
        return
    if isinstance(value, complex):
        _check_complex(complex128, dtype)
    check_fits(value, dtype, narrow_floats=True)


def _check_complex(value: DType, into: DType) -> None:
    if value.is_complex and not into.is_complex:
        raise TrilithRuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )


def _index_fill(t: TensorLanguage, input: Any, dim: int, index: Any, value: Any) -> Any:
    into, places, values = specs_of(t, input, index, value)
    dim = wrap_dim(dim, max(into.rank, 1))
    if places.dtype is not int64:
        raise TrilithIndexError("index_fill_(): Expected dtype int64 for index.")
    if places.rank > 1:
        raise TrilithRuntimeError("Index has to be a vector/scalar")
    if isinstance(values, TensorSpec):
        if values.rank:
            raise TrilithRuntimeError(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{values.rank} dimension(s)."
            )
        check_dtype("index_fill", into.dtype, PUTTABLE - FLOAT8)
        _check_complex(values.dtype, into.dtype)
        value = t.call("to", value, into.dtype)
    else:
        check_dtype("index_fill", into.dtype, PUTTABLE - FLOAT8)
        value = number_as(t, value, into)
    operands = (with_a_dim(t, input), value, [with_a_dim(t, index)])
    found = t.call("put_at", *operands, (dim,), along=True)
    return found if into.rank else t.call("squeeze", found, 0)


composite(
    "index_fill(Tensor input, int dim, Tensor index, Operand value)",
    "The input with one number in the slices along dim that a vector names.",
    "tri.index_fill(tri.tensor([1, 2, 3]), 0, tri.tensor([2]), 7)  # tensor([1, 2, 7])",
    _index_fill,
    check_numbers=_check_filling,
    in_place=("index_fill_",),
    writing=Writing(
        apart=frozenset({"index"}),
        read_first=frozenset({"value"}),
        expanded=expanded_warning("index_fill_", "tensor[mask] = scalar"),
    ),
    gradient=OF_INDEX_FILL,
)


def _check_one_dim(name: str, places: TensorSpec) -> None:
    if places.rank > 1:
        raise TrilithIndexError(f"{name}(): Index should have dimension 1 or 0 (got {places.rank})")


def _check_slices(name: str, into: TensorSpec, places: TensorSpec, dim: int) -> None:
    _check_one_dim(name, places)
    check_dtype(name.removesuffix("_"), into.dtype, PUTTABLE - FLOAT8)


def _index_copy(t: TensorLanguage, input: Any, dim: int, index: Any, source: Any) -> Any:
    into, places, values = specs_of(t, input, index, source)
    dim = wrap_dim(dim, max(into.rank, 1))
    _check_one_dim("index_copy_", places)
    if not values.rank and places.numel != 1:
        raise TrilithIndexError(
            "index_copy_(): When source is scalar, index should have one element (got "
            f"{places.numel})"
        )
    if places.dtype is not int64:
        raise TrilithRuntimeError(
            f"index_copy_(): Expected a long tensor for index, but got {places.dtype.c_name}"
        )
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{into.dtype.c_name} and (source) {values.dtype.c_name}"
        )
    if values.rank != into.rank and values.rank and into.rank:
        raise TrilithIndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({values.rank}), destination dimensionality "
            f"({into.rank})"
        )
    _check_copied_slices(into, values, dim)
    _check_slices("index_copy_", into, places, dim)
    _check_count("index_copy_", places, values, dim, IndexError)
    return put_slices(t, input, index, source, dim, "")


def _slice_shape(spec: TensorSpec, dim: int) -> tuple[int, ...]:
    return (*spec.shape[:dim], *spec.shape[dim + 1 :])


def _check_copied_slices(into: TensorSpec, values: TensorSpec, dim: int) -> None:
    first, second = _slice_shape(into, dim), _slice_shape(values, dim)
    if first != second:
        wanted, found = (" ".join(map(str, sizes)) for sizes in (first, second))
        raise TrilithRuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {wanted} at dimension {dim} and source slice shape: {found} at "
            "dimension 0."
        )


def _check_count(
    name: str, places: TensorSpec, values: TensorSpec, dim: int, kind: type[Exception]
) -> None:
    count = values.shape[dim] if values.rank else 1
    if places.numel != count:
        text = f"{name}(): Number of indices ({places.numel}) should be equal to source.size(dim)"
        if kind is IndexError:
            raise TrilithIndexError(f"{text} ({count})")
        raise TrilithRuntimeError(f"{text}: ({count}), for dim: {dim}")


def _check_slice_shapes(into: TensorSpec, values: TensorSpec, dim: int) -> None:
    if not into.rank or not values.rank:
        return
    if into.rank != values.rank or _slice_shape(into, dim) != _slice_shape(values, dim):
        raise TrilithRuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(into.shape)} source.shape = {list(values.shape)}"
        )


def put_slices(
    t: TensorLanguage, input: Any, index: Any, source: Any, dim: int, reduce: str
) -> Any:
    """Return the input with the slices of a source at, or combined with, those of an index."""
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    operands = (with_a_dim(t, input), with_a_dim(t, source), [with_a_dim(t, index)])
    options = {"wrap": False, "along": True, "reduce": reduce, "memory_format": contiguous_format}
    found = t.call("put_at", *operands, (dim,), **options)
    return found if spec.rank else t.call("squeeze", found, 0)


composite(
    "index_copy(Tensor input, int dim, Tensor index, Tensor source)",
    "The input with the slices of source in place of those that a vector names.",
    "tri.index_copy(tri.tensor([1, 2, 3]), 0, tri.tensor([2]), tri.tensor([7]))"
    "  # tensor([1, 2, 7])",
    _index_copy,
    in_place=("index_copy_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_INDEX_COPY,
)


def _index_add(
    t: TensorLanguage, input: Any, dim: int, index: Any, source: Any, alpha: float
) -> Any:
    into, places, values = specs_of(t, input, index, source)
    dim = wrap_dim(dim, max(into.rank, 1))
    if places.rank > 1:
        raise TrilithIndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {places.rank} with "
            f"type: {places.dtype.c_name} and size: {list(places.shape)}"
        )
    if places.dtype not in INDEX_DTYPES:
        raise TrilithRuntimeError(
            f"index_add_(): Expected dtype int32/int64 for index but got: {places.dtype.c_name}"
        )
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError(
            f"index_add_(): self ({into.dtype.c_name}) and source ({values.dtype.c_name}) must "
            "have the same scalar type"
        )
    if not values.rank and places.numel != 1:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    _check_count("index_add_", places, values, dim, RuntimeError)
    if into.rank != values.rank:
        raise TrilithRuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(into.shape)} source.shape = {list(values.shape)}"
        )
    _check_slice_shapes(into, values, dim)
    check_dtype("index_add" if into.rank > 1 else "index_add.vector", into.dtype, PUTTABLE - FLOAT8)
    if not into.numel and into.rank > 1:
        # Nothing to add to: PyTorch does not look at the indices.
        return t.call("clone", input, memory_format=contiguous_format)
    if not is_number(alpha) or alpha != 1 or type(alpha) is bool:
        source = t.call("mul", source, alpha)
    return put_slices(t, input, index, source, dim, "add")


composite(
    "index_add(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
    "The input plus alpha times the slices of source at those that a vector names.",
    "tri.index_add(tri.tensor([1, 2]), 0, tri.tensor([1, 1]), tri.tensor([5, 6]))"
    "  # tensor([ 1, 13])",
    _index_add,
    in_place=("index_add_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_INDEX_ADD,
)
