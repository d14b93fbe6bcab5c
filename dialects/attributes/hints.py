"""Which values do symbols have in an example that nobody has given? Some that pass the guards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .facts import Guard

#: What is tried first: apart from one another, and unlike the numbers that programs are written of.
_USUAL = (40, 44, 52, 56, 68, 76, 88, 92)
#: What is tried where a guard asks for something else.
_OTHERS = (*range(2, 40), *(2**power for power in range(6, 40)), 1, 0, -1)


def usual_hint(number: int) -> int:
    """Return the value of the symbol of this number.

    >>> usual_hint(0), usual_hint(1), usual_hint(9)
    (40, 44, 144)
    """
    return _USUAL[number % len(_USUAL)] + 100 * (number // len(_USUAL))


def holds(guard: Guard, hints: dict[str, int]) -> bool:
    """Whether a guard holds; one that divides by zero does not."""
    try:
        return guard.holds(hints)
    except ZeroDivisionError:
        return False


def choose_hints(hints: dict[str, int], guards: Sequence[Guard], fixed: Iterable[str] = ()) -> None:
    """Change values that do not pass the guards, symbol by symbol; what nothing is found for stays.

    >>> from .expressions import constant, symbol
    >>> hints = {"n": 40, "m": 44}
    >>> choose_hints(hints, [Guard("==", symbol("n") - symbol("m"))])
    >>> hints
    {'n': 40, 'm': 40}
    """
    kept = set(fixed)
    for name in hints:
        # A guard is looked at when the last of its symbols gets a value.
        kept.add(name)
        asked = [
            guard
            for guard in guards
            if name in guard.expression.symbols() and guard.expression.symbols() <= kept
        ]
        usual = hints[name]
        near = [n + step for n in hints.values() for step in (0, 1, -1)]
        for value in (usual, *near, *(2 * n for n in hints.values()), *_OTHERS):
            hints[name] = value
            if all(holds(guard, hints) for guard in asked):
                break
        else:
            hints[name] = usual
