"""How many rows, columns and products of each sum does a product of tensors have?"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from ...dialects.ops.frame.opspec import ContractionOp
from ...dialects.ops.rows.products.index_maps import IndexedContractionOp, extents_of, maps_of
from ...dialects.tri.ops import TensorOperation, tensor_spec

#: Products of a sum in a piece: a panel of 16 columns of float32 takes 24 KB of the nearest cache.
DEPTH = 384
#: The same of sums over windows, in tiles of many sums: between pieces results are stored and read,
#: which costs more than a panel that lies in a second-level cache.
WINDOW_DEPTH = 576


class ProductSizes(NamedTuple):
    """Sizes of one product of a batch."""

    rows: int
    columns: int
    depth: int


def sizes_of_product(op: TensorOperation) -> ProductSizes:
    """Return the sizes of a sum of products; a vector is one row, or one column.

    Rows are what the left factor alone has of the result, so many places of an image; columns are
    what the right one has.
    """
    left, right = (tensor_spec(operand) for operand in op.operands)
    if isinstance(op.ROW, ContractionOp):
        rows = left.shape[-2] if left.rank > 1 else 1
        return ProductSizes(rows, right.shape[-1] if right.rank > 1 else 1, left.shape[-1])
    assert isinstance(op.ROW, IndexedContractionOp)
    order, *maps, count = maps_of(op.values())
    extents = extents_of((left, right), *maps)
    outer = range(len(order))
    rows, columns = (
        prod(extents[index] for index in outer if index not in other) for other in reversed(maps)
    )
    return ProductSizes(rows, columns, prod(extents[index] for index in range(len(order), count)))
