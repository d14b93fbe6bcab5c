"""Which operations count values by kind? bincount by integers, histogram by ranges.

A bin is found by arithmetic, then counts are added up in order, as sums of a scatter are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import float32, float64, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import UNKNOWN
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.named_results import named_results
from ...frame.out_rules import histogram_dtype
from ...frame.overloads import is_array, no_such_form
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import INTEGERS, check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of

# ---- by integers


def _bincount(t: ValueLanguage, input: Any, weights: Any | None, minlength: int) -> Any:
    spec = tensor_of(t, input)
    check_dtype("bincount", spec.dtype, INTEGERS)
    if minlength < 0:
        raise TrilithRuntimeError("minlength should be >= 0")
    if spec.rank == 1 and not spec.numel:
        return t.call("zeros", (minlength,), dtype=int64, device=spec.device)
    least = t.number(t.call("amin", input)) if spec.rank == 1 and spec.numel else -1
    if least is None:
        # Values are not known: this refuses.
        return t.positions(input, "count by one_hot(x, num_classes=n).sum(0), n being known")
    if least < 0:
        raise TrilithRuntimeError("bincount only supports 1-d non-negative integral inputs.")
    dtype = int64
    if weights is not None:
        given = tensor_of(t, weights)
        if given.shape != spec.shape:
            raise TrilithRuntimeError("weights should be 1-d and have the same length as input")
        dtype = float32 if given.dtype is float32 else float64
        weights = t.call("to", weights, dtype)
    most = t.number(t.call("amax", input)) or 0
    return _added(t, t.call("to", input, int64), weights, max(most + 1, minlength), dtype)


def _added(t: TensorLanguage, places: Any, weights: Any, size: int, dtype: Any) -> Any:
    """Return what is added up for each place; each counts 1 without weights."""
    spec = tensor_of(t, places)
    if weights is None:
        one = t.call("ones", (), dtype=dtype, device=spec.device)
        weights = t.call("expand", one, spec.shape)
    start = t.call("zeros", (size,), dtype=dtype, device=spec.device)
    return t.call("scatter_add", start, 0, places, weights)


TABLE.add(
    HostOp(
        "bincount(Tensor input, Tensor? weights=None, int minlength=0)",
        "How often each integer from 0 on occurs, or the sum of its weights.",
        "tri.bincount(tri.tensor([1, 3, 1]))  # tensor([0, 2, 0, 1])",
        _bincount,
        has_out=False,
        gradient=UNKNOWN,
    )
)

# ---- by ranges of equal width


def _bounds(
    t: ValueLanguage, x: Any, given: tuple[float, float] | None, name: str
) -> tuple[Any, Any]:
    """Return where the first bin begins and the last one ends, as 0-dim tensors."""
    spec = tensor_of(t, x)
    options = {"dtype": spec.dtype, "device": spec.device}
    if given is not None:
        low, high = (t.call("full", (), bound, **options) for bound in given)
    elif spec.numel:
        low, high = t.call("aminmax", x)
    else:
        low, high = (t.call("full", (), bound, **options) for bound in (0, 1))
    if not _is_known(t, t.call("logical_and", t.call("isfinite", low), t.call("isfinite", high))):
        raise TrilithRuntimeError(name.format(_word(t, low), _word(t, high)))
    return low, high


def _is_known(t: ValueLanguage, condition: Any) -> bool:
    """Whether a condition holds, or is not known while a function is traced."""
    number = t.number(t.call("to", condition, int64))
    return number is None or bool(number)


def _word(t: ValueLanguage, bound: Any) -> str:
    """Return a number as PyTorch writes it in a text."""
    if _is_known(t, t.call("isnan", bound)):
        return "nan"
    if _is_known(t, t.call("isinf", bound)):
        return "inf" if _is_known(t, t.call("gt", bound, 0)) else "-inf"
    return f"{bound.item():g}"


def _scaled(t: TensorLanguage, x: Any, low: Any, high: Any, bins: int) -> Any:
    """Return the bin of each element between the bounds; the last bin has its end."""
    steps = t.call("mul", t.call("sub", x, low), bins)
    place = t.call("true_divide", steps, t.call("sub", high, low))
    whole = t.call("to", place, int64)
    return t.call("where", t.call("eq", whole, bins), bins - 1, whole)


def _kept(t: TensorLanguage, x: Any, places: Any, low: Any, high: Any, bins: int) -> Any:
    """Return the places, and one behind all bins for what lies in none."""
    inside = t.call("logical_and", t.call("ge", x, low), t.call("le", x, high))
    return t.call("where", inside, t.call("clamp", places, 0, bins - 1), bins)


def _sums(t: TensorLanguage, places: Any, weights: Any, bins: int, dtype: Any) -> Any:
    """Return the sums of all bins, without what lies in none."""
    added = _added(t, places, weights, bins + 1, dtype)
    return t.call("clone", t.call("narrow", added, 0, 0, bins))


def _check_bins(bins: int) -> None:
    if bins <= 0:
        raise TrilithRuntimeError(
            f"trilith.histogram(): bins must be > 0, but got {bins} for dimension 0"
        )


def _apart(t: TensorLanguage, low: Any, high: Any, margin: float) -> tuple[Any, Any]:
    """Return bounds that differ: equal ones are moved by a margin."""
    are_equal = t.call("eq", low, high)
    below = t.call("where", are_equal, t.call("sub", low, margin), low)
    above = t.call("where", are_equal, t.call("add", high, margin), high)
    return below, above


# ---- by edges


def _edges(
    t: ValueLanguage, input: Any, bins: Any, range: tuple[float, ...] | None
) -> tuple[Any, int]:
    """Return the edges of the bins, and how many bins there are."""
    spec, given = tensor_of(t, input), t.spec(bins)
    if isinstance(given, TensorSpec):
        _check_edges(spec, given)
        _check_bins(given.numel - 1)
        return t.call("clone", bins), given.numel - 1
    _check_bins(bins)
    if range is not None and len(range) != 2:
        raise TrilithRuntimeError(
            "trilith.histogramdd: for a 1-dimensional histogram range should have 2 elements, but "
            f"got {len(range)}"
        )
    words = "trilith.histogramdd: dimension 0's range [{}, {}] is not finite"
    flat = t.call("reshape", input, (spec.numel,))
    low, high = _bounds(t, flat, None if range is None else (range[0], range[1]), words)
    if range is not None and range[0] > range[1]:
        raise TrilithRuntimeError(
            "trilith.histogramdd: min should not exceed max, but got min "
            f"{range[0]:g} max {range[1]:g} for dimension 0"
        )
    low, high = _apart(t, low, high, 0.5)
    return _even_edges(t, low, high, bins), bins


def _even_edges(t: TensorLanguage, low: Any, high: Any, bins: int) -> Any:
    """Return edges in equal steps, counted from the nearer end as `linspace` does."""
    spec = tensor_of(t, low)
    options = {"dtype": spec.dtype, "device": spec.device}
    step = t.call("true_divide", t.call("sub", high, low), bins)
    count = t.call("arange", bins + 1, **options)
    rest = t.call("flip", count, (0,))
    first = t.call("add", low, t.call("mul", step, count))
    last = t.call("sub", high, t.call("mul", step, rest))
    return t.call("where", t.call("lt", count, (bins + 1) // 2), first, last)


def _check_edges(spec: TensorSpec, edges: TensorSpec) -> None:
    if edges.dtype is not spec.dtype:
        raise TrilithRuntimeError(
            "trilith.histogramdd: input tensor and bins tensors should have the same dtype, but "
            f"got input with dtype {c_type(spec.dtype)} and bins for dimension 0 with dtype "
            f"{c_type(edges.dtype)}"
        )
    if edges.rank != 1:
        raise TrilithRuntimeError(
            "trilith.histogramdd: bins tensor should have one dimension, but got "
            f"{edges.rank} dimensions in the bins tensor for dimension 0"
        )
    if not edges.numel:
        raise TrilithRuntimeError(
            "trilith.histogramdd: bins tensor should have at least 1 element, but got 0 elements "
            "in the bins tensor for dimension 0"
        )


def _check_weight(spec: TensorSpec, weight: TensorSpec) -> None:
    if weight.shape != spec.shape:
        raise TrilithRuntimeError(
            "trilith.histogramdd: if weight tensor is provided it should have the same shape as "
            "the input tensor excluding its innermost dimension, but got input with shape "
            f"{[*spec.shape, 1]} and weight with shape {list(weight.shape)}"
        )
    if weight.dtype is not spec.dtype:
        raise TrilithRuntimeError(
            "trilith.histogramdd: if weight tensor is provided, input tensor and weight tensor "
            f"should have the same dtype, but got input({c_type(spec.dtype)}), and "
            f"weight({c_type(weight.dtype)})"
        )


def _count_below(t: TensorLanguage, edges: Any, x: Any) -> Any:
    """Return how many of the sorted edges each element reaches: by halving what is left."""
    size = tensor_of(t, edges).numel
    found = t.call("zeros_like", x, dtype=int64)
    step = 1 << (size.bit_length() - 1)
    while step:
        tried = t.call("add", found, step)
        edge = t.call("take", edges, t.call("clamp_max", t.call("sub", tried, 1), size - 1))
        is_reached = t.call("logical_and", t.call("le", edge, x), t.call("le", tried, size))
        found = t.call("where", is_reached, tried, found)
        step >>= 1
    return found


def _corrected(t: TensorLanguage, edges: Any, x: Any, guess: Any) -> Any:
    """Return the bins by the edges, next to bins that arithmetic gives."""
    last = tensor_of(t, edges).numel - 1
    guess = t.call("clamp", guess, 0, last - 1)
    below = t.call("lt", x, t.call("take", edges, guess))
    above = t.call("ge", x, t.call("take", edges, t.call("add", guess, 1)))
    return t.call(
        "add", guess, t.call("sub", t.call("to", above, int64), t.call("to", below, int64))
    )


def _histogram(
    t: ValueLanguage,
    input: Any,
    bins: Any,
    range: tuple[float, ...] | None,
    weight: Any | None,
    density: bool,
) -> Any:
    spec = tensor_of(t, input)
    if not isinstance(t.spec(bins), TensorSpec) or tensor_of(t, bins).dtype is spec.dtype:
        check_dtype("histogram.edges", spec.dtype, _WIDE)
    if weight is not None:
        _check_weight(spec, tensor_of(t, weight))
        weight = t.call("reshape", weight, (spec.numel,))
    edges, count = _edges(t, input, bins, range)
    flat = t.call("reshape", input, (spec.numel,))
    low, high = t.call("select", edges, 0, 0), t.call("select", edges, 0, -1)
    if isinstance(t.spec(bins), TensorSpec):
        places = t.call("sub", _count_below(t, edges, flat), 1)
    else:
        places = _corrected(t, edges, flat, _scaled(t, flat, low, high, count))
    places = _kept(t, flat, places, low, high, count)
    sums = _sums(t, places, weight, count, spec.dtype)
    if density:
        sums = t.call("div", t.call("div", sums, t.call("sum", sums)), t.call("diff", edges))
    return _HISTOGRAM(sums, edges)


_WIDE = frozenset({float32, float64})
_HISTOGRAM = named_results("histogram", "hist", "bin_edges")
_FORMS = """
 * (Tensor input, Tensor bins, *, Tensor weight = None, bool density = False, tuple of Tensors \
out = None)
 * (Tensor input, int bins = 100, *, tuple of floats range = None, Tensor weight = None, \
bool density = False, tuple of Tensors out = None)
"""


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Edges that are given have their range."""
    bins = arguments[1] if len(arguments) > 1 else keywords.get("bins", 100)
    has_edges = is_array(bins)
    fits = (has_edges and "range" not in keywords) or (
        isinstance(bins, int) and not isinstance(bins, bool)
    )
    if not fits:
        raise no_such_form(schema.name, arguments, keywords, _FORMS)
    return schema.bind(arguments, keywords)


TABLE.add(
    HostOp(
        "histogram(Tensor input, Operand bins=100, *, float[]? range=None, Tensor? weight=None, "
        "bool density=False)",
        "How many elements, or what weights, lie between edges; the edges, if there are none, are "
        "those of so many equal ranges.",
        "tri.histogram(tri.tensor([1., 2., 1.]), 2).hist  # tensor([2., 1.])",
        _histogram,
        binder=_bind,
        has_out=True,
        refuse_outs=(
            histogram_dtype("hist"),
            histogram_dtype("bin_edges", " for dimension 0"),
        ),
        returns="return_types.histogram",
        named_results=_HISTOGRAM,
        forms=(
            "histogram(Tensor input, Tensor bins, *, Tensor? weight=None, bool density=False)",
            "histogram(Tensor input, int bins=100, *, float[]? range=None, Tensor? weight=None, "
            "bool density=False)",
        ),
        gradient=UNKNOWN,
    )
)
