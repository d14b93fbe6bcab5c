"""How do views get out of the way of fusion? They move above the elementwise operations they view.

Before::

    %0 = tri.cast %x {dtype = f32} : !tri.tensor<3x8xui8> -> !tri.tensor<3x8xf32>
    %1 = tri.slice %0 {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : ... -> !tri.tensor<3x6xf32>

After::

    %2 = tri.slice %x {dim = 1 : i64, start = 1 : i64, end = 7 : i64} : ... -> !tri.tensor<3x6xui8>
    %1 = tri.cast %2 {dtype = f32} : !tri.tensor<3x6xui8> -> !tri.tensor<3x6xf32>

The view of a function's argument costs nothing, and the elementwise chain becomes one kernel. An
operation is computed again for each view of it, so costly ones move only if nobody else needs them
and the view is not larger. Views that the caller sees stay: they alias what they view.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.attributes.reshape import view_strides
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided, expand
from ...dialects.ops.opspec import Attributes, ElementwiseOp
from ...dialects.tri.ops import ElementwiseOperation, ViewOperation, op_class, tensor_spec
from ...dialects.tri.structure import ConstantOp
from ...dialects.tri.types import TensorType

#: How many operations may be computed again for each view of them.
MAXIMUM_RECOMPUTED = 4


@dataclass(frozen=True)
class HoistViewsPass(ModulePass):
    """Move views from the results of elementwise operations to their operands."""

    name = "tri-hoist-views"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _hoist(func.body.block)


def escaping_values(block: Block) -> set[SSAValue]:
    """Return the values that the caller sees: what is returned, and whatever those are views of."""
    end = block.last_op
    escaping: set[SSAValue] = set(end.operands) if isinstance(end, ReturnOp) else set()
    for op in reversed(list(block.ops)):
        if isinstance(op, ViewOperation) and op.results[0] in escaping:
            escaping.add(op.operands[0])
    return escaping


def _hoist(block: Block) -> None:
    escaping = escaping_values(block)
    # First views first: a view of a view can move only when that one has.
    pending = [op for op in block.ops if isinstance(op, ViewOperation)][::-1]
    cost: dict[SSAValue, int] = {}
    while pending:
        view = pending.pop()
        producer = view.operands[0].owner
        if isinstance(producer, ElementwiseOperation) and _may_hoist(
            view, producer, escaping, cost
        ):
            pending += reversed(_move_above(view, producer))


def _may_hoist(
    view: ViewOperation,
    producer: ElementwiseOperation,
    escaping: set[SSAValue],
    cost: dict[SSAValue, int],
) -> bool:
    if view.results[0] in escaping or not view.results[0].uses:
        return False
    if not _is_viewable(view, producer):
        return False
    if recompute_cost(producer.results[0], cost) <= MAXIMUM_RECOMPUTED:
        return True
    is_only_user = producer.results[0].has_one_use()
    return is_only_user and view.spec.numel <= producer.spec.numel


def recompute_cost(value: SSAValue, known: dict[SSAValue, int]) -> int:
    """Return how many operations computing a value again takes; costly ones count as many."""
    pending = [value]
    while pending:
        current = pending[-1]
        op = current.owner
        if current in known or not isinstance(op, ElementwiseOperation):
            known.setdefault(current, 0)
            pending.pop()
            continue
        missing = [operand for operand in op.operands if operand not in known]
        if missing:
            pending += missing
            continue
        row = op.ROW
        assert isinstance(row, ElementwiseOp)
        own = 100 if row.is_costly else 1
        known[current] = own + sum(known[operand] for operand in set(op.operands))
        pending.pop()
    return known[value]


def _is_viewable(view: ViewOperation, producer: ElementwiseOperation) -> bool:
    """Whether the view exists for every operand; `view` depends on the strides."""
    if view.ROW.is_of_storage or view.ROW.is_conj or _is_left_again(view):
        # Other bytes, places or signs: of the operands' storages it would be something else.
        return False
    if view.ROW.name != "view":
        return True
    for operand in producer.operands:
        if isinstance(operand.owner, ConstantOp) or not isinstance(operand.type, TensorType):
            continue
        source = _broadcast_to(tensor_spec(operand), producer.spec.shape)
        if view_strides(source.shape, source.strides, view.spec.shape) is None:
            return False
    return True


def _is_left_again(view: ViewOperation) -> bool:
    """Whether a view of the view may see more of the memory than the view itself."""
    users = [use.operation for use in view.results[0].uses]
    return any(
        isinstance(user, ViewOperation) and (user.ROW.is_of_storage or _is_left_again(user))
        for user in users
    )


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
        if spec.shape != producer.spec.shape:
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
