"""What is a number that is computed from sizes? A float; of sizes that are left open, a tensor.

A row that asks a symbol for its float has a plan for that size alone. So what is divided by such a
size is computed where the plan runs, by the same division of doubles as Python's.
"""

from __future__ import annotations

from typing import Any

from ....attributes.device import Device
from ....attributes.dtype import DType, float32, float64
from ....attributes.symint import is_symbolic
from ...frame.row import TensorLanguage
from .filled import fill_with


def quotient(t: TensorLanguage, left: float, right: float, dtype: DType, device: Device) -> Any:
    """Return a quotient that tensors of a dtype are multiplied by: a float, or a 0-dim tensor.

    Of 16 bits a tensor would be rounded, and a float is not: of these each size has its plan, as
    where there may be no doubles.
    """
    is_exact = dtype in (float32, float64) and device.is_host
    if not (is_symbolic((left, right)) and is_exact):
        return left / right
    dividend, divisor = (
        fill_with(t, (), number, dtype=float64, device=device) for number in (left, right)
    )
    return t.call("to", t.call("true_divide", dividend, divisor), dtype)
