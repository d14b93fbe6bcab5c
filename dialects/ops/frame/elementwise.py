"""How is an elementwise row written? The constructors `unary` and `binary`, which fill in a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...attributes.dtype import Category, DType
from ..scalars.scalar import Scalar
from .opspec import (
    PLAIN_WRITING,
    TABLE,
    Algebra,
    Attributes,
    ElementwiseOp,
    NumbersCheck,
    OperandSpec,
    OutRule,
    PromotionRule,
    Refusal,
    Resolved,
    Writing,
    describe,
)
from .rules import ARITHMETIC, promote, resolve_elementwise
from .traits import POINTWISE, Traits

ElementwiseResolver = Callable[[ElementwiseOp, Sequence[OperandSpec], Attributes], Resolved]


def elementwise(
    signature: str,
    doc: str,
    example: str,
    *,
    body: Callable[..., Scalar],
    promotion: PromotionRule = promote,
    methods: Sequence[str] | None = None,
    accepts: frozenset[DType] = ARITHMETIC,
    kernel: str = "",
    refusals: Mapping[Category, Refusal] | None = None,
    algebra: Algebra | None = None,
    ulp: float = 0.0,
    domain: tuple[float, float] = (-100.0, 100.0),
    is_costly: bool = False,
    has_constant_divisor: bool = False,
    check_numbers: NumbersCheck | None = None,
    check_keywords: NumbersCheck | None = None,
    resolver: ElementwiseResolver = resolve_elementwise,
    torch_name: str = "",
    is_public: bool = True,
    in_place: tuple[str, ...] | None = None,
    has_out: bool | None = None,
    refuse_out: OutRule | None = None,
    writing: Writing = PLAIN_WRITING,
    alone: str = "",
    traits: Traits = POINTWISE,
) -> None:
    """Register an elementwise row; see `ElementwiseOp` for the fields."""
    TABLE.add(
        ElementwiseOp(
            **describe(signature, doc, example, methods, torch_name),
            promotion=promotion,
            body=body,
            accepts=accepts,
            kernel=kernel,
            refusals=refusals or {},
            algebra=algebra or Algebra(),
            ulp=ulp,
            domain=domain,
            is_costly=is_costly,
            has_constant_divisor=has_constant_divisor,
            check_numbers=check_numbers,
            check_keywords=check_keywords,
            is_public=is_public,
            in_place=in_place,
            has_out=has_out,
            refuse_out=refuse_out,
            writing=writing,
            resolver=resolver,
            alone=alone,
            traits=traits,
        )
    )


def unary(name: str, doc: str, example: str, **fields: object) -> None:
    """Register `name(input)`."""
    elementwise(f"{name}(Tensor input)", doc, example, **fields)  # pyright: ignore[reportArgumentType] - the fields of `elementwise`


def binary(name: str, doc: str, example: str, **fields: object) -> None:
    """Register `name(input, other)`, whose operands may be Python numbers."""
    elementwise(f"{name}(Operand input, Operand other)", doc, example, **fields)  # pyright: ignore[reportArgumentType] - the fields of `elementwise`
