"""What does each family of rows have? A table by family, in which a base stands for its heirs."""

from __future__ import annotations

from typing import TypeVar

from ...diagnostics import InternalError
from .row import OpSpec

Entry = TypeVar("Entry")


class FamilyTable(dict[type[OpSpec], Entry]):
    """An entry for each family; a family without one has that of the class it is made of.

    >>> from .opspec import CopyOp
    >>> from .row import PrimitiveOp, TABLE
    >>> FamilyTable({PrimitiveOp: "any", CopyOp: "a copy"}).of(TABLE["clone"])
    'a copy'
    """

    def of(self, row: OpSpec) -> Entry:
        """Return the entry for a row's family."""
        for family in type(row).__mro__:
            if family in self:
                return self[family]
        family = type(row).__name__
        raise InternalError(f"'{row.name}' is of the family {family}, of which nothing is said")
