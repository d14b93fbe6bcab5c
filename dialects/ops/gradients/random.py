"""What are the gradients of random numbers? Those of what they are drawn from are zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame.argument_values import is_number
from ..frame.gradients import Gradient, gradient
from .arithmetic import zeros_like


def drawn_over(name: str, *operands: str) -> Gradient:
    """Return the rule of numbers that depend on operands in no way that has a derivative.

    >>> tuple(drawn_over("Bernoulli", "input").formulas)
    ('input',)
    """
    return Gradient(
        dict.fromkeys(operands or ("input",), lambda t, grad: zeros_like(grad)), f"{name}Backward0"
    )


#: Of what is nearly another value, and passes its gradient on: `hard - soft + soft`.
OF_STRAIGHT_THROUGH = gradient("AddBackward0", soft=lambda t, grad: grad)


def _name_of_normal(bound: Mapping[str, Any]) -> str:
    if is_number(bound["mean"]):
        return "NormalBackward2"
    return "NormalBackward1" if is_number(bound["std"]) else "NormalBackward3"


OF_NORMAL = Gradient(drawn_over("Normal", "mean", "std").formulas, _name_of_normal)
