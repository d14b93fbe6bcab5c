"""What is the gradient of a view? Zeros, with the gradient of the view where it looks."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...dialects.ops.frame.gradients import Gradient
from ...dialects.ops.frame.opspec import ViewOp


@cache
def gradient_of_view(row: ViewOp) -> Gradient:
    """Return the rule of a view that says none: it is written into zeros."""
    operand, *others = [parameter.name for parameter in row.schema.parameters]
    formula = _Placed(row.name, operand, tuple(others))
    return Gradient({operand: formula}, is_view=True)


class _Placed:
    """A formula that writes a gradient into what a row sees of zeros."""

    def __init__(self, name: str, operand: str, others: tuple[str, ...]) -> None:
        self._name, self._operand, self._others = name, operand, others
        self.needs = ("grad", f"{operand}_spec", *others)

    def __call__(self, t: Any, grad: Any, spec: Any, *values: Any) -> Any:
        whole = grad.new_empty_strided(spec.shape, spec.strides).zero_()
        whole.gradient_state()
        whole.become_recorded()
        others = dict(zip(self._others, values, strict=True))
        t.call(self._name, whole, **others).copy_(grad)
        return whole
