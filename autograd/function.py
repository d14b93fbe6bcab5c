"""How does one write an operation with its gradient? By the names of `torch.autograd.function`."""

from ..runtime.gradients.contexts import FunctionCtx
from ..runtime.gradients.functions import Function, once_differentiable

__all__ = ["Function", "FunctionCtx", "once_differentiable"]
