"""How is a plan for all sizes stored? As an artifact whose integers are expressions, and guards.

An expression is data: a list of terms, each a factor and its atoms; an atom is the number of a
symbol, or a list of what is divided and by what. What the file says of sizes is believed only so
far as the plan asks for it in every call: equalities and other guards are guards again, and
whatever cannot be proven of the artifact with them becomes one more (`Artifact.validate`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.expressions import Expression, constant, symbol, total
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.symint import ShapeEnv, SymInt
from ...dialects.diagnostics import TrilithError, TrilithValueError
from .artifact import Artifact
from .artifact_form import encode, fields_of, opened
from .known_sizes import at_sizes

#: The key of an expression where an integer may stand.
_SIZE = "n"
#: More than the plans of any program have.
_MOST_SYMBOLS, _MOST_TERMS, _MOST_DEPTH = 4096, 4096, 16
#: Which numbers a guard lets through.
_HOLDS: dict[str, Callable[[int], bool]] = {
    ">=": lambda number: number >= 0,
    "==": lambda number: number == 0,
    "!=": lambda number: number != 0,
}


class StoredPlan:
    """An artifact of expressions, what is known of its symbols, and notes of its maker."""

    __slots__ = ("artifact", "env", "notes")

    def __init__(self, artifact: Artifact, env: ShapeEnv, notes: dict[str, Any]) -> None:
        self.artifact = artifact
        self.env = env
        self.notes = notes


def encode_plan(artifact: Artifact, env: ShapeEnv, notes: Mapping[str, Any]) -> bytes:
    """Return the stored form of a plan for all sizes that pass the guards of `env`.

    >>> env = ShapeEnv()
    >>> size = env.symbol(5, least=2)
    >>> data = encode_plan(Artifact("empty", (), (), (), (), (), arena_nbytes=4 * size), env, {})
    >>> decode_plan(data, [7], [2]).artifact.arena_nbytes
    4*n0
    """
    names = {name: number for number, name in enumerate(env.hints)}

    def written(value: Expression) -> list[Any]:
        return [[factor, *map(atom, monomial)] for monomial, factor in value.terms]

    def atom(value: Any) -> Any:
        if isinstance(value, str):
            return names[value]
        return [written(value.dividend), written(value.divisor)]

    def size(value: Any) -> Any:
        if type(value) is not SymInt:
            raise TypeError(f"a {type(value).__name__} cannot be stored")
        return {_SIZE: written(value.expression)}

    sizes = {
        "symbols": len(names),
        "equal": [[names[name], written(value)] for name, value in env.equal.items()],
        "guards": [[guard.relation, written(guard.expression)] for guard in env.guards],
        "limits": [written(limit) for limit in env.limits],
        "scalars": [[index, size(value)] for index, value in env.scalars.items()],
    }
    return encode(artifact, {"sizes": sizes, "notes": dict(notes)}, size)


def decode_plan(data: bytes, numbers: Sequence[int], leasts: Sequence[int | None]) -> StoredPlan:
    """Read the stored form for a call with these numbers, of which the least values are known.

    Raises TrilithValueError for anything that is not an undamaged plan for these numbers. What
    could not be proven for all sizes is a guard of it.
    """
    content, body = opened(data)
    try:
        sizes, notes = _parts(content, numbers)
        reader = _Reader(sizes, numbers, leasts)
        artifact = Artifact(**fields_of(content, body, reader.size))
        for index, value in sizes["scalars"]:
            reader.env.scalars[_index(index, artifact)] = reader.size(value)
        artifact.validate()
    except TrilithValueError:
        raise
    except (*_MALFORMED, TrilithError) as error:
        raise TrilithValueError(f"the stored plan is not valid: {error}") from error
    return StoredPlan(artifact, reader.env, notes)


def decode_plan_at(data: bytes, numbers: Sequence[int]) -> tuple[Artifact, dict[str, Any]]:
    """Read the stored form for a call with these numbers, and no other: (artifact, notes).

    That takes a third of the time: no expression is made, and what there is to prove is arithmetic.
    """
    content, body = opened(data)
    try:
        sizes, notes = _parts(content, numbers)
        values = _Values(sizes, numbers)
        artifact = Artifact(**fields_of(content, body, values.size))
        scalars = {_index(at, artifact): values.size(value) for at, value in sizes["scalars"]}
        artifact.validate()
        return at_sizes(artifact, {}, scalars) if scalars else artifact, notes
    except TrilithValueError:
        raise
    except (*_MALFORMED, TrilithError) as error:
        raise TrilithValueError(f"the stored plan is not valid: {error}") from error


def _parts(content: Any, numbers: Sequence[int]) -> tuple[dict[str, Any], dict[str, Any]]:
    more = content["more"]
    sizes, notes = more["sizes"], more["notes"]
    if sizes["symbols"] != len(numbers) or len(numbers) > _MOST_SYMBOLS:
        raise ValueError("it is for another number of sizes")
    if not isinstance(notes, dict):
        raise TypeError("it has no notes")
    return sizes, cast("dict[str, Any]", notes)


def _index(index: Any, artifact: Artifact) -> int:
    if type(index) is not int or not 0 <= index < len(artifact.scalars):
        raise ValueError(f"there is no number {index}")
    return index


#: What reading a file of any content may raise.
_MALFORMED = (KeyError, IndexError, TypeError, ValueError, ArithmeticError, RecursionError)


class _Values:
    """Reads expressions as the numbers that they are in one call."""

    def __init__(self, sizes: Mapping[str, Any], numbers: Sequence[int]) -> None:
        self.numbers = numbers
        equal = [self.number([[1, name]]) == self.number(terms) for name, terms in sizes["equal"]]
        guards = [_HOLDS[relation](self.number(terms)) for relation, terms in sizes["guards"]]
        limits = [self.number(terms) >= 0 for terms in sizes["limits"]]
        if not all((*equal, *guards, *limits)):
            raise ValueError("the plan is for other sizes")

    def size(self, value: Any) -> int:
        """Read an integer, or an expression in its place."""
        return value if type(value) is int else self.number(value[_SIZE])

    def number(self, terms: Any, depth: int = 0) -> int:
        """Read an expression."""
        if type(terms) is not list or depth > _MOST_DEPTH:
            raise TypeError("an expression is a list of terms, nested not too deeply")
        total = 0
        for factor, *atoms in cast("list[Any]", terms):
            if type(factor) is not int:
                raise TypeError("a factor is an integer")
            product = factor
            for atom in atoms:
                if type(atom) is int:
                    product *= self.numbers[atom]
                else:
                    dividend, divisor = atom
                    inner = self.number(divisor, depth + 1)
                    product *= self.number(dividend, depth + 1) // inner
            total += product
        return total


class _Reader:
    """Reads expressions of the symbols of one plan."""

    def __init__(
        self, sizes: Mapping[str, Any], numbers: Sequence[int], leasts: Sequence[int | None]
    ) -> None:
        self.count = len(numbers)
        self.env = ShapeEnv()
        equal = {f"n{self._symbol(number)}": self._plain(terms) for number, terms in sizes["equal"]}
        self.env = ShapeEnv.restored(numbers, leasts, equal)
        for name, value in equal.items():
            if self.env.hints[name] != self.env.value_of(value):
                raise ValueError(f"the plan is for {name} == {value}")
        for relation, terms in sizes["guards"]:
            if relation not in _HOLDS:
                raise ValueError(f"no relation '{relation}'")
            guard = Guard(relation, self.expression(terms))
            if not guard.holds(self.env.hints):
                raise ValueError(f"the plan is for {guard}")
            self.env.take(guard)
        for terms in sizes["limits"]:
            limit = self.expression(terms)
            if limit.constant < 0:
                raise ValueError(f"no sizes are such that {limit} is not negative")
            self.env.limits.add(limit)

    def size(self, value: Any) -> Any:
        """Read an integer, or an expression in its place."""
        if type(value) is int:
            return value
        found = self.expression(value[_SIZE])
        number = found.number
        return SymInt(self.env, found) if number is None else number

    def expression(self, terms: Any, depth: int = 0) -> Expression:
        """Read an expression; what is divided by is not 0, which may become a guard."""
        if type(terms) is not list or len(cast("list[Any]", terms)) > _MOST_TERMS:
            raise TypeError("an expression is a list of terms")
        if depth > _MOST_DEPTH:
            raise ValueError("expressions are nested too deeply")
        plain: dict[tuple[Any, ...], int] = {}
        rest: list[Expression] = []
        for factor, *atoms in cast("list[Any]", terms):
            if type(factor) is not int:
                raise TypeError("a factor is an integer")
            if all(type(atom) is int for atom in atoms):
                plain[tuple([f"n{self._symbol(atom)}" for atom in atoms])] = factor
                continue
            product = constant(factor)
            for atom in atoms:
                product = product * self._atom(atom, depth)
            rest.append(product)
        return total((Expression(plain), *rest)) if rest else Expression(plain)

    def _atom(self, atom: Any, depth: int) -> Expression:
        if type(atom) is int:
            return symbol(f"n{self._symbol(atom)}")
        dividend, divisor = (self.expression(part, depth + 1) for part in atom)
        quotient = SymInt(self.env, dividend) // SymInt(self.env, divisor)
        return quotient.expression if type(quotient) is SymInt else constant(quotient)

    def _plain(self, terms: Any) -> Expression:
        """Read an expression without quotients."""
        if any(type(atom) is not int for _, *atoms in terms for atom in atoms):
            raise TypeError("a quotient is no symbol")
        return self.expression(terms)

    def _symbol(self, number: Any) -> int:
        if type(number) is not int or not 0 <= number < self.count:
            raise ValueError(f"there is no symbol {number}")
        return number
