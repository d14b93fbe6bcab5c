"""What can be done with a graph of gradients? By the names of `torch.autograd.graph`."""

from ..runtime.gradients.edges import (
    get_gradient_edge,
    increment_version,
    register_multi_grad_hook,
    save_on_cpu,
)
from ..runtime.gradients.graph import GradientEdge, Node
from ..runtime.gradients.saved import disable_saved_tensors_hooks, saved_tensors_hooks

__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
