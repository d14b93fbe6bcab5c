"""Which `tri` operations say the same in a simpler way? The patterns that `canonicalize` applies.

They follow from the algebra in the rows. Where a pattern would hand on its operand, it makes a copy
instead: a copy that nobody can tell goes in `tri-canonicalize-formats`, and a result that the
caller sees never becomes an alias of something else.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..attributes.spec import TensorSpec
from ..ops.opspec import ElementwiseOp
from .ops import ElementwiseOperation, op_class, spec_of
from .structure import ConstantOp


def _number(value: SSAValue) -> complex | None:
    """Return the value of a constant operand."""
    return value.owner.number if isinstance(value.owner, ConstantOp) else None


def _copy(op: ElementwiseOperation, value: SSAValue) -> Operation:
    """Return a copy of `value` with the layout of `op`'s result."""
    return op_class("clone").of_type([value], {}, op.spec, op.location)


def _apply(op: ElementwiseOperation, name: str, operands: list[SSAValue]) -> Operation:
    return op_class(name).of_type(operands, {}, op.spec, op.location)


class DropIdentity(RewritePattern):
    """x * 1, x - 0, x / 1 and, for integers, x + 0 are x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOperation, rewriter: PatternRewriter) -> None:
        """Rewrite one operation."""
        row = op.ROW
        assert isinstance(row, ElementwiseOp)
        algebra = row.algebra
        if algebra.identity is None or len(op.operands) != 2 or op.attributes:
            return
        candidates = [(op.operands[0], op.operands[1])]
        if algebra.commutative:
            candidates.append((op.operands[1], op.operands[0]))
        for kept, other in candidates:
            if _is_identity(op, row, kept, other):
                rewriter.replace(op, _copy(op, kept))
                return


def _is_identity(
    op: ElementwiseOperation, row: ElementwiseOp, kept: SSAValue, other: SSAValue
) -> bool:
    number = _number(other)
    spec = spec_of(kept)
    if number is None or isinstance(number, bool) or number != row.algebra.identity:
        return False
    if not isinstance(spec, TensorSpec) or spec.shape != op.spec.shape:
        return False
    if spec.dtype is not op.spec.dtype:
        return False
    return row.algebra.exact_on_floats or not spec.dtype.is_floating_point


class CancelInvolution(RewritePattern):
    """-(-x) and ~(~x) are x; abs(abs(x)) and relu(relu(x)) are the inner result."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOperation, rewriter: PatternRewriter) -> None:
        """Rewrite one operation."""
        row = op.ROW
        assert isinstance(row, ElementwiseOp)
        if len(op.operands) != 1:
            return
        inner = op.operands[0].owner
        if not isinstance(inner, ElementwiseOperation) or inner.ROW is not row:
            return
        if row.algebra.involution and spec_of(inner.operands[0]) is op.spec:
            rewriter.replace(op, _copy(op, inner.operands[0]))
        elif row.algebra.idempotent and inner.spec is op.spec:
            rewriter.replace(op, _copy(op, inner.results[0]))


class SimplifyPower(RewritePattern):
    """x ** 2 is x * x, x ** 0.5 is sqrt(x), as in PyTorch's kernels for constant exponents."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOperation, rewriter: PatternRewriter) -> None:
        """Rewrite one operation."""
        if op.ROW.name != "pow":
            return
        base, exponent = op.operands
        number = _number(exponent)
        spec = spec_of(base)
        if isinstance(number, (bool, complex)) or number is None:
            return
        if not isinstance(spec, TensorSpec) or spec.dtype is not op.spec.dtype:
            return
        if number == 2:
            rewriter.replace(op, _apply(op, "mul", [base, base]))
        elif number == 3 and spec.dtype.bits >= 32:
            square = _apply(op, "mul", [base, base])
            cube = _apply(op, "mul", [square.results[0], base])
            rewriter.replace(op, [square, cube])
        elif number == 0.5 and spec.dtype.is_floating_point:
            rewriter.replace(op, _apply(op, "sqrt", [base]))
        elif number == -0.5 and spec.dtype.is_floating_point:
            rewriter.replace(op, _apply(op, "rsqrt", [base]))
        elif number == -1 and spec.dtype.is_floating_point:
            rewriter.replace(op, _apply(op, "reciprocal", [base]))


PATTERNS: tuple[RewritePattern, ...] = (DropIdentity(), CancelInvolution(), SimplifyPower())
