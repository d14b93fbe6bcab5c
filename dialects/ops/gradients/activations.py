"""What are the gradients of activations whose kinks or names in PyTorch are not those derived?"""

from __future__ import annotations

from typing import Any

from ..frame.gradients import gradient

OF_LOG_SIGMOID = gradient(
    "LogSigmoidBackward0",
    input=lambda t, grad, input: t.call("log_sigmoid_backward", grad, input),
)
OF_SLOPED = gradient(
    "PreluKernelBackward0",
    input=lambda t, grad, input, weight: t.call("sloped_backward", grad, input, weight, wrt=0),
    weight=lambda t, grad, input, weight: t.call("sloped_backward", grad, input, weight, wrt=1),
)


def _inside(grad: Any, input: Any, low: Any, high: Any) -> Any:
    """Return a gradient that is 0 at bounds, too; of NaN it is kept."""
    return grad.masked_fill((input <= low) | (input >= high), 0)


def _of_hardswish(t: Any, grad: Any, input: Any) -> Any:
    between = grad * (input / 3 + 0.5)
    return t.call("where", input >= 3, grad, between).masked_fill(input <= -3, 0)


def _of_unit(t: Any, grad: Any, input: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    """Return the gradient of elu and its like, at 0 that of the negative side."""
    below = grad * (alpha * scale * input_scale) * (input * input_scale).exp()
    return t.call("where", input <= 0, below, grad * scale)


OF_HARDTANH = gradient(
    "HardtanhBackward0",
    input=lambda t, grad, input, min_val, max_val: _inside(grad, input, min_val, max_val),
)
OF_RELU6 = gradient("HardtanhBackward0", input=lambda t, grad, input: _inside(grad, input, 0, 6))
OF_HARDSIGMOID = gradient(
    "HardsigmoidBackward0", input=lambda t, grad, input: _inside(grad, input, -3, 3) / 6
)
OF_HARDSWISH = gradient("HardswishBackward0", input=_of_hardswish)
OF_EXPONENTIAL_UNIT = gradient("EluBackward0", input=_of_unit)
