"""Which operations add in the space of logarithms? logsumexp, in one look at the elements.

An accumulator is the largest element so far and the sum of exponentials of the others, relative to
the largest one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.dtype import Category, DType
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import ReductionOp, composite
from ...frame.reduction_fields import JointReduction, Scalars
from ...frame.reduction_rules import reduced_dims, reduced_shape
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import ARITHMETIC, WIDE_UNSIGNED, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.reductions import OF_LOGSUMEXP
from ...scalars import scalar
from ...scalars.scalar import Scalar
from .reduction import reduction


def start_exponents(dtype: DType) -> tuple[float, ...]:
    """Return what no element has entered yet."""
    return -math.inf, -1.0


def enter_exponent(element: Scalar) -> Scalars:
    """Return an accumulator of one element."""
    return element, element.language.constant(0, element.dtype)


def merge_exponents(earlier: Scalars, later: Scalars) -> Scalars:
    """Return the largest element of two parts, and the sum of the other exponentials.

    The sum is that of exp(element - largest) over all elements but the largest, which would be 1.
    """
    (largest, rest), (other, other_rest) = earlier, later
    # Equal infinities are no distance apart.
    distance = scalar.select(largest.eq(other), 0.0, abs(largest - other))
    weight = scalar.exp(-distance)
    is_other = other > largest
    kept = scalar.select(is_other, other_rest, rest)
    added = scalar.select(is_other, rest, other_rest)
    return scalar.maximum(largest, other), scalar.fma(added + 1, weight, kept)


def finish_exponents(total: Scalars, count: object, **attributes: object) -> Scalars:
    """Return the logarithm of the sum of all exponentials."""
    largest, rest = total
    return (scalar.log1p(rest) + largest,)


def _resolve(row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    given = operand.dtype
    check_dtype("amax", given, ARITHMETIC | WIDE_UNSIGNED)
    dtype = get_default_dtype() if given.category <= Category.INTEGRAL else given
    dims = reduced_dims(attributes["dim"], operand.rank)
    keepdim = bool(attributes["keepdim"])
    shape = reduced_shape(operand.shape, dims, keepdim)
    result = TensorSpec.of(shape, dtype, operand.device)
    return Resolved({"dim": dims, "keepdim": keepdim}, (dtype,), result)


reduction(
    "logsumexp_real(Tensor input, int[] dim, bool keepdim=False)",
    "The logarithm of the sum of exponentials of numbers that are not complex.",
    "tri.logsumexp(tri.tensor([0., 0.]), 0)  # tensor(0.6931)",
    resolver=_resolve,
    combine="logsumexp",
    joint=JointReduction(
        start=start_exponents,
        enter=enter_exponent,
        merge=merge_exponents,
        finish=finish_exponents,
    ),
    ulp=8.0,
    methods=(),
    is_public=False,
    torch_name="logsumexp",
    gradient=OF_LOGSUMEXP,
)


def _logsumexp(t: TensorLanguage, input: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    spec = tensor_of(t, input)
    if not dim and not keepdim and spec.rank and spec.numel:
        # PyTorch takes () for all dims in one step and for none in another.
        ones = ", ".join(["1"] * spec.rank)
        raise TrilithRuntimeError(
            f"output with shape [] doesn't match the broadcast shape [{ones}]"
        )
    if not spec.dtype.is_complex:
        return t.call("logsumexp_real", input, dim, keepdim)
    if not spec.numel:
        return t.call("log", t.call("sum", t.call("exp", input), dim, keepdim))
    largest = t.call("amax", t.call("real", input), dim, True)
    is_infinite = t.call("isinf", largest)
    largest = t.call("where", is_infinite, 0, largest)
    powers = t.call("exp", t.call("sub", input, largest))
    total = t.call("log", t.call("sum", powers, dim, keepdim))
    dims = reduced_dims(dim, spec.rank)
    return t.call("add", total, largest if keepdim else t.call("squeeze", largest, dims))


def _refuse_out(result: DType, out: DType) -> None:
    if out.category <= Category.INTEGRAL:
        raise TrilithRuntimeError(
            f"logsumexp(): Expected floating point type for result tensor, but got: {out.c_name}"
        )


composite(
    "logsumexp(Tensor input, int[] dim, bool keepdim=False)",
    "The logarithm of the sum of exponentials over dims, without overflow.",
    "tri.logsumexp(tri.tensor([1000., 1000.]), 0)  # tensor(1000.6932)",
    _logsumexp,
    places=("special.logsumexp",),
    has_out=True,
    refuse_out=_refuse_out,
    gradient=OF_LOGSUMEXP,
)
