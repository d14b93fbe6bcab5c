"""How does an OpenCL device run what trilith compiles? One context, one queue, in order.

A device has one in-order queue for all threads, as PyTorch's default stream is one: what a thread
computed is right in every other thread, and a freed block can be handed out at once. Launches do
not wait; who reads on the host does, and gets the faults that kernels have reported since.
"""

from __future__ import annotations

import atexit
import itertools
import time
from collections.abc import Callable
from typing import Any

from ....dialects.attributes.device import Device, home_of
from ....dialects.diagnostics import TrilithRuntimeError
from ....dialects.locks import new_lock
from ...execution.allocator import block_size
from ...execution.artifact import KernelCode
from ...execution.storage import Storage
from ..base import ErrorMaker, Launcher, StatusWord, runtime_of
from . import probe
from .discovery import DeviceEntry, describe, entries, entry_of
from .ending import close_to_others
from .errors import translating
from .faults import DeviceStatusWord, FaultBoard
from .launch import launcher_of
from .library import STATE, drop_kept, keep_over_fork, library, refuse
from .memory import BufferTable, host_bytes
from .programs import PendingKernel, ProgramTable, check_target, driver

#: What kernels for GPUs may ask of a device: items in a group, and bytes of its memory.
GROUP_ITEMS, GROUP_BYTES = 256, 32768


class OpenClRuntime:
    """Memory and kernels of one OpenCL device."""

    def __init__(self, device: Device, entry: DeviceEntry, queue: Any = None) -> None:
        """Open the device, after trying it once; or take a user's queue on it."""
        self.device = device
        self.entry = entry
        probe.check(entry)
        cl = library()
        with translating(f"opening {device}"):
            self.context: Any = cl.Context([entry.handle]) if queue is None else queue.context
            self.queue: Any = queue or cl.CommandQueue(self.context, entry.handle)
        self.allocator = BufferTable(self.context, entry, str(device))
        self.allocator.queue = self.queue
        self.programs = ProgramTable(self.context, entry, entry.build_options)
        self.faults = FaultBoard(self.allocator)
        #: Called with (kernel name, event) after each launch, while somebody measures.
        self.observer: Callable[[str, Any], None] | None = None
        self.ticks = itertools.count(1)
        self._milestone: Any = None
        self._is_paused = False
        self._loaded: dict[str, Launcher] = {}
        self._lock = new_lock()  # a finalizer may load in the midst
        _open.append(self)
        keep_over_fork(self)
        atexit.register(self._end)

    @property
    def kernel_target(self) -> str:
        """Which schedule kernels for this device follow."""
        entry = self.entry
        has_groups = entry.group >= GROUP_ITEMS and entry.local_memory >= GROUP_BYTES
        return "opencl-gpu" if entry.kind == "gpu" and has_groups else "opencl-cpu"

    # What `DeviceRuntime` asks for

    def allocate(self, nbytes: int) -> Storage:
        """Return uninitialised memory."""
        self._guard()
        size, largest = block_size(nbytes), self.entry.largest
        if size > largest >= nbytes:
            size = largest  # what a size class adds must not be what does not fit
        return Storage.allocate(self.allocator, nbytes, self.device, size)

    def load(self, code: KernelCode) -> Launcher:
        """Take in the text of a kernel; it is built, with others that wait, when it first runs."""
        self._guard()
        check_target(code)
        with self._lock:
            launcher = self._loaded.get(code.digest)
            if launcher is None:
                pending: PendingKernel = self.programs.load(code)
                launcher = self._loaded[code.digest] = launcher_of(self, pending)
        return launcher

    def prepare(self, integers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the integers: launchers remember them packed."""
        return integers

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        """Copy host memory at address `source` to byte `offset` of a storage."""
        self._guard()
        address = target.address(offset, nbytes)
        if not nbytes:
            return
        buffer, start = self.allocator.locate(address)
        with translating(f"copying {nbytes} bytes to {self.device}"):
            # One number is copied by the driver at once, and nobody has to wait.
            if nbytes in (1, 2, 4, 8, 16) and not start % nbytes:
                pattern = bytearray(host_bytes(source, nbytes))
                driver()._enqueue_fill_buffer(self.queue, buffer, pattern, start, nbytes)
            else:
                content = host_bytes(source, nbytes)
                driver()._enqueue_write_buffer(self.queue, buffer, content, start, is_blocking=True)

    def copy_out(self, source: Storage, offset: int, target: int, nbytes: int) -> None:
        """Wait, raise what kernels have reported, and copy to host memory at address `target`."""
        self._guard()
        self.faults.check()
        address = source.address(offset, nbytes)
        if not nbytes:
            return
        buffer, start = self.allocator.locate(address)
        with translating(f"copying {nbytes} bytes from {self.device}"):
            content = host_bytes(target, nbytes)
            driver()._enqueue_read_buffer(self.queue, buffer, content, start, is_blocking=True)
        self._after_wait()

    def new_status(self, error: ErrorMaker | None = None) -> DeviceStatusWord:
        """Return a status word that reads (0, 0), or one that launches since the last wait share.

        Launches of one thread share it that have one maker of errors.
        """
        self._guard()
        return self.faults.new(error)

    def watch(self, status: StatusWord, error: ErrorMaker) -> None:
        """Raise what `error` makes of a fault at the next wait."""
        assert isinstance(status, DeviceStatusWord)
        self.faults.watch(status, error)

    def synchronize(self) -> None:
        """Wait until everything launched so far has finished; raise what it has reported."""
        self._guard()
        with translating(f"waiting for {self.device}"):
            self.queue.finish()
        self._after_wait()
        self.faults.check()

    # Besides

    def throttle(self, event: Any) -> None:
        """Wait for what was launched long ago, so that the queue does not grow without end."""
        milestone, self._milestone = self._milestone, event
        if milestone is not None:
            with translating(f"waiting for {self.device}"):
                milestone.wait()

    def use_queue(self, queue: Any) -> Any:
        """Wait, then use another queue of this context; return the one used before."""
        self.queue.finish()
        before, self.queue, self.allocator.queue = self.queue, queue, queue
        return before

    def pause(self, deadline: float) -> None:
        """Before a fork: let nobody build, and wait until the queue is empty or time is over."""
        self._is_paused = self.programs.hold(deadline - time.monotonic())
        try:
            marker = library().enqueue_marker(self.queue)
            self.queue.flush()
            done = int(library().command_execution_status.COMPLETE)
            # Looked at rather than waited for: a wait has no limit, and errors are below zero.
            while marker.command_execution_status > done and time.monotonic() < deadline:
                time.sleep(1e-4)
        except library().Error:
            pass  # who waits next is told

    def resume(self) -> None:
        """After a fork, in the parent: let threads build again."""
        if self._is_paused:
            self._is_paused = False
            self.programs.release()

    def _after_wait(self) -> None:
        if self.programs.binaries.waiting:
            self.programs.store()

    def _guard(self) -> None:
        if STATE.is_barred:
            refuse()

    def _end(self) -> None:
        """Leave when the interpreter ends."""
        if not STATE.is_forked:
            close_to_others()
        self._leave()

    def _leave(self) -> None:
        """Let the queue run empty before the interpreter ends, and store what was built."""
        if STATE.is_forked:
            return
        try:
            self.queue.finish()
            self.programs.close()
        except library().Error:
            pass  # nobody is left to be told

    def close(self) -> None:
        """Wait and let go of the device; its tensors must be gone."""
        atexit.unregister(self._end)
        self._leave()
        drop_kept(self)
        if self in _open:
            _open.remove(self)


#: Every runtime that was not closed.
_open: list[OpenClRuntime] = []
#: Devices made of a user's queues and contexts, numbered from the end of the discovered ones.
_own: dict[int, OpenClRuntime] = {}
#: Devices are opened one at a time: two threads would open one of them twice.
_opening = new_lock()


def create(device: Device) -> OpenClRuntime:
    """Return the runtime of an OpenCL device; raises TrilithRuntimeError if there is none."""
    library()
    if device.index is None:
        found = runtime_of(home_of(device))
        assert isinstance(found, OpenClRuntime)
        return found
    with _opening:
        for runtime in (*_own.values(), *_open):
            if runtime.device is device:
                return runtime
        return OpenClRuntime(device, entry_of(device.index))


def device_count() -> int:
    """Return how many OpenCL devices there are; 0 without the package or a platform."""
    try:
        return len(entries())
    except TrilithRuntimeError:
        if STATE.is_forked:
            raise
        return 0


def is_available() -> bool:
    """Tell whether there is an OpenCL device; in a forked child there is one that refuses."""
    return STATE.is_forked or device_count() > 0


def is_lost() -> bool:
    """Tell whether this is a forked child, which cannot use what its parent used."""
    return STATE.is_forked


#: The first index of devices made of queues: no machine has so many others.
FIRST_OWN = 1 << 16


def adopt_queue(queue: Any) -> OpenClRuntime:
    """Return the runtime that uses a user's queue, making it the first time."""
    cl = library()
    if int(queue.properties) & int(cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE):
        raise TrilithRuntimeError("trilith needs a queue that runs its commands in order")
    check_context(queue.context)
    if _is_part(queue.device):
        raise TrilithRuntimeError(
            f"'{queue.device.name}' is a part of a device; drivers hang where parts and whole "
            "devices are used in one process"
        )
    with _opening:
        for runtime in _own.values():
            if runtime.queue == queue:
                return runtime
        index = FIRST_OWN + len(_own)
        device = Device("opencl", index)
        _own[index] = OpenClRuntime(device, describe(queue.device), queue)
    found = runtime_of(device)
    assert isinstance(found, OpenClRuntime)
    return found


def check_context(context: Any) -> None:
    """Raise TrilithRuntimeError for a context of several devices, where drivers mix up data."""
    if len(context.devices) != 1:
        raise TrilithRuntimeError(
            f"the context has {len(context.devices)} devices; trilith uses contexts of one",
            hint="make a context for each device",
        )


def _is_part(handle: Any) -> bool:
    """Whether a device is one that was split off another."""
    try:
        return handle.parent_device is not None
    except library().Error:
        return False


def runtime_of_context(context: Any) -> OpenClRuntime | None:
    """Return the runtime that uses a context, None if there is none."""
    return next((runtime for runtime in _open if runtime.context == context), None)
