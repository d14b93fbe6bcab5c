"""What is a plan made for? All that it depends on, by name: the one recipe of keys.

Eager operations and compiled functions have keys of the same parts; how numbers stand in them is
said in `trace/numbers.py`. A kernel depends on less: its key is a digest of its structure and its
target, which the disk knows, too (`kernels/table.py`).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ..dialects.attributes.settings import Settings
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from .trace.numbers import KnownNumber

#: What stands for an operand that is one value, or none.
Part = TensorSpec | ScalarSpec | KnownNumber | None


class PlanKey(NamedTuple):
    """What a plan is made for: equal keys, equal plans."""

    #: What is done: a row and where its result goes, or the structure of a function's arguments.
    work: Hashable
    #: The default dtype and the promotion mode.
    settings: Settings
    #: Where new tensors are put: `placement()`.
    home: object
    #: What stands for tensors and numbers, in the order in which they are given.
    operands: tuple[Part | tuple[Part, ...], ...]
    #: What stands for the values of all other arguments.
    statics: tuple[Any, ...]
    #: Where tensors begin in their storages, if the plan depends on it.
    offsets: tuple[int, ...] | None = None
    #: What stands for the numbers that a function looks at, by index, if it looks at any.
    numbers: tuple[tuple[int, KnownNumber | None], ...] | None = None
    #: Which operands are one tensor, in the words of who does the work.
    same: tuple[Any, ...] = ()
    #: Which of the states of the attributes that a function reads; None for one without plans.
    state: int | None = 0


def pattern_key(key: PlanKey) -> PlanKey:
    """Return the key of a kind of call: patterns stand in it for the specs of tensors."""
    parts: Any = [s.pattern if isinstance(s, TensorSpec) else s for s in key.operands]
    return key._replace(operands=tuple(parts))
