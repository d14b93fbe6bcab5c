"""Which operations are reductions over dims? Sums, means, products, extremes, all and any."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...attributes.dtype import Category, DType
from ...diagnostics import TrilithRuntimeError
from ..frame.opspec import TABLE, EmptyReduction, OutRule, ReductionOp, Refusal, Writing, describe
from ..frame.out_rules import input_and_out_match, out_tensor_dtype, truth
from ..frame.reduction_rules import (
    AccumulateRule,
    accumulate_index,
    accumulate_mean,
    accumulate_same,
    accumulate_sum,
    accumulate_test,
    reduction_resolver,
)
from ..frame.rules import ARITHMETIC, CASTABLE, COMPLEX, FIELDS, FLOATS, INTEGERS
from ..scalars import scalar
from ..scalars.pairs import join, split
from ..scalars.scalar import Scalar
from .comparison import is_nonzero

#: The order of a sum: 32 lanes fill four registers of 8, which hides the latency of additions, and
#: a lane adds at most 512 elements before its block ends, so that errors grow with the square root
#: of the number of elements (1e7 times 0.1: 8e-6 relative; blocks of 1024: 9e-5).
LANES, BLOCK = 32, 16384

_DIMS_WITH_DTYPE = "Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None"
_DIMS = "Tensor input, int[]? dim=None, bool keepdim=False"


def _reduction(
    signature: str,
    doc: str,
    example: str,
    *,
    combine: str,
    accumulate: AccumulateRule,
    accepts: frozenset[DType],
    kernel: str,
    refusals: Mapping[Category, Refusal] | None = None,
    prepare: Callable[[Scalar], Scalar] | None = None,
    finish: Callable[[Scalar, Scalar], Scalar] | None = None,
    empty: EmptyReduction = EmptyReduction.NEUTRAL,
    lanes: int = LANES,
    block: int = BLOCK,
    one_dim: bool = False,
    keeps_no_dims: bool = False,
    refuse_out: OutRule | None = None,
) -> None:
    """Register a reduction row; see `ReductionOp` for the fields."""
    TABLE.add(
        ReductionOp(
            **describe(signature, doc, example, None),
            resolver=reduction_resolver(
                accumulate, accepts, kernel, refusals, one_dim, keeps_no_dims
            ),
            combine=combine,
            prepare=prepare,
            finish=finish,
            empty=empty,
            lanes=lanes,
            block=block,
            refuse_out=refuse_out,
            writing=Writing(read_first=frozenset({"input"})),
        )
    )


def _divide_by_count(total: Scalar, count: Scalar) -> Scalar:
    if not total.dtype.is_complex:
        return total / count
    real, imag = split(total)
    return join(total, real / count, imag / count)


_reduction(
    f"sum({_DIMS_WITH_DTYPE})",
    "The sum over dims; integers and bool give int64.",
    "tri.sum(tri.tensor([[1, 2], [3, 4]]), 0)  # tensor([4, 6])",
    combine="add",
    accumulate=accumulate_sum,
    accepts=ARITHMETIC | COMPLEX,
    kernel="sum_cpu",
)
_reduction(
    f"mean({_DIMS_WITH_DTYPE})",
    "The sum over dims divided by the number of elements.",
    "tri.mean(tri.tensor([1., 2., 3.]))  # tensor(2.)",
    combine="add",
    accumulate=accumulate_mean,
    accepts=FIELDS,
    kernel="sum_cpu",
    finish=_divide_by_count,
)
_reduction(
    "prod(Tensor input, int dim=None, bool keepdim=False, *, dtype? dtype=None)",
    "The product over one dim, or over all; integers and bool give int64.",
    "tri.prod(tri.tensor([2, 3, 4]))  # tensor(24)",
    combine="mul",
    accumulate=accumulate_sum,
    accepts=ARITHMETIC | COMPLEX,
    kernel="prod_out_cpu",
)
_reduction(
    "amax(Tensor input, int[]? dim=(), bool keepdim=False)",
    "The largest element over dims; NaN if there is one.",
    "tri.amax(tri.tensor([[1, 5], [3, 2]]), 1)  # tensor([5, 3])",
    combine="maximum",
    accumulate=accumulate_same,
    accepts=ARITHMETIC,
    kernel="max_values_cpu",
    refuse_out=input_and_out_match,
    empty=EmptyReduction.REFUSE,
)
_reduction(
    "amin(Tensor input, int[]? dim=(), bool keepdim=False)",
    "The smallest element over dims; NaN if there is one.",
    "tri.amin(tri.tensor([[1, 5], [3, 2]]), 1)  # tensor([1, 2])",
    combine="minimum",
    accumulate=accumulate_same,
    accepts=ARITHMETIC,
    kernel="min_values_cpu",
    refuse_out=input_and_out_match,
    empty=EmptyReduction.REFUSE,
)
_reduction(
    f"all({_DIMS})",
    "Whether every element over dims is not zero; uint8 gives uint8.",
    "tri.all(tri.tensor([1, 0]))  # tensor(False)",
    combine="and",
    accumulate=accumulate_test,
    accepts=CASTABLE,
    kernel="copy_",
    refuse_out=truth("all"),
    keeps_no_dims=True,
    prepare=is_nonzero,
)
_reduction(
    f"any({_DIMS})",
    "Whether some element over dims is not zero; uint8 gives uint8.",
    "tri.any(tri.tensor([1, 0]))  # tensor(True)",
    combine="or",
    accumulate=accumulate_test,
    accepts=CASTABLE,
    kernel="copy_",
    refuse_out=truth("any"),
    keeps_no_dims=True,
    prepare=is_nonzero,
)


def replaces_maximum(best: Scalar, candidate: Scalar) -> Scalar:
    """Whether a later element takes the place of the best so far in argmax.

    The first of equal elements stays, and the first NaN beats everything.
    """
    return (candidate > best) | (scalar.isnan(candidate) & ~scalar.isnan(best))


_reduction(
    "argmax(Tensor input, int? dim=None, bool keepdim=False)",
    "The index of the first largest element along dim, or in the flattened tensor.",
    "tri.argmax(tri.tensor([1, 5, 5]))  # tensor(1)",
    combine="argmax",
    accumulate=accumulate_index,
    accepts=INTEGERS | FLOATS,
    kernel="argmax_cpu",
    refusals={
        Category.BOOLEAN: (TrilithRuntimeError, "argmax(): does not support bool input"),
        Category.COMPLEX: (TrilithRuntimeError, "argmax(): does not support complex input"),
    },
    refuse_out=out_tensor_dtype,
    empty=EmptyReduction.REFUSE,
    lanes=1,
    block=1,
    one_dim=True,
)
