"""Which operations are reductions over dims? Sums, means, products, extremes, all and any."""

from __future__ import annotations

from functools import partial

from ...frame.gradients import CONSTANT
from ...frame.opspec import ReductionOp
from ...frame.out_rules import input_and_out_match, out_tensor_dtype, truth
from ...frame.reduction_fields import EmptyReduction
from ...frame.reduction_rules import (
    accumulate_mean,
    accumulate_same,
    accumulate_sum,
    accumulate_test,
    reduction_resolver,
)
from ...frame.row import registering
from ...frame.rules import ARITHMETIC, CASTABLE, COMPLEX, FIELDS
from ...frame.writing import Writing
from ...gradients.reductions import OF_AMAX, OF_AMIN, OF_MEAN, OF_PROD, OF_SUM
from ...scalars.pairs import join, split
from ...scalars.scalar import Scalar
from ..elementwise.comparison import is_nonzero

#: The order of a sum: 32 lanes fill four registers of 8, which hides the latency of additions, and
#: a lane adds at most 512 elements before its block ends, so that errors grow with the square root
#: of the number of elements (1e7 times 0.1: 8e-6 relative; blocks of 1024: 9e-5).
LANES, BLOCK = 32, 16384

_DIMS_WITH_DTYPE = "Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None"
_DIMS = "Tensor input, int[]? dim=None, bool keepdim=False"


#: Adds a reduction; the fields are those of `ReductionOp`.
reduction = registering(
    partial(
        ReductionOp,
        lanes=LANES,
        block=BLOCK,
        writing=Writing(read_first=frozenset({"input"}), chooses_dtype=True),
    )
)


def _divide_by_count(total: Scalar, count: Scalar) -> Scalar:
    if not total.dtype.is_complex:
        return total / count
    real, imag = split(total)
    return join(total, real / count, imag / count)


_WHOLE = "Tensor input, *, dtype? dtype=None"


def _along(dims: str) -> str:
    """Return PyTorch's signature of a reduction along dims, which has `out`."""
    return f"Tensor input, {dims} dim, bool keepdim=False, *, dtype? dtype=None, Tensor? out=None"


reduction(
    f"sum({_DIMS_WITH_DTYPE})",
    "The sum over dims; integers and bool give int64.",
    "tri.sum(tri.tensor([[1, 2], [3, 4]]), 0)  # tensor([4, 6])",
    resolver=reduction_resolver(accumulate_sum, ARITHMETIC | COMPLEX),
    combine="add",
    refuse_out=out_tensor_dtype,
    gradient=OF_SUM,
    overloads=(_WHOLE, _along("int[]?")),
)
reduction(
    f"mean({_DIMS_WITH_DTYPE})",
    "The sum over dims divided by the number of elements.",
    "tri.mean(tri.tensor([1., 2., 3.]))  # tensor(2.)",
    resolver=reduction_resolver(accumulate_mean, FIELDS),
    combine="add",
    finish=_divide_by_count,
    refuse_out=out_tensor_dtype,
    gradient=OF_MEAN,
    overloads=(f"{_WHOLE}, Tensor? out=None", _along("int[]?")),
)
reduction(
    "prod(Tensor input, int dim=None, bool keepdim=False, *, dtype? dtype=None)",
    "The product over one dim, or over all; integers and bool give int64.",
    "tri.prod(tri.tensor([2, 3, 4]))  # tensor(24)",
    resolver=reduction_resolver(accumulate_sum, ARITHMETIC | COMPLEX),
    combine="mul",
    refuse_out=out_tensor_dtype,
    gradient=OF_PROD,
    overloads=(_WHOLE, _along("int")),
)
reduction(
    "amax(Tensor input, int[]? dim=(), bool keepdim=False)",
    "The largest element over dims; NaN if there is one.",
    "tri.amax(tri.tensor([[1, 5], [3, 2]]), 1)  # tensor([5, 3])",
    resolver=reduction_resolver(accumulate_same, ARITHMETIC),
    combine="maximum",
    refuse_out=input_and_out_match,
    empty=EmptyReduction.REFUSE,
    gradient=OF_AMAX,
)
reduction(
    "amin(Tensor input, int[]? dim=(), bool keepdim=False)",
    "The smallest element over dims; NaN if there is one.",
    "tri.amin(tri.tensor([[1, 5], [3, 2]]), 1)  # tensor([1, 2])",
    resolver=reduction_resolver(accumulate_same, ARITHMETIC),
    combine="minimum",
    refuse_out=input_and_out_match,
    empty=EmptyReduction.REFUSE,
    gradient=OF_AMIN,
)
reduction(
    f"all({_DIMS})",
    "Whether every element over dims is not zero; uint8 gives uint8.",
    "tri.all(tri.tensor([1, 0]))  # tensor(False)",
    resolver=reduction_resolver(accumulate_test, CASTABLE, keeps_no_dims=True),
    combine="and",
    refuse_out=truth("all"),
    prepare=is_nonzero,
    gradient=CONSTANT,
)
reduction(
    f"any({_DIMS})",
    "Whether some element over dims is not zero; uint8 gives uint8.",
    "tri.any(tri.tensor([1, 0]))  # tensor(True)",
    resolver=reduction_resolver(accumulate_test, CASTABLE, keeps_no_dims=True),
    combine="or",
    refuse_out=truth("any"),
    prepare=is_nonzero,
    gradient=CONSTANT,
)
