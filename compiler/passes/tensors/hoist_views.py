"""How do views get out of the way of fusion? They move above the elementwise operations they view.

Before::

    %0 = tri.cast %x {dtype = f32} : !tri.tensor<3x8xui8> -> !tri.tensor<3x8xf32>
    %1 = tri.slice %0 {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : ... -> !tri.tensor<3x6xf32>

After::

    %2 = tri.slice %x {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : ... -> !tri.tensor<3x6xui8>
    %1 = tri.cast %2 {dtype = f32} : !tri.tensor<3x6xui8> -> !tri.tensor<3x6xf32>

The view of a function's argument costs nothing, and the elementwise chain becomes one kernel. An
operation is computed again for each view of it, so costly ones move only if nobody else needs them
and the view is not larger. Views that the caller sees stay: they alias what they view. So do those
of what is computed from reductions of the same rows: it will be one kernel with them
(`tri-fuse-rows`), and with another shape it would not.

A view of a tensor that is filled with a number is another one, filled in the view's shape, where
nothing but kernels reads it: they compute the number and load nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import are_equal
from ....dialects.attributes.reshape import view_strides
from ....dialects.attributes.spec import TensorSpec
from ....dialects.attributes.symint import hint_of
from ....dialects.attributes.views import Strided, expand
from ....dialects.ops.frame.opspec import CreationOp
from ....dialects.ops.frame.row import Attributes
from ....dialects.ops.frame.traits import Reads
from ....dialects.tri.ops import (
    ElementwiseOperation,
    TensorOperation,
    ViewOperation,
    op_class,
    tensor_spec,
)
from ....dialects.tri.structure import ConstantOp
from ....dialects.tri.types import TensorType
from ...analysis.aliases import escaping_values
from ...fusion.clusters import clusters_of
from ...fusion.recompute import is_worth_repeating, reads_of, recompute_cost

#: How many operations may be computed again for each view of them.
MAXIMUM_REPEATED_PER_VIEW = 4

#: How many operations one view moves above: n views of n operations would move n * n / 2 times.
MAXIMUM_STEPS = 64


@dataclass(frozen=True)
class HoistViewsPass(ModulePass):
    """Move views from the results of elementwise operations to their operands."""

    name = "tri-hoist-views"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _hoist(func.body.block)


def _hoist(block: Block) -> None:
    _Hoisting(block).run()


class _Hoisting:
    """One block's views, and what is known of what they view."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.escaping = escaping_values(block)
        self.cost: dict[SSAValue, int] = {}
        self.repetitions: dict[SSAValue, float] = {}
        self.kept = _left_again(block)
        self.of_rows = {
            op for cluster in clusters_of(block) if cluster.keeps_busy() for op in cluster.members
        }

    def run(self) -> None:
        # First views first: a view of a view can move only when that one has.
        pending = [op for op in self.block.ops if isinstance(op, ViewOperation)][::-1]
        steps: dict[Operation, int] = {}
        while pending:
            view = pending.pop()
            producer = view.operands[0].owner
            step = steps.pop(view, 0)
            if isinstance(producer, Operation) and self.may_fill(view, producer):
                _fill(view, producer)
            elif (
                step < MAXIMUM_STEPS
                and isinstance(producer, ElementwiseOperation)
                and self.may_hoist(view, producer)
            ):
                moved = _move_above(view, producer)
                steps.update(dict.fromkeys(moved, step + 1))
                pending += reversed(moved)

    def may_hoist(self, view: ViewOperation, producer: ElementwiseOperation) -> bool:
        """Whether a view moves above the operation that it is a view of."""
        if view.results[0] in self.escaping or not view.results[0].uses:
            return False
        if producer in self.of_rows or view in self.kept or not _is_viewable(view, producer):
            return False
        if len(producer.results) > 1:
            # The other results would need the operation where it was, too.
            return False
        value = producer.results[0]
        cost = recompute_cost(value, self.cost)
        if cost <= MAXIMUM_REPEATED_PER_VIEW and is_worth_repeating(cost, self.repeated(value)):
            return True
        return value.has_one_use() and hint_of(view.spec.numel) <= hint_of(producer.spec.numel)

    def may_fill(self, view: ViewOperation, producer: Operation) -> bool:
        """Whether a view can be a tensor that is made as what it views is."""
        row = producer.ROW if isinstance(producer, TensorOperation) else None
        if not isinstance(row, CreationOp) or row.seen is None:
            return False
        if view.ROW.is_of_storage or view.ROW.is_conj or view in self.kept:
            return False
        return self.is_computed_again(view)

    def is_computed_again(self, view: ViewOperation) -> bool:
        """Whether all that reads a view, or views of it, can compute its elements."""
        value = view.results[0]
        if value in self.escaping or not value.uses:
            return False
        return all(
            self.is_computed_again(user)
            if isinstance(user := use.operation, ViewOperation)
            else reads_of(type(user)) in (Reads.INDEX, Reads.REDUCED)
            for use in value.uses
        )

    def repeated(self, value: SSAValue) -> float:
        """Return how often each element would be computed if all views of a value moved."""
        found = self.repetitions.get(value)
        if found is None:
            seen = [
                hint_of(user.spec.numel)
                for use in value.uses
                if isinstance(user := use.operation, ViewOperation)
            ]
            found = self.repetitions[value] = sum(seen) / max(hint_of(tensor_spec(value).numel), 1)
        return found


def _is_viewable(view: ViewOperation, producer: ElementwiseOperation) -> bool:
    """Whether the view exists for every operand."""
    if view.ROW.is_of_storage or view.ROW.is_conj:
        # Other bytes, places or signs: of the operands' storages it would be something else.
        return False
    if not view.ROW.depends_on_strides:
        return True
    for operand in producer.operands:
        if isinstance(operand.owner, ConstantOp) or not isinstance(operand.type, TensorType):
            continue
        source = _broadcast_to(tensor_spec(operand), producer.spec.shape)
        if view_strides(source.shape, source.strides, view.spec.shape) is None:
            return False
    return True


def _left_again(block: Block) -> set[Operation]:
    """Return the views of which a further view may see more of the memory than they do."""
    found: set[Operation] = set()
    for op in reversed(list(block.ops)):
        if isinstance(op, ViewOperation) and (op.ROW.is_of_storage or op in found):
            viewed = op.operands[0].owner
            if isinstance(viewed, ViewOperation):
                found.add(viewed)
    return found


def _broadcast_to(spec: TensorSpec, shape: tuple[int, ...]) -> Strided:
    return expand(Strided(spec.shape, spec.strides), shape)


def _move_above(view: ViewOperation, producer: ElementwiseOperation) -> list[ViewOperation]:
    """Rebuild the producer on viewed operands in the view's place; return the views made."""
    block = view.parent
    assert block is not None
    operands: list[SSAValue] = []
    made: list[ViewOperation] = []
    for operand in producer.operands:
        if isinstance(operand.owner, ConstantOp) or not isinstance(operand.type, TensorType):
            operands.append(operand)
            continue
        spec = tensor_spec(operand)
        value = operand
        if not are_equal(spec.shape, producer.spec.shape):
            widened = _apply("expand", value, {"size": producer.spec.shape}, view)
            block.insert_op_before(widened, view)
            made.append(widened)
            value = widened.results[0]
        moved = _apply(view.ROW.name, value, view.values(), view)
        block.insert_op_before(moved, view)
        made.append(moved)
        operands.append(moved.results[0])
    rebuilt = type(producer).create(
        operands=operands,
        result_types=[view.results[0].type],
        attributes=dict(producer.attributes),
        location=producer.location,
    )
    block.insert_op_before(rebuilt, view)
    view.results[0].replace_all_uses_with(rebuilt.results[0])
    view.detach()
    view.erase()
    _erase_unused(producer)
    return made


def _fill(view: ViewOperation, producer: Operation) -> None:
    """Make the tensor that a view sees in the view's place."""
    block = view.parent
    assert block is not None
    assert isinstance(producer, TensorOperation)
    row = producer.ROW
    assert isinstance(row, CreationOp)
    assert row.seen is not None
    made = producer.of_type(
        producer.operands, row.seen(producer.values(), view.spec), view.spec, view.location
    )
    block.insert_op_before(made, view)
    view.results[0].replace_all_uses_with(made.results[0])
    view.detach()
    view.erase()
    _erase_unused(producer)


def _apply(
    name: str, value: SSAValue, attributes: Attributes, view: ViewOperation
) -> ViewOperation:
    kind = op_class(name)
    resolved = kind.ROW.resolve([tensor_spec(value)], attributes)
    op = kind.make([value], resolved, view.location)
    assert isinstance(op, ViewOperation)
    return op


def _erase_unused(op: Operation) -> None:
    if not any(result.uses for result in op.results):
        op.detach()
        op.erase()
