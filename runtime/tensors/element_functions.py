"""What writes what a function of Python gives for each element? `apply_`, one after the other.

It is slow, and there for old programs: an operation of tensors does the same in one kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dialects.attributes.dtype import DType, bool_
from ...dialects.diagnostics import TrilithTypeError
from .construction import build


def apply_(self: Any, callable: Callable[[Any], Any], /) -> Any:
    """Write what a function of Python gives for each element in its place, one by one.

    >>> import trilith as tri
    >>> tri.arange(3).apply_(lambda number: number * number)
    tensor([0, 1, 4])
    """
    if not self.device.has_values:
        return self
    numbers = [_converted(callable(element), self.dtype) for element in self.flatten().tolist()]
    made: Any = build(numbers, self.dtype, self.device, copy=True)
    return self.copy_(made.reshape(self.shape))


def _converted(value: Any, dtype: DType) -> Any:
    """Return a number of a dtype's kind; fractions are cut, and what is no number is refused."""
    if dtype is bool_:
        return bool(value)
    if dtype.is_complex:
        return complex(value)
    if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
        raise TrilithTypeError(f"must be real number, not {type(value).__name__}")
    return float(value) if dtype.is_floating_point else int(value)
