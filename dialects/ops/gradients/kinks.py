"""What are the gradients of functions with kinks, or of two numbers? At kinks those of PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, nan
from typing import Any

from ..frame.argument_values import is_number
from ..frame.gradients import UNKNOWN, Formula, Gradient, chosen, gradient
from .arithmetic import OF_DIV, conj, constant_in, zeros_like


def _above(t: Any, grad: Any, input: Any, threshold: Any) -> Any:
    return t.call("above_threshold", grad, input, threshold)


OF_RELU = gradient("ReluBackward0", input=lambda t, grad, result: _above(t, grad, result, 0))
OF_THRESHOLD = gradient("ThresholdBackward0", input=_above)
OF_ABOVE_THRESHOLD = gradient(
    "ThresholdBackwardBackward0",
    grad_output=_above,
    input=lambda t, grad: zeros_like(grad),
)

# ---- limits


def _inside(t: Any, input: Any, low: Any, high: Any) -> Any:
    """Return where numbers are between two limits, of which one may be None; NaN is nowhere."""
    parts = [
        t.call(row, input, limit) for row, limit in (("ge", low), ("le", high)) if limit is not None
    ]
    return parts[0] if len(parts) == 1 else t.call("logical_and", *parts)


def _clamped(t: Any, grad: Any, input: Any, min: Any, max: Any) -> Any:
    return t.call("where", _inside(t, input, min, max), grad, 0)


def _low(t: Any, grad: Any, input: Any, min: Any, max: Any) -> Any:
    is_below = t.call("lt", input, min)
    if max is not None:
        is_below = t.call("logical_and", is_below, t.call("lt", min, max))
    return t.call("where", is_below, grad, 0)


def _high(t: Any, grad: Any, input: Any, min: Any, max: Any) -> Any:
    is_above = t.call("gt", input, max)
    if min is not None:
        is_above = t.call("logical_or", is_above, t.call("lt", max, min))
    return t.call("where", is_above, grad, 0)


def _name_by(name: str, number: int, *operands: str) -> Any:
    """Return what names a node by whether operands are numbers: then it has that number."""

    def choose(bound: Mapping[str, Any]) -> str:
        are_numbers = all(bound[each] is None or is_number(bound[each]) for each in operands)
        return f"{name}Backward{number if are_numbers else 1 - number}"

    return choose


OF_CLAMP = gradient(_name_by("Clamp", 1, "min", "max"), input=_clamped, min=_low, max=_high)
OF_CLAMP_MIN = gradient(
    _name_by("ClampMin", 0, "min"),
    input=lambda t, grad, input, min: _clamped(t, grad, input, min, None),
    min=lambda t, grad, input, min: _low(t, grad, input, min, None),
)
#: Of what PyTorch limits in place, in `no_grad`.
OF_UNSEEN_LIMIT = gradient(input=lambda t, grad: grad)
OF_CLAMP_MAX = gradient(
    _name_by("ClampMax", 0, "max"),
    input=lambda t, grad, input, max: _clamped(t, grad, input, None, max),
    max=lambda t, grad, input, max: _high(t, grad, input, None, max),
)

# ---- of two numbers the larger, the smaller, and the sign


def _of_better(row: str) -> Formula:
    """Return the formula of the first operand: nothing where `row` holds, a half where both win."""

    def formula(t: Any, grad: Any, input: Any, other: Any) -> Any:
        shared = t.call("where", t.call("eq", input, other), grad / 2, grad)
        return t.call("where", t.call(row, input, other), 0, shared)

    return formula


def _swapped(formula: Any) -> Formula:
    """Return a formula for the second operand."""
    return lambda t, grad, input, other: formula(t, grad, other, input)


def _of_number(row: str) -> Gradient:
    """Return the rule of what leaves out NaN: of equal numbers the first has the gradient."""

    def wins(t: Any, input: Any, other: Any) -> Any:
        return t.call("logical_or", t.call(row, input, other), t.call("isnan", other))

    return gradient(
        input=lambda t, grad, input, other: t.call("where", wins(t, input, other), grad, 0),
        other=lambda t, grad, input, other: t.call("where", wins(t, input, other), 0, grad),
    )


_OF_LARGER, _OF_SMALLER = _of_better("lt"), _of_better("gt")
OF_MAXIMUM = gradient(input=_OF_LARGER, other=_swapped(_OF_LARGER))
OF_MINIMUM = gradient(input=_OF_SMALLER, other=_swapped(_OF_SMALLER))
OF_FMAX, OF_FMIN = _of_number("ge"), _of_number("le")


def _same_sign(t: Any, grad: Any, input: Any, result: Any) -> Any:
    is_zero = t.call("eq", input, 0)
    return grad * t.call("where", is_zero, 0, result / input)


OF_COPYSIGN = gradient(
    _name_by("Copysign", 1, "other"), input=_same_sign, other=lambda t, grad: zeros_like(grad)
)

# ---- quotients that are rounded, and what is left of them

OF_FRAC = gradient(input=lambda t, grad: grad)
OF_FMOD = gradient(
    _name_by("Fmod", 0, "other"),
    input=lambda t, grad: grad,
    other=lambda t, grad, input, other: -grad * t.call("trunc_divide", input, other),
)
_OF_REMAINDER = gradient(
    _name_by("Remainder", 0, "other"),
    input=lambda t, grad: grad,
    other=lambda t, grad, input, other: -grad * t.call("div", input, other, rounding_mode="floor"),
)


def _remainder(bound: Mapping[str, Any]) -> Gradient:
    """Return the rule of a remainder: PyTorch does not know that of a number."""
    return UNKNOWN if is_number(bound["input"]) else _OF_REMAINDER


OF_REMAINDER = chosen(_remainder)
OF_ROUND = gradient("RoundBackward0", input=lambda t, grad: zeros_like(grad))
OF_ROUND_DECIMALS = gradient("RoundBackward1", input=lambda t, grad: zeros_like(grad))
_OF_ROUNDED_DIV = constant_in("input", "other")


def _div(bound: Mapping[str, Any]) -> Gradient:
    if bound["rounding_mode"] is None:
        return OF_DIV
    form = 3 if is_number(bound["other"]) else 2
    return Gradient(_OF_ROUNDED_DIV.formulas, f"DivBackward{form}")


OF_DIV_FORMS = chosen(_div)
OF_NEXTAFTER = gradient(input=lambda t, grad: grad, other=lambda t, grad: zeros_like(grad))


def _finite(t: Any, grad: Any, input: Any) -> Any:
    return grad * t.call("isfinite", input)


OF_NAN_TO_NUM = gradient("NanToNumBackward0", input=_finite)

# ---- powers


def _base(t: Any, grad: Any, input: Any, exponent: Any) -> Any:
    if not is_number(exponent):
        slope = exponent * t.call("pow", input, exponent - 1)
        return t.call("where", t.call("eq", exponent, 0), 0, grad * conj(slope))
    if exponent == 0:
        return zeros_like(grad)
    lower = input if exponent == 2 else t.call("pow", input, exponent - 1)
    return grad * conj(lower * exponent)


def _exponent(t: Any, grad: Any, input: Any, exponent: Any, result: Any) -> Any:
    """Return the gradient of an exponent: where the base is 0, that of a flat function."""
    if is_number(input):
        slope = result * _log(input)
        if input != 0:
            return grad * conj(slope)
        is_flat = _is_not_negative(t, exponent)
    else:
        slope = result * input.to(result.dtype).log()
        is_flat = t.call("logical_and", t.call("eq", input, 0), _is_not_negative(t, exponent))
    return grad * t.call("where", is_flat, 0, conj(slope))


def _log(number: Any) -> Any:
    from cmath import log as complex_log

    if isinstance(number, complex):
        return complex_log(number) if number else complex(float("-inf"), 0.0)
    if number == 0:
        return float("-inf")
    return log(number) if number > 0 else nan


def _is_not_negative(t: Any, exponent: Any) -> Any:
    if not exponent.is_complex():
        return t.call("ge", exponent, 0)
    is_real = t.call("eq", t.call("imag", exponent), 0)
    return t.call("logical_and", is_real, t.call("ge", t.call("real", exponent), 0))


def _name_of_power(bound: Mapping[str, Any]) -> str:
    if is_number(bound["exponent"]):
        return "PowBackward0"
    return "PowBackward2" if is_number(bound["input"]) else "PowBackward1"


OF_POW = gradient(_name_of_power, input=_base, exponent=_exponent)

# ---- products that are added

OF_ADDCMUL = gradient(
    input=lambda t, grad: grad,
    tensor1=lambda t, grad, tensor2, value: grad * conj(tensor2 * value),
    tensor2=lambda t, grad, tensor1, value: grad * conj(tensor1 * value),
)
OF_ADDCDIV = gradient(
    input=lambda t, grad: grad,
    tensor1=lambda t, grad, tensor2, value: grad * conj(value / tensor2),
    tensor2=lambda t, grad, tensor1, tensor2, value: (
        -grad * conj(tensor1 * value / (tensor2 * tensor2))
    ),
)
OF_LERP = Gradient(
    {
        "input": lambda t, grad, weight: grad * conj(1 - weight),
        "end": lambda t, grad, weight: grad * conj(weight),
        "weight": lambda t, grad, input, end: grad * conj(end - input),
    },
    _name_by("Lerp", 0, "weight"),
    numbers=("weight",),
)


def _of_logs(t: Any, grad: Any, input: Any, other: Any) -> Any:
    return grad / conj((other - input).exp() + 1)


OF_LOGADDEXP = gradient(
    input=_of_logs, other=lambda t, grad, input, other: _of_logs(t, grad, other, input)
)
