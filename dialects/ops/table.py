"""Where are all rows? Importing this module fills `TABLE`."""

from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace

from .frame.named_results import NAMED
from .frame.row import TABLE, OpSpec
from .rows import (
    arithmetic,
    batch_norms,
    broadcasting,
    clamping,
    class_losses,
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
    group_norms,
    indexing,
    joining,
    masking,
    mathematics,
    moments,
    norms,
    placing,
    power,
    ranges,
    reduction,
    repeating,
    reshaping,
    rounding,
    scans,
    scattering,
    softmax,
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
    batch_norms,
    broadcasting,
    clamping,
    class_losses,
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
    group_norms,
    indexing,
    joining,
    masking,
    mathematics,
    moments,
    norms,
    placing,
    power,
    ranges,
    reduction,
    repeating,
    reshaping,
    rounding,
    scans,
    scattering,
    softmax,
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

__all__ = ["RETURN_TYPES", "ROW_MODULES", "SHIPPED", "TABLE", "public_functions"]


def public_functions() -> Mapping[str, OpSpec]:
    """Return the row of each public function, by its name with those of modules before it.

    Aliases and functions that write in place are among them.

    >>> public_functions()["absolute"].name, public_functions()["relu_"].name
    ('abs', 'relu')
    >>> public_functions()["special.expit"].name
    'sigmoid'
    """
    return _functions_of(len(TABLE))


@lru_cache(maxsize=1)
def _functions_of(_count: int) -> Mapping[str, OpSpec]:
    """Return the same for a table of so many rows: others may add some."""
    found: dict[str, OpSpec] = {}
    for row in TABLE.values():
        for name in (*row.function_names, *row.places, *row.in_place_functions):
            found.setdefault(name, row)
    return found
