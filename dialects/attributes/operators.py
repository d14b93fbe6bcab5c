"""What does Python call the methods behind its operators?"""

from __future__ import annotations

_WORDS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)

#: Of `other + x`, which swaps its two operands; Python 2's division is a method that PyTorch kept.
REFLECTED_OPERATORS = frozenset((*(f"__r{word}__" for word in _WORDS), "__rdiv__"))
#: Of `x += other`, which writes into its first operand.
ASSIGNING_OPERATORS = frozenset(f"__i{word}__" for word in _WORDS)
#: Of all operators that Python resolves by asking both operands.
BINARY_OPERATORS = (
    *(f"__{word}__" for word in (*_WORDS, "lt", "le", "gt", "ge", "eq", "ne")),
    *(f"__r{word}__" for word in _WORDS),
    "__rdiv__",
    *(f"__i{word}__" for word in _WORDS),
)
