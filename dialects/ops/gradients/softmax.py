"""What are the gradients of softmax and its logarithm? One row each, computed from the result."""

from __future__ import annotations

from ..frame.gradients import gradient

OF_SOFTMAX = gradient(
    "SoftmaxBackward0",
    input=lambda t, grad, result, dim: t.call("softmax_backward", grad, result, dim),
)
OF_LOG_SOFTMAX = gradient(
    "LogSoftmaxBackward0",
    input=lambda t, grad, result, dim: t.call("log_softmax_backward", grad, result, dim),
)
