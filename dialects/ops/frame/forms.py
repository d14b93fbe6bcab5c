"""Does a call fit any of PyTorch's signatures, of a function that has several, or what is said?

A row has one signature for all that its function takes; PyTorch has several, and takes nothing that
is between them: `sum(x, out=y)` is no call, since the signature with `out` is that with `dim`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from ...attributes.spec import ScalarSpec
from ...diagnostics import TrilithError, TrilithTypeError
from ...records import replace
from .argument_values import is_number
from .overloads import is_array, kind_of, no_such_form
from .schema import Parameter, Schema, parse_schema
from .wrong_calls import WrongCall


def refusal(
    overloads: tuple[str, ...],
    name: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    is_method: bool = False,
) -> TrilithTypeError | None:
    """Return PyTorch's error for a call that fits none of the overloads; None if it fits one.

    If one of them alone takes so many arguments, it says what is wrong.

    >>> overloads = ("Tensor input", "Tensor input, int dim, bool keepdim=False")
    >>> refusal(overloads, "f", ["x"], {"dim": 1, "keepdim": 2}).message
    "f(): argument 'keepdim' must be bool, not int"
    >>> refusal(overloads, "f", [], {}).message.splitlines()[1:]
    [' * (Tensor input)', ' * (Tensor input, int dim, bool keepdim = False)']
    """
    schemas = _schemas(overloads, name, is_method)
    if is_method:
        arguments = arguments[1:]
    errors = [_error(schema, arguments, keywords) for schema in schemas]
    if None in errors:
        return None
    given = len(arguments) + len(keywords)
    plausible = [
        cast("TrilithTypeError", error)
        for schema, error in zip(schemas, errors, strict=True)
        if _least(schema.parameters) <= given <= len(schema.parameters)
    ]
    if len(plausible) == 1:
        only = plausible[0]
        return only.whole() if isinstance(only, WrongCall) else only
    shown = [
        f" * ({described})\n{_mismatch(described, arguments, keywords)}"
        for described in map(_described, schemas)
    ]
    return no_such_form(name, arguments, keywords, "\n" + "".join(shown))


@lru_cache
def _schemas(overloads: tuple[str, ...], name: str, is_method: bool) -> tuple[Schema, ...]:
    """Return the signatures; those of a method are without the tensor, and without `out`."""
    schemas = tuple(parse_schema(f"{name}({overload})") for overload in overloads)
    return tuple(map(_of_method, schemas)) if is_method else schemas


def _of_method(schema: Schema) -> Schema:
    kept = [parameter for parameter in schema.parameters[1:] if parameter.name != "out"]
    parameters = tuple(replace(each, position=each.position - 1) for each in kept)
    return replace(
        schema,
        parameters=parameters,
        positional=tuple(each for each in parameters if not each.keyword_only),
        by_name={each.name: each for each in parameters},
    )


def _least(parameters: Sequence[Parameter]) -> int:
    return sum(not parameter.has_default for parameter in parameters)


def _error(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> TrilithTypeError | None:
    """Return what is wrong with a call by one signature."""
    try:
        bound: dict[str, Any] = schema.bind(arguments, keywords)
    except TrilithTypeError as error:
        # PyTorch goes through the parameters: what is missing comes before what stands by its name.
        names = [parameter.name for parameter in schema.positional[: len(arguments)]]
        return (schema.missing([*names, *keywords]) if keywords else None) or error
    except TrilithError:
        return None  # a number too large: whoever runs the call says so
    for parameter in schema.parameters:
        value = bound[parameter.name]
        if parameter.is_operand and not _is_operand(parameter, value):
            complaint = f"must be Tensor, not {kind_of(value)}"
            return schema.wrong(parameter, complaint, is_placed=parameter.name not in keywords)
    return None


def _is_operand(parameter: Parameter, value: Any) -> bool:
    if value is None:
        return parameter.optional
    if parameter.is_list:
        return isinstance(value, (tuple, list))
    if parameter.takes_number:
        is_scalar = isinstance(getattr(value, "spec", None), ScalarSpec)
        return is_scalar or is_number(value) or hasattr(value, "__index__")
    return is_array(value)


# ---- texts

_UNMATCHED = "      didn't match because some of the "


def _described(schema: Schema) -> str:
    """Return a signature as PyTorch writes it."""
    words: list[str] = []
    for parameter in schema.parameters:
        if parameter.keyword_only and "*" not in words:
            words.append("*")
        default = f" = {parameter.default}" if parameter.has_default else ""
        words.append(f"{parameter.word} {parameter.name}{default}")
    return ", ".join(words)


def _mismatch(described: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """Say why a signature of just so many arguments is not meant.

    PyTorch reads that off the text: a star is an argument, so is nothing at all, and one with a
    default is called by the default.
    """
    parts = [part.rpartition(" ") for part in described.split(", ")]
    if len(arguments) + len(keywords) != len(parts):
        return ""
    names = [name for _, _, name in parts]
    by_name = names[len(parts) - len(keywords) :]
    others = [name for name in reversed(list(keywords)) if name not in by_name]
    if others:
        return f"{_UNMATCHED}keywords were incorrect: {', '.join(others)}\n"
    given = [("", value) for value in arguments]
    given += [(f"{name}=", keywords[name]) for name in by_name]
    shown = [
        f"{before}{kind_of(value)}" if _is_of(word, value) else f"!{before}{kind_of(value)}!"
        for (word, _, _), (before, value) in zip(parts, given, strict=True)
    ]
    return f"{_UNMATCHED}arguments have invalid types: ({', '.join(shown)})\n"


def _is_of(word: str, value: Any) -> bool:
    if word == "Tensor":
        return is_array(value)
    kinds = {"Number": (int, float), "int": (int,), "float": (int, float), "bool": (bool,)}
    return isinstance(value, kinds.get(word, ())) and (word == "bool" or type(value) is not bool)
