"""What does the kernel of a cumulative operation look like? A scan of one value or of two parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.views import Strided
from ...dialects.kernel.reductions import CUSTOM
from ...dialects.ops.frame.reduction_fields import Scalars
from ...dialects.ops.rows.reductions.scans import CumulativeOp
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.pairs import split
from ...dialects.ops.scalars.scalar import Language, Scalar
from ...dialects.tri.ops import TensorOperation
from .kernel_bodies import draft_copy
from .kernel_builder import KernelDraft
from .scan_bodies import ScanSteps, draft_along


def draft_scan(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a cumulative operation; one element alone is copied, none are nothing."""
    row, spec = op.ROW, op.spec
    assert isinstance(row, CumulativeOp)
    if not spec.numel:
        return []
    if not spec.rank:
        return [draft_copy(row.name, op.operands[0], op.results[0], Strided((), ()))]
    dtype = row.accumulator(spec.dtype)
    if not dtype.is_complex:
        return draft_along(op, ScanSteps(dtype, row.combine, _alone, tuple))

    def merge(total: Scalars, element: Scalars) -> Scalars:
        return split(row.merge(complex_of(*total), complex_of(*element)))

    def first(language: Language, dtypes: Sequence[DType]) -> Scalars:
        return split(row.first(language, dtype))

    return draft_along(op, ScanSteps(dtype, CUSTOM, _parts, _whole, first, merge))


def _alone(element: Scalar, index: Callable[[], Scalar]) -> Scalars:
    return (element,)


def _parts(element: Scalar, index: Callable[[], Scalar]) -> Scalars:
    return split(element)


def _whole(total: Scalars) -> Scalars:
    return (complex_of(*total),)
