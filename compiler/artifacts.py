"""How does a lowered function become an artifact? Buffers, launches and outputs as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.attributes.device import Device
from ..dialects.attributes.dtype import DType
from ..dialects.attributes.extents import storage_extent
from ..dialects.attributes.spec import TensorSpec
from ..dialects.attributes.symint import SymInt, hint_of
from ..dialects.diagnostics import InternalError, Location
from ..dialects.kernel.abi import INDEX, SCALAR, KernelSignature, scalar_bits
from ..dialects.kernel.function import READ
from ..dialects.kernel.function import FuncOp as KernelOp
from ..dialects.kernel.within import WithinOp
from ..dialects.ops.frame.argument_values import AttributeValue
from ..dialects.records import replace
from ..dialects.tri.host_calls import HostCallOp
from ..dialects.tri.ops import tensor_spec
from ..dialects.tri.structure import ConstantOp, EmptyOp, LaunchOp, StridedOp
from ..dialects.tri.transfers import CopyBytesOp
from ..dialects.tri.types import ScalarType
from ..runtime.execution.artifact import (
    Artifact,
    BufferPlan,
    HostArray,
    HostCall,
    KernelCode,
    Launch,
    OutputPlan,
    Part,
    PlanStep,
    ScalarSlot,
    Transfer,
)
from ..runtime.execution.plan_parts import PlainValue
from .lowering.kernel_builder import SCALAR_DTYPES

#: Returns a kernel's code for a device; the first launch that wants it has so many steps at most.
CodeOf = Callable[[KernelOp, Device, int], KernelCode]


def build_artifact(
    name: str, module: ModuleOp, code_of: CodeOf, func: FuncOp | None = None
) -> Artifact:
    """Return the plan of a lowered function, the first one of a module unless one is given.

    `code_of` gives a kernel's code for a device.
    """
    func = func or next(op for op in module.ops if isinstance(op, FuncOp))
    kernels = {op.symbol: op for op in module.ops if isinstance(op, KernelOp)}
    return _Builder(name, func, kernels, code_of).build()


class _Builder:
    """Collects the parts of one artifact."""

    def __init__(
        self,
        name: str,
        func: FuncOp,
        kernels: dict[str, KernelOp],
        code_of: CodeOf,
    ) -> None:
        self.name = name
        self.block = func.body.block
        self.kernels = kernels
        self.code_of = code_of
        self.codes: dict[tuple[str, Device], tuple[int, KernelSignature]] = {}
        self.code_list: list[KernelCode] = []
        self.buffers: list[BufferPlan] = []
        self.numbers: dict[SSAValue, int] = {}
        self.scalars: dict[SSAValue, int] = {}
        self.output_count = 0
        self.arena = 0

    def build(self) -> Artifact:
        """Walk the function once."""
        inputs: list[TensorSpec] = []
        scalar_dtypes: list[DType] = []
        for argument in self.block.args:
            if isinstance(argument.type, ScalarType):
                self.scalars[argument] = len(self.scalars)
                scalar_dtypes.append(SCALAR_DTYPES[argument.type.data.kind])
            else:
                spec = tensor_spec(argument)
                self._buffer(argument, BufferPlan("input", len(inputs), _span(spec)))
                inputs.append(spec)
        outputs: list[OutputPlan] = []
        launches: list[PlanStep] = []
        end = self.block.last_op
        assert isinstance(end, ReturnOp)
        for value in end.operands:
            outputs.append(self._output(value))
        for op in self.block.ops:
            if isinstance(op, EmptyOp):
                self._empty(op)
            elif isinstance(op, LaunchOp):
                launches.append(self._launch(op))
            elif isinstance(op, CopyBytesOp):
                launches.append(self._transfer(op))
            elif isinstance(op, HostCallOp):
                launches.append(self._host_call(op))
        return Artifact(
            name=self.name,
            kernels=tuple(self.code_list),
            buffers=tuple(self.buffers),
            launches=tuple(launches),
            outputs=tuple(outputs),
            inputs=tuple(inputs),
            scalars=tuple(scalar_dtypes),
            arena_nbytes=self.arena,
        )

    def _buffer(self, value: SSAValue, plan: BufferPlan) -> int:
        number = self.numbers[value] = len(self.buffers)
        self.buffers.append(plan)
        return number

    def _empty(self, op: EmptyOp) -> None:
        value = op.results[0]
        if value in self.numbers:
            return
        offset = op.placed
        nbytes = _span(tensor_spec(value))
        if offset is None:
            raise InternalError("an intermediate result has no place in the arena")
        end = offset + nbytes
        if hint_of(end) > hint_of(self.arena):
            # Of expressions the one that is larger now may be the smaller one later: `validate`
            # asks, and that is a guard.
            self.arena = end
        device = tensor_spec(value).device
        plan = BufferPlan("temporary", 0, nbytes, arena_offset=offset, device=device)
        self._buffer(value, plan)

    def _output(self, value: SSAValue) -> OutputPlan:
        """Return the plan of a result: memory of its own, or a view of an input or of a result."""
        spec = tensor_spec(value)
        nbytes = 0
        while isinstance(value.owner, StridedOp):
            nbytes += value.owner.view.offset * tensor_spec(value).dtype.itemsize
            value = value.owner.operands[0]
        number = self.numbers.get(value)
        if number is None:
            if isinstance(value, BlockArgument) or not isinstance(value.owner, EmptyOp):
                raise InternalError(f"a function returns what no launch wrote: {value}")
            nbytes_of, device = _span(tensor_spec(value)), tensor_spec(value).device
            plan = BufferPlan("output", self.output_count, nbytes_of, device=device)
            number = self._buffer(value, plan)
            self.output_count += 1
        return OutputPlan(number, spec, nbytes // spec.dtype.itemsize)

    def _transfer(self, op: CopyBytesOp) -> Transfer:
        source, target = op.operands
        offset = op.first * tensor_spec(target).dtype.itemsize
        return Transfer(self.numbers[source], offset, self.numbers[target], op.nbytes)

    def _host_call(self, op: HostCallOp) -> HostCall:
        values = tuple((name, _plain(value)) for name, value in op.values().items())
        return HostCall(
            op.called.body,
            tuple(map(self._host_array, op.read)),
            tuple(map(self._host_array, op.filled)),
            values,
            _parse_location(op.line),
        )

    def _host_array(self, value: SSAValue) -> HostArray:
        spec, offset = tensor_spec(value), 0
        if isinstance(value.owner, StridedOp):
            offset, value = value.owner.view.offset, value.owner.operands[0]
        return HostArray(self.numbers[value], spec, offset)

    def _launch(self, op: LaunchOp) -> Launch:
        number, signature = self._kernel(op)
        buffers: list[int] = []
        scalars: list[SSAValue] = []
        for operand in op.operands:
            if isinstance(operand.type, ScalarType):
                scalars.append(operand)
            else:
                buffers.append(self.numbers[operand])
        self._note_writes(self.kernels[op.symbol], signature, buffers)
        integers = list(op.flat_integers)
        positions: list[int] = []
        given: list[SSAValue] = []
        places = (place for place, slot in enumerate(signature.integers) if slot.kind == SCALAR)
        for position, value in zip(places, scalars, strict=True):
            if isinstance(value.owner, ConstantOp):
                argument = signature.integers[position].argument
                type_ = self.kernels[op.symbol].block.args[argument].type
                known = value.owner.number
                assert not isinstance(known, complex)  # its parts are two numbers
                integers[position] = scalar_bits(known, type_)
            else:
                positions.append(position)
                given.append(value)
        slots = self._slots(positions, given)
        locations = tuple(_parse_location(line) for line in op.lines)
        return Launch(number, tuple(buffers), tuple(integers), slots, locations)

    def _slots(self, positions: list[int], scalars: list[SSAValue]) -> tuple[ScalarSlot, ...]:
        """Return where Python numbers go; a complex one takes two places, its real part first."""
        slots: list[ScalarSlot] = []
        begun: set[int] = set()
        for position, value in zip(positions, scalars, strict=True):
            argument, dtype = self.scalars[value], SCALAR_DTYPES[_kind(value)]
            part: Part = "value"
            if dtype.is_complex:
                dtype = dtype.to_real()
                part = "imag" if argument in begun else "real"
                begun.add(argument)
            slots.append(ScalarSlot(position, argument, dtype, part))
        return tuple(slots)

    def _note_writes(
        self, kernel: KernelOp, signature: KernelSignature, buffers: list[int]
    ) -> None:
        """Mark the inputs that a kernel writes to."""
        for argument, number in zip(signature.buffers, buffers, strict=True):
            plan = self.buffers[number]
            is_read = kernel.access_of(kernel.block.args[argument]) == READ
            if plan.role == "input" and not (is_read or plan.is_written):
                self.buffers[number] = replace(plan, is_written=True)

    def _device_of(self, op: LaunchOp) -> Device:
        """Return where a launch runs: where its buffers are."""
        tensors = (value for value in op.operands if not isinstance(value.type, ScalarType))
        return tensor_spec(next(tensors)).device

    def _kernel(self, op: LaunchOp) -> tuple[int, KernelSignature]:
        symbol, device = op.symbol, self._device_of(op)
        found = self.codes.get((symbol, device))
        if found is None:
            func = self.kernels[symbol]
            signature = KernelSignature.of(func)
            found = self.codes[symbol, device] = (len(self.code_list), signature)
            steps = _steps(func, signature, op.flat_integers)
            self.code_list.append(self.code_of(func, device, steps))
        return found


def _steps(func: KernelOp, signature: KernelSignature, integers: Sequence[Any]) -> int:
    """Return how often the innermost loops of a launch run at most, for the sizes of this call."""
    arguments = func.block.args
    return prod(
        [
            max(1, hint_of(integer))
            for slot, integer in zip(signature.integers, integers, strict=True)
            if slot.kind == INDEX and not _is_of_window(arguments[slot.argument])
        ]
    )


def _is_of_window(size: SSAValue) -> bool:
    """Whether an argument says where a window is or how large: no loop runs so often."""
    return any(isinstance(use.operation, WithinOp) for use in size.uses)


def _plain(value: AttributeValue) -> PlainValue:
    """Return a static value as an artifact holds it."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if value is None or isinstance(value, (bool, int, float, str, SymInt)):
        return cast("PlainValue", value)
    raise InternalError(f"a host body is given {value!r}, which no artifact holds")


def _kind(value: SSAValue) -> str:
    kind = value.type
    assert isinstance(kind, ScalarType)
    return kind.data.kind


def _span(spec: TensorSpec) -> int:
    """Return the bytes from the first to the last element."""
    return storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize


def _parse_location(line: str) -> Location | None:
    file, _, number = line.rpartition(":")
    return Location(file, int(number)) if file else None
