"""How does a device without memory take part? Storages with a length and no bytes; nothing runs."""

from __future__ import annotations

from typing import Any

from ...dialects.attributes.device import Device
from ...dialects.diagnostics import InternalError, TrilithNotImplementedError
from ..execution.allocator import NO_BLOCK, GiveBack
from ..execution.artifact import KernelCode
from ..execution.storage import Storage
from .base import ErrorMaker, Launcher, StatusWord

NO_DATA = "Cannot copy out of meta tensor; no data!"


class NoMemory:
    """Hands out address 0 for any number of bytes."""

    def allocate(self, size: int) -> tuple[int, GiveBack]:
        """Return the address of no memory."""
        return NO_BLOCK

    def copy(self, source: int, target: int, nbytes: int) -> None:
        """Copy nothing."""


class MetaRuntime:
    """The runtime of tensors that have every attribute and no elements.

    >>> from trilith.dialects.attributes.device import meta
    >>> create(meta).allocate(1 << 60).nbytes()
    1152921504606846976
    """

    def __init__(self, device: Device) -> None:
        """Hold nothing."""
        self.device = device
        self.allocator = NoMemory()

    def allocate(self, nbytes: int) -> Storage:
        """Return a storage that is so long and has no bytes."""
        return Storage.allocate(self.allocator, nbytes, self.device)

    def load(self, code: KernelCode) -> Launcher:
        """Refuse: programs on meta have no kernels."""
        raise _nothing_runs(code.name)

    def prepare(self, integers: tuple[int, ...]) -> tuple[Any, ...]:
        """Return the integers."""
        return integers

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        """Drop the bytes."""

    def copy_out(self, source: Storage, offset: int, target: int, nbytes: int) -> None:
        """Refuse: there are no bytes."""
        raise TrilithNotImplementedError(NO_DATA)

    def new_status(self, error: ErrorMaker | None = None) -> StatusWord:
        """Refuse: nothing runs that could fail."""
        raise _nothing_runs("a check")

    def watch(self, status: StatusWord, error: ErrorMaker) -> None:
        """Do nothing: nothing runs."""

    def synchronize(self) -> None:
        """Do nothing: nothing runs."""


def _nothing_runs(what: str) -> InternalError:
    return InternalError(f"{what} was to run on meta, where nothing runs")


def create(device: Device) -> MetaRuntime:
    """Return the runtime of the meta device."""
    return MetaRuntime(device)
