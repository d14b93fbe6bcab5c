"""Where do tiles find the factor that is not in panels? Where it lies, or by memory of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ReduceOp
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .packed_rows import PackedRows, lies_along
from .window_places import WindowPlaces, load_of_windows


class OtherFactor(Protocol):
    """What a block of rows is prepared by, before its tiles read elements of a load."""

    load: LoadOp

    def reserve(self, depth: int, rows: int) -> None:
        """Reserve memory for so many elements of k, of so many rows, at most."""
        ...

    def fill(
        self, rows: tuple[SSAValue, SSAValue], piece: tuple[SSAValue, SSAValue], outer: Frame
    ) -> None:
        """Prepare rows from a first one to before an end, of a piece of k: where, how long."""
        ...

    def of_rows(self, rows: Sequence[Frame]) -> Sequence[SSAValue]:
        """Return what says where the elements of each row of a tile lie."""
        ...

    def place_of(self, number: SSAValue) -> SSAValue:
        """Return what says where an element of a row lies, by its number in the piece."""
        ...

    def bind(self, frame: Frame, element: SSAValue, row: SSAValue) -> None:
        """Say what the load gives in a frame, by what `place_of` and `of_rows` have said."""
        ...


def other_factor(
    scheduler: Scheduler,
    reduction: ReduceOp,
    packed: LoadOp,
    lanes: SSAValue,
    rows: Sequence[SSAValue],
    inner: Values,
    *,
    copies_rows: bool,
) -> OtherFactor | None:
    """Return what a block of rows is prepared by; None: its tiles read it where it lies.

    `inner` are the sizes of all indices of the sum but one; `copies_rows` says whether rows are
    copied whose neighbours are elements of k.
    """
    found = lies_along(reduction, packed, rows)
    if found is not None:
        (load, near), (row,), (element,) = found, rows, reduction.indices
        if near is not row and not copies_rows:
            return None
        are_near = near is row
        can_transpose = isinstance(load.results[0].type, Float32Type | Float64Type)
        return PackedRows(
            scheduler,
            load,
            row,
            element,
            are_rows_near=are_near,
            is_transposed=are_near and copies_rows and can_transpose,
        )
    load = load_of_windows(reduction, packed, lanes)
    return None if load is None else WindowPlaces(scheduler, load, reduction.indices, inner)
