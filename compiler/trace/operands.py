"""What may be an operand? Tensors and what shares memory with them; Python and NumPy numbers."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ...runtime.tensors.interchange import over_array, over_dlpack
from ...runtime.tensors.tensor import Tensor

#: NumPy scalars count as Python numbers, as in PyTorch.
_NUMPY_NUMBERS = (np.bool_, np.number)


def as_number(value: Any) -> bool | int | float | complex | None:
    """Return a Python number for a Python or NumPy scalar, None for anything else."""
    # Not `isinstance`: what stands for a number of a traced function calls itself an int.
    if issubclass(type(value), (bool, int, float, complex)):
        return value
    if isinstance(value, _NUMPY_NUMBERS):
        return cast("Any", value).item()
    return None


def as_tensor(value: Any) -> Tensor | None:
    """Return a tensor that shares the memory of an array, None for what is no array."""
    if isinstance(value, Tensor):
        if type(value) is not Tensor:
            value.check_concrete()
        return value
    if isinstance(value, np.ndarray):
        return over_array(value)
    if hasattr(value, "__dlpack__"):
        return over_dlpack(value)
    return None
