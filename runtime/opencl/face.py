"""OpenCL devices: which there are, what they hold, and how pyopencl's objects take part.

tri.opencl.devices()                    # a table; `opencl:N` is its row N
x = tri.ones(3, device="opencl:0")
array = tri.opencl.to_cl(x)             # a pyopencl Array over the same memory
y = tri.opencl.from_cl(array)           # and back
with tri.opencl.profile() as times:     # what each kernel takes
    f(x)
print(times)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.attributes.device import Device, home_of
from ..devices.opencl import probe
from ..devices.opencl.discovery import DeviceEntry, entries
from ..devices.opencl.library import STATE
from ..devices.opencl.profiling import KernelTime, Profile, html_table, table
from ..devices.opencl.runtime import OpenClRuntime, device_count
from . import interop
from .interop import from_cl, to_cl

__all__ = [
    "DeviceEntry",
    "Devices",
    "KernelTime",
    "Profile",
    "device",
    "devices",
    "from_cl",
    "is_available",
    "last_event",
    "memory_stats",
    "profile",
    "synchronize",
    "to_cl",
    "wait_for",
]


_HEAD = ("device", "type", "name", "platform", "memory", "units", "verdict")


class Devices(tuple[DeviceEntry, ...]):
    """The devices in the order of their indices; prints as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the table: index, type, name, platform, memory, units, and whether it works."""
        return table(_HEAD, self._content())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Return the table as notebooks show it."""
        return html_table(_HEAD, self._content())

    def _content(self) -> list[tuple[str, ...]]:
        return [
            (
                f"opencl:{index}",
                entry.kind,
                entry.name,
                f"{entry.platform} {entry.driver}",
                f"{entry.memory / 2**30:.1f} GiB",
                str(entry.units),
                _verdict(entry),
            )
            for index, entry in enumerate(self)
        ]


def _verdict(entry: DeviceEntry) -> str:
    facts = probe.known_facts(entry)
    return "not tried yet" if facts is None else facts.verdict


def devices() -> Devices:
    """Return the OpenCL devices; raises TrilithRuntimeError where there is no platform."""
    return Devices(entries())


def is_available() -> bool:
    """Tell whether there is an OpenCL device that this process may use."""
    return not STATE.is_forked and device_count() > 0


def device(queue_or_context: Any) -> Device:
    """Return a device that uses a pyopencl queue, or a context, of the user's."""
    return interop.device_of(queue_or_context)


def synchronize(device: Device | str = "opencl") -> None:
    """Wait until a device has finished; raises what its kernels have reported."""
    _runtime(device).synchronize()


def wait_for(events: Sequence[Any], device: Device | str = "opencl") -> None:
    """Let what is launched on a device from now on wait for pyopencl events."""
    interop.wait_for(_runtime(device), events)


def last_event(device: Device | str = "opencl") -> Any:
    """Return a pyopencl event that is complete when everything launched so far is."""
    return interop.last_event(_runtime(device))


def profile(device: Device | str = "opencl") -> Profile:
    """Return a block that measures the kernels launched on a device while it runs."""
    return Profile(_runtime(device))


def memory_stats(device: Device | str = "opencl") -> dict[str, int]:
    """Return the bytes in use on a device, those kept for reuse, the peak, and what it has."""
    return _runtime(device).allocator.stats()


def _runtime(device: Device | str) -> OpenClRuntime:
    return interop.runtime_at(home_of(Device(device)))
