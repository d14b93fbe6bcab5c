"""How is a kernel for work-groups put together: groups, phases of their items, shared memory?

    kernel.parallel groups (%g) to (%n) attributes {kernel.local = 64 : i64} {
      %shared = kernel.alloc [64] : !kernel.buffer<f32, [1], local>
      kernel.parallel items (%t) to (%c64) {
        ...
      }
      kernel.barrier
      kernel.parallel items (%t) to (%c64) {
        ...
      }
    }

What stands in a group but in no items is equal for all of them, loops and branches too. So every
barrier is reached by all items, and the text can be run one item after the other, phase by phase.
Private memory of a group is an array for each item, which keeps it from phase to phase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, SSAValue

from ....dialects.kernel.memory import AllocOp, BarrierOp
from ....dialects.kernel.scheduled import GROUP_SIZE
from ....dialects.kernel.structured import ParallelOp, YieldOp
from ....dialects.kernel.types import LOCAL, PRIVATE, BufferType, i64, type_of_index
from ..lanes import Weaver

#: Memory of a group that a kernel may take: every OpenCL device has as much.
SHARED_BYTES = 32768


def bytes_of(element: Attribute) -> int:
    """Return what an element takes in memory.

    >>> from trilith.dialects.kernel.types import f64, i1
    >>> bytes_of(f64), bytes_of(i1)
    (8, 1)
    """
    bits: int = getattr(element, "bitwidth", 64)
    return max(8, bits) // 8


class WorkGroup:
    """A group of some items whose code is being built."""

    def __init__(self, weaver: Weaver, size: int, indices: Sequence[SSAValue]) -> None:
        """Build at the weaver's place, inside the nest of groups."""
        self.weaver, self.size = weaver, size
        #: The number of the group in each dimension of the nest.
        self.indices = indices

    def items(self, build: Callable[[SSAValue], None]) -> None:
        """Build `build(item)` for every item of the group."""
        weaver = self.weaver
        outside, block = weaver.block, Block(arg_types=[type_of_index])
        weaver.block = block
        build(block.args[0])
        block.add_op(YieldOp.make())
        weaver.block = outside
        outside.add_op(ParallelOp.make([weaver.index(self.size)], block, "items"))

    def barrier(self) -> None:
        """Wait until all items have done what stands before."""
        self.weaver.block.add_op(BarrierOp.make())

    def shared(
        self, element: Attribute, rows: int, columns: int, row: int | None = None
    ) -> SSAValue:
        """Reserve memory of the group; `row` is the distance of rows, if they lie apart."""
        kind = BufferType.get(element, (row or columns, 1), LOCAL)
        return self.weaver.add(AllocOp.make((rows, columns), kind))

    def private(self, element: Attribute, count: int) -> SSAValue:
        """Reserve memory of each item."""
        return self.weaver.add(AllocOp.make((count,), BufferType.get(element, (1,), PRIVATE)))


def build_groups(
    weaver: Weaver, counts: Sequence[SSAValue], size: int, build: Callable[[WorkGroup], None]
) -> None:
    """Build `build(group)` for every group of a box."""
    outside, block = weaver.block, Block(arg_types=[type_of_index] * len(counts))
    weaver.block = block
    build(WorkGroup(weaver, size, block.args))
    block.add_op(YieldOp.make())
    weaver.block = outside
    groups = ParallelOp.make(counts, block, "groups")
    groups.attributes[GROUP_SIZE] = IntegerAttr(size, i64)
    outside.add_op(groups)


def tile_counts(
    weaver: Weaver, extents: Sequence[SSAValue], sides: Sequence[int]
) -> list[SSAValue]:
    """Return how many tiles of some sides cover each dimension."""
    counts: list[SSAValue] = []
    for extent, side in zip(extents, sides, strict=True):
        if side > 1:
            total = weaver.compute(arith.AddiOp, extent, weaver.index(side - 1))
            extent = weaver.compute(arith.DivUIOp, total, weaver.index(side))
        counts.append(extent)
    return counts


def high_part(weaver: Weaver, number: SSAValue, side: int) -> SSAValue:
    """Return the quotient by a power of two."""
    if side == 1:
        return number
    return weaver.compute(arith.ShRUIOp, number, weaver.index(side.bit_length() - 1))


def low_part(weaver: Weaver, number: SSAValue, side: int) -> SSAValue:
    """Return the remainder by a power of two."""
    if side == 1:
        return weaver.index(0)
    return weaver.compute(arith.AndIOp, number, weaver.index(side - 1))
