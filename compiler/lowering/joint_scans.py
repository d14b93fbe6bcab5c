"""What does the kernel of a scan of several values at once look like?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...dialects.attributes.dtype import DType
from ...dialects.kernel.reductions import CUSTOM
from ...dialects.ops.frame.reduction_fields import Scalars
from ...dialects.ops.rows.reductions.joint_scans import JointScanOp
from ...dialects.ops.scalars.scalar import Language, Scalar
from ...dialects.tri.ops import TensorOperation, tensor_spec
from .kernel_builder import KernelDraft
from .scan_bodies import ScanSteps, draft_along


def draft_joint_scan(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a scan of several values at once."""
    row = op.ROW
    assert isinstance(row, JointScanOp)
    dtype = row.accumulator(tensor_spec(op.operands[0]).dtype)

    def first(language: Language, dtypes: Sequence[DType]) -> Scalars:
        starts = row.joint.start(dtype)
        return tuple(
            language.constant(start, each) for start, each in zip(starts, dtypes, strict=True)
        )

    def enter(element: Scalar, index: Callable[[], Scalar]) -> Scalars:
        return row.entered(element, index())

    joint = row.joint
    steps = ScanSteps(dtype, CUSTOM, enter, row.shown, first, joint.merge, joint.latest)
    return draft_along(op, steps)
