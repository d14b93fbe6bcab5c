"""Which derived rules have another name in PyTorch? Those of activations with rows of their own."""

from __future__ import annotations

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
