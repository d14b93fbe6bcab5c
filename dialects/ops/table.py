"""Where are all rows? Importing this module fills `TABLE`."""

from . import (
    arithmetic,
    comparison,
    composite,
    contraction,
    conversion,
    creation,
    indexing,
    joining,
    mathematics,
    movement,
    reduction,
)
from .opspec import TABLE

#: The modules that hold rows.
ROW_MODULES = (
    arithmetic,
    comparison,
    composite,
    contraction,
    conversion,
    creation,
    indexing,
    joining,
    mathematics,
    movement,
    reduction,
)

__all__ = ["ROW_MODULES", "TABLE"]
