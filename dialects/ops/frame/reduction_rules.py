"""Which dims, dtypes and shape does a reduction have, and what is refused over no elements?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast as assume

from ...attributes.dtype import (
    Category,
    DType,
    bool_,
    int64,
    uint8,
)
from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ...diagnostics import (
    TrilithIndexError,
    TrilithRuntimeError,
)
from .opspec import ReductionOp, Refusal
from .reduction_fields import EmptyReduction
from .row import Attributes, OperandSpec, Resolved
from .rules import CASTABLE, check_castable, check_dtype


def reduced_dims(dims: object, rank: int) -> tuple[int, ...]:
    """Return the dims of a reduction, each once and in order; None and () mean all."""
    if dims is None or dims == ():
        return tuple(range(rank))
    items = assume("tuple[int, ...]", dims)
    wrapped: list[int] = []
    for dim in items:
        index = wrap_dim(dim, rank)
        if index in wrapped:
            raise TrilithRuntimeError(f"dim {index} appears multiple times in the list of dims")
        wrapped.append(index)
    return tuple(sorted(wrapped)) if rank else ()


def reduced_shape(shape: tuple[int, ...], dims: tuple[int, ...], keepdim: bool) -> tuple[int, ...]:
    """Return the shape after reducing `dims`."""
    if keepdim:
        return tuple(1 if index in dims else size for index, size in enumerate(shape))
    return tuple(size for index, size in enumerate(shape) if index not in dims)


AccumulateRule = Callable[[ReductionOp, TensorSpec, Attributes], tuple[DType, DType]]


def accumulate_sum(
    row: ReductionOp, operand: TensorSpec, attributes: Attributes
) -> tuple[DType, DType]:
    """Integers and bool are cast to int64 first; `dtype=` is cast to first."""
    asked = attributes.get("dtype")
    if isinstance(asked, DType):
        return asked, asked  # bool too: a sum in bool is "any"
    dtype = int64 if operand.dtype.category <= Category.INTEGRAL else operand.dtype
    return dtype, dtype


def accumulate_mean(
    row: ReductionOp, operand: TensorSpec, attributes: Attributes
) -> tuple[DType, DType]:
    """Only floating and complex dtypes have a mean."""
    asked = attributes.get("dtype")
    dtype = asked if isinstance(asked, DType) else operand.dtype
    if dtype.category <= Category.INTEGRAL:
        what = "Input dtype" if asked is None else "Optional dtype"
        raise TrilithRuntimeError(
            "mean(): could not infer output dtype. "
            f"{what} must be either a floating point or complex dtype. Got: {dtype.c_name}",
            hint="pass dtype=trilith.float32, or convert the tensor first",
        )
    return dtype, dtype


def accumulate_same(
    row: ReductionOp, operand: TensorSpec, attributes: Attributes
) -> tuple[DType, DType]:
    """The result has the operand's dtype (amax)."""
    return operand.dtype, operand.dtype


def accumulate_test(
    row: ReductionOp, operand: TensorSpec, attributes: Attributes
) -> tuple[DType, DType]:
    """The result is bool, but uint8 for uint8 (all, any)."""
    return operand.dtype, uint8 if operand.dtype is uint8 else bool_


def accumulate_index(
    row: ReductionOp, operand: TensorSpec, attributes: Attributes
) -> tuple[DType, DType]:
    """The result is an int64 index (argmax)."""
    return operand.dtype, int64


def reduction_resolver(
    accumulate: AccumulateRule,
    accepts: frozenset[DType],
    refusals: Mapping[Category, Refusal] | None = None,
    one_dim: bool = False,
    keeps_no_dims: bool = False,
) -> Callable[[ReductionOp, Sequence[OperandSpec], Attributes], Resolved]:
    """Return the resolver of a reduction with the given dtype rule.

    With `one_dim` the reduction takes one dim or all of them flattened (argmax). With
    `keeps_no_dims` a reduction over () looks at each element alone (all, any).
    """

    def resolve(
        row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes
    ) -> Resolved:
        (operand,) = operands
        assert isinstance(operand, TensorSpec)
        operand_dtype, result_dtype = accumulate(row, operand, attributes)
        if operand.dtype is not operand_dtype:
            check_castable(operand.dtype)
        asked = attributes["dim"]
        # The index of the largest of one element is known without looking at it.
        is_known = one_dim and _is_one(operand, asked)
        refused = refusals or {}
        is_refused = operand_dtype.category in refused
        is_any = is_known and row.combine.startswith("arg") and not is_refused
        if is_refused:
            check_dtype(row.name, operand_dtype, accepts, refused)
        # The dims come before the dtypes that PyTorch has no kernel for.
        if row.empty is EmptyReduction.REFUSE:
            _refuse_empty(row.name, operand, asked, one_dim)
        is_none = keeps_no_dims and asked == ()
        named = (asked,) if isinstance(asked, int) else asked
        dims = () if is_none else reduced_dims(named, len(operand.shape))
        check_dtype(row.name, operand_dtype, CASTABLE if is_any else accepts, refused)
        keepdim = bool(attributes["keepdim"])
        shape = reduced_shape(operand.shape, dims, keepdim)
        canonical = dict(attributes)
        canonical["dim"] = dims
        canonical["keepdim"] = keepdim
        result = TensorSpec.of(shape, result_dtype, operand.device)
        return Resolved(canonical, (operand_dtype,), result)

    return resolve


def _is_one(operand: TensorSpec, asked: object) -> bool:
    """Whether a reduction over one dim is of one element."""
    if isinstance(asked, tuple):
        dims = assume("tuple[int, ...]", asked)
        return len(dims) == 1 and operand.shape[dims[0]] == 1
    if not isinstance(asked, int):
        return False
    return -operand.rank <= asked < operand.rank and operand.shape[asked] == 1


def _refuse_empty(name: str, operand: TensorSpec, asked: object, one_dim: bool) -> None:
    """Refuse a reduction without a neutral element over no elements."""
    if operand.numel:
        return
    if asked is None or asked == ():
        error = TrilithIndexError if one_dim else TrilithRuntimeError
        raise error(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            + ("" if one_dim else " Specify the reduction dim with the 'dim' argument.")
        )
    dims = assume("tuple[int, ...]", asked if isinstance(asked, tuple) else (asked,))
    for dim in dims:
        wrapped = wrap_dim(dim, operand.rank)
        if not operand.shape[wrapped]:
            named = wrapped if one_dim else dim
            raise TrilithIndexError(
                f"{name}(): Expected reduction dim {named} to have non-zero size."
            )
