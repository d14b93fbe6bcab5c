"""How does an artifact run? Memory is handed out, kernels are launched in order, faults are raised.

Everything that does not depend on the call is prepared once: which address goes where, the integers
in the form the device's launchers take fastest, constants on the device. A call then costs about
2 us for one kernel with three buffers. Nothing here locks; one executable serves many threads.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from ..dialects.attributes import dtype as dtypes
from ..dialects.attributes.device import Device
from ..dialects.attributes.extents import storage_extent
from ..dialects.attributes.spec import TensorSpec
from ..dialects.diagnostics import (
    InternalError,
    TrilithRuntimeError,
)
from .devices.base import DeviceRuntime, copy_between, runtime_of
from .devices.hurried import waiting_launcher
from .devices.threads import shared_launcher
from .execution.allocator import block_size
from .execution.artifact import Artifact, HostCall, Launch, OutputPlan, PlanStep, Transfer
from .execution.number_bits import encoder
from .execution.storage import Storage
from .execution.summaries import artifact_summary
from .faults import error_maker
from .tensors.host_calls import Place, caller_of
from .tensors.tensor import Tensor, adopt, tensor_from_bytes, view_of

#: run(tensors, scalars=()) -> outputs
Run: TypeAlias = Callable[..., list[Tensor]]


class Executable:
    """An artifact, checked and loaded on its device; `run` may be called from any thread.

    `run(tensors, scalars=())` returns the outputs for tensors of exactly the artifact's specs and
    as many Python numbers as it takes. It raises what a kernel reported, with the user's line. An
    executable pickles as its `artifact`.
    """

    __slots__ = ("artifact", "run")
    artifact: Artifact
    run: Run

    def __init__(self, artifact: Artifact) -> None:
        """Validate the artifact and load its kernels and constants; raises if either fails."""
        artifact.validate()
        self.artifact = artifact
        if artifact.is_on_one_device and not artifact.has_host_calls:
            self.run = run = _prepare(artifact, runtime_of(artifact.device))
            cast("Any", run).artifact = artifact  # for who looks at what a shortcut runs
        else:
            self.run = _prepare_across(artifact)

    def __repr__(self) -> str:
        """Return what it takes and gives."""
        return f"<Executable: {artifact_summary(self.artifact)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the artifact; the receiving process loads it again."""
        return Executable, (self.artifact,)


def _prepare(artifact: Artifact, runtime: DeviceRuntime) -> Run:
    """Return the function that runs an artifact.

    A call makes one list of addresses: those of the inputs, then of the outputs, the temporaries
    and the constants. `_address_indices` says where in it each buffer of the artifact is.
    """
    indices = _address_indices(artifact)
    specs = list(artifact.inputs)
    scalar_count = len(artifact.scalars)
    outputs = [(buffer.nbytes, block_size(buffer.nbytes)) for buffer in artifact.of_role("output")]
    temporaries = [buffer.arena_offset for buffer in artifact.of_role("temporary")]
    arena_nbytes, arena_block = artifact.arena_nbytes, block_size(artifact.arena_nbytes or 1)
    constants = load_constants(artifact)
    constant_addresses = [memory.pointer for memory in constants]
    written = [buffer.index for buffer in artifact.of_role("input") if buffer.is_written]
    launches = [
        _prepare_launch(artifact, launch, runtime, indices)
        for launch in artifact.launches
        if isinstance(launch, Launch)
    ]
    fresh = _fresh_outputs(artifact, indices)
    makers = None if fresh is not None else _result_makers(artifact, indices)
    allocate, allocator, device = Storage.allocate, runtime.allocator, runtime.device

    def run_one(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> list[Tensor]:
        """Do what `run` does for one launch that writes one output: 0.7 us sooner."""
        if len(scalars) != scalar_count:
            raise _wrong_scalars(artifact, scalars)
        memory = allocate(allocator, nbytes, device, block)
        addresses, held = _addresses_of(artifact, tensors)
        addresses.append(memory.pointer)
        launch(addresses, scalars)
        del held
        return [adopt(memory, spec, offset)]

    if makers is not None and len(makers) == len(specs) == 1:
        (make_view,), (whole,) = makers, specs

        def run_view(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> list[Tensor]:
            """Do what `run` does where all there is to do is a view of the one operand."""
            if len(tensors) != 1 or tensors[0].spec is not whole:
                raise _wrong_input(artifact, tensors)
            if len(scalars) != scalar_count:
                raise _wrong_scalars(artifact, scalars)
            return [make_view(tensors, _NONE, _NONE)]

        if not (outputs or launches or constants):
            return run_view

    if fresh is not None and len(fresh) == len(outputs) == len(launches) == 1:
        if not (temporaries or constants or written):
            ((nbytes, block),), ((_, spec, offset),), (launch,) = outputs, fresh, launches
            return run_one

    def run(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> list[Tensor]:
        if len(scalars) != scalar_count:
            raise _wrong_scalars(artifact, scalars)
        memories = [allocate(allocator, nbytes, device, block) for nbytes, block in outputs]
        addresses, held = _addresses_of(artifact, tensors)
        if written:
            check_writable(artifact, tensors, written)
        addresses += [memory.pointer for memory in memories]
        if temporaries:
            # Back in the allocator when the launches have been made.
            arena = allocate(allocator, arena_nbytes, device, arena_block)
            addresses += [arena.pointer + offset for offset in temporaries]
        if constant_addresses:
            addresses += constant_addresses
        for launch in launches:
            launch(addresses, scalars)
        del held
        if fresh is not None:
            return [adopt(memories[number], spec, offset) for number, spec, offset in fresh]
        return [make(tensors, memories, constants) for make in makers or ()]

    return run


def _address_indices(artifact: Artifact) -> list[int]:
    """Return where in a call's list of addresses each buffer of the artifact is."""
    first = {"input": 0, "output": len(artifact.inputs)}
    first["temporary"] = first["output"] + len(artifact.of_role("output"))
    first["constant"] = first["temporary"] + len(artifact.of_role("temporary"))
    indices: list[int] = []
    for buffer in artifact.buffers:
        if buffer.role == "input":
            indices.append(buffer.index)
        else:
            indices.append(first[buffer.role])
            first[buffer.role] += 1
    return indices


def load_constants(artifact: Artifact) -> list[Storage]:
    """Copy the constants to the device, where nobody may write them."""
    memories: list[Storage] = []
    for buffer in artifact.of_role("constant"):
        spec = TensorSpec.of((buffer.nbytes,), dtypes.uint8, artifact.device)
        memory = tensor_from_bytes(spec, buffer.data).memory
        memory.make_read_only()
        memories.append(memory)
    return memories


def _addresses_of(artifact: Artifact, tensors: Sequence[Tensor]) -> tuple[list[int], list[Storage]]:
    """Return where the operands begin, and their memory, which must be held as long as it is used.

    The collector may run wherever a container is made, and what it runs may give a tensor another
    memory. Between two steps of this loop it does not: what is read of a tensor belongs together.
    """
    addresses: list[int] = []
    held: list[Storage] = []
    expected = iter(artifact.inputs)
    try:
        for tensor in tensors:
            memory = tensor.memory
            addresses.append(memory.pointer + tensor.byte_offset)
            # Equal specs are one object: this compares pointers.
            if tensor.spec is not next(expected):
                raise _wrong_input(artifact, tensors)
            held.append(memory)
    except (AttributeError, StopIteration):
        return _proven_addresses(artifact, tensors), held
    if len(addresses) != len(artifact.inputs):
        raise _wrong_input(artifact, tensors)
    return addresses, held


def _proven_addresses(artifact: Artifact, tensors: Sequence[Tensor]) -> list[int]:
    """Return where tensors begin, one of whose storages became smaller at some time."""
    if [tensor.spec for tensor in tensors] != list(artifact.inputs):
        raise _wrong_input(artifact, tensors)
    return [tensor.address() for tensor in tensors]


def check_writable(artifact: Artifact, tensors: Sequence[Tensor], written: list[int]) -> None:
    """Refuse to write to memory that is read-only."""
    for index in written:
        tensors[index].check_mode()
        if not tensors[index].memory.is_writable:
            raise TrilithRuntimeError(
                f"argument {index} of '{artifact.name}' is written to, but its memory is "
                f"read-only: a tensor of shape {list(tensors[index].spec.shape)}",
                hint="clone() the tensor and write to the clone",
            )


# Several devices, and the host

#: What does one step of a call, given the buffers, their addresses and the numbers.
_Step: TypeAlias = Callable[[list[tuple[Storage, int]], list[int], Sequence[Any]], None]


def _prepare_across(artifact: Artifact) -> Run:
    """Return the function that runs an artifact that is more than launches on one device.

    It does what `run` does in `_prepare`, with an arena on each device, and copies and calls on the
    host between launches.
    """
    indices = _address_indices(artifact)
    specs = list(artifact.inputs)
    scalar_count = len(artifact.scalars)
    outputs = [
        (runtime_of(artifact.device_of(buffer)), buffer.nbytes)
        for buffer in artifact.of_role("output")
    ]
    temporaries = [
        (artifact.device_of(buffer), buffer.arena_offset)
        for buffer in artifact.of_role("temporary")
    ]
    arenas = _arenas(artifact)
    constants = load_constants(artifact)
    written = [buffer.index for buffer in artifact.of_role("input") if buffer.is_written]
    steps = [_prepare_step(artifact, launch, indices) for launch in artifact.launches]
    makers = _result_makers(artifact, indices)

    def run(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> list[Tensor]:
        if [tensor.spec for tensor in tensors] != specs:
            raise _wrong_input(artifact, tensors)
        if len(scalars) != scalar_count:
            raise _wrong_scalars(artifact, scalars)
        if written:
            check_writable(artifact, tensors, written)
        memories = [runtime.allocate(nbytes) for runtime, nbytes in outputs]
        memory_of = {device: runtime.allocate(nbytes) for device, runtime, nbytes in arenas}
        parts = [(tensor.memory, tensor.byte_offset) for tensor in tensors]
        parts += [(memory, 0) for memory in memories]
        parts += [(memory_of[device], offset) for device, offset in temporaries]
        parts += [(memory, 0) for memory in constants]
        addresses = [tensor.address() for tensor in tensors]
        addresses += [memory.pointer + offset for memory, offset in parts[len(tensors) :]]
        for step in steps:
            step(parts, addresses, scalars)
        return [make(tensors, memories, constants) for make in makers]

    return run


def _arenas(artifact: Artifact) -> list[tuple[Device, DeviceRuntime, int]]:
    """Return the devices that temporaries lie on, and how far they reach there."""
    ends: dict[Device, int] = {}
    for buffer in artifact.of_role("temporary"):
        device = artifact.device_of(buffer)
        ends[device] = max(ends.get(device, 0), buffer.arena_offset + buffer.nbytes)
    return [(device, runtime_of(device), end) for device, end in ends.items()]


def _prepare_step(artifact: Artifact, launch: PlanStep, indices: list[int]) -> _Step:
    """Return what makes a launch on its device, a call on the host, or a transfer."""
    if isinstance(launch, HostCall):
        return _prepare_call(launch, indices)
    if isinstance(launch, Transfer):
        source, target = indices[launch.source], indices[launch.target]
        offset, nbytes = launch.offset, launch.nbytes

        def copy(
            parts: list[tuple[Storage, int]], _addresses: list[int], _scalars: Sequence[Any]
        ) -> None:
            (memory, start), (goal, begin) = parts[source], parts[target]
            copy_between(memory, start + offset, goal, begin, nbytes)

        return copy
    device = artifact.device_of(artifact.buffers[launch.buffers[0]])
    make = _prepare_launch(artifact, launch, runtime_of(device), indices)
    return lambda _parts, addresses, scalars: make(addresses, scalars)


def _prepare_call(call: HostCall, indices: list[int]) -> _Step:
    """Return what makes a call on the host."""
    make = caller_of(call)
    values = [value for _, value in call.attributes]
    arrays = [
        (indices[array.buffer], array.offset * array.spec.dtype.itemsize, array.spec)
        for array in call.arrays
    ]

    def compute(
        parts: list[tuple[Storage, int]], _addresses: list[int], _scalars: Sequence[Any]
    ) -> None:
        places: list[Place] = []
        for number, offset, spec in arrays:
            memory, start = parts[number]
            places.append((memory, start + offset, spec))
        make(places, values)

    return compute


# Launches


def _prepare_launch(
    artifact: Artifact, launch: Launch, runtime: DeviceRuntime, indices: list[int]
) -> Callable[[list[int], Sequence[Any]], None]:
    """Return what makes one launch, given the addresses and numbers of a call."""
    kernel = artifact.kernels[launch.kernel]
    launcher = runtime.load(kernel)
    if runtime.device.is_host:
        launcher = shared_launcher(kernel, launcher, launch.integers)
        launcher = waiting_launcher(kernel, launcher, launch.integers)
    integers = runtime.prepare(launch.integers)
    pick = _picker([indices[buffer] for buffer in launch.buffers])
    encoded = _encoding(integers, launch)

    error_here = error_maker(launch, runtime)

    def make(addresses: list[int], _scalars: Sequence[Any]) -> None:
        launcher(*pick(addresses), *integers)

    def make_with_scalars(addresses: list[int], scalars: Sequence[Any]) -> None:
        launcher(*pick(addresses), *encoded(scalars))

    def make_with_status(addresses: list[int], scalars: Sequence[Any]) -> None:
        error_of = error_here()
        status = runtime.new_status(error_of)
        launcher(*pick(addresses), status.pointer, *encoded(scalars))
        runtime.watch(status, error_of)

    if kernel.can_fail:
        return make_with_status
    return make_with_scalars if launch.scalars else make


def _encoding(integers: Sequence[Any], launch: Launch) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what puts the numbers of a call among the integers of a launch."""
    slots = [(slot.position, slot.argument, encoder(slot)) for slot in launch.scalars]
    if len(slots) == 1:
        ((position, argument, encode),) = slots
        before, after = tuple(integers[:position]), tuple(integers[position + 1 :])
        return lambda scalars: (*before, encode(scalars[argument]), *after)

    def encoded(scalars: Sequence[Any]) -> Sequence[Any]:
        values = list(integers)
        for position, argument, encode in slots:
            values[position] = encode(scalars[argument])
        return values

    return encoded


def _picker(indices: list[int]) -> Callable[[list[int]], Sequence[int]]:
    """Return what picks these items out of a list, without Python code where it can."""
    pick: Any = operator.itemgetter(*indices) if len(indices) > 1 else None
    return pick or (lambda addresses: [addresses[index] for index in indices])


# Outputs

#: The memories of a call that needs none.
_NONE: list[Storage] = []
_ResultMaker = Callable[[Sequence[Tensor], list[Storage], list[Storage]], Tensor]


def _fresh_outputs(
    artifact: Artifact, indices: list[int]
) -> list[tuple[int, TensorSpec, int]] | None:
    """Return (number of the memory, spec, offset) of each output, None if one is not fresh."""
    if any(artifact.buffers[output.buffer].role != "output" for output in artifact.outputs):
        return None
    first = len(artifact.inputs)
    return [
        (indices[output.buffer] - first, output.spec, output.storage_offset)
        for output in artifact.outputs
    ]


def _result_makers(artifact: Artifact, indices: list[int]) -> list[_ResultMaker]:
    return [_result_maker(artifact, output, indices) for output in artifact.outputs]


def _result_maker(artifact: Artifact, output: OutputPlan, indices: list[int]) -> _ResultMaker:
    """Return what makes one output tensor out of a call's inputs and memories."""
    spec, offset = output.spec, output.storage_offset
    buffer = artifact.buffers[output.buffer]
    if buffer.role == "output":
        number = indices[output.buffer] - len(artifact.inputs)
        return lambda _tensors, memories, _constants: adopt(memories[number], spec, offset)
    if buffer.role == "constant":
        number = artifact.of_role("constant").index(buffer)
        return lambda _tensors, _memories, constants: adopt(constants[number], spec, offset)
    index = buffer.index
    if not is_inside(artifact.inputs[index], spec, offset):
        return lambda tensors, _memories, _constants: view_of_input(tensors[index], spec, offset)

    return lambda tensors, _memories, _constants: view_inside(tensors[index], spec, offset)


def view_inside(tensor: Tensor, spec: TensorSpec, offset: int) -> Tensor:
    """Return a view that lies inside of what its base spans."""
    memory = tensor.memory
    if not hasattr(memory, "pointer"):
        tensor.check_extent()  # the storage has become smaller than it once was
    made = adopt(memory, spec, tensor.offset + offset)
    if tensor.state is not None:
        made.count_with(tensor)
    return made


def is_inside(source: TensorSpec, view: TensorSpec, offset: int) -> bool:
    """Whether a view of the same dtype stays inside of what its source spans, wherever that is."""
    if view.dtype is not source.dtype or offset < 0:
        return False
    reach = storage_extent(view.shape, view.strides, offset)
    return reach <= storage_extent(source.shape, source.strides)


def view_of_input(tensor: Tensor, spec: TensorSpec, offset: int) -> Tensor:
    """Return a view of an input, `offset` elements of its own dtype after the first."""
    itemsize = spec.dtype.itemsize
    first = tensor.byte_offset
    if first % itemsize:
        raise TrilithRuntimeError(
            f"self.storage_offset() must be divisible by {itemsize // tensor.itemsize} to view "
            f"{tensor.dtype.c_name} as {spec.dtype.c_name} (different element sizes), but got "
            f"{tensor.offset}"
        )
    return view_of(tensor, spec, first // itemsize + offset)


# What can go wrong in a call


def _wrong_input(artifact: Artifact, tensors: Sequence[Tensor]) -> InternalError:
    got = [tensor.spec for tensor in tensors]
    return InternalError(f"'{artifact.name}' was compiled for {list(artifact.inputs)}, got {got}")


def _wrong_scalars(artifact: Artifact, scalars: Sequence[Any]) -> InternalError:
    expected = len(artifact.scalars)
    return InternalError(f"'{artifact.name}' takes {expected} numbers, got {len(scalars)}")
