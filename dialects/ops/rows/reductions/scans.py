"""Which operations show every partial result along a dim? Cumulative sums and products.

The family and its rows. `compiler/lowering/scans.py` is its kernel.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ....attributes.c_types import c_type
from ....attributes.dtype import Category, DType, complex64, complex128, float32, float64, int64
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ....records import record
from ...frame.mapped import MappingRule
from ...frame.mapped_dims import along
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import Attributes, OperandSpec, PrimitiveOp, Resolved, registering
from ...frame.rules import COMPLEX, REALS, check_castable, check_dtype, compute_dtype
from ...frame.traits import IN_STEP, Traits
from ...frame.writing import Writing
from ...gradients.running_results import OF_CUMPROD, OF_CUMSUM
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.pairs import join, split
from ...scalars.reference import NumpyLanguage
from ...scalars.scalar import Language, Scalar

#: PyTorch's CPU kernels accumulate these dtypes in twice the precision.
_ACCUMULATORS = {float32: float64, complex64: complex128}


@record(kw_only=True, eq=False)
class CumulativeOp(PrimitiveOp):
    """The partial results of a reduction along one dim, one element after the other.

    `combine` is the monoid by its name in `kernel.scan`, `start` its neutral element and `merge`
    the same in the scalar language, for the parts of complex numbers.
    """

    combine: str
    start: int
    merge: Callable[[Scalar, Scalar], Scalar]
    mapping: MappingRule | None = along("dim")
    traits: Traits = IN_STEP

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Keep the shape; the result is contiguous, integers and bool are cast to int64."""
        (operand,) = operands
        assert isinstance(operand, TensorSpec)
        dim, asked = attributes["dim"], attributes["dtype"]
        assert isinstance(dim, int)
        wrapped = wrap_dim(dim, operand.rank)
        if isinstance(asked, DType):
            dtype = asked
        else:
            dtype = int64 if operand.dtype.category <= Category.INTEGRAL else operand.dtype
        if operand.dtype is not dtype:
            check_castable(operand.dtype)
        if operand.rank and operand.numel:
            # Otherwise nothing is computed, and PyTorch takes every dtype.
            check_dtype(self.name, dtype, REALS | COMPLEX)
        result = TensorSpec.of(operand.shape, dtype, operand.device)
        return Resolved({**attributes, "dim": wrapped}, (dtype,), result)

    def accumulator(self, dtype: DType) -> DType:
        """Return the dtype that elements of a dtype are combined in."""
        return _ACCUMULATORS.get(dtype) or compute_dtype(dtype)

    def first(self, language: Language, dtype: DType) -> Scalar:
        """Return what a scan in some dtype starts from."""
        if dtype.is_complex:
            return complex_of(language.constant(self.start, dtype.to_real()))
        return language.constant(self.start, dtype)

    def evaluate(self, operands: Sequence[Scalar], resolved: Resolved) -> Scalar:
        """Combine along the dim, all other dims at once."""
        (elements,), spec = operands, resolved.result
        if not spec.rank or not spec.numel:
            return elements
        dim = resolved.attributes["dim"]
        assert isinstance(dim, int)
        dtype = self.accumulator(spec.dtype)
        language = NumpyLanguage()
        wide = scalar.cast(elements, dtype)
        parts = split(wide) if dtype.is_complex else (wide,)
        columns = [np.moveaxis(np.asarray(part.value), dim, 0) for part in parts]
        total = self.first(language, dtype)
        totals: list[Sequence[Scalar]] = []
        for number in range(spec.shape[dim]):
            step = [language.array(column[number], parts[0].dtype) for column in columns]
            total = self.merge(total, complex_of(*step) if dtype.is_complex else step[0])
            totals.append(split(total) if dtype.is_complex else (total,))
        made = [
            language.array(np.stack([part.value for part in column], dim), parts[0].dtype)
            for column in zip(*totals, strict=True)
        ]
        return complex_of(*made) if dtype.is_complex else made[0]


def _refuse_in_place(result: DType, target: DType) -> None:
    """Refuse a `dtype=` that is not that of what is written into."""
    if result is not target:
        raise TrilithRuntimeError(
            f"Bad in-place call: input tensor dtype {c_type(target)} and output tensor dtype "
            f"{c_type(result)} should match"
        )


#: Adds the row of a scan along a dim; the fields are those of `CumulativeOp`.
_cumulative = registering(
    partial(
        CumulativeOp,
        refuse_out=out_tensor_dtype,
        writing=Writing(refuse_result=_refuse_in_place, chooses_dtype=True),
    ),
    "%s(Tensor input, int dim, *, dtype? dtype=None)",
)
_cumulative(
    "cumsum",
    "The sums of the elements up to each one along a dim; integers and bool give int64.",
    "tri.cumsum(tri.tensor([1, 2, 3]), 0)  # tensor([1, 3, 6])",
    in_place=("cumsum_",),
    gradient=OF_CUMSUM,
    combine="add",
    start=0,
    merge=operator.add,
)


def _product(total: Scalar, element: Scalar) -> Scalar:
    """Multiply; of complex numbers one product of each part is exact, as in PyTorch's kernels."""
    if not total.dtype.is_complex:
        return total * element
    (real, imag), (other_real, other_imag) = split(total), split(element)
    return join(
        total,
        scalar.fma(real, other_real, -(imag * other_imag)),
        scalar.fma(real, other_imag, imag * other_real),
    )


_cumulative(
    "cumprod",
    "The products of the elements up to each one along a dim; integers and bool give int64.",
    "tri.cumprod(tri.tensor([1, 2, 3]), 0)  # tensor([1, 2, 6])",
    in_place=("cumprod_",),
    gradient=OF_CUMPROD,
    combine="mul",
    start=1,
    merge=_product,
)
