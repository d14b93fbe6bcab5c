"""How does native code compute sizes? By steps, which are written here: one for each operation.

What an expression says in symbols, a step says in registers. Equal steps are one, and numbers of a
call are bounded so that nothing which is computed of them overflows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.attributes.expressions import Atom, Expression, bound_of
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.symint import ShapeEnv, SymInt
from ..native import form

#: What is computed stays below, whatever the numbers of a call are.
_LARGEST = 1 << 61
_BYTES = 8
_GUARDS = {">=": form.AT_LEAST, "==": form.EQUALS, "!=": form.DIFFERS}


class TooLarge(Exception):
    """A number of a plan is no 64-bit integer."""


class Steps:
    """The steps of one plan. A register is its offset in bytes; the first are the given numbers.

    >>> steps = Steps(2)
    >>> steps.number(7), steps.number(7), steps.count
    (16, 16, 3)
    """

    def __init__(self, given: int) -> None:
        """Begin with so many numbers."""
        self.words: list[int] = []
        #: How many registers there are.
        self.count = given
        self._known: dict[tuple[int, int, int], int] = {}

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self.words) // 3

    def number(self, value: int) -> int:
        """Return the register of a number."""
        return self.result(form.CONSTANT, 0, value)

    def result(self, kind: int, first: int, second: int) -> int:
        """Return the register that an operation gives its value to."""
        known = self._known.get((kind, first, second))
        if known is None:
            known = self._known[kind, first, second] = self.count * _BYTES
            self.count += 1
            self._add(kind, first, second)
        return known

    def demand(self, kind: int, first: int, second: int) -> int:
        """Add a guard on a register; return which of the words its number is."""
        self._add(kind, first, second)
        return len(self.words) - 1

    def _add(self, kind: int, first: int, second: int) -> None:
        if not -_LARGEST <= second <= _LARGEST:
            raise TooLarge
        self.words += kind, first, second


class Symbols:
    """The symbols of one plan as registers, and what is computed of them."""

    def __init__(self, steps: Steps, env: ShapeEnv, registers: Sequence[int]) -> None:
        """Bound the registers that the symbols are in, in their order."""
        self._steps, self._env = steps, env
        self._registers = dict(zip(env.hints, registers, strict=True))
        self._expressions: list[Expression] = []
        #: Where the bound of each stands, which is known at the end.
        self._bounds = [steps.demand(form.IS_WITHIN, register, 0) for register in registers]

    def of(self, value: Any) -> int:
        """Return the register of a number, or of an expression of the symbols."""
        if type(value) is not SymInt:
            return self._steps.number(value)
        self._expressions.append(value.expression)
        return self._computed(value.expression)

    def finish(self) -> None:
        """Add the guards of the plan, and bounds with which nothing overflows."""
        for guard in self._env.needed_guards():
            self._demand(guard)
        largest = self._env.largest()
        for expression in self._expressions:
            while bound_of(expression, largest) > _LARGEST:
                largest >>= 1
        for place in self._bounds:
            self._steps.words[place] = min(largest, _LARGEST)

    def _demand(self, guard: Guard) -> None:
        expression = guard.expression
        self._expressions.append(expression)
        rest = Expression({atoms: factor for atoms, factor in expression.terms if atoms})
        register = self._computed(rest)
        self._steps.demand(_GUARDS[guard.relation], register, -expression.constant)

    def _computed(self, expression: Expression) -> int:
        steps = self._steps
        total: int | None = None
        for monomial, factor in expression.terms:
            if not monomial:
                continue
            register = self._product(monomial)
            if factor != 1:
                register = steps.result(form.MULTIPLY_NUMBER, register, factor)
            total = register if total is None else steps.result(form.ADD, total, register)
        if total is None:
            return steps.number(expression.constant)
        if not expression.constant:
            return total
        return steps.result(form.ADD_NUMBER, total, expression.constant)

    def _product(self, atoms: Sequence[Atom]) -> int:
        first, *others = map(self._atom, atoms)
        for register in others:
            first = self._steps.result(form.MULTIPLY, first, register)
        return first

    def _atom(self, atom: Atom) -> int:
        if isinstance(atom, str):
            return self._registers[atom]
        self._expressions += atom.dividend, atom.divisor
        dividend, divisor = self._computed(atom.dividend), self._computed(atom.divisor)
        return self._steps.result(form.DIVIDE, dividend, divisor)
