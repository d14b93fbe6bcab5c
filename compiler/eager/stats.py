"""What have operations done so far that were called outside of compiled functions? Counts."""

from __future__ import annotations

from ...dialects.records import record
from ..kernels.table import KERNELS
from ..plan_table import TableStats
from .operations import OPEN, table


@record
class EagerStats:
    """What operations outside of compiled functions have done, since the process began.

    `plans_for_all_sizes` counts plans that serve every size which passes their guards,
    `plans_for_one_size` those for one shape: of calls whose sizes came often, and of calls that no
    plan for all sizes can be made for. `kinds_without` counts kinds of such calls. `hits` are calls
    that found a plan for all sizes; calls whose sizes have come often find theirs sooner and are
    not counted, as `table` says, nor are those that native code answers. Of several threads that
    count at once one may be missed. `kernels_compiled`, `kernels_reused` and `kernels_loaded` are
    those of the whole process.
    """

    plans_for_all_sizes: int
    plans_for_one_size: int
    kinds_without: int
    hits: int
    kernels_compiled: int
    kernels_reused: int
    kernels_loaded: int
    table: TableStats


def stats() -> EagerStats:
    """Return what operations outside of compiled functions have done so far.

    A compiled function has counters of its own: `f.stats()`.

    >>> import trilith as tri
    >>> _ = [tri.ones(n) + 1 for n in (2, 3)]
    >>> before = tri.stats()
    >>> _ = [tri.ones(n) + 1 for n in range(4, 200)]
    >>> after = tri.stats()
    >>> after.plans_for_all_sizes - before.plans_for_all_sizes
    0
    """
    opened, known, kernels = OPEN.stats(), table().stats(), KERNELS.counters
    return EagerStats(
        *(opened.made, opened.known + known.misses, opened.closed, opened.hits),
        *(kernels.compiled, kernels.reused, kernels.loaded_from_disk, known),
    )
