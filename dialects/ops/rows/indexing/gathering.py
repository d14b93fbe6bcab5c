"""Which operations read elements at places that a tensor holds? index_select, gather, take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import DType, int32, int64
from ....attributes.reshape import view_strides
from ....attributes.spec import TensorSpec
from ....attributes.strides import contiguous_strides, pointwise_strides
from ....attributes.views import Strided, expand, wrap_dim
from ....diagnostics import TrilithIndexError, TrilithOutOfRangeError, TrilithRuntimeError
from ....records import replace
from ...frame.indexed import GatherOp, Ints, Lookup, Placement, arguments_of
from ...frame.mapped_places import gathering, gathering_along
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype, same_scalar_type, taken
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import ALL_COMPLEX, ARITHMETIC, CASTABLE, COMPLEX, check_dtype, common_device
from ...frame.writing import Writing
from ...gradients.indexing import OF_GATHER, OF_GATHER_ALONG, OF_INDEX_SELECT, OF_TAKE, OF_TAKE_AT

#: What memory can hold and a kernel can move.
MOVABLE = CASTABLE | ALL_COMPLEX
#: What PyTorch's kernels for gather, scatter and take are made for.
GATHERABLE = ARITHMETIC | COMPLEX
#: What a tensor of places may be.
INDEX_DTYPES = (int64, int32)


def tensors_of(operands: Sequence[OperandSpec]) -> list[TensorSpec]:
    """Return the operands of a row that takes tensors only."""
    return [operand for operand in operands if isinstance(operand, TensorSpec)]


def index_shape(indices: Sequence[TensorSpec]) -> Ints:
    """Return the shape that index tensors have together."""
    shape: list[int] = []
    for index in indices:
        missing = len(index.shape) - len(shape)
        shape[:0] = index.shape[: max(missing, 0)]
        for back in range(1, len(index.shape) + 1):
            size = index.shape[-back]
            if shape[-back] == 1:
                shape[-back] = size
            elif size not in (1, shape[-back]):
                shapes = ", ".join(str(list(index.shape)) for index in indices)
                raise TrilithIndexError(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes "
                    + shapes
                )
    return tuple(shape)


def place_indices(
    input: TensorSpec, indices: Sequence[TensorSpec], dims: Ints, first: int, *, wraps: bool
) -> Placement:
    """Return where `input[..., index, ..., index, ...]` lies; `first`: operand of the first index.

    Index dims take the place of the indexed dims if these are neighbours, else they come first. An
    index without dims is one position: its dim is gone before anybody has neighbours.
    """
    shape = index_shape(indices)
    wide = [dim for dim, index in zip(dims, indices, strict=True) if index.rank]
    kept = [dim for dim in range(input.rank) if dim not in dims]
    between = [dim for dim in kept if wide and wide[0] < dim < wide[-1]]
    before = sum(dim < wide[0] for dim in kept) if wide and not between else 0
    points = (
        *(input.shape[dim] for dim in kept[:before]),
        *shape,
        *(input.shape[dim] for dim in kept[before:]),
    )
    _check_not_empty([input.shape[dim] for dim in dims], shape)
    places: list[int | Lookup] = [0] * input.rank
    for number, dim in enumerate(kept):
        places[dim] = number if number < before else number + len(shape)
    for number, (dim, index) in enumerate(zip(dims, indices, strict=True)):
        places[dim] = Lookup(first + number, before + len(shape) - index.rank)
    # As in PyTorch, an error counts the index tensors, not the dims that they are for.
    return Placement(points, tuple(places), wraps, tuple(range(len(dims))))


def _check_not_empty(sizes: Sequence[int], shape: Ints) -> None:
    if 0 in sizes and 0 not in shape:
        raise TrilithOutOfRangeError("index is out of bounds for dimension with size 0")


def _place_index(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> Placement:
    dims, wraps, fault = arguments_of(attributes, "dims", "wrap", "fault")
    placement = place_indices(operands[0], operands[1:], dims, 1, wraps=wraps)
    if fault:
        return replace(placement, fault=fault)
    return placement if wraps else replace(placement, reported=())


def _resolve_index(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    tensors = tensors_of(operands)
    input, indices = tensors[0], tensors[1:]
    check_dtype("take_at", input.dtype, MOVABLE)
    dims, wraps, is_packed = arguments_of(attributes, "dims", "wrap", "packed")
    placement = place_indices(input, indices, dims, 1, wraps=wraps)
    shape = placement.points
    if is_packed:
        strides = contiguous_strides(shape)
    else:
        # As of a pointwise operation on the input, which stands still along index dims, and on
        # the indices.
        extents = [(shape, placement.walked(input.strides))]
        for _, lookup in placement.lookups:
            extents.append(_index_extent(tensors[lookup.operand], lookup, indices, placement))
        strides = pointwise_strides(shape, extents)
    result = TensorSpec.of(shape, input.dtype, common_device(operands), strides)
    return Resolved(dict(attributes), tuple(tensor.dtype for tensor in tensors), result)


def _index_extent(
    index: TensorSpec, lookup: Lookup, indices: Sequence[TensorSpec], placement: Placement
) -> tuple[Ints, Ints]:
    """Return (sizes, strides) of an index as it is laid over the points."""
    shape = index_shape(indices)
    rank = len(placement.points)
    first = lookup.first - (len(shape) - index.rank)
    strides = expand(Strided(index.shape, index.strides), shape).strides
    sizes = (1,) * first + shape + (1,) * (rank - first - len(shape))
    return sizes, view_strides(shape, strides, sizes) or contiguous_strides(sizes)


TABLE.add(
    GatherOp(
        "take_at(Tensor input, Tensor[] indices, int[] dims, bool wrap=True, bool packed=False, "
        "str fault='')",
        "The elements that index tensors for some dims name: what `x[i, :, j]` becomes. `fault` is "
        "how a bad index is reported, if it is another one than usual.",
        "tri.tensor([1, 2, 3])[tri.tensor([2, 0])]  # tensor([3, 1])",
        methods=(),
        resolver=_resolve_index,
        place=_place_index,
        is_public=False,
        gradient=OF_TAKE_AT,
        mapping=gathering,
    )
)


def check_index_dtype(name: str, dtype: DType) -> None:
    """Refuse an index tensor of another dtype than int32 and int64."""
    if dtype not in INDEX_DTYPES:
        raise TrilithRuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def check_ranks(index: TensorSpec, other: TensorSpec, what: str) -> None:
    """Refuse an index of another rank than its tensor; 0-dim counts as one dim."""
    if max(index.rank, 1) != max(other.rank, 1):
        raise TrilithRuntimeError(
            f"Index tensor must have the same number of dimensions as {what} tensor"
        )


def place_along(index: TensorSpec, dim: int, operand: int) -> Placement:
    """Return where each element of an index lies: at its own position, but along one dim."""
    lookup = Lookup(operand, 0)
    dims = tuple(lookup if number == dim else number for number in range(index.rank))
    return Placement(index.shape, dims, wraps=False, reported=(dim,))


def _place_gather(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> Placement:
    dim, fault = arguments_of(attributes, "dim", "fault")
    return replace(place_along(operands[1], dim, 1), fault=fault)


def _resolve_gather(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    input, index = tensors_of(operands)
    check_dtype("gather", input.dtype, GATHERABLE)
    (dim,) = arguments_of(attributes, "dim")
    for number, (size, limit) in enumerate(zip(index.shape, input.shape, strict=True)):
        if number != dim and size > limit:
            raise TrilithRuntimeError(
                f"Size does not match at dimension {number} expected index {list(index.shape)} to "
                f"be no larger than self {list(input.shape)} apart from dimension {dim}"
            )
    if index.numel and not input.shape[dim]:
        raise TrilithOutOfRangeError(f"index is out of bounds for dimension {dim} with size 0")
    result = TensorSpec.of(index.shape, input.dtype, common_device(operands))
    return Resolved(dict(attributes), (input.dtype, index.dtype), result)


TABLE.add(
    GatherOp(
        "gather_along(Tensor input, Tensor index, int dim, str fault='BoundsError')",
        "For each element of index one of input: what gather becomes for equal ranks.",
        "tri.tensor([[1, 2], [3, 4]]).gather(1, tri.tensor([[1], [0]]))"
        "  # tensor([[2],\n#         [3]])",
        methods=(),
        resolver=_resolve_gather,
        place=_place_gather,
        is_public=False,
        gradient=OF_GATHER_ALONG,
        mapping=gathering_along,
    )
)


def with_a_dim(t: TensorLanguage, value: Any) -> Any:
    """Return a 0-dim tensor as one of size 1, others as they are."""
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return value if spec.rank else t.call("unsqueeze", value, 0)


def _gather(t: TensorLanguage, input: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    source, places = t.spec(input), t.spec(index)
    assert isinstance(source, TensorSpec)
    assert isinstance(places, TensorSpec)
    dim = wrap_dim(dim, max(source.rank, 1))
    if not places.numel:
        # Whatever its dtype and rank.
        return t.call("empty", places.shape, dtype=source.dtype, device=source.device)
    check_index_dtype("gather", places.dtype)
    check_dtype("gather", source.dtype, GATHERABLE)
    check_ranks(places, source, "input")
    found = t.call("gather_along", with_a_dim(t, input), with_a_dim(t, index), dim)
    return found if places.rank else t.call("squeeze", found, 0)


composite(
    "gather(Tensor input, int dim, Tensor index, *, bool sparse_grad=False)",
    "For each element of index the element of input at its own position, but at that "
    "index along dim.",
    "tri.gather(tri.tensor([[1, 2], [3, 4]]), 1, tri.tensor([[1], [0]]))"
    "  # tensor([[2],\n#         [3]])",
    _gather,
    has_out=True,
    writing=Writing(apart=frozenset({"input"})),
    refuse_out=out_tensor_dtype,
    gradient=OF_GATHER,
)


def _index_select(t: TensorLanguage, input: Any, dim: int, index: Any) -> Any:
    source, places = t.spec(input), t.spec(index)
    assert isinstance(source, TensorSpec)
    assert isinstance(places, TensorSpec)
    dim = wrap_dim(dim, max(source.rank, 1))
    if places.rank > 1:
        raise TrilithIndexError("index_select(): Index is supposed to be a vector")
    if places.dtype not in INDEX_DTYPES:
        raise TrilithRuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not source.rank and places.numel != 1:
        raise TrilithRuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {places.numel} value(s)"
        )
    if source.rank and places.numel and not source.shape[dim]:
        raise TrilithOutOfRangeError("index_select(): self indexing axis dim should be positive")
    found = t.call(
        *("take_at", with_a_dim(t, input), [with_a_dim(t, index)], (dim,)),
        wrap=False,
        packed=True,
    )
    return found if source.rank else t.call("squeeze", found, 0)


composite(
    "index_select(Tensor input, int dim, Tensor index)",
    "The slices along dim that a vector of indices names, one after the other.",
    "tri.index_select(tri.tensor([[1, 2], [3, 4]]), 1, tri.tensor([1]))"
    "  # tensor([[2],\n#         [4]])",
    _index_select,
    has_out=True,
    writing=Writing(apart=frozenset({"input", "index"})),
    refuse_out=same_scalar_type("index_select"),
    gradient=OF_INDEX_SELECT,
)


def _take(t: TensorLanguage, input: Any, index: Any) -> Any:
    source, places = t.spec(input), t.spec(index)
    assert isinstance(source, TensorSpec)
    assert isinstance(places, TensorSpec)
    if places.dtype is not int64:
        raise TrilithRuntimeError(
            f"take(): Expected a long tensor for index, but got {places.dtype.c_name}"
        )
    check_dtype("take", source.dtype, GATHERABLE)
    if places.numel and not source.numel:
        raise TrilithIndexError("take(): tried to take from an empty tensor")
    flat = t.call("reshape", input, (-1,) if source.numel else (0,))
    return t.call("take_at", flat, [index], (0,), packed=True, fault="PlaceError")


composite(
    "take(Tensor input, Tensor index)",
    "The elements that index names, counted row by row, in the shape of index.",
    "tri.take(tri.tensor([[1, 2], [3, 4]]), tri.tensor([3, 0]))  # tensor([4, 1])",
    _take,
    has_out=True,
    refuse_out=taken,
    writing=Writing(apart=frozenset({"input", "index"})),
    gradient=OF_TAKE,
)
