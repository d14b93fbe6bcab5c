"""What does the kernel of a product of entries look like? A row added to a row for each entry.

Entries are one serial loop, as two of them may be in one row of the result; the columns inside of
it are independent. A coordinate out of range is a fault, and adds nothing.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.attributes.views import Strided
from ...dialects.kernel.memory import StoreOp
from ...dialects.ops.rows.sparse.entry_products import EntryProductOp
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import TensorOperation, tensor_spec
from .indexed_bodies import Indexed, loops
from .kernel_bodies import draft_copy
from .kernel_builder import Builder, KernelDraft, destination_of, element_count


def draft_entry_product(op: TensorOperation) -> list[KernelDraft]:
    """Build a copy of the first operand, unless it is computed in place, and the products."""
    row = op.ROW
    assert isinstance(row, EntryProductOp)
    (result,) = op.results
    spec = op.spec
    drafts: list[KernelDraft] = []
    if destination_of(result)[0] is result:
        whole = Strided(spec.shape, spec.strides)
        drafts.append(draft_copy(row.name, op.operands[0], result, whole))
    placements = row.placements([tensor_spec(operand) for operand in op.operands])
    if element_count(placements[0].points):
        drafts.append(_draft_products(op, result))
    return drafts


def _draft_products(op: TensorOperation, result: SSAValue) -> KernelDraft:
    row, spec, operands = op.ROW, op.spec, list(op.operands)
    assert isinstance(row, EntryProductOp)
    specs = [tensor_spec(operand) for operand in operands]
    into, from_ = row.placements(specs)
    builder = Builder(row.name, into.points)
    builder.nest.is_ordered = True
    target_side, factor_side = (Indexed(builder, operands, place) for place in (into, from_))
    values = target_side.walk(operands[1], (specs[1].strides[0], 0))
    factor = factor_side.read(operands[2])
    target = builder.write(result, Strided(into.points, into.walked(spec.strides)))
    target.inner = target_side.looked_up(spec.strides)
    target_side.sizes(spec.shape)
    factor_side.sizes(specs[2].shape)
    builder.open(has_nests=False)
    language = builder.language
    language.location = op.location
    rows, columns = target_side.positions(), factor_side.positions()
    product = builder.load(language, values) * builder.load(language, factor, columns)
    target.is_read = True
    places = [*builder.indices, *rows]
    old = builder.load(language, target, rows)
    made: Scalar = old + product
    for side in (target_side, factor_side):
        if side.bad is not None:
            made = scalar.select(side.bad, old, made)
    stored = language.whole(scalar.cast(made, target.dtype))
    builder.loop.add_op(StoreOp.make(stored, builder.buffers[id(target)], places))
    return builder.close(lambda extents, body: loops(builder, [0], extents, body))
