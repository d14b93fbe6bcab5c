"""What does a kernel do to memory? `interpret_kernel` runs it, in its structured or scheduled form.

Points of `kernel.map`, `kernel.parallel` and the elements of a reduction are computed many at a
time: each nest in progress is one more axis, in front of those of the nests around it. A body with
loops, branches, vectors or memory of its own (the scheduled form) is run point by point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Attribute, Operation, Region

from ...dialects.diagnostics import InternalError
from ...dialects.kernel.abi import INDEX, OFFSET, STRIDE, KernelSignature
from ...dialects.kernel.function import FuncOp, ReturnOp
from ...dialects.kernel.lines import LINE, InLineOp
from ...dialects.kernel.memory import AllocOp, BarrierOp, CheckOp, LoadOp, StoreOp
from ...dialects.kernel.prefetch import PrefetchOp
from ...dialects.kernel.reductions import CUSTOM, FMA, combining_op, neutral_element
from ...dialects.kernel.registers import ClearRegistersOp, HasRegistersOp
from ...dialects.kernel.scheduled import GROUP_SIZE, ForOp, IfOp
from ...dialects.kernel.strides import StrideOp
from ...dialects.kernel.structured import (
    CombinationOp,
    IterationOp,
    MapOp,
    ParallelOp,
    ReduceOp,
    ScanOp,
    YieldOp,
)
from ...dialects.kernel.types import (
    LOCAL,
    PRIVATE,
    BufferType,
    buffer_type_of,
    element_of,
    lanes_of,
)
from ...dialects.records import record
from .memory import Buffer, Touches
from .nests import group_of, is_pointwise, points_inside
from .ordered_reductions import OrderedReduction, Values
from .payload import Array, PayloadFunctions, compute, numpy_type

#: Points computed at once; each value of a body then takes up to 2 MB.
LIMIT = 1 << 18
#: What the registers of the machine have that is interpreted.
REGISTER_BITS = 512
_ACCUMULATING: dict[type[Operation], Any] = {
    arith.AddfOp: np.add,
    arith.AddiOp: np.add,
    arith.MulfOp: np.multiply,
}


@record
class Fault:
    """What a `kernel.check` reported: its code, and the numbers after `at` and after `with`."""

    code: str
    position: int
    details: tuple[int, ...] = ()


def interpret_kernel(
    function: FuncOp, pointers: Sequence[Array], integers: Sequence[int]
) -> list[Fault]:
    """Run a kernel on memory; return its faults, each once, in the order in which they were found.

    `pointers` are contiguous arrays that begin where the buffers do, `integers` the flat 64-bit
    arguments, both as `KernelSignature` orders them; there is no status word.

    >>> traced = tri.trace(lambda x: x + x, tri.spec((2,), tri.float32))
    >>> (kernel,) = traced.lower().kernels
    >>> x, y = np.array([1, 2], np.float32), np.zeros(2, np.float32)
    >>> interpret_kernel(kernel, [x, y], [2, 0, 0]), y
    ([], array([2., 4.], dtype=float32))
    """
    signature = KernelSignature.of(function)
    if len(pointers) != len(signature.buffers) or len(integers) != len(signature.integers):
        raise InternalError(
            f"@{function.symbol} takes {len(signature.buffers)} pointers and "
            f"{len(signature.integers)} integers, got {len(pointers)} and {len(integers)}"
        )
    module = function.parent_op()
    interpreter = Interpreter(module if isinstance(module, ModuleOp) else ModuleOp([]))
    kernel = KernelFunctions()
    interpreter.register_implementations(PayloadFunctions())
    interpreter.register_implementations(kernel)
    arguments = _arguments(function, signature, pointers, integers)
    interpreter.run_ssacfg_region(function.body, arguments, function.symbol)
    return kernel.faults


def _arguments(
    function: FuncOp,
    signature: KernelSignature,
    pointers: Sequence[Array],
    integers: Sequence[int],
) -> tuple[Any, ...]:
    """Return the values of a kernel's arguments."""
    types = [argument.type for argument in function.block.args]
    values: list[Any] = [None] * len(types)
    offsets: dict[int, int] = {}
    strides = {
        number: list(type_.strides)
        for number, type_ in enumerate(types)
        if isinstance(type_, BufferType)
    }
    for slot, integer in zip(signature.integers, integers, strict=True):
        if slot.kind == OFFSET:
            offsets[slot.argument] = integer
        elif slot.kind == STRIDE:
            strides[slot.argument][slot.dimension] = integer
        elif slot.kind == INDEX:
            values[slot.argument] = np.array(integer, np.int64)
        else:
            bits = np.array([integer & 0xFFFFFFFFFFFFFFFF], np.dtype("<u8"))
            values[slot.argument] = bits.view(numpy_type(types[slot.argument]))[:1].reshape(())
    for number, pointer in zip(signature.buffers, pointers, strict=True):
        type_ = types[number]
        assert isinstance(type_, BufferType)
        known = tuple(stride or 0 for stride in strides[number])
        values[number] = Buffer(flat_memory(pointer, type_), offsets[number], known)
    return tuple(values)


def flat_memory(pointer: Array, type_: BufferType) -> Array:
    """Return memory as a flat array of a buffer's elements, sharing it."""
    if not pointer.flags.c_contiguous:
        raise InternalError(f"memory of {type_} must be contiguous")
    element = numpy_type(type_.element)
    memory = pointer.reshape(-1).view(np.uint8)
    return memory[: len(memory) // element.itemsize * element.itemsize].view(element)


@register_impls
class KernelFunctions(InterpreterFunctions):
    """The ops of the kernel dialect that iterate, touch memory or report faults."""

    def __init__(self) -> None:
        """Start outside of all nests."""
        self.faults: list[Fault] = []
        #: How many points each nest in progress computes at once, innermost first.
        self.points: tuple[int, ...] = ()
        #: The numbers of the items of a work-group that are computed, None outside of items.
        self.items: Array | None = None
        #: Who touched the memory of the group, for each piece of it.
        self.touches: list[Touches] = []
        self._together: dict[Operation, bool] = {}

    # Nests

    def _runs_together(self, op: IterationOp) -> bool:
        """Whether all points of a nest can be computed at once."""
        found = self._together.get(op)
        if found is None:
            found = self._together[op] = all(is_pointwise(inner, op) for inner in op.walk())
        return found

    def _run(
        self, interpreter: Interpreter, region: Region, values: PythonValues, count: int
    ) -> PythonValues:
        """Run a body for `count` points at once, whose values lie along a new axis in front."""
        outside = self.points
        self.points = (count, *outside)
        results = interpreter.run_ssacfg_region(region, values, "points")
        self.points = outside
        return results

    def _indices(self, start: int, stop: int, extents: Sequence[int]) -> tuple[Array, ...]:
        """Return the indices of points by their row-major numbers, along a new axis in front."""
        if not extents:
            return ()
        numbers = np.unravel_index(np.arange(start, stop), extents)
        shape = (stop - start, *(1 for _ in self.points))
        return tuple(index.astype(np.int64).reshape(shape) for index in numbers)

    def _chunks(self, interpreter: Interpreter, op: IterationOp, count: int) -> Iterator[range]:
        """Divide points so that about LIMIT of them, times those inside, are computed at once."""
        inside = points_inside(interpreter, op.block)
        size = max(1, LIMIT // (inside * max(1, prod(self.points))))
        return (range(first, min(first + size, count)) for first in range(0, count, size))

    def _nest(self, interpreter: Interpreter, op: ParallelOp | MapOp, args: PythonValues) -> None:
        extents = _sizes(args)
        count, body = prod(extents), op.regions[0]
        if self._runs_together(op):
            for chunk in self._chunks(interpreter, op, count):
                indices = self._indices(chunk.start, chunk.stop, extents)
                self._number_items(op, indices)
                self._run(interpreter, body, indices, len(chunk))
        else:
            for point in np.ndindex(*extents):
                indices = tuple(np.array(index, np.int64) for index in point)
                self._number_items(op, indices)
                interpreter.run_ssacfg_region(body, indices, op.name)

    def _number_items(self, op: ParallelOp | MapOp, indices: tuple[Array, ...]) -> None:
        """Note which items of a group come next."""
        if isinstance(op, ParallelOp) and op.is_grid("items") and group_of(op) is not None:
            (self.items,) = indices

    @impl(ParallelOp)
    def parallel(
        self, interpreter: Interpreter, op: ParallelOp, args: PythonValues
    ) -> PythonValues:
        """Run all points."""
        self._nest(interpreter, op, args)
        if op.is_grid("items"):
            self.items = None
        return ()

    @impl(MapOp)
    def map(self, interpreter: Interpreter, op: MapOp, args: PythonValues) -> PythonValues:
        """Run all points."""
        self._nest(interpreter, op, args)
        return ()

    # Reductions and scans

    def _start(
        self,
        interpreter: Interpreter,
        op: CombinationOp,
        inits: PythonValues,
        lanes: int = 1,
        block: int = 0,
    ) -> OrderedReduction:
        """Start a reduction for each of the points around it."""
        kind = op.kind.data
        if kind == CUSTOM:
            combiner = op.regions[-1]

            def combine(left: Values, right: Values) -> Values:
                return interpreter.run_ssacfg_region(combiner, (*left, *right), "combine")

            return OrderedReduction(inits, combine, self.points, lanes, block)
        type_ = op.value_types[0]
        neutral = neutral_element(kind, type_, op.is_unsigned)
        combining = combining_op(kind, type_, op.is_unsigned)
        start = np.array(neutral).astype(numpy_type(type_))

        def combine_numbers(left: Values, right: Values) -> Values:
            if len(right) > len(left):
                return [compute(math.FmaOp, *right, *left)]
            return [compute(combining, left[0], right[0])]

        is_plain = kind != FMA and start.dtype != np.bool_
        ufunc = _ACCUMULATING.get(combining) if is_plain else None
        return OrderedReduction([start], combine_numbers, self.points, lanes, block, ufunc)

    def _elements(
        self,
        interpreter: Interpreter,
        op: CombinationOp,
        extents: Sequence[int],
        chunk: range,
        together: bool,
    ) -> tuple[tuple[Array, ...], list[Array]]:
        """Run the body for some elements; return the indices and what it yields."""
        if together:
            indices = self._indices(chunk.start, chunk.stop, extents)
            values = self._run(interpreter, op.regions[0], indices, len(chunk))
            shape = (len(chunk), *self.points)
            return indices, [np.broadcast_to(value, shape) for value in values]
        point = np.unravel_index(chunk.start, extents) if extents else ()
        indices = tuple(np.array(index, np.int64) for index in point)
        values = interpreter.run_ssacfg_region(op.regions[0], indices, op.name)
        return indices, [np.broadcast_to(value, self.points)[None] for value in values]

    @impl(ReduceOp)
    def reduce(self, interpreter: Interpreter, op: ReduceOp, args: PythonValues) -> PythonValues:
        """Reduce in lanes and blocks."""
        extents = _sizes(args[: len(op.indices)])
        lanes, block = op.lane_count, op.elements_per_block
        reduction = self._start(interpreter, op, args[len(extents) :], lanes, block)
        count, together = prod(extents), self._runs_together(op)
        pending: list[list[Array]] = []
        waiting = 0
        for chunk in self._element_chunks(interpreter, op, count, together, reduction.quantum):
            pending.append(self._elements(interpreter, op, extents, chunk, together)[1])
            waiting += len(chunk)
            if waiting % reduction.quantum == 0 or chunk.stop == count:
                reduction.feed([np.concatenate(parts) for parts in zip(*pending, strict=True)])
                pending, waiting = [], 0
        return tuple(np.asarray(value) for value in reduction.result())

    def _element_chunks(
        self, interpreter: Interpreter, op: CombinationOp, count: int, together: bool, quantum: int
    ) -> Iterator[range]:
        if not together:
            return (range(number, number + 1) for number in range(count))
        inside = points_inside(interpreter, op.block)
        size = LIMIT // (inside * max(1, prod(self.points)))
        size = max(1, size // quantum) * quantum
        return (range(first, min(first + size, count)) for first in range(0, count, size))

    @impl(ScanOp)
    def scan(self, interpreter: Interpreter, op: ScanOp, args: PythonValues) -> PythonValues:
        """Combine one element after the other and show each partial result to the second body."""
        extents = _sizes(args[: len(op.indices)])
        reduction = self._start(interpreter, op, args[len(extents) :])
        together = self._runs_together(op) and not _reads_what_it_writes(interpreter, op)
        for chunk in self._element_chunks(interpreter, op, prod(extents), together, 1):
            indices, values = self._elements(interpreter, op, extents, chunk, together)
            partial = reduction.prefixes(values)
            if together:
                self._run(interpreter, op.into, (*indices, *partial), len(chunk))
            else:
                totals = [value[0] for value in partial]
                interpreter.run_ssacfg_region(op.into, (*indices, *totals), "into")
        return ()

    # Loops

    @impl(ForOp)
    def loop(self, interpreter: Interpreter, op: ForOp, args: PythonValues) -> PythonValues:
        """Count."""
        start, stop, step = _sizes(args[:3])
        carried = args[3:]
        for number in range(start, stop, step):
            index = np.array(number, np.int64)
            carried = interpreter.run_ssacfg_region(op.body, (index, *carried), op.name)
        return carried

    @impl(IfOp)
    def branch(self, interpreter: Interpreter, op: IfOp, args: PythonValues) -> PythonValues:
        """Choose a body."""
        regions = op.regions[:1] if bool(args[0]) else op.regions[1:]
        return interpreter.run_ssacfg_region(regions[0], (), op.name) if regions else ()

    @impl_terminator(YieldOp)
    def end_body(
        self, interpreter: Interpreter, op: YieldOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Hand out the values of a body."""
        return ReturnedValues(args), ()

    @impl_terminator(ReturnOp)
    def end_kernel(
        self, interpreter: Interpreter, op: ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """End."""
        return ReturnedValues(()), ()

    # Memory and faults

    @impl(LoadOp)
    def load(self, interpreter: Interpreter, op: LoadOp, args: PythonValues) -> PythonValues:
        """Read elements."""
        buffer, mask = args[0], None if op.mask is None else args[-1]
        indices = self._places(buffer, args[1 : 1 + len(op.indices)])
        lanes = _lanes(op.result.type)
        address = buffer.lane_addresses(indices, lanes, op.lanes_along)
        if buffer.touches is not None and self.items is not None:
            buffer.touches.read(address, self.items)
        return (buffer.read(address, mask, op.masked_value),)

    @impl(StoreOp)
    def store(self, interpreter: Interpreter, op: StoreOp, args: PythonValues) -> PythonValues:
        """Write elements."""
        value, buffer, mask = args[0], args[1], None if op.mask is None else args[-1]
        indices = self._places(buffer, args[2 : 2 + len(op.indices)])
        lanes = _lanes(op.value.type)
        address = buffer.lane_addresses(indices, lanes, op.lanes_along)
        if buffer.touches is not None and self.items is not None:
            buffer.touches.write(address, self.items)
        buffer.write(*np.broadcast_arrays(address, value), mask)
        return ()

    @impl(PrefetchOp)
    def prefetch(
        self, interpreter: Interpreter, op: PrefetchOp, args: PythonValues
    ) -> PythonValues:
        """Do nothing, but see that the element is there."""
        buffer = args[0]
        buffer.read(buffer.addresses(self._places(buffer, args[1:])), None, 0)
        return ()

    @impl(StrideOp)
    def stride(self, interpreter: Interpreter, op: StrideOp, args: PythonValues) -> PythonValues:
        """Say how far apart neighbours lie."""
        return (np.asarray(args[0].strides[op.dimension]),)

    @impl(InLineOp)
    def in_line(self, interpreter: Interpreter, op: InLineOp, args: PythonValues) -> PythonValues:
        """Say where in its line an element lies; the first one of memory begins a line."""
        buffer = args[0]
        place = buffer.addresses(self._places(buffer, args[1:]))
        return (np.asarray(place * numpy_type(buffer_type_of(op.buffer).element).itemsize % LINE),)

    @impl(HasRegistersOp)
    def has_registers(
        self, interpreter: Interpreter, op: HasRegistersOp, args: PythonValues
    ) -> PythonValues:
        """Say what the machine has that is interpreted."""
        return (np.asarray(op.bits <= REGISTER_BITS),)

    @impl(ClearRegistersOp)
    def clear_registers(
        self, interpreter: Interpreter, op: ClearRegistersOp, args: PythonValues
    ) -> PythonValues:
        """Do nothing: values are not in registers."""
        return ()

    @impl(AllocOp)
    def allocate(self, interpreter: Interpreter, op: AllocOp, args: PythonValues) -> PythonValues:
        """Reserve memory, filled with bytes that make wrong reads visible.

        Private memory of a group is an array for each of its items: one more dimension.
        """
        type_ = buffer_type_of(op.result)
        element = numpy_type(type_.element)
        strides, count = tuple(stride or 0 for stride in type_.strides), op.extent
        group = group_of(op) if type_.space == PRIVATE and self.items is None else None
        if group is not None:
            strides = (*strides, count)
            size = group.attributes[GROUP_SIZE]
            assert isinstance(size, IntegerAttr)
            count *= size.value.data
        data = np.full(count * element.itemsize, 0xFF, np.uint8).view(element)
        touches = None
        if type_.space == LOCAL:
            touches = Touches(count)
            self.touches.append(touches)
        return (Buffer(data, 0, strides, touches),)

    def _places(self, buffer: Buffer, indices: PythonValues) -> PythonValues:
        """Return the indices of an access, with the item's number where each has its own memory."""
        if len(buffer.strides) == len(indices):
            return indices
        if self.items is None:
            raise InternalError("memory of one work item is touched where the whole group runs")
        return (*indices, self.items)

    @impl(BarrierOp)
    def barrier(self, interpreter: Interpreter, op: BarrierOp, args: PythonValues) -> PythonValues:
        """Let every item see what all have written: whoever came before has finished."""
        for touches in self.touches:
            touches.clear()
        return ()

    @impl(CheckOp)
    def check(self, interpreter: Interpreter, op: CheckOp, args: PythonValues) -> PythonValues:
        """Note a fault."""
        bad = args[0] if op.mask is None else args[0] & args[-1]
        code, position = op.code.data, op.position.value.data
        known = any((fault.code, fault.position) == (code, position) for fault in self.faults)
        if np.any(bad) and not known:
            details = args[1 : 1 + len(op.details)]
            self.faults.append(Fault(code, position, _first_bad(bad, details)))
        return ()


def _first_bad(bad: Array, details: PythonValues) -> tuple[int, ...]:
    """Return the details of the first point and lane at which something is bad."""
    where = int(np.argmax(np.ravel(bad)))
    return tuple(int(np.ravel(np.broadcast_to(item, np.shape(bad)))[where]) for item in details)


def _sizes(values: PythonValues) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _lanes(type_: Attribute) -> int:
    """Return the number of lanes of a vector, 0 for a scalar."""
    return 0 if element_of(type_) == type_ else lanes_of(type_)


def _reads_what_it_writes(interpreter: Interpreter, op: ScanOp) -> bool:
    """Whether memory that a scan's first body reads is written by the second."""
    read = [inner.buffer for inner in op.body.walk() if isinstance(inner, LoadOp)]
    written = [inner.buffer for inner in op.into.walk() if isinstance(inner, StoreOp)]
    return any(
        np.may_share_memory(a.data, b.data)
        for a in interpreter.get_values(read)
        for b in interpreter.get_values(written)
    )
