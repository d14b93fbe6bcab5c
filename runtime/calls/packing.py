"""How does a plan lie in memory for native code? As a block of words: see `native/form.py`.

Only what is usual is packed: kernels of the host that report no faults, numbers that are converted
as C converts them, results that are tensors of the plan's specs. For anything else there is None,
and the plan runs in Python alone.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.device import cpu
from ...dialects.attributes.dtype import Category, DType
from ...dialects.attributes.layout import strided
from ...dialects.attributes.settings import Settings
from ...dialects.attributes.spec import TensorSpec
from ..devices.base import runtime_of
from ..execution.allocator import block_size
from ..execution.artifact import Artifact, Launch, OutputPlan
from ..execution.number_bits import encoder
from ..executor import is_inside
from ..native import form
from ..native.pools import Front
from ..tensors.tensor import Tensor

#: What becomes of an argument. A tensor of this spec is an operand, a list of them several, a part
#: of a tensor one, and so is an array. A number of this kind is one, perhaps if it is of moderate
#: size, or if it has this value. A value that the plan holds stays what it is.
Role: TypeAlias = Literal[
    "tensor", "tensors", "part", "array", "number", "moderate number", "fixed number", "static"
]
#: What a call gives: its one result, all of them, its first argument, or nothing.
Gives: TypeAlias = Literal["one", "several", "first argument", "nothing"]

_GIVES = {
    "one": form.ONE,
    "several": form.SEVERAL,
    "first argument": form.FIRST_ARGUMENT,
    "nothing": form.NOTHING,
}
#: Numbers of smaller size are moderate.
MODERATE = 3e38
#: Kernels that touch more bytes run while other threads may.
RELEASING_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class CallPlan:
    """What a call is made of, for native code: a plan, and what its arguments must be."""

    artifact: Artifact
    #: What each argument is for the plan; tensors and numbers in the order in which it takes them.
    roles: Sequence[Role]
    settings: Settings
    gives: Gives = "one"
    #: Which operands are written to.
    written: Sequence[int] = ()
    #: Tensors of the enclosing program, which follow the arguments.
    captured: Sequence[Tensor] = ()
    #: Results by index that are an operand.
    same: Sequence[tuple[int, int]] = ()
    #: Whether the plan is that of the usual place for new tensors.
    is_placed: bool = False
    #: The class of a tuple of several results.
    result_type: type = tuple
    #: The names of the last arguments.
    names: tuple[str, ...] = ()
    #: How many bytes behind the first argument the plan's first operand begins: a part of it.
    part_offset: int = 0


class PackedPlan:
    """A plan in memory, and what must live as long as it does."""

    __slots__ = ("__weakref__", "_kept", "_words", "address")

    def __init__(self, values: list[int], kept: list[Any]) -> None:
        """Lay the words down; the first one is this object."""
        values[0] = id(self)
        self._words = (ctypes.c_int64 * len(values))(*values)
        self._kept = kept
        self.address = ctypes.addressof(self._words)

    def is_like(self, other: PackedPlan) -> bool:
        """Whether another plan says the same."""
        return bytes(self._words)[8:] == bytes(other._words)[8:]


def packed_plan(plan: CallPlan, arguments: Sequence[Any]) -> PackedPlan | None:
    """Return the plan of a call with these arguments for native code; None if it is not usual."""
    try:
        return _Packer(plan).packed(arguments)
    except _Unusual:
        return None


class _Unusual(Exception):
    """What native code leaves to Python."""


class _Packer:
    """Makes the words of one plan."""

    def __init__(self, plan: CallPlan) -> None:
        artifact = plan.artifact
        if not artifact.is_on_one_device or artifact.device is not cpu:
            raise _Unusual
        allocator: Any = runtime_of(cpu).allocator
        front: Front | None = allocator.front
        if front is None:
            raise _Unusual
        self.plan = plan
        self.artifact = artifact
        self.front = front
        self.kept: list[Any] = [artifact, plan.settings]
        #: The numbers that the plan takes: (type, None), or what has always the same value.
        self.numbers: list[tuple[type, Any]] = []
        #: The specs of the operands so far, None for what needs no such; which of them are arrays.
        self.specs: list[TensorSpec | None] = []
        self.arrays: set[int] = set()
        self.outputs = {buffer: n for n, buffer in enumerate(artifact.of_role("output"))}

    def keep(self, value: Any) -> int:
        """Return the address of an object that lives as long as the plan."""
        self.kept.append(value)
        return id(value)

    def packed(self, arguments: Sequence[Any]) -> PackedPlan:
        """Return the plan."""
        artifact, plan = self.artifact, self.plan
        body = [self.keep(name) for name in plan.names]
        for role, value in zip(plan.roles, arguments, strict=True):
            body += self._demand(role, value)
        self.specs += [tensor.spec for tensor in plan.captured]
        wanted = zip(self.specs, artifact.inputs, strict=True)
        if any(spec is not None and spec is not input_ for spec, input_ in wanted):
            raise _Unusual  # the call has changed an operand: the plan is for what it was
        for tensor in plan.captured:
            body += (self.keep(tensor), self.keep(tensor.spec))
        written = {buffer.index for buffer in artifact.of_role("input") if buffer.is_written}
        if not written <= set(plan.written) or (self.arrays and plan.written):
            raise _Unusual
        body += plan.written
        for buffer in self.outputs:
            body += (self._pool(buffer.nbytes), self.keep(buffer.nbytes))
        fresh = [output.buffer for output in artifact.outputs if self._is_fresh(output)]
        if len(set(fresh)) < len(fresh):
            raise _Unusual  # two results on one storage
        for number, output in enumerate(artifact.outputs):
            body += self._result(number, output)
        for launch in artifact.launches:
            assert isinstance(launch, Launch)
            body += self._launch(launch)
        arena = artifact.arena_nbytes if artifact.of_role("temporary") else 0
        touched = arena + sum(buffer.nbytes for buffer in artifact.buffers)
        tensors = len(artifact.inputs)
        scalars = sum(value is None for _, value in self.numbers)
        if len(self.numbers) != len(artifact.scalars):
            raise _Unusual
        frame = 2 + 2 * tensors + scalars + len(self.outputs) + len(artifact.outputs)
        if frame > form.MOST_ON_STACK:
            raise _Unusual
        header = {
            form.KEEPER: 0,
            form.ARGUMENTS: len(arguments),
            form.NAMES: len(plan.names),
            form.SETTINGS: id(plan.settings),
            form.IS_PLACED: int(plan.is_placed),
            form.CAPTURED: len(plan.captured),
            form.OUTPUTS: len(self.outputs),
            form.WRITTEN: len(plan.written),
            form.LAUNCHES: len(artifact.launches),
            form.RESULTS: len(artifact.outputs),
            form.RESULT_KIND: _GIVES[plan.gives],
            form.RESULT_TYPE: self.keep(plan.result_type),
            form.RELEASES: int(touched > RELEASING_BYTES),
            form.TENSORS: tensors,
            form.SCALARS: scalars,
            form.FRAME: frame,
            form.ARENA: self._pool(arena) if arena else 0,
        }
        words = [header[offset] for offset in range(0, form.BODY, 8)]
        return PackedPlan(words + body, self.kept)

    def _pool(self, nbytes: int) -> int:
        pool = self.front.pool(block_size(nbytes)) if nbytes else 0
        if not pool:
            raise _Unusual
        return pool

    # Arguments

    def _demand(self, role: Role, value: Any) -> list[int]:
        """Return what an argument must be."""
        kind = cast("type[Any]", type(value))
        if role in ("tensor", "part"):
            self.specs.append(value.spec if role == "tensor" else None)
            return [form.IS_TENSOR, self.keep(value.spec)]
        if role == "array":
            return self._array(value)
        if role == "tensors":
            found = [form.IS_LIST, len(value)]
            for item in value:
                self.specs.append(item.spec)
                found += (form.IS_TENSOR, self.keep(item.spec))
            return found
        if role == "fixed number":
            self.numbers.append((kind, value))
        if role in ("number", "moderate number"):
            self.numbers.append((kind, None))
            if kind not in (int, float, bool):
                raise _Unusual
            if role == "moderate number" and kind is float:
                return [form.IS_MODERATE, _bits_of(MODERATE)]
            return [form.IS_INT64 if kind is int else form.IS_KIND, id(kind)]
        return self._static(value)

    def _array(self, value: Any) -> list[int]:
        self.arrays.add(len(self.specs))
        self.specs.append(None)
        kind = self.keep(value.dtype)
        pairs = zip(value.shape, value.strides, strict=True)
        return [form.IS_ARRAY, kind, value.ndim, *(number for pair in pairs for number in pair)]

    def _static(self, value: Any) -> list[int]:
        kind = cast("type[Any]", type(value))
        if kind is slice:
            parts = [self._plain(part) for part in (value.start, value.stop, value.step)]
            return [form.IS_SLICE, 0, *parts[0], *parts[1], *parts[2]]
        if kind is tuple:
            found = [form.IS_TUPLE, len(value)]
            for item in value:
                if type(item) is tuple:
                    raise _Unusual
                found += self._static(item)
            return found
        return self._plain(value)

    def _plain(self, value: Any) -> list[int]:
        kind = cast("type[Any]", type(value))
        if kind is int:
            if not -(1 << 63) <= value < 1 << 63:
                raise _Unusual
            return [form.IS_INTEGER, value]
        if kind is float:
            return [form.IS_FLOAT, _bits_of(value)]
        # Nothing else is equal to them.
        if value is None or value is Ellipsis or kind in (bool, str, DType):
            return [form.IS_OBJECT, self.keep(value)]
        raise _Unusual

    # Launches

    def _launch(self, launch: Launch) -> list[int]:
        kernel = self.artifact.kernels[launch.kernel]
        count = kernel.pointers + kernel.integers
        if count > form.MOST_WORDS or (kernel.can_fail and self.plan.written):
            raise _Unusual  # what has failed is done again in Python, which knows the error
        launcher = runtime_of(cpu).load(kernel)
        address = ctypes.cast(launcher, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType]
        assert address is not None
        self.kept.append(launcher)
        words = [0] * kernel.pointers + list(launch.integers)
        patches: list[int] = []
        for position, number in enumerate(launch.buffers):
            patches += (position, *self._pointer(number))
        if kernel.can_fail:
            patches += (len(launch.buffers), form.OF_STATUS, 0, 0)
        for slot in launch.scalars:
            kind, value = self.numbers[slot.argument]
            position = kernel.pointers + slot.position
            if value is not None:
                words[position] = encoder(slot)(value)
            elif slot.part != "value":
                raise _Unusual
            else:
                given = sum(value is None for _, value in self.numbers[: slot.argument])
                patches += (position, *_conversion(slot.dtype, kind, given))
        return [address, len(words), len(patches) // 4, *words, *patches]

    def _pointer(self, number: int) -> tuple[int, int, int]:
        buffer = self.artifact.buffers[number]
        if buffer.role == "input":
            return form.OF_INPUT, buffer.index, 0 if buffer.index else self.plan.part_offset
        if buffer.role == "output":
            return form.OF_OUTPUT, self.outputs[buffer], 0
        if buffer.role == "constant":
            raise _Unusual
        return form.OF_ARENA, buffer.arena_offset, 0

    # Results

    def _is_fresh(self, output: OutputPlan) -> bool:
        return self.artifact.buffers[output.buffer].role == "output"

    def _result(self, number: int, output: OutputPlan) -> list[int]:
        for index, earlier in self.plan.same:
            if index == number:
                if earlier >= len(self.artifact.inputs) or earlier in self.arrays:
                    raise _Unusual
                return [form.IS_GIVEN, earlier, 0, 0, 0]
        spec, offset = output.spec, output.storage_offset
        if spec.layout is not strided:
            raise _Unusual
        buffer = self.artifact.buffers[output.buffer]
        itemsize = spec.dtype.itemsize
        if self._is_fresh(output):
            offsets = self.keep(offset), self.keep(offset * itemsize)
            return [form.IS_FRESH, self.outputs[buffer], self.keep(spec), *offsets]
        is_array = buffer.index in self.arrays
        if is_array or not is_inside(self.artifact.inputs[buffer.index], spec, offset):
            raise _Unusual
        return [form.IS_VIEW, buffer.index, self.keep(spec), offset, itemsize]


def _conversion(dtype: DType, kind: type, number: int) -> tuple[int, int, int]:
    """Return how a number of a kind becomes the bits of a dtype, which it is, and how many bits."""
    if dtype is dtypes.float64:
        return form.AS_FLOAT64, number, 64
    if dtype is dtypes.float32:
        return form.AS_FLOAT32, number, 32
    if kind is float:
        raise _Unusual
    if dtype.category is Category.BOOLEAN:
        return form.AS_BOOL, number, 1
    if dtype.category is Category.INTEGRAL:
        how = form.AS_SIGNED if dtype.is_signed else form.AS_UNSIGNED
        return how, number, dtype.bits
    raise _Unusual


def _bits_of(value: float) -> int:
    return _INT64.unpack(_FLOAT64.pack(value))[0]


_FLOAT64, _INT64 = struct.Struct("<d"), struct.Struct("<q")
