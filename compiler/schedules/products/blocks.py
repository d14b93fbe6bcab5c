"""What is a block of a product? Some rows, and a piece of k, that panels and tiles share."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.records import record
from ..lanes import Frame

#: The first column of a panel, and where its elements begin; None: there is one panel at a time.
Panel = tuple[SSAValue, SSAValue | None]


@record
class Block:
    """A block of rows and a piece of k."""

    #: Its first row, the one from which on tiles are half as high, and the first one behind it.
    first: SSAValue
    whole_end: SSAValue
    end: SSAValue
    #: The first element of k, and how many there are.
    start: SSAValue
    depth: SSAValue
    #: How many of them each tile asks for, of the next panel; None: it asks for none.
    part: SSAValue | None
    #: Where nothing has lanes.
    outer: Frame
    #: Columns of a panel.
    width: SSAValue


@record
class Stand:
    """Where a tile stands in its block."""

    #: Its number, and how many elements of k are in the part of a panel that it asks for.
    tile: SSAValue
    part: SSAValue
    #: The first row of the tile below, and the last row of all.
    below: SSAValue
    last: SSAValue
