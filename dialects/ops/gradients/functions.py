"""What are the gradients of functions of one number? Its conjugate derivative, times a gradient.

Where PyTorch saves a result, and not the operand, so is it here. For real numbers the rest is the
row that is derived from the body; for complex ones it is written in tensors, so that it can be
differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi
from typing import Any

from ..frame.gradients import Gradient, gradient, named_by_numbers, not_implemented
from .arithmetic import conj


def of_result(slope: Callable[[Any], Any], name: str = "") -> Gradient:
    """Return the rule of a function whose derivative is a function of its result.

    >>> of_result(lambda result: result, "ExpBackward0").name
    'ExpBackward0'
    """
    return gradient(name, input=lambda t, grad, result: grad * conj(slope(result)))


def analytic(row: str, slope: Callable[[Any], Any], name: str = "") -> Gradient:
    """Return the rule of a function: of real numbers the derived row, of complex ones a slope."""

    def formula(t: Any, grad: Any, input: Any) -> Any:
        if input.is_complex():
            return grad * conj(slope(input))
        return t.call(f"{row}_backward", grad, input)

    return gradient(name, input=formula)


def _of_sinc(x: Any) -> Any:
    turned = x * pi
    is_zero = turned == 0
    safe = turned.masked_fill(is_zero, 1)
    return ((turned.cos() - turned.sin() / safe) / x.masked_fill(is_zero, 1)).masked_fill(
        is_zero, 0
    )


OF_EXP = of_result(lambda y: y)
OF_EXP2 = of_result(lambda y: y * log(2))
OF_EXPM1 = of_result(lambda y: y + 1)
OF_SQRT = gradient(input=lambda t, grad, result: grad / (conj(result) * 2))
OF_RSQRT = of_result(lambda y: y * y * y * -0.5)
OF_RECIPROCAL = of_result(lambda y: -(y * y))
OF_TAN = of_result(lambda y: y * y + 1)
OF_TANH = of_result(lambda y: 1 - y * y)
OF_SIGMOID = of_result(lambda y: (1 - y) * y)
OF_SQUARE = gradient("PowBackward0", input=lambda t, grad, input: grad * conj(input * 2))
OF_LOG = gradient(input=lambda t, grad, input: grad / conj(input))
OF_LOG1P = gradient(input=lambda t, grad, input: grad / conj(input + 1))
OF_LOG2 = gradient(input=lambda t, grad, input: grad / (conj(input) * log(2)))
OF_LOG10 = gradient(input=lambda t, grad, input: grad / (conj(input) * log(10)))
#: Row -> its rule.
ANALYTIC = {
    "sin": analytic("sin", lambda x: x.cos()),
    "cos": analytic("cos", lambda x: -x.sin()),
    "sinh": analytic("sinh", lambda x: x.cosh()),
    "cosh": analytic("cosh", lambda x: x.sinh()),
    "asin": analytic("asin", lambda x: (1 - x * x).rsqrt()),
    "acos": analytic("acos", lambda x: -(1 - x * x).rsqrt()),
    "atan": analytic("atan", lambda x: 1 / (x * x + 1)),
    "asinh": analytic("asinh", lambda x: (x * x + 1).rsqrt()),
    "acosh": analytic("acosh", lambda x: (x * x - 1).rsqrt()),
    "atanh": analytic("atanh", lambda x: 1 / (1 - x * x)),
    "sinc": analytic("sinc", _of_sinc),
}

# ---- the gamma function


def _polygamma(t: Any, grad: Any, n: int, input: Any) -> Any:
    return grad * t.call("polygamma", n + 1, input)


OF_LGAMMA = gradient(input=lambda t, grad, input: grad * input.digamma())
OF_DIGAMMA = gradient(input=lambda t, grad, input: grad * t.call("polygamma", 1, input))
OF_POLYGAMMA = gradient("PolygammaBackward0", input=_polygamma)


def _mvlgamma(t: Any, grad: Any, input: Any, p: int) -> Any:
    slope = input.digamma()
    for step in range(1, p):
        slope = slope + (input - step / 2).digamma()
    return grad * slope


OF_MVLGAMMA = gradient("MvlgammaBackward0", input=_mvlgamma)
OF_FREXP = gradient("FrexpBackward0", input=lambda t, grad, result1: grad / result1.exp2())
OF_LDEXP = gradient(
    input=lambda t, grad, other: grad * t.call("pow", 2.0, conj(other)),
    other=lambda t, grad, result: grad * conj(result) * log(2),
)
OF_DEG2RAD = gradient(input=lambda t, grad: t.call("deg2rad", grad))
OF_RAD2DEG = gradient(input=lambda t, grad: t.call("rad2deg", grad))
#: Of two operands PyTorch knows the second derivative's alone.
OF_ZETA = Gradient(
    {
        "input": not_implemented("zeta"),
        "other": lambda t, grad, input, other: (
            grad * -input * t.call("special_zeta", input + 1, other)
        ),
    },
    named_by_numbers("SpecialZeta").name,
)
