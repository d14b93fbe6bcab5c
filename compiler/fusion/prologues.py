"""Which factor of a product is computed where it is read? One each element of which one sum reads.

That is the matrix of a product with a vector: casts and scales of its elements cost no memory then.
A factor that many sums read is computed once, and lies in memory. So does a copy: it has been made
for the order in which its elements lie (`tri-pack-factors`).

Where a product packs its right factor in panels, a matrix that lies in memory is also widened on
its way into these: once for many rows.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.ops.frame.opspec import ContractionOp
from ...dialects.tri.ops import TensorOperation, ViewOperation, is_pointwise, tensor_spec
from ...dialects.tri.types import TensorType


def factors_read_once(op: TensorOperation) -> list[SSAValue]:
    """Return the factors of a product of matrices whose elements are as many as products."""
    if not isinstance(op.ROW, ContractionOp):
        return []
    left, right = op.operands
    products = op.spec.numel * tensor_spec(left).shape[-1]
    return [
        factor
        for factor in (left, right)
        if not _is_copy(factor.owner) and are_equal((tensor_spec(factor).numel,), (products,))
    ]


def factors_widened(op: TensorOperation) -> list[SSAValue]:
    """Return the right factor of a product if it is a wider form of what lies in memory."""
    if not isinstance(op.ROW, ContractionOp):
        return []
    factor = op.operands[1]
    cast = factor.owner
    if not (is_pointwise(cast) and cast.ROW.traits.is_layout_blind and factor.has_one_use()):
        return []
    if len(cast.operands) != 1 or not isinstance(cast.operands[0].type, TensorType):
        return []
    (read,) = cast.operands
    is_wider = tensor_spec(read).dtype.itemsize < tensor_spec(factor).dtype.itemsize
    return [factor] if is_wider and _is_in_memory(read) else []


def _is_in_memory(value: SSAValue) -> bool:
    """Whether a value is an argument of the function, or a view of one."""
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return isinstance(value.owner, Block)


def _is_copy(op: Operation | Block) -> bool:
    return is_pointwise(op) and not op.ROW.traits.is_layout_blind
