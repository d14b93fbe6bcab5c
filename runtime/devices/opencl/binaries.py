"""When do binaries go to the disk? In a thread of their own, when nothing is being built.

A driver may compile once more before it gives a binary (PoCL: 85 ms for each kernel), so nobody
waits for it: not the program, and not the interpreter's lock, which pyopencl would hold meanwhile.
The thread begins when no new kernel came for a while, and ends when all is stored; what it has not
reached is stored when the interpreter ends.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any

from ....dialects.locks import new_lock
from ....dialects.records import field, record
from ...execution.cache import DiskCache
from .library import STATE, library

#: Seconds without a new kernel before binaries are asked for.
QUIET = 0.5
#: What the thread is called.
THREAD = "trilith-opencl-binaries"
_SIZES, _BINARIES = 0x1165, 0x1166  # CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARIES


@record(frozen=False, eq=False)
class Program:
    """A built program: which of its kernels have run, and the keys they are stored under."""

    key: str
    handle: Any
    names: tuple[str, ...]
    ran: set[str] = field(default_factory=set[str])
    kernel_keys: list[str] = field(default_factory=list[str])

    @property
    def has_run(self) -> bool:
        """Whether every kernel has run, so that the binary holds all that a driver compiles."""
        return len(self.ran) == len(self.names)


class BinaryStore:
    """The programs of one device that were built and not yet stored."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.waiting: list[Program] = []
        self._lock = new_lock()  # a finalizer may wait in the midst
        #: Something for each kernel that is new; a handler may add one while this thread does.
        self._news: SimpleQueue[None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_ending = False

    def add(self, program: Program) -> None:
        """Take a program in; it is stored after its kernels have run."""
        with self._lock:
            self.waiting.append(program)
        self._news.put(None)

    def kick(self, disk: DiskCache | None) -> None:
        """Let the thread begin; called when kernels have run."""
        with self._lock:
            if disk is None:
                self.waiting.clear()
            elif self._may_start() and any(program.has_run for program in self.waiting):
                self._thread = threading.Thread(
                    target=self._work, args=(disk,), name=THREAD, daemon=True
                )
                self._thread.start()

    def finish(self, disk: DiskCache | None) -> None:
        """Store what is left, now."""
        with self._lock:
            self._is_ending = True
            thread = self._thread
        self._news.put(None)
        if thread is not None:
            thread.join()
        with self._lock:
            programs, self.waiting = self.waiting, []
        for program in programs:
            if disk is not None and program.ran:
                store(program, disk)
        self._is_ending = False

    def _work(self, disk: DiskCache) -> None:
        while True:
            while not self._is_ending and self._is_news():
                pass
            program = self._next()
            if program is None:
                return
            store(program, disk)

    def _is_news(self) -> bool:
        """Wait for a new kernel; False if there was none for a while."""
        try:
            self._news.get(timeout=QUIET)
        except Empty:
            return False
        return True

    def _may_start(self) -> bool:
        return self._thread is None and not self._is_ending

    def _next(self) -> Program | None:
        """Return a program that has run; None, and no thread any more, if there is none."""
        with self._lock:
            for program in self.waiting:
                if program.has_run:
                    self.waiting.remove(program)
                    return program
            self._thread = None
        return None


def store(program: Program, disk: DiskCache) -> None:
    """Put a program's binary into the cache, and where each of its kernels is."""
    binary = b"" if STATE.is_forked else binary_of(program.handle)
    if binary:
        disk.put(program.key, binary)
        for key in program.kernel_keys:
            disk.put(key, program.key.encode())


def binary_of(handle: Any) -> bytes:
    """Return the binary of a program on its one device; empty if the driver gives none."""
    ask = _program_info()
    if ask is None:
        try:
            (binary,) = handle.get_info(library().program_info.BINARIES)
        except (library().Error, ValueError):
            return b""
        return bytes(binary)
    size = ctypes.c_size_t(0)
    width = ctypes.sizeof(size)
    if ask(handle.int_ptr, _SIZES, width, ctypes.byref(size), None) or not size.value:
        return b""
    content = ctypes.create_string_buffer(size.value)
    pointer = ctypes.c_void_p(ctypes.addressof(content))
    if ask(handle.int_ptr, _BINARIES, width, ctypes.byref(pointer), None):
        return b""
    return content.raw


@cache
def _program_info() -> Any:
    """Return the library's own function, which runs without the interpreter's lock, or None."""
    try:
        function = ctypes.CDLL(library()._cl.__file__).clGetProgramInfo
    except (OSError, AttributeError):
        return None
    function.restype = ctypes.c_int32
    function.argtypes = (
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p),
        ctypes.c_void_p,
    )
    return function
