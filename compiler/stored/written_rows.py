"""What is written down of rows, so that later processes find plans without loading them?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...dialects.attributes.operators import REFLECTED_OPERATORS
from ...dialects.ops.frame.indexed import DrawingOp, HostOp
from ...dialects.ops.frame.opspec import CompositeOp, ElementwiseOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import SCALAR_TYPES, Parameter
from ...dialects.ops.table import TABLE, members
from .environment import Environment
from .known_rows import ROWS_KEY


def are_shipped() -> bool:
    """Whether all rows are those of trilith's sources, which the keys of plans take for granted.

    >>> are_shipped()
    True
    """
    return not TABLE.changed


def store_known_rows(around: Environment) -> None:
    """Write down all rows that plans for all sizes are made for, unless they are there."""
    key = f"{ROWS_KEY} {around.digest}"
    if around.disk.get(key) is None:
        content = json.dumps(_content(tuple(TABLE.values())), separators=(",", ":"))
        around.disk.put(key, content.encode(), around.maker)


def _content(rows: Sequence[OpSpec]) -> dict[str, Any]:
    usual = [row for row in rows if _is_usual(row)]
    # A name that something else stands for, too, is left to who knows.
    parts = {name for row in rows if row.is_assignable for name in row.methods}
    functions = {
        name: row.name
        for row in usual
        if _is_function(row)
        for name in (*row.function_names, *row.places)
    }
    methods: dict[str, str] = {}
    properties: dict[str, str] = {}
    operators: dict[str, list[Any]] = {}
    found = members()
    in_place = {
        name: row.name for row in usual for name in row.in_place_names if found.get(name) is row
    }
    for row in usual:
        for name in row.methods:
            if name in parts:
                continue
            if name.startswith("__"):
                operators[name] = [row.name, _is_swapped(row, name)]
            elif row.is_property:
                properties[name] = row.name
            else:
                methods[name] = row.name
    return {
        # Each is a text, which takes no time until it is asked for.
        "rows": {row.name: json.dumps(_fields(row)) for row in usual},
        "functions": functions,
        "methods": methods,
        "properties": properties,
        "operators": operators,
        "in_place": in_place,
        "several": [row.name for row in usual if row.alone],
    }


def _is_usual(row: OpSpec) -> bool:
    """Whether a call of the row goes to its plan, or to a tape, whatever its arguments are."""
    is_cutting = isinstance(row, CompositeOp) and row.is_cutting
    is_counted = not is_cutting or (bool(row.parts) and row.binder is None)
    return is_counted and (isinstance(row, DrawingOp) or not isinstance(row, HostOp))


def _is_function(row: OpSpec) -> bool:
    """Whether a call of the function is one of the row."""
    return not row.schema.has_spread and not row.writes_if


def _is_swapped(row: OpSpec, name: str) -> bool:
    is_commutative = isinstance(row, ElementwiseOp) and row.algebra.commutative
    return name in REFLECTED_OPERATORS and not is_commutative


def _fields(row: OpSpec) -> list[Any]:
    schema = row.schema
    others = [item for item in schema.parameters if item.keyword_only]
    parameters = [_parameter(item) for item in (*schema.positional, *others)]
    flags = "f" * row.is_factory
    flags += "c" * (row.check_numbers is not None) + "k" * (row.check_keywords is not None)
    flags += "t" * (row.returns == "Tensor") + "b" * (row.binder is not None)
    flags += "d" * isinstance(row, DrawingOp) + "l" * row.looks_at_offset + "i" * row.opens_integers
    return [len(schema.positional), parameters, list(row.static_operands), flags, row.parts]


def _parameter(parameter: Parameter) -> list[Any]:
    flags = "s" * parameter.is_open + "o" * parameter.is_operand + "l" * parameter.is_list
    flags += "v" * parameter.is_variadic + "n" * parameter.optional
    is_number = parameter.type in SCALAR_TYPES and parameter.has_default
    return [parameter.name, flags, [parameter.default] if is_number else []]
