"""Which operations show partial results of several values at once? cummax, cummin, logcumsumexp.

The family and its rows. `compiler/lowering/joint_scans.py` is its kernel.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ....attributes.dtype import DType, complex64, complex128, float32, float64, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ....records import record
from ...frame.mapped import MappingRule
from ...frame.mapped_dims import along
from ...frame.named_results import NamedResults, named_results
from ...frame.opspec import composite
from ...frame.reduction_fields import JointReduction, Scalars
from ...frame.row import Attributes, OperandSpec, PrimitiveOp, Resolved, TensorLanguage, registering
from ...frame.rules import ARITHMETIC, COMPLEX, FLOATS, check_dtype, compute_dtype
from ...frame.traits import COMPUTED, Traits
from ...frame.view_rows import tensor_of
from ...gradients.running_results import OF_CUMMAX, OF_CUMMIN, OF_LOGCUMSUMEXP
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.pairs import split
from ...scalars.reference import NumpyLanguage
from ...scalars.scalar import Scalar
from .exponent_sums import enter_exponent, finish_exponents, merge_exponents, start_exponents
from .extremes import highest, lowest


@record(kw_only=True, eq=False)
class JointScanOp(PrimitiveOp):
    """The partial results of a joint reduction along one dim, one element after the other.

    `accepts` are its dtypes, `accumulators` what some of them are cast to first; `results` are the
    dtypes of what each step gives, of which `None` is that of the elements. There are elements,
    and a dim.
    """

    joint: JointReduction
    accepts: frozenset[DType]
    accumulators: dict[DType, DType]
    results: tuple[DType | None, ...]
    mapping: MappingRule | None = along("dim")
    traits: Traits = COMPUTED
    has_out: bool | None = False

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Keep the shape; the results are contiguous."""
        (operand,) = operands
        assert isinstance(operand, TensorSpec)
        dim: Any = attributes["dim"]
        canonical = {**attributes, "dim": wrap_dim(dim, operand.rank)}
        check_dtype(self.name, operand.dtype, self.accepts)
        made = [
            TensorSpec.of(operand.shape, dtype or operand.dtype, operand.device)
            for dtype in self.results
        ]
        return Resolved(canonical, (operand.dtype,), *made)

    def accumulator(self, dtype: DType) -> DType:
        """Return the dtype that elements of a dtype are combined in."""
        return self.accumulators.get(dtype) or compute_dtype(dtype)

    def entered(self, element: Scalar, index: Scalar) -> Scalars:
        """Return what an element of the accumulator's dtype enters as."""
        return self.joint.enter(*((element, index) if self.joint.is_indexed else (element,)))

    def shown(self, total: Scalars) -> Scalars:
        """Return what is shown of an accumulator."""
        return self.joint.finish(total, None)

    def evaluate(self, operands: Sequence[Scalar], resolved: Resolved) -> tuple[Scalar, ...]:
        """Combine along the dim, all other dims at once."""
        (elements,) = operands
        dim: Any = resolved.attributes["dim"]
        language = NumpyLanguage()
        wide = scalar.cast(elements, self.accumulator(resolved.operand_dtypes[0]))
        parts = split(wide) if wide.dtype.is_complex else (wide,)
        columns = [np.moveaxis(np.asarray(part.value), dim, 0) for part in parts]
        total: Scalars = ()
        shown: list[list[Any]] = []
        dtypes: list[DType] = []
        for number in range(len(columns[0])):
            step = [language.array(column[number], parts[0].dtype) for column in columns]
            element = complex_of(*step) if wide.dtype.is_complex else step[0]
            entered = self.entered(element, language.constant(number, int64))
            if not total:
                starts = self.joint.start(wide.dtype)
                total = tuple(
                    language.constant(start, part.dtype)
                    for start, part in zip(starts, entered, strict=True)
                )
            total = self.joint.merge(total, entered)
            results = self.shown(total)
            dtypes = [result.dtype for result in results]
            shown.append([_as_array(result, columns[0][0].shape) for result in results])
        stacked = [np.stack(steps, dim) for steps in zip(*shown, strict=True)]
        return tuple(_as_scalar(array, dtype) for array, dtype in zip(stacked, dtypes, strict=True))


def _as_array(value: Scalar, shape: tuple[int, ...]) -> Any:
    """Return the elements of a scalar of NumPy's language; complex ones as such."""
    if not value.dtype.is_complex:
        return np.broadcast_to(value.value, shape)
    real, imag = (np.asarray(part.value) for part in split(value))
    made = np.empty(shape, np.complex128)
    made.real, made.imag = real, imag
    return made


def _as_scalar(array: Any, dtype: DType) -> Scalar:
    language = NumpyLanguage()
    if not dtype.is_complex:
        return language.array(array, dtype)
    part = dtype.to_real()
    return complex_of(
        *(language.array(each.astype(part.numpy), part) for each in (array.real, array.imag))
    )


#: Adds a scan of several values; the fields are those of `JointScanOp`.
_joint_scan = registering(partial(JointScanOp, methods=(), is_public=False))

# ---- extremes so far


def _latest(
    is_as_good: Callable[[Scalar, Scalar], Scalar], earlier: Scalars, later: Scalars
) -> Scalars:
    """Return value and index of the better of two; of equals, and of NaN, the later.

    No number is as good as NaN. What does not ask for the best so far takes no time of the chain
    from one step to the next: the index asks whether the candidate is what has come out. With one
    condition for both LLVM would take it through another kind of register and back, in each step.
    """
    (best, before), (candidate, index) = earlier, later
    is_lost = scalar.isnan(candidate)
    value = scalar.select(is_as_good(candidate, best) | is_lost, candidate, best)
    return value, scalar.select(candidate.eq(value) | is_lost, index, before)


def _with_index(element: Scalar, index: Scalar) -> Scalars:
    return element, index


def _as_it_is(total: Scalars, count: object) -> Scalars:
    return total


def _of_scalar(name: str, dim: int) -> None:
    """Refuse a dim of a 0-dim tensor, in words of these operations alone."""
    if dim not in (0, -1):
        raise TrilithIndexError(
            f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}"
        )


def _expand(
    name: str, kind: type[NamedResults], t: TensorLanguage, input: Any, dim: int
) -> NamedResults:
    spec = tensor_of(t, input)
    if not spec.rank:
        _of_scalar(name, dim)
    if spec.rank and spec.numel:
        return t.call(f"{name}_along", input, dim)
    values = t.call("clone", input, memory_format=contiguous_format)
    indices = t.call("zeros", spec.shape, dtype=int64, device=spec.device)
    return kind(values, indices)


def _expected_dtype(result: DType, out: DType) -> None:
    if out is not result:
        raise TrilithRuntimeError(f"expected scalar_type {result.c_name} but found {out.c_name}")


def _extreme(name: str, word: str, shown: str, start: Any, is_as_good: Any) -> None:
    """Register `cummax` or `cummin`."""
    kind = named_results(name, "values", "indices")
    _joint_scan(
        f"{name}_along(Tensor input, int dim)",
        f"The {word} elements up to each one of some along a dim, and where the last of them are.",
        f"tri.{name}(tri.tensor([2, 1, 3]), 0).values  # {shown}",
        joint=JointReduction(
            start=lambda dtype: (start(dtype), 0),
            enter=_with_index,
            merge=partial(_latest, is_as_good),
            finish=_as_it_is,
            is_indexed=True,
            latest="maximum" if name == "cummax" else "minimum",
        ),
        accepts=ARITHMETIC,
        accumulators={},
        results=(None, int64),
        torch_name=name,
        returns=f"return_types.{name}",
        named_results=kind,
        gradient=OF_CUMMAX if name == "cummax" else OF_CUMMIN,
    )
    composite(
        f"{name}(Tensor input, int dim)",
        f"The {word} elements up to each one along a dim, and where the last of them are.",
        f"tri.{name}(tri.tensor([2, 1, 3]), 0).values  # {shown}",
        partial(_expand, name, kind),
        has_out=True,
        returns=f"return_types.{name}",
        named_results=kind,
        gradient=OF_CUMMAX if name == "cummax" else OF_CUMMIN,
        refuse_outs=_expected_dtype,
    )


_extreme("cummax", "largest", "tensor([2, 2, 3])", lowest, operator.ge)
_extreme("cummin", "smallest", "tensor([2, 1, 1])", highest, operator.le)

# ---- sums in the space of logarithms

_joint_scan(
    "logcumsumexp_real(Tensor input, int dim)",
    "The logarithms of the sums of exponentials of real numbers up to each one along a dim.",
    "tri.logcumsumexp(tri.tensor([0., 0.]), 0)  # tensor([0.0000, 0.6931])",
    joint=JointReduction(
        start=start_exponents,
        enter=enter_exponent,
        merge=merge_exponents,
        finish=finish_exponents,
    ),
    accepts=FLOATS,
    accumulators={float32: float64},
    results=(None,),
    torch_name="logcumsumexp",
    gradient=OF_LOGCUMSUMEXP,
)


def _enter_parts(element: Scalar) -> Scalars:
    return split(element)


def _is_nan(real: Scalar, imag: Scalar) -> Scalar:
    return scalar.isnan(real) | scalar.isnan(imag)


def _merge_complex(earlier: Scalars, later: Scalars) -> Scalars:
    """Return log(exp(earlier) + exp(later)), as PyTorch does at infinities and NaN.

    The one with the smaller real part is what is added to the other. Where both are -inf the
    result is one of them, as no angle can be told; where both are +inf nothing cancels.
    """
    swaps = later[0] < earlier[0]
    small = tuple(scalar.select(swaps, b, a) for a, b in zip(earlier, later, strict=True))
    large = tuple(scalar.select(swaps, a, b) for a, b in zip(earlier, later, strict=True))
    low, high = complex_of(*small), complex_of(*large)
    usual = split(scalar.log1p(scalar.exp(low - high)) + high)
    at_infinity = split(scalar.log(scalar.exp(low) + scalar.exp(high)))
    is_least = small[0].eq(-math.inf) & large[0].eq(-math.inf)
    is_most = small[0].eq(math.inf) & large[0].eq(math.inf)
    is_lost = _is_nan(*earlier) | _is_nan(*later)
    return tuple(
        scalar.select(
            is_lost,
            math.nan,
            scalar.select(is_least, least, scalar.select(is_most, most, plain)),
        )
        for least, most, plain in zip(small, at_infinity, usual, strict=True)
    )


def _finish_complex(total: Scalars, count: object) -> Scalars:
    return (complex_of(*total),)


_joint_scan(
    "logcumsumexp_complex(Tensor input, int dim)",
    "The logarithms of the sums of exponentials of complex numbers up to each one along a dim.",
    "tri.logcumsumexp(tri.tensor([0j, 0j]), 0)  # tensor([0.0000+0.j, 0.6931+0.j])",
    joint=JointReduction(
        start=lambda dtype: (-math.inf, 0.0),
        enter=_enter_parts,
        merge=_merge_complex,
        finish=_finish_complex,
    ),
    accepts=COMPLEX,
    accumulators={complex64: complex128},
    results=(None,),
    torch_name="logcumsumexp",
    gradient=OF_LOGCUMSUMEXP,
)


def _logcumsumexp(t: TensorLanguage, input: Any, dim: int) -> Any:
    spec = tensor_of(t, input)
    wrap_dim(dim, spec.rank)
    check_dtype("logcumsumexp", spec.dtype, FLOATS | COMPLEX)
    if not spec.rank or not spec.numel:
        return t.call("clone", input, memory_format=contiguous_format)
    kind = "complex" if spec.dtype.is_complex else "real"
    return t.call(f"logcumsumexp_{kind}", input, dim)


composite(
    "logcumsumexp(Tensor input, int dim)",
    "The logarithms of the sums of exponentials up to each element along a dim.",
    "tri.logcumsumexp(tri.tensor([0., 0.]), 0)  # tensor([0.0000, 0.6931])",
    _logcumsumexp,
    has_out=True,
    refuse_out=_expected_dtype,
    gradient=OF_LOGCUMSUMEXP,
)
