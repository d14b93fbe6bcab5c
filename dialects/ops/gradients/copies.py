"""What are the gradients of copies, of what is written over others, and of what is chosen?"""

from __future__ import annotations

from typing import Any

from ...attributes.device import Device
from ..frame.argument_values import is_number
from ..frame.gradients import gradient
from .arithmetic import in_dtype, zeros_like


def _name_of_fill(bound: Any) -> str:
    return "FillBackward2" if is_number(bound["value"]) else "FillBackward3"


def _on(t: Any, grad: Any, device: Device) -> Any:
    """Return a gradient on the device that the operand lay on."""
    is_there = t.spec(grad).device == device
    return grad if is_there else t.call("transfer", grad, device)


def _cast(t: Any, grad: Any, input_spec: Any) -> Any:
    """Return a gradient in the dtype that was converted, as directions are the other way."""
    dtype = input_spec.dtype
    if grad.is_complex() and not dtype.is_complex:
        grad = t.call("real", grad)
    return in_dtype(t, grad, dtype)


OF_CLONE = gradient("CloneBackward0", input=lambda t, grad: grad)
OF_CAST = gradient("ToCopyBackward0", input=_cast)
OF_LAYOUT = gradient("CloneBackward0", input=lambda t, grad: grad)
OF_TRANSFER = gradient(
    "ToCopyBackward0", input=lambda t, grad, input_spec: _on(t, grad, input_spec.device)
)
OF_TO = gradient(
    "ToCopyBackward0",
    input=lambda t, grad, input_spec: _on(t, _cast(t, grad, input_spec), input_spec.device),
)
OF_COPY = gradient(
    "torch::autograd::CopyBackwards",
    input=lambda t, grad: zeros_like(grad),
    src=lambda t, grad, src_spec: _on(t, grad, src_spec.device),
)
OF_FILL = gradient(
    _name_of_fill,
    input=lambda t, grad: zeros_like(grad),
    value=lambda t, grad: grad.sum(),
)
OF_ZERO = gradient("ZeroBackward0", input=lambda t, grad: zeros_like(grad))
OF_WHERE = gradient(
    "WhereBackward0",
    input=lambda t, grad, condition: t.call("where", condition, grad, 0),
    other=lambda t, grad, condition: t.call("where", condition, 0, grad),
)
