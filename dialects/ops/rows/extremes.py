"""Which operations find the largest or smallest elements, and where they are?

`max` and `min` mean three things: of all elements, along a dim (then they give the index, too), or
of two tensors elementwise. A NaN is larger and smaller than any number; of equal elements the first
one counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...attributes.dtype import Category, DType
from ...attributes.spec import TensorSpec
from ...diagnostics import TrilithIndexError, TrilithRuntimeError
from ..frame.named_results import named_results
from ..frame.opspec import (
    Attributes,
    EmptyReduction,
    JointFold,
    OperandSpec,
    ReductionOp,
    Resolved,
    Scalars,
)
from ..frame.out_rules import out_tensor_dtype
from ..frame.reduction_rules import (
    accumulate_index,
    reduced_dims,
    reduced_shape,
    reduction_resolver,
)
from ..frame.rules import ARITHMETIC, FLOATS, INTEGERS, check_dtype
from ..scalars import scalar
from ..scalars.scalar import Scalar
from .reduction import reduction

# ---- folds


def _lowest(dtype: DType) -> float:
    """Return what no element is below."""
    if dtype.is_floating_point:
        return float("-inf")
    return -(1 << (dtype.bits - 1)) if dtype.is_signed else 0


def _highest(dtype: DType) -> float:
    """Return what no element is above."""
    if dtype.is_floating_point:
        return float("inf")
    if dtype.category is Category.BOOLEAN:
        return True
    return (1 << (dtype.bits - dtype.is_signed)) - 1


def _replaces_largest(best: Scalar, candidate: Scalar) -> Scalar:
    """Whether a later element takes the place of the largest so far.

    The first of equal elements stays, and the first NaN beats everything.
    """
    return (candidate > best) | (scalar.isnan(candidate) & ~scalar.isnan(best))


def _keep_largest(earlier: Scalars, later: Scalars) -> Scalars:
    """Return value and index of the larger of two, each a value and an index."""
    wins = _replaces_largest(earlier[0], later[0])
    return tuple(scalar.select(wins, b, a) for a, b in zip(earlier, later, strict=True))


def _with_index(element: Scalar, index: Scalar) -> Scalars:
    return element, index


def _from_lowest(dtype: DType) -> tuple[float, ...]:
    return _lowest(dtype), 0


def _index_alone(total: Scalars, count: object, **attributes: object) -> Scalars:
    return total[1:]


def _all_parts(total: Scalars, count: object, **attributes: object) -> Scalars:
    return total


reduction(
    "argmax(Tensor input, int? dim=None, bool keepdim=False)",
    "The index of the first largest element along dim, or in the flattened tensor.",
    "tri.argmax(tri.tensor([1, 5, 5]))  # tensor(1)",
    resolver=reduction_resolver(
        accumulate_index,
        INTEGERS | FLOATS,
        refusals={
            Category.BOOLEAN: (TrilithRuntimeError, "argmax(): does not support bool input"),
            Category.COMPLEX: (TrilithRuntimeError, "argmax(): does not support complex input"),
        },
        one_dim=True,
    ),
    combine="argmax",
    joint=JointFold(
        start=_from_lowest,
        enter=_with_index,
        merge=_keep_largest,
        finish=_index_alone,
        is_indexed=True,
    ),
    refuse_out=out_tensor_dtype,
    empty=EmptyReduction.REFUSE,
    lanes=1,
    block=1,
)

# ---- both extremes


def _twice(element: Scalar) -> Scalars:
    return element, element


def _widest(dtype: DType) -> tuple[float, ...]:
    return _highest(dtype), _lowest(dtype)


def _spread(earlier: Scalars, later: Scalars) -> Scalars:
    """Return the smaller and the larger of two pairs of extremes."""
    (low, high), (other_low, other_high) = earlier, later
    if low.dtype.category is Category.BOOLEAN:
        return low & other_low, high | other_high
    return scalar.minimum(low, other_low), scalar.maximum(high, other_high)


def _resolve_aminmax(
    row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    asked = attributes["dim"]
    dims = reduced_dims((asked,) if isinstance(asked, int) else asked, operand.rank)
    if asked is not None and any(not operand.shape[dim] for dim in dims):
        raise TrilithIndexError(f"aminmax: Expected reduction dim {dims[0]} to have non-zero size.")
    if asked is None and not operand.numel:
        raise TrilithRuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    check_dtype(row.name, operand.dtype, ARITHMETIC)
    keepdim = bool(attributes["keepdim"])
    shape = reduced_shape(operand.shape, dims, keepdim)
    result = TensorSpec.of(shape, operand.dtype, operand.device)
    return Resolved({"dim": dims, "keepdim": keepdim}, (operand.dtype,), result, result)


reduction(
    "aminmax(Tensor input, *, int? dim=None, bool keepdim=False)",
    "The smallest and the largest element, of all or along dim; NaN if there is one.",
    "tri.aminmax(tri.tensor([3, 1, 2])).max  # tensor(3)",
    resolver=_resolve_aminmax,
    combine="aminmax",
    joint=JointFold(start=_widest, enter=_twice, merge=_spread, finish=_all_parts),
    empty=EmptyReduction.REFUSE,
    returns="return_types.aminmax",
    named_results=named_results("aminmax", "min", "max"),
    refuse_outs=out_tensor_dtype,
)
