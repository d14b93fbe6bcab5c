"""How does native code compute the sizes that a plan for all sizes leaves open?

By its steps, in order: each one reads registers, and gives the next register its value or tests a
guard. The numbers of a call are bounded by guards that come first, such that nothing overflows.
"""

from __future__ import annotations

from .form import (
    ADD,
    ADD_NUMBER,
    AT_LEAST,
    CONSTANT,
    DIFFERS,
    DIVIDE,
    EQUALS,
    IS_WITHIN,
    MULTIPLY,
    MULTIPLY_NUMBER,
    NEXT_NUMBER,
    REGISTERS,
    STEPS,
)
from .intrinsics import Word, store, word
from .subset import native


@native
def run_steps(plan: Word, at: Word, frame: Word) -> Word:
    """Make the steps of a plan; return where they end, 0 if a guard is not met."""
    count = word(plan, STEPS)
    registers = frame + word(plan, REGISTERS)
    following = word(frame, NEXT_NUMBER)
    while count > 0:
        kind = word(at)
        second = word(at, 16)
        if kind == CONSTANT:
            store(following, 0, second)
            following = following + 8
        else:
            first = word(registers, word(at, 8))
            if kind < AT_LEAST:
                if kind == ADD:
                    first = first + word(registers, second)
                elif kind == ADD_NUMBER:
                    first = first + second
                elif kind == MULTIPLY:
                    first = first * word(registers, second)
                elif kind == MULTIPLY_NUMBER:
                    first = first * second
                elif kind == DIVIDE:
                    divisor = word(registers, second)
                    if divisor == 0:
                        return 0
                    first = first // divisor
                store(following, 0, first)
                following = following + 8
            elif kind == AT_LEAST:
                if first < second:
                    return 0
            elif kind == EQUALS:
                if first != second:
                    return 0
            elif kind == DIFFERS:
                if first == second:
                    return 0
            elif kind == IS_WITHIN:
                if first > second or first < 0 - second:
                    return 0
        at = at + 24
        count = count - 1
    return at
