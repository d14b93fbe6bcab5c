"""With how many threads does the host make long launches?

Threads are native code (`runtime/native/threads.py`): here is the memory that they share, which
says how many there may be, and what Python does to have a launch made by several. Where there is
no native code, each launch is made by the thread that calls. No result depends on the number.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.frames import warn_user
from ..execution.artifact import KernelCode
from ..execution.kernel_cuts import point_sizes, shifts_of
from ..native import form
from .base import Launcher

#: Work is counted in additions of one element, of which a thread makes 40 in a nanosecond: what is
#: shared takes 20 us, wakes who sleeps from 150 us on, and parts take 10 us.
LEAST_WORK, WORK_TO_WAKE, WORK_OF_PART = 800_000, 6_000_000, 400_000
#: After so much work in long launches (50 ms) it is worth compiling native code for them.
WORK_TO_COMPILE = 2_000_000_000
_LINE = 64


class Threads:
    """The threads of this process that make launches together with who calls."""

    def __init__(self) -> None:
        """Begin with none; how many there may be is found out when it is asked."""
        self._memory = (ctypes.c_int64 * (form.SHARED_WORDS + _LINE // 8))()
        #: Where the words begin that all threads look at: a line of the cache.
        self.address = -(-ctypes.addressof(self._memory) // _LINE) * _LINE
        self._write(form.LEAST_WORK, LEAST_WORK)
        self._write(form.WORK_TO_WAKE, WORK_TO_WAKE)
        self._write(form.WORK_OF_PART, WORK_OF_PART)
        self._made_alone = 0
        #: `share(function, words, count, cuts)` of native code, once there is any.
        self.share: Any = None
        #: Loads native code, if it is there; compiles it, if there can be any.
        self.load: Callable[[], bool] = bool
        self.compile: Callable[[], bool] = bool

    def _write(self, offset: int, value: int) -> None:
        ctypes.c_int64.from_address(self.address + offset).value = value

    def _read(self, offset: int) -> int:
        return ctypes.c_int64.from_address(self.address + offset).value

    @property
    def count(self) -> int:
        """How many threads make a launch, the one that calls among them."""
        if not self._read(form.THREADS):
            self._write(form.THREADS, usual_count())
        return self._read(form.THREADS)

    @count.setter
    def count(self, number: int) -> None:
        self._write(form.THREADS, number)

    @property
    def started(self) -> int:
        """How many threads were started so far."""
        return self._read(form.STARTED)

    def load_for(self, work: int) -> None:
        """Load native code, if it is there, or worth compiling for a launch that takes long."""
        self._made_alone += work
        if self._made_alone > WORK_TO_COMPILE:
            self._made_alone = 0
            self.compile()
        else:
            self.load()

    def begin(self, address: int) -> None:
        """Let launches be shared by native code that is there now."""
        assert self.count
        words = [ctypes.c_int64] * 4
        self.share = ctypes.CFUNCTYPE(ctypes.c_int64, *words)(address)

    def share_all(self, *, is_on: bool = True) -> None:
        """Share each launch that can be cut, however short, between any elements: for tests."""
        self._write(form.SHARES_ALL, int(is_on))

    def forget(self) -> None:
        """Know of no thread: in a forked child there are none."""
        for offset in (form.BUSY, form.STARTED, form.SLEEPERS, form.UNSHARED):
            self._write(offset, 0)
        # What nobody has taken is another process's; the number still tells launches apart.
        for row in range(form.MOST_ROWS):
            self._write(form.TICKETS + row * form.TICKET_BYTES, 0)


THREADS = Threads()
os.register_at_fork(after_in_child=THREADS.forget)


def get_num_threads() -> int:
    """Return how many threads a long launch on the CPU may use.

    That is what `set_num_threads` said, else `TRILITH_NUM_THREADS` or `OMP_NUM_THREADS`, else how
    many processors this process may use: by its affinity, and by the quota of its cgroup.

    >>> import trilith as tri
    >>> tri.get_num_threads() >= 1
    True
    """
    return THREADS.count


def set_num_threads(number: int) -> None:
    """Let long launches on the CPU use so many threads; with 1, only the one that calls.

    No result depends on the number. Raises TrilithRuntimeError for what is no int or below 1, as
    PyTorch does.

    >>> import trilith as tri
    >>> before = tri.get_num_threads()
    >>> tri.set_num_threads(2)
    >>> tri.get_num_threads()
    2
    >>> tri.set_num_threads(before)
    """
    if type(number) is not int:
        kind = type(number).__name__
        raise TrilithRuntimeError(f"set_num_threads expects an int, but got {kind}")
    if number < 1:
        raise TrilithRuntimeError("set_num_threads expects a positive integer")
    THREADS.count = min(number, 1 << 15)


def usual_count() -> int:
    """Return how many threads there are if nobody says so."""
    said = os.environ.get("TRILITH_NUM_THREADS", "")
    for words in (said, os.environ.get("OMP_NUM_THREADS", "")):
        text = words.partition(",")[0].strip()
        if text.isdecimal() and int(text) > 0:
            return min(int(text), 1 << 15)
        if text and words is said:
            warn_user(f"TRILITH_NUM_THREADS={said!r} is no number of threads; it is ignored")
    try:
        count = len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        count = os.cpu_count() or 1
    limit = quota()
    return max(1, count if limit is None else min(count, limit))


def quota(root: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return how many processors the cgroup of this process may keep busy, None if all."""
    try:
        words = (root / "cpu.max").read_text().split()
    except OSError:
        try:
            names = ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")
            words = [(root / name).read_text() for name in names]
        except OSError:
            return None
    try:
        quota, period = int(words[0]), int(words[1])
    except (ValueError, IndexError):
        return None  # "max"
    return -(-quota // period) if quota > 0 and period > 0 else None


def cut_words(kernel: KernelCode) -> list[int]:
    """Return what says to native code how a launch of a kernel may be cut: see `native/form.py`.

    Positions are those of words: integers follow pointers.
    """
    before = kernel.pointers
    sizes = [before + number for number in point_sizes(kernel.buffers, kernel.cuts)]
    words = [kernel.cost, len(sizes), len(kernel.cuts), *sizes]
    for cut in kernel.cuts:
        shifts = shifts_of(kernel.buffers, cut)
        words += before + cut.extent, cut.grain, cut.parts, len(shifts)
        for shift in shifts:
            stride = form.NO_WORD if shift.stride is None else before + shift.stride
            words += before + shift.integer, stride, shift.factor
    return words


def can_be_shared(kernel: KernelCode) -> bool:
    """Whether launches of a kernel may be made by several threads."""
    return bool(kernel.cuts) and kernel.pointers + kernel.integers <= form.MOST_WORDS


def shared_launcher(
    kernel: KernelCode, launcher: Launcher, integers: Sequence[Any] | None = None
) -> Launcher:
    """Return what makes a launch of a kernel by several threads, if it takes long.

    Its integers, if they are known, say whether that can be. It is called as `launcher` is. A
    kernel that can fail is run by one thread, which reports the first fault: only native code,
    which asks for no more than whether there was one, shares it.
    """
    sizes = point_sizes(kernel.buffers, kernel.cuts)
    # Machine code knows what owns it; what stands in its place, in a test, is called as it is.
    is_machine_code = hasattr(launcher, "owner")
    if not can_be_shared(kernel) or kernel.can_fail or not is_machine_code:
        return launcher
    if integers is not None and kernel.cost * prod(integers[n] for n in sizes) < LEAST_WORK:
        return launcher
    words = cut_words(kernel)
    cuts = (ctypes.c_int64 * len(words))(*words)
    where = ctypes.addressof(cuts)
    address = ctypes.cast(launcher, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType]
    count = kernel.pointers + kernel.integers
    block = ctypes.c_int64 * count
    places = [kernel.pointers + number for number in sizes]

    def launch(*given: Any) -> None:
        if THREADS.count > 1:
            filled = block(*given)
            if THREADS.share is None:
                THREADS.load_for(kernel.cost * prod(filled[place] for place in places))
            share = THREADS.share
            if share is not None and share(address, ctypes.addressof(filled), count, where):
                return
        launcher(*given)

    kept: Any = launch
    kept.cuts = cuts  # it lives as long
    return launch
