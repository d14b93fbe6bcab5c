"""How many work items does a kernel need? It is written into the first line of its text.

    // trilith: {"local": [256], "global": [[0, 1], [3, 1024]]}

Each entry of `global` is [position among the kernel's integers, elements of that extent for one
work item]: the number of work items is the product of ceil(integers[position] / elements), rounded
up to a multiple of the local size. No entries: one work item. The kernel ignores surplus items.
"""

from __future__ import annotations

import json

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.diagnostics import InternalError
from ....dialects.kernel.abi import INDEX, KernelSignature
from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.structured import ParallelOp

#: The attribute of `kernel.parallel items` that says how many of them make a work-group.
LOCAL = "kernel.local"


def grid_of(function: FuncOp) -> ParallelOp | None:
    """Return the loop nest of a kernel whose points are work items."""
    for op in function.block.ops:
        if is_grid(op):
            assert isinstance(op, ParallelOp)
            return op
    return None


def is_grid(op: object) -> bool:
    """Whether an op is a nest whose points are work items."""
    return isinstance(op, ParallelOp) and op.grid == StringAttr("items")


def geometry_of(function: FuncOp, signature: KernelSignature) -> str:
    """Return the launch geometry as JSON."""
    grid = grid_of(function)
    if grid is None:
        return json.dumps({"local": [1], "global": []})
    local = grid.attributes.get(LOCAL)
    size = local.value.data if isinstance(local, IntegerAttr) else 1
    positions = {
        slot.argument: position
        for position, slot in enumerate(signature.integers)
        if slot.kind == INDEX
    }
    extents = [_extent(extent, positions) for extent in grid.operands]
    return json.dumps({"local": [size], "global": extents})


def _extent(value: SSAValue, positions: dict[int, int]) -> list[int]:
    """Return the position of an extent among the integers, and what it is divided by."""
    if isinstance(value, BlockArgument):
        return [positions[value.index], 1]
    if isinstance(value.owner, arith.DivUIOp):
        total, step = value.owner.operands
        if isinstance(total.owner, arith.AddiOp) and isinstance(step.owner, arith.ConstantOp):
            first, number = total.owner.operands[0], step.owner.value
            if isinstance(first, BlockArgument) and isinstance(number, IntegerAttr):
                return [positions[first.index], number.value.data]
    raise InternalError(f"the number of work items follows from no argument: {value}")
