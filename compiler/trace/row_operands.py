"""What does a row take an argument as? A tensor or a number, or it says what it wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ...dialects.diagnostics import TrilithError, TrilithTypeError
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...dialects.ops.frame.torch_operations import operation_of
from ...runtime.tensors.tensor import Tensor
from .active import is_recording
from .operands import Number, as_operand
from .scalar_proxies import ScalarProxy


def row_operand(row: OpSpec, parameter: Parameter, value: Any) -> Tensor | Number:
    """Return the tensor or the number that a row takes an argument as, or refuse it.

    An array becomes a tensor on its memory; a tensor is returned as it is.
    """
    found = as_operand(value)
    if found is None or not (parameter.takes_number or isinstance(found, Tensor)):
        raise refuse_operand(row, parameter, value)
    return found


def refuse_operand(row: OpSpec, parameter: Parameter, value: Any) -> TrilithError:
    """Return PyTorch's error for an operand that is no tensor."""
    if getattr(value, "layout", None) is sparse_coo:
        return no_kernel(operation_of(row, {}), sparse_coo, value.device.type, TO_DENSE)
    if isinstance(value, ScalarProxy) and not is_recording(value.traced_by):
        return value.left_over()
    name = "NoneType" if value is None else type(value).__name__
    word = "Number" if parameter.name in {"fill_value", "s"} else "Tensor"
    return row.schema.wrong(parameter, f"must be {word}, not {name}")


def items_of(row: OpSpec, value: Any) -> Sequence[Any]:
    """Return the operands in a list, or refuse what is none."""
    if isinstance(value, (list, tuple)):
        return value  # pyright: ignore[reportUnknownVariableType] - any sequence of operands
    raise TrilithTypeError(
        f"{row.name}(): argument 'tensors' (position 1) must be tuple of Tensors, "
        f"not {type(value).__name__}"
    )
