"""Which operations round to integers, or to a number of decimals?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ....attributes.dtype import Category, DType, bfloat16, float16, float32
from ....diagnostics import TrilithNotImplementedError
from ...frame.elementwise import USUAL, elementwise
from ...frame.opspec import Algebra, Refusal, composite
from ...frame.out_rules import found_dtype
from ...frame.row import Attributes, OperandSpec, TensorLanguage, registering
from ...frame.rules import FLOATS, REALS, WIDE_UNSIGNED, check_dtype
from ...gradients.arithmetic import FLAT
from ...gradients.kinks import OF_ROUND, OF_ROUND_DECIMALS
from ...scalars import scalar
from ...scalars.scalar import Scalar

#: Adds a rounding to an integral value; integers pass unchanged.
_rounding = registering(
    partial(
        USUAL,
        accepts=REALS | WIDE_UNSIGNED,
        algebra=Algebra(idempotent=True),
    ),
    "%s(Tensor input)",
)


def _of_fractions(operation: Callable[[Scalar], Scalar]) -> Callable[[Scalar], Scalar]:
    return lambda x: operation(x) if x.dtype.is_floating_point else x


def _refusing_complex(name: str) -> dict[Category, Refusal]:
    text = f"{name} is not supported for complex inputs"
    return {Category.COMPLEX: (TrilithNotImplementedError, text)}


_rounding(
    "floor",
    "The largest integer not above input, elementwise.",
    "tri.floor(tri.tensor([1.7, -1.2]))  # tensor([ 1., -2.])",
    body=_of_fractions(scalar.floor),
    refusals=_refusing_complex("floor"),
    in_place_functions=("floor_",),
    gradient=FLAT,
)
_rounding(
    "ceil",
    "The smallest integer not below input, elementwise.",
    "tri.ceil(tri.tensor([1.2, -1.7]))  # tensor([ 2., -1.])",
    body=_of_fractions(scalar.ceil),
    refusals=_refusing_complex("ceil"),
    in_place_functions=("ceil_",),
    gradient=FLAT,
)
_rounding(
    "round_even",
    "The nearest integer, halves to even, elementwise: `round` without decimals.",
    "tri.round(tri.tensor([0.5, 1.5, 2.5]))  # tensor([0., 2., 2.])",
    body=_of_fractions(scalar.round_even),
    methods=(),
    is_public=False,
    gradient=OF_ROUND,
)
_rounding(
    "trunc",
    "input without its fraction, elementwise.",
    "tri.trunc(tri.tensor([1.7, -1.7]))  # tensor([ 1., -1.])",
    body=_of_fractions(scalar.trunc),
    refusals=_refusing_complex("trunc"),
    methods=("trunc", "fix"),
    in_place_functions=("trunc_", "fix_"),
    gradient=FLAT,
)


def _round_decimals(x: Scalar, power: Scalar, is_of_fractions: bool = True) -> Scalar:
    if is_of_fractions:
        return scalar.round_even(x * power) / power
    return scalar.round_even(x / power) * power


def _beside_power(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The power of ten is not rounded to a narrow float."""
    dtype = operands[0].dtype
    return (dtype, float32 if dtype in (float16, bfloat16) else dtype), dtype


elementwise(
    "round_decimals(Tensor input, Scalar power, *, bool is_of_fractions=True)",
    "The nearest multiple of 1 / power, or of power, halves to even: `round` with decimals.",
    "tri.round(tri.tensor([0.5, 2.25]), decimals=1)  # tensor([0.5000, 2.2000])",
    body=_round_decimals,
    promotion=_beside_power,
    accepts=FLOATS,
    methods=(),
    is_public=False,
    gradient=OF_ROUND_DECIMALS,
)


def _round(t: TensorLanguage, input: Any, decimals: int | None) -> Any:
    if decimals is None:
        return t.call("round_even", input)
    if decimals:
        # Beyond 10^308 there are only infinities.
        power = 10.0 ** abs(decimals) if abs(decimals) <= 308 else math.inf
        return t.call("round_decimals", input, power, is_of_fractions=decimals > 0)
    check_dtype("round", t.spec(input).dtype, FLOATS)
    return t.call("round_even", input)


composite(
    "round(Tensor input, *, int? decimals=None)",
    "The nearest integer, or the nearest number of some decimals; halves to even.",
    "tri.round(tri.tensor([0.5, 2.25]), decimals=1)  # tensor([0.5000, 2.2000])",
    _round,
    places=("special.round",),
    refuse_out=found_dtype,
    in_place=("round_",),
    has_out=True,
    in_place_functions=("round_",),
)
