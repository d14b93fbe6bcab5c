"""How does the text of kernels become programs, and where do those stay between processes?

Building costs 150 to 800 ms, most of it once per program. So a kernel is built when it is first
launched, together with all that were loaded and wait: those of one artifact become one program.
Drivers compile on at the first launch, and a binary taken then makes both unnecessary in the next
process; so binaries go to the disk cache when their kernels have run (`binaries`). The key is
everything that decides the contents; the cache authenticates, and what does not load is built.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from ....dialects.diagnostics import InternalError, TrilithRuntimeError, user_location
from ....dialects.locks import imported, new_lock
from ....dialects.records import record
from ...execution.artifact import KernelCode
from ...execution.cache import default_cache
from .binaries import BinaryStore, Program
from .discovery import DeviceEntry
from .errors import translated
from .library import library
from .processor import given_name

VERSION = 1
#: How many kernels become one program at most.
LARGEST_PROGRAM = 24
_FIRST_LINE = "// trilith: "
#: Stands in the text of a kernel that computes with float64.
_DOUBLES = "#pragma OPENCL EXTENSION cl_khr_fp64"
_DEFINITION = re.compile(r"(static|typedef|inline|__constant|constant)\b")


@cache
def driver() -> Any:
    """Return pyopencl's inner module: its outer programs have a cache of their own."""
    return imported("pyopencl._cl")


@record
class Geometry:
    """The first line of a kernel's text: `local` work items in a group, and how many items.

    `items` holds (position of an integer, how many of what it counts one item does), or one group
    where items work together.
    """

    local: int
    items: tuple[tuple[int, int], ...]
    is_grouped: bool = False

    @staticmethod
    def of(text: str, name: str) -> Geometry:
        """Read it from the text of a kernel.

        >>> Geometry.of('// trilith: {"local": [4], "global": [[0, 8]]}', "k").size((20,))
        4
        """
        first = text.partition("\n")[0]
        try:
            if not first.startswith(_FIRST_LINE):
                raise ValueError("no geometry")
            content: Any = json.loads(first.removeprefix(_FIRST_LINE))
            (local,) = content["local"]
            is_grouped = "groups" in content
            entries = content["groups" if is_grouped else "global"]
            items = tuple((int(argument), int(step)) for argument, step in entries)
            if local < 1 or any(argument < 0 or step < 1 for argument, step in items):
                raise ValueError("no sizes")
        except (ValueError, KeyError, TypeError) as error:
            raise InternalError(
                f"kernel '{name}' does not say how to launch it: {first}"
            ) from error
        return Geometry(int(local), items, is_grouped)

    def size(self, integers: Sequence[int], local: int = 0) -> int:
        """Return the number of work items for a launch, a multiple of the local size, or 0."""
        local = local or self.local
        count = 1
        for argument, step in self.items:
            count *= -(-integers[argument] // step)
        if self.is_grouped:
            return max(count, 0) * self.local
        return -(-count // local) * local if count > 0 else 0


class PendingKernel:
    """A kernel that was loaded; `build` gives what can be launched."""

    __slots__ = ("code", "geometry", "program", "table", "text")

    def __init__(self, table: ProgramTable, code: KernelCode) -> None:
        self.table = table
        self.code = code
        self.text = code.code.decode()
        self.geometry = Geometry.of(self.text, code.name)
        self.program: Program | None = None

    def build(self) -> Any:
        """Return a kernel object of this program, building what waits if need be."""
        program = self.program or self.table.build(self)
        return driver().Kernel(program.handle, self.code.name)

    def has_run(self) -> None:
        """Remember that the kernel was launched once."""
        if self.program is not None:
            self.program.ran.add(self.code.name)


class ProgramTable:
    """The programs of one device."""

    def __init__(self, context: Any, entry: DeviceEntry, options: str) -> None:
        """Hold nothing."""
        self._context = context
        self._entry = entry
        #: The processor's name, if it was given one: code for another name is another code.
        self._processor = given_name(entry.handle)
        self._options = options
        self.lock = new_lock()
        self._waiting: list[PendingKernel] = []
        self._programs: dict[str, Program] = {}
        #: Programs whose binary is to be stored when their kernels have run.
        self.binaries = BinaryStore()
        self.built = 0
        self.loaded = 0

    def load(self, code: KernelCode) -> PendingKernel:
        """Take a kernel in; it is built at its first launch.

        Raises TrilithRuntimeError for one that needs float64 where the device has none.
        """
        pending = PendingKernel(self, code)
        if _DOUBLES in pending.text and not self._entry.has_double:
            raise TrilithRuntimeError(
                f"kernel '{code.name}' computes with float64, which the OpenCL device "
                f"'{self._entry.name}' does not have",
                hint="use float32, or compute on the host",
            )
        with self.lock:
            self._waiting.append(pending)
        return pending

    def build(self, kernel: PendingKernel) -> Program:
        """Build a kernel and those that wait with it, and return its program."""
        with self.lock:
            if kernel.program is None:
                self._build_waiting(kernel)
            assert kernel.program is not None
            return kernel.program

    def hold(self, seconds: float | None = None) -> bool:
        """Keep other threads from building until `release`; False if it takes too long."""
        return self.lock.acquire(timeout=-1 if seconds is None else max(seconds, 0.0))

    def release(self) -> None:
        """Undo `hold`."""
        self.lock.release()

    def store(self) -> None:
        """Store the binaries of programs whose kernels have all run, soon; call after a wait."""
        self.binaries.kick(default_cache())

    def close(self) -> None:
        """Store the binaries of programs that have run, now."""
        self.binaries.finish(default_cache())

    # Inside, with the lock held

    def _build_waiting(self, kernel: PendingKernel) -> None:
        """Find programs for all that wait: remembered, stored, or built now, as one."""
        waiting = [other for other in self._waiting if other is not kernel]
        batch = [kernel, *waiting[-LARGEST_PROGRAM + 1 :]]
        missing = [each for each in batch if not self._recall(each)]
        unique = {each.code.name: each for each in missing}
        same_name = [each for each in missing if unique[each.code.name] is not each]
        if kernel in same_name:
            unique, same_name = {kernel.code.name: kernel}, []
        if unique:
            self._build(list(unique.values()), kernel)
        taken = [each for each in batch if each.program is not None]
        self._waiting = [each for each in self._waiting if each not in taken]

    def _build(self, kernels: list[PendingKernel], wanted: PendingKernel) -> None:
        """Build kernels as one program; if that fails, the wanted one alone."""
        try:
            handle = self._compile(merged([kernel.text for kernel in kernels]))
        except library().Error as error:
            if len(kernels) > 1:
                self._build([wanted], wanted)
                return
            raise self._failure(wanted, error) from error
        names = tuple(kernel.code.name for kernel in kernels)
        digest = hashlib.sha256("\0".join(kernel.text for kernel in kernels).encode()).hexdigest()
        program = Program(self._key("program", digest), handle, names)
        self._programs[program.key] = program
        self.built += 1
        for kernel in kernels:
            kernel.program = program
            key = self._kernel_key(kernel)
            program.kernel_keys.append(key)
            self._programs[key] = program
        self.binaries.add(program)

    def _compile(self, text: str) -> Any:
        program = driver()._Program(self._context, text.encode())
        program._build(options=self._options.encode(), devices=[self._entry.handle])
        return program

    def _failure(self, kernel: PendingKernel, error: Any) -> Exception:
        """Return the error for a kernel that does not build, with its text and the build's log."""
        found = translated(error, f"kernel '{kernel.code.name}'")
        if not isinstance(found, InternalError):
            return found
        log = self._log(kernel.text)
        return InternalError(
            f"the OpenCL device '{self._entry.name}' does not build kernel '{kernel.code.name}'",
            ir=f"{log}\n{kernel.text}",
            hint=log.splitlines()[0] if log else None,
            location=user_location(),
        )

    def _log(self, text: str) -> str:
        """Build once more for the log, which the failed program kept."""
        cl = library()
        program = driver()._Program(self._context, text.encode())
        try:
            program._build(options=self._options.encode(), devices=[self._entry.handle])
        except cl.Error:
            logs = program.get_build_info(self._entry.handle, cl.program_build_info.LOG)
            return str(logs).strip(" \0\n")
        return ""

    def _recall(self, kernel: PendingKernel) -> bool:
        """Find the program of a kernel in memory or on disk."""
        key = self._kernel_key(kernel)
        program = self._programs.get(key)
        disk = default_cache() if program is None else None
        if disk is not None:
            found = disk.get(key)
            if found is not None:
                program = self._load(found.decode(errors="replace"), kernel.code.name)
        if program is None:
            return False
        kernel.program = self._programs[key] = program
        return True

    def _load(self, program_key: str, name: str) -> Program | None:
        """Load a stored program that holds a kernel; None if anything is wrong with it."""
        program = self._programs.get(program_key)
        if program is not None:
            return program if name in program.names else None
        disk = default_cache()
        data = None if disk is None else disk.get(program_key)
        if data is None:
            return None
        try:
            handle = driver()._Program(self._context, [self._entry.handle], [data])
            handle._build(options=b"", devices=[self._entry.handle])
            names = str(handle.get_info(library().program_info.KERNEL_NAMES)).split(";")
        except (library().Error, TypeError, ValueError):
            return None
        if name not in names:
            return None
        program = self._programs[program_key] = Program(program_key, handle, tuple(names))
        self.loaded += 1
        return program

    def _kernel_key(self, kernel: PendingKernel) -> str:
        digest = hashlib.sha256(kernel.code.code).hexdigest()
        return self._key("kernel", f"{kernel.code.name} {digest}")

    def _key(self, kind: str, digest: str) -> str:
        identity = json.dumps([*self._entry.identity[:4], self._options])
        return f"opencl {VERSION} {kind} {digest} {identity} {self._processor}"


def merged(texts: Sequence[str]) -> str:
    """Return one program's text; definitions that several texts share stand there once.

    >>> print(merged(["static int f() {\\n}\\n__kernel void a() {}"] * 2))
    static int f() {
    }
    __kernel void a() {}
    __kernel void a() {}
    """
    if len(texts) == 1:
        return texts[0]
    seen: set[str] = set()
    lines: list[str] = []
    for text in texts:
        for chunk in _chunks(text):
            if _DEFINITION.match(chunk):
                if chunk in seen:
                    continue
                seen.add(chunk)
            lines.append(chunk)
    return "\n".join(lines)


def _chunks(text: str) -> list[str]:
    """Split a text into lines and definitions, which end where a line begins with a brace."""
    chunks: list[str] = []
    inside: list[str] = []
    for line in text.splitlines():
        if inside or (_DEFINITION.match(line) and not line.endswith((";", "}"))):
            inside.append(line)
            if line.startswith("}"):
                chunks.append("\n".join(inside))
                inside = []
        else:
            chunks.append(line)
    return [*chunks, *inside]


def check_target(code: KernelCode) -> None:
    """Raise TrilithRuntimeError for a kernel that was not made for OpenCL."""
    if code.target != "opencl":
        raise TrilithRuntimeError(
            f"kernel '{code.name}' was compiled for '{code.target}', not for OpenCL",
            hint="compile it again",
        )
