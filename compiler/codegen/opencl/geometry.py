"""How many work items does a kernel need? It is written into the first line of its text.

    // trilith: {"local": [256], "global": [[0, 1], [3, 1024]]}

Each entry of `global` is [position among the kernel's integers, elements of that extent for one
work item]: the number of work items is the product of ceil(integers[position] / elements), rounded
up to a multiple of the local size. No entries: one work item. The kernel ignores surplus items.

Where items work together the word is `groups`, and the product is the number of work-groups. Their
size must then be what it says, and none is surplus.
"""

from __future__ import annotations

import json

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.abi import INDEX, KernelSignature
from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.scheduled import GROUP_SIZE
from ....dialects.kernel.structured import ParallelOp


def grid_of(function: FuncOp) -> ParallelOp | None:
    """Return the loop nest of a kernel whose points are work items or work-groups."""
    for op in function.block.ops:
        if is_grid(op):
            assert isinstance(op, ParallelOp)
            return op
    return None


def is_grid(op: object) -> bool:
    """Whether an op is a nest whose points are work items or work-groups."""
    return isinstance(op, ParallelOp) and (op.is_grid("items") or op.is_grid("groups"))


def group_size(grid: ParallelOp) -> int:
    """Return how many items make a work-group."""
    local = grid.attributes.get(GROUP_SIZE)
    return local.value.data if isinstance(local, IntegerAttr) else 1


def geometry_of(function: FuncOp, signature: KernelSignature) -> str:
    """Return the launch geometry as JSON."""
    grid = grid_of(function)
    if grid is None:
        return json.dumps({"local": [1], "global": []})
    positions = {
        slot.argument: position
        for position, slot in enumerate(signature.integers)
        if slot.kind == INDEX
    }
    extents = [_extent(extent, positions) for extent in grid.operands]
    return json.dumps(
        {"local": [group_size(grid)], "groups" if grid.is_grid("groups") else "global": extents}
    )


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
    raise UnsuitableIr(f"the number of work items follows from no argument: {value}")
