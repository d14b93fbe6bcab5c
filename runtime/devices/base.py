"""What must a kind of device be able to do, and how is the one for a device found?

A device module implements `DeviceRuntime` and a function `create(device)`; the table `_MODULES`
names it. It is imported when a tensor or kernel first needs it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, cast

from ...dialects.attributes.device import Device, meta
from ...dialects.diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ..artifact import KernelCode
from ..storage import BlockAllocator, Storage

#: A loaded kernel: called with addresses, then the status address if it can fail, then integers.
#: Keeping it alive keeps its code loaded.
Launcher: TypeAlias = Callable[..., None]


class StatusWord(Protocol):
    """Two int32 that kernels of one call report faults through: number and position."""

    @property
    def pointer(self) -> int:
        """The address (or handle) to pass to a kernel."""
        ...

    def read(self) -> tuple[int, int]:
        """Wait for the launches so far and return (fault number or 0, position)."""
        ...


class DeviceRuntime(Protocol):
    """Memory and kernels of one device. All methods may be called from any thread."""

    @property
    def device(self) -> Device:
        """The device this is the runtime of."""
        ...

    @property
    def allocator(self) -> BlockAllocator:
        """Where the device's memory comes from."""
        ...

    def allocate(self, nbytes: int) -> Storage:
        """Return uninitialised memory."""
        ...

    def load(self, code: KernelCode) -> Launcher:
        """Return the kernel as a callable; equal keys are loaded once."""
        ...

    def prepare(self, integers: tuple[int, ...]) -> tuple[Any, ...]:
        """Return integers in the form that launchers take fastest; plain ones are fine too."""
        ...

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        """Copy host memory at address `source` to byte `offset` of a storage."""
        ...

    def copy_out(self, source: Storage, offset: int, target: int, nbytes: int) -> None:
        """Copy from byte `offset` of a storage to host memory at address `target`."""
        ...

    def new_status(self) -> StatusWord:
        """Return a status word that reads (0, 0)."""
        ...

    def synchronize(self) -> None:
        """Wait until everything launched so far has finished."""
        ...


_MODULES: dict[str, str] = {"cpu": ".cpu"}
_runtimes: dict[Device, DeviceRuntime] = {}


def runtime_of(device: Device) -> DeviceRuntime:
    """Return the runtime of a device, loading its module the first time.

    >>> from trilith.dialects.attributes.device import cpu
    >>> runtime_of(cpu).device
    device(type='cpu')
    """
    found = _runtimes.get(device)
    if found is not None:
        return found
    if device.type == "meta":
        raise TrilithNotImplementedError("Cannot copy out of meta tensor; no data!")
    module_name = _MODULES.get(device.type)
    if module_name is None:
        raise TrilithRuntimeError(
            f"trilith has no runtime for device type '{device.type}'",
            hint=f"available: {', '.join(_MODULES)}, meta",
        )
    module = importlib.import_module(module_name, __package__)
    create = cast("Callable[[Device], DeviceRuntime]", module.create)
    return _runtimes.setdefault(device, create(device))


def allocate(nbytes: int, device: Device) -> Storage:
    """Return uninitialised memory on any device; on meta there are no bytes behind it.

    >>> allocate(1 << 60, meta)
    Storage(1152921504606846976 bytes on meta)
    """
    if device.type == "meta":
        return Storage(0, nbytes, meta)
    return runtime_of(device).allocate(nbytes)
