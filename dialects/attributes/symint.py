"""What stands for a size while a function is traced? An integer that knows how it was computed.

A `SymInt` is an expression of symbols, with the value that it has in the call that is being traced.
Arithmetic gives another one; a comparison is answered from what is known of the symbols, and if
that does not suffice, by the value, and then the answer is a guard: what is traced is right for all
sizes that pass the guards. `int(size)`, `range(size)`, `items[size]` guard that it is that number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics import Location
from .expressions import Expression, bound_of, constant, floor_divide, symbol
from .extents import MAXIMUM_INT64
from .facts import Facts, Guard

#: A comparison with such a number asks whether something fits into 64 bits: `ShapeEnv.limits`.
_OVERFLOW = MAXIMUM_INT64 >> 1


class TakenGuard(NamedTuple):
    """A guard, and the line of the user's that asked, if it is known."""

    guard: Guard
    location: Location | None

    def __str__(self) -> str:
        """Return the comparison."""
        return str(self.guard)

    __repr__ = __str__


class ShapeEnv:
    """The symbols of one trace, what is known of them, and the guards that were taken.

    >>> env = ShapeEnv()
    >>> n, m = env.symbol(6, least=2), env.symbol(6, least=2)
    >>> (n * m + n).hint, n + 1 > n, n >= 2, n * m == 0, env.guards
    (42, True, True, False, [])
    >>> n == m, env.guards
    (True, [n0 == n1])
    >>> n * 3 == m + 2 * n, n < m + 1, n > 5, n > 4, env.guards
    (True, True, True, True, [n0 == n1, n0 > 5])
    """

    def __init__(self, earlier: ShapeEnv | None = None) -> None:
        """Begin without symbols; the equalities that an earlier trace found hold from the start."""
        #: The values of the symbols in the call that is traced.
        self.hints: dict[str, int] = {} if earlier is None else dict(earlier.hints)
        #: What is known without any guard.
        self.given: Facts = Facts() if earlier is None else earlier.given.copy()
        self.facts: Facts = self.given.copy()
        #: What symbols are equal to, as an earlier trace of the same found.
        self.equal: dict[str, Expression] = {} if earlier is None else dict(earlier.facts.equal)
        for name, value in self.equal.items():
            self.facts.learn(Guard("==", symbol(name) - value))
        self._count = 0
        self.guards: list[Guard] = []
        #: What tells the user's line while a program is recorded, and where guards were taken.
        self.locate: Callable[[], Location | None] | None = None
        self.lines: dict[Guard, Location | None] = {} if earlier is None else dict(earlier.lines)
        #: Quotients of which it is known what is left.
        self._quotients: set[Expression] = set()
        #: Symbols that are never negative.
        self.positive: set[str] = set()
        #: By index the numbers of a call that are sizes.
        self.scalars: dict[int, SymInt] = {}
        #: What must not be negative so that everything fits into 64 bits.
        self.limits: set[Expression] = set()
        #: The guards that were taken before a size was spelled, as errors do.
        self.before_spelling: list[Guard] | None = None

    @staticmethod
    def restored(
        hints: Sequence[int], leasts: Sequence[int | None], equal: Mapping[str, Expression]
    ) -> ShapeEnv:
        """Return an environment in which so many symbols are known, some of which equal others.

        Nothing is believed without a guard but the least values.

        >>> env = ShapeEnv.restored([6, 6], [2, 2], {"n1": symbol("n0")})
        >>> env.hints, env.needed_guards()
        ({'n0': 6, 'n1': 6}, [n1 == n0])
        """
        env = ShapeEnv()
        env.equal = dict(equal)
        for name, value in env.equal.items():
            env.facts.learn(Guard("==", symbol(name) - value))
        for hint, least in zip(hints, leasts, strict=True):
            env.symbol(hint, least)
        return env

    def symbol(self, hint: int, least: int | None = None, name: str | None = None) -> Any:
        """Return a new symbol, or what an earlier trace found it to be, which may be a number."""
        name = name or f"n{self._count}"
        self._count += 1
        self.hints[name] = hint
        if least is not None:
            if least >= 0:
                self.positive.add(name)
            self.given.set_least(name, least)
            self.facts.set_least(name, least)
        known = self.equal.get(name)
        if known is None:
            return SymInt(self, symbol(name))
        number = known.number
        return SymInt(self, known) if number is None else number

    @property
    def has_learned(self) -> bool:
        """Whether this trace found equalities that it did not begin with."""
        return len(self.facts.equal) != len(self.equal)

    def value_of(self, expression: Expression) -> int:
        """Return what an expression is in the call that is traced."""
        return expression.evaluate(self.hints)

    def is_not_negative(self, expression: Expression) -> bool:
        """Answer whether an expression is at least 0, if need be by a guard."""
        known = expression in self.limits or self.facts.is_not_negative(expression)
        if known is not None:
            return known
        expression = self.facts.reduced(expression)
        answer = self.value_of(expression) >= 0
        held = expression if answer else -expression - constant(1)
        if held.constant >= _OVERFLOW:
            # It is asked whether something fits: the plan is for sizes with which it does.
            self.limits.add(held)
        else:
            self._take(Guard(">=", held))
        return answer

    def is_zero(self, expression: Expression) -> bool:
        """Answer whether an expression is 0, if need be by a guard."""
        known = self.facts.is_zero(expression)
        if known is not None:
            return known
        expression = self.facts.reduced(expression)
        answer = self.value_of(expression) == 0
        self._take(Guard("==" if answer else "!=", expression))
        return answer

    def is_spelling(self) -> None:
        """Remember which guards were taken before the first size is spelled."""
        if self.before_spelling is None:
            self.before_spelling = list(self.guards)

    def _take(self, guard: Guard) -> None:
        self.guards.append(guard)
        self.facts.learn(guard)
        if self.locate is not None:
            self.lines.setdefault(guard, self.locate())

    @contextmanager
    def without_guards(self) -> Generator[None]:
        """Let questions be answered by the values at hand, and leave no guard behind.

        >>> env = ShapeEnv()
        >>> n = env.symbol(6, least=2)
        >>> with env.without_guards():
        ...     n > 5
        True
        >>> env.guards
        []
        """
        kept = list(self.guards), self.facts.copy(), self.given.copy(), set(self.limits)
        quotients = set(self._quotients)
        try:
            yield
        finally:
            self.guards[:], self.facts, self.given, self.limits = kept
            self._quotients = quotients

    def take(self, guard: Guard) -> None:
        """Take a guard that nobody asked for: what is declared of the sizes, or was read."""
        self.guards.append(guard)
        self.facts.learn(guard)

    def taken_guards(self) -> tuple[TakenGuard, ...]:
        """Return the needed guards, with the lines that asked."""
        found: list[TakenGuard] = []
        for guard in self.needed_guards():
            other = Guard(guard.relation, -guard.expression)
            line = self.lines.get(guard) or (
                self.lines.get(other) if guard.relation == "==" else None
            )
            found.append(TakenGuard(guard, line))
        return tuple(found)

    def learn_quotient(self, left: Expression, right: Expression, quotient: Expression) -> None:
        """Learn between which numbers the floor of a quotient lies."""
        number = right.number
        if quotient.number is not None or number is None or number <= 0:
            return
        if quotient not in self._quotients:
            self._quotients.add(quotient)
            rest = left - right * quotient
            for facts in (self.facts, self.given):
                facts.learn(Guard(">=", rest))
                facts.learn(Guard(">=", constant(number - 1) - rest))
        # What rests on guards is no fact for those who ask which guards are needed.
        for facts in (self.facts, self.given):
            least, most = facts.lower_bound(left), facts.lower_bound(-left)
            if least is not None:
                facts.learn(Guard(">=", quotient - constant(least // number)))
            if most is not None:
                facts.learn(Guard(">=", constant(-most // number) - quotient))

    def needed_guards(self) -> list[Guard]:
        """Return the guards without those that follow from the others.

        Those with quotients come last.
        """
        found = list(dict.fromkeys(self.guards))
        for guard in [guard for guard in found if guard.relation != "=="]:
            others = self.given.copy()
            # Equalities come first: what is known is kept in their words.
            for other in sorted(found, key=lambda other: other.relation != "=="):
                if other is not guard:
                    others.learn(other)
            if others.follows(guard):
                found.remove(guard)
        known = [Guard("==", symbol(name) - value) for name, value in self.equal.items()]
        # Quotients come last: what they divide by is not 0 then.
        return sorted([*known, *found], key=_divides)

    def takes(self, numbers: Sequence[int]) -> bool:
        """Whether a plan takes a call with these values of its symbols."""
        values = dict(zip(self.hints, numbers, strict=True))
        largest = self.largest()
        return all(abs(value) <= largest for value in numbers) and all(
            guard.holds(values) for guard in self.needed_guards()
        )

    def largest(self) -> int:
        """Return a number: with symbols of at most this size, all that was asked for fits.

        >>> env = ShapeEnv()
        >>> n, m = env.symbol(6, least=2), env.symbol(7, least=2)
        >>> n * m * 4 <= MAXIMUM_INT64, env.largest() ** 2 * 4 <= MAXIMUM_INT64
        (True, True)
        """
        result = _OVERFLOW
        for expression in self.limits:
            limit = expression.constant
            rest = expression - constant(limit)
            while bound_of(rest, result) > limit:
                result >>= 1
        return result


def _divides(guard: Guard) -> bool:
    return any(not isinstance(atom, str) for atom in guard.expression.atoms())


class SymInt:
    """An integer that is an expression of sizes; a number that is known is an int, never this.

    Two of one trace are equal where their expressions are: a look-up by hash asks nothing.
    """

    __slots__ = ("env", "expression")

    # What asks whether a size is an int is told yes; C's functions see the type, and ask for a
    # number by `__index__`.
    if not TYPE_CHECKING:
        __class__ = property(lambda self: int)

    def __init__(self, env: ShapeEnv, expression: Expression) -> None:
        """Stand for an expression."""
        self.env = env
        self.expression = expression

    @property
    def hint(self) -> int:
        """The value in the call that is traced; looking at it takes no guard."""
        return self.env.value_of(self.expression)

    def __hash__(self) -> int:
        """Return what equal expressions have in common."""
        return hash(self.expression)

    def __repr__(self) -> str:
        """Return the expression, for who looks at a trace; a program's text has the number."""
        return str(self.expression)

    def __str__(self) -> str:
        """Become a number, and spell it."""
        self.env.is_spelling()
        return str(self.__index__())

    # Arithmetic

    def _of(self, expression: Expression) -> Any:
        number = expression.number
        return SymInt(self.env, expression) if number is None else number

    def _inexact(self, function: Callable[[Any, Any], Any], other: Any) -> Any:
        """Become a number where it meets a float: of these there are no expressions."""
        is_number = type(other) is float or type(other) is complex
        return function(self.__index__(), other) if is_number else NotImplemented

    def __add__(self, other: Any) -> Any:
        """Return the sum."""
        found = expression_of(other)
        if found is None:
            return self._inexact(operator.add, other)
        return self._of(self.expression + found)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        """Return the difference."""
        found = expression_of(other)
        if found is None:
            return self._inexact(operator.sub, other)
        return self._of(self.expression - found)

    def __rsub__(self, other: Any) -> Any:
        """Return the difference."""
        return -self + other

    def __mul__(self, other: Any) -> Any:
        """Return the product."""
        found = expression_of(other)
        if found is None:
            return self._inexact(operator.mul, other)
        return self._of(self.expression * found)

    __rmul__ = __mul__

    def __neg__(self) -> SymInt:
        """Return the opposite."""
        return SymInt(self.env, -self.expression)

    def __pos__(self) -> SymInt:
        """Return the integer itself."""
        return self

    def __abs__(self) -> Any:
        """Return the distance from 0."""
        return self if self >= 0 else -self

    def __floordiv__(self, other: Any) -> Any:
        """Return the floor of the quotient."""
        found = expression_of(other)
        if found is None:
            return self._inexact(lambda size, number: size // number, other)
        return self._of(_divide(self.env, self, found))

    def __rfloordiv__(self, other: Any) -> Any:
        """Return the floor of the quotient."""
        found = expression_of(other)
        if found is None:
            return self._inexact(lambda size, number: number // size, other)
        return self._of(_divide(self.env, SymInt(self.env, found), self.expression))

    def __mod__(self, other: Any) -> Any:
        """Return what is left of a division."""
        if expression_of(other) is None:
            return self._inexact(operator.mod, other)
        return self - other * (self // other)

    def __rmod__(self, other: Any) -> Any:
        """Return what is left of a division."""
        if expression_of(other) is None:
            return self._inexact(lambda size, number: number % size, other)
        return other - self * (other // self)

    def __divmod__(self, other: Any) -> Any:
        """Return the floor of the quotient, and what is left."""
        if expression_of(other) is None:
            return self._inexact(divmod, other)
        quotient = self // other
        return quotient, self - other * quotient

    # Questions

    def __eq__(self, other: object) -> bool:
        """Answer whether both are one number."""
        found = expression_of(other)
        if found is None or (isinstance(other, SymInt) and other.env is not self.env):
            return NotImplemented
        return found == self.expression or self.env.is_zero(self.expression - found)

    def __ge__(self, other: Any) -> bool:
        """Answer whether it is at least the other."""
        if type(other) is float:
            return self >= ceil(other) if isfinite(other) else 0 >= other
        found = expression_of(other)
        if found is None:
            return NotImplemented
        return self.env.is_not_negative(self.expression - found)

    def __le__(self, other: Any) -> bool:
        """Answer whether it is at most the other."""
        if type(other) is float:
            return self <= floor(other) if isfinite(other) else 0 <= other
        found = expression_of(other)
        if found is None:
            return NotImplemented
        return self.env.is_not_negative(found - self.expression)

    def __gt__(self, other: Any) -> bool:
        """Answer whether it is more than the other."""
        if type(other) is float:
            return self > floor(other) if isfinite(other) else 0 > other
        found = expression_of(other)
        if found is None:
            return NotImplemented
        return not self.env.is_not_negative(found - self.expression)

    def __lt__(self, other: Any) -> bool:
        """Answer whether it is less than the other."""
        if type(other) is float:
            return self < ceil(other) if isfinite(other) else 0 < other
        found = expression_of(other)
        if found is None:
            return NotImplemented
        return not self.env.is_not_negative(self.expression - found)

    def __bool__(self) -> bool:
        """Answer whether it is anything but 0."""
        return not self.env.is_zero(self.expression)

    def __index__(self) -> int:
        """Become a number: what is traced is for this value only."""
        hint = self.hint
        self.env.is_zero(self.expression - constant(hint))
        return hint

    __int__ = __index__

    def __float__(self) -> float:
        """Become a number."""
        return float(self.__index__())

    def __truediv__(self, other: Any) -> Any:
        """Become a number, and divide."""
        return self.__index__() / other

    def __rtruediv__(self, other: Any) -> Any:
        """Become a number, and divide by it."""
        return other / self.__index__()

    def __pow__(self, other: Any) -> Any:
        """Return a product of up to four factors; for all other exponents become a number."""
        if type(other) is int and 1 <= other <= 4:
            return self if other == 1 else self * self ** (other - 1)
        return self.__index__() ** other

    def __rpow__(self, other: Any) -> Any:
        """Become a number, and return a power."""
        return other ** self.__index__()

    def __format__(self, form: str) -> str:
        """Become a number, and format it."""
        self.env.is_spelling()
        return format(self.__index__(), form)


def expression_of(value: object) -> Expression | None:
    """Return the expression of an integer, None of anything else."""
    if type(value) is SymInt:
        return value.expression
    return constant(int(value)) if type(value) is int or type(value) is bool else None


def _divide(env: ShapeEnv, dividend: SymInt, divisor: Expression) -> Expression:
    """Return the floor of a quotient, and learn between which numbers it lies."""
    left, right = env.facts.reduced(dividend.expression), env.facts.reduced(divisor)
    if env.is_zero(right):
        raise ZeroDivisionError("integer division or modulo by zero")
    quotient = floor_divide(left, right)
    env.learn_quotient(left, right, quotient)
    return quotient


def is_symbolic(values: tuple[Any, ...]) -> bool:
    """Whether any of some integers is an expression."""
    for value in values:
        if type(value) is SymInt:
            return True
    return False


def hint_of(value: Any) -> int:
    """Return the number that a size is now: for decisions that change no result.

    >>> hint_of(5), hint_of(ShapeEnv().symbol(7))
    (5, 7)
    """
    return value.hint if type(value) is SymInt else value
