"""What is cheaper: to compute a value again for each of its readers, or to store it once?"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects.ops.frame.opspec import ElementwiseOp
from ...dialects.tri.ops import ElementwiseOperation, is_reduction, tensor_spec
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
        own = COSTLY if row.is_costly else 1
        known[current] = min(own + sum(known[operand] for operand in set(op.operands)), COSTLY)
        pending.pop()
    return known[value]


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
        if not isinstance(op, ElementwiseOperation) and not is_reduction(op):
            continue
        through = 0
        if isinstance(op, ElementwiseOperation):
            for result in op.results:
                if result.has_one_use() or recompute_cost(result, cost) <= limit:
                    through = max(through, readers.get(result, 0))
        for operand in set(op.operands):
            if not isinstance(operand.type, TensorType) or not isinstance(operand.owner, Operation):
                continue
            is_other = is_reduction(op) or (tensor_spec(operand).shape != op.spec.shape)
            found = readers.get(operand, 0) + max(through, int(is_other))
            readers[operand] = min(found, COSTLY)
    return readers


def work_of(op: Operation) -> int:
    """Return about how many instructions an operation is in a kernel."""
    if is_reduction(op):
        return REDUCTION_WORK
    if not isinstance(op, ElementwiseOperation):
        return 1
    row = op.ROW
    assert isinstance(row, ElementwiseOp)
    work = COSTLY_WORK if row.is_costly else 1
    is_complex = any(
        isinstance(value.type, TensorType) and tensor_spec(value).dtype.is_complex
        for value in (*op.operands, op.results[0])
    )
    return work * COMPLEX_WORK if is_complex else work
