"""Where are all rows? Importing this module fills `TABLE`."""

from types import SimpleNamespace

from .frame.named_results import NAMED
from .frame.opspec import TABLE
from .rows import (
    arithmetic,
    broadcasting,
    clamping,
    comparison,
    complex_numbers,
    composite,
    contraction,
    conversion,
    creation,
    creation_methods,
    dim_views,
    extremes,
    floating_parts,
    gathering,
    indexing,
    joining,
    masking,
    mathematics,
    moments,
    placing,
    power,
    ranges,
    reduction,
    repeating,
    reshaping,
    rounding,
    scans,
    scattering,
    splitting,
    stacking,
    storage_views,
    to_methods,
    triangles,
    writing,
)

#: The modules that hold rows.
ROW_MODULES = (
    arithmetic,
    broadcasting,
    clamping,
    comparison,
    complex_numbers,
    composite,
    contraction,
    conversion,
    creation,
    creation_methods,
    dim_views,
    extremes,
    floating_parts,
    gathering,
    indexing,
    joining,
    masking,
    mathematics,
    moments,
    placing,
    power,
    ranges,
    reduction,
    repeating,
    reshaping,
    rounding,
    scans,
    scattering,
    splitting,
    stacking,
    storage_views,
    to_methods,
    triangles,
    writing,
)

#: The rows of these modules: whoever adds others to `TABLE` adds none here.
SHIPPED = frozenset(TABLE.values())

#: The named tuples that rows with several results return: `tri.return_types`.
RETURN_TYPES = SimpleNamespace(**NAMED)

__all__ = ["RETURN_TYPES", "ROW_MODULES", "SHIPPED", "TABLE"]
