"""Which factor of a product is computed where it is read? One each element of which one sum reads.

That is the matrix of a product with a vector: casts and scales of its elements cost no memory then.
A factor that many sums read is computed once, and lies in memory. So does a copy: it has been made
for the order in which its elements lie (`tri-pack-factors`).
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.ops.frame.opspec import ContractionOp
from ...dialects.tri.ops import TensorOperation, is_pointwise, tensor_spec


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


def _is_copy(op: Operation | Block) -> bool:
    return is_pointwise(op) and not op.ROW.traits.is_layout_blind
