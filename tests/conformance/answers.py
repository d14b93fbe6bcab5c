"""When is an answer the recorded one? What a row gave, and how it is compared with the record."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trilith.dialects.diagnostics import TrilithError

from .facts import Facts, differing_facts

#: Warnings of PyTorch's that no record has: they depend on its build, or on its other compilers.
UNRECORDED = ("Sparse invariant checks are implicitly disabled", "`torch.jit.script` is deprecated")

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:e[-+]?\d+)?(?=j|\b|[^\w.])")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one row: `kind` is `str`, `prints` or `raises`; `missing` a name or nothing."""

    kind: str
    text: str
    types: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    missing: str = ""
    facts: tuple[Facts, ...] = ()


def message_of(error: BaseException) -> str:
    """Return the text that PyTorch would have, without the user's line and the hint."""
    if isinstance(error, TrilithError):
        return error.message
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def normalised(text: str) -> str:
    """Return a text without the prefix of the package, with real line breaks."""
    return re.sub(r"\b(torch|trilith|tri)\.", "", text).replace("\\n", "\n")


def is_prefix(recorded: str, found: str) -> bool:
    """Whether a recorded text, which may be cut, is how the found one begins."""
    return normalised(found).startswith(normalised(recorded).rstrip())


def _unit(number: str) -> float:
    """Return what the last digit of a printed number counts."""
    digits, _, exponent = number.partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def differs_in_last_digits(recorded: str, found: str) -> bool:
    """Whether two texts are one but for the last digit of numbers, and for blanks around them.

    >>> differs_in_last_digits("tensor([1.2345, 2.])", "tensor([1.2346, 2.])")
    True
    >>> differs_in_last_digits("tensor([1.2345, 2.])", "tensor([1.2347, 2.])")
    False
    """
    one, other = (re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (recorded, found))
    if one != other:
        return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(found), strict=True)
    return all(
        abs(float(mine) - float(theirs)) <= 1.001 * max(_unit(mine), _unit(theirs))
        for mine, theirs in pairs
    )


def is_value(row: Mapping[str, Any], found: Answer) -> bool:
    """Whether the text of a result is the recorded one, and so are the facts of its tensors."""
    kind = "prints" if "prints" in row else "str"
    if found.kind != kind:
        return False
    mine, theirs = normalised(row[kind].strip()), normalised(found.text)
    if "tensors" not in row:
        return mine == theirs
    is_alike = mine == theirs or differs_in_last_digits(mine, theirs)
    return is_alike and not differing_facts(row["tensors"], found.facts)


def is_warning(row: Mapping[str, Any], found: Answer) -> bool:
    """Whether an answer warns as recorded; an empty text says that nothing is warned of."""
    if row.get("warns") == "":
        heard = (each.partition(": ")[2] for each in found.warned)
        return all(text.startswith(UNRECORDED) for text in heard)
    return "warns" not in row or any(is_prefix(row["warns"], each) for each in found.warned)


def is_equal(row: Mapping[str, Any], found: Answer) -> bool:
    """Whether an answer is the recorded one: value, exception and text, and the warning if any."""
    if not is_warning(row, found):
        return False
    if "raises" not in row:
        return is_value(row, found)
    name, _, message = row["raises"].partition(": ")
    mine = found.text.partition(": ")[2]
    kinds = {kind.rpartition(".")[2] for kind in found.types}
    return name.rpartition(".")[2] in kinds and is_prefix(message, mine)
