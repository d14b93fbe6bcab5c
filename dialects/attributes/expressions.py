"""How is an integer written that depends on sizes? As a polynomial with integer coefficients.

Its atoms are symbols and quotients, which are no polynomials. Equal expressions are written in one
way, so that they compare and hash by what they are made of; what is known of the symbols is not
asked here (`facts` does).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

#: Raised to a power, an atom stands several times.
Monomial: TypeAlias = "tuple[Atom, ...]"
Terms: TypeAlias = Mapping[Monomial, int]

#: The monomial of the constant term.
ONE: Monomial = ()


class Quotient(NamedTuple):
    """The floor of a division that is no polynomial."""

    dividend: Expression
    divisor: Expression

    def __str__(self) -> str:
        """Return it in the words of MLIR's affine expressions."""
        return f"{_operand(self.dividend)} floordiv {_operand(self.divisor)}"


Atom: TypeAlias = "str | Quotient"


class Expression:
    """A polynomial: `terms` are (monomial, coefficient), no coefficient being 0, in a fixed order.

    >>> n, m = symbol("n"), symbol("m")
    >>> n * m + n - constant(2), (n + m) - m == n
    (m*n + n - 2, True)
    """

    __slots__ = ("_hash", "_symbols", "terms")
    terms: tuple[tuple[Monomial, int], ...]
    _symbols: frozenset[str]

    def __init__(self, terms: Terms) -> None:
        """Put terms into their order, and drop those that are nothing."""
        kept = [(monomial, factor) for monomial, factor in terms.items() if factor]
        if len(kept) > 1:
            kept.sort(key=_place)
        self.terms = tuple(kept)
        self._hash = hash(self.terms)

    @classmethod
    def _in_order(cls, terms: tuple[tuple[Monomial, int], ...]) -> Expression:
        """Return the sum of terms that stand in their order, none of which is nothing."""
        self = cls.__new__(cls)
        self.terms = terms
        self._hash = hash(terms)
        return self

    def __eq__(self, other: object) -> bool:
        """Whether both are the same polynomial."""
        if not isinstance(other, Expression):
            return NotImplemented
        return self is other or (self._hash == other._hash and self.terms == other.terms)

    def __hash__(self) -> int:
        """Return what equal expressions have in common."""
        return self._hash

    @property
    def constant(self) -> int:
        """The term without atoms."""
        return self.terms[-1][1] if self.terms and not self.terms[-1][0] else 0

    @property
    def number(self) -> int | None:
        """The number that it is whatever its symbols are, None if it depends on them."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    def atoms(self) -> set[Atom]:
        """Return the symbols and quotients in it."""
        return {atom for monomial, _ in self.terms for atom in monomial}

    @property
    def has_quotients(self) -> bool:
        """Whether an atom is a quotient."""
        for monomial, _ in self.terms:
            for atom in monomial:
                if type(atom) is Quotient:
                    return True
        return False

    def symbols(self) -> frozenset[str]:
        """Return the symbols in it, those in its quotients among them.

        >>> sorted(floor_divide(symbol("n"), symbol("m")).symbols())
        ['m', 'n']
        """
        try:
            return self._symbols
        except AttributeError:  # nobody has asked before
            self._symbols = frozenset(self._found_symbols())
            return self._symbols

    def _found_symbols(self) -> set[str]:
        found: set[str] = set()
        for atom in self.atoms():
            if isinstance(atom, str):
                found.add(atom)
            else:
                found |= atom.dividend.symbols() | atom.divisor.symbols()
        return found

    def __add__(self, other: Expression) -> Expression:
        """Return the sum."""
        return self._plus(other, 1)

    def __neg__(self) -> Expression:
        """Return the opposite."""
        return self._times(-1)

    def __sub__(self, other: Expression) -> Expression:
        """Return the difference."""
        return self._plus(other, -1)

    def __mul__(self, other: Expression) -> Expression:
        """Return the product."""
        if (number := other.number) is not None:
            return self._times(number)
        if (number := self.number) is not None:
            return other._times(number)
        terms: dict[Monomial, int] = {}
        for left, first in self.terms:
            for right, second in other.terms:
                monomial = _product(left, right)
                terms[monomial] = terms.get(monomial, 0) + first * second
        return Expression(terms)

    def _plus(self, other: Expression, times: int) -> Expression:
        """Return the sum with a multiple, other than 0, of another expression."""
        if (number := other.number) is not None:
            return self._and(number * times)
        if not self.terms:
            return other._times(times)
        terms = dict(self.terms)
        for monomial, factor in other.terms:
            terms[monomial] = terms.get(monomial, 0) + factor * times
        return Expression(terms)

    def _and(self, number: int) -> Expression:
        """Return the sum with a number, whose place is the last."""
        if not number:
            return self
        known = self.constant
        others = self.terms[:-1] if known else self.terms
        return Expression._in_order((*others, (ONE, known + number)) if known + number else others)

    def _times(self, number: int) -> Expression:
        """Return a multiple, whose terms stand where they have stood."""
        if number == 1:
            return self
        terms = tuple([(monomial, factor * number) for monomial, factor in self.terms])
        return Expression._in_order(terms if number else ())

    def substitute(self, values: Mapping[str, Expression]) -> Expression:
        """Return it with expressions in the place of some symbols.

        >>> (symbol("n") * symbol("n")).substitute({"n": symbol("m") + constant(1)})
        m*m + 2*m + 1
        """
        if not values or self.symbols().isdisjoint(values):
            return self
        total = constant(0)
        for monomial, factor in self.terms:
            product = constant(factor)
            for atom in monomial:
                product *= _substituted(atom, values)
            total += product
        return total

    def evaluate(self, values: Mapping[str, int]) -> int:
        """Return the number that it is for these values of its symbols.

        >>> floor_divide(symbol("n") + constant(3), constant(4)).evaluate({"n": 9})
        3
        """
        total = 0
        for monomial, factor in self.terms:
            for atom in monomial:
                if isinstance(atom, str):
                    factor *= values[atom]
                else:
                    factor *= atom.dividend.evaluate(values) // atom.divisor.evaluate(values)
            total += factor
        return total

    def __str__(self) -> str:
        """Return it as the IR spells it: in the words of MLIR's affine expressions.

        >>> n = symbol("n")
        >>> half = floor_divide(n + constant(1), constant(2))
        >>> half, half * constant(3) - n, -floor_divide(-n, constant(2)) * n + constant(1)
        ((n + 1) floordiv 2, 3*((n + 1) floordiv 2) - n, (n ceildiv 2)*n + 1)
        """
        return _sum(_spelled_term(*term) for term in self.terms)

    __repr__ = __str__

    def source(self) -> str:
        """Return it as Python spells it.

        >>> floor_divide(symbol("n") + constant(3), constant(4)).source()
        '((n + 3)//(4))'
        """
        return _sum(_source_term(*term) for term in self.terms)


@lru_cache(maxsize=4096)
def constant(number: int) -> Expression:
    """Return the expression of a number."""
    return Expression({ONE: number})


@lru_cache(maxsize=4096)
def symbol(name: str) -> Expression:
    """Return the expression of a symbol."""
    return Expression({(name,): 1})


def floor_divide(dividend: Expression, divisor: Expression) -> Expression:
    """Return the floor of a quotient: a polynomial if it is known to be one.

    >>> n, m = symbol("n"), symbol("m")
    >>> floor_divide(n * m * constant(4), m), floor_divide(n, constant(2))
    (4*n, n floordiv 2)
    >>> floor_divide(floor_divide(n, constant(2)) + constant(3), constant(4))
    (n + 6) floordiv 8
    """
    if not dividend.terms:
        return dividend
    exact = _exact_quotient(dividend, divisor)
    if exact is not None:
        return exact
    first, second = dividend.number, divisor.number
    if second:
        if first is not None:
            return constant(first // second)
        dividend, second = _single_quotient(dividend, second)
        divisor = constant(second)
    return Expression({(Quotient(dividend, divisor),): 1})


def _single_quotient(dividend: Expression, divisor: int) -> tuple[Expression, int]:
    """Return a division by a number without a quotient within: (a // b + c) // d is one of a."""
    while divisor > 0 and dividend.terms[0][1] == 1:
        inner, shift = dividend.terms[0][0], dividend.constant
        if len(dividend.terms) != 1 + (shift != 0) or len(inner) != 1:
            break
        quotient = inner[0]
        number = None if isinstance(quotient, str) else quotient.divisor.number
        if isinstance(quotient, str) or number is None or number < 1:
            break
        dividend = quotient.dividend + constant(shift * number)
        divisor *= number
    return dividend, divisor


def _exact_quotient(dividend: Expression, divisor: Expression) -> Expression | None:
    """Return the quotient if the divisor is one term that divides every term."""
    if len(divisor.terms) != 1:
        return None
    ((atoms, divisor_factor),) = divisor.terms
    terms: dict[Monomial, int] = {}
    for monomial, factor in dividend.terms:
        rest = list(monomial)
        for atom in atoms:
            if atom not in rest:
                return None
            rest.remove(atom)
        if factor % divisor_factor:
            return None
        terms[tuple(rest)] = factor // divisor_factor
    return Expression(terms)


def bound_of(expression: Expression, largest: int) -> int:
    """Return what an expression cannot exceed if its symbols lie within +-`largest`."""
    result = 0
    for monomial, factor in expression.terms:
        product = abs(factor)
        for atom in monomial:
            # The floor of a quotient is at most one further from 0 than its dividend.
            product *= largest if isinstance(atom, str) else bound_of(atom.dividend, largest) + 1
        result += product
    return result


def total(values: Iterable[Expression]) -> Expression:
    """Return the sum of expressions."""
    result = constant(0)
    for value in values:
        result += value
    return result


@lru_cache(maxsize=8192)
def _product(left: Monomial, right: Monomial) -> Monomial:
    return tuple(sorted((*left, *right), key=_word)) if left and right else left or right


@lru_cache(maxsize=8192)
def _word(atom: Atom) -> str:
    return str(atom)


def _substituted(atom: Atom, values: Mapping[str, Expression]) -> Expression:
    if isinstance(atom, str):
        return values.get(atom) or symbol(atom)
    return floor_divide(atom.dividend.substitute(values), atom.divisor.substitute(values))


def _source(atom: Atom) -> str:
    if isinstance(atom, str):
        return atom
    return f"(({atom.dividend.source()})//({atom.divisor.source()}))"


def _sum(terms: Iterable[tuple[str, bool]]) -> str:
    """Return terms, of which some are subtracted, as one text."""
    text = "".join((" - " if is_negative else " + ") + term for term, is_negative in terms)
    return f"-{text[3:]}" if text.startswith(" - ") else text[3:] or "0"


def _source_term(monomial: Monomial, factor: int) -> tuple[str, bool]:
    """Return a term without its sign as Python spells it, and whether that is a minus."""
    words = [] if abs(factor) == 1 and monomial else [str(abs(factor))]
    return "*".join([*words, *map(_source, monomial)]), factor < 0


def _operand(expression: Expression) -> str:
    """Return an operand of a division; what is no single word stands in parentheses."""
    text = str(expression)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def is_ceiling(monomial: Monomial, factor: int) -> bool:
    """Whether a term is spelled with `ceildiv` and the opposite sign: -(-n // 2) is one."""
    if factor > 0 or sum(not isinstance(atom, str) for atom in monomial) != 1:
        return False
    (quotient,) = (atom for atom in monomial if not isinstance(atom, str))
    return quotient.dividend.terms[0][1] < 0


def _spelled_term(monomial: Monomial, factor: int) -> tuple[str, bool]:
    """Return a term without its sign, and whether that is a minus."""
    is_up = is_ceiling(monomial, factor)
    is_negative = factor < 0 and not is_up
    words = [] if abs(factor) == 1 and monomial else [str(abs(factor))]
    for atom in monomial:
        text = str(atom)
        if not isinstance(atom, str):
            if is_up:
                text = f"{_operand(-atom.dividend)} ceildiv {_operand(atom.divisor)}"
            if is_negative or len(monomial) > 1 or abs(factor) != 1:
                text = f"({text})"
        words.append(text)
    return "*".join(words), is_negative


def _place(term: tuple[Monomial, int]) -> tuple[int, str]:
    """Return where a term stands: long monomials first, the constant last."""
    return _words(term[0])


@lru_cache(maxsize=8192)
def _words(monomial: Monomial) -> tuple[int, str]:
    return -len(monomial), " ".join(map(_word, monomial))
