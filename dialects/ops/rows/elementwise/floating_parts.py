"""Which operations take floating-point numbers apart? frexp: mantissa and exponent."""

from __future__ import annotations

from collections.abc import Sequence

from ....attributes.dtype import int32
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.elementwise import unary
from ...frame.named_results import named_results
from ...frame.opspec import ElementwiseOp
from ...frame.out_rules import mantissa_and_exponent
from ...frame.reduction_fields import Scalars
from ...frame.row import Attributes, OperandSpec, Resolved
from ...frame.rules import FLOATS, resolve_like
from ...gradients.functions import OF_FREXP
from ...scalars import scalar
from ...scalars.expansions.floating import format_of, to_bits
from ...scalars.scalar import Scalar


def _frexp(x: Scalar) -> Scalars:
    """Return a mantissa in [0.5, 1), with the sign of x, and the exponent of two.

    Zeros, infinities and NaN are their own mantissas, and have the exponent 0.
    """
    form = format_of(x)
    language = x.language
    largest = 2 * form.bias + 1  # the exponent bits, all of them set
    # What is below all normal numbers is brought among them, which is exact.
    shift = form.mantissa_bits + 1
    is_small = abs(x) < 2.0 ** (1 - form.bias)
    bits = to_bits(scalar.select(is_small, x * 2.0**shift, x))
    biased = scalar.cast((bits >> form.mantissa_bits) & largest, int32)
    lift = scalar.select(is_small, language.constant(shift, int32), 0)
    exponent = biased - (form.bias - 1) - lift
    others = form.sign | ((1 << form.mantissa_bits) - 1)
    half = (bits & others) | ((form.bias - 1) << form.mantissa_bits)
    is_itself = x.eq(0) | ~(abs(x) < float("inf"))
    mantissa = scalar.select(is_itself, x, scalar.bitcast(half, x.dtype))
    return mantissa, scalar.select(is_itself, 0, exponent)


def _resolve_frexp(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    if not operands[0].dtype.is_floating_point:
        raise TrilithRuntimeError("trilith.frexp() only supports floating-point dtypes")
    resolved = resolve_like(row, operands, attributes)
    mantissa = resolved.result
    exponent = TensorSpec.of(mantissa.shape, int32, mantissa.device, mantissa.strides)
    return Resolved(resolved.attributes, resolved.operand_dtypes, mantissa, exponent)


unary(
    "frexp",
    "The mantissa in [0.5, 1) and the exponent of two of each number, as int32.",
    "tri.frexp(tri.tensor([6., -0.25])).mantissa  # tensor([ 0.7500, -0.5000])",
    body=_frexp,
    accepts=FLOATS,
    resolver=_resolve_frexp,
    in_place=(),
    returns="return_types.frexp",
    named_results=named_results("frexp", "mantissa", "exponent"),
    refuse_outs=mantissa_and_exponent,
    gradient=OF_FREXP,
)
