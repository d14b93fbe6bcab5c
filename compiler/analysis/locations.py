"""Which line of the user's program does an operation come from?"""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr
from xdsl.ir import Operation

from ...dialects.diagnostics import Location


def location_of_op(op: Operation) -> Location | None:
    """Return the place in an operation's location, None if it has none."""
    return location_of(op.location)


def location_of(attribute: LocationAttr | None) -> Location | None:
    """Return a location of the IR as a place in a program."""
    if isinstance(attribute, FileLineColLoc):
        return Location(attribute.filename.data, attribute.line.data, attribute.column.data)
    return None


def spell_location(attribute: LocationAttr | None) -> str:
    """Return `file:line`, empty for an unknown place."""
    place = location_of(attribute)
    return "" if place is None else str(place)
