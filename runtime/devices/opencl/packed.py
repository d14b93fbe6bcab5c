"""How does a kernel get more integers than a launch can pass? In a buffer, written before it."""

from __future__ import annotations

import ctypes
import struct
from collections import OrderedDict
from typing import TYPE_CHECKING

from ....dialects.diagnostics import InternalError
from ...execution.artifact import KernelCode
from ...execution.storage import Storage
from ..base import Launcher

if TYPE_CHECKING:
    from .runtime import OpenClRuntime

#: How many different integers of a kernel stay on the device.
BLOCKS = 16


def packing(runtime: OpenClRuntime, code: KernelCode, launcher: Launcher) -> Launcher:
    """Return what launches a kernel whose integers lie behind its last address."""
    blocks: OrderedDict[tuple[int, ...], Storage] = OrderedDict()

    def block_of(integers: tuple[int, ...]) -> Storage:
        try:
            words = struct.pack(f"<{code.integers}q", *integers)
        except struct.error as error:
            raise InternalError(f"kernel '{code.name}' takes 64-bit integers: {error}") from None
        memory = runtime.allocate(len(words))
        source = ctypes.create_string_buffer(words, len(words))
        runtime.copy_in(ctypes.addressof(source), memory, 0, len(words))
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
