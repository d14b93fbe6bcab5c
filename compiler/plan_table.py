"""Who makes a plan that several threads need, and who remembers it? A table: once, and for a while.

One thread makes the plan of a key, others wait for it. That is an economy and no need: nobody waits
for longer than `PATIENCE`, and who is asked again in the midst of making (by a signal handler, a
finalizer) makes the plan for itself. So two threads that wait for each other end all the same, and
in a forked child a key that another thread was busy with is taken over.

Usual calls do not ask for a plan by its key, which takes long to make, but look into `shortcuts`: a
dict by short keys, which is read without a lock. A shortcut lives as long as its plan.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Generic, TypeVar

from ..dialects.locks import new_lock
from ..dialects.records import record

Key = TypeVar("Key")
Plan = TypeVar("Plan")

#: Seconds to wait for another thread that makes a plan, and between looks whether it still does.
PATIENCE, SLICE = 10.0, 0.05


@record
class TableStats:
    """What a table of plans remembers, and what it has done so far.

    `hits` counts plans that were found by their keys, `misses` those that were made, `evictions`
    those that were forgotten for others. What calls found by shortcuts is not counted: counting
    would cost each of them more than it tells.
    """

    plans: int
    shortcuts: int
    hits: int
    misses: int
    evictions: int


class Nothing:
    """Stands in a table for a plan that cannot be made."""


NOTHING = Nothing()


class Sightings:
    """How often calls of some keys were seen; all are forgotten when there are too many.

    >>> seen = Sightings(2)
    >>> [seen.count(key) for key in "aabcba"]
    [1, 2, 1, 1, 1, 1]
    """

    def __init__(self, limit: int) -> None:
        """Remember so many keys."""
        self._limit = limit
        self._counts: dict[Any, int] = {}

    def clear(self) -> None:
        """Forget all keys."""
        self._counts.clear()

    def count(self, key: Any) -> int:
        """Return how often a key was seen, this time among them."""
        count = self._counts[key] = self._counts.get(key, 0) + 1
        if len(self._counts) > self._limit:
            self._counts.clear()
        return count


class PlanTable(Generic[Key, Plan]):
    """Plans by key, at most `limit` of them: the least recently used are forgotten.

    >>> table: PlanTable[str, int] = PlanTable(2)
    >>> [table.get(key, lambda: len(key)) for key in ("a", "bb", "a", "ccc")]
    [1, 2, 1, 3]
    >>> table.find("bb"), table.find("a"), len(table)
    (None, 1, 2)
    >>> table.stats()
    TableStats(plans=2, shortcuts=0, hits=2, misses=3, evictions=1)
    """

    def __init__(self, limit: int) -> None:
        """Remember nothing yet."""
        self._limit = limit
        # Some plans have no shortcut, so that one that is in use is not among the oldest of them.
        self._shortcut_limit = max(1, limit * 3 // 4)
        self._plans: OrderedDict[Key, Plan] = OrderedDict()
        self._lock = new_lock()
        #: Locks of those who make plans, held meanwhile.
        self._makers: dict[Key, Any] = {}
        #: By short keys what runs a plan. It stays this very dict, and only the table changes it.
        self.shortcuts: dict[Any, Any] = {}
        #: By key the short keys of a plan; that of the newest shortcut is last.
        self._short_keys: OrderedDict[Key, list[Any]] = OrderedDict()
        self._hits = self._misses = self._evictions = 0

    def __len__(self) -> int:
        """Return how many plans are remembered."""
        return len(self._plans)

    @property
    def in_the_making(self) -> int:
        """How many plans are made right now."""
        return len(self._makers)

    def stats(self) -> TableStats:
        """Return what is remembered, and counters."""
        with self._lock:
            counters = self._hits, self._misses, self._evictions
            return TableStats(len(self._plans), len(self.shortcuts), *counters)

    def plans(self) -> list[Plan]:
        """Return the plans that are remembered, the one that was not used for longest first."""
        with self._lock:
            return list(self._plans.values())

    def keys(self) -> list[Key]:
        """Return the keys of the plans that are remembered."""
        with self._lock:
            return list(self._plans)

    def behind(self, short: Any) -> Plan | None:
        """Return the plan that a shortcut runs, for who explains a call: it is looked for."""
        with self._lock:
            for key, short_keys in self._short_keys.items():
                if short in short_keys:
                    return self._plans.get(key)
        return None

    def look(self, key: Key) -> Plan | None:
        """Return the plan of a key if there is one, for who explains a call or learns from it."""
        with self._lock:
            return self._plans.get(key)

    def find(self, key: Key) -> Plan | None:
        """Return the plan of a key if there is one, used just now."""
        with self._lock:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
                self._hits += 1
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

    def put(self, key: Key, plan: Plan) -> None:
        """Remember a plan that is there, in the place of another one that the key may have had."""
        with self._lock:
            self._plans.pop(key, None)
            self._make_room()
            self._plans[key] = plan

    def shorten(self, key: Key, short: Any, run: Any) -> None:
        """Let calls find by a short key what runs the plan of a key, while that is remembered.

        There are fewer shortcuts than there may be plans: the plans that were shortened longest ago
        lose theirs, and are found by their keys.
        """
        with self._lock:
            if key not in self._plans:
                return
            # In this order an interrupt leaves no shortcut that nobody would ever remove.
            if short not in self.shortcuts:
                self._short_keys.setdefault(key, []).append(short)
                self._short_keys.move_to_end(key)
            self.shortcuts[short] = run
            while len(self.shortcuts) > self._shortcut_limit and self._short_keys:
                self._drop_shortcuts(map(itemgetter(1), map(self._short_keys.popitem, (False,))))

    def clear(self) -> None:
        """Forget every plan."""
        with self._lock:
            self._plans.clear()
            self.shortcuts.clear()
            self._short_keys.clear()

    def clear_shortcuts(self) -> None:
        """Forget the shortcuts; the plans are found by their keys."""
        with self._lock:
            self.shortcuts.clear()
            self._short_keys.clear()

    def _make(self, key: Key, make: Callable[[], Plan]) -> Plan:
        plan = make()
        with self._lock:
            self._misses += 1
            self.put(key, plan)
        return plan

    def _make_room(self) -> None:
        """Forget plans until there is room for one.

        One with shortcuts may be in use without being seen. It loses them, and becomes the newest:
        if it is in use, it is found by its key and gets them back before its turn comes again.
        """
        while len(self._plans) >= self._limit:
            oldest, plan = self._plans.popitem(last=False)
            if oldest in self._short_keys:
                self._drop_shortcuts(map(self._short_keys.pop, (oldest,), ([],)))
                self._plans[oldest] = plan
            else:
                self._evictions += 1

    def _drop_shortcuts(self, taken: Iterator[list[Any]]) -> None:
        """Remove shortcuts by lists of short keys, which are taken out of where they stand.

        Both is one call of C's, which no handler of signals can leave half done.
        """
        short_keys = chain.from_iterable(taken)
        deque(map(self.shortcuts.pop, short_keys, repeat(None)), maxlen=0)

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
