"""What does the kernel of a contraction by index maps look like? One serial sum at each index."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Block, SSAValue

from ...dialects.attributes.views import Strided
from ...dialects.kernel.payload import PayloadLanguage
from ...dialects.kernel.types import type_of_index
from ...dialects.ops.rows.products.index_maps import Ints, extents_of, maps_of
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ..analysis.aliases import read_root_of
from .kernel_builder import Builder, InnerDims, KernelDraft, widen
from .nest import Access
from .reduction_bodies import emit_products


def draft_indexed_contraction(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel: outer loops over the result, inside of them the sum of products."""
    left, right = op.operands
    order, *maps, count = maps_of(op.values())
    extents = extents_of([tensor_spec(left), tensor_spec(right)], *maps)
    rank = len(order)
    summed = tuple(extents[index] for index in range(rank, count))
    dims = InnerDims(("summed", summed), summed, tuple(range(len(summed))), ())
    builder = Builder("contract", op.spec.shape)
    builder.reduce_over(dims)
    factors = [
        _read(builder, operand, walked, rank, count, dims.key)
        for operand, walked in zip((left, right), maps, strict=True)
    ]
    written = builder.write(op.results[0], Strided(op.spec.shape, op.spec.strides))
    builder.open(has_nests=True)
    sizes = builder.extents(dims)
    block = Block(arg_types=[type_of_index] * len(sizes))
    language = PayloadLanguage(block)
    language.location = builder.language.location = op.location
    first, second = (widen(builder.load(language, access, block.args)) for access in factors)
    builder.store(emit_products(builder, sizes, block, (first, second)), written)
    return [builder.close()]


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
