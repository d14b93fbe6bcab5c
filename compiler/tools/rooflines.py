"""At which speed should a kernel run? What it moves and computes, beside what the machine can do.

Bytes are those of the tensors that a launch is given, each once. Operations are those of the loops
that the kernel consists of, functions such as `exp` written out. Each counts as often as its value
can differ: what is computed from one factor of a product counts once for each element of the
factor, not for each product, as a schedule can compute it in front. What the machine can do is
asked of it (`machine_rates.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.symint import hint_of
from ...dialects.kernel.abi import INDEX, KernelSignature
from ...dialects.kernel.function import FuncOp as KernelOp
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.rare import RarelyOp
from ...dialects.kernel.reductions import CUSTOM, FMA
from ...dialects.kernel.structured import CombinationOp, IterationOp, YieldOp
from ...dialects.kernel.types import buffer_type_of, type_of_index
from ...dialects.records import record
from ...dialects.tri.ops import tensor_spec
from ...dialects.tri.structure import LaunchOp
from ...dialects.tri.types import TensorType
from ..pipeline import Runner
from ..targets.steps import Step, legalize
from .machine_rates import arithmetic_rate, copying_time, multiply_add_rate

MEMORY, ARITHMETIC = "memory", "arithmetic"
#: What is rarely computed stands apart, and does not count.
STEPS = (legalize(half=True), Step("kernel-expand-math", (("branches", True),)))
#: What no processor computes with.
_FREE = (arith.ConstantOp, LoadOp, StoreOp, YieldOp)
_INDEX_ARITHMETIC: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.DivUIOp: lambda a, b: a // b,
    arith.DivSIOp: lambda a, b: a // b,
    arith.RemUIOp: lambda a, b: a % b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
}


@record
class KernelCost:
    """What one launch of a kernel moves and computes, and what that takes at least.

    `name` is what machine code of its structure is called, whatever program it is of, and `symbol`
    what the kernel is called in the IR of the function, after the operations that became it.
    `operations` counts a fused multiply-add as two; it is None where sizes of loops are not known
    before they run. `bound` is what takes longer, "memory" or "arithmetic", and `microseconds` how
    long, on one thread of this machine.
    """

    name: str
    symbol: str
    nbytes: int
    operations: int | None
    bound: str
    microseconds: float


@record(frozen=False)
class _Work:
    """Operations, and instructions on 32 bits that they are; those among them that are fused."""

    operations: int = 0
    instructions: float = 0.0
    multiply_adds: float = 0.0

    def add(self, times: int, bits: int, *, is_fused: bool) -> None:
        instructions = times * max(bits, 8) / 32
        self.operations += times * (2 if is_fused else 1)
        self.instructions += instructions
        self.multiply_adds += instructions if is_fused else 0.0

    @property
    def seconds(self) -> float:
        """How long one thread takes at least: fewer units may multiply and add at once."""
        fused = self.multiply_adds and self.multiply_adds / multiply_add_rate()
        return max(fused, self.instructions and self.instructions / arithmetic_rate())


class _UnknownSize(Exception):
    """A loop whose size depends on elements."""


def kernel_costs(module: ModuleOp, names: Sequence[str]) -> tuple[KernelCost, ...]:
    """Return the costs of the launches of a lowered function; each kernel is called by a name."""
    written_out = module.clone()
    Runner("explained").run(written_out, STEPS)
    kernels = {op.symbol: op for op in written_out.ops if isinstance(op, KernelOp)}
    function = next(op for op in module.ops if isinstance(op, FuncOp))
    launches = [op for op in function.body.block.ops if isinstance(op, LaunchOp)]
    pairs = zip(launches, names, strict=True)
    return tuple(_cost(kernels[launch.symbol], launch, name) for launch, name in pairs)


def _cost(kernel: KernelOp, launch: LaunchOp, name: str) -> KernelCost:
    tensors = {value for value in launch.operands if isinstance(value.type, TensorType)}
    nbytes = sum(hint_of(tensor_spec(value).nbytes) for value in tensors)
    work: _Work | None = work_of_kernel(kernel, [hint_of(n) for n in launch.flat_integers])
    moving = copying_time(nbytes)
    computing = 0.0 if work is None else work.seconds
    bound = ARITHMETIC if computing > moving else MEMORY
    operations = None if work is None else work.operations
    microseconds = 1e6 * max(moving, computing)
    return KernelCost(name, launch.symbol, nbytes, operations, bound, microseconds)


def work_of_kernel(kernel: KernelOp, integers: Sequence[int]) -> _Work | None:
    """Return the work of a launch with some integers; None if it depends on elements."""
    sizes: dict[SSAValue, int] = {}
    slots = KernelSignature.of(kernel).integers
    for slot, number in zip(slots, integers, strict=True):
        if slot.kind == INDEX:
            sizes[kernel.block.args[slot.argument]] = number
    count = _Count(sizes)
    try:
        count.block(kernel.block, frozenset())
    except _UnknownSize:
        return None
    return count.work


class _Count:
    """Adds up the work of blocks; knows on which indices of loops each value depends."""

    def __init__(self, sizes: dict[SSAValue, int]) -> None:
        self.work = _Work()
        self._sizes = sizes
        self._extents: dict[SSAValue, int] = {}
        self._indices: dict[SSAValue, frozenset[SSAValue]] = {}

    def block(self, block: Block, around: frozenset[SSAValue]) -> None:
        """Add the work of a block inside loops, of which these are the indices."""
        for op in block.ops:
            if isinstance(op, IterationOp):
                self._loop(op, around)
            elif not isinstance(op, RarelyOp) and op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self.block(inner, around)
                self._depend(op.results, around)
            else:
                self._scalar(op, around)

    def _loop(self, op: IterationOp, around: frozenset[SSAValue]) -> None:
        for index, extent in zip(op.indices, op.extents, strict=True):
            self._extents[index] = _size(extent, self._sizes)
            self._indices[index] = frozenset((index,))
        inside = around | frozenset(op.indices)
        self.block(op.block, inside)
        if isinstance(op, CombinationOp):
            # A combiner of the op's own has no indices, but runs for each element.
            for combiner in op.regions[1:]:
                self._depend(combiner.block.args, inside)
                self.block(combiner.block, inside)
            if op.kind.data != CUSTOM:
                self._add(op.value_types[0], inside, is_fused=op.kind.data == FMA)
        self._depend(op.results, around)

    def _scalar(self, op: Operation, around: frozenset[SSAValue]) -> None:
        indices = self._of_element(op, around) if isinstance(op, LoadOp) else self._of(op.operands)
        self._depend(op.results, indices)
        if not isinstance(op, _FREE) and op.results and op.results[0].type != type_of_index:
            self._add(op.results[0].type, indices, is_fused=type(op) is math.FmaOp)

    def _of_element(self, load: LoadOp, around: frozenset[SSAValue]) -> frozenset[SSAValue]:
        if isinstance(load.buffer.owner, Operation):  # the kernel's own, written by who knows whom
            return around
        pairs = zip(load.indices, buffer_type_of(load.buffer).strides, strict=True)
        return self._of([index for index, stride in pairs if stride != 0])

    def _of(self, values: Sequence[SSAValue]) -> frozenset[SSAValue]:
        known = (self._indices.get(value, frozenset()) for value in values)
        return frozenset[SSAValue]().union(*known)

    def _depend(self, values: Sequence[SSAValue], indices: frozenset[SSAValue]) -> None:
        self._indices.update(dict.fromkeys(values, indices))

    def _add(self, type_: Any, indices: frozenset[SSAValue], *, is_fused: bool) -> None:
        times = prod(self._extents[index] for index in indices)
        self.work.add(times, _bits(type_), is_fused=is_fused)


def _bits(type_: Any) -> int:
    bits: int = getattr(type_, "bitwidth", 64)
    return bits


def _size(value: SSAValue, sizes: dict[SSAValue, int]) -> int:
    """Return what an index is, that is computed from arguments."""
    if value in sizes:
        return sizes[value]
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value.value.data
    compute = _INDEX_ARITHMETIC.get(type(op)) if isinstance(op, Operation) else None
    if compute is None or not isinstance(op, Operation):
        raise _UnknownSize
    found = sizes[value] = compute(*[_size(operand, sizes) for operand in op.operands])
    return found
