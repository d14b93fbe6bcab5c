"""When are the widest vectors of a CPU worth their price?

Where expressions are long: twice as many elements are in flight then, which hides their latency
(gelu of 1e5 elements 82 -> 59 us, exp 33 -> 25 on Zen 4). In products, which need half as many
instructions (512 x 512 floats 2.83 -> 2.51 ms). What waits for memory is slower: sums 188 -> 208
us. No result depends on the width.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.arith import FloatingPointLikeBinaryOperation
from xdsl.dialects.math import FmaOp
from xdsl.ir import Operation

from ...dialects.kernel.reductions import FMA
from ...dialects.kernel.structured import ReduceOp

#: Operations on floats from which on a body has much arithmetic.
MUCH = 10
FLOAT_ARITHMETIC = (FloatingPointLikeBinaryOperation, FmaOp)


def has_much_arithmetic(ops: Sequence[Operation]) -> bool:
    """Tell whether there are so many operations on floats that wide vectors pay."""
    if any(isinstance(op, ReduceOp) and _is_product(op) for op in ops):
        return True
    return sum(_is_float_arithmetic(type(op)) for op in ops) >= MUCH


def _is_product(op: ReduceOp) -> bool:
    """Whether sums of products are formed one after the other, as those of matrices are."""
    return op.is_serial and op.kind.data == FMA


@cache
def _is_float_arithmetic(kind: type[Operation]) -> bool:
    return issubclass(kind, FLOAT_ARITHMETIC)
