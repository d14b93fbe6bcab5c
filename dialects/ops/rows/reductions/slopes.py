"""Which operation estimates derivatives from samples? gradient, by differences of neighbours.

Inside by a parabola through each sample and its neighbours; at both ends by the next sample, or by
a parabola through the next two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ....attributes.dtype import uint8
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError, TrilithTypeError
from ...frame.argument_values import is_number
from ...frame.opspec import composite
from ...frame.overloads import is_tensor, no_such_form
from ...frame.reduction_rules import reduced_dims
from ...frame.row import TensorLanguage
from ...frame.schema import KEYWORD_ALIASES, Schema
from ...frame.view_rows import tensor_of

Ints = tuple[int, ...]


def _gradient(
    t: TensorLanguage,
    input: Any,
    spacing: Sequence[Any] | None,
    places: Sequence[Any] | None,
    dim: Ints | None,
    edge_order: int,
) -> tuple[Any, ...]:
    spec = tensor_of(t, input)
    if spec.dtype is uint8:
        raise TrilithRuntimeError("trilith.gradient does not support uint8 input.")
    dims = tuple(range(spec.rank)) if dim is None else dim
    steps = places if places is not None else spacing
    if steps is None:
        steps = (1.0,) * len(dims)
    _check_count(len(steps), dim, spec.rank)
    if edge_order not in (1, 2):
        raise TrilithRuntimeError("trilith.gradient only supports edge_order=1 and edge_order=2.")
    if dims and any(spec.shape[each] <= edge_order for each in reduced_dims(dims, spec.rank)):
        raise TrilithRuntimeError(
            "trilith.gradient expected each dimension size to be at least edge_order+1"
        )
    slope = _even if places is None else _uneven
    pairs = zip(dims, steps, strict=True)
    return tuple(
        [slope(t, input, wrap_dim(each, spec.rank), step, edge_order) for each, step in pairs]
    )


def _check_count(count: int, dim: Ints | None, rank: int) -> None:
    """Refuse a list of spacings that are not those of the dims."""
    if dim is None and count != rank:
        raise TrilithRuntimeError(
            "trilith.gradient expected spacing to be unspecified, a scalar, or a list of length "
            f"equal to 'self.dim() = {rank}', since dim argument was not given, but got a list of "
            f"length {count}"
        )
    if dim is not None and count != len(dim):
        raise TrilithRuntimeError(
            "trilith.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
            f"arguments to have the same length, but got a spacing argument of length {count} and "
            f"a dim argument of length {len(dim)}."
        )


def _samples(t: TensorLanguage, input: Any, dim: int, first: int, count: int = 1) -> Any:
    """Return neighbouring samples; a negative place counts from the end."""
    size = tensor_of(t, input).shape[dim]
    return t.call("narrow", input, dim, first if first >= 0 else size + first, count)


def _weighted(t: TensorLanguage, samples: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Return the sum of products of three samples and their weights."""
    first, second, third = (
        t.call("mul", sample, weight) for sample, weight in zip(samples, weights, strict=True)
    )
    return t.call("add", t.call("add", first, second), third)


def _joined(t: TensorLanguage, dim: int, *parts: Any) -> Any:
    """Return the slopes at the start, inside and at the end one behind the other."""
    return t.call("cat", list(parts), dim)


def _even(t: TensorLanguage, input: Any, dim: int, step: Any, edge_order: int) -> Any:
    """Return the slopes of samples that are one step apart."""
    inner = tensor_of(t, input).shape[dim] - 2
    rise = t.call("sub", _samples(t, input, dim, 2, inner), _samples(t, input, dim, 0, inner))
    center = t.call("true_divide", t.call("true_divide", rise, step), 2)
    if edge_order == 1:
        ends = [
            t.call("sub", _samples(t, input, dim, place + 1), _samples(t, input, dim, place))
            for place in (0, -2)
        ]
    else:
        ends = [
            _weighted(t, [_samples(t, input, dim, each) for each in places], weights)
            for places, weights in (((0, 1, 2), (-1.5, 2, -0.5)), ((-3, -2, -1), (0.5, -2, 1.5)))
        ]
    start, end = (t.call("true_divide", each, step) for each in ends)
    return _joined(t, dim, start, center, end)


def _uneven(t: TensorLanguage, input: Any, dim: int, places: Any, edge_order: int) -> Any:
    """Return the slopes of samples at places, by the distances of neighbours."""
    found = tensor_of(t, places)
    if found.rank != 1:
        raise TrilithRuntimeError(
            "trilith.gradient expected each element of spacing to have one dimension, but got an "
            f"element with {found.rank} dimensions!"
        )
    spec = tensor_of(t, input)
    widths = t.call("diff", places)
    count = tensor_of(t, widths).shape[0]
    shape = tuple([-1 if each == dim else 1 for each in range(spec.rank)])
    before, after = (t.call("narrow", widths, 0, first, count - 1) for first in (0, 1))
    weights = [t.call("reshape", each, shape) for each in _middle(t, before, after)]
    inner = spec.shape[dim] - 2
    center = _weighted(t, [_samples(t, input, dim, each, inner) for each in range(3)], weights)
    if edge_order == 1:
        ends = [
            t.call(
                "true_divide",
                t.call("sub", _samples(t, input, dim, place + 1), _samples(t, input, dim, place)),
                t.call("select", widths, 0, width),
            )
            for place, width in ((0, 0), (-2, -1))
        ]
        return _joined(t, dim, ends[0], center, ends[1])
    near, next_ = (t.call("select", widths, 0, each) for each in (0, 1))
    last, previous = (t.call("select", widths, 0, each) for each in (-1, -2))
    start = [_samples(t, input, dim, each) for each in (0, 1, 2)]
    end = [_samples(t, input, dim, each) for each in (-1, -2, -3)]
    rising = _outer(t, near, next_)
    falling = [t.call("neg", each) for each in _outer(t, last, previous)]
    return _joined(t, dim, _weighted(t, start, rising), center, _weighted(t, end, falling))


def _middle(t: TensorLanguage, before: Any, after: Any) -> list[Any]:
    """Return the weights of three samples for the slope at the second one."""
    both = t.call("add", before, after)
    return [
        t.call("true_divide", t.call("neg", after), t.call("mul", before, both)),
        t.call("true_divide", t.call("sub", after, before), t.call("mul", before, after)),
        t.call("true_divide", before, t.call("mul", after, both)),
    ]


def _outer(t: TensorLanguage, near: Any, next_: Any) -> list[Any]:
    """Return the weights of three samples for the slope at the first one."""
    both = t.call("add", near, next_)
    more = t.call("add", t.call("mul", near, 2.0), next_)
    return [
        t.call("true_divide", t.call("neg", more), t.call("mul", near, both)),
        t.call("true_divide", both, t.call("mul", near, next_)),
        t.call("true_divide", t.call("neg", near), t.call("mul", next_, both)),
    ]


_FORMS = """
 * (Tensor input, *, tuple of ints dim, int edge_order = 1)
 * (Tensor input, *, Number spacing, tuple of ints dim, int edge_order = 1)
 * (Tensor input, *, Number spacing = None, int dim = None, int edge_order = 1)
 * (Tensor input, *, tuple of Scalars spacing, int dim = None, int edge_order = 1)
 * (Tensor input, *, tuple of Scalars spacing, tuple of ints dim, int edge_order = 1)
 * (Tensor input, *, tuple of Tensors spacing, int dim = None, int edge_order = 1)
 * (Tensor input, *, tuple of Tensors spacing, tuple of ints dim, int edge_order = 1)
"""


def _is_step(value: Any) -> bool:
    # What stands for a number of a traced function is refused later, in words of its own.
    spec = getattr(value, "spec", None)
    return is_number(value) or (spec is not None and not getattr(spec, "shape", ()))


def _count_of(dim: Any) -> int:
    return len(dim) if isinstance(dim, Sequence) else 1  # pyright: ignore[reportUnknownArgumentType]


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Tell one step, which is that of all dims, steps of dims, and places along each of them."""
    named = {KEYWORD_ALIASES.get(key, key): value for key, value in keywords.items()}
    spacing: Any = named.pop("spacing", None)
    if _is_step(spacing):
        dim: Any = named.get("dim")
        of_all = getattr(arguments[0] if arguments else named.get("input"), "ndim", 1)
        spacing = (spacing,) * (of_all if dim is None else _count_of(dim))
    if len(arguments) > 1 or not (spacing is None or isinstance(spacing, (tuple, list))):
        raise no_such_form(schema.name, arguments, keywords, _FORMS)
    spacing = cast("Sequence[Any] | None", spacing)
    items = spacing or ()
    if not items or all(_is_step(item) for item in items):
        return schema.bind(arguments, {**named, "spacing": spacing})
    for place, item in enumerate(items):
        if not is_tensor(item):
            raise TrilithTypeError(
                f"expected Tensor as element {place} in argument 1, but got {type(item).__name__}"
            )
    return schema.bind(arguments, {**named, "places": spacing})


composite(
    "gradient(Tensor input, *, Number[]? spacing=None, Tensor[]? places=None, int[]? dim=None, "
    "int edge_order=1)",
    "The slopes of samples along dims, a tensor for each: spacing is how far apart they are, or "
    "how far in each dim, or where those of each dim lie.",
    "tri.gradient(tri.tensor([1., 2., 4., 8.]))  # (tensor([1.0000, 1.5000, 3.0000, 4.0000]),)",
    _gradient,
    methods=(),
    binder=_bind,
    returns="tuple[Tensor, ...]",
    forms=(
        "gradient(Tensor input, *, Number? spacing=None, int[]? dim=None, int edge_order=1)",
        "gradient(Tensor input, *, Number[] spacing, int[]? dim=None, int edge_order=1)",
        "gradient(Tensor input, *, Tensor[] spacing, int[]? dim=None, int edge_order=1)",
        "gradient(Tensor input, *, Tensor[] places, int[]? dim=None, int edge_order=1)",
    ),
)
