"""What are the gradients of sums, products, quotients and powers?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.dtype import DType
from ..frame.argument_values import is_number
from ..frame.gradients import Gradient, gradient


def conj(value: Any) -> Any:
    """Return the conjugate of a tensor or a number; what is real is returned itself.

    >>> conj(2.0), conj(1j)
    (2.0, -1j)
    """
    if is_number(value):
        return value.conjugate()
    return value.conj() if value.is_complex() else value


def adjoint(value: Any) -> Any:
    """Return the conjugate transposes of matrices."""
    return conj(value.mT)


def in_dtype(t: Any, value: Any, dtype: DType) -> Any:
    """Return a tensor in a dtype; one that has it is returned itself."""
    return value if t.spec(value).dtype is dtype else value.to(dtype)


def zeros_like(value: Any) -> Any:
    """Return zeros of the dtype and shape of a tensor."""
    return value.new_zeros(value.shape)


def _times(grad: Any, factor: Any) -> Any:
    """Return grad * factor; 1 changes nothing."""
    return grad if is_number(factor) and factor == 1 else grad * factor


def _swapped_name(name: str, swapped: str) -> Any:
    """Return what names a node by whether its first operand is a number."""

    def choose(bound: Mapping[str, Any]) -> str:
        return swapped if is_number(bound["input"]) else name

    return choose


OF_ADD = gradient(
    input=lambda t, grad: grad,
    other=lambda t, grad, alpha: _times(grad, conj(alpha)),
)
OF_SUB = gradient(
    _swapped_name("SubBackward0", "RsubBackward1"),
    input=lambda t, grad: grad,
    other=lambda t, grad, alpha: -_times(grad, conj(alpha)),
)
OF_RSUB = gradient(
    lambda bound: "RsubBackward1" if is_number(bound["other"]) else "RsubBackward0",
    input=lambda t, grad, alpha: -_times(grad, conj(alpha)),
    other=lambda t, grad: grad,
)
OF_MUL = gradient(
    input=lambda t, grad, other: grad * conj(other),
    other=lambda t, grad, input: grad * conj(input),
)


def _divisor(t: Any, grad: Any, input: Any, other: Any) -> Any:
    return -grad * conj((input / other) / other)


OF_DIV = gradient(
    _swapped_name("DivBackward0", "MulBackward0"),
    input=lambda t, grad, other: grad / conj(other),
    other=_divisor,
)
OF_NEG = gradient(input=lambda t, grad: -grad)
OF_ABS = gradient(input=lambda t, grad, input: grad * input.sgn())
#: Of what rounds: nothing changes but where it jumps.
FLAT = gradient(input=lambda t, grad: zeros_like(grad))


def constant_in(*names: str) -> Gradient:
    """Return the rule of a row that is constant, but where it jumps, in each of its operands."""
    return Gradient(dict.fromkeys(names, lambda t, grad: zeros_like(grad)))
