"""How does one ask for gradients? By the names of `torch.autograd`."""

from typing import NoReturn as _NoReturn

from ..compiler.gradients.checks import GradcheckError, gradcheck, gradgradcheck
from ..runtime.gradients.anomaly import detect_anomaly, set_detect_anomaly
from ..runtime.gradients.calls import backward, grad
from ..runtime.gradients.functions import Function
from ..runtime.gradients.modes import (
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)
from . import anomaly_mode, forward_ad, function, functional, grad_mode, graph

__all__ = [
    "Function",
    "GradcheckError",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

#: What PyTorch's profilers are called; there are none here.
_PROFILERS = frozenset({"profiler", "profiler_legacy", "profiler_util", "kineto_available"})


def __getattr__(name: str) -> _NoReturn:
    """Say what there is instead of a profiler."""
    from ..dialects.diagnostics import TrilithAttributeError
    from ..runtime.tensors.missing import missing_function

    if name in _PROFILERS or name.startswith(("emit_", "profile")):
        raise TrilithAttributeError(
            f"module 'trilith.autograd' has no attribute '{name}'",
            name=name,
            hint="there is no profiler: tri.stats() counts what ran, and Python's own measure it",
        )
    raise missing_function(name, "trilith.autograd")
