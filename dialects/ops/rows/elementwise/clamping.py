"""What does clamp mean? Limits that are numbers or tensors; NaN wins, and -0.0 stays."""

from __future__ import annotations

from typing import Any

from ....attributes.spec import ScalarSpec, TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.elementwise import elementwise
from ...frame.literals import check_bounds
from ...frame.opspec import composite
from ...frame.out_rules import found_dtype
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, REALS, clamped, refuse_combination, resolve_without_numbers
from ...gradients.kinks import OF_CLAMP, OF_CLAMP_MAX, OF_CLAMP_MIN, OF_UNSEEN_LIMIT
from ...scalars import scalar
from ...scalars.scalar import Scalar


def at_least(x: Scalar, low: Scalar | float) -> Scalar:
    """Return x, or the limit if x is below it or the limit is NaN."""
    limited = scalar.select(x < low, low, x)
    # A condition on the limit alone: for a number it is decided in front of the loop.
    return scalar.select(scalar.isnan(low), low, limited) if isinstance(low, Scalar) else limited


def at_most(x: Scalar, high: Scalar) -> Scalar:
    """Return x, or the limit if x is above it or the limit is NaN."""
    return scalar.select(scalar.isnan(high), high, scalar.select(x > high, high, x))


def _between(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    return at_most(at_least(x, low), high)


elementwise(
    "clamp_both(Tensor input, Operand min, Operand max)",
    "input limited to [min, max], elementwise: `clamp` with both bounds.",
    "tri.clamp(tri.tensor([-1, 5]), 0, 3)  # tensor([0, 3])",
    body=_between,
    promotion=clamped("clamp_both", REALS),
    resolver=resolve_without_numbers,
    methods=(),
    is_public=False,
    gradient=OF_CLAMP,
)
elementwise(
    "clamp_min(Tensor input, Operand min)",
    "input, but at least min, elementwise.",
    "tri.clamp_min(tri.tensor([-1, 5]), 0)  # tensor([0, 5])",
    body=at_least,
    promotion=clamped("clamp_min", ARITHMETIC),
    resolver=resolve_without_numbers,
    check_numbers=check_bounds,
    in_place_functions=("clamp_min_",),
    gradient=OF_CLAMP_MIN,
)
elementwise(
    "clamp_min_unseen(Tensor input, Operand min)",
    "input, but at least min, elementwise: the gradient is that of input itself, wherever it is.",
    "tri.cosine_similarity(tri.tensor([[3., 4.]]), tri.zeros(1, 2))  # tensor([0.])",
    body=at_least,
    promotion=clamped("clamp_min", ARITHMETIC),
    resolver=resolve_without_numbers,
    methods=(),
    is_public=False,
    gradient=OF_UNSEEN_LIMIT,
)
elementwise(
    "clamp_max(Tensor input, Operand max)",
    "input, but at most max, elementwise.",
    "tri.clamp_max(tri.tensor([-1, 5]), 3)  # tensor([-1,  3])",
    body=at_most,
    promotion=clamped("clamp_max", ARITHMETIC),
    resolver=resolve_without_numbers,
    check_numbers=check_bounds,
    in_place_functions=("clamp_max_",),
    gradient=OF_CLAMP_MAX,
)


def _clamp(t: TensorLanguage, input: Any, min: Any, max: Any) -> Any:
    if min is None and max is None:
        raise TrilithRuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if max is None:
        return t.call("clamp_min", input, min)
    if min is None:
        return t.call("clamp_max", input, max)
    bounds = (t.spec(min), t.spec(max))
    # A tensor without dims stands for the number in it.
    has_number = any(isinstance(bound, ScalarSpec) for bound in bounds)
    if has_number and any(isinstance(bound, TensorSpec) and bound.rank for bound in bounds):
        refuse_combination("clamp", (t.spec(input), *bounds))
    return t.call("clamp_both", input, min, max)


composite(
    "clamp(Tensor input, Operand? min=None, Operand? max=None)",
    "input limited to [min, max], elementwise; None is no limit.",
    "tri.clamp(tri.tensor([-1, 5]), 0, 3)  # tensor([0, 3])",
    _clamp,
    methods=("clamp", "clip"),
    in_place=("clamp_", "clip_"),
    has_out=True,
    check_numbers=check_bounds,
    refuse_out=found_dtype,
    in_place_functions=(
        "clamp_",
        "clip_",
    ),
    gradient=OF_CLAMP,
)
