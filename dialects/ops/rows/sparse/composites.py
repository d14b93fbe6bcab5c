"""Which composites hold for sparse operands as they are written? Those of forms alone."""

from __future__ import annotations

from typing import Any

from ...frame.opspec import CompositeOp
from ...frame.row import TABLE
from ...frame.sparse_forms import SparseLanguage, sparse_form

#: Each calls rows that have forms, and looks at nothing else but shapes.
EXPANDED = """
hstack vstack dstack atleast_1d atleast_2d atleast_3d float double half bfloat16 cfloat cdouble
chalf bool byte char short int long cpu broadcast_tensors numpy_T matrix_T matrix_H
batched_matrix_H adjoint
"""


def _expanded(name: str) -> None:
    def run(t: SparseLanguage, **arguments: Any) -> Any:
        row = TABLE[name]
        assert isinstance(row, CompositeOp)
        return row.expanded(t, arguments)

    sparse_form(name, is_stepwise=True)(run)


for _name in EXPANDED.split():
    _expanded(_name)
