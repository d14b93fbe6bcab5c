"""Is there a device beside the host? What `trilith.accelerator` answers, as `torch.accelerator`."""

from __future__ import annotations

from typing import NoReturn

from ..dialects.attributes.device import Device, get_accelerator
from .devices.base import missing_runtime, runtime_of


def is_available() -> bool:
    """Tell whether there is an accelerator, which a bare device index then means.

    >>> is_available()
    False
    """
    return get_accelerator() is not None


def current_accelerator(check_available: bool = False) -> Device | None:
    """Return the accelerator as a device without an index; None if there is none.

    What there is is available: `check_available` changes nothing.

    >>> current_accelerator()
    """
    kind = get_accelerator()
    return None if kind is None else Device(kind)


def synchronize(device: Device | str | int | None = None) -> None:
    """Wait until the accelerator has finished what it was given; by default its first device.

    Raises TrilithRuntimeError if there is none.

    >>> synchronize("cpu")
    """
    runtime_of(Device(0 if device is None else device)).synchronize()


def refuse_cuda() -> NoReturn:
    """Raise the error of what needs a CUDA device."""
    raise missing_runtime(Device("cuda"))
