"""How does code of a kernel that was made quickly become better code? Once, when somebody asks.

A kernel whose code was made in a hurry holds a `BetterCode`. Whoever stores the kernel takes the
better one, which is made at once if nobody has; whoever runs it is told when it is made.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ...dialects.locks import new_lock

Kernel = TypeVar("Kernel")


class Hurried(NamedTuple):
    """Code that was made in a hurry, and what makes better code of the same kernel.

    `most_work` is how much work a launch may be that it does for (`KernelCode.cost` times points).
    """

    code: bytes
    better: Callable[[], bytes]
    most_work: int | None = None


class Taker(Protocol):
    """Who runs a kernel, and goes on with better code of it."""

    def take_better(self, kernel: Any, /) -> None:
        """Run this kernel from now on."""


class BetterCode(Generic[Kernel]):
    """A kernel that takes longer to make than another that computes the same, and runs faster.

    >>> class Shown:
    ...     def take_better(self, kernel):
    ...         print(kernel)
    >>> better, shown = BetterCode(lambda: "fast"), Shown()
    >>> better.made, better.when_made(shown)
    (None, None)
    >>> better.get()
    fast
    'fast'
    """

    __slots__ = ("_lock", "_make", "_making", "_takers", "made", "most_work")

    def __init__(self, make: Callable[[], Kernel], most_work: int | None = None) -> None:
        """Make nothing yet; a launch that is more work than `most_work` should not do without."""
        self.most_work = most_work
        #: The kernel, once it is made.
        self.made: Kernel | None = None
        self._make: Callable[[], Kernel] | None = make
        #: They may end before: most kernels are never made better.
        self._takers: list[weakref.ref[Taker]] = []
        #: Of the takers; nobody waits for anything else who holds it.
        self._lock = new_lock()
        self._making = new_lock()

    def __deepcopy__(self, _: object) -> BetterCode[Kernel]:
        """Return it itself: there is one for each kernel."""
        return self

    def get(self) -> Kernel:
        """Return the kernel; the first who asks makes it, and hands it to those who wait for it."""
        with self._making:
            if self.made is None:
                assert self._make is not None
                made = self._make()
                with self._lock:
                    self.made = made
                self._make = None
        while self._takers:
            with self._lock:
                taker = self._takers.pop(0)() if self._takers else None
            if taker is not None:
                taker.take_better(self.made)
        return self.made

    def is_awaited_by(self, work: int) -> bool:
        """Whether a launch that is so much work should wait for the kernel.

        >>> better = BetterCode(lambda: "fast", 1000)
        >>> better.is_awaited_by(1000), better.is_awaited_by(1001)
        (False, True)
        """
        return self.made is None and self.most_work is not None and work > self.most_work

    def when_made(self, taker: Taker) -> None:
        """Hand the kernel to who lives when it is made, at once if it is."""
        with self._lock:
            if self.made is None:
                self._takers = [known for known in self._takers if known() is not None]
                self._takers.append(weakref.ref(taker))
                return
        taker.take_better(self.made)
