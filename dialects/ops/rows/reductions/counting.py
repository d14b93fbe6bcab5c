"""Which operations leave some elements out? Counts of what is not zero, sums of what is no NaN."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import Category, DType
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import CONSTANT
from ...frame.opspec import composite
from ...frame.out_rules import provided_dtype
from ...frame.reduction_rules import accumulate_sum, reduced_dims, reduction_resolver
from ...frame.row import TensorLanguage
from ...frame.rules import ALL_COMPLEX, ARITHMETIC, REALS, check_dtype
from ...frame.view_rows import tensor_of
from ...frame.writing import Writing
from ...gradients.reductions import OF_SUM_WITHOUT_NAN
from ...scalars import scalar
from ...scalars.scalar import Scalar
from .reduction import reduction


def _count_nonzero(t: TensorLanguage, input: Any, dim: tuple[int, ...] | None) -> Any:
    if not dim:
        check_dtype("nonzero", tensor_of(t, input).dtype, ARITHMETIC | ALL_COMPLEX)
    return t.call("sum", t.call("ne", input, 0), dim)


composite(
    "count_nonzero(Tensor input, int[]? dim=None)",
    "How many elements over dims are not zero.",
    "tri.count_nonzero(tri.tensor([[1, 0], [2, 3]]), 0)  # tensor([2, 1])",
    _count_nonzero,
    has_out=False,
    gradient=CONSTANT,
)


def _zero_for_nan(element: Scalar) -> Scalar:
    return scalar.select(scalar.isnan(element), 0, element)


reduction(
    "sum_without_nan(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
    "The sum over dims of what is not NaN: `nansum`, where floats are added up.",
    "tri.nansum(tri.tensor([1., float('nan'), 2.]))  # tensor(3.)",
    resolver=reduction_resolver(accumulate_sum, REALS),
    combine="add",
    prepare=_zero_for_nan,
    methods=(),
    is_public=False,
    torch_name="nansum",
    gradient=OF_SUM_WITHOUT_NAN,
)


def _nansum(
    t: TensorLanguage, input: Any, dim: tuple[int, ...] | None, keepdim: bool, dtype: DType | None
) -> Any:
    operand = tensor_of(t, input)
    reduced_dims(() if dim is None else dim, operand.rank)
    if operand.dtype.is_complex:
        raise TrilithRuntimeError("nansum on CPU does not support complex inputs")
    if (dtype or operand.dtype).category > Category.INTEGRAL:
        return t.call("sum_without_nan", input, dim, keepdim, dtype=dtype)
    if operand.dtype.category > Category.INTEGRAL:
        # Before it is cast: no integer is NaN.
        input = t.call("where", t.call("isnan", input), 0.0, input)
    return t.call("sum", input, dim, keepdim, dtype=dtype)


composite(
    "nansum(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
    "The sum over dims of what is not NaN; integers and bool give int64.",
    "tri.nansum(tri.tensor([1., float('nan'), 2.]))  # tensor(3.)",
    _nansum,
    has_out=True,
    refuse_out=provided_dtype,
    writing=Writing(chooses_dtype=True),
)


def _nanmean(
    t: TensorLanguage, input: Any, dim: tuple[int, ...] | None, keepdim: bool, dtype: DType | None
) -> Any:
    given = tensor_of(t, input).dtype
    if given.category <= Category.INTEGRAL:
        raise TrilithRuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{given.c_name}"
        )
    if dtype is not None and dtype.category <= Category.INTEGRAL:
        raise TrilithRuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating "
            f"point or complex dtype. Got: {dtype.c_name}"
        )
    total = t.call("sum_without_nan", input, dim, keepdim, dtype=dtype)
    return t.call("div", total, t.call("sum", t.call("eq", input, input), dim, keepdim))


composite(
    "nanmean(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
    "The mean over dims of what is not NaN.",
    "tri.nanmean(tri.tensor([1., float('nan'), 2.]))  # tensor(1.5000)",
    _nanmean,
    has_out=True,
    refuse_out=provided_dtype,
    writing=Writing(chooses_dtype=True),
)
