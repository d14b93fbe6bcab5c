"""What can be wrong with an artifact? Each function returns a problem as text, or None.

What a plan refers to is looked up before it is used, so that a plan of any content is either proven
or described.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ...dialects.attributes.extents import check_bounds
from ...dialects.attributes.layout import strided
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithError
from .artifact_fields import ArtifactFields
from .host_call_proof import problem_of_call
from .plan_parts import BufferPlan, HostCall, KernelCode, Launch, OutputPlan, PlanStep, Transfer
from .shared_bytes import may_share_bytes


def problem_of(artifact: ArtifactFields) -> str | None:
    """Return the first problem of an artifact and where it is."""
    for what, field, check in _CHECKS:
        for number, item in enumerate(getattr(artifact, field)):
            problem = check(artifact, item)
            if problem is not None:
                return f"{what} {number}: {problem}"
    return None


def _of_input(_artifact: ArtifactFields, spec: TensorSpec) -> str | None:
    return None if spec.layout is strided else f"layout {spec.layout}"


def _of_kernel(_artifact: ArtifactFields, kernel: KernelCode) -> str | None:
    return _of_code(kernel)


@lru_cache(maxsize=1024)
def _of_code(kernel: KernelCode) -> str | None:
    """Say whether a kernel and its account of itself are what they were when it was compiled."""
    if kernel.digest != kernel.computed_digest():
        return f"'{kernel.name}' was changed after it was compiled"
    if len(kernel.buffers) + kernel.can_fail != kernel.pointers:
        return f"'{kernel.name}' takes {kernel.pointers} pointers, {len(kernel.buffers)} are known"
    used = {number for buffer in kernel.buffers for number in buffer.used_integers()}
    # Where a window begins is no part of where memory is touched, and may be anything.
    windows = {cut.first for cut in kernel.cuts if cut.first != -1}
    is_apart = used.isdisjoint(windows)
    used |= windows | {cut.extent for cut in kernel.cuts}
    used |= {cut.elements for cut in kernel.cuts if cut.length}
    if not used <= set(range(kernel.integers)):
        return f"'{kernel.name}' takes {kernel.integers} integers and uses {sorted(used)}"
    if (
        any(cut.grain < 1 or cut.parts < 1 for cut in kernel.cuts)
        or kernel.cost < 1
        or not is_apart
    ):
        return f"'{kernel.name}' cannot be cut as it says"
    return None


def _of_buffer(artifact: ArtifactFields, buffer: BufferPlan) -> str | None:
    if buffer.nbytes < 0:
        return f"negative size {buffer.nbytes}"
    match buffer.role:
        case "input":
            if not 0 <= buffer.index < len(artifact.inputs):
                return f"no input {buffer.index}"
        case "temporary":
            end = buffer.arena_offset + buffer.nbytes
            if buffer.arena_offset < 0 or end > artifact.arena_nbytes:
                return f"ends at byte {end} of an arena of {artifact.arena_nbytes}"
        case "constant":
            if buffer.data is None or len(buffer.data) != buffer.nbytes or buffer.is_written:
                return f"a constant needs {buffer.nbytes} bytes of data and is never written"
            if buffer.device not in (None, artifact.device):
                return f"a constant lies on {artifact.device}, not on {buffer.device}"
        case "output":
            return None
        case _:
            return f"unknown role '{buffer.role}'"
    return None


def _of_output(artifact: ArtifactFields, output: OutputPlan) -> str | None:
    if not 0 <= output.buffer < len(artifact.buffers):
        return f"no buffer {output.buffer}"
    buffer, spec = artifact.buffers[output.buffer], output.spec
    if buffer.role == "temporary":
        return f"buffer {output.buffer} is a temporary"
    if buffer.role == "output" and buffer.device not in (None, spec.device):
        return f"buffer {output.buffer} is on {buffer.device}, its tensor on {spec.device}"
    if spec.layout is not strided:
        return f"layout {spec.layout}"
    if spec.device is not artifact.device_of(buffer):
        return f"a tensor on {spec.device} in memory of {artifact.device_of(buffer)}"
    if buffer.role == "input":
        return None  # a view of the caller's storage: proven when it is made
    try:
        check_bounds(
            spec.shape, spec.strides, output.storage_offset, spec.dtype.itemsize, buffer.nbytes
        )
    except TrilithError as error:
        return error.message
    return None


def _of_transfer(artifact: ArtifactFields, transfer: Transfer) -> str | None:
    numbers = (transfer.source, transfer.target)
    if any(not 0 <= number < len(artifact.buffers) for number in numbers):
        return f"no such buffer in {numbers}"
    source, target = (artifact.buffers[number] for number in numbers)
    if transfer.nbytes < 0 or transfer.offset < 0:
        return f"{transfer} is negative"
    end = transfer.offset + transfer.nbytes
    room, held = artifact.nbytes_of(target), artifact.nbytes_of(source)
    if transfer.nbytes > room or end > held:
        return f"{transfer} leaves a buffer of {held} or of {room} bytes"
    if artifact.device_of(source) is artifact.device_of(target):
        return f"{transfer} stays on one device"
    return _of_write(transfer.target, target)


def _of_launch(artifact: ArtifactFields, launch: PlanStep) -> str | None:
    if isinstance(launch, HostCall):
        return problem_of_call(artifact, launch)
    if isinstance(launch, Transfer):
        return _of_transfer(artifact, launch)
    if not 0 <= launch.kernel < len(artifact.kernels):
        return f"no kernel {launch.kernel}"
    kernel = artifact.kernels[launch.kernel]
    pointers = len(launch.buffers) + kernel.can_fail
    if pointers != kernel.pointers or len(launch.integers) != kernel.integers:
        return (
            f"kernel '{kernel.name}' takes {kernel.pointers} pointers and {kernel.integers} "
            f"integers, got {pointers} and {len(launch.integers)}"
        )
    if any(not 0 <= buffer < len(artifact.buffers) for buffer in launch.buffers):
        return f"no such buffer in {launch.buffers}"
    if any(not -(1 << 63) <= integer < 1 << 63 for integer in launch.integers):
        return f"an integer of {launch.integers} needs more than 64 bits"
    devices = {artifact.device_of(artifact.buffers[buffer]) for buffer in launch.buffers}
    if len(devices) > 1:
        return f"several devices: {sorted(map(str, devices))}"
    return (
        _of_numbers(artifact, launch, kernel)
        or _of_memory(artifact, launch, kernel)
        or _of_overlap(artifact, launch, kernel)
    )


def _of_numbers(artifact: ArtifactFields, launch: Launch, kernel: KernelCode) -> str | None:
    """Say whether the numbers of a call go where they decide about memory, or nowhere."""
    decisive = {number for buffer in kernel.buffers for number in buffer.used_integers()}
    for slot in launch.scalars:
        if not 0 <= slot.position < kernel.integers or not (
            0 <= slot.argument < len(artifact.scalars)
        ):
            return f"{slot} names no integer or no argument"
        if slot.dtype.is_complex:
            return f"{slot}: pass the components of a complex number one by one"
        if slot.position in decisive:
            return f"{slot} stands where a size, stride or offset belongs"
    return None


def _of_memory(artifact: ArtifactFields, launch: Launch, kernel: KernelCode) -> str | None:
    """Say whether a launch touches bytes outside of its buffers, or writes where nobody may."""
    for number, used in zip(launch.buffers, kernel.buffers, strict=True):
        buffer = artifact.buffers[number]
        try:
            first, end = used.reach(launch.integers)
        except ValueError as error:
            return f"kernel '{kernel.name}': {error}"
        nbytes = artifact.nbytes_of(buffer)
        if first < 0 or end > nbytes:
            return (
                f"kernel '{kernel.name}' touches bytes {first} to {end} of buffer {number}, which "
                f"has {nbytes}"
            )
        problem = _of_write(number, buffer) if used.is_written else None
        if problem is not None:
            return problem
    return None


def _of_write(number: int, buffer: BufferPlan) -> str | None:
    if buffer.role == "constant" or (buffer.role == "input" and not buffer.is_written):
        return f"buffer {number} is written to, which its plan does not say"
    return None


def _of_overlap(artifact: ArtifactFields, launch: Launch, kernel: KernelCode) -> str | None:
    """Say whether a buffer that must be alone overlaps another one of the launch."""
    for position, (number, used) in enumerate(zip(launch.buffers, kernel.buffers, strict=True)):
        if not used.is_alone:
            continue
        for other in (*launch.buffers[:position], *launch.buffers[position + 1 :]):
            if may_share_bytes(number, other, artifact.buffers):
                return f"kernel '{kernel.name}' needs buffer {number} apart from buffer {other}"
    return None


#: What launches and outputs refer to is known to be sound when they are looked at.
_CHECKS: tuple[tuple[str, str, Callable[[ArtifactFields, Any], str | None]], ...] = (
    ("input", "inputs", _of_input),
    ("kernel", "kernels", _of_kernel),
    ("buffer", "buffers", _of_buffer),
    ("output", "outputs", _of_output),
    ("launch", "launches", _of_launch),
)
