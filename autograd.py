"""How does one ask for gradients? By the names of `torch.autograd`."""

from .runtime.gradients.anomaly import detect_anomaly, set_detect_anomaly
from .runtime.gradients.calls import backward, grad
from .runtime.gradients.modes import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)

__all__ = [
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
