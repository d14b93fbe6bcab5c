"""What may be an operand? Tensors and what shares memory with them; Python and NumPy numbers."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import numpy as np

from ...dialects.attributes.layout import strided
from ...dialects.attributes.symint import SymInt
from ...runtime.tensors.interchange import over_array, over_dlpack
from ...runtime.tensors.tensor import Tensor

#: A number of one of Python's own types, not of a class that is derived from one.
Number: TypeAlias = bool | int | float | complex

_EXACT = frozenset((bool, int, float, complex))
_BASES = (int, float, complex)


def as_operand(value: Any) -> Tensor | Number | None:
    """Return the number or the tensor that a value is taken for, None if it is neither.

    >>> as_operand(np.float32(0.5)), as_operand(np.ones(2)), as_operand("text")
    (0.5, tensor([1., 1.], dtype=trilith.float64), None)
    """
    if type(value) is Tensor:
        return value
    number = as_number(value)
    return as_tensor(value) if number is None else number


def as_number(value: Any) -> Number | None:
    """Return a Python number for a Python or NumPy scalar, None for anything else.

    >>> as_number(np.int64(2)), as_number(np.bool_(True)), as_number("2")
    (2, 1.0, None)
    """
    # Not `isinstance`: what stands for a number of a traced function calls itself an int.
    kind = cast("type[Any]", type(value))
    if kind in _EXACT:
        return value
    if issubclass(kind, _BASES):
        # A member of an enumeration, say. What its class makes of it does not count.
        base: Any = next(base for base in kind.__mro__ if base in _EXACT)
        return base.__pos__(value)
    if isinstance(value, np.number):
        return cast("Any", value).item()
    if isinstance(value, np.bool_):
        return float(cast("Any", value))  # as PyTorch, for which it is no bool
    return value.__index__() if kind is SymInt else None


def as_tensor(value: Any) -> Tensor | None:
    """Return a tensor that shares the memory of an array, None for what is no array."""
    if isinstance(value, Tensor):
        if type(value) is not Tensor:
            value.check_concrete()
            if value.spec.layout is not strided:
                return None
        return value
    if isinstance(value, np.ndarray):
        return over_array(value)
    if hasattr(value, "__dlpack__"):
        return over_dlpack(value)
    return None
