"""What should people call a kernel? Words for what it computes, read off its structure alone.

    exp_mul_add        reads, computes exp, a product and a sum, writes
    dot                a sum of products

Kernels of one structure are one kernel whatever the program said, so the words must not depend on
anything else; a part of the structure's key makes the name unique.
"""

from __future__ import annotations

from xdsl.dialects.arith import CmpfOp, CmpiOp
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.structured import ReduceOp, ScanOp
from ...dialects.making import all_operations

#: How many words a name has at most, and how many digits of the key.
WORDS = 4
DIGITS = 8
_REDUCTIONS = {
    **{"add": "sum", "fma": "dot", "mul": "prod", "maximum": "max", "minimum": "min"},
    **{"and": "all", "or": "any", "xor": "parity", "custom": "reduce"},
}
_ARITHMETIC = {
    **dict.fromkeys(("arith.addf", "arith.addi"), "add"),
    **dict.fromkeys(("arith.subf", "arith.subi"), "sub"),
    **dict.fromkeys(("arith.mulf", "arith.muli"), "mul"),
    **dict.fromkeys(("arith.divf", "arith.divsi", "arith.divui"), "div"),
    **dict.fromkeys(("arith.remsi", "arith.remui", "kernel.fmod"), "rem"),
    **dict.fromkeys(("arith.minimumf", "arith.minsi", "arith.minui"), "min"),
    **dict.fromkeys(("arith.maximumf", "arith.maxsi", "arith.maxui"), "max"),
    "arith.negf": "neg",
}
_BITS = {
    **{"arith.andi": "and", "arith.ori": "or", "arith.xori": "xor", "arith.select": "where"},
    **{"arith.shli": "shl", "arith.shrsi": "shr", "arith.shrui": "shr"},
}
_CASTS = (
    *("arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci"),
    *("arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"),
)
_FLOAT_PREDICATES = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le", 13: "ne"}
_INTEGER_PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge")


def symbol_of(func: FuncOp, key: str) -> str:
    """Return the symbol of a structured kernel: words for what it computes, and of its key."""
    return f"{words_of(func)}_{key[:DIGITS]}"


def words_of(func: FuncOp) -> str:
    """Return words for what a structured kernel computes, joined by underscores.

    What there is of functions and reductions comes before arithmetic, and that before comparisons
    and bits, where there are too many words; those that stay keep their order.
    """
    found: dict[str, int] = {}
    is_cast = is_reading = False
    for op in all_operations(func):
        is_cast = is_cast or op.name in _CASTS
        is_reading = is_reading or op.name == "kernel.load"
        word, rank = _word(op)
        if word:
            found[word] = min(rank, found.get(word, rank))
    if not found:
        return "cast" if is_cast else "copy" if is_reading else "fill"
    kept = sorted(found, key=lambda word: found[word])[:WORDS]
    return "_".join(word for word in found if word in kept)


def _word(op: Operation) -> tuple[str, int]:
    """Return the word for an operation and how little it says; no word for what only serves."""
    if type(op) is ReduceOp:
        return _REDUCTIONS[op.kind.data], 0
    if type(op) is ScanOp:
        return f"cum{_REDUCTIONS[op.kind.data]}", 0
    dialect, _, name = op.name.partition(".")
    if dialect == "math":
        return name.removesuffix("f") if name in ("absf", "powf") else name, 0
    if not op.results or type(op.results[0].type) is IndexType:
        return "", 0
    if type(op) is CmpfOp:
        return _FLOAT_PREDICATES.get(op.predicate.value.data, "compare"), 2
    if type(op) is CmpiOp:
        return _INTEGER_PREDICATES[op.predicate.value.data], 2
    if op.name in _ARITHMETIC:
        return _ARITHMETIC[op.name], 1
    return _BITS.get(op.name, ""), 2
