"""What is the product of a sparse matrix and a dense one made of? `coo_mm`: a row for each entry.

A family of its own: each entry adds a multiple of a row of the dense matrix to a row of the result,
one entry after the other. Its kernel is in `compiler/lowering/entry_products.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....attributes.dtype import float32, float64
from ....attributes.extents import are_equal
from ....attributes.spec import TensorSpec
from ....diagnostics import InternalError
from ....records import record
from ...frame.indexed import Lookup, Placement
from ...frame.opspec import StructuralOp, composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import COMPLEX, INTEGERS, check_dtype, common_device
from ...frame.traits import CHANGED, Traits
from ...frame.view_rows import tensor_of
from ...scalars.complexes import complex_of
from ...scalars.pairs import split
from ...scalars.reference import NumpyLanguage
from ...scalars.scalar import Scalar

#: What products are summed up in.
SUMMED = INTEGERS | COMPLEX | {float32, float64}


@record(kw_only=True, eq=False)
class EntryProductOp(StructuralOp):
    """The first operand with `values[e] * other[columns[e]]` added to its row `rows[e]`.

    Entries are taken one after the other: each product is rounded, then each sum.
    """

    traits: Traits = CHANGED

    def placements(self, operands: Sequence[TensorSpec]) -> tuple[Placement, Placement]:
        """Return where the points, entries by columns, lie in the result and in the factor."""
        _, values, other, _, _ = operands
        points = (values.shape[0], other.shape[1])
        return (
            Placement(points, (Lookup(3, 0), 1), wraps=False, reported=(0,)),
            Placement(points, (Lookup(4, 0), 1), wraps=False, reported=(1,)),
        )

    def evaluate(self, operands: Sequence[Scalar], resolved: Resolved) -> Scalar:
        """Add entry after entry."""
        language = NumpyLanguage()
        input, values, other, rows, columns = operands
        into, from_ = (np.asarray(index.value) for index in (rows, columns))

        def at(part: Scalar, pick: Any) -> Scalar:
            if part.dtype.is_complex:
                return complex_of(*(at(half, pick) for half in split(part)))
            return language.array(np.asarray(part.value)[pick], part.dtype)

        products = at(values, (slice(None), None)) * at(other, from_)

        def added(total: Scalar, more: Scalar) -> Scalar:
            if total.dtype.is_complex:
                halves = zip(split(total), split(more), strict=True)
                return complex_of(*(added(*pair) for pair in halves))
            made = np.array(total.value)
            with np.errstate(all="ignore"):
                np.add.at(made, into, np.asarray(more.value))
            return language.array(made, total.dtype)

        return added(input, products)


def _resolve(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    specs = [spec for spec in operands if isinstance(spec, TensorSpec)]
    input, values, other, rows, columns = specs
    check_dtype("addmm_sparse_dense", input.dtype, SUMMED)
    is_fitting = input.dtype is values.dtype is other.dtype and rows.dtype is columns.dtype
    is_fitting = is_fitting and are_equal(input.shape[1:], other.shape[1:])
    # Sizes may be symbols, of which it is then known that they are one.
    if not (is_fitting and all(are_equal(values.shape, each.shape) for each in (rows, columns))):
        sizes = values.shape, rows.shape, columns.shape
        raise InternalError(f"entries of {sizes} times {other.shape} added to {input.shape}")
    result = TensorSpec.of(input.shape, input.dtype, common_device(operands))
    return Resolved(dict(attributes), tuple(spec.dtype for spec in specs), result)


TABLE.add(
    EntryProductOp(
        "coo_mm(Tensor input, Tensor values, Tensor other, Tensor rows, Tensor columns)",
        "The input with a row of other, times a value, added to one of its rows for each entry.",
        "tri.sparse.mm(tri.eye(2).to_sparse(), tri.ones(2, 1))  # tensor([[1.],\n#         [1.]])",
        methods=(),
        is_public=False,
        resolver=_resolve,
        torch_name="sparse.mm",
    )
)


def _coo_matmul(
    t: TensorLanguage, rows: Any, columns: Any, values: Any, other: Any, size: int
) -> Any:
    spec = tensor_of(t, other)
    base = t.call("zeros", (size, spec.shape[1]), dtype=spec.dtype, device=spec.device)
    return t.call("coo_mm", base, values, other, rows, columns)


composite(
    "coo_matmul(Tensor rows, Tensor columns, Tensor values, Tensor other, int size)",
    "The product of a sparse matrix, given by its entries, and a dense one.",
    "tri.sparse.mm(tri.eye(2).to_sparse(), tri.ones(2, 1))  # tensor([[1.],\n#         [1.]])",
    _coo_matmul,
    methods=(),
    is_public=False,
    torch_name="sparse.mm",
)
