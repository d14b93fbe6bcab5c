"""What is known of sizes? Lower bounds, equalities, and what is not zero.

Facts answer a question for all values of the symbols at once, or do not. They are sound and not
complete: who gets no answer looks at one value, and takes a guard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Literal, NamedTuple, TypeAlias

from .expressions import ONE, Atom, Expression, Monomial, constant, is_ceiling

#: Longer products are not written out.
_MOST_ATOMS = 10

Relation: TypeAlias = Literal[">=", "==", "!="]


class Guard(NamedTuple):
    """What must hold of the sizes of a call: an expression is `>=`, `==` or `!=` zero.

    >>> from trilith.dialects.attributes.expressions import symbol
    >>> Guard(">=", symbol("n") - constant(3)), Guard("==", symbol("n") - symbol("m"))
    (n > 2, n == m)
    """

    relation: Relation
    expression: Expression

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it holds for these values of the symbols."""
        number = self.expression.evaluate(values)
        if self.relation == ">=":
            return number >= 0
        return (number == 0) is (self.relation == "==")

    def sides(self) -> tuple[Expression, str, Expression]:
        """Return the two sides, each without a minus, and what stands between them."""
        left: dict[Monomial, int] = {}
        right: dict[Monomial, int] = {}
        for monomial, factor in self.expression.terms:
            if factor > 0 or is_ceiling(monomial, factor):
                left[monomial] = factor
            else:
                right[monomial] = -factor
        between: str = self.relation
        if between == ">=" and right.get(ONE) and left:
            right[ONE] -= 1
            between = ">"
        elif between != ">=" and not any(left):
            left, right = right, left
        return Expression(left), between, Expression(right)

    def __repr__(self) -> str:
        """Return it as a comparison."""
        left, between, right = self.sides()
        return f"{left} {between} {right}"

    def source(self) -> str:
        """Return it as Python spells it."""
        left, between, right = self.sides()
        return f"{left.source()} {between} {right.source()}"


class Facts:
    """What is known, and what follows from it.

    >>> from trilith.dialects.attributes.expressions import symbol
    >>> n = symbol("n")
    >>> facts = Facts()
    >>> facts.set_least("n", 2)
    >>> facts.is_not_negative(n - constant(2)), facts.is_not_negative(n - constant(3))
    (True, None)
    >>> facts.learn(Guard(">=", n - constant(5)))
    >>> facts.is_not_negative(n - constant(3)), facts.is_zero(n - constant(1))
    (True, False)
    """

    def __init__(self) -> None:
        """Know nothing."""
        #: The least value of a symbol or quotient, None or missing if it may be anything.
        self._least: dict[Atom, int] = {}
        #: The largest value of a symbol or quotient: that of a ceiling stands as a minus.
        self._most: dict[Atom, int] = {}
        #: The least value of expressions without their constants.
        self._least_sums: dict[Expression, int] = {}
        #: Those of them in which a monomial has a minus, and its factor.
        self._sums_with_minus: dict[Monomial, tuple[tuple[Expression, int], ...]] = {}
        #: What symbols are equal to; no such symbol is in an expression here.
        self.equal: dict[str, Expression] = {}
        self._not_zero: set[Expression] = set()
        #: Answers of `lower_bound`, which hold until something is learnt.
        self._bounds: dict[Expression, int | None] = {}
        #: Answers to the two questions: what is true of all sizes stays so, whatever is learnt.
        self._not_negative: dict[Expression, bool] = {}
        self._zero: dict[Expression, bool] = {}

    def copy(self) -> Facts:
        """Return the same facts, to which others can be added."""
        result = Facts()
        result._least = dict(self._least)
        result._most = dict(self._most)
        result._least_sums = dict(self._least_sums)
        result._sums_with_minus = dict(self._sums_with_minus)
        result.equal = dict(self.equal)
        result._not_zero = set(self._not_zero)
        return result

    def set_least(self, atom: Atom, least: int) -> None:
        """Learn the least value of an atom."""
        self._bounds.clear()
        known = self._least.get(atom)
        self._least[atom] = least if known is None else max(known, least)

    def _set_most(self, atom: Atom, most: int) -> None:
        self._bounds.clear()
        known = self._most.get(atom)
        self._most[atom] = most if known is None else min(known, most)

    def reduced(self, expression: Expression) -> Expression:
        """Return an expression with the known equalities applied."""
        return expression.substitute(self.equal) if self.equal else expression

    # Questions: True or False for all values, None if that is not known

    def is_not_negative(self, expression: Expression) -> bool | None:
        """Whether an expression is at least 0."""
        answer = self._not_negative.get(expression)
        if answer is None:
            answer = self._found_not_negative(self.reduced(expression))
            if answer is not None:
                self._not_negative[expression] = answer
        return answer

    def is_zero(self, expression: Expression) -> bool | None:
        """Whether an expression is 0."""
        answer = self._zero.get(expression)
        if answer is None:
            answer = self._found_zero(self.reduced(expression))
            if answer is not None:
                self._zero[expression] = answer
        return answer

    def _found_not_negative(self, expression: Expression) -> bool | None:
        bound = self.lower_bound(expression)
        if bound is not None and bound >= 0:
            return True
        bound = self.lower_bound(-expression)
        return False if bound is not None and bound > 0 else None

    def _found_zero(self, expression: Expression) -> bool | None:
        if not expression.terms:
            return True
        for side in (expression, -expression):
            bound = self.lower_bound(side)
            if bound is not None and bound > 0:
                return False
        return False if expression in self._not_zero else None

    def follows(self, guard: Guard) -> bool:
        """Whether a guard holds for all values."""
        if guard.relation == ">=":
            return self.is_not_negative(guard.expression) is True
        return self.is_zero(guard.expression) is (guard.relation == "==")

    def lower_bound(self, expression: Expression) -> int | None:
        """Return a number that an expression is never below, None if none is known."""
        if expression not in self._bounds:
            self._bounds[expression] = self._found_bound(expression)
        return self._bounds[expression]

    def _found_bound(self, expression: Expression) -> int | None:
        bound = None
        if self._least_sums:
            rest, factor = _normalized(expression)
            direct = self._least_sums.get(rest)
            bound = None if direct is None else factor * direct + expression.constant
        shifted = self._bound_by_atoms(expression)
        if shifted is not None:
            bound = shifted if bound is None else max(bound, shifted)
        return self._bound_by_quotients(expression) if bound is None else bound

    def _bound_by_quotients(self, expression: Expression) -> int | None:
        """Return a bound by what is known of a quotient: n - n // 2 is n - 2*(n // 2) and more."""
        if not expression.has_quotients:
            return None
        found: list[int] = []
        for monomial, factor in expression.terms:
            if factor > 0 or not monomial:
                continue
            # What is taken away often enough takes this term along.
            for known, its_factor in self._sums_with_minus.get(monomial, ()):
                times = -(factor // -its_factor)
                rest = self._bound_by_atoms(expression - known * constant(times))
                if rest is not None:
                    found.append(rest + times * self._least_sums[known])
        return max(found, default=None)

    def _bound_by_atoms(self, expression: Expression) -> int | None:
        """Return the value at the bounds of the atoms, if it is nowhere less."""
        terms = expression.terms
        bound = self._bound_from_below(terms)
        if bound is not None or not self._most:
            return bound
        rest: list[tuple[Monomial, int]] = []
        total = 0
        for monomial, factor in terms:
            most = self._most.get(monomial[0]) if factor < 0 and len(monomial) == 1 else None
            if most is None:
                rest.append((monomial, factor))
            else:
                total += factor * most
        if len(rest) == len(terms):
            return None
        bound = self._bound_from_below(rest)
        return None if bound is None else bound + total

    def _bound_from_below(self, terms: Sequence[tuple[Monomial, int]]) -> int | None:
        """Return the value at the least values of the atoms, if it grows with each of them."""
        # With x = least + y and y >= 0, a polynomial in y without negative coefficients is least at
        # y = 0. The coefficients of its longest products, which come first, stay what they are.
        degree = len(terms[0][0]) if terms else 0
        # The usual case, a sum of atoms with positive coefficients, needs no expansion.
        least = self._least
        bound = 0
        is_plain = True
        for monomial, factor in terms:
            if factor < 0 and monomial:
                if len(monomial) == degree:
                    return None
                is_plain = False
            product = factor
            for atom in monomial:
                low = least.get(atom)
                if low is None:
                    return None
                if low < 0:
                    is_plain = False
                product *= low
            bound += product
        if is_plain or degree < 2:
            return bound
        if degree > _MOST_ATOMS:
            # A product of n sums has 2**n terms.
            return None
        total: dict[Monomial, int] = {}
        for monomial, factor in terms:
            for key, number in self._shifted(monomial, factor).items():
                total[key] = total.get(key, 0) + number
        if any(number < 0 for key, number in total.items() if key):
            return None
        return total.get(ONE, 0)

    def _shifted(self, monomial: Monomial, factor: int) -> dict[Monomial, int]:
        """Return the terms of a product in which each atom stands for its least value and itself.

        What is left of a monomial's atoms is in the order that they have in it: it is a monomial.
        """
        terms: dict[Monomial, int] = {ONE: factor}
        for atom in monomial:
            low = self._least[atom]
            grown: dict[Monomial, int] = {(*key, atom): n for key, n in terms.items()}
            if low:
                for key, number in terms.items():
                    grown[key] = grown.get(key, 0) + number * low
            terms = grown
        return terms

    # Learning

    def learn(self, guard: Guard) -> None:
        """Take a guard as a fact."""
        expression = self.reduced(guard.expression)
        if guard.relation == "!=":
            self._not_zero |= {expression, -expression}
        elif guard.relation == ">=":
            self._learn_bound(expression)
        elif not self._unify(expression):
            self._learn_bound(expression)
            self._learn_bound(-expression)

    def _learn_bound(self, expression: Expression) -> None:
        """Learn that an expression is not negative."""
        rest, divisor = _normalized(expression)
        bound = -(expression.constant // divisor)
        if len(rest.terms) == 1:
            ((monomial, factor),) = rest.terms
            if len(monomial) == 1 and factor == 1:
                self.set_least(monomial[0], bound)
                return
            if len(monomial) == 1 and factor == -1:
                self._set_most(monomial[0], -bound)
                return
        self._bounds.clear()
        known = self._least_sums.get(rest)
        self._least_sums[rest] = bound if known is None else max(known, bound)
        if known is None:
            for monomial, factor in rest.terms:
                if factor < 0:
                    others = self._sums_with_minus.get(monomial, ())
                    self._sums_with_minus[monomial] = (*others, (rest, factor))

    def _unify(self, expression: Expression) -> bool:
        """Replace a symbol that an equality gives by others; the youngest one goes."""
        plain = [
            monomial[0]
            for monomial, factor in expression.terms
            if len(monomial) == 1 and abs(factor) == 1 and isinstance(monomial[0], str)
        ]
        factors = dict(expression.terms)
        for name in sorted(plain, key=_age, reverse=True):
            rest = Expression({m: f for m, f in expression.terms if m != (name,)})
            if name in rest.symbols():
                continue
            value = -rest if factors[name,] == 1 else rest
            replaced = {name: value}
            self.equal = {key: known.substitute(replaced) for key, known in self.equal.items()}
            self.equal[name] = value
            least = self._least.get(name)
            if least is not None:
                self._learn_bound(value - constant(least))
            return True
        return False


def _normalized(expression: Expression) -> tuple[Expression, int]:
    """Return an expression without its constant, and the factor that was taken out of it.

    >>> from trilith.dialects.attributes.expressions import symbol
    >>> _normalized(symbol("n") * constant(4) - symbol("m") * constant(6) + constant(1))
    (-3*m + 2*n, 2)
    """
    terms = [(monomial, factor) for monomial, factor in expression.terms if monomial]
    divisor = gcd(*(factor for _, factor in terms))
    if divisor == 1 and len(terms) == len(expression.terms):
        return expression, 1
    divisor = divisor or 1
    return Expression({monomial: factor // divisor for monomial, factor in terms}), divisor


def _age(name: str) -> tuple[int, str]:
    """Return what orders n2 before n10."""
    return len(name), name
