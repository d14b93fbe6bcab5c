"""Where are all rows? Importing this module fills `TABLE`."""

from . import (
    arithmetic,
    clamping,
    comparison,
    composite,
    contraction,
    conversion,
    creation,
    indexing,
    joining,
    mathematics,
    movement,
    power,
    reduction,
)
from .opspec import TABLE

#: The modules that hold rows.
ROW_MODULES = (
    arithmetic,
    clamping,
    comparison,
    composite,
    contraction,
    conversion,
    creation,
    indexing,
    joining,
    mathematics,
    movement,
    power,
    reduction,
)

__all__ = ["ROW_MODULES", "TABLE"]
