"""What is a row whose elements a function of NumPy computes? What lies outside of kernels: sorting.

The row says everything but the elements: dtypes, shapes and strides of the results follow from the
operands' specs, so that it is traced, fused around and compiled as every other one. Its elements
are computed on the host, between kernels, by a function of `runtime/host` that it names.
"""

from __future__ import annotations

from ...records import record
from .opspec import StructuralOp
from .traits import LAYOUT_BLIND, Traits


@record(kw_only=True, eq=False)
class HostBodyOp(StructuralOp):
    """An operation whose elements are computed by `body`, "module:function" in `runtime/host`.

    The function is given arrays over the operands and over memory for the results, in the strides
    that they have, and the canonical attributes; it fills the results. One that `can_fail` raises
    an error for some elements, which is said of the line that called.
    """

    body: str
    can_fail: bool = False
    traits: Traits = LAYOUT_BLIND
