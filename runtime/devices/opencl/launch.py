"""What happens between a call of a launcher and the device's queue? As little as possible.

Arguments that are as they were at the kernel's last launch are not set again. Every buffer is held
by this thread from setting it to the end of the enqueueing call: OpenCL keeps none before.

Nobody waits for a launcher. Where one is in use, another launcher of the same kernel takes over,
with arguments of its own: a signal handler, or a finalizer that the garbage collector runs, may
launch in the midst of a launch of the same thread, whose arguments must stay what they are.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ....dialects.attributes.calling import is_packed_on_opencl
from ....dialects.attributes.device import Device
from ....dialects.diagnostics import InternalError
from ..base import Launcher
from .discovery import DeviceEntry
from .errors import translated
from .library import STATE, library, refuse
from .memory import HANDLE_SHIFT, OFFSET_MASK, BufferTable
from .packed import DeviceMemory, packing
from .programs import Geometry, PendingKernel, ProgramTable, driver

#: How many different integers of a kernel are remembered in packed form.
PLANS = 256
_PACK = struct.Struct("<q").pack
_MASK = (1 << 64) - 1


class LaunchingRuntime(DeviceMemory, Protocol):
    """What launchers need of their device's runtime."""

    queue: Any
    #: Called with (kernel name, event) after each launch, while somebody measures.
    observer: Callable[[str, Any], None] | None

    @property
    def device(self) -> Device:
        """The device."""
        ...

    @property
    def entry(self) -> DeviceEntry:
        """What was discovered about it."""
        ...

    @property
    def allocator(self) -> BufferTable:
        """Its memory."""
        ...

    @property
    def programs(self) -> ProgramTable:
        """Its kernels."""
        ...

    @property
    def ticks(self) -> Iterator[int]:
        """The number of each launch."""
        ...

    def throttle(self, event: Any) -> None:
        """Wait for what was launched long ago, so that the queue does not grow without end."""
        ...


class _Plan:
    """What follows from the integers of a launch: their arguments, and the number of items."""

    __slots__ = ("arguments", "shape")

    def __init__(
        self,
        integers: tuple[int, ...],
        first: int,
        geometry: Geometry,
        local: int,
        is_packed: bool,
    ) -> None:
        self.arguments: tuple[Any, ...] = ()
        for number, value in enumerate(() if is_packed else integers):
            self.arguments += (first + number, _PACK(value))
        size = geometry.size(integers, local)
        self.shape = (size,) if size else None


def launcher_of(runtime: LaunchingRuntime, pending: PendingKernel) -> Launcher:
    """Return what launches a kernel: called with addresses, then integers."""
    code = pending.code
    launcher = _launcher_of(runtime, pending)
    if is_packed_on_opencl(code.pointers, code.integers):
        return packing(runtime, code, launcher)
    return launcher


def _launcher_of(runtime: LaunchingRuntime, pending: PendingKernel) -> Launcher:
    """Return `launcher_of`; what is packed is one more address in front of the integers."""
    code, geometry = pending.code, pending.geometry
    is_packed = is_packed_on_opencl(code.pointers, code.integers)
    pointers = code.pointers + is_packed
    memory = runtime.allocator
    buffers_of = memory.buffers
    enqueue = driver().enqueue_nd_range_kernel
    error_type = library().Error
    #: Who is launching, under the one key: entered and taken out by single calls of C's.
    user: dict[None, object] = {}
    spare: Launcher | None = None
    plans: OrderedDict[tuple[int, ...], _Plan] = OrderedDict()
    indices = tuple(range(0, 2 * pointers, 2))
    last_plan: _Plan | None = None
    last_offsets: tuple[int, ...] | None = None
    last_arguments: tuple[int, ...] | None = None
    last_epoch = -1
    kernel: Any = None
    is_built = False
    group: tuple[int, ...] = ()
    shape: tuple[int, ...] | None = None
    ticks = runtime.ticks

    def start() -> None:
        """Build the kernel and see that it fits the device."""
        nonlocal kernel, group, is_built
        made = pending.build()
        group = (_group_size(runtime, pending, made),)
        kernel, is_built = made, True
        pending.has_run()

    def plan_of(integers: tuple[int, ...]) -> _Plan:
        if len(integers) != code.integers:
            raise InternalError(f"kernel '{code.name}' takes {code.integers} integers")
        try:
            plan = plans[integers] = _Plan(integers, 2 * pointers, geometry, group[0], is_packed)
        except struct.error as error:
            raise InternalError(f"kernel '{code.name}' takes 64-bit integers: {error}") from None
        if len(plans) > PLANS:
            plans.popitem(last=False)
        return plan

    def set_numbers(plan: _Plan, offsets: tuple[int, ...]) -> None:
        nonlocal last_plan, last_offsets
        last_plan = last_offsets = None
        numbers: tuple[Any, ...] = plan.arguments
        for number, offset in enumerate(offsets):
            numbers += (2 * number + 1, _PACK(offset))
        kernel._set_arg_buf_multi(numbers)
        last_plan, last_offsets = plan, offsets

    def set_arguments(arguments: tuple[int, ...]) -> Any:
        """Set what differs from the launch before; return what must be held until it is enqueued.

        While the table's epoch is the same, the buffers of equal arguments are still those set.
        """
        nonlocal last_arguments, last_epoch, shape
        last_arguments, epoch = None, memory.epoch
        addresses, integers = arguments[:pointers], arguments[pointers:]
        try:
            buffers = [buffers_of[address >> HANDLE_SHIFT] for address in addresses]
        except (KeyError, TypeError):
            raise _foreign(runtime, code.name, addresses) from None
        if not is_built:
            start()
        plan = plans.get(integers) or plan_of(integers)
        shape = plan.shape
        if shape is not None:
            offsets = tuple([address & OFFSET_MASK for address in addresses])
            if plan is not last_plan or offsets != last_offsets:
                set_numbers(plan, offsets)
            kernel._set_arg_multi(_interleaved(indices, buffers))
            last_arguments, last_epoch = arguments, epoch
        return buffers

    def enqueued(arguments: tuple[int, ...]) -> Any:
        """Return the event of a launch, None if there is nothing to do."""
        held: Any = None
        if arguments != last_arguments or last_epoch != memory.epoch:
            held = set_arguments(arguments)
            if shape is None:
                return None
        event = enqueue(runtime.queue, kernel, shape, group)
        del held
        return event

    def launch_by_another(arguments: tuple[int, ...]) -> None:
        nonlocal spare
        if spare is None:
            spare = _launcher_of(runtime, pending)
        spare(*arguments)

    def launch(*arguments: int) -> None:
        if STATE.is_barred:
            refuse()
        this = object()
        try:
            if user.setdefault(None, this) is not this:
                launch_by_another(arguments)
                return
            if is_built:
                event = enqueued(arguments)
            else:
                # Until it is in the queue, where a driver loads it, nobody else builds or forks.
                with runtime.programs.lock:
                    event = enqueued(arguments)
        except error_type as error:
            raise translated(error, f"launching '{code.name}'") from error
        finally:
            if user.get(None) is this:
                user.clear()
        if event is None:
            return
        if not next(ticks) & 1023:
            runtime.throttle(event)
        if runtime.observer is not None:
            runtime.observer(code.name, event)

    return launch


def _interleaved(indices: tuple[int, ...], buffers: list[Any]) -> tuple[Any, ...]:
    """Return (argument index, buffer, argument index, buffer, ...)."""
    return tuple([part for pair in zip(indices, buffers, strict=True) for part in pair])


def _group_size(runtime: LaunchingRuntime, pending: PendingKernel, kernel: Any) -> int:
    """Return how many items make a group on this device; raises for what it cannot hold."""
    info, device = library().kernel_work_group_info, runtime.entry.handle
    local = pending.geometry.local
    used = int(kernel.get_work_group_info(info.LOCAL_MEM_SIZE, device))
    if used > runtime.entry.local_memory:
        raise InternalError(
            f"kernel '{pending.code.name}' needs {used} bytes of local memory, and "
            f"{runtime.device} has {runtime.entry.local_memory}"
        )
    limit = int(kernel.get_work_group_info(info.WORK_GROUP_SIZE, device))
    if local > limit and (used or pending.geometry.is_grouped):
        raise InternalError(
            f"kernel '{pending.code.name}' needs groups of {local}, and {runtime.device} makes "
            f"groups of {limit} at most"
        )
    while local > limit:
        local //= 2
    return max(local, 1)


def _foreign(runtime: LaunchingRuntime, name: str, addresses: tuple[Any, ...]) -> Exception:
    """Return the error for what is no address of the device's memory."""
    known = runtime.allocator.buffers
    for address in addresses:
        if not isinstance(address, int):
            return InternalError(f"kernel '{name}' takes addresses, not {type(address).__name__}")
        if address >> HANDLE_SHIFT not in known:
            return runtime.allocator.foreign(address)
    return InternalError(f"kernel '{name}' was given memory that vanished meanwhile")
