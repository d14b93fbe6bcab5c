"""How does a sum of products stand in a kernel? At each index of the nest, in an order of its own.

    kernel.parallel (%i, %j) to (%m, %n) {
      %s = kernel.reduce fma (%q) to (%k) ... { what is loaded of both factors }
      kernel.store %s, ...
    }

It is a kernel by itself, or one with what is computed from each sum (`kernel_bodies.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Protocol

from xdsl.ir import Block, SSAValue

from ...dialects.attributes.views import Strided, expand
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
from ...dialects.records import record
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ..analysis.aliases import read_root_of
from .kernel_builder import Builder, InnerDims, KernelDraft, widen
from .nest import Access
from .product_orders import is_in_lanes
from .reduction_bodies import emit_products


@record
class Product:
    """What is summed over, what is read of both factors, and the order of the sum."""

    dims: InnerDims
    factors: tuple[Access, ...]
    order: dict[str, int]


class NoteProduct(Protocol):
    """Notes in a kernel's nest what a sum of products reads, whose factors are given."""

    def __call__(
        self, builder: Builder, op: TensorOperation, factors: Sequence[SSAValue], /
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


def note_product(builder: Builder, op: TensorOperation, factors: Sequence[SSAValue]) -> Product:
    """Note what a sum of products reads: the factors, which lie in memory."""
    return _NOTES.of(op.ROW)(builder, op, factors)


def emit_product(builder: Builder, op: TensorOperation, product: Product) -> Scalar:
    """Append the sum at the current index; return it in the dtype that it is formed in."""
    extents = builder.extents(product.dims)
    block = Block(arg_types=[type_of_index] * len(extents))
    language = PayloadLanguage(block)
    language.location = builder.language.location = op.location
    first, second = (widen(builder.load(language, at, block.args)) for at in product.factors)
    return emit_products(builder, extents, block, (first, second), **product.order)


# ---- what each family reads


def _note_matrices(builder: Builder, op: TensorOperation, factors: Sequence[SSAValue]) -> Product:
    """Note the sum over k of a product of matrices, for each (..., m, n)."""
    left, right = factors
    shape = op.spec.shape
    (rank_left, inner), rank_right = (
        (len(tensor_spec(left).shape), tensor_spec(left).shape[-1]),
        len(tensor_spec(right).shape),
    )
    batch = len(shape) - (rank_left > 1) - (rank_right > 1)
    rows = shape[batch : batch + 1] if rank_left > 1 else ()
    columns = shape[len(shape) - 1 :] if rank_right > 1 else ()
    key: Hashable = ("k", inner)
    dims = InnerDims(key, (inner,), (0,), ())
    builder.reduce_over(dims)

    def access(value: SSAValue, own: tuple[int, ...], *, is_left: bool) -> Access:
        root, view = read_root_of(value)
        count = len(own) + 1
        lead = view.strides[: len(view.shape) - count]
        wide = expand(Strided(view.shape[: len(view.shape) - count], lead), shape[:batch]).strides
        tail = view.strides[len(view.shape) - count :]
        if is_left:
            walked = tail[-1:]
            outer = wide + tail[:-1] + (0,) * len(columns)
        else:
            walked = tail[:1]
            outer = wide + (0,) * len(rows) + tail[1:]
        dtype = tensor_spec(value).dtype
        return builder.nest.add(Access(root, dtype, view.offset, outer, key, walked))

    accesses = access(left, rows, is_left=True), access(right, columns, is_left=False)
    is_wide = is_in_lanes(tensor_spec(left), tensor_spec(right))
    return Product(dims, accesses, {"lanes": LANES, "length": BLOCK} if is_wide else {})


def _note_indexed(builder: Builder, op: TensorOperation, factors: Sequence[SSAValue]) -> Product:
    """Note the serial sum at each index of a contraction by index maps."""
    order, *maps, count = maps_of(op.values())
    extents = extents_of([tensor_spec(factor) for factor in factors], *maps)
    rank = len(order)
    summed = tuple(extents[index] for index in range(rank, count))
    dims = InnerDims(("summed", summed), summed, tuple(range(len(summed))), ())
    builder.reduce_over(dims)
    accesses = tuple(
        _read(builder, factor, walked, rank, count, dims.key)
        for factor, walked in zip(factors, maps, strict=True)
    )
    return Product(dims, accesses, {})


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
