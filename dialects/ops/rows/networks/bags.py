"""Which operation looks up bags of rows at once? embedding_bag: sums, means or largest elements.

A bag is a run of the indices: it begins where an offset says, and ends where the next one begins.
"""

from __future__ import annotations

from typing import Any

from ....attributes.c_types import tensor_type
from ....attributes.dtype import bfloat16, float16, float32, float64, int32, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithValueError
from ....frames import warn_user
from ...frame.gradients import by_steps
from ...frame.indexed import HostOp, ValueLanguage, WritingLanguage
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import compute_dtype
from ...frame.view_rows import tensor_of
from .embeddings import renormed

_MODES = {"sum": 0, "mean": 1, "max": 2}
_FLOATS = (float16, bfloat16, float32, float64)


def _check_dtypes(rows: TensorSpec, found: TensorSpec, offsets: TensorSpec) -> None:
    for number, word, spec, wanted, names in (
        (1, "indices", found, (int64, int32), "Long, Int"),
        (1, "offsets", offsets, (int64, int32), "Long, Int"),
        (1, "weight", rows, _FLOATS, "Half, BFloat16, Float, Double"),
    ):
        if spec.dtype not in wanted:
            raise TrilithRuntimeError(
                f"Expected tensor for argument #{number} '{word}' to have one of the following "
                f"scalar types: {names}; but got {tensor_type(spec.dtype)} instead (while "
                "checking arguments for embedding_bag)"
            )


def _check_ranks(rows: TensorSpec, offsets: TensorSpec) -> None:
    for word, spec, rank in (("offsets", offsets, 1), ("weight", rows, 2)):
        if spec.rank != rank:
            raise TrilithRuntimeError(
                f"{word} has to be a {rank}D Tensor, but got Tensor of dimension {spec.rank}"
            )


def _check_offsets(t: ValueLanguage, offsets: Any, count: int) -> None:
    """Refuse bags that do not begin with the indices, or end behind them, if that is known."""
    spec = tensor_of(t, offsets)
    if not (spec.numel and spec.device.has_values):
        return
    first, last = (t.number(t.call("select", offsets, 0, place)) for place in (0, -1))
    if first:
        raise TrilithRuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {first}\n[ trilith.LongTensor{{}} ]"
        )
    if last is not None and last > count:
        raise TrilithRuntimeError(
            f"offsets[-1] can not be greater than input's length {count} but got offsets[-1] of "
            f"{last}"
        )


def _embedding_bag(
    t: ValueLanguage,
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any | None,
    include_last_offset: bool,
    padding_idx: int | None,
) -> tuple[Any, Any, Any, Any]:
    rows, found = tensor_of(t, weight), tensor_of(t, indices)
    _check_ranks(rows, tensor_of(t, offsets))
    _check_dtypes(rows, found, tensor_of(t, offsets))
    _check_offsets(t, offsets, found.numel)
    padding = _padding(rows.shape[0], padding_idx)
    count = tensor_of(t, offsets).numel
    bags = count - include_last_offset
    offsets = t.call("to", offsets, int64)
    indices = t.call("reshape", t.call("to", indices, int64), (-1,))
    places = t.call("arange", found.numel, device=found.device)
    starts = t.call("narrow", offsets, 0, 0, bags)
    bag_of = _numbers(t, starts, places)
    is_kept = None if padding is None else t.call("ne", indices, padding)
    if include_last_offset:
        is_inside = t.call("lt", places, t.call("select", offsets, 0, -1))
        is_kept = is_inside if is_kept is None else t.call("logical_and", is_kept, is_inside)
    looked_up = t.call("index_select", weight, 0, indices)
    if mode == _MODES["max"]:
        largest, chosen, sizes = _largest(t, looked_up, indices, bag_of, bags, is_kept)
        return largest, bag_of, sizes, chosen
    sums = _sums(t, looked_up, per_sample_weights, bag_of, bags, is_kept)
    if mode == _MODES["sum"]:
        nothing = t.call("zeros", (count,), dtype=int64, device=found.device)
        if padding is None and rows.dtype is not float64:
            bag_of = t.call("empty", (0,), dtype=int64, device=found.device)
        return t.call("to", sums, rows.dtype), bag_of, nothing, t.call("clone", nothing)
    sizes = _sizes(t, bag_of, bags, is_kept)
    divisors = t.call("unsqueeze", t.call("clamp_min", sizes, 1), 1)
    means = t.call("to", t.call("true_divide", sums, divisors), rows.dtype)
    return means, bag_of, sizes, t.call("clone", sizes)


def _numbers(t: ValueLanguage, starts: Any, places: Any) -> Any:
    """Return the bag of each index; none is before the first, whose offset a kernel checks."""
    bag_of = t.call("sub", t.call("searchsorted", starts, places, right=True), 1)
    spec = tensor_of(t, starts)
    if not (spec.numel and spec.device.has_values):
        return bag_of
    if t.number(t.call("select", starts, 0, 0)) is not None:
        return bag_of
    nothing = t.call("zeros", (1,), dtype=int64, device=spec.device)
    first = t.call("narrow", starts, 0, 0, 1)
    zero = t.call("gather_along", nothing, first, 0, "FirstOffsetError")
    return t.call("add", t.call("clamp_min", bag_of, 0), zero)


def _sums(
    t: TensorLanguage,
    found: Any,
    weights: Any | None,
    bag_of: Any,
    bags: int,
    is_kept: Any | None,
) -> Any:
    """Return the sums of bags in the dtype that is computed in."""
    dtype = compute_dtype(tensor_of(t, found).dtype)
    found = t.call("to", found, dtype)
    if weights is not None:
        found = t.call("mul", found, t.call("unsqueeze", t.call("to", weights, dtype), 1))
    if is_kept is not None:
        found = t.call("where", t.call("unsqueeze", is_kept, 1), found, 0.0)
    spec = tensor_of(t, found)
    zeros = t.call("zeros", (bags, spec.shape[1]), dtype=dtype, device=spec.device)
    return t.call("index_add", zeros, 0, bag_of, found)


def _padding(count: int, padding_idx: int | None) -> int | None:
    """Return which row counts as nothing, from the first, or refuse one that is none."""
    if padding_idx is None:
        return None
    if not -count <= padding_idx < count:
        raise TrilithRuntimeError(
            f"padding_idx must be within the number of embeddings, {-count} through {count - 1}, "
            f"but got {padding_idx}"
        )
    return padding_idx % count


def _sizes(t: TensorLanguage, bag_of: Any, bags: int, is_kept: Any | None) -> Any:
    """Return how many rows that count are in each bag."""
    nothing = t.call("zeros", (bags,), dtype=int64, device=tensor_of(t, bag_of).device)
    ones = t.call("ones_like", bag_of) if is_kept is None else t.call("to", is_kept, int64)
    return t.call("index_add", nothing, 0, bag_of, ones)


def _largest(
    t: TensorLanguage, found: Any, indices: Any, bag_of: Any, bags: int, is_kept: Any | None
) -> tuple[Any, Any, Any]:
    """Return the largest elements of bags, 0 of empty ones, which rows they are of, and sizes."""
    spec = tensor_of(t, found)
    sizes = _sizes(t, bag_of, bags, is_kept)
    is_there = t.call("unsqueeze", t.call("gt", sizes, 0), 1)
    low = float("-inf")
    if is_kept is not None:
        found = t.call("where", t.call("unsqueeze", is_kept, 1), found, low)
    # Slices that belong to one bag are put together element by element.
    width, count = spec.shape[1], spec.shape[0]
    places = t.call("expand", t.call("unsqueeze", bag_of, 1), (count, width))
    start = t.call("full", (bags, width), low, dtype=spec.dtype, device=spec.device)
    largest = t.call("scatter_reduce", start, 0, places, found, "amax")
    is_largest = t.call("eq", found, t.call("index_select", largest, 0, bag_of))
    order = t.call("unsqueeze", t.call("arange", count, device=spec.device), 1)
    candidates = t.call("where", is_largest, order, count)
    behind = t.call("full", (bags, width), count, dtype=int64, device=spec.device)
    first = t.call("scatter_reduce", behind, 0, places, candidates, "amin")
    padded = t.call("pad", indices, (0, 1))
    chosen = t.call("where", is_there, t.call("take", padded, first), 0)
    return t.call("where", is_there, largest, 0.0), chosen, sizes


TABLE.add(
    HostOp(
        "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, "
        "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
        "Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None)",
        "The sums (mode 0), means (1) or largest elements (2) of bags of rows at indices; then "
        "the bag of each index, the sizes of bags, and which rows had the largest elements.",
        "tri.embedding_bag(tri.tensor([[1.], [3.]]), tri.tensor([0, 1]), tri.tensor([0]))[0]"
        "  # tensor([[4.]])",
        _embedding_bag,
        methods=(),
        gradient=by_steps("EmbeddingBagBackward0", "weight", "per_sample_weights"),
        returns="tuple[Tensor, Tensor, Tensor, Tensor]",
    )
)


def _functional(
    t: WritingLanguage,
    input: Any,
    weight: Any,
    offsets: Any | None,
    max_norm: float | None,
    norm_type: float,
    scale_grad_by_freq: bool,
    mode: str,
    sparse: bool,
    per_sample_weights: Any | None,
    include_last_offset: bool,
    padding_idx: int | None,
) -> Any:
    spec = tensor_of(t, input)
    if spec.dtype.is_floating_point and not tensor_of(t, weight).dtype.is_floating_point:
        warn_user(
            "Argument order of nn.functional.embedding_bag was changed. Usage "
            "`embedding_bag(weight, input, ...)` is deprecated, and should now be "
            "`embedding_bag(input, weight, ...)`."
        )
        input, weight = weight, input
        spec = tensor_of(t, input)
    if per_sample_weights is not None and tensor_of(t, per_sample_weights).shape != spec.shape:
        shown = [
            f"trilith.Size({list(tensor_of(t, each).shape)})"
            for each in (per_sample_weights, input)
        ]
        raise TrilithValueError(
            f"embedding_bag: If per_sample_weights ({shown[0]}) is not None, then it must have the "
            f"same shape as the input ({shown[1]})"
        )
    rank = tensor_of(t, weight).rank
    if rank != 2:
        raise TrilithValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {rank}")
    offsets = _bags_of(t, input, offsets)
    if mode not in _MODES:
        raise TrilithValueError("mode has to be one of sum, mean or max")
    flat = t.call("reshape", input, (-1,)) if spec.rank == 2 else input
    include_last_offset = include_last_offset and spec.rank == 1
    if per_sample_weights is not None and spec.rank == 2:
        per_sample_weights = t.call("reshape", per_sample_weights, (-1,))
    if max_norm is not None:
        t.store(weight, renormed(t, weight, flat, max_norm, norm_type))
    if per_sample_weights is not None and mode != "sum":
        raise TrilithNotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
            f"for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    options = (False, _MODES[mode], False, per_sample_weights, include_last_offset, padding_idx)
    return t.call("embedding_bag", weight, flat, offsets, *options)[0]


def _bags_of(t: TensorLanguage, input: Any, offsets: Any | None) -> Any:
    """Return where bags begin: of two dims each row is one."""
    spec = tensor_of(t, input)
    if spec.rank == 2:
        if offsets is not None:
            raise TrilithValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                "of fixed length sequences. However, found offsets of type "
                "<class 'trilith.Tensor'>"
            )
        return t.call("arange", 0, spec.numel, spec.shape[1], device=spec.device)
    if spec.rank != 1:
        raise TrilithValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {spec.rank}"
        )
    if offsets is None:
        raise TrilithValueError("offsets has to be a 1D Tensor but got None")
    if tensor_of(t, offsets).rank != 1:
        raise TrilithValueError("offsets has to be a 1D Tensor")
    return offsets


TABLE.add(
    HostOp(
        "nn_functional_embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, "
        "float? max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, "
        "str mode='mean', bool sparse=False, Tensor? per_sample_weights=None, "
        "bool include_last_offset=False, int? padding_idx=None)",
        "The means, sums or largest elements of bags of rows at indices: those of each row of the "
        "input, or those from one offset on to the next.",
        "tri.nn.functional.embedding_bag(tri.tensor([[0, 1]]), tri.tensor([[1.], [3.]]))"
        "  # tensor([[2.]])",
        _functional,
        methods=(),
        is_public=False,
        places=("nn.functional.embedding_bag",),
    )
)
