"""When are two kernels the same? A key of their structure, without names and places."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.digests import blake2b
from ...dialects.kernel.function import FuncOp
from ...dialects.making import operands_of


@lru_cache(maxsize=8192)
def _spell(attribute: Attribute) -> str:
    return str(attribute)


def structural_key(func: FuncOp) -> str:
    """Return 32 hex digits that depend on operations, types and attributes alone.

    Values are numbered in order of appearance, so that names and locations do not matter.
    """
    numbers: dict[SSAValue, int] = {}
    parts: list[str] = []
    for name, attribute in sorted(func.properties.items()):
        if name != "sym_name":
            parts.append(_spell(attribute))
    _add_block(func.block, numbers, parts)
    return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _add_block(block: Block, numbers: dict[SSAValue, int], parts: list[str]) -> None:
    for argument in block.args:
        numbers[argument] = len(numbers)
        parts.append(_spell(argument.type))
    for op in block.ops:
        _add_operation(op, numbers, parts)
    parts.append("}")


def _add_operation(op: Operation, numbers: dict[SSAValue, int], parts: list[str]) -> None:
    words = [op.name]
    words += [str(numbers[operand]) for operand in operands_of(op)]
    for said in (op.properties, op.attributes):
        for name, attribute in sorted(said.items()) if said else ():
            words += (name, _spell(attribute))
    for result in op.results:
        numbers[result] = len(numbers)
        words.append(_spell(result.type))
    parts.append(" ".join(words))
    for region in op.regions:
        for block in region.blocks:
            _add_block(block, numbers, parts)
