"""What must a kind of device be able to do, and how is the one for a device found?

A device module implements `DeviceRuntime` and a function `create(device)`; a row of `kinds.py`
names it. It is imported when a tensor or kernel first needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, cast

from ...dialects.attributes.device import Device, cpu
from ...dialects.diagnostics import (
    TrilithAssertionError,
    TrilithError,
    TrilithNotImplementedError,
)
from ...dialects.locks import imported
from ..execution.artifact import KernelCode
from ..execution.storage import DEVICES, BlockAllocator, Storage
from .kinds import KINDS

#: A loaded kernel: called with addresses, then the status address if it can fail, then integers.
#: Keeping it alive keeps its code loaded.
Launcher: TypeAlias = Callable[..., None]

#: Makes the error of a fault: (fault number, position, details) -> error.
ErrorMaker: TypeAlias = Callable[[int, int, tuple[int, int, int]], TrilithError]


class StatusWord(Protocol):
    """What kernels of one call report faults through: two int32, number and position, and details.

    The details are three int64 that a check may give with its fault.
    """

    @property
    def pointer(self) -> int:
        """The address (or handle) to pass to a kernel."""
        ...

    def read(self) -> tuple[int, int]:
        """Wait for the launches so far and return (fault number or 0, position)."""
        ...

    def details(self) -> tuple[int, int, int]:
        """Return the numbers that the check gave with the fault, zeros if it gave none."""
        ...


class DeviceRuntime(Protocol):
    """Memory and kernels of one device. All methods may be called from any thread.

    Addresses are numbers in a space of the device's own: the executor adds byte offsets to them and
    hands them to launchers, which may turn them into handles.
    """

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

    def new_status(self, error: ErrorMaker | None = None) -> StatusWord:
        """Return a status word that reads (0, 0).

        `error` is what `watch` will be given: launches with one maker of errors may share a word.
        """
        ...

    def watch(self, status: StatusWord, error: ErrorMaker) -> None:
        """Raise `error(number, position, details)` if a launch just made reports a fault.

        That may be later, in a call that waits for the device.
        """
        ...

    def synchronize(self) -> None:
        """Wait until everything launched so far has finished."""
        ...


_creators: dict[str, Callable[[Device], DeviceRuntime]] = {}
_counts: dict[str, int] = {}
_runtimes: dict[Device, DeviceRuntime] = {}

#: Device types that PyTorch refuses by naming what its build lacks.
_NOT_COMPILED = frozenset({"cuda", "xpu", "mtia"})


def register(
    device_type: str, create: Callable[[Device], DeviceRuntime], count: int | None = None
) -> None:
    """Make `create` the source of the runtimes of a device type, in place of a module's.

    `count` is how many devices there are, if that is asked.
    """
    _creators[device_type] = create
    if count is not None:
        _counts[device_type] = count
    _forget(device_type)


def unregister(device_type: str) -> None:
    """Forget what `register` was told, and the runtimes that were made by it."""
    _creators.pop(device_type, None)
    _counts.pop(device_type, None)
    _forget(device_type)


def _forget(device_type: str) -> None:
    for device in [device for device in _runtimes if device.type == device_type]:
        del _runtimes[device]


def runtime_of(device: Device) -> DeviceRuntime:
    """Return the runtime of a device, loading its module the first time.

    Raises TrilithAssertionError or TrilithNotImplementedError for a device type that trilith
    cannot run on, as PyTorch does, and what the module raises for an index that does not exist.

    >>> runtime_of(cpu).device
    device(type='cpu')
    """
    found = _runtimes.get(device)
    if found is not None:
        return found
    create = _creators.get(device.type)
    if create is None:
        module = _module_of(device.type)
        if module is None:
            raise missing_runtime(device)
        create = cast("Callable[[Device], DeviceRuntime]", module.create)
    return _runtimes.setdefault(device, create(device))


def device_count(device_type: str) -> int:
    """Return how many devices of a type there are: what its module says, else one or none.

    >>> device_count("meta"), device_count("cuda")
    (1, 0)
    """
    if device_type in _counts:
        return _counts[device_type]
    module = _module_of(device_type)
    if module is None:
        return int(device_type in _creators)
    count = getattr(module, "device_count", None)
    return 1 if count is None else count()


def is_available(device_type: str) -> bool:
    """Tell whether there is a device of an accelerator's type, lost or not."""
    ask = getattr(_module_of(device_type), "is_available", None)
    return ask is not None and ask()


def is_lost(device_type: str) -> bool:
    """Tell whether this is a forked child that has lost the devices which its parent used."""
    ask = getattr(_module_of(device_type), "is_lost", None)
    return ask is not None and ask()


def _module_of(device_type: str) -> Any:
    """Return the module of a type of devices, importing it the first time; None if it has none."""
    kind = KINDS.get(device_type)
    return None if kind is None else imported(kind.module, __package__)


def kernel_target(device: Device) -> str:
    """Return what kernels for a device are made for: what its runtime says, else its type.

    >>> kernel_target(cpu)
    'cpu'
    """
    return getattr(runtime_of(device), "kernel_target", device.type)


def missing_runtime(device: Device) -> TrilithError:
    """Return the error for a device type that trilith cannot run on."""
    if device.type in _NOT_COMPILED:
        words = f"Torch not compiled with {device.type.upper()} enabled"
        return TrilithAssertionError(words, hint=devices_there)
    return TrilithNotImplementedError(
        f"trilith has no runtime for device type '{device.type}'", hint=devices_there
    )


def devices_there() -> str:
    """Return a hint that names the devices of this machine.

    >>> devices_there()
    'there are cpu...'
    """
    names: list[str] = []
    for kind in dict.fromkeys((*KINDS, *_creators)):
        try:
            count = device_count(kind)
        except TrilithError:  # a forked child has lost what its parent used
            count = 0
        has_indices = Device(kind).has_indices
        names += [f"{kind}:{index}" for index in range(count)] if has_indices else [kind]
    return f"there are {', '.join(names[:-1])} and {names[-1]}"


def allocate(nbytes: int, device: Device) -> Storage:
    """Return uninitialised memory on any device; on meta there are no bytes behind it.

    >>> from trilith.dialects.attributes.device import meta
    >>> allocate(1 << 60, meta).nbytes()
    1152921504606846976
    """
    return runtime_of(device).allocate(nbytes)


def copy_between(source: Storage, first: int, target: Storage, start: int, nbytes: int) -> None:
    """Copy `nbytes` from byte `first` of a storage to byte `start` of another, on any devices.

    Between two accelerators the bytes pass through host memory.
    """
    if target.device.is_host:
        address = target.address(start, nbytes)
        runtime_of(source.device).copy_out(source, first, address, nbytes)
    elif source.device.is_host:
        address = source.address(first, nbytes)
        runtime_of(target.device).copy_in(address, target, start, nbytes)
    else:
        staging = allocate(nbytes, cpu)
        copy_between(source, first, staging, 0, nbytes)
        copy_between(staging, 0, target, start, nbytes)


DEVICES.allocate_on, DEVICES.copy_between = allocate, copy_between
