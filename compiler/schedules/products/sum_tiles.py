"""What does a tile of a product compute at once, and what may it leave to others?"""

from __future__ import annotations

from ....dialects.records import record
from ...analysis.product_sizes import DEPTH
from ..scheduler import HEAVY_REGISTERS


@record
class SumTile:
    """What sums are formed side by side: some rows, of some vectors of some registers each."""

    rows: int
    vectors: int = 1
    registers: int = HEAVY_REGISTERS
    #: Elements of k in a piece.
    depth: int = DEPTH
    #: Whether what is computed from the sums is computed in tiles, or left to others.
    finishes: bool = True
    #: Whether half a tile, or less, is computed as half a tile.
    has_halves: bool = True
    #: Whether rows of the other factor are copied whose neighbours are elements of k.
    copies_rows: bool = False
    #: Whether there may be columns that fill no panel, or panels of few elements of k.
    has_edges: bool = True
    #: Whether sums take nearly all registers, so that a compiler has to be told.
    fills_registers: bool = False
    #: Whether the first tile that reads a panel fills it, where its rows are copied as they are.
    fills_panels: bool = False
    #: Whether panels are longer than the nearest cache, so that tiles ask for what they read next.
    asks_ahead: bool = False
