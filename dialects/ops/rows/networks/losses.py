"""Which losses compare each element of a tensor with one of a target? Those of regression.

The losses of elements are elementwise rows, in which narrow floats are rounded once; a function of
`torch.nn.functional` reduces them.
"""

from __future__ import annotations

from typing import Any

from ....attributes.promotion import can_cast, result_type
from ....attributes.symint import hint_of
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ....frames import warn_user
from ...frame.gradients import by_steps
from ...frame.row import TensorLanguage
from ...frame.rules import resolve_elementwise, resolve_like
from ...frame.view_rows import tensor_of
from ...gradients.losses import by_weight
from ...scalars import scalar
from ...scalars.scalar import Scalar
from .loss_reductions import (
    LEGACY,
    checked,
    function,
    legacy,
    loss_of_elements,
    reduced,
    with_legacy,
)

# ---- losses of elements


def _squared_error(x: Scalar, target: Scalar) -> Scalar:
    difference = x - target
    return difference * difference


def _smooth_error(x: Scalar, target: Scalar, beta: float) -> Scalar:
    distance = abs(x - target)
    near = 0.5 * distance * distance / beta
    return scalar.select(distance < beta, near, distance - 0.5 * beta)


def _huber_error(x: Scalar, target: Scalar, delta: float) -> Scalar:
    distance = abs(x - target)
    far = delta * (distance - 0.5 * delta)
    return scalar.select(distance <= delta, 0.5 * distance * distance, far)


for _signature, _doc, _example, _body, _resolver in (
    (
        "squared_error(Tensor input, Tensor target)",
        "The squared difference, elementwise: `mse_loss` before it is reduced.",
        "tri.nn.functional.mse_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))  # tensor(2.)",
        _squared_error,
        resolve_elementwise,
    ),
    (
        "smooth_error(Tensor input, Tensor target, *, float beta)",
        "The absolute difference, and a parabola below beta: `smooth_l1_loss` of elements.",
        "tri.nn.functional.smooth_l1_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))"
        "  # tensor(0.7500)",
        _smooth_error,
        resolve_elementwise,
    ),
    (
        "huber_error(Tensor input, Tensor target, *, float delta)",
        "Half the squared difference, and a line above delta: `huber_loss` of elements.",
        "tri.nn.functional.huber_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))"
        "  # tensor(0.7500)",
        _huber_error,
        resolve_like,
    ),
):
    loss_of_elements(
        _signature,
        _doc,
        _example,
        body=_body,
        resolver=_resolver,
    )


# ---- distances of elements


def _pair(t: TensorLanguage, input: Any, target: Any) -> tuple[Any, Any]:
    """Return both operands in one shape; warn of other sizes."""
    sizes = [tensor_of(t, value).shape for value in (input, target)]
    if sizes[0] != sizes[1]:
        shown = [f"torch.Size({list(map(hint_of, size))})" for size in sizes]
        warn_user(
            f"Using a target size ({shown[1]}) that is different to the input size ({shown[0]}). "
            "This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size."
        )
    first, second = t.call("broadcast_tensors", input, target)
    return first, second


def _weighted(t: TensorLanguage, loss: Any, weight: Any, input: Any) -> Any:
    if tensor_of(t, weight).shape != tensor_of(t, input).shape:
        raise TrilithValueError("Weights and input must have the same size.")
    return t.call("mul", loss, weight)


def _weighted_mean(t: TensorLanguage, loss: Any, weight: Any, reduction: str) -> Any:
    """Return weighted losses, reduced: their mean is by the sum of the weights."""
    if reduction not in ("none", "mean", "sum"):
        raise TrilithValueError(
            f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'."
        )
    if reduction == "none":
        return loss
    total = t.call("sum", loss)
    return total if reduction == "sum" else t.call("div", total, t.call("sum", weight))


def _mse_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    size_average: bool | None,
    reduce: bool | None,
    reduction: str,
    weight: Any,
) -> Any:
    reduction = legacy(size_average, reduce, reduction)
    first, second = _pair(t, input, target)
    if weight is None:
        return reduced(t, t.call("squared_error", first, second), checked(reduction))
    squares = t.call("pow", t.call("sub", first, second), 2)
    return _weighted_mean(t, _weighted(t, squares, weight, input), weight, reduction)


def _l1_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    size_average: bool | None,
    reduce: bool | None,
    reduction: str,
    weight: Any,
) -> Any:
    reduction = legacy(size_average, reduce, reduction)
    loss = t.call("abs", t.call("sub", *_pair(t, input, target)))
    if weight is None:
        return reduced(t, loss, checked(reduction))
    return _weighted_mean(t, _weighted(t, loss, weight, input), weight, reduction)


def _smooth_l1_loss(t: TensorLanguage, input: Any, target: Any, beta: float, reduction: str) -> Any:
    if beta < 0:
        raise TrilithRuntimeError("smooth_l1_loss does not support negative values for beta.")
    pair = _pair(t, input, target)
    if beta == 0:
        return reduced(t, t.call("abs", t.call("sub", *pair)), reduction)
    return reduced(t, t.call("smooth_error", *pair, beta=beta), reduction)


def _huber_loss(
    t: TensorLanguage, input: Any, target: Any, reduction: str, delta: float, weight: Any
) -> Any:
    if delta <= 0:
        raise TrilithRuntimeError("huber_loss does not support non-positive values for delta.")
    first, second = _pair(t, input, target)
    dtype = tensor_of(t, input).dtype
    common = result_type(tensor_of(t, first).operand, tensor_of(t, second).operand)
    if not can_cast(common, dtype):
        raise TrilithRuntimeError(
            f"result type {common.c_name} can't be cast to the desired output type {dtype.c_name}"
        )
    # PyTorch writes into a tensor like the input.
    loss = t.call("to", t.call("huber_error", first, second, delta=delta), dtype)
    if weight is None:
        return reduced(t, loss, checked(reduction))
    loss = _weighted(t, loss, weight, input)
    if reduction == "mean":
        return t.call("mean", loss)
    return _weighted_mean(t, loss, weight, reduction)


function(
    f"mse_loss(Tensor input, Tensor target, {LEGACY}, Tensor? weight=None)",
    "The mean of squared differences, their sum, or they themselves.",
    "tri.nn.functional.mse_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))  # tensor(2.)",
    _mse_loss,
    places=("nn.functional.mse_loss",),
    gradient=by_weight("MseLossBackward0"),
)
function(
    f"l1_loss(Tensor input, Tensor target, {LEGACY}, Tensor? weight=None)",
    "The mean of absolute differences, their sum, or they themselves.",
    "tri.nn.functional.l1_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))  # tensor(1.)",
    _l1_loss,
    places=("nn.functional.l1_loss",),
)
function(
    f"smooth_l1_loss(Tensor input, Tensor target, {LEGACY}, float beta=1.0)",
    "Absolute differences, and parabolas below beta, reduced.",
    "tri.nn.functional.smooth_l1_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))"
    "  # tensor(0.7500)",
    with_legacy(_smooth_l1_loss),
    places=("nn.functional.smooth_l1_loss",),
    gradient=by_steps("SmoothL1LossBackward0", "input", "target"),
)
function(
    "huber_loss(Tensor input, Tensor target, str reduction='mean', float delta=1.0, "
    "Tensor? weight=None)",
    "Half the squared differences, and lines above delta, reduced.",
    "tri.nn.functional.huber_loss(tri.tensor([1., 2.]), tri.tensor([1., 4.]))  # tensor(0.7500)",
    _huber_loss,
    places=("nn.functional.huber_loss",),
    gradient=by_weight("HuberLossBackward0"),
)
