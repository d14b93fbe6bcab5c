"""What does an OpenCL error code mean for the user? One table, and a block that translates."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ....dialects.diagnostics import InternalError, TrilithError, TrilithRuntimeError, user_location
from ...execution.allocator import OutOfMemoryError
from .library import INSTALL, library

_VANISHED = "the device does not answer any more"
_FOREIGN = "memory or events of another OpenCL context were used"
_SHAPE = "the launch does not fit the device"
_ARGUMENTS = "the arguments do not fit the kernel"
_MEMORY = "out of memory"

#: code -> (name in OpenCL, error, what it means)
ERRORS: dict[int, tuple[str, type[TrilithError], str]] = {
    -1: ("DEVICE_NOT_FOUND", TrilithRuntimeError, "there is no OpenCL device"),
    -2: ("DEVICE_NOT_AVAILABLE", TrilithRuntimeError, _VANISHED),
    -4: ("MEM_OBJECT_ALLOCATION_FAILURE", OutOfMemoryError, _MEMORY),
    -5: ("OUT_OF_RESOURCES", OutOfMemoryError, "the device is out of resources"),
    -6: ("OUT_OF_HOST_MEMORY", OutOfMemoryError, "out of memory on the host"),
    -11: ("BUILD_PROGRAM_FAILURE", InternalError, "a kernel does not build"),
    -14: (
        "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        TrilithRuntimeError,
        "an earlier command failed",
    ),
    -15: ("COMPILE_PROGRAM_FAILURE", InternalError, "a kernel does not compile"),
    -17: ("LINK_PROGRAM_FAILURE", InternalError, "a kernel does not link"),
    -33: ("INVALID_DEVICE", TrilithRuntimeError, _VANISHED),
    -34: ("INVALID_CONTEXT", TrilithRuntimeError, _FOREIGN),
    -36: ("INVALID_COMMAND_QUEUE", TrilithRuntimeError, _VANISHED),
    -38: ("INVALID_MEM_OBJECT", TrilithRuntimeError, _FOREIGN),
    -42: ("INVALID_BINARY", TrilithRuntimeError, "a stored kernel does not load"),
    -46: ("INVALID_KERNEL_NAME", InternalError, "a program lacks its kernel"),
    -49: ("INVALID_ARG_INDEX", InternalError, _ARGUMENTS),
    -50: ("INVALID_ARG_VALUE", InternalError, _ARGUMENTS),
    -51: ("INVALID_ARG_SIZE", InternalError, _ARGUMENTS),
    -52: ("INVALID_KERNEL_ARGS", InternalError, _ARGUMENTS),
    -53: ("INVALID_WORK_DIMENSION", InternalError, _SHAPE),
    -54: ("INVALID_WORK_GROUP_SIZE", InternalError, _SHAPE),
    -55: ("INVALID_WORK_ITEM_SIZE", InternalError, _SHAPE),
    -58: ("INVALID_EVENT", TrilithRuntimeError, _FOREIGN),
    -61: ("INVALID_BUFFER_SIZE", OutOfMemoryError, "more than the device allocates at once"),
    -63: ("INVALID_GLOBAL_WORK_SIZE", InternalError, _SHAPE),
    -1001: ("PLATFORM_NOT_FOUND_KHR", TrilithRuntimeError, "there is no OpenCL platform"),
}

_HINTS = {-1: INSTALL, -1001: INSTALL}


def translated(error: Any, what: str) -> TrilithError:
    """Return the error for what pyopencl raised while trilith was doing `what`."""
    code = int(getattr(error, "code", 0) or 0)
    name, kind, meaning = ERRORS.get(code, (f"error {code}", TrilithRuntimeError, str(error)))
    found = kind(f"OpenCL: {meaning} ({name}, {what})", hint=_HINTS.get(code))
    if isinstance(found, InternalError):
        found.location = user_location()  # what the program did last tells most
    return found


class translating:
    """A block in which pyopencl's errors become trilith's; it says what was being done.

    A class, because the error takes the line of the innermost frame that is not trilith's.
    """

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        """Remember what the block does."""
        self.what = what

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise the error that one of pyopencl's means."""
        if error is not None and isinstance(error, library().Error):
            raise translated(error, self.what) from error
