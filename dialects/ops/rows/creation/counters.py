"""Which operation knows where an element is? One that gives each its number, inside of kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import DType, int64
from ....attributes.extents import check_sizes
from ....attributes.spec import TensorSpec
from ....records import record
from ...frame.gradients import CONSTANT
from ...frame.opspec import CreationOp
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved
from ...frame.traits import COPIED
from ...scalars.scalar import Scalar
from .filled import device_of


@record(kw_only=True, eq=False)
class NumberingOp(CreationOp):
    """The number of each element in the order of their indices: no memory holds it.

    It is computed where it is read, from the indices of the loops there.
    """


def _resolve_numbers(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    size: Any = attributes["size"]
    strides: Any = attributes["strides"]
    check_sizes(size)
    device = device_of(attributes)
    result = TensorSpec.of(size, int64, device, strides)
    return Resolved(dict(attributes) | {"device": device}, (), result)


def _number(index: Scalar, dtype: DType) -> Scalar:
    return index


TABLE.add(
    NumberingOp(
        "element_numbers(int[] size, *, device? device=None, int[]? strides=None)",
        "The number of each element, counted in the order of the indices, wherever it lies.",
        "tri.arange(4).reshape(2, 2)  # tensor([[0, 1],\n#         [2, 3]])",
        methods=(),
        resolver=_resolve_numbers,
        body=_number,
        traits=COPIED,
        is_public=False,
        gradient=CONSTANT,
    )
)
