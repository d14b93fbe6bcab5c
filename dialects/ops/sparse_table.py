"""Where are the forms of sparse operands? In the rows' room `sparse`, loaded when first needed."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

from ..locks import imported
from .frame.sparse_forms import FORMS, SparseForm

_ROOM = f"{__package__}.rows.sparse"
_FOLDER = Path(__file__).with_name("rows") / "sparse"


def form_of(name: str) -> SparseForm | None:
    """Return what the row of some name does with sparse operands; None if it takes none.

    >>> form_of("neg") is None, form_of("exp") is None
    (False, True)
    """
    if not _loaded:
        for module in iter_modules([str(_FOLDER)]):
            imported(f".{module.name}", _ROOM)
        _loaded.append(True)
    return FORMS.get(name)


_loaded: list[bool] = []
