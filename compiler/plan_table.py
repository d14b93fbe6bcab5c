"""Who makes a plan that several threads need, and who remembers it? A table: once, and for a while.

One thread makes the plan of a key, others wait for it. That is an economy and no need: nobody waits
for longer than `PATIENCE`, and who is asked again in the midst of making (by a signal handler, a
finalizer) makes the plan for itself. So two threads that wait for each other end all the same, and
in a forked child a key that another thread was busy with is taken over.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ..dialects.locks import new_lock

Key = TypeVar("Key")
Plan = TypeVar("Plan")

#: Seconds to wait for another thread that makes a plan, and between looks whether it still does.
PATIENCE, SLICE = 10.0, 0.05


class PlanTable(Generic[Key, Plan]):
    """Plans by key, at most `limit` of them: the least recently used are forgotten.

    >>> table: PlanTable[str, int] = PlanTable(2)
    >>> [table.get(key, lambda: len(key)) for key in ("a", "bb", "a", "ccc")]
    [1, 2, 1, 3]
    >>> table.find("bb"), table.find("a"), len(table)
    (None, 1, 2)
    """

    def __init__(self, limit: int) -> None:
        """Remember nothing yet."""
        self._limit = limit
        self._plans: OrderedDict[Key, Plan] = OrderedDict()
        self._lock = new_lock()
        #: Locks of those who make plans, held meanwhile.
        self._makers: dict[Key, Any] = {}

    def __len__(self) -> int:
        """Return how many plans are remembered."""
        return len(self._plans)

    @property
    def in_the_making(self) -> int:
        """How many plans are made right now."""
        return len(self._makers)

    def find(self, key: Key) -> Plan | None:
        """Return the plan of a key if there is one, used just now."""
        with self._lock:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
        return plan

    def get(self, key: Key, make: Callable[[], Plan]) -> Plan:
        """Return the plan of a key, made if need be; `make` must not give None.

        What `make` raises is raised, and the next one who asks tries again.
        """
        plan = self.find(key)
        while plan is None:
            own = new_lock()
            other: Any = None
            # An interrupt between any two steps leaves no entry and no lock behind.
            with own:
                try:
                    other = self._makers.setdefault(key, own)
                    if other is own:
                        return self._make(key, make)
                finally:
                    if other is own or other is None:
                        self._makers.pop(key, None)
            if not self._is_over(key, other):
                try:
                    return self._make(key, make)
                finally:
                    self._makers.pop(key, None)
            plan = self.find(key)
        return plan

    def clear(self) -> None:
        """Forget every plan."""
        with self._lock:
            self._plans.clear()

    def _make(self, key: Key, make: Callable[[], Plan]) -> Plan:
        plan = make()
        with self._lock:
            self._plans[key] = plan
            self._plans.move_to_end(key)
            while len(self._plans) > self._limit:
                self._plans.popitem(last=False)
        return plan

    def _is_over(self, key: Key, maker: Any) -> bool:
        """Wait until somebody has made a plan, or failed; False if they never will.

        Whose lock is free and still entered is gone, or is this thread itself.
        """
        deadline = time.monotonic() + PATIENCE
        while self._makers.get(key) is maker:
            if maker.acquire(timeout=SLICE):
                maker.release()
                return self._makers.get(key) is not maker
            if time.monotonic() > deadline:
                return False
        return True
