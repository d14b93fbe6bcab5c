"""Which contractions say for each dim of their operands which index walks it? `contract`.

The family and its row, which convolutions are written in; `compiler/lowering/products.py` is its
kernel. An index belongs to a dim of the result, or is one that the products are summed over. What
is not the index itself, such as the windows of a convolution, is a view of an operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from ....attributes import dtype as dtypes
from ....attributes.dtype import DType
from ....attributes.spec import TensorSpec
from ....diagnostics import InternalError
from ....records import record
from ...frame.mapped import MappingRule
from ...frame.mapped_places import contracting
from ...frame.opspec import StructuralOp
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved
from ...frame.rules import FIELDS, INTEGERS, check_dtype, common_device
from ...frame.traits import MULTIPLIED, Traits
from ...gradients.contractions import OF_CONTRACT
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.pairs import split
from ...scalars.reference import NumpyLanguage
from ...scalars.scalar import Scalar

Ints = tuple[int, ...]


@record(kw_only=True, eq=False)
class IndexedContractionOp(StructuralOp):
    """A sum of products of two operands by index maps.

    Of `count` indices the first are those of the result, whose dims lie in memory in an `order`,
    the outermost first. All others are summed over, one product after the other, the last index
    the fastest. `left` and `right` say which index walks each dim of an operand.
    """

    mapping: MappingRule | None = contracting
    traits: Traits = MULTIPLIED

    def evaluate(self, operands: Sequence[Scalar], resolved: Resolved) -> Scalar:
        """Sum in twice the precision: a bound to compare kernels with."""
        order, left, right, _ = maps_of(resolved.attributes)
        dtype = operands[0].dtype
        result = list(range(len(order)))

        def sums(first: Scalar, second: Scalar) -> np.ndarray:
            factors = [np.asarray(scalar.cast(part, _wide(part.dtype)).value)
                       for part in (first, second)]  # fmt: skip
            with np.errstate(all="ignore"):
                made = np.einsum(factors[0], left, factors[1], right, result, optimize=True)
            return np.asarray(made)

        language = NumpyLanguage()
        if not dtype.is_complex:
            total = sums(*operands)
            return scalar.cast(language.array(total, _wide(dtype)), dtype)
        (real, imag), (other_real, other_imag) = split(operands[0]), split(operands[1])
        parts = (
            sums(real, other_real) - sums(imag, other_imag),
            sums(real, other_imag) + sums(imag, other_real),
        )
        wide = _wide(real.dtype)
        return complex_of(*(scalar.cast(language.array(part, wide), real.dtype) for part in parts))


def _wide(dtype: DType) -> DType:
    return dtypes.float64 if dtype.is_floating_point else dtypes.int64


def maps_of(attributes: Attributes) -> tuple[Ints, Ints, Ints, int]:
    """Return order, index of each dim of both operands, and the number of indices."""
    order, left, right = (cast("Ints", attributes[name]) for name in ("order", "left", "right"))
    return order, left, right, max(*left, *right, len(order) - 1) + 1


def extents_of(operands: Sequence[TensorSpec], left: Ints, right: Ints) -> dict[int, int]:
    """Return the extent of each index; operands that differ in one are no contraction."""
    extents: dict[int, int] = {}
    for spec, dims in zip(operands, (left, right), strict=True):
        for index, size in zip(dims, spec.shape, strict=True):
            if extents.setdefault(index, size) != size:
                raise InternalError(f"index {index} has extents {extents[index]} and {size}")
    return extents


def _resolve(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    specs = [spec for spec in operands if isinstance(spec, TensorSpec)]
    first, second = specs
    check_dtype("contract", first.dtype, INTEGERS | FIELDS)
    if first.dtype is not second.dtype:
        raise InternalError(f"a contraction of {first.dtype} and {second.dtype}")
    order, left, right, _ = maps_of(attributes)
    extents = extents_of(specs, left, right)
    shape = tuple(extents[index] for index in range(len(order)))
    strides, step = [0] * len(order), 1
    for dim in reversed(order):
        strides[dim] = step
        step *= max(shape[dim], 1)
    result = TensorSpec.of(shape, first.dtype, common_device(operands), tuple(strides))
    return Resolved(dict(attributes), (first.dtype, first.dtype), result)


TABLE.add(
    IndexedContractionOp(
        "contract(Tensor input, Tensor other, int[] left, int[] right, int[] order)",
        "The sum of products of two tensors by the indices that walk their dims: what "
        "convolutions become.",
        "tri.nn.functional.conv1d(tri.tensor([[1., 2., 4.]]), tri.tensor([[[1., 1.]]]))"
        "  # tensor([[3., 6.]])",
        methods=(),
        is_public=False,
        resolver=_resolve,
        gradient=OF_CONTRACT,
    )
)
