"""How does a kernel get more integers than a launch can pass? In a buffer, written before it."""

from __future__ import annotations

import ctypes
import struct
from collections import OrderedDict
from typing import Protocol

from ....dialects.diagnostics import InternalError
from ...execution.artifact import KernelCode
from ...execution.storage import Storage
from ..base import Launcher

#: How many different integers of a kernel stay on the device.
BLOCKS = 16


class DeviceMemory(Protocol):
    """Where the integers are kept."""

    def allocate(self, nbytes: int) -> Storage:
        """Return uninitialised memory."""
        ...

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        """Copy host memory at address `source` to byte `offset` of a storage."""
        ...


def packing(device: DeviceMemory, code: KernelCode, launcher: Launcher) -> Launcher:
    """Return what launches a kernel whose integers lie behind its last address."""
    blocks: OrderedDict[tuple[int, ...], Storage] = OrderedDict()

    def block_of(integers: tuple[int, ...]) -> Storage:
        try:
            words = struct.pack(f"<{code.integers}q", *integers)
        except struct.error as error:
            raise InternalError(f"kernel '{code.name}' takes 64-bit integers: {error}") from None
        memory = device.allocate(len(words))
        source = ctypes.create_string_buffer(words, len(words))
        device.copy_in(ctypes.addressof(source), memory, 0, len(words))
        blocks[integers] = memory
        if len(blocks) > BLOCKS:
            blocks.popitem(last=False)
        return memory

    def launch(*arguments: int) -> None:
        addresses, integers = arguments[: code.pointers], arguments[code.pointers :]
        # Held until it is in the queue: a block that is given back is handed out behind it.
        memory = blocks.get(integers)
        if memory is None:
            memory = block_of(integers)
        launcher(*addresses, memory.pointer, *integers)

    return launch
