"""Which operations put a broadcast index, a flat one or a mask in a place? And scatter_reduce."""

from __future__ import annotations

from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import Category, DType, bool_, int64
from ....attributes.limits import iinfo
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import ARITHMETIC, BOOL, REALS, WIDE_UNSIGNED, check_dtype
from ...frame.writing import Writing
from ...gradients.index_reductions import OF_SCATTER_REDUCE
from ...gradients.indexing import OF_MASKED_SCATTER, OF_PUT
from .gathering import GATHERABLE, MOVABLE, check_index_dtype, check_ranks, with_a_dim
from .scattering import PLACES_APART, PUTTABLE, number_as


def _take_along_dim(t: TensorLanguage, input: Any, indices: Any, dim: int | None) -> Any:
    source, places = t.spec(input), t.spec(indices)
    assert isinstance(source, TensorSpec)
    assert isinstance(places, TensorSpec)
    if places.dtype is not int64:
        raise TrilithRuntimeError(
            "trilith.take_along_dim(): dtype of indices should be Long but got "
            f"{places.dtype.c_name}"
        )
    if dim is None:
        return t.call("gather", t.call("view", input, (-1,)), 0, t.call("view", indices, (-1,)))
    if source.rank != places.rank:
        raise TrilithRuntimeError(
            "trilith.take_along_dim(): input and indices should have the same number of "
            f"dimensions, but got {source.rank} dimensions for input, and {places.rank} dimensions "
            "for indices"
        )
    dim = wrap_dim(dim, source.rank)
    if not source.rank:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    wanted = broadcast_shapes(
        (*source.shape[:dim], 1, *source.shape[dim + 1 :]),
        (*places.shape[:dim], 1, *places.shape[dim + 1 :]),
    )
    sizes = [(*wanted[:dim], spec.shape[dim], *wanted[dim + 1 :]) for spec in (source, places)]
    size = source.shape[dim]
    # PyTorch wraps whatever number stands there, not negative ones alone.
    index = t.call("remainder", indices, size) if size else indices
    return t.call(
        "gather", t.call("expand", input, sizes[0]), dim, t.call("expand", index, sizes[1])
    )


composite(
    "take_along_dim(Tensor input, Tensor indices, int? dim=None)",
    "For each element of indices, which is broadcast, the element of input along dim.",
    "tri.take_along_dim(tri.tensor([[1, 2], [3, 4]]), tri.tensor([[1]]), 1)"
    "  # tensor([[2],\n#         [4]])",
    _take_along_dim,
    has_out=True,
    writing=Writing(apart=frozenset({"input"})),
)


def _put(t: TensorLanguage, input: Any, index: Any, source: Any, accumulate: bool) -> Any:
    into, places, values = (t.spec(value) for value in (input, index, source))
    assert isinstance(into, TensorSpec)
    assert isinstance(places, TensorSpec)
    assert isinstance(values, TensorSpec)
    if places.dtype is not int64:
        raise TrilithRuntimeError(
            f"put_(): Expected a long tensor for index, but got {places.dtype.c_name}"
        )
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{into.dtype.c_name} and source.dtype = {values.dtype.c_name}"
        )
    if places.numel != values.numel:
        raise TrilithIndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {values.numel}, index.numel() = {places.numel}"
        )
    check_dtype("put", into.dtype, PUTTABLE)
    if not places.numel:
        return t.call("clone", input)
    flat = t.call("reshape", input, (into.numel,))
    numbers, given = (t.call("reshape", value, (places.numel,)) for value in (index, source))
    reduce = "add" if accumulate else ""
    found = t.call("put_at", flat, given, [numbers], (0,), reduce=reduce)
    shaped = t.call("reshape", found, into.shape)
    strides = preserve_strides(into.shape, into.strides)
    spec = t.spec(shaped)
    assert isinstance(spec, TensorSpec)
    return shaped if spec.strides == strides else t.call("with_strides", shaped, strides)


composite(
    "put(Tensor input, Tensor index, Tensor source, bool accumulate=False)",
    "The input with source at the elements that index names, counted row by row.",
    "tri.put(tri.tensor([[1, 2], [3, 4]]), tri.tensor([3]), tri.tensor([9]))"
    "  # tensor([[1, 2],\n#         [3, 9]])",
    _put,
    in_place=("put_",),
    writing=PLACES_APART,
    gradient=OF_PUT,
)


def _masked_scatter(t: ValueLanguage, input: Any, mask: Any, source: Any) -> Any:
    into, where, values = (t.spec(value) for value in (input, mask, source))
    assert isinstance(into, TensorSpec)
    assert isinstance(where, TensorSpec)
    assert isinstance(values, TensorSpec)
    if where.dtype is not bool_:
        raise TrilithRuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            f"{where.dtype.c_name}"
        )
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{into.dtype.c_name} and {values.dtype.c_name}"
        )
    check_dtype("masked_scatter", into.dtype, MOVABLE - WIDE_UNSIGNED)
    shape = broadcast_shapes(where.shape, into.shape)
    wide, kept = (t.call("expand", value, shape) for value in (input, mask))
    made = t.call("clone", wide, memory_format=contiguous_format)
    if 0 in shape:
        return made
    places = t.call("select", t.positions(t.call("reshape", kept, (-1,))), 1, 0)
    found = t.spec(places)
    assert isinstance(found, TensorSpec)
    if values.numel < found.numel:
        raise TrilithRuntimeError("Number of elements of source < number of ones in mask")
    flat = t.call("reshape", source, (-1,)) if values.numel else source
    given = t.call("narrow", t.call("reshape", flat, (values.numel,)), 0, 0, found.numel)
    result = t.call("put_at", t.call("reshape", made, (-1,)), given, [places], (0,))
    return t.call("reshape", result, shape)


TABLE.add(
    HostOp(
        "masked_scatter(Tensor input, Tensor mask, Tensor source)",
        "The input with the first elements of source, in order, where mask holds.",
        "tri.masked_scatter(tri.tensor([1, 2, 3]), tri.tensor([True, False, True]), "
        "tri.tensor([8, 9]))  # tensor([8, 2, 9])",
        _masked_scatter,
        in_place=("masked_scatter_",),
        gradient=OF_MASKED_SCATTER,
    )
)

#: What scatter_reduce calls a reduction -> what its primitive calls it.
_REDUCTIONS = {"sum": "add", "prod": "multiply", "mean": "add", "amax": "amax", "amin": "amin"}


def _neutral(reduce: str, dtype: DType) -> float:
    """Return the number that a reduction starts from."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    if dtype is bool_:
        return reduce == "amin"
    if dtype.category is Category.INTEGRAL:
        limits = iinfo(dtype)
        return limits.max if reduce == "amin" else limits.min
    return float("inf" if reduce == "amin" else "-inf")


def _scatter_reduce(
    t: TensorLanguage,
    input: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
) -> Any:
    if reduce not in _REDUCTIONS:
        raise TrilithRuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    into, places, values = (t.spec(value) for value in (input, index, src))
    assert isinstance(into, TensorSpec)
    assert isinstance(places, TensorSpec)
    assert isinstance(values, TensorSpec)
    dim = wrap_dim(dim, max(into.rank, 1))
    check_index_dtype("scatter", places.dtype)
    accepts = {"mean": ARITHMETIC - BOOL, "amax": REALS | BOOL, "amin": REALS | BOOL}
    check_dtype(f"scatter_reduce.{reduce}", into.dtype, accepts.get(reduce, GATHERABLE))
    if values.dtype is not into.dtype:
        raise TrilithRuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not places.numel:
        return t.call("clone", input, memory_format=contiguous_format)
    check_ranks(places, into, "self")
    check_ranks(places, values, "src")
    target, numbers, given = (with_a_dim(t, value) for value in (input, index, src))

    def scatter(onto: Any, what: Any, how: str) -> Any:
        operands = (onto, what, numbers, dim, how)
        return t.call("scatter_along", *operands, memory_format=contiguous_format)

    if not include_self:
        target = scatter(target, number_as(t, _neutral(reduce, into.dtype), into), "")
    found = scatter(target, given, _REDUCTIONS[reduce])
    if reduce == "mean":
        one = number_as(t, 1, into)
        shape = into.shape or (1,)
        count = t.call("full", shape, 1, dtype=into.dtype, device=into.device)
        if not include_self:
            count = scatter(count, number_as(t, 0, into), "")
        count = scatter(count, one, "add")
        is_whole = into.dtype.category is Category.INTEGRAL
        found = t.call("floor_divide" if is_whole else "true_divide", found, count)
    return found if into.rank else t.call("squeeze", found, 0)


composite(
    "scatter_reduce(Tensor input, int dim, Tensor index, Tensor src, str reduce, "
    "*, bool include_self=True)",
    "Each element of the input reduced with those of src that an index along dim brings to it.",
    "tri.scatter_reduce(tri.tensor([1, 2]), 0, tri.tensor([1, 1]), tri.tensor([5, 6]), "
    "'amax')  # tensor([1, 6])",
    _scatter_reduce,
    in_place=("scatter_reduce_",),
    has_out=True,
    writing=PLACES_APART,
    gradient=OF_SCATTER_REDUCE,
)
