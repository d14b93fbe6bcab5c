"""How were kernels come by? Counts, for `stats()` and benchmarks."""

from __future__ import annotations

from ...dialects.records import record


@record(frozen=False)
class KernelCounters:
    """How kernels were come by, since the process began or since a function was made."""

    compiled: int = 0
    reused: int = 0
    loaded_from_disk: int = 0

    @property
    def origin(self) -> str:
        """How one kernel was come by, in words.

        >>> KernelCounters(reused=1).origin
        'reused'
        """
        if self.loaded_from_disk:
            return "loaded from disk"
        return "compiled" if self.compiled else "reused"

    def add(self, other: KernelCounters) -> None:
        """Count what another counted."""
        self.compiled += other.compiled
        self.reused += other.reused
        self.loaded_from_disk += other.loaded_from_disk
