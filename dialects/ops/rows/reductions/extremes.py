"""Which operations find the largest or smallest elements, and where they are?

`max` and `min` mean three things: of all elements, along a dim (then they give the index, too), or
of two tensors elementwise. A NaN is larger and smaller than any number; of equal elements the first
one counts, in whichever order they are looked at: so many are looked at side by side.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ....attributes.dtype import Category, DType, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.gradients import CONSTANT
from ...frame.named_results import named_results
from ...frame.opspec import ReductionOp, composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.overloads import is_array, no_such_form
from ...frame.reduction_fields import EmptyReduction, JointReduction, Scalars
from ...frame.reduction_rules import (
    accumulate_index,
    reduced_dims,
    reduced_shape,
    reduction_resolver,
)
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage, registering
from ...frame.rules import ARITHMETIC, CASTABLE, FLOATS, INTEGERS, check_dtype
from ...frame.schema import KEYWORD_ALIASES, Schema
from ...frame.view_rows import tensor_of
from ...gradients.reductions import OF_AMINMAX, of_choice, of_extreme
from ...scalars import scalar
from ...scalars.scalar import Scalar
from .reduction import BLOCK, LANES, reduction

# ---- reductions


def lowest(dtype: DType) -> float:
    """Return what no element is below."""
    if dtype.is_floating_point:
        return float("-inf")
    return -(1 << (dtype.bits - 1)) if dtype.is_signed else 0


def highest(dtype: DType) -> float:
    """Return what no element is above."""
    if dtype.is_floating_point:
        return float("inf")
    if dtype.category is Category.BOOLEAN:
        return True
    return (1 << (dtype.bits - dtype.is_signed)) - 1


#: Beyond the index of any element: what no element has beaten yet, an equal one does.
_NOWHERE = (1 << 63) - 1


def _keep(goes_before: Callable[[Scalar, Scalar], Scalar], one: Scalars, other: Scalars) -> Scalars:
    """Return value and index of the better of two, or of the first of equals.

    A NaN is better than any number.
    """
    (best, index), (candidate, other_index) = one, other
    are_equal = candidate.eq(best) | (scalar.isnan(candidate) & scalar.isnan(best))
    wins = (
        goes_before(candidate, best)
        | (scalar.isnan(candidate) & ~scalar.isnan(best))
        | (are_equal & (other_index < index))
    )
    return tuple(scalar.select(wins, b, a) for a, b in zip(one, other, strict=True))


_keep_largest = partial(_keep, operator.gt)
_keep_smallest = partial(_keep, operator.lt)


def with_index(element: Scalar, index: Scalar) -> Scalars:
    """Enter an element into a reduction, beside its index."""
    return element, index


def _from_lowest(dtype: DType) -> tuple[float, ...]:
    return lowest(dtype), _NOWHERE


def _index_alone(total: Scalars, count: object, **attributes: object) -> Scalars:
    return total[1:]


def all_parts(total: Scalars, count: object, **attributes: object) -> Scalars:
    """Return all that was accumulated."""
    return total


# ---- both extremes


def _twice(element: Scalar) -> Scalars:
    return element, element


def _widest(dtype: DType) -> tuple[float, ...]:
    return highest(dtype), lowest(dtype)


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
    if operand.rank or asked is None:
        check_dtype(row.name, operand.dtype, ARITHMETIC)
    elif operand.dtype.is_complex:
        # Nothing is compared: PyTorch asks no kernel.
        raise TrilithRuntimeError(f"aminmax not implemented for {operand.dtype.c_name}")
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
    joint=JointReduction(start=_widest, enter=_twice, merge=_spread, finish=all_parts),
    empty=EmptyReduction.REFUSE,
    returns="return_types.aminmax",
    named_results=named_results("aminmax", "min", "max"),
    refuse_outs=out_tensor_dtype,
    gradient=OF_AMINMAX,
)

# ---- one extreme, and where it is


def _from_highest(dtype: DType) -> tuple[float, ...]:
    return highest(dtype), _NOWHERE


def _position(name: str, word: str, shown: str, joint: JointReduction) -> None:
    """Register `argmax` or `argmin`."""
    reduction(
        f"{name}(Tensor input, int? dim=None, bool keepdim=False)",
        f"The index of the first {word} element along dim, or in the flattened tensor.",
        f"tri.{name}(tri.tensor([1, 5, 5]))  # {shown}",
        resolver=reduction_resolver(
            accumulate_index,
            INTEGERS | FLOATS,
            refusals={
                Category.BOOLEAN: (TrilithRuntimeError, f"{name}(): does not support bool input"),
                Category.COMPLEX: (
                    TrilithRuntimeError,
                    f"{name}(): does not support complex input",
                ),
            },
            one_dim=True,
        ),
        combine=name,
        joint=joint,
        refuse_out=out_tensor_dtype,
        empty=EmptyReduction.REFUSE,
        gradient=CONSTANT,
    )


_position(
    "argmax",
    "largest",
    "tensor(1)",
    JointReduction(
        start=_from_lowest,
        enter=with_index,
        merge=_keep_largest,
        finish=_index_alone,
        is_indexed=True,
        first="maximum",
    ),
)
_position(
    "argmin",
    "smallest",
    "tensor(0)",
    JointReduction(
        start=_from_highest,
        enter=with_index,
        merge=_keep_smallest,
        finish=_index_alone,
        is_indexed=True,
        first="minimum",
    ),
)


def _resolver_along(name: str) -> Callable[..., Resolved]:
    """Return the rule of `max` or `min` along a dim."""

    def resolve(
        row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes
    ) -> Resolved:
        (operand,) = operands
        assert isinstance(operand, TensorSpec)
        asked = attributes["dim"]
        dims = reduced_dims((asked,) if isinstance(asked, int) else asked, operand.rank)
        if any(not operand.shape[dim] for dim in dims):
            raise TrilithIndexError(
                f"{name}(): Expected reduction dim {dims[0]} to have non-zero size."
            )
        keepdim = bool(attributes["keepdim"])
        shape = reduced_shape(operand.shape, dims, keepdim)
        _check_along(name, operand, shape)
        values = TensorSpec.of(shape, operand.dtype, operand.device)
        indices = TensorSpec.of(shape, int64, operand.device)
        return Resolved({"dim": dims, "keepdim": keepdim}, (operand.dtype,), values, indices)

    return resolve


def _check_along(name: str, operand: TensorSpec, shape: tuple[int, ...]) -> None:
    """Refuse a dtype; where nothing is compared, PyTorch asks no kernel."""
    if operand.dtype.is_complex:
        raise TrilithRuntimeError(f"{name}(): does not support complex input")
    accepts = ARITHMETIC if operand.rank and 0 not in shape else CASTABLE
    check_dtype(f"{name}_along", operand.dtype, accepts)


#: Adds what gives an element and its index; the fields are those of `ReductionOp`.
_along = registering(partial(ReductionOp, lanes=LANES, block=BLOCK))


def _extreme(
    name: str,
    word: str,
    whole: str,
    elementwise: str,
    shown: tuple[str, str],
    joint: JointReduction,
) -> None:
    """Register `max` or `min`, and what it is along a dim.

    `whole` is the row over all elements, `elementwise` that of two tensors; `shown` are the
    examples' results.
    """
    returns = f"return_types.{name}"
    kind = named_results(name, "values", "indices")
    _along(
        f"{name}_along(Tensor input, int dim, bool keepdim=False)",
        f"The {word} element along dim and its index: `{name}(input, dim)`.",
        f"tri.{name}(tri.tensor([[1, 5], [3, 2]]), 1).indices  # {shown[1]}",
        methods=(),
        torch_name=name,
        resolver=_resolver_along(name),
        combine=name,
        joint=joint,
        empty=EmptyReduction.REFUSE,
        is_public=False,
        returns=returns,
        named_results=kind,
        gradient=of_choice(f"{name.capitalize()}Backward0"),
    )
    composite(
        f"{name}(Tensor input, Tensor? other=None, int? dim=None, bool keepdim=False)",
        f"The {word} element; along dim with its index; or, of two tensors, {elementwise}.",
        f"tri.{name}(tri.tensor([[1, 5], [3, 2]]))  # {shown[0]}",
        _expand(name, whole, elementwise),
        binder=_bind,
        has_out=True,
        overloads=(
            "Tensor input, *, Tensor? out=None",
            "Tensor input, Tensor other, *, Tensor? out=None",
            "Tensor input, int dim, bool keepdim=False, *, Tensor[]? out=None",
        ),
        forms=(
            f"{name}(Tensor input)",
            f"{name}(Tensor input, Tensor other)",
            f"{name}(Tensor input, int dim, bool keepdim=False) -> {returns}",
        ),
        refuse_outs=out_tensor_dtype,
        gradient=of_extreme(name.capitalize()),
    )


def _expand(name: str, whole: str, elementwise: str) -> Callable[..., Any]:
    """Return what `max` or `min` means, by its arguments."""

    def expand(t: TensorLanguage, input: Any, other: Any, dim: int | None, keepdim: bool) -> Any:
        if other is not None:
            return t.call(elementwise, input, other)
        if dim is not None:
            return t.call(f"{name}_along", input, dim, keepdim)
        spec = tensor_of(t, input)
        if not spec.numel:
            raise TrilithRuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument."
            )
        check_dtype(name, spec.dtype, ARITHMETIC)
        return t.call(whole, input, ())

    return expand


_FORMS = """
 * (Tensor input, *, Tensor out = None)
 * (Tensor input, Tensor other, *, Tensor out = None)
 * (Tensor input, int dim, bool keepdim = False, *, tuple of Tensors out = None)
"""


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Tell a dim from another tensor; nothing else of a call may be left out or be there."""
    if len(arguments) == 1 and not keywords:
        return schema.bind(arguments, keywords)
    named = {KEYWORD_ALIASES.get(key, key): value for key, value in keywords.items()}
    names = ["other"] if len(arguments) > 1 and is_array(arguments[1]) else ["dim", "keepdim"]
    given = dict(zip(("input", *names), arguments, strict=False))
    is_clash = len(given) < len(arguments) or bool(given.keys() & named.keys())
    given |= named
    others = given.keys() - {"input"}
    fits = not others or others == {"other"} or others in ({"dim"}, {"dim", "keepdim"})
    if is_clash or not fits or not _are_kinds(given):
        raise no_such_form(schema.name, arguments, keywords, _FORMS)
    return schema.bind((), given)


def _are_kinds(given: Mapping[str, Any]) -> bool:
    """Whether arguments are what their names say: tensors, an integer, a bool."""
    dim = given.get("dim", 0)
    # What stands for a number of a traced function is refused later, in words of its own.
    is_dim = hasattr(dim, "spec") or (hasattr(dim, "__index__") and not isinstance(dim, bool))
    input = given.get("input")
    are_tensors = is_array(input) and is_array(given.get("other", input))
    return are_tensors and is_dim and type(given.get("keepdim", True)) is bool


_extreme(
    "max",
    "largest",
    "amax",
    "maximum",
    ("tensor(5)", "tensor([1, 0])"),
    JointReduction(
        start=_from_lowest,
        enter=with_index,
        merge=_keep_largest,
        finish=all_parts,
        is_indexed=True,
        first="maximum",
    ),
)
_extreme(
    "min",
    "smallest",
    "amin",
    "minimum",
    ("tensor(1)", "tensor([0, 1])"),
    JointReduction(
        start=_from_highest,
        enter=with_index,
        merge=_keep_smallest,
        finish=all_parts,
        is_indexed=True,
        first="minimum",
    ),
)
