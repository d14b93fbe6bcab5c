"""Where do products run in tiles that are taller than registers for addresses allow?

Where both factors of a large one are packed (`packed_tiles.py`), with vectors of 512 bits: of 32
registers 28 hold sums, two a line of the panel, and elements of the other factor are multiplied
from memory. A panel and a tile of the other factor fill the nearest cache, so that pieces of k of
wide elements are shorter. On Granite Rapids, float32 1024 takes 14.8 ms (15.5 in tiles of 8 rows),
2048 121 (147), x.T @ y 15.1 (17.8), float64 1024 30.9 (38).

Columns that fill no panel are left to tiles as all others have them; so is what is small.
"""

from __future__ import annotations

from functools import partial, reduce

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import buffer_type_of
from ..lanes import Frame
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values
from .blocked_sums import WIDE_BITS, BlockedSums, SumTile
from .panel_plans import PanelPlan
from .panels import packed_factor
from .sums_in_results import bits_of, loads_of, only_reduction

#: Rows of a tile.
ROWS = 14
#: Bytes that a panel and a tile's elements of the other factor take together, of 48 KB.
NEAREST_BYTES = 46 * 1024
#: Elements of k that pieces are multiples of.
STEP = 64
#: Rows, columns, products of a sum, and results from which on it pays.
LEAST_ROWS, LEAST_COLUMNS, LEAST_DEPTH, LEAST_RESULTS = 256, 256, 128, 1 << 17


def tall_tiles(
    scheduler: Scheduler,
    op: ParallelOp,
    plan: PanelPlan,
    across: SSAValue,
    extents: Values,
    frame: Frame,
) -> SSAValue | None:
    """Build whole panels so, if the product is large; return the first column that is left.

    None: nothing is built.
    """
    if not _can_pack(scheduler, op, plan):
        return None
    weaver = scheduler.weaver
    blocked = BlockedSums(scheduler, op, plan, _tile(scheduler, plan))
    if not blocked.has_room:
        return None
    if scheduler.is_hurried:
        scheduler.leaves_out = True
        return None
    (rows,), depth = extents, weaver.scalar(blocked.reduction.extents[0], frame)
    sizes = (
        (rows, LEAST_ROWS),
        (across, LEAST_COLUMNS),
        (depth, LEAST_DEPTH),
        (weaver.compute(arith.MuliOp, rows, across), LEAST_RESULTS),
    )
    conditions = [weaver.compare("sge", size, weaver.index(least)) for size, least in sizes]

    def build() -> Values:
        whole = weaver.compute(arith.AndIOp, across, weaver.index(-blocked.width))
        blocked.build(whole, extents, frame)
        return (whole,)

    is_large = reduce(partial(weaver.compute, arith.AndIOp), conditions)
    (start,) = weaver.branch(is_large, build, lambda: (weaver.index(0),))
    return start


def _tile(scheduler: Scheduler, plan: PanelPlan) -> SumTile:
    bits = bits_of(packed_factor(plan.packed).type)
    of_an_element = (ROWS + scheduler.width * HEAVY_REGISTERS) * bits // 8
    depth = NEAREST_BYTES // of_an_element // STEP * STEP
    return SumTile(ROWS, depth=depth, packs_tiles=True, has_halves=False)


def _can_pack(scheduler: Scheduler, op: ParallelOp, plan: PanelPlan) -> bool:
    """Whether the other factor is one load along one index of rows and k, one of them in memory."""
    reduction = only_reduction(op)
    if reduction is None or scheduler.vector_bits < WIDE_BITS or plan.is_across:
        return False
    others = [load for load in loads_of(reduction) if load is not plan.packed]
    if len(plan.rows) != 1 or len(reduction.indices) != 1 or len(others) != 1:
        return False
    (load,), near = others, (plan.rows[0], reduction.indices[0])
    strides = buffer_type_of(load.buffer).strides
    along = [index for index, stride in zip(load.indices, strides, strict=True) if stride == 1]
    return len(along) == 1 and along[0] in near
