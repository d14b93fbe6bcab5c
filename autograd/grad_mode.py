"""What says whether operations are recorded? By the names of `torch.autograd.grad_mode`."""

from ..runtime.gradients.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
