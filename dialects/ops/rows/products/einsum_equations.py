"""What does an equation of einsum say? Which dims of its operands meet, and which are summed.

The dims of all operands are brought into one order: those of the output first, then those that are
summed over. `Layout` says for each operand where its dims go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

from ....diagnostics import TrilithError, TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ...frame.overloads import is_array
from ...frame.schema import Schema

#: The letters in the order that dims without a place in the output take.
LETTERS = ascii_uppercase + ascii_lowercase
ELLIPSIS = "..."

_NO_OPERAND = (
    "einsum(): must specify the equation string and at least one operand, or at least one operand "
    "and its subscripts list"
)


class Equation(NamedTuple):
    """The subscripts of the operands and of the output, letter by letter; an ellipsis is one."""

    operands: tuple[tuple[str, ...], ...]
    output: tuple[str, ...] | None


class Layout(NamedTuple):
    """Where the dims of the operands stand in the common order.

    `places` has the place of each letter, `ellipsis` that of the first of the `covered` dims that
    the longest ellipsis stands for; of `rank` dims the first `kept` are those of the output.
    """

    places: dict[str, int]
    ellipsis: int
    covered: int
    kept: int
    rank: int


def bind_equation(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Read a call: an equation and tensors, a list of them, or tensors with lists of subscripts."""
    for name in keywords:
        if name != "path":
            raise TrilithTypeError(f"einsum() got an unexpected keyword argument '{name}'")
    if len(arguments) < 2:
        raise TrilithValueError(_NO_OPERAND)
    first, *operands = arguments
    if is_array(first):
        first, operands = _from_lists(arguments)
    if not isinstance(first, str):
        raise TrilithTypeError(
            f"einsum(): argument 'equation' (position 1) must be str, not {type(first).__name__}"
        )
    while len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        (listed,) = operands
        operands = list[Any](listed)
    for number, operand in enumerate(operands):
        if not is_array(operand):
            raise TrilithTypeError(
                f"expected Tensor as element {number} in argument 1, but got "
                f"{type(operand).__name__}"
            )
    return schema.bind(
        (first, tuple(operands)), {"path": keywords.get("path") or _path(first, operands)}
    )


def _path(equation: str, operands: Sequence[Any]) -> tuple[int, ...] | None:
    """Return which operands are multiplied first, and so on, if opt_einsum is there to say so."""
    if len(operands) < 3 or find_spec("opt_einsum") is None:
        return None
    shapes = [tuple(map(int, operand.shape)) for operand in operands]
    paths: Any = import_module("opt_einsum")
    found, _ = paths.contract_path(equation, *shapes, shapes=True, optimize="auto")
    return tuple([index for pair in found for index in pair])


def _from_lists(arguments: Sequence[Any]) -> tuple[str, list[Any]]:
    """Write down the equation that lists of numbers behind the operands stand for."""
    pairs = len(arguments) // 2
    inputs = ",".join(_written(arguments[2 * number + 1]) for number in range(pairs))
    is_explicit = len(arguments) % 2 == 1
    equation = f"{inputs}->{_written(arguments[-1])}" if is_explicit else inputs
    return equation, [arguments[2 * number] for number in range(pairs)]


def _written(subscripts: Any) -> str:
    letters: list[str] = []
    for subscript in subscripts:
        if subscript is Ellipsis:
            letters.append(ELLIPSIS)
        elif 0 <= subscript < len(LETTERS):
            letters.append(LETTERS[subscript])
        else:
            raise TrilithValueError(
                "einsum(): subscript in subscript list is not within the valid range [0, 52)"
            )
    return "".join(letters)


def refusal(text: str) -> TrilithError:
    """Return an error of einsum's."""
    return TrilithRuntimeError(f"einsum(): {text}")


def parse_equation(equation: str, count: int) -> Equation:
    """Take an equation apart that is to have so many operands.

    >>> parse_equation("i...j, jk -> ...k", 2)
    Equation(operands=(('i', '...', 'j'), ('j', 'k')), output=('...', 'k'))
    """
    arrow = equation.find("->")
    end = len(equation) if arrow < 0 else arrow
    operands: list[list[str]] = [[]]
    index = 0
    while index < end:
        if equation[index] == ",":
            operands.append([])
            index += 1
            if len(operands) > count:
                raise refusal("fewer operands were provided than specified in the equation")
        else:
            where = f"for operand {len(operands) - 1}"
            index = _read(equation, index, end, operands[-1], where, "for which an ellipsis was")
    if len(operands) < count:
        raise refusal("more operands were provided than specified in the equation")
    known = tuple(map(tuple, operands))
    return Equation(known, None if arrow < 0 else _parse_output(equation, arrow + 2, known))


def _read(equation: str, index: int, end: int, found: list[str], where: str, already: str) -> int:
    """Append the subscript at an index to those found, unless it is a space; return the next."""
    letter = equation[index]
    if letter == ".":
        if ELLIPSIS in found:
            raise refusal(f"found '.' {where} {already} already found")
        if equation[index : index + 3] != ELLIPSIS or index + 3 > end:
            written = " (...)" if where == "for output" else ""
            raise refusal(f"found '.' {where} that is not part of any ellipsis{written}")
        found.append(ELLIPSIS)
        return index + 3
    if letter != " ":
        if letter not in LETTERS:
            raise refusal(
                f"invalid subscript given at index {index} in the equation string, subscripts "
                "must be in [a-zA-Z]"
            )
        found.append(letter)
    return index + 1


def _parse_output(equation: str, index: int, operands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    found: list[str] = []
    while index < len(equation):
        count = len(found)
        index = _read(
            equation, index, len(equation), found, "for output", "but an ellipsis (...) was"
        )
        for letter in found[count:]:
            if letter in found[:count]:
                raise refusal(f"output subscript {letter} appears more than once in the output")
            if letter != ELLIPSIS and not any(letter in operand for operand in operands):
                raise refusal(
                    f"output subscript {letter} does not appear in the equation for any input "
                    "operand"
                )
    return tuple(found)


def lay_out(equation: Equation, ranks: Sequence[int]) -> Layout:
    """Bring the dims of operands of such ranks into one order.

    >>> lay_out(parse_equation("ij,jk->ki", 2), (2, 2))
    Layout(places={'k': 0, 'i': 1, 'j': 2}, ellipsis=2, covered=0, kept=2, rank=3)
    """
    covered = max(
        _covered(number, subscripts, rank)
        for number, (subscripts, rank) in enumerate(zip(equation.operands, ranks, strict=True))
    )
    letters = [letter for operand in equation.operands for letter in operand]
    known = [letter for letter in LETTERS if letter in letters]
    output = equation.output
    if output is None:
        output = (ELLIPSIS, *(letter for letter in known if letters.count(letter) == 1))
    places: dict[str, int] = {}
    count, ellipsis = 0, -1
    for letter in output:
        if letter == ELLIPSIS:
            ellipsis, count = count, count + covered
        else:
            places[letter], count = count, count + 1
    kept = count
    if ellipsis < 0:
        ellipsis, count = count, count + covered
    for letter in known:
        if letter not in places:
            places[letter], count = count, count + 1
    return Layout(places, ellipsis, covered, kept, count)


def _covered(number: int, subscripts: Sequence[str], rank: int) -> int:
    """Return how many dims the ellipsis of an operand stands for."""
    count = sum(letter != ELLIPSIS for letter in subscripts)
    if ELLIPSIS in subscripts:
        if count > rank:
            raise refusal(
                f"the number of subscripts in the equation ({count}) is more than the number of "
                f"dimensions ({rank}) for operand {number}"
            )
    elif count != rank:
        raise refusal(
            f"the number of subscripts in the equation ({count}) does not match the number of "
            f"dimensions ({rank}) for operand {number} and no ellipsis was given"
        )
    return rank - count
