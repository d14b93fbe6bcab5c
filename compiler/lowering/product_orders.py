"""In which order does a product of matrices add? One product after the other, or in lanes.

Sums of neighbouring columns run side by side, each in order. The product with a vector may have
none that are neighbours: it is a sum in lanes, as others. Which it is follows from shapes alone,
never from strides or a target: the order is part of the meaning.
"""

from __future__ import annotations

from math import prod

from ...dialects.attributes.spec import TensorSpec
from ...dialects.ops.rows.reductions.reduction import LANES

#: Elements of a shorter sum fill no lanes: what combines them would be most of the time.
SHORTEST = 2 * LANES


def is_in_lanes(left: TensorSpec, right: TensorSpec) -> bool:
    """Whether each sum of the product of two tensors is formed in lanes, and not one by one.

    >>> matrix, vector = tri.spec((30, 90), tri.float32), tri.spec((90, 1), tri.float32)
    >>> is_in_lanes(matrix, vector), is_in_lanes(matrix, tri.spec((90, 9), tri.float32))
    (True, False)
    """
    # Other numbers are packed, or are no faster in lanes.
    if not left.dtype.is_floating_point:
        return right.rank == 1
    is_row = left.rank == 1 or left.shape[-2] == 1
    is_column = right.rank == 1 or right.shape[-1] == 1
    if is_row and is_column:
        return True
    if not is_row and not is_column:
        return False
    matrix, vector = (right, left) if is_row else (left, right)
    return left.shape[-1] >= SHORTEST and not _is_repeated(matrix, vector)


def _is_repeated(matrix: TensorSpec, vector: TensorSpec) -> bool:
    """Whether several vectors are multiplied with one matrix: a product of matrices."""
    count = prod(vector.shape[:-2])
    return count != 1 and count != prod(matrix.shape[:-2])
