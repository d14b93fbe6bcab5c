"""Which elements stand at a place of the order? Medians and quantiles.

NaN is behind all numbers. The operations that leave it out count places among the others;
for the rest one NaN is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import DType, float32, float64, int64
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.named_results import NamedResults, named_results
from ...frame.opspec import composite
from ...frame.overloads import is_array, no_such_form
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import FLOATS, INTEGERS, check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from ...gradients.reductions import of_median

# ---- medians


def _median(
    name: str,
    kind: type[NamedResults],
    t: TensorLanguage,
    input: Any,
    dim: int | None,
    keepdim: bool,
) -> Any:
    spec = tensor_of(t, input)
    if dim is None:
        return _of_all(t, name, input)
    wrapped = wrap_dim(dim, spec.rank)
    if spec.rank and not spec.shape[wrapped]:
        raise TrilithIndexError(
            f"median(): Expected reduction dim {wrapped} to have non-zero size."
        )
    check_dtype("median.out", spec.dtype, INTEGERS | FLOATS)
    if not spec.rank:
        return kind(t.call("clone", input), t.call("zeros", (), dtype=int64, device=spec.device))
    parts = _at_the_middle(t, name, input, wrapped)
    if not keepdim:
        parts = tuple(t.call("squeeze", part, wrapped) for part in parts)
    return kind(*(t.call("contiguous", part) for part in parts))


def _of_all(t: TensorLanguage, name: str, input: Any) -> Any:
    spec = tensor_of(t, input)
    if not spec.numel:
        # Of any dtype: what a NaN is converted to.
        nothing = t.call("full", (), float("nan"), dtype=float32, device=spec.device)
        return t.call("to", nothing, spec.dtype)
    check_dtype("median", spec.dtype, INTEGERS | FLOATS)
    flat = t.call("reshape", input, (spec.numel,))
    return t.call("squeeze", _at_the_middle(t, name, flat, 0)[0], 0)


def _at_the_middle(t: TensorLanguage, name: str, input: Any, dim: int) -> tuple[Any, ...]:
    """Return the lower of the middle elements along a dim, which stays, and its index."""
    return t.call("median_along", input, dim, name == "nanmedian")


def _same_type(name: str, result: DType, out: DType) -> None:
    if out is not result:
        word = "values" if result is not int64 else "indices"
        found, wanted = (c_type(dtype).capitalize() for dtype in (out, result))
        raise TrilithRuntimeError(
            f"Expected tensor for '{word}' to have the same type as tensor for argument #2 'self'; "
            f"but type trilith.{found}Tensor does not equal trilith.{wanted}Tensor (while checking "
            f"arguments for {name})"
        )


def _add_median(name: str, words: str, example: str) -> None:
    """Register a median and what it is along a dim."""
    kind = named_results(name, "values", "indices")
    composite(
        f"{name}(Tensor input, int? dim=None, bool keepdim=False)",
        f"The lower of the middle elements{words}; along dim with its index.",
        example,
        partial(_median, name, kind),
        has_out=True,
        overloads=(
            "Tensor input",
            "Tensor input, int dim, bool keepdim=False, *, Tensor[]? out=None",
        ),
        forms=(
            f"{name}(Tensor input)",
            f"{name}(Tensor input, int dim, bool keepdim=False) -> return_types.{name}",
        ),
        refuse_outs=partial(_same_type, "median"),
        gradient=of_median(name.capitalize()),
    )


_add_median(
    "median", ", NaN if there is one", "tri.median(tri.tensor([3., 1., 2., 5.]))  # tensor(2.)"
)
_add_median(
    "nanmedian",
    " that are not NaN",
    "tri.nanmedian(tri.tensor([3., 1., float('nan')]))  # tensor(1.)",
)

# ---- quantiles

#: Interpolation -> the row that makes a whole place of one between two; None takes both.
_ROUNDINGS: Mapping[str, str | None] = {
    "linear": None,
    "lower": "floor",
    "higher": "ceil",
    "midpoint": None,
    "nearest": "round",
}


def _quantile(
    ignores_nan: bool,
    t: ValueLanguage,
    input: Any,
    q: Any,
    dim: int | None,
    keepdim: bool,
    interpolation: str,
) -> Any:
    spec = tensor_of(t, input)
    if interpolation not in _ROUNDINGS:
        raise TrilithRuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )
    shares = _shares(t, spec, q)
    wrapped = wrap_dim(dim or 0, spec.rank)
    _refuse_shares(t, shares)
    rank = tensor_of(t, shares).rank
    if dim is None or not spec.rank:
        rows = t.call("reshape", input, (spec.numel,))
    else:
        rows = t.call("movedim", input, wrapped, -1)
    places = _places(t, rows, t.call("reshape", shares, (-1,)), ignores_nan)
    found = _between(t, rows, places, interpolation)
    if not rank:
        found = t.call("squeeze", found, -1)
    if keepdim and dim is None:
        found = t.call("reshape", found, (*[1] * spec.rank, *tensor_of(t, found).shape))
    elif keepdim and spec.rank:
        found = t.call("unsqueeze", found, wrapped)
    return t.call("movedim", found, -1, 0) if rank else found


def _shares(t: TensorLanguage, spec: TensorSpec, q: Any) -> Any:
    """Return what part of the elements lies below, as a tensor, after PyTorch's checks."""
    if is_number(q):
        if not 0 <= float(q.real) <= 1:
            raise TrilithRuntimeError(
                f"quantile() q must be in the range [0, 1] but got {float(q.real):g}"
            )
        q = t.call("full", (), q, dtype=spec.dtype, device=spec.device)
    given = tensor_of(t, q)
    if not spec.numel:
        raise TrilithRuntimeError("quantile() input tensor must be non-empty")
    if given.rank > 1:
        raise TrilithRuntimeError("quantile() q must be a scalar or 1D tensor")
    if spec.dtype not in (float32, float64):
        raise TrilithRuntimeError("quantile() input tensor must be either float or double dtype")
    if given.dtype is not spec.dtype:
        raise TrilithRuntimeError("quantile() q tensor must be same dtype as the input tensor")
    return q


def _refuse_shares(t: ValueLanguage, shares: Any) -> None:
    inside = t.call("logical_and", t.call("ge", shares, 0), t.call("le", shares, 1))
    number = t.number(t.call("to", t.call("all", inside), int64))
    if number is not None and not number:
        raise TrilithRuntimeError("quantile() q values must be in the range [0, 1]")


def _places(t: TensorLanguage, rows: Any, shares: Any, ignores_nan: bool) -> Any:
    """Return where the quantiles are among the elements of rows in order."""
    are_numbers = t.call("eq", rows, rows)
    if ignores_nan:
        last = t.call("sub", t.call("sum", are_numbers, -1, True), 1)
        return t.call("clamp_min", t.call("mul", shares, last), 0)
    last = tensor_of(t, rows).shape[-1] - 1
    has_nan = t.call("logical_not", t.call("all", are_numbers, -1, True))
    return t.call("where", has_nan, last, t.call("mul", shares, last))


def _between(t: TensorLanguage, rows: Any, places: Any, interpolation: str) -> Any:
    """Return the elements of rows in order at places, or what lies between two of them."""
    rounding = _ROUNDINGS[interpolation]
    if rounding is not None:
        places = t.call(rounding, places)
    below = t.call("to", places, int64)
    if rounding is not None:
        return t.call("elements_of_ranks", rows, below)
    above = t.call("to", t.call("ceil", places), int64)
    both = t.call("elements_of_ranks", rows, t.call("stack", (below, above)))
    weights = (
        t.call("full_like", places, 0.5)
        if interpolation == "midpoint"
        else t.call("sub", places, below)
    )
    return t.call("lerp", *(t.call("select", both, 0, number) for number in (0, 1)), weights)


def _same_dtype(result: DType, out: DType) -> None:
    if out is not result:
        raise TrilithRuntimeError("quantile() out tensor must be same dtype as the input tensor")


_QUANTILE_FORMS = """
 * (Tensor input, Tensor q, int dim = None, bool keepdim = False, *, str interpolation = \
"linear", Tensor out = None)
 * (Tensor input, float q, int dim = None, bool keepdim = False, *, str interpolation = \
"linear", Tensor out = None)
"""


def _bind_quantile(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take a number or a tensor as q, no list."""
    q = arguments[1] if len(arguments) > 1 else keywords.get("q", 0.0)
    if not is_number(q) and not is_array(q) and not hasattr(q, "spec"):
        raise no_such_form(schema.name, arguments, keywords, _QUANTILE_FORMS)
    return schema.bind(arguments, keywords)


def _add_quantile(name: str, words: str, example: str, expand: Callable[..., Any]) -> None:
    TABLE.add(
        HostOp(
            f"{name}(Tensor input, Operand q, int? dim=None, bool keepdim=False, *, "
            "str interpolation='linear')",
            f"What the part q of the elements along dim{words} lies below; each of several q has "
            "its place in a first dim.",
            example,
            expand,
            binder=_bind_quantile,
            has_out=True,
            refuse_out=_same_dtype,
        )
    )


_add_quantile(
    "quantile",
    "",
    "tri.quantile(tri.tensor([1., 2., 4.]), 0.75)  # tensor(3.)",
    partial(_quantile, False),
)
_add_quantile(
    "nanquantile",
    " that are not NaN",
    "tri.nanquantile(tri.tensor([1., 2., 4., float('nan')]), 0.75)  # tensor(3.)",
    partial(_quantile, True),
)
