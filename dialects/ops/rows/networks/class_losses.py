"""How far are scores from classes? nll_loss of logarithms, cross_entropy of any scores."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import int64, uint8
from ....diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithValueError
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from ...gradients.losses import OF_NLL_LOSS
from .loss_reductions import checked, legacy
from .softmax import cast_to

# ---- checks


def _check_target(t: TensorLanguage, input: Any, target: Any) -> None:
    """Refuse classes whose shape is not that of the scores without theirs."""
    spec, aim = tensor_of(t, input), tensor_of(t, target)
    if not spec.rank:
        raise TrilithValueError("Expected 1 or more dimensions (got 0)")
    count = aim.shape[0] if aim.rank else 0
    if spec.rank > 1 and spec.shape[0] != count:
        raise TrilithValueError(
            f"Expected input batch_size ({spec.shape[0]}) to match target batch_size ({count})."
        )
    if spec.rank <= 2:
        if aim.rank > 1:
            raise TrilithRuntimeError("0D or 1D target tensor expected, multi-target not supported")
    elif aim.shape[1:] != spec.shape[2:]:
        if spec.rank == 4 and aim.rank == 3:
            # PyTorch's message ends there, too.
            raise TrilithRuntimeError(
                f"size mismatch (got input: {list(spec.shape)} , target: {list(aim.shape)}"
            )
        wanted = [spec.shape[0], *spec.shape[2:]]
        raise TrilithRuntimeError(f"Expected target size {wanted}, got {list(aim.shape)}")
    if aim.dtype not in (int64, uint8):
        raise TrilithRuntimeError(
            f"expected target dtype to be Long or Byte, but got {aim.dtype.c_name}"
        )
    if spec.rank == 1 and aim.rank == 1 and aim.shape[0] != 1:
        raise TrilithValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {aim.shape[0]}"
        )
    if spec.rank == 2 and not aim.rank:
        raise TrilithIndexError("Dimension specified as 0 but tensor has no dimensions")


def _check_weight(t: TensorLanguage, weight: Any, classes: int, name: str = "") -> None:
    if weight is not None and tensor_of(t, weight).shape != (classes,):
        raise TrilithRuntimeError(
            f"{name}weight tensor should be defined either for all {classes} classes or no classes "
            f"but got weight tensor of shape: {list(tensor_of(t, weight).shape)}"
        )


# ---- values


def _nll(
    t: TensorLanguage, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """Return the negated scores of classes, weighted, reduced."""
    return t.call("nll_loss_of", input, target, weight, reduction, ignore_index)


def _nll_loss_of(
    t: TensorLanguage, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    _check_target(t, input, target)
    spec = tensor_of(t, input)
    dim = 0 if spec.rank == 1 else 1
    _check_weight(t, weight, spec.shape[dim])
    check_dtype("nll_loss" if spec.rank <= 2 else "nll_loss.planes", spec.dtype, FLOATS)
    if weight is not None and tensor_of(t, weight).dtype is not spec.dtype:
        raise TrilithRuntimeError(
            f"expected scalar type {spec.dtype.c_name} but found "
            f"{tensor_of(t, weight).dtype.c_name}"
        )
    losses, weights = _losses(t, input, target, weight, dim, ignore_index)
    if reduction == "none":
        return t.call("contiguous", cast_to(t, losses, spec.dtype))
    total = t.call("sum", losses)
    if reduction == "mean":
        total = t.call("true_divide", total, t.call("sum", weights))
    return cast_to(t, total, spec.dtype)


def _losses(
    t: TensorLanguage, input: Any, target: Any, weight: Any, dim: int, ignore_index: int
) -> tuple[Any, Any]:
    """Return the loss and the weight of each target, in the dtype that is computed in."""
    dtype = compute_dtype(tensor_of(t, input).dtype)
    classes = cast_to(t, target, int64)
    if tensor_of(t, input).rank == 1:
        # One example, whether or not the target has a dim.
        classes = t.call("reshape", classes, ())
    is_ignored = t.call("eq", classes, ignore_index)
    classes = t.call("where", is_ignored, 0, classes)
    if tensor_of(t, input).rank == 1:
        picked = _taken(t, input, classes)
    else:
        places = t.call("unsqueeze", classes, dim)
        found = t.call("gather_along", input, places, dim, "TargetError")
        picked = t.call("squeeze", found, dim)
    losses = t.call("neg", cast_to(t, picked, dtype))
    if weight is None:
        weights = cast_to(t, t.call("logical_not", is_ignored), dtype)
    else:
        weights = cast_to(t, _taken(t, weight, classes), dtype)
        weights = t.call("where", is_ignored, 0.0, weights)
        losses = t.call("mul", losses, weights)
    return t.call("where", is_ignored, 0.0, losses), weights


def _nll_loss_backward(
    t: TensorLanguage,
    grad: Any,
    input: Any,
    target: Any,
    weight: Any,
    reduction: str,
    ignore_index: int,
) -> Any:
    """Return the gradient of scores: each target's is at its class, which one pass compares."""
    spec = tensor_of(t, input)
    dtype, dim = compute_dtype(spec.dtype), 0 if spec.rank == 1 else 1
    classes = cast_to(t, target, int64)
    if spec.rank == 1:
        classes = t.call("reshape", classes, ())
        grad = t.call("reshape", grad, ())
    is_ignored = t.call("eq", classes, ignore_index)
    if weight is None:
        weights = cast_to(t, t.call("logical_not", is_ignored), dtype)
    else:
        safe = t.call("where", is_ignored, 0, classes)
        weights = t.call("where", is_ignored, 0.0, cast_to(t, _taken(t, weight, safe), dtype))
    share = t.call("mul", weights, t.call("neg", cast_to(t, grad, dtype)))
    if reduction == "mean":
        share = t.call("true_divide", share, t.call("sum", weights))
    size = (spec.shape[dim], *(1,) * max(spec.rank - 2, 0))
    numbers = t.call("element_numbers", size, device=spec.device)
    is_own = t.call("eq", numbers, t.call("unsqueeze", classes, dim))
    share = t.call(
        "where", t.call("unsqueeze", is_ignored, dim), 0.0, t.call("unsqueeze", share, dim)
    )
    return cast_to(t, t.call("where", is_own, share, 0.0), spec.dtype)


def _taken(t: TensorLanguage, values: Any, classes: Any) -> Any:
    """Return the elements of a vector that targets name."""
    where: dict[str, Any] = {"wrap": False, "packed": True, "fault": "TargetError"}
    return t.call("take_at", values, [classes], (0,), **where)


def _beside(t: TensorLanguage, weight: Any, rank: int) -> Any:
    for _ in range(rank - 2):
        weight = t.call("unsqueeze", weight, -1)
    return weight


def _of_probabilities(
    t: TensorLanguage, logs: Any, target: Any, weight: Any, reduction: str, smoothing: float
) -> Any:
    spec = tensor_of(t, logs)
    dim = 0 if spec.rank == 1 else 1
    classes = spec.shape[dim]
    if smoothing > 0:
        target = t.call("add", t.call("mul", target, 1 - smoothing), smoothing / classes)
    products = t.call("mul", logs, target)
    if weight is not None:
        products = t.call("mul", products, _beside(t, weight, spec.rank))
    if reduction == "none":
        return t.call("neg", t.call("sum", products, (dim,)))
    total = t.call("neg", t.call("sum", products))
    if reduction == "mean":
        total = t.call("true_divide", total, float(spec.numel) / classes if classes else 0.0)
    return total


def _smoothed(
    t: TensorLanguage,
    logs: Any,
    target: Any,
    weight: Any,
    reduction: str,
    ignore_index: int,
    smoothing: float,
) -> Any:
    """Return the loss where each class has a share of every target."""
    spec = tensor_of(t, logs)
    dim = 0 if spec.rank == 1 else 1
    plain = _nll(t, logs, target, weight, reduction, ignore_index)
    is_ignored = t.call("eq", target, ignore_index)
    weighted = logs if weight is None else t.call("mul", logs, _beside(t, weight, spec.rank))
    spread = t.call("neg", t.call("sum", weighted, (dim,)))
    spread = t.call("where", is_ignored, 0.0, spread)
    if reduction != "none":
        spread = t.call("sum", spread)
    if reduction == "mean":
        _, weights = _losses(t, logs, target, weight, dim, ignore_index)
        spread = t.call("true_divide", spread, cast_to(t, t.call("sum", weights), spec.dtype))
    share = t.call("mul", spread, smoothing / spec.shape[dim])
    return t.call("add", t.call("mul", plain, 1 - smoothing), share)


def _cross_entropy(
    t: TensorLanguage,
    input: Any,
    target: Any,
    weight: Any,
    size_average: bool | None,
    ignore_index: int,
    reduce: bool | None,
    reduction: str,
    label_smoothing: float,
) -> Any:
    reduction = checked(legacy(size_average, reduce, reduction))
    spec, aim = tensor_of(t, input), tensor_of(t, target)
    if not 0.0 <= label_smoothing <= 1.0:
        raise TrilithRuntimeError(
            f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}"
        )
    if spec.shape == aim.shape:
        return _checked_probabilities(
            t, input, target, weight, ignore_index, reduction, label_smoothing
        )
    logs = t.call("log_softmax", input, 0 if spec.rank == 1 else 1)
    if label_smoothing > 0:
        return _smoothed(t, logs, target, weight, reduction, ignore_index, label_smoothing)
    return _nll(t, logs, target, weight, reduction, ignore_index)


def _checked_probabilities(
    t: TensorLanguage,
    input: Any,
    target: Any,
    weight: Any,
    ignore_index: int,
    reduction: str,
    smoothing: float,
) -> Any:
    spec, aim = tensor_of(t, input), tensor_of(t, target)
    if not aim.dtype.is_floating_point:
        raise TrilithRuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{aim.dtype.c_name}"
        )
    if ignore_index >= 0:
        raise TrilithRuntimeError("ignore_index is not supported for floating point target")
    if not spec.rank:
        raise TrilithIndexError("Dimension specified as 1 but tensor has no dimensions")
    dim = 0 if spec.rank == 1 else 1
    _check_weight(t, weight, spec.shape[dim], "cross_entropy: ")
    logs = t.call("log_softmax", input, dim)
    return _of_probabilities(t, logs, target, weight, reduction, smoothing)


def _nll_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    weight: Any,
    size_average: bool | None,
    ignore_index: int,
    reduce: bool | None,
    reduction: str,
) -> Any:
    reduction = checked(legacy(size_average, reduce, reduction))
    return _nll(t, input, target, weight, reduction, ignore_index)


_PARAMETERS = (
    "Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, "
    "int ignore_index=-100, bool? reduce=None, str reduction='mean'"
)
_WHICH = "Tensor target, Tensor? weight, str reduction, int ignore_index)"
composite(
    f"nll_loss_of(Tensor input, {_WHICH}",
    "What nll_loss and cross_entropy are, once the way to reduce is known.",
    "tri.nn.functional.nll_loss(tri.tensor([[-1., -2.]]), tri.tensor([1]))  # tensor(2.)",
    _nll_loss_of,
    methods=(),
    is_public=False,
    gradient=OF_NLL_LOSS,
)
composite(
    f"nll_loss_backward(Tensor grad, Tensor input, {_WHICH}",
    "The gradient of the scores of nll_loss, given that of its result.",
    "tri.nn.functional.nll_loss(tri.tensor([[-1., -2.]]), tri.tensor([0]))  # tensor(1.)",
    _nll_loss_backward,
    methods=(),
    is_public=False,
)
composite(
    f"nll_loss({_PARAMETERS})",
    "The negated logarithms of probabilities of the targets' classes, weighted and reduced.",
    "tri.nn.functional.nll_loss(tri.tensor([[-1., -2.]]), tri.tensor([1]))  # tensor(2.)",
    _nll_loss,
    methods=(),
    is_public=False,
    places=("nn.functional.nll_loss",),
)
composite(
    f"cross_entropy({_PARAMETERS}, float label_smoothing=0.0)",
    "The negated logarithms of the softmax of scores at the targets' classes, or weighted by "
    "probabilities of the classes; reduced.",
    "tri.nn.functional.cross_entropy(tri.zeros(1, 2), tri.tensor([1]))  # tensor(0.6931)",
    _cross_entropy,
    methods=(),
    is_public=False,
    places=("nn.functional.cross_entropy",),
)
