"""Is every value there before it is used? xDSL's verifier does not ask.

In a region of one block a value is visible after the operation that makes it, and in the regions of
the operations after that. Of several blocks each sees what the others make: which one runs first is
not looked at. In a module the order does not matter, as in MLIR.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException


class Undominated(VerifyException):
    """An operation uses a value that is not there yet."""

    def __init__(self, operation: Operation, place: int) -> None:
        name = operation.operands[place].name_hint
        value = f" (%{name})" if name else ""
        super().__init__(f"{operation.name}: operand #{place}{value} does not dominate this use")
        self.operation = operation


def check_dominance(module: Operation) -> None:
    """Raise `Undominated` for the first use of a value that is not there yet."""
    for region in module.regions:
        _check_region(region, frozenset(), is_ordered=not isinstance(module, ModuleOp))


def _check_region(region: Region, outside: frozenset[SSAValue], *, is_ordered: bool) -> None:
    blocks = list(region.blocks)
    for block in blocks:
        visible = {*outside, *block.args}
        for other in blocks:
            if other is not block or not is_ordered:
                visible.update(other.args)
                visible.update(result for op in other.ops for result in op.results)
        for op in block.ops:
            for place, operand in enumerate(op.operands):
                if operand not in visible:
                    raise Undominated(op, place)
            if op.regions:
                is_isolated = op.has_trait(IsolatedFromAbove)
                inside = frozenset[SSAValue]() if is_isolated else frozenset(visible)
                for inner in op.regions:
                    _check_region(inner, inside, is_ordered=not isinstance(op, ModuleOp))
            visible.update(op.results)
