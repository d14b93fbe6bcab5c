"""What has a compiled function done so far? Counters, for people and for tests."""

from __future__ import annotations

from ...dialects.records import record
from ..plan_table import TableStats


@record(frozen=False)
class Stats:
    """What a compiled function has done so far.

    `traces` counts kinds of arguments: the sizes of the first call, and all others that
    pass the guards of one plan. `kernels_compiled` runs of LLVM, `kernels_reused` kernels
    that existed in this process, `kernels_loaded` those that came from the disk cache,
    `eager_calls` calls that ran operation by operation, since what the function does to its
    arguments' memory, or what it reads of their values, cannot be traced. `table` says what is
    remembered, and how often it was found.
    """

    calls: int
    traces: int
    plans: int
    kernels_compiled: int
    kernels_reused: int
    kernels_loaded: int
    eager_calls: int
    table: TableStats
