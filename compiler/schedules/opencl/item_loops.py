"""Which points of a nest does one work item run, and in which loops?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.scheduled import AS_WIDE_LANES, ForOp
from ....dialects.kernel.types import f64, i64
from ...analysis.wide_vectors import has_much_arithmetic
from ..lanes import Frame, Weaver
from ..scheduler import Values

#: The first index of a work item in a dimension, and the one where it ends (None: it has one).
Bounds = tuple[SSAValue, SSAValue | None]


def loop_over(
    weaver: Weaver,
    indices: Sequence[SSAValue],
    bounds: Sequence[Bounds],
    frame: Frame,
    leaf: Callable[[Frame], None],
) -> None:
    """Build loops over a box, outermost first, around a leaf."""
    if not indices:
        leaf(frame)
        return
    start, stop = bounds[0]

    def inside(index: SSAValue, _: Values) -> Values:
        inner = frame.inner()
        inner.scalars[indices[0]] = index
        loop_over(weaver, indices[1:], bounds[1:], inner, leaf)
        return ()

    if stop is None:
        inside(start, ())
        return
    weaver.loop((start, stop, weaver.index(1)), (), inside)
    if len(indices) == 1:
        _mark_wide(weaver.block.last_op)


def _mark_wide(loop: Operation | None) -> None:
    """Let a loop of much arithmetic and no inner loops use the widest vectors there are."""
    assert isinstance(loop, ForOp)
    ops = list(loop.block.ops)
    if not has_much_arithmetic(ops) or any(op.regions for op in ops):
        return
    is_double = any(value.type == f64 for op in ops for value in op.results)
    loop.attributes[AS_WIDE_LANES] = IntegerAttr(8 if is_double else 16, i64)
