"""When are the widest vectors of a CPU worth their price?

Where expressions are long: twice as many elements are in flight then, which hides their latency
(gelu of 1e5 elements 82 -> 59 us, exp 33 -> 25 on Zen 4). What waits for memory is slower: sums
188 -> 208 us. No result depends on the width.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from xdsl.dialects.arith import FloatingPointLikeBinaryOperation
from xdsl.dialects.math import FmaOp
from xdsl.ir import Operation

#: Operations on floats from which on a body has much arithmetic.
MUCH = 10
FLOAT_ARITHMETIC = (FloatingPointLikeBinaryOperation, FmaOp)


def has_much_arithmetic(ops: Iterable[Operation]) -> bool:
    """Tell whether there are so many operations on floats that wide vectors pay."""
    return sum(_is_float_arithmetic(type(op)) for op in ops) >= MUCH


@cache
def _is_float_arithmetic(kind: type[Operation]) -> bool:
    return issubclass(kind, FLOAT_ARITHMETIC)
