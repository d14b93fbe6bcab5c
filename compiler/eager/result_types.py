"""Which dtype do operations on two operands compute in? The function that says so."""

from __future__ import annotations

from typing import Any

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.promotion import result_type as promoted
from ...dialects.attributes.settings import current, holding
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.diagnostics import TrilithTypeError
from ...runtime.tensors.tensor import Tensor
from ..trace.operands import as_operand


def result_type(tensor1: Any, tensor2: Any) -> DType:
    """Return the dtype that an operation on two operands computes in.

    Operands are tensors (0-dim ones count less) and Python numbers (which count least).

    >>> import trilith as tri
    >>> tri.result_type(tri.tensor([1, 2], dtype=tri.int32), 1.0)
    trilith.float32
    """
    with holding(current()):
        return promoted(_result_operand(tensor1), _result_operand(tensor2))


def _result_operand(value: Any) -> Any:
    found = value if isinstance(value, Tensor) else as_operand(value)
    if found is None:
        raise TrilithTypeError(
            f"result_type(): argument 'tensor1' must be Tensor, not {type(value).__name__}"
        )
    return found.operand if isinstance(found, Tensor) else ScalarSpec.of(found).operand
