"""Why did two operations become one kernel, or not? Found out by fusing once more, and looking.

The operations are numbered before they are fused; copies keep their numbers. So it is seen, not
guessed, which kernel computes what. Why a value lies in memory between two kernels is said by the
rules of the passes: their limits, and the functions that say what it costs to compute it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.kernel.types import i64
from ...dialects.making import all_operations, operands_of
from ...dialects.ops.frame.traits import Reads
from ...dialects.records import field, record
from ...dialects.tri.ops import ViewOperation, is_pointwise, is_product, tensor_spec
from ...dialects.tri.structure import ConstantOp, FusionOp
from ...runtime.execution.summaries import counted
from ..analysis.product_sizes import DEPTH
from ..fusion.groups import PRODUCT_WORK
from ..fusion.recompute import (
    COSTLY,
    REDUCTION_WORK,
    STORING,
    count_readers,
    is_worth_repeating,
    reads_of,
    recompute_cost,
    work_of,
)
from ..passes.tensors.fuse import MAXIMUM_REPEATED_PER_KERNEL, FusePass
from ..pipeline import Runner, make_pass
from ..targets.steps import Step

#: The number of an operation before it was fused.
NUMBER = "trilith.number"
#: The passes that fuse.
FUSING = ("tri-fuse-rows", "tri-fuse")
_NO_KERNEL = (ConstantOp, ViewOperation, ReturnOp)


@record
class FusionLink:
    """An operation, one that reads its result, whether one kernel computes both, and why."""

    producer: str
    consumer: str
    is_fused: bool
    why: str


@record(frozen=False, eq=False)
class _Kernel:
    """What becomes a kernel: which numbers it computes, and the kernels whose results it reads."""

    name: str
    numbers: set[int] = field(default_factory=set[int])
    before: set[_Kernel] = field(default_factory=set["_Kernel"])
    level: int = 0


def fusion_links(module: ModuleOp, steps: Sequence[Step]) -> tuple[FusionLink, ...]:
    """Return the links of a traced function; `steps` are the passes that its target runs on it."""
    names = [step.name for step in steps]
    if not all(name in names for name in FUSING):
        return ()
    first, last = (names.index(name) for name in FUSING)
    runner = Runner("explained")
    module = module.clone()
    runner.run(module, steps[:first])
    block = _function_block(module)
    numbered: list[Operation] = []
    for op in block.ops:
        if not isinstance(op, _NO_KERNEL):
            op.attributes[NUMBER] = IntegerAttr(len(numbered), i64)
            numbered.append(op)
    fused = module.clone()
    runner.run(fused, steps[first : last + 1])
    limits = make_pass(steps[last])
    assert isinstance(limits, FusePass)
    return tuple(_Links(block, _kernels(_function_block(fused)), limits).found())


def _function_block(module: ModuleOp) -> Block:
    return next(op for op in module.ops if isinstance(op, FuncOp)).body.block


def _kernels(block: Block) -> list[_Kernel]:
    """Return what became kernels, in order."""
    found: list[_Kernel] = []
    made: dict[Operation, _Kernel] = {}
    for op in block.ops:
        if isinstance(op, _NO_KERNEL):
            continue
        inside = list(all_operations(op)) if isinstance(op, FusionOp) else [op]
        computed = [inner for inner in inside if NUMBER in inner.attributes]
        kernel = _Kernel("_".join(dict.fromkeys(map(_name, computed))))
        kernel.numbers = {_number(inner) for inner in computed}
        for operand in operands_of(op):
            producer = _stored_by(operand)
            if isinstance(producer, Operation) and producer in made:
                kernel.before.add(made[producer])
        kernel.level = 1 + max((other.level for other in kernel.before), default=-1)
        made[op] = kernel
        found.append(kernel)
    return found


def _stored_by(value: SSAValue) -> Operation | Block:
    """Return what computes the memory of a value, which may be a view."""
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return value.owner


def _number(op: Operation) -> int:
    number = op.attributes[NUMBER]
    assert isinstance(number, IntegerAttr)
    return number.value.data


def _name(op: Operation) -> str:
    return op.name.partition(".")[2]


class _Links:
    """The pairs of operations of a function that are about to be fused."""

    def __init__(self, block: Block, kernels: list[_Kernel], limits: FusePass) -> None:
        self.block, self.kernels, self.limits = block, kernels, limits
        self.cost: dict[SSAValue, int] = {}
        operations = list(block.ops)
        self.readers = count_readers(operations, self.cost, MAXIMUM_REPEATED_PER_KERNEL)

    def found(self) -> Iterator[FusionLink]:
        """Yield the links, in the order of what reads."""
        for consumer in self.block.ops:
            if NUMBER not in consumer.attributes:
                continue
            seen: set[Operation] = set()
            for operand in operands_of(consumer):
                producer = _stored_by(operand)
                if not isinstance(producer, Operation) or NUMBER not in producer.attributes:
                    continue
                if producer in seen or producer is consumer:
                    continue
                seen.add(producer)
                link = self._link(producer, consumer, operand)
                if link is not None:
                    yield link

    def _computing(self, op: Operation) -> list[_Kernel]:
        return [kernel for kernel in self.kernels if _number(op) in kernel.numbers]

    def _link(self, producer: Operation, consumer: Operation, read: SSAValue) -> FusionLink | None:
        makers, takers = self._computing(producer), self._computing(consumer)
        if not makers or not takers:
            return None
        is_fused = all(kernel in makers for kernel in takers)
        if is_fused:
            why = self._why_fused(producer, consumer, len(makers))
        else:
            why = self._why_stored(producer, consumer, read, (makers[0], takers[0]))
        return FusionLink(_shown(producer), _shown(consumer), is_fused, why)

    def _why_fused(self, producer: Operation, consumer: Operation, times: int) -> str:
        if times > 1:
            cost = recompute_cost(producer.results[0], self.cost)
            return f"each of {times} kernels computes it: {counted(cost, 'operation')}, no memory"
        if is_product(consumer):
            return "computed where it is read, by nothing else"
        if is_product(producer):
            return "computed with each sum of products, before it is stored"
        if reads_of(type(producer)) is Reads.REDUCED:
            is_row = not are_equal(_shape(producer), _shape(consumer))
            return "along the same rows" if is_row else "elements of one shape"
        if reads_of(type(consumer)) is Reads.REDUCED:
            return "elements are computed where they are reduced"
        return (
            "elements of one shape"
            if are_equal(_shape(producer), _shape(consumer))
            else ("computed where it is read, by nothing else")
        )

    def _why_stored(
        self,
        producer: Operation,
        consumer: Operation,
        read: SSAValue,
        kernels: tuple[_Kernel, _Kernel],
    ) -> str:
        if isinstance(read.owner, ViewOperation):
            return "what is read is a view, which is of memory"
        for op in (producer, consumer):
            if reads_of(type(op)) not in (Reads.INDEX, Reads.REDUCED, Reads.FACTORS):
                return f"{_name(op)} is a kernel of its own"
        if is_product(consumer):
            return "factors lie in memory: many sums read each element"
        is_reduced = reads_of(type(producer)) in (Reads.REDUCED, Reads.FACTORS)
        is_other = not are_equal(_shape(producer), _shape(consumer))
        if is_product(producer) and not is_other and is_pointwise(consumer):
            return self._why_behind(producer, consumer, *kernels)
        if is_reduced and (is_other or is_product(producer)):
            return f"{_name(producer)} has to be ready before {_name(consumer)} begins"
        value = producer.results[0]
        if not is_reduced and (is_other or reads_of(type(consumer)) is Reads.REDUCED):
            cost, readers = recompute_cost(value, self.cost), self.readers.get(value, 0)
            if cost >= COSTLY:
                return "a function that costs more than memory to compute again"
            if cost > MAXIMUM_REPEATED_PER_KERNEL:
                most = MAXIMUM_REPEATED_PER_KERNEL
                return f"{counted(cost, 'operation')} to compute it again are more than {most}"
            if not is_worth_repeating(cost, readers):
                again = counted(cost * (readers - 1), "operation")
                return f"{readers} kernels read it: {again} more, memory costs {STORING}"
        return self._why_apart(consumer, *kernels)

    def _why_behind(
        self, product: Operation, consumer: Operation, maker: _Kernel, taker: _Kernel
    ) -> str:
        """Return why an operation is not computed with each sum of products."""
        if any(is_product(op) and _number(op) in taker.numbers for op in self._numbered()):
            return "a kernel has one sum of products"
        if work_of(consumer) > PRODUCT_WORK - REDUCTION_WORK:
            return "a function that costs more than memory"
        if not product.results[0].has_one_use():
            return "unfinished sums lie in the result, and others read the sums"
        sums, stored = (tensor_spec(op.results[0]).dtype for op in (product, consumer))
        if stored.is_floating_point and stored.itemsize < sums.itemsize:
            return f"sums of more than {DEPTH} products lie in the result, which has another dtype"
        if stored is not sums:
            return "unfinished sums lie in the result, which has another dtype"
        return self._why_apart(consumer, maker, taker)

    def _numbered(self) -> list[Operation]:
        return [op for op in self.block.ops if NUMBER in op.attributes]

    def _why_apart(self, consumer: Operation, maker: _Kernel, taker: _Kernel) -> str:
        """Return what keeps kernels of one shape apart: what is waited for, or their size."""
        others = [kernel for kernel in taker.before if kernel is not maker]
        later = [kernel for kernel in others if kernel.level >= maker.level]
        if later:
            last = max(later, key=lambda kernel: kernel.level)
            return f"{_name(consumer)} waits for {last.name} as well"
        if any(is_product(op) and _number(op) in maker.numbers for op in self._numbered()):
            return "with sums of products goes what is cheap, lies as they do and has their dtype"
        limits = self.limits
        return (
            f"one kernel would be too large: at most {limits.maximum_work} instructions, "
            f"{limits.maximum_operands} tensors, {limits.maximum_streams} places in memory"
        )


def _shape(op: Operation) -> tuple[int, ...]:
    return tensor_spec(op.results[0]).shape


def _shown(op: Operation) -> str:
    """Return an operation, and the line that it comes from."""
    hint = op.results[0].name_hint if op.results else None
    return _name(op) if hint is None else f"{hint} = {_name(op)}"
