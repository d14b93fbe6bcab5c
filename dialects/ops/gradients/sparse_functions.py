"""How do gradients pass functions of what a sparse tensor specifies? At its places, as PyTorch's.

Most are functions of the values alone, so their gradients are those of dense values. What is linear
hands a gradient on in its own layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import pi
from typing import Any

from ...attributes.layout import sparse_coo
from ..frame.gradients import CONSTANT, Formula, Gradient, gradient, needs_of
from ..frame.sparse_forms import Parts
from .arithmetic import conj
from .norms import of_vector_norm


def is_sparse(value: Any) -> bool:
    """Whether a gradient, or an operand, has layout sparse_coo."""
    return getattr(value, "layout", None) is sparse_coo


def dense(t: Any, value: Any) -> Any:
    """Return a gradient that is dense."""
    return t.call("to_dense", value) if is_sparse(value) else value


def at_places(t: Any, grad: Any, places: Any) -> Any:
    """Return what a gradient has where a sparse tensor specifies something."""
    return t.call("sparse_mask", grad, t.call("coalesce", places))


def with_values(t: Any, places: Any, values: Any) -> Any:
    """Return the sparse tensor of other values at the places of one in order."""
    return t.sparse(Parts(places._indices(), values, tuple(places.shape), True))


# ---- of the values


@cache
def of_values(rule: Gradient) -> Gradient:
    """Return the rule of a function of the specified values: that of dense ones, placed."""
    formula = rule.formulas.get("input")
    if formula is None:
        return CONSTANT
    if needs_of(formula) == ("grad",):
        return rule
    return Gradient({"input": _OfValues(formula)}, rule.name)


class _OfValues:
    """A formula over the values of an operand, of its gradient and of its result."""

    def __init__(self, formula: Formula) -> None:
        self._formula: Any = formula
        self._needs = needs_of(formula)
        own = ("grad", "input")
        self.needs = (*own, *(need for need in self._needs if need not in own))

    def __call__(self, t: Any, grad: Any, input: Any, *others: Any) -> Any:
        places = t.call("coalesce", input)
        given = dict(zip(self.needs[2:], others, strict=True))
        if "result" in given:
            given["result"] = given["result"].values()
        given["grad"] = t.call("sparse_mask", grad, places).values()
        given["input"] = places.values()
        found = self._formula(t, *[given[need] for need in self._needs])
        return with_values(t, places, found)


def _of_log1p(t: Any, grad: Any, input: Any) -> Any:
    whole = conj(t.call("to_dense", input) + 1)
    return grad * whole.reciprocal() if is_sparse(grad) else grad / whole


def _of_norm(t: Any, grad: Any, input: Any, result: Any, p: Any) -> Any:
    places = t.call("coalesce", input)
    order = 2 if p is None or p == "fro" else p
    wide, norm = (each.reshape(()) for each in (grad, result))
    found = of_vector_norm(t, wide, places.values(), norm, order, None, False)
    return None if found is None else with_values(t, places, found)


OF_ABS = gradient(input=lambda t, grad, input: grad * t.call("sgn", input))
OF_LOG1P = gradient("Log1PBackward0", input=_of_log1p)
OF_NORM = gradient("NormBackward1", input=_of_norm)

# ---- whatever the values are


def _zeros(t: Any, grad: Any) -> Any:
    return t.call("zeros_like", grad)


#: Of a function whose result steps from one number to the next.
OF_STEPS = gradient(input=_zeros)
OF_FRACTION = gradient("FracBackward0", input=lambda t, grad: grad)
OF_DEG2RAD = gradient("Deg2RadBackward0", input=lambda t, grad: grad * (pi / 180))
OF_RAD2DEG = gradient("Rad2DegBackward0", input=lambda t, grad: grad * (180 / pi))
OF_NEGATIVE = gradient("NegBackward0", input=lambda t, grad: -grad)
OF_CONJ_PHYSICAL = gradient("ConjPhysicalBackward0", input=lambda t, grad: conj(grad))

# ---- parts of complex numbers


def _of_pairs(t: Any, grad: Any) -> Any:
    if not is_sparse(grad):
        return t.call("view_as_complex", grad.contiguous())
    places = t.call("coalesce", grad)
    found = t.call("view_as_complex", places.values().contiguous())
    shape = tuple(grad.shape[:-1])
    return t.sparse(Parts(places._indices(), found, shape, True))


OF_REAL = gradient("SelectBackward0", input=lambda t, grad: grad)
OF_IMAG = gradient("SelectBackward0", input=lambda t, grad: grad * 1j)
OF_PAIRS = gradient("ViewAsRealBackward0", input=_of_pairs)

# ---- quotients and powers


def _is_rounded(bound: Mapping[str, Any]) -> bool:
    return bound.get("rounding_mode") is not None


def _name_of_quotient(bound: Mapping[str, Any]) -> str:
    return "DivBackward2" if _is_rounded(bound) else "DivBackward0"


def _dividend(t: Any, grad: Any, other: Any) -> Any:
    return grad / conj(other)


def _divisor(t: Any, grad: Any, input: Any, other: Any) -> Any:
    return (-grad * conj(input / other / other)).sum()


OF_TRUE_QUOTIENT = gradient("DivBackward0", input=_dividend, other=_divisor)
OF_QUOTIENT = gradient(
    _name_of_quotient,
    input=lambda t, grad, other, rounding_mode: (
        _dividend(t, grad, other) if rounding_mode is None else _zeros(t, grad)
    ),
    other=lambda t, grad, input, other, rounding_mode: (
        _divisor(t, grad, input, other) if rounding_mode is None else _zeros(t, other)
    ),
)


def _of_power(t: Any, grad: Any, input: Any, exponent: Any) -> Any:
    if exponent == 1:
        return grad
    return grad * conj(t.call("pow", input, exponent - 1) * exponent)


OF_POWER = gradient("PowBackward0", input=_of_power)
