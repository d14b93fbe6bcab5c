"""Runs artifacts of OpenCL kernels with buffers of its own, to compare bits with the CPU."""

from __future__ import annotations

import ctypes
import importlib
import json
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import trilith as tri
from trilith.compiler.artifacts import build_artifact
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS
from trilith.dialects.kernel.function import FuncOp
from trilith.runtime.execution.artifact import Artifact, KernelCode, Launch

Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class Runner:
    """A context and a queue on one device."""

    cl: Any
    context: Any
    queue: Any
    kernels: dict[str, Any] = field(default_factory=dict[str, Any])

    def prepare(self, codes: Sequence[KernelCode]) -> None:
        """Build what is new of some kernels as one program, as most of a build is its start."""
        new = {code.key: code for code in codes if code.key not in self.kernels}
        if new:
            text = "".join(code.code.decode() for code in new.values())
            program = self.cl.Program(self.context, text).build()
            for key, code in new.items():
                self.kernels[key] = self.cl.Kernel(program, code.name)

    def kernel(self, code: KernelCode) -> tuple[Any, dict[str, Any]]:
        """Return a kernel, built the first time, and its launch geometry."""
        self.prepare([code])
        first = code.code.decode().partition("\n")[0]
        return self.kernels[code.key], json.loads(first.removeprefix("// trilith: "))

    def buffer(self, data: bytes | int) -> Any:
        """Return memory with contents, or of a size."""
        flags = self.cl.mem_flags
        if isinstance(data, int):
            return self.cl.Buffer(self.context, flags.READ_WRITE, max(1, data))
        how = flags.READ_WRITE | flags.COPY_HOST_PTR
        return self.cl.Buffer(self.context, how, hostbuf=np.frombuffer(data or b"\0", np.uint8))

    def read(self, buffer: Any, nbytes: int) -> bytes:
        """Return the contents of memory."""
        data = np.empty(max(1, nbytes), np.uint8)
        self.cl.enqueue_copy(self.queue, data, buffer)
        return data[:nbytes].tobytes()

    def launch(self, code: KernelCode, places: Sequence[tuple[Any, int]], integers: Any) -> None:
        """Put one launch into the queue."""
        kernel, geometry = self.kernel(code)
        arguments: list[Any] = []
        for buffer, offset in places:
            arguments += [buffer, np.int64(offset)]
        kernel.set_args(*arguments, *(np.int64(number) for number in integers))
        (local,) = geometry["local"]
        counts = geometry["groups" if "groups" in geometry else "global"]
        items = math.prod(-(-integers[place] // step) for place, step in counts)
        size = items * local if "groups" in geometry else -(-items // local) * local
        if size:
            self.cl.enqueue_nd_range_kernel(self.queue, kernel, (size,), (local,))

    def run(
        self, artifact: Artifact, inputs: Sequence[bytes], scalars: Sequence[Any] = ()
    ) -> tuple[list[bytes], tuple[int, ...]]:
        """Run an artifact; return the contents of its buffers and the status word."""
        self.prepare(artifact.kernels)
        arena = self.buffer(artifact.arena_nbytes)
        status = self.buffer(bytes(32))
        places: list[tuple[Any, int]] = []
        for plan in artifact.buffers:
            if plan.role == "input":
                places.append((self.buffer(inputs[plan.index]), 0))
            elif plan.role == "temporary":
                places.append((arena, plan.arena_offset))
            else:
                places.append((self.buffer(plan.data or plan.nbytes), 0))
        for launch in artifact.launches:
            assert isinstance(launch, Launch)
            code = artifact.kernels[launch.kernel]
            given = [places[number] for number in launch.buffers]
            if code.can_fail:
                given.append((status, 0))
            self.launch(code, given, _with_scalars(launch, scalars))
        self.queue.finish()
        contents = [
            self.read(buffer, plan.nbytes) if plan.role in ("input", "output") else b""
            for (buffer, _), plan in zip(places, artifact.buffers, strict=True)
        ]
        return contents, struct.unpack("<2i3q", self.read(status, 32))


def _with_scalars(launch: Launch, scalars: Sequence[Any]) -> list[int]:
    integers = list(launch.integers)
    for slot in launch.scalars:
        data = np.asarray(scalars[slot.argument], slot.dtype.numpy).tobytes().ljust(8, b"\0")
        integers[slot.position] = int.from_bytes(data, "little", signed=True)
    return integers


@cache
def open_runner() -> Runner | str:
    """Return a runner on a CPU device, or why there is none."""
    try:
        tri.zeros(1, device="opencl")  # PoCL is told what its compiler needs to know of the host
        cl: Any = importlib.import_module("pyopencl")
        devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    except Exception as error:
        return f"no OpenCL: {error}"
    devices = [device for device in devices if device.type & cl.device_type.CPU]
    if not devices:
        return "no OpenCL device that is a CPU"
    context = cl.Context(devices[:1])
    return Runner(cl, context, cl.CommandQueue(context))


def opencl_artifact(lowered: Any, target: str = "opencl-cpu") -> Artifact:
    """Return the artifact of a lowered function with kernels for OpenCL."""
    counts = KernelCounters()

    def code_of(func: FuncOp, _device: object, _steps: int) -> KernelCode:
        return KERNELS.get(func, counts, target)

    return build_artifact("f", lowered.module, code_of)


def _bytes_of(tensor: Any, nbytes: int) -> bytes:
    return ctypes.string_at(tensor.data_ptr(), nbytes) if nbytes else b""


def _elements(data: bytes, offset: int, spec: Any) -> Array:
    """Return the elements of a tensor in memory."""
    dtype = spec.dtype.numpy
    flat = np.frombuffer(data, dtype)[offset:] if data else np.empty(0, dtype)
    strides = [stride * flat.itemsize for stride in spec.strides]
    if 0 in spec.shape:
        return np.empty(spec.shape, dtype)
    return np.lib.stride_tricks.as_strided(flat, spec.shape, strides)


def same_bits(first: Array, second: Array) -> bool:
    """Whether all bits are equal; any NaN equals any NaN."""
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    if first.dtype.kind == "c":
        real = np.float32 if first.itemsize == 8 else np.float64
        return same_bits(first.view(real), second.view(real))
    equal = first.view(f"u{first.itemsize}") == second.view(f"u{first.itemsize}")
    if first.dtype.kind in "fV":
        with np.errstate(all="ignore"):
            equal |= (first != first) & (second != second)
    return bool(equal.all())


def compare(
    runner: Runner,
    function: Callable[..., Any],
    *arguments: Any,
    target: str = "opencl-cpu",
    expected: Callable[..., Any] | None = None,
) -> str:
    """Return what differs between the CPU's answer and the device's; nothing if all is equal.

    The CPU may run another function of the same arguments, `expected`.
    """
    traced = tri.trace(function, *arguments)
    lowered = tri.trace(expected or function, *arguments).lower()
    on_device = traced.lower("opencl")
    compiled = lowered.compile()
    artifact = opencl_artifact(on_device, target)
    tensors = [item for item in arguments if isinstance(item, tri.Tensor)]
    numbers = [item for item in arguments if not isinstance(item, tri.Tensor)]
    tensors += list(traced.captured)
    inputs = [b""] * len(artifact.inputs)
    for plan in artifact.of_role("input"):
        inputs[plan.index] = _bytes_of(tensors[plan.index], plan.nbytes)
    contents, status = runner.run(artifact, inputs, numbers)
    try:
        answers = compiled.executable.run(tensors, numbers)
    except (RuntimeError, IndexError, ValueError, OverflowError) as error:
        return "" if status[0] else f"the CPU raised {error!r}, the device did not"
    if status[0]:
        return f"the device reports fault {status}"
    for number, (output, tensor) in enumerate(zip(artifact.outputs, answers, strict=True)):
        found = _elements(contents[output.buffer], output.storage_offset, output.spec)
        spec = tensor.spec
        extent = (
            0
            if 0 in spec.shape
            else 1
            + sum(
                (size - 1) * stride for size, stride in zip(spec.shape, spec.strides, strict=True)
            )
        )
        wanted = _elements(_bytes_of(tensor, extent * spec.dtype.itemsize), 0, spec)
        if not same_bits(found, wanted):
            different = int((~(found == wanted)).sum())
            return f"result {number}: {different} of {found.size} differ: {found} {wanted}"
    return ""
