"""Which dtypes may the parameters of a normalisation have beside an input? PyTorch's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...attributes.dtype import DType, bfloat16, float16, float32
from ...diagnostics import TrilithRuntimeError
from .row import TensorLanguage
from .view_rows import tensor_of


def check_parameters(t: TensorLanguage, dtype: DType, parameters: Sequence[Any]) -> DType:
    """Return the dtype of statistics and parameters, or refuse those of the parameters.

    An input in 16 bits may have parameters in float32; all of them are that then. None stands for
    a parameter that is not there.
    """
    found = [tensor_of(t, item).dtype for item in parameters if item is not None]
    if not found or found[0] is dtype:
        for other in found:
            if other is not dtype:
                raise TrilithRuntimeError(
                    f"expected scalar type {dtype.c_name} but found {other.c_name}"
                )
        return dtype
    if any(other is not float32 for other in found):
        raise TrilithRuntimeError(
            "mixed dtype (CPU): expect parameter to have scalar type of Float"
        )
    if dtype not in (float16, bfloat16):
        raise TrilithRuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return float32
