"""How does a sum of products stand in a kernel? At each index of the nest, in an order of its own.

    kernel.parallel (%i, %j) to (%m, %n) {
      %s = kernel.reduce fma (%q) to (%k) ... { what is loaded of both factors }
      kernel.store %s, ...
    }

It is a kernel by itself, or one with what is computed from each sum (`kernel_bodies.py`), and of a
factor that is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Protocol

from xdsl.ir import Block, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.attributes.views import Strided
from ...dialects.kernel.payload import PayloadLanguage
from ...dialects.kernel.types import type_of_index
from ...dialects.ops.frame.families import FamilyTable
from ...dialects.ops.frame.opspec import ContractionOp
from ...dialects.ops.rows.products.index_maps import (
    IndexedContractionOp,
    Ints,
    extents_of,
    maps_of,
)
from ...dialects.ops.rows.reductions.reduction import BLOCK, LANES
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.records import field, record
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ..analysis.aliases import read_root_of
from .kernel_builder import Builder, InnerDims, KernelDraft, widen
from .nest import Access
from .product_orders import is_in_lanes
from .reduction_bodies import emit_products

#: Builds an element of a factor that is computed where it is read: its number, and the indices.
Computed = Callable[[int, PayloadLanguage, Sequence[SSAValue]], Scalar]


@record
class Product:
    """What is summed over, how both factors are read, and the order of the sum.

    A factor without an access is computed along its walk.
    """

    dims: InnerDims
    factors: tuple[Access | None, ...]
    walks: tuple[InnerDims, ...] = ()
    order: dict[str, int] = field(default_factory=dict[str, int])


class NoteProduct(Protocol):
    """Notes in a kernel's nest what a sum of products reads of the factors that lie in memory."""

    def __call__(
        self, builder: Builder, op: TensorOperation, factors: Sequence[SSAValue | None], /
    ) -> Product:
        """Return what is summed."""
        ...


def draft_product(title: str, op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a sum of products alone."""
    builder = Builder(title, op.spec.shape)
    product = note_product(builder, op, op.operands)
    written = builder.write(op.results[0], Strided(op.spec.shape, op.spec.strides))
    builder.open(has_nests=True)
    builder.store(emit_product(builder, op, product), written)
    return [builder.close()]


def note_product(
    builder: Builder, op: TensorOperation, factors: Sequence[SSAValue | None]
) -> Product:
    """Note what a sum of products reads; None stands for a factor that is computed."""
    return _NOTES.of(op.ROW)(builder, op, factors)


def emit_product(
    builder: Builder, op: TensorOperation, product: Product, computed: Computed | None = None
) -> Scalar:
    """Append the sum at the current index; return it in the dtype that it is formed in."""
    extents = builder.extents(product.dims)
    block = Block(arg_types=[type_of_index] * len(extents))
    language = PayloadLanguage(block)
    language.origins = builder.origins
    language.location = op.location
    elements: list[Scalar] = []
    for number, access in enumerate(product.factors):
        if access is not None:
            elements.append(widen(builder.load(language, access, block.args)))
        else:
            assert computed is not None
            elements.append(widen(computed(number, language, block.args)))
    language.location = builder.language.location = op.location
    first, second = elements
    return emit_products(builder, extents, block, (first, second), **product.order)


# ---- what each family reads


def _note_matrices(
    builder: Builder, op: TensorOperation, factors: Sequence[SSAValue | None]
) -> Product:
    """Note the sum over k of a product of matrices, for each (..., m, n)."""
    left, right = (tensor_spec(operand) for operand in op.operands)
    inner = left.shape[-1]
    dims = InnerDims(("k", inner), (inner,), (0,), ())
    builder.reduce_over(dims)
    walks = tuple(_walk(op, number, dims.key) for number in range(2))
    accesses = tuple(
        None if factor is None else builder.read(factor, walk)
        for factor, walk in zip(factors, walks, strict=True)
    )
    order = {"lanes": LANES, "length": BLOCK} if is_in_lanes(left, right) else {}
    return Product(dims, accesses, walks, order)


def _walk(op: TensorOperation, number: int, key: Hashable) -> InnerDims:
    """Return where a factor of a product of matrices has the dims of the result, and k.

    These are batch dims, which are repeated where a factor has one element or no dim, then rows, of
    the left factor alone, and columns.
    """
    shape = op.spec.shape
    own = tensor_spec(op.operands[number]).shape
    left, right = (tensor_spec(operand).rank for operand in op.operands)
    rows, columns = int(left > 1), int(right > 1)
    batch = len(shape) - rows - columns
    outer: list[int | None] = []
    for dim in range(batch):
        place = dim - batch + len(own) - 2
        is_own = place >= 0 and are_equal((own[place],), (shape[dim],))
        outer.append(place if is_own else None)
    if number == 0:
        outer += [len(own) - 2] * rows + [None] * columns
        return InnerDims(key, own, (len(own) - 1,), tuple(outer))
    outer += [None] * rows + [len(own) - 1] * columns
    return InnerDims(key, own, (max(len(own) - 2, 0),), tuple(outer))


def _note_indexed(
    builder: Builder, op: TensorOperation, factors: Sequence[SSAValue | None]
) -> Product:
    """Note the serial sum at each index of a contraction by index maps."""
    order, *maps, count = maps_of(op.values())
    extents = extents_of([tensor_spec(operand) for operand in op.operands], *maps)
    rank = len(order)
    summed = tuple(extents[index] for index in range(rank, count))
    dims = InnerDims(("summed", summed), summed, tuple(range(len(summed))), ())
    builder.reduce_over(dims)
    accesses: list[Access] = []
    for factor, walked in zip(factors, maps, strict=True):
        assert factor is not None
        accesses.append(_read(builder, factor, walked, rank, count, dims.key))
    return Product(dims, tuple(accesses))


def _read(
    builder: Builder, value: SSAValue, walked: Ints, rank: int, count: int, key: Hashable
) -> Access:
    """Note that an operand is read: each index goes along the dims that it walks."""
    root, view = read_root_of(value)
    steps = [0] * count
    for index, stride in zip(walked, view.strides, strict=True):
        steps[index] += stride
    outer, inner = tuple(steps[:rank]), tuple(steps[rank:])
    return builder.nest.add(Access(root, tensor_spec(value).dtype, view.offset, outer, key, inner))


_NOTES: FamilyTable[NoteProduct] = FamilyTable(
    {ContractionOp: _note_matrices, IndexedContractionOp: _note_indexed}
)

#: The kernel of each family.
draft_contraction = partial(draft_product, "matmul")
draft_indexed_contraction = partial(draft_product, "contract")
