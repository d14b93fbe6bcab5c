"""Which operations compare whole vectors? Similarities, distances, and losses that go by these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import Category
from ....attributes.promotion import result_type
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ...frame.indexed import HostOp
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.view_rows import tensor_of
from .loss_reductions import (
    BY_NUMBER,
    LEGACY,
    flat,
    function,
    reduced,
    with_legacy,
    with_number,
    written,
)


def _length(t: TensorLanguage, x: Any, p: float, dim: int, keepdim: bool) -> Any:
    return t.call("linalg_vector_norm", x, p, (dim,), keepdim)


# ---- similarity


def _cosine_similarity(t: TensorLanguage, x1: Any, x2: Any, dim: int, eps: float) -> Any:
    specs = [tensor_of(t, value) for value in (x1, x2)]
    common = result_type(*(spec.operand for spec in specs))
    if not common.is_floating_point:
        raise TrilithRuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + common.c_name
        )
    shape = broadcast_shapes(*(spec.shape for spec in specs))
    dim = wrap_dim(dim, len(shape))
    directions: list[Any] = []
    for value, spec in zip((x1, x2), specs, strict=True):
        if spec.dtype.category <= Category.INTEGRAL:
            value = t.call("to", value, common)
        value = t.call("expand", value, shape)
        length = _length(t, value, 2.0, dim, True)
        directions.append(t.call("div", value, t.call("clamp_min_unseen", length, eps)))
    return t.call("sum", t.call("mul", *directions), (dim,))


def _normalize(
    t: TensorLanguage, input: Any, p: float, dim: tuple[int, ...] | None, eps: float
) -> Any:
    length = t.call("linalg_vector_norm", input, p, dim, True)
    length = t.call("clamp_min", length, eps)
    return t.call("div", input, t.call("expand", length, tensor_of(t, input).shape))


composite(
    "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)",
    "The cosine of the angle between vectors along a dim.",
    "tri.cosine_similarity(tri.tensor([[3., 4.]]), tri.tensor([[4., 3.]]))  # tensor([0.9600])",
    _cosine_similarity,
    methods=(),
    places=("nn.functional.cosine_similarity",),
)
function(
    "normalize(Tensor input, float p=2.0, int[1]? dim=1, float eps=1e-12)",
    "Vectors along a dim or several, divided by their p-norm or by eps if that is larger.",
    "tri.nn.functional.normalize(tri.tensor([[3., 4.]]))  # tensor([[0.6000, 0.8000]])",
    _normalize,
    places=("nn.functional.normalize",),
    has_out=True,
)


# ---- distance


def _pairwise_distance(
    t: TensorLanguage, x1: Any, x2: Any, p: float, eps: float, keepdim: bool
) -> Any:
    difference = t.call("add", t.call("sub", x1, x2), eps)
    return _length(t, difference, p, -1, keepdim)


composite(
    "pairwise_distance(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False)",
    "The p-norm of x1 - x2 + eps along the last dim.",
    "tri.pairwise_distance(tri.tensor([[3., 4.]]), tri.zeros(1, 2))  # tensor([5.0000])",
    _pairwise_distance,
    methods=(),
    places=("nn.functional.pairwise_distance",),
)


def _check_ranks(t: TensorLanguage, anchor: Any, positive: Any, negative: Any) -> None:
    ranks = [tensor_of(t, value).rank for value in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise TrilithRuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative "
            f"{ranks[2]}D inputs"
        )


def _check_margin(margin: float) -> None:
    if margin <= 0:
        raise TrilithValueError(f"margin must be greater than 0, got {margin}")


def _triplet(
    t: TensorLanguage,
    triplet: tuple[Any, Any, Any],
    distance: Callable[[Any, Any], Any],
    margin: float,
    swap: bool,
) -> Any:
    """Return how much nearer than the negative one, by a margin, the positive one should be."""
    _check_ranks(t, *triplet)
    anchor, positive, negative = triplet
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = t.call("minimum", far, distance(positive, negative))
    return t.call("clamp_min", t.call("sub", t.call("add", near, margin), far), 0)


def _triplet_margin_loss(
    t: TensorLanguage,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float,
    p: float,
    eps: float,
    swap: bool,
    reduction: str,
) -> Any:
    def distance(first: Any, second: Any) -> Any:
        return _pairwise_distance(t, first, second, p, eps, False)

    loss = _triplet(t, (anchor, positive, negative), distance, margin, swap)
    return reduced(t, loss, reduction)


def _triplet_of_margin(t: TensorLanguage, margin: float, **arguments: Any) -> Any:
    _check_margin(margin)
    return _triplet_margin_loss(t, margin=margin, **arguments)


def _triplet_with_distance(
    t: TensorLanguage,
    anchor: Any,
    positive: Any,
    negative: Any,
    distance_function: Any,
    margin: float,
    swap: bool,
    reduction: str,
) -> Any:
    if reduction not in ("mean", "sum", "none"):
        raise TrilithValueError(f"{reduction} is not a valid value for reduction")
    _check_margin(margin)

    def distance(first: Any, second: Any) -> Any:
        if distance_function is not None:
            return distance_function(first, second)
        return t.call("pairwise_distance", first, second)

    return reduced(t, _triplet(t, (anchor, positive, negative), distance, margin, swap), reduction)


_TRIPLET = "(tri.zeros(1, 2), tri.ones(1, 2), tri.tensor([[3., 4.]]), margin=5.)"

function(
    "nn_functional_triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, "
    "float margin=1.0, float p=2, float eps=1e-06, bool swap=False, bool? size_average=None, "
    "bool? reduce=None, str reduction='mean')",
    "How much nearer than negative ones, by a margin, positive ones should be, reduced.",
    f"tri.nn.functional.triplet_margin_loss{_TRIPLET}  # tensor(1.4142)",
    with_legacy(_triplet_of_margin),
    places=("nn.functional.triplet_margin_loss",),
)
flat(
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "
    f"float p=2.0, float eps=1e-06, bool swap=False, {BY_NUMBER})",
    "How much nearer than negative ones, by a margin, positive ones should be, reduced.",
    f"tri.triplet_margin_loss{_TRIPLET}  # tensor([1.4142])",
    with_number(_triplet_margin_loss),
)
TABLE.add(
    HostOp(
        "triplet_margin_with_distance_loss(Tensor anchor, Tensor positive, Tensor negative, *, "
        "function? distance_function=None, float margin=1.0, bool swap=False, "
        "str reduction='mean')",
        "`triplet_margin_loss` by a distance that is a function of two tensors.",
        f"tri.nn.functional.triplet_margin_with_distance_loss{_TRIPLET}  # tensor(1.4142)",
        _triplet_with_distance,
        methods=(),
        is_public=False,
        places=("nn.functional.triplet_margin_with_distance_loss",),
    )
)


# ---- cosines


def _cosine_embedding_loss(
    t: TensorLanguage, input1: Any, input2: Any, target: Any, margin: float, reduction: str
) -> Any:
    first, second = tensor_of(t, input1), tensor_of(t, input2)
    dim = tensor_of(t, target).rank
    if dim > 1:
        raise TrilithRuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if first.rank != dim + 1 or second.rank != dim + 1:
        raise TrilithRuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes "
            f"{list(first.shape)} and {list(second.shape)}."
        )

    def along(a: Any, b: Any) -> Any:
        return t.call("sum", t.call("mul", a, b), (dim,))

    squares = (t.call("add", along(value, value), 1e-12) for value in (input1, input2))
    cosine = t.call("div", along(input1, input2), t.call("sqrt", t.call("mul", *squares)))
    alike = t.call("where", t.call("eq", target, 1), t.call("sub", 1, cosine), 0)
    beyond = written(t, "clamp_min", t.call("sub", cosine, margin), 0)
    different = t.call("where", t.call("eq", target, -1), beyond, 0)
    return reduced(t, t.call("add", alike, different), reduction)


_COSINE = "(tri.tensor([[3., 4.]]), tri.tensor([[4., 3.]]), tri.tensor([1.]))"

function(
    "nn_functional_cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, "
    f"float margin=0, {LEGACY})",
    "1 less the cosine where target is 1, and the cosine beyond a margin where it is -1, reduced.",
    f"tri.nn.functional.cosine_embedding_loss{_COSINE}  # tensor(0.0400)",
    with_legacy(_cosine_embedding_loss),
    places=("nn.functional.cosine_embedding_loss",),
)
flat(
    "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, "
    f"{BY_NUMBER})",
    "1 less the cosine where target is 1, and the cosine beyond a margin where it is -1, reduced.",
    f"tri.cosine_embedding_loss{_COSINE}  # tensor([0.0400])",
    with_number(_cosine_embedding_loss),
)
