"""What must be known of a row to find a plan of it? Names, parameters, and which numbers it checks.

A process that has loaded the rows writes this down (`written_rows`); one that finds its plans on
the disk reads it, and loads no row. What it cannot answer raises `NotKnown`: then rows are loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from .environment import Environment

#: Under which key, behind what the environment is, and which form it has.
ROWS_KEY = "rows 5"


class NotKnown(Exception):
    """Only a loaded row can answer that, or there is no plan on the disk."""


class KnownParameter:
    """What `Parameter` says, as far as the key of a call depends on it."""

    __slots__ = (
        *("default", "is_list", "is_open", "is_operand", "is_variadic", "name"),
        "optional",
    )

    def __init__(self, name: str, flags: str, default: Sequence[Any]) -> None:
        self.name = name
        self.is_open = "s" in flags
        self.is_operand = "o" in flags
        self.is_list = "l" in flags
        self.is_variadic = "v" in flags
        self.optional = "n" in flags
        #: The default of a number, which no plan holds, in a list; an empty one if there is none.
        self.default = default

    def is_left_out(self, value: object) -> bool:
        """Whether an argument is the default of a number, which no operation holds."""
        return any(type(value) is type(default) and value == default for default in self.default)


class KnownSchema:
    """The parameters of a row."""

    __slots__ = ("by_name", "positional")

    def __init__(self, parameters: Sequence[KnownParameter], count: int) -> None:
        self.positional = tuple(parameters[:count])
        self.by_name = {parameter.name: parameter for parameter in parameters}

    def bind(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> NoReturn:
        """Do not know."""
        raise NotKnown


class KnownRow:
    """What `OpSpec` says, as far as the key of a call depends on it."""

    __slots__ = (
        "binder",
        "check_keywords",
        "check_numbers",
        "is_drawing",
        "is_factory",
        "looks_at_offset",
        "name",
        "opens_integers",
        "parts",
        "returns",
        "schema",
        "static_operands",
    )

    def __init__(self, name: str, fields: Sequence[Any]) -> None:
        """Read what `written_rows` has written."""
        count, parameters, static, flags, parts = fields
        self.name = name
        self.schema = KnownSchema([KnownParameter(*each) for each in parameters], count)
        # Which values it looks at is not known: a plan that is stored for the value is right.
        self.static_operands: dict[str, Callable[[Any], bool]] = dict.fromkeys(static, _is_any)
        self.is_factory = "f" in flags
        #: Who reads calls that the schema cannot say; only that there is one is known.
        self.binder = self.refuse_numbers if "b" in flags else None
        self.looks_at_offset = "l" in flags
        #: Whether it draws, step by step.
        self.is_drawing = "d" in flags
        self.opens_integers = "i" in flags
        #: What it returns: one tensor, or what nobody knows here.
        self.returns = "Tensor" if "t" in flags else ""
        #: The parameter that says how many parts of a tensor it returns, if one does.
        self.parts = parts
        self.check_numbers = self.refuse_numbers if "c" in flags else None
        self.check_keywords = self.refuse_numbers if "k" in flags else None

    def refuse_numbers(self, bound: Any) -> NoReturn:
        """Do not know."""
        raise NotKnown


def _is_any(value: Any) -> bool:
    return True


class KnownRows:
    """The rows that plans may be found for, and what they are called by."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Read what `written_rows` has written."""
        self._fields = content["rows"]
        #: By name the rows of functions, methods, properties, and of operators, of which some swap;
        #: and of methods and operators that write into their first operand.
        self.functions: Mapping[str, str] = content["functions"]
        self.methods: Mapping[str, str] = content["methods"]
        self.properties: Mapping[str, str] = content["properties"]
        self.operators: Mapping[str, Sequence[Any]] = content["operators"]
        self.in_place: Mapping[str, str] = content["in_place"]
        #: Functions that mean another row if they are given one operand alone.
        self.several: frozenset[str] = frozenset(content["several"])
        self._rows: dict[str, KnownRow] = {}

    def row(self, name: str) -> KnownRow:
        """Return a row."""
        found = self._rows.get(name)
        if found is None:
            found = self._rows[name] = KnownRow(name, json.loads(self._fields[name]))
        return found


def known_rows(around: Environment) -> KnownRows | None:
    """Return the rows that an earlier process wrote down."""
    data = around.disk.get(f"{ROWS_KEY} {around.digest}")
    return None if data is None else KnownRows(json.loads(data))
