"""What is cheaper: to compute a value again for each of its readers, or to store it once?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.making import operands_of
from ...dialects.ops.frame.opspec import ElementwiseOp
from ...dialects.ops.frame.traits import Reads
from ...dialects.tri.ops import ElementwiseOperation, TensorOperation, tensor_spec
from ...dialects.tri.types import TensorType

#: What a costly operation counts, and any number of operations beyond it: never computed again.
COSTLY = 100

#: How many operations, summed over all readers but one, take as long as storing a value once and
#: loading it for each of them.
STORING = 12

#: How many instructions an operation is in a kernel: a plain one, a function such as tanh; and how
#: many times as many if it computes with complex numbers.
COSTLY_WORK, COMPLEX_WORK = 40, 8

#: How many instructions the loops and lanes of a reduction are.
REDUCTION_WORK = 32


def recompute_cost(
    value: SSAValue, known: dict[SSAValue, int], shape: tuple[int, ...] | None = None
) -> int:
    """Return how many operations computing a value again takes; costly ones count as many.

    With a shape, only operations on it count: others give rows, which are few.
    """
    pending = [value]
    while pending:
        current = pending[-1]
        op = current.owner
        work = elementwise_work(type(op))
        if current in known or not work or not _has_shape(current, shape):
            known.setdefault(current, 0)
            pending.pop()
            continue
        operands = operands_of(cast("Operation", op))
        missing = [operand for operand in operands if operand not in known]
        if missing:
            pending += missing
            continue
        own = COSTLY if work == COSTLY_WORK else 1
        known[current] = min(own + sum([known[operand] for operand in {*operands}]), COSTLY)
        pending.pop()
    return known[value]


def _has_shape(value: SSAValue, shape: tuple[int, ...] | None) -> bool:
    return shape is None or are_equal(tensor_spec(value).shape, shape)


def is_worth_repeating(cost: int, readers: float) -> bool:
    """Whether so many readers should each compute a value of that cost again."""
    return cost * (readers - 1) <= STORING


def count_readers(
    operations: Sequence[Operation], cost: dict[SSAValue, int], limit: int
) -> dict[SSAValue, int]:
    """Return for each value how many other kernels would compute it again, were it never stored.

    These are the reductions over it, and the operations on other shapes that read it, directly or
    through operations of which each costs `limit` at most or has one reader.
    """
    readers: dict[SSAValue, int] = {}
    for op in reversed(operations):
        is_elementwise = elementwise_work(type(op)) > 0
        is_reducing = reads_of(type(op)) is Reads.REDUCED
        if not is_elementwise and not is_reducing:
            continue
        through = 0
        if is_elementwise:
            for result in op.results:
                if result.has_one_use() or recompute_cost(result, cost) <= limit:
                    through = max(through, readers.get(result, 0))
        shape = tensor_spec(op.results[0]).shape
        for operand in {*operands_of(op)}:
            if type(operand.type) is not TensorType or type(operand.owner) is Block:
                continue
            is_other = is_reducing or not are_equal(tensor_spec(operand).shape, shape)
            found = readers.get(operand, 0) + max(through, int(is_other))
            readers[operand] = min(found, COSTLY)
    return readers


def work_of(op: Operation) -> int:
    """Return about how many instructions an operation is in a kernel."""
    kind = type(op)
    if reads_of(kind) in (Reads.REDUCED, Reads.FACTORS):
        return REDUCTION_WORK
    work = elementwise_work(kind)
    if not work:
        return 1
    is_complex = any(
        [
            type(value.type) is TensorType and value.type.data.dtype.is_complex
            for value in (*operands_of(op), op.results[0])
        ]
    )
    return work * COMPLEX_WORK if is_complex else work


@cache
def elementwise_work(kind: type) -> int:
    """Return how many instructions an elementwise operation of a class is; 0 for any other."""
    if not issubclass(kind, ElementwiseOperation):
        return 0
    row = kind.ROW
    assert isinstance(row, ElementwiseOp)
    return COSTLY_WORK if row.is_costly else 1


@cache
def reads_of(kind: type) -> Reads | None:
    """Return what operations of a class read; None for what is not made from a row.

    A look-up by class: `isinstance` asks xDSL's classes, which are abstract, in 0.3 us.
    """
    return kind.ROW.traits.reads if issubclass(kind, TensorOperation) else None
