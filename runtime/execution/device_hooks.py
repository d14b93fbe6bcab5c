"""How does a storage reach devices that it does not know? Through what these tell it.

`devices.base` sets both when it is imported, so that `storage` need not import a device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...dialects.attributes.device import Device
from ...dialects.diagnostics import TrilithRuntimeError

if TYPE_CHECKING:
    from .storage import UntypedStorage


def _no_devices(nbytes: int, device: Device) -> UntypedStorage:
    raise TrilithRuntimeError(f"no memory for {nbytes} bytes on {device}: no device is loaded")


def _no_copies(
    source: UntypedStorage, first: int, target: UntypedStorage, start: int, nbytes: int
) -> None:
    raise TrilithRuntimeError(f"{nbytes} bytes cannot be copied: no device is loaded")


allocate_on: Callable[[int, Device], UntypedStorage] = _no_devices
copy_between: Callable[[UntypedStorage, int, UntypedStorage, int, int], None] = _no_copies


def set_devices(
    allocate: Callable[[int, Device], UntypedStorage],
    copy: Callable[[UntypedStorage, int, UntypedStorage, int, int], None],
) -> None:
    """Set what returns uninitialised bytes on any device, and what copies bytes between any two."""
    global allocate_on, copy_between
    allocate_on, copy_between = allocate, copy
