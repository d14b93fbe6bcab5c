"""Where do tiles find the factor that is not in panels? Where it lies, or by memory of its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ReduceOp
from ..scheduler import Scheduler, Values
from .packed_rows import PackedRows, rows_in_memory
from .packed_tiles import PackedTiles
from .sums_in_results import loads_of
from .window_places import WindowPlaces, load_of_windows

OtherFactor = PackedRows | PackedTiles | WindowPlaces


def other_factor(
    scheduler: Scheduler,
    reduction: ReduceOp,
    packed: LoadOp,
    rows: Sequence[SSAValue],
    inner: Values,
    *,
    has_tables: bool,
    height: int | None,
) -> OtherFactor | None:
    """Return what a block of rows is prepared by; None: its tiles read it where it lies.

    `inner` are the sizes of all indices of the sum but one; `height` are the rows of a tile for
    each of which it is packed, None for others.
    """
    if height is not None:
        (load,) = (load for load in loads_of(reduction) if load is not packed)
        return PackedTiles(scheduler, load, rows[0], reduction.indices[0], height)
    load = rows_in_memory(reduction, packed, rows)
    if load is not None:
        return PackedRows(scheduler, load, rows[0], reduction.indices[0])
    if has_tables:
        load = load_of_windows(reduction, packed)
    return None if load is None else WindowPlaces(scheduler, load, reduction.indices, inner)
