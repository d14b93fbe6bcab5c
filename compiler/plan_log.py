"""Which plans are made, and why? `TRILITH_LOG=plans` prints a line for each to standard error.

The reasons are made here, in the words of the program: which argument and dim, and which line of it
asked. `trilith.explain` has the same ones.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import TypeVar

from ..dialects.attributes.patterns import is_packed
from ..dialects.attributes.spec import TensorSpec
from ..dialects.attributes.symint import ShapeEnv
from ..dialects.frames import warn_once
from .afterwards import AFTERWARDS
from .plan_records import OPEN, PlanRecord
from .progress import PROGRESS

Plan = TypeVar("Plan")

#: Reasons that need no more words.
FIRST_CALL = "the first call with arguments of this kind"
OTHER_SIZES = "other sizes than in the first call: a plan for all"
#: What a plan is for, or why there is none.
ALL_SIZES, ONE_SIZE = "all sizes", "these sizes"
NO_PLAN, STEP_BY_STEP = "no plan", "no plan: step by step"
BY_HAND = "compile() was called on what was lowered"
OWN_SIZES = "no plan for all sizes can be made for this kind of call: one for these"


def _is_printed() -> bool:
    """Whether `TRILITH_LOG` asks for lines; what else it asks for there is not."""
    words = [word.strip() for word in os.environ.get("TRILITH_LOG", "").split(",")]
    for word in words:
        if word not in ("", "plans"):
            warn_once(f"TRILITH_LOG={word!r}: there is no such log; there is 'plans'")
    return "plans" in words


def logged(make: Callable[[], Plan], name: str, reason: Callable[[], str]) -> Plan:
    """Return the plan that `make` gives; record what it takes, and print that if it is wanted."""
    is_printed = _is_printed()
    finished = OPEN.finished
    why = reason() if is_printed or finished is not None else ""
    record = PlanRecord(name, why)
    thread, plans, outer = get_ident(), PROGRESS.plans, OPEN.record
    try:
        if outer is None:
            AFTERWARDS.begin_plan()
            PROGRESS.begin(record)
        OPEN.record = record
        plan = make()
    except BaseException as error:
        record.error = type(error).__name__
        raise
    finally:
        # An interrupt comes after a call: these are done whenever it comes.
        OPEN.record = outer
        if outer is None:
            plans.pop(thread, None)
            PROGRESS.erase()
            AFTERWARDS.end_plan()
        record.count()
        if finished is not None:
            finished.append(record)
    if is_printed:
        _print(record)
    return plan


def _print(record: PlanRecord) -> None:
    spent = ", ".join(f"{key} {value:.1f}" for key, value in record.milliseconds.items())
    line = f"trilith: plan of {record.name} in {record.total:.1f} ms ({spent}): {record.reason}"
    try:
        print(line, file=sys.stderr)
    except (OSError, ValueError):
        pass  # nobody reads it


def names_of_numbers(name: str, spec: TensorSpec) -> list[str]:
    """Return what the sizes and strides of a tensor are called that its pattern leaves open.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> names_of_numbers("x", TensorSpec.of((4, 1, 3), float32))
    ['x.shape[0]', 'x.shape[2]']
    """
    found = [f"{name}.shape[{dim}]" for dim, size in enumerate(spec.shape) if size > 1]
    if not is_packed(spec.shape, spec.strides, spec.layout):
        found += [f"{name}.stride({dim})" for dim, step in enumerate(spec.strides) if step > 1]
    return found


def missed_guard(env: ShapeEnv, numbers: Sequence[int], names: Sequence[str] = ()) -> str:
    """Return which guard of a plan does not take the sizes of a call, for readers.

    `names` are those of the numbers, in their order.

    >>> env = ShapeEnv()
    >>> env.symbol(9, least=2) > 5, missed_guard(env, [4], ["x.shape[0]"])
    (True, 'the plan before is for x.shape[0] > 5, and x.shape[0] is 4')
    """
    values = dict(zip(env.hints, numbers, strict=True))
    known = dict(zip(env.hints, names, strict=False))
    for guard in env.needed_guards():
        if not guard.holds(values):
            symbols = sorted(guard.expression.symbols())
            found = " and ".join(f"{known.get(name, name)} is {values[name]}" for name in symbols)
            asked = env.lines.get(guard)
            place = "" if asked is None else f" (asked for at {asked})"
            return f"the plan before is for {_spelled(guard, known)}{place}, and {found}"
    return "the plan before takes no sizes so large"


def _spelled(guard: object, names: dict[str, str]) -> str:
    return re.sub(r"\bn\d+\b", lambda found: names.get(found[0], found[0]), repr(guard))
