"""Which plans are made, and why? `TRILITH_LOG=plans` prints a line for each to standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..dialects.attributes.symint import ShapeEnv

Plan = TypeVar("Plan")


def logged(make: Callable[[], Plan], name: str, reason: Callable[[], str]) -> Plan:
    """Return the plan that `make` gives; if plans are logged, say whose it is and why."""
    if "plans" not in os.environ.get("TRILITH_LOG", "").split(","):
        return make()
    why = reason()
    start = time.perf_counter()
    plan = make()
    elapsed = 1000 * (time.perf_counter() - start)
    print(f"trilith: plan of {name} in {elapsed:.1f} ms: {why}", file=sys.stderr)
    return plan


def missed_guard(env: ShapeEnv, numbers: Sequence[int]) -> str:
    """Return which guard of a plan does not take the sizes of a call, for readers.

    >>> env = ShapeEnv()
    >>> env.symbol(9, least=2) > 5, missed_guard(env, [4])
    (True, 'the plan before takes sizes with n0 > 5, which 4 has not')
    """
    values = dict(zip(env.hints, numbers, strict=True))
    for guard in env.needed_guards():
        if not guard.holds(values):
            names = sorted(guard.expression.symbols())
            found = ", ".join(str(values[name]) for name in names)
            return f"the plan before takes sizes with {guard}, which {found} has not"
    return "the plan before takes no sizes so large"
