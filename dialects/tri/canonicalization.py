"""Which `tri` operations say the same in a simpler way? The patterns that `canonicalize` applies.

They follow from the algebra in the rows. Where a pattern would hand on its operand, it makes a copy
instead: a copy that nobody can tell goes in `tri-canonicalize-formats`, and a result that the
caller sees never becomes an alias of something else.
"""

from __future__ import annotations

from math import frexp

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..attributes.dtype import float32, float64
from ..attributes.spec import TensorSpec
from ..ops.frame.opspec import ElementwiseOp
from .ops import ELEMENTWISE_PATTERNS, ElementwiseOperation, op_class, spec_of
from .structure import ConstantOp


def _number(value: SSAValue) -> complex | None:
    """Return the value of a constant operand."""
    return value.owner.number if isinstance(value.owner, ConstantOp) else None


def _copy(op: ElementwiseOperation, value: SSAValue) -> Operation:
    """Return a copy of `value` with the layout of `op`'s result."""
    return op_class("clone").of_type([value], {}, op.spec, op.location)


class DropIdentity(RewritePattern):
    """x * 1, x - 0, x / 1 and, for integers, x + 0 are x; a complex x may lose an infinite part."""

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
    if spec.dtype.is_complex:
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


class MultiplyByReciprocal(RewritePattern):
    """x / 2 is x * 0.5: a power of two has an exact reciprocal, and a product is the sooner."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOperation, rewriter: PatternRewriter) -> None:
        """Rewrite one operation."""
        row = op.ROW
        assert isinstance(row, ElementwiseOp)
        if not row.algebra.by_reciprocal:
            return
        dividend, divisor = op.operands
        number, spec = _number(divisor), spec_of(divisor)
        if type(number) is not float or not isinstance(spec, TensorSpec):
            return
        mantissa, exponent = frexp(number)
        if abs(mantissa) != 0.5 or abs(exponent) > _EXPONENTS.get(spec.dtype, 0):
            return
        inverse = ConstantOp.make(1 / number, spec, op.location)
        multiply = op_class(row.algebra.by_reciprocal)
        product = multiply.of_type([dividend, inverse.results[0]], {}, op.spec, op.location)
        rewriter.replace(op, [inverse, product])


#: How far from zero the exponent of a power of two may be, so that its reciprocal is normal.
_EXPONENTS = {float32: 125, float64: 1021}

ELEMENTWISE_PATTERNS.extend([DropIdentity(), CancelInvolution(), MultiplyByReciprocal()])
