"""What are losses in a graph of gradients? One node each, where PyTorch has a kernel for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame.gradients import Gradient, by_steps, chosen, gradient


def by_weight(name: str) -> Gradient:
    """Return the rule of a loss that has a kernel, but none with weights: those are steps.

    >>> by_weight("MseLossBackward0").choose({"weight": None}).name
    'MseLossBackward0'
    """
    own = by_steps(name, "input", "target")

    def choose(bound: Mapping[str, Any]) -> Gradient | None:
        return own if bound["weight"] is None else None

    return chosen(choose)


def _of_scores(
    t: Any, grad: Any, input: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any
) -> Any:
    return t.call("nll_loss_backward", grad, input, target, weight, reduction, ignore_index)


OF_NLL_LOSS = gradient(
    lambda bound: "NllLossBackward0" if bound["input"].ndim <= 2 else "NllLoss2DBackward0",
    input=_of_scores,
)


def _of_probability(t: Any, grad: Any, input: Any, target: Any) -> Any:
    return grad * (input - target) / ((1 - input) * input).clamp_min(1e-12)


def _of_target(t: Any, grad: Any, input: Any) -> Any:
    return grad * ((1 - input).log().clamp_min(-100) - input.log().clamp_min(-100))


OF_CROSS_ENTROPY_OF_TWO = gradient(
    "BinaryCrossEntropyBackward0", input=_of_probability, target=_of_target
)


def _of_alignments(
    t: Any,
    grad: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    zero_infinity: bool,
) -> Any:
    operands = grad, log_probs, targets, input_lengths, target_lengths
    return t.call("ctc_loss_backward", *operands, blank=blank, zero_infinity=zero_infinity)


OF_CTC_LOSS = gradient("CtcLossBackward0", log_probs=_of_alignments)
