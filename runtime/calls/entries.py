"""What is called? A callable that has a table of plans, and runs in Python what is not in it.

Its class is made by `native_class`: until there is native code its objects call their Python
function. A call that Python has answered may be learnt from: the plan that answered it is packed
and put where the next such call looks.
"""

from __future__ import annotations

import ctypes
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...dialects.locks import new_lock
from ..native import form
from ..native.types import callable_type, write_word
from .activation import NATIVE
from .held_places import held_words

if TYPE_CHECKING:
    from .packing import CallPlan, PackedPlan

#: Runs a call, and learns from it.
Learn = Callable[..., Any]
#: Gives the plan that answers a call with some arguments, if it can be known.
PlanOf = Callable[[tuple[Any, ...], dict[str, Any]], "CallPlan | None"]

#: A callable asks for native code at this call, and again after each so many: loading it takes as
#: long as a thousand calls in Python, and a short program need not wait for that.
EARLIEST, CALLS = 32, 1 << 8
#: Tables begin with so many places, and grow up to so many while plans push one another out.
SMALLEST, LARGEST = 8, 2048
#: The mask of a hash that has all its bits.
_ALL = (1 << 40) - 1
#: How often plans may push one another out of a table before nothing more is learnt.
MOST_PUSHED_OUT = 8 * LARGEST
#: What has gone wrong where a call was learnt from, which is a flaw: the tests look for none.
FAILED: deque[Exception] = deque(maxlen=64)
#: After fruitless lessons so many at most are left out: other calls may be waiting for theirs.
MOST_LEFT_OUT = 31


class _Places:
    """The places of a table, and the plans whose addresses are in them."""

    __slots__ = ("addresses", "plans")

    def __init__(self, size: int) -> None:
        """Begin without plans."""
        self.addresses = (ctypes.c_int64 * size)()
        self.plans: dict[int, PackedPlan] = {}

    def put(self, place: int, plan: PackedPlan) -> None:
        """Put a plan at a place: an interrupt leaves no address of one that has ended."""
        self.addresses[place] = 0
        self.plans[place] = plan
        self.addresses[place] = plan.address


class _Table:
    """The plans of one kind that a callable has: for single sizes, or for all."""

    __slots__ = ("_lock", "_mask", "_place", "_places", "_pushed_out", "_words")

    def __init__(self, words: ctypes.Array[ctypes.c_int64], place: int, mask: int) -> None:
        """Begin without plans; which of the words of an entry say where they are, and how many."""
        self._words, self._place, self._mask = words, place // 8, mask // 8
        self._lock = new_lock()
        self._pushed_out = 0
        self._places = _Places(SMALLEST)
        self._publish()

    def __len__(self) -> int:
        return len(self._places.plans)

    @property
    def is_full(self) -> bool:
        """Whether plans have pushed one another out too often."""
        return self._pushed_out > MOST_PUSHED_OUT

    def put(self, packed: PackedPlan, place_of: Callable[[int], int]) -> bool:
        """Remember a plan at the place for a mask; return whether it was not there."""
        with self._lock:
            places = self._places
            place = place_of(len(places.addresses) - 1)
            for known in (places.plans.get(place), places.plans.get(place ^ 1)):
                if known is not None and known.is_like(packed):
                    return False  # it was a miss for another reason, and may be again
            if place in places.plans and place ^ 1 in places.plans:
                self._pushed_out += 1
                size = len(places.addresses)
                if self._pushed_out > size and size < LARGEST:
                    places = self._resize(size * 4)
                    place = place_of(size * 4 - 1)
                elif self._pushed_out & 1:
                    place ^= 1
            elif place in places.plans:
                place ^= 1
            places.put(place, packed)
            return True

    def clear(self) -> None:
        """Forget every plan."""
        with self._lock:
            self._pushed_out = 0
            self._resize(SMALLEST)

    def _resize(self, size: int) -> _Places:
        before = self._places
        self._places = made = _Places(size)
        self._publish()
        del before  # until here native code may have looked there
        return made

    def _publish(self) -> None:
        """Tell native code where the places are: once more if a handler has made others."""
        while True:
            places = self._places
            self._words[self._place] = 0
            self._words[self._mask] = len(places.addresses) - 1
            self._words[self._place] = ctypes.addressof(places.addresses)
            if self._places is places:
                return


class Entry:
    """The tables of one callable, and the words by which native code knows it."""

    __slots__ = (
        *("__weakref__", "_fruitless", "_held", "_kept", "_learnt", "_noted", "_open_plans"),
        *("_plans", "_sample"),
        "words",
    )

    def __init__(self, slow: Callable[..., Any], learn: Learn, *, binds: bool) -> None:
        """Begin without plans; `binds` says that the callable itself is the first argument."""
        self.words = (ctypes.c_int64 * form.ENTRY_WORDS)()
        self.words[form.SLOW // 8] = id(slow)
        self.words[form.LEARN // 8] = id(learn)
        self.words[form.BINDS // 8] = int(binds)
        self._kept = slow, learn
        self._plans = _Table(self.words, form.TABLE, form.MASK)
        #: What must hold for any plan, and where native code reads that.
        self._noted: Any = ()
        self._held: Any = None
        #: A hash of the last call that Python was given though a plan for all sizes takes it.
        self._sample = 0
        #: How many plans it was told of.
        self._learnt = 0
        #: How many lessons are left out after one that taught nothing.
        self._fruitless = 0
        #: There is none until a plan for all sizes is known: who has none looks for none.
        self._open_plans: _Table | None = None
        _entries.add(self)

    @property
    def address(self) -> int:
        """Where the words are."""
        return ctypes.addressof(self.words)

    @property
    def hits(self) -> int:
        """How many calls native code has answered."""
        return self.words[form.HITS // 8]

    def __len__(self) -> int:
        """Return how many plans there are."""
        return len(self._plans) + (0 if self._open_plans is None else len(self._open_plans))

    def remember(self, plan: CallPlan, arguments: Sequence[Any]) -> PackedPlan | None:
        """Let calls with arguments like these, those of keywords last, run a plan.

        Returns what native code runs, None if it cannot.
        """
        table = self._table_of(plan)
        if not NATIVE.is_active or table.is_full:
            return None
        packed = NATIVE.begun.packed_plan(plan, arguments)
        if packed is None:
            return None

        def place_of(mask: int) -> int:
            return NATIVE.begun.place(mask, int(plan.is_open), plan.names, *arguments)

        self._learnt += table.put(packed, place_of)
        return packed

    def learn(self, plan_of: PlanOf, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Learn from a call that Python has answered: the plan for it, if native code has none.

        Where nothing is to be learnt, ever less is tried: most such calls will not change.
        """
        try:
            is_new = self._has_learnt(plan_of, arguments, keywords)
        except Exception as error:  # the call has its result, whatever becomes of the lesson
            FAILED.append(error.with_traceback(None))  # whose frames hold tensors
            is_new = False
        self._fruitless = 0 if is_new else min(2 * self._fruitless + 1, MOST_LEFT_OUT)
        self.words[form.LEFT_OUT // 8] = self._fruitless

    def _has_learnt(
        self, plan_of: PlanOf, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> bool:
        """Learn; return whether native code has been told of a plan that it did not have."""
        values, names = (*arguments, *keywords.values()), tuple(keywords)
        is_sample, self.words[form.IS_SAMPLE // 8] = self.words[form.IS_SAMPLE // 8], 0
        if is_sample:
            before, self._sample = self._sample, NATIVE.begun.place(_ALL, 0, names, *values)
            if before != self._sample:
                return True
        plan = plan_of(arguments, keywords)
        if plan is None:
            return False
        before = self._learnt
        self.remember(NATIVE.begun.at_these_sizes(plan, values) if is_sample else plan, values)
        return self._learnt != before

    def _table_of(self, plan: CallPlan) -> _Table:
        if not plan.is_open:
            return self._plans
        if self._open_plans is None:
            self._open_plans = _Table(self.words, form.OPEN_TABLE, form.OPEN_MASK)
        return self._open_plans

    def hold(self, noted: Sequence[tuple[Any, Any, Any, Any]]) -> None:
        """Let native code run plans only while what was noted is there; forget those of before.

        Each is a dict or list, a key or index, and what is there: see `functions/attribute_state`.
        """
        if noted is self._noted:
            return
        self.forget()
        words = [word for place in noted for word in held_words(*place[:3])]
        self.words[form.HELD_COUNT // 8] = 0
        kept = (ctypes.c_int64 * len(words))(*words)
        self.words[form.HELD // 8] = ctypes.addressof(kept)
        self.words[form.HELD_COUNT // 8] = len(noted)
        self._noted, self._held = noted, kept

    def forget(self) -> None:
        """Forget every plan."""
        self._fruitless = self.words[form.LEFT_OUT // 8] = 0
        self._plans.clear()
        if self._open_plans is not None:
            self._open_plans.clear()


#: All that are alive.
_entries: weakref.WeakSet[Entry] = weakref.WeakSet()
#: The entries of callables: whatever becomes of their attributes, they live as long.
_attached: weakref.WeakKeyDictionary[Any, Entry] = weakref.WeakKeyDictionary()
#: Callables that run Python so far.
_waiting: weakref.WeakSet[Any] = weakref.WeakSet()
#: Classes whose objects native code may call.
_classes: set[type] = set()


def native_class(base: type, name: str, *, is_method: bool) -> type[Any]:
    """Return the subclass of `base` whose objects native code may call; `base` where it may not.

    Objects of it need `attach`.
    """
    if NATIVE.is_refused:
        return base
    made = callable_type(base, name, is_method=is_method)
    _classes.add(made)
    return made


def attach(callable_: Any, entry: Entry) -> None:
    """Let native code call an object, now or once there is any."""
    if type(callable_) not in _classes:
        return
    _attached[callable_] = entry
    write_word(callable_, "_entry", entry.address)
    if NATIVE.is_active:
        _begin_calling(callable_)
    else:
        _waiting.add(callable_)


def _begin_calling(callable_: Any) -> None:
    write_word(callable_, "_vectorcall", NATIVE.begun.addresses["call_object"])


def _all_of(objects: weakref.WeakSet[Any]) -> list[Any]:
    """Return what is alive of some objects; other threads may be adding to them."""
    while True:
        try:
            return list(objects)
        except RuntimeError:
            continue  # one was added while they were counted


def forget_all() -> None:
    """Forget the plans of every table: native code knows none."""
    for entry in _all_of(_entries):
        entry.forget()


def count_call(number: int) -> None:
    """Let native code begin, if there is any: its callers say which call of theirs this is."""
    if number == EARLIEST or not number & (CALLS - 1):
        if NATIVE.want(min(number, CALLS)):
            _attach_waiting()


def _attach_waiting() -> None:
    for callable_ in _all_of(_waiting):
        _begin_calling(callable_)
    _waiting.clear()


def enable() -> bool:
    """Load native code now; return whether there is any. For tests and benchmarks.

    >>> isinstance(enable(), bool)
    True
    """
    if not NATIVE.load():
        return False
    _attach_waiting()
    return True
