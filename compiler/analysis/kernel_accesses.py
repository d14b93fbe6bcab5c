"""What does a kernel do with each of its buffers? Read off its loads and stores.

Every index in a structured kernel is that of a loop from 0 to an argument, or a number from memory
that was checked against one:

    %bad = (%i < 0) | (%i >= %n)     ->     %safe = select(%bad, 0, %i)

or the place of such an index in a window of such a size (`kernel.within`), or a sum of such, times
constants. So each access is a walk that the launch's integers bound (`runtime.kernel_memory`), and
a plan can be proven to stay in its memory without running it. A kernel that indexes in another way
has to say here how its indices are bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.diagnostics import InternalError
from ...dialects.kernel.abi import INDEX, OFFSET, STRIDE, KernelSignature
from ...dialects.kernel.function import READ, FuncOp
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.scheduled import ForOp
from ...dialects.kernel.structured import IterationOp
from ...dialects.kernel.types import buffer_type_of, i1
from ...dialects.kernel.within import WithinOp
from ...runtime.execution.kernel_memory import KernelBuffer, Walk, WalkedDim

#: Numbers of `arith.cmpi`.
_SLT, _SGE = 2, 5


def kernel_buffers(function: FuncOp, signature: KernelSignature) -> tuple[KernelBuffer, ...]:
    """Return what a structured kernel does with its buffers, in the order of its pointers."""
    return _Reader(function, signature).buffers()


class _Reader:
    """Finds the bound of each index of each access."""

    def __init__(self, function: FuncOp, signature: KernelSignature) -> None:
        self.function = function
        self.signature = signature
        self.places = {
            (slot.kind, slot.argument, slot.dimension): number
            for number, slot in enumerate(signature.integers)
        }
        self.walks: dict[SSAValue, dict[Walk, None]] = {
            function.block.args[number]: {} for number in signature.buffers
        }
        #: The extent of each loop index in sight: a number of an integer.
        self.extents: dict[SSAValue, int] = {}
        #: The extents of loops over every so many elements up to a size.
        self.strips: dict[SSAValue, arith.DivUIOp] = {}

    def buffers(self) -> tuple[KernelBuffer, ...]:
        """Walk the kernel once."""
        self._read(self.function.block)
        return tuple(self._buffer(number) for number in self.signature.buffers)

    def _buffer(self, number: int) -> KernelBuffer:
        argument = self.function.block.args[number]
        element: Any = buffer_type_of(argument).element
        return KernelBuffer(
            itemsize=1 if element == i1 else element.size,
            offset=self.places[OFFSET, number, 0],
            is_written=self.function.access_of(argument) != READ,
            is_alone=self.function.is_noalias(argument),
            walks=tuple(self.walks[argument]),
        )

    def _read(self, block: Block) -> None:
        """Note the accesses in a block and in the loops inside of it."""
        for op in block.ops:
            if type(op) is LoadOp:
                self._note(op.operands[0], op.indices)
            elif type(op) is StoreOp:
                self._note(op.operands[1], op.indices)
            for region in op.regions:
                inner = region.blocks[0]
                indices = self._enter(op, inner)
                self._read(inner)
                for index in indices:
                    self.extents.pop(index, None)

    def _enter(self, op: Operation, block: Block) -> list[SSAValue]:
        """Note how far the indices of a loop run, and return them."""
        if isinstance(op, IterationOp):
            # The combiner of a reduction has no indices, only values.
            bounds = dict(zip(block.args, op.extents, strict=False))
            bounds = {index: size for index, size in bounds.items() if index.type == size.type}
        elif isinstance(op, ForOp) and _is_number(op.operands[0], 0):
            bounds = {block.args[0]: op.operands[1]}
        else:
            return []
        for index, size in bounds.items():
            if isinstance(size.owner, arith.DivUIOp):
                self.strips[index] = size.owner
            else:
                self.extents[index] = self._size(size)
        return list(bounds)

    def _note(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        """Note the dims of an access, and those of loops around it that do not move it."""
        walks = self.walks.get(buffer)
        if walks is None:
            raise InternalError(f"@{self.function.symbol} has memory of its own")
        number = cast("BlockArgument", buffer).index
        dims: list[WalkedDim] = []
        around = {*self.extents.values()}
        strides = buffer_type_of(buffer).strides
        for dimension, (index, known) in enumerate(zip(indices, strides, strict=True)):
            stride = self.places[STRIDE, number, dimension] if known is None else None
            for factor, extent, is_looked_up in self._terms(index):
                step = factor * (1 if known is None else known)
                if step:
                    dims.append(WalkedDim(extent, stride, step, is_looked_up))
                    around.discard(extent)
        dims += [WalkedDim(extent, None) for extent in sorted(around)]
        walks[tuple(dims)] = None

    def _terms(self, index: SSAValue, factor: int = 1) -> list[tuple[int, int, bool]]:
        """Return what an index is the sum of: a factor, the integer that bounds what it is of."""
        extent = self.extents.get(index)
        if extent is not None:
            return [(factor, extent, False)]
        op = index.owner
        if isinstance(op, WithinOp):
            return [(factor, self._size(op.size), True)]
        if isinstance(op, arith.MuliOp) and (number := constant_of(op.operands[1])) is not None:
            return self._terms(op.operands[0], factor * number)
        if isinstance(op, arith.AddiOp):
            size = self._strip_size(*op.operands)
            if size is not None:
                return [(factor, size, False)]
            return [term for side in op.operands for term in self._terms(side, factor)]
        return [(factor, self._looked_up(index), True)]

    def _strip_size(self, first: SSAValue, step: SSAValue) -> int | None:
        """Return what `first + k * width` stays below, where k counts the steps up to a size.

        It does if k runs to max(min(_, size) - first + width - 1, 0) / width, and `first` is not
        negative: a sum of other indices.
        """
        if not isinstance(step.owner, arith.MuliOp):
            return None
        count, width = step.owner.operands[0], constant_of(step.owner.operands[1])
        extent = self.strips.get(count)
        if extent is None or width is None or constant_of(extent.operands[1]) != width:
            return None
        above = sides_of(extent.operands[0], arith.MaxSIOp)
        left = sides_of(above[0], arith.AddiOp) if above and constant_of(above[1]) == 0 else None
        ends = (
            sides_of(left[0], arith.SubiOp) if left and constant_of(left[1]) == width - 1 else None
        )
        stop = sides_of(ends[0], arith.MinSIOp) if ends and ends[1] is first else None
        if stop is None or any(factor < 0 for factor, _, _ in self._terms(first)):
            return None
        return self._size(stop[1])

    def _looked_up(self, index: SSAValue) -> int:
        """Return the number of the integer that an index from memory was checked against."""
        if isinstance(index.owner, arith.IndexCastOp):
            size = _checked_against(index.owner.operands[0])
            if size is not None and isinstance(size.owner, arith.IndexCastOp):
                return self._size(size.owner.operands[0])
        raise self._unbounded(index)

    def _size(self, value: SSAValue) -> int:
        """Return the number of the integer that a size is."""
        if isinstance(value, BlockArgument) and value.owner is self.function.block:
            found = self.places.get((INDEX, value.index, 0))
            if found is not None:
                return found
        raise self._unbounded(value)

    def _unbounded(self, value: SSAValue) -> InternalError:
        return InternalError(
            f"@{self.function.symbol}: nothing says how large the index {value} may become",
            ir=str(self.function),
        )


def _checked_against(value: SSAValue) -> SSAValue | None:
    """Return `n` of `select((i < 0) | (i >= n), 0, i)`."""
    select = value.owner
    if not isinstance(select, arith.SelectOp) or not _is_number(select.operands[1], 0):
        return None
    bad, index = select.operands[0].owner, select.operands[2]
    if not isinstance(bad, arith.OrIOp):
        return None
    below, beyond = (side.owner for side in bad.operands)
    if not (isinstance(below, arith.CmpiOp) and isinstance(beyond, arith.CmpiOp)):
        return None
    is_below = _predicate(below) == _SLT and _is_number(below.operands[1], 0)
    is_beyond = _predicate(beyond) == _SGE
    if not (is_below and is_beyond and below.operands[0] is index is beyond.operands[0]):
        return None
    return beyond.operands[1]


def _predicate(op: arith.CmpiOp) -> int:
    predicate: Any = op.properties["predicate"]
    return predicate.value.data


def sides_of(value: SSAValue, kind: type[Operation]) -> tuple[SSAValue, SSAValue] | None:
    """Return the two operands of what computes a value, if it is of this kind."""
    op = value.owner
    return (op.operands[0], op.operands[1]) if isinstance(op, kind) else None


def _is_number(value: SSAValue, number: int) -> bool:
    return constant_of(value) == number


def constant_of(value: SSAValue) -> int | None:
    """Return the value of an integer constant."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp):
        return None
    found: Any = op.properties["value"]
    return found.value.data if isinstance(found, IntegerAttr) else None
