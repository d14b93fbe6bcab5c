"""Which core does each thread of PoCL run on? One of its own.

Left to Linux, two threads that are woken for the same kernel often share a core while another one
idles, because kernels are over before the scheduler balances: a sum of 4M floats takes 0.6 ms in
half of the runs and 0.35 in the others. PoCL can pin its threads itself (POCL_AFFINITY=1), but it
reads the variable for the whole process and its children, and knows nothing of a process that may
use some cores only. So its threads, which begin when its devices are first asked for, are found and
pinned here. Whoever sets POCL_AFFINITY decides for themselves.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

VARIABLE = "POCL_AFFINITY"
_PLATFORM = "Portable Computing Language"
_TASKS = "/proc/self/task"


def devices_of(platform: Any) -> Sequence[Any]:
    """Return the devices of a platform; threads that begin for them get a core each."""
    if platform.name != _PLATFORM or VARIABLE in os.environ:
        return platform.get_devices()
    return pinning_new_threads(platform.get_devices)


def pinning_new_threads(call: Callable[[], Sequence[Any]]) -> Sequence[Any]:
    """Call a function; if it starts one thread for each core there is, give each a core.

    Threads of Python do not count. Nothing happens where Linux does not tell threads or cores.
    """
    before = _threads()
    result = call()
    new = sorted(_threads() - before - {each.native_id for each in threading.enumerate()})
    try:
        cores = sorted(os.sched_getaffinity(0))
        if len(new) == len(cores) > 1:
            for thread, core in zip(new, cores, strict=True):
                os.sched_setaffinity(thread, {core})
    except (OSError, AttributeError):
        pass  # slower, not wrong
    return result


def _threads() -> set[int]:
    """Return the threads of this process; none where Linux does not tell."""
    try:
        return {int(name) for name in os.listdir(_TASKS)}
    except OSError:
        return set()
