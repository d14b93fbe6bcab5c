"""How does a storage reach devices that it does not know? Through what these tell it.

`devices.base` sets both functions when it is imported, so that `storage` need not import a device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NoReturn, TypeVar

from ...dialects.attributes.device import Device
from ...dialects.diagnostics import TrilithRuntimeError

#: The class of storages, which has hooks of its own and is not known here.
S = TypeVar("S")


def _no_devices(nbytes: int, device: Device) -> NoReturn:
    raise TrilithRuntimeError(f"no memory for {nbytes} bytes on {device}: no device is loaded")


def _no_copies(source: object, first: int, target: object, start: int, nbytes: int) -> NoReturn:
    raise TrilithRuntimeError(f"{nbytes} bytes cannot be copied: no device is loaded")


class DeviceHooks(Generic[S]):
    """What returns uninitialised bytes on any device, and what copies bytes between any two."""

    __slots__ = ("allocate_on", "copy_between")

    def __init__(self) -> None:
        """Refuse both until devices are loaded."""
        self.allocate_on: Callable[[int, Device], S] = _no_devices
        self.copy_between: Callable[[S, int, S, int, int], None] = _no_copies
