"""What stands for a tensor of the enclosing program whose gradient is wanted?

A proxy with the gradient's edge, as if it were an argument: what is made of it step by step, views
above all, is recorded like what is made of the tensor at once.
"""

from __future__ import annotations

from ...runtime.gradients.graph import set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.modes import is_recording
from ...runtime.gradients.state import state_of
from ...runtime.tensors.tensor import Tensor
from .proxies import Proxy


def with_gradient(captured: Proxy, tensor: Tensor) -> Proxy:
    """Return what stands for a captured tensor, with where its gradient goes if it has one."""
    if state_of(tensor) is None or not is_recording():
        return captured
    edge = edge_of(tensor)
    if edge is None:
        return captured
    made = captured.without_gradient()
    set_history(made, edge.node, edge.number)
    return made
