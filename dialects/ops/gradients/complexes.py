"""What are the gradients of functions of complex numbers that have no derivative?

A gradient is that of a real loss with respect to real and imaginary part, as one number.
"""

from __future__ import annotations

from typing import Any

from ..frame.gradients import gradient
from .arithmetic import zeros_like


def _real(t: Any, value: Any) -> Any:
    return t.call("real", value)


def _imag(t: Any, value: Any) -> Any:
    return t.call("imag", value) if value.is_complex() else zeros_like(value)


def _divisor(t: Any, size: Any) -> Any:
    """Return magnitudes, and 1 for 0."""
    return t.call("where", t.call("eq", size, 0), 1, size)


def _angle(t: Any, grad: Any, input: Any) -> Any:
    if not input.is_complex():
        return zeros_like(grad)
    size = _divisor(t, input.abs())
    return grad * (input / size / size) * 1j


def _sign(t: Any, grad: Any, input: Any) -> Any:
    """Return what of a gradient is at right angles to the numbers."""
    if not input.is_complex():
        return zeros_like(grad)
    size = input.abs()
    safe = _divisor(t, size)
    sign = input / safe
    across = (grad - _real(t, grad * sign.conj()) * sign) / safe
    return t.call("where", t.call("eq", size, 0), 0, across)


def _of_magnitude(t: Any, grad: Any, result: Any) -> Any:
    return _real(t, grad.conj() * result.sgn())


def _of_angle(t: Any, grad: Any, result: Any) -> Any:
    return _real(t, grad.conj() * (result * 1j))


OF_ANGLE = gradient(input=_angle)
OF_SGN = gradient(input=_sign)
OF_CONJ_PHYSICAL = gradient("ConjPhysicalBackward0", input=lambda t, grad: grad.conj())
OF_COMPLEX = gradient(real=lambda t, grad: _real(t, grad), imag=lambda t, grad: _imag(t, grad))
OF_POLAR = gradient(abs=_of_magnitude, angle=_of_angle)
