"""What do the attributes hold that a function reads? Its plans are for that, one state each.

A state is the values of all attributes that the function may read. It is noted before a trace, and
compared at every call, by native code too; a new one has plans of its own. Of tensors only the spec
belongs to it: plans take another tensor as they are. A trace that has stored something is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from ...dialects.attributes.spec import TensorSpec
from ...runtime.calls.held_places import LENGTH, MISSING
from ...runtime.tensors.tensor import Tensor
from ..plan_table import PlanTable
from ..trace.identity import Itself, identity_of
from ..trace.not_traceable import NumberNeeded, OffsetNeeded
from .attributes_read import Noted, Reached, attributes_read
from .step_by_step import Untraceable

#: What is made by tracing.
T = TypeVar("T")

#: So many states have plans: calls in others run step by step.
MOST_STATES = 64
#: So many of them may be stored by the function itself: then it runs step by step for ever.
MOST_STORES = 8


class AttributeState:
    """The attributes that one compiled function reads, and the states that they were in."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Know nothing yet: the first trace asks."""
        self._function = function
        self.reached: Reached | None = None
        self.noted: Sequence[Noted] = ()
        #: Which state it is now; None if there are too many.
        self.number: int | None = 0
        self._tensors: dict[int, list[Tensor]] = {}
        self._states: dict[Any, int] = {}
        #: Why the function runs step by step whatever the state, if it does.
        self.stores: Untraceable | None = None
        self._stored = 0

    def is_same(self) -> bool:
        """Whether all that was noted is what it was."""
        for container, key, value, _ in self.noted:
            if key is LENGTH:
                if len(container) != value:
                    return False
                continue
            try:
                if container[key] is not value:
                    return False
            except (KeyError, IndexError):
                if value is not MISSING:
                    return False
        return True

    def note(self) -> dict[int, Tensor]:
        """Note the values as they are now; return by identity what tensors of before are now."""
        if self.stores is not None:
            return {}
        noted = _with_other_values(self.noted)
        if noted is None or self.reached is None:
            self.reached = attributes_read(self._function)
            noted = self.reached.noted
        self.noted = noted
        tensors = [value for _, _, value, _ in noted if isinstance(value, Tensor)]
        state = tuple(_stands_for(noted, tensors))
        number = self._states.get(state)
        if number is None and len(self._states) < MOST_STATES:
            number = self._states[state] = len(self._states)
        self.number = number
        if number is None:
            return {}
        before = self._tensors.get(number, tensors)
        self._tensors[number] = tensors
        pairs = zip(before, tensors, strict=True)
        return {id(old): new for old, new in pairs if old is not new}

    def without_plans(self) -> Untraceable | None:
        """Return why calls run step by step as the attributes are now, if they do."""
        return self.stores or (TOO_MANY if self.number is None else None)

    def watched(self, make: Callable[[], T]) -> T | Untraceable:
        """Make something by tracing; say why not if the function has stored anything meanwhile."""
        if self.reached is None and self.stores is None:
            self.note()
        try:
            made = make()
        except (OffsetNeeded, NumberNeeded):
            self.undo()
            raise
        except Exception:
            why = self.undo()
            if why is None:
                raise
        else:
            why = self.undo()
            if why is None:
                return made
        self._stored += 1
        if self._stored >= MOST_STORES:
            self.stores, self.noted, self.reached = why, (), None
        return why

    def undo(self) -> Untraceable | None:
        """Put back what the function has stored while it was traced, and say what that was."""
        changed = [noted for noted in self.noted if not noted.is_same()]
        is_memo = all(self._remembers_types(noted) for noted in changed)
        for noted in changed:
            self._put_back(noted)
        if is_memo:
            return None
        first = changed[0]
        line = None if self.reached is None else self.reached.line_of_store(first.key)
        what = first.owner if line is None else f"the attribute '{first.key}' of {first.owner}"
        return Untraceable(f"it changes {what}", line, "return the new value, and store it outside")

    def _put_back(self, noted: Noted) -> None:
        container, key, value, _ = noted
        if key is LENGTH:
            if isinstance(container, list):
                del container[value:]
                return
            for new in self._new_keys(container, value):
                del container[new]
        elif value is MISSING:
            container.pop(key, None)
        elif isinstance(container, list):
            container[key : key + 1] = [value]
        else:
            container[key] = value

    def _new_keys(self, container: dict[Any, Any], count: int) -> Iterable[Any]:
        """Return the keys that a dict of so many items has got; of big ones the last are new."""
        known = {other.key for other in self.noted if other.container is container}
        return container.keys() - known if len(known) > count else tuple(container)[count:]

    def _remembers_types(self, noted: Noted) -> bool:
        """Whether a dict has only got what is true of a type for ever, as libraries note it."""
        container, key, value, _ = noted
        if key is not LENGTH or not isinstance(container, dict):
            return False
        items = cast("dict[Any, Any]", container)
        return all(
            isinstance(new, type) and not isinstance(items[new], (Tensor, list, dict))
            for new in self._new_keys(items, value)
        )


#: Why a call runs whose state has no plans.
TOO_MANY = Untraceable(
    f"attributes that it reads had {MOST_STATES} different values, and it was compiled for each",
    hint="compute with tensors, such as tri.tensor(lr), or give the function the value",
)


def _both_are_plain(now: Any, place: Noted) -> bool:
    plain = (Tensor, bool, int, float, complex, str)
    return place.key is not LENGTH and isinstance(now, plain) and isinstance(place.value, plain)


def _with_other_values(known: Iterable[Noted]) -> list[Noted] | None:
    """Return what is there now, if the function reaches nothing else by it; else None."""
    noted: list[Noted] = []
    for place in known:
        now = place.now()
        if not (place.is_same() or _both_are_plain(now, place)):
            return None
        noted.append(place._replace(value=now))
    return noted


def _stands_for(noted: Iterable[Noted], tensors: Sequence[Tensor]) -> Iterable[Any]:
    """Return what stands for values in a state: of tensors what they are, and which are one."""
    first = {id(tensor): index for index, tensor in reversed([*enumerate(tensors)])}
    for _, key, value, owner in noted:
        if isinstance(value, Tensor):
            spec: TensorSpec = value.spec
            yield owner, key, spec, value.storage_offset(), first[id(value)]
        else:
            yield owner, key, _identity(value)


def _identity(value: Any) -> Any:
    kind = cast("type[Any]", type(value))
    if kind is list or kind is dict:
        return kind  # their items are noted, too
    return Itself(value) if hasattr(value, "__dict__") else identity_of(value)


def known_plans(plans: PlanTable[Any, Any], opened: PlanTable[Any, Any], number: Any) -> list[Any]:
    """Return the plans for a state that hold tensors, of tables for single sizes and for all."""
    found = [plan for key in plans.keys() if key.state == number and (plan := plans.look(key))]
    for key in opened.keys():
        programs = opened.look(key) if key.state == number else None
        found += () if programs is None else programs.programs_traced()
    return [plan for plan in found if not isinstance(plan, Untraceable)]
