"""Which calls does PyTorch take with a warning that they are deprecated? Numbers among tensors.

`add(x, 2, y)` means `add(x, y, alpha=2)`: once numbers stood where they stand in the formula. A row
says in which orders its parameters stood. A call is looked at here when the row's own signature has
refused it, so that no other call pays for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...attributes.spec import ScalarSpec
from ...frames import warn_once
from ...records import record
from .argument_values import is_number
from .overloads import is_array
from .schema import SCALAR_TYPES, Parameter, Schema


@record
class Outdated:
    """The orders in which the parameters of a function stood: names, the longest first.

    Those of a method are the same without the input. `others` are the signatures that PyTorch
    recommends for the function beside the row's own.
    """

    orders: tuple[str, ...]
    others: tuple[str, ...] = ()


#: What a call is given again as: arguments and keywords.
Call = tuple[tuple[Any, ...], dict[str, Any]]


def is_outdated(outdated: Outdated, schema: Schema, arguments: Sequence[Any]) -> bool:
    """Whether a call that may be taken is not one of the signature."""
    return bool(outdated.orders) and len(arguments) > len(schema.positional)


def renewed(
    outdated: Outdated,
    schema: Schema,
    name: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    are_methods: tuple[bool, ...],
    takes_out: bool = False,
) -> Call | None:
    """Return a call that was refused as it is written now, with PyTorch's warning.

    `are_methods` says of each order that is tried whether it is that of a method. None stands for
    a call that was never right.
    """
    for order in outdated.orders:
        for is_method in are_methods:
            names = order.split()
            if is_method:
                names = ["input", *(each for each in names if each != "input")]
            given = _given(schema, names, arguments, keywords)
            if given is not None:
                others = outdated.others if takes_out else ()
                warn_once(_words(schema, name, names, is_method, takes_out, others))
                others = {key: value for key, value in keywords.items() if key not in given}
                first = [given.pop(each.name) for each in schema.positional]
                return tuple(first), {**given, **others}
    return None


def _given(
    schema: Schema, names: Sequence[str], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the arguments of a call by an order of names, if they are all there and fit."""
    given = dict(zip(names, arguments, strict=False))
    if given.keys() & keywords.keys():
        return None
    named = {key: keywords[key] for key in names if key in keywords}
    is_whole = len(given) == len(arguments) and len(given) + len(named) == len(names)
    given |= named
    fits = is_whole and all(_fits(schema, key, value) for key, value in given.items())
    return given if fits else None


def _fits(schema: Schema, name: str, value: Any) -> bool:
    """Whether an argument is what a parameter takes: a number, or a tensor or one in its place."""
    kind = schema.by_name[name].type
    spec = getattr(value, "spec", None)
    if kind in SCALAR_TYPES:
        return is_number(value) or (spec is not None and not getattr(spec, "shape", ()))
    return is_array(value) or (
        kind == "Operand" and (is_number(value) or isinstance(spec, ScalarSpec))
    )


def _words(
    schema: Schema,
    name: str,
    names: Sequence[str],
    is_method: bool,
    takes_out: bool,
    others: tuple[str, ...],
) -> str:
    """Return PyTorch's warning: the signature of the call, and those that take its place."""
    out = ["Tensor out = None"] if takes_out else []
    options = [
        f"{_declared(each)} = {each.default}" for each in schema.parameters if each.keyword_only
    ]
    old = [_declared(schema.by_name[each]) for each in names[is_method:]]
    positional = [_declared(each) for each in schema.positional[is_method:]]
    new = _signature(name, positional, [*options, *out])
    shown = "\n\t".join((new, *others))
    return (
        f"This overload of {name} is deprecated:\n\t{_signature(name, old, out)}\n"
        f"Consider using one of the following signatures instead:\n\t{shown}"
    )


def _declared(parameter: Parameter) -> str:
    return f"{'Number' if parameter.type in SCALAR_TYPES else 'Tensor'} {parameter.name}"


def _signature(name: str, positional: Sequence[str], options: Sequence[str]) -> str:
    return f"{name}({', '.join([*positional, *(['*'] if options else []), *options])})"
