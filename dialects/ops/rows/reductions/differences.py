"""Which operations look at neighbours along a dim? Differences, and areas under samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import bool_
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.opspec import composite
from ...frame.overloads import is_array, no_such_form
from ...frame.row import TensorLanguage
from ...frame.schema import KEYWORD_ALIASES, Schema
from ...frame.view_rows import tensor_of

# ---- differences


def _diff(
    t: TensorLanguage, input: Any, n: int, dim: int, prepend: Any | None, append: Any | None
) -> Any:
    spec = tensor_of(t, input)
    if not spec.rank:
        raise TrilithRuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise TrilithRuntimeError(f"order must be non-negative but got {n}")
    dim = wrap_dim(dim, spec.rank)
    for other in (prepend, append):
        if other is not None:
            _check_beside(spec, tensor_of(t, other), dim)
    if not n:
        return t.call("clone", input)
    parts = [part for part in (prepend, input, append) if part is not None]
    value = input if len(parts) == 1 else t.call("cat", parts, dim)
    size = tensor_of(t, value).shape[dim]
    for count in range(size - 1, size - 1 - min(n, size), -1):
        later = t.call("narrow", value, dim, 1, max(count, 0))
        earlier = t.call("narrow", value, dim, 0, max(count, 0))
        row = "logical_xor" if spec.dtype is bool_ else "sub"
        value = t.call(row, later, earlier)
    return value


def _check_beside(spec: TensorSpec, other: TensorSpec, dim: int) -> None:
    """Refuse what cannot be put before or behind a tensor."""
    if other.rank != spec.rank:
        raise TrilithRuntimeError(
            "diff expects prepend or append to be the same dimension as input"
        )
    for each, (size, found) in enumerate(zip(spec.shape, other.shape, strict=True)):
        if each != dim and size != found:
            raise TrilithRuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input "
                f"except along the differencing dimension; input.size({each}) = {size}, but got "
                f"tensor.size({each}) = {found}"
            )


composite(
    "diff(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)",
    "The differences of neighbours along a dim, n times; of bools whether they differ.",
    "tri.diff(tri.tensor([1, 4, 9]))  # tensor([3, 5])",
    _diff,
    has_out=True,
)

# ---- areas


def _sides(t: TensorLanguage, y: Any, dim: int) -> tuple[Any, Any]:
    """Return the samples on the left and on the right of each stretch."""
    count = max(tensor_of(t, y).shape[dim] - 1, 0)
    start = min(1, tensor_of(t, y).shape[dim])
    return t.call("narrow", y, dim, 0, count), t.call("narrow", y, dim, start, count)


def _widths(t: TensorLanguage, name: str, y: Any, x: Any, dim: int) -> Any:
    """Return how wide each stretch is; one dim of places is along the dim of the samples."""
    samples, places = tensor_of(t, y), tensor_of(t, x)
    if bool_ in (samples.dtype, places.dtype):
        raise TrilithRuntimeError(
            f"{name}: received a bool input for `x` or `y`, but bool is not supported"
        )
    if places.rank == 1:
        if places.shape[0] != samples.shape[dim]:
            raise TrilithRuntimeError(f"{name}: There must be one `x` value for each sample point")
        shape = tuple(-1 if each == dim else 1 for each in range(samples.rank))
        x = t.call("view", x, shape)
    elif places.rank < samples.rank:
        x = t.call("view", x, (1,) * (samples.rank - places.rank) + places.shape)
    left, right = _sides(t, x, dim)
    return t.call("sub", right, left)


def _step(t: TensorLanguage, name: str, y: Any, dx: complex | None) -> float:
    """Return the one width of all stretches."""
    if tensor_of(t, y).dtype is bool_:
        raise TrilithRuntimeError(
            f"{name}: received a bool input for `y`, but bool is not supported"
        )
    if isinstance(dx, (bool, complex)):
        raise TrilithRuntimeError(f"{name}: Currently, we only support dx as a real number.")
    return 1.0 if dx is None else float(dx)


def _trapezoid(t: TensorLanguage, y: Any, x: Any | None, dx: complex | None, dim: int) -> Any:
    spec = tensor_of(t, y)
    if not spec.rank and dim in (0, -1):
        shown = dim if x is None else 0
        raise TrilithIndexError(f"Dimension specified as {shown} but tensor has no dimensions")
    wrapped = wrap_dim(dim, spec.rank)
    if not spec.shape[wrapped]:
        shape = (*spec.shape[:wrapped], *spec.shape[wrapped + 1 :])
        return t.call("zeros", shape, dtype=spec.dtype, device=spec.device)
    if x is not None:
        widths = _widths(t, "trapezoid", y, x, wrapped)
        left, right = _sides(t, y, wrapped)
        areas = t.call("mul", t.call("add", left, right), widths)
        return t.call("div", t.call("sum", areas, wrapped), 2.0)
    step = _step(t, "trapezoid", y, dx)
    ends = t.call("add", t.call("select", y, wrapped, 0), t.call("select", y, wrapped, -1))
    inner = t.call("sub", t.call("sum", y, wrapped), t.call("mul", ends, 0.5))
    return t.call("mul", inner, step)


def _cumulative(t: TensorLanguage, y: Any, x: Any | None, dx: complex | None, dim: int) -> Any:
    name = "cumulative_trapezoid"
    if not tensor_of(t, y).rank and dim in (0, -1):
        raise TrilithIndexError("slice() cannot be applied to a 0-dim tensor.")
    wrapped = wrap_dim(dim, tensor_of(t, y).rank)
    if x is not None:
        widths = _widths(t, name, y, x, wrapped)
        sums = t.call("add", *_sides(t, y, wrapped))
        return t.call("div", t.call("cumsum", t.call("mul", sums, widths), wrapped), 2.0)
    half = _step(t, name, y, dx) / 2
    areas = t.call("mul", t.call("add", *_sides(t, y, wrapped)), half)
    return t.call("cumsum", areas, wrapped)


_FORMS = {
    "trapz": """
 * (Tensor y, *, float dx = 1, int dim = -1)
 * (Tensor y, Tensor x, *, int dim = -1)
"""
}
_USUAL_FORMS = """
 * (Tensor y, Tensor x, *, int dim = -1)
 * (Tensor y, *, Number dx = 1, int dim = -1)
"""


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Take places or a width, not both."""
    named = {KEYWORD_ALIASES.get(key, key): value for key, value in keywords.items()}
    given = dict(zip(("y", "x"), arguments, strict=False))
    is_clash = len(arguments) > len(given) or bool(given.keys() & named.keys())
    given |= named
    kinds = {"y": is_array, "x": is_array, "dx": is_number, "dim": _is_integer}
    fits = given.keys() <= kinds.keys() and "y" in given and not {"x", "dx"} <= given.keys()
    if is_clash or not fits or not all(kinds[name](value) for name, value in given.items()):
        forms = _FORMS.get(schema.name, _USUAL_FORMS)
        raise no_such_form(schema.name, arguments, keywords, forms)
    return schema.bind((), given)


def _is_integer(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


for _name, _expand, _doc, _example in (
    (
        "trapezoid",
        _trapezoid,
        "The area under samples along a dim, by the trapezoids between neighbours.",
        "tri.trapezoid(tri.tensor([1., 2., 4.]))  # tensor(4.5000)",
    ),
    (
        "trapz",
        _trapezoid,
        "The area under samples along a dim: trapezoid by another name.",
        "tri.trapz(tri.tensor([1., 2., 4.]))  # tensor(4.5000)",
    ),
    (
        "cumulative_trapezoid",
        _cumulative,
        "The areas under samples up to each one but the first along a dim.",
        "tri.cumulative_trapezoid(tri.tensor([1., 2., 4.]))  # tensor([1.5000, 4.5000])",
    ),
):
    composite(
        f"{_name}(Tensor y, Tensor? x=None, *, Number? dx=None, int dim=-1)",
        _doc,
        _example,
        _expand,
        methods=(),
        binder=_bind,
        forms=(
            f"{_name}(Tensor y, Tensor x, *, int dim=-1)",
            f"{_name}(Tensor y, *, Number dx=1, int dim=-1)",
        ),
    )
