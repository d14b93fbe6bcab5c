"""What tells a usual call from another one, before its arguments are bound or flattened?

A short key is what a table's `shortcuts` are looked up by: it is soon made, and calls of one short
key have one `PlanKey`. Tensors stand in it with their interned specs, numbers as `trace/numbers.py`
says. Calls that have none, and those that were not seen before, make the whole key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import numpy as np

from ..dialects.attributes.device import placement
from ..dialects.attributes.dtype import MODERATE, DType, complex64, complex128, float32, float64
from ..runtime.calls.demands import Role
from ..runtime.tensors.tensor import Tensor
from .trace.numbers import END_OF_INTEGERS, FIRST_INTEGER, known_number

if TYPE_CHECKING:
    # Compiled functions have short keys, too, and the import of trilith loads no rows for them.
    from ..dialects.ops.frame.row import OpSpec
    from ..dialects.ops.frame.schema import Parameter

    class ChecksNumbers(Protocol):
        """What is asked of a row, whether it is loaded or only known."""

        @property
        def check_numbers(self) -> Any:
            """What looks at the numbers of a call, if anything does."""
            ...

        @property
        def check_keywords(self) -> Any:
            """The same for numbers that are keyword-only."""
            ...


#: Not a part of a key.
_OTHER = object()
WIDE = frozenset((float32, float64, complex64, complex128))


#: What calls of compiled functions have a plan for each of, and native code can tell apart.
_WORDS = frozenset((bool, str, DType))

#: Which values are static, by index and by name of each operand that may be a number.
_Numbers = dict[int | str, Any]
_numbers: dict[str, tuple[OpSpec, _Numbers]] = {}

#: The key of a call, None if it has none, and the tensors and numbers that its plan takes.
ShortKey: TypeAlias = tuple[Any, list[Tensor], list[Any]]


#: Arguments by their position or name.
Places: TypeAlias = "frozenset[int | str]"
_NO_PLACES: Places = frozenset()


def short_key_of_call(
    arguments: tuple[Any, ...],
    static: Places,
    valued: Places = _NO_PLACES,
    keywords: Mapping[str, Any] = MappingProxyType({}),
) -> ShortKey:
    """Return the key of a compiled function's call; arguments at some places are static.

    Numbers at those that are `valued` are arguments, though a plan is for their value. What else a
    plan depends on is for the caller to add.

    >>> short_key_of_call((2, 0.5), frozenset({0}))
    ([(<class 'int'>, '2'), <class 'float'>], [], [0.5])
    >>> short_key_of_call((2, 0.5), frozenset(), frozenset({0}))
    ([(<class 'int'>, '2'), <class 'float'>], [], [2, 0.5])
    """
    key: list[Any] = []
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    given = (*enumerate(arguments), *keywords.items()) if keywords else enumerate(arguments)
    for index, value in given:
        kind = cast("type[Any]", type(value))
        if static and index in static:
            if kind is float or kind is int or kind is bool:
                key.append(known_number(value))
            elif kind is str:
                key.append((kind, value))
            else:
                return None, tensors, scalars
        elif kind is Tensor:
            key.append(value.spec)
            tensors.append(value)
        elif kind is float or (kind is int and FIRST_INTEGER <= value < END_OF_INTEGERS):
            key.append(known_number(value) if valued and index in valued else kind)
            scalars.append(value)
        elif value is None or kind in _WORDS:
            key.append((kind, value))
        else:
            return None, tensors, scalars
    if keywords:
        key.append(tuple(keywords))
    return key, tensors, scalars


def is_word(value: Any) -> bool:
    """Whether an argument of a compiled function is a part of its structure, and nothing more."""
    return value is None or type(value) in _WORDS


def short_key_of_row(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], key: list[Any]
) -> ShortKey:
    """Return the key of a row's call on tensors, numbers and plain static values.

    It begins with `key`: the row, what becomes of its result, the settings.
    """
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    numbers: _Numbers | None = None
    index = 0
    for value in arguments:
        if type(value) is Tensor:
            key.append(value.spec)
            tensors.append(value)
        elif type(value) is int or type(value) is float:
            if numbers is None:
                numbers = _known_numbers(row)
            if type(value) is int and index not in numbers:
                key.append(value)
            elif not _add_part(numbers, index, value, key, scalars):
                return None, tensors, scalars
        elif type(value) is list:
            if not _add_tensors(cast("list[Any]", value), key, tensors):
                return None, tensors, scalars
        else:
            part = _quick_part(value)
            if part is _OTHER or (type(value) is bool and index in _known_numbers(row)):
                return None, tensors, scalars
            key.append(part)
        index += 1
    if keywords:
        key.append(tuple(keywords))
        for name, value in keywords.items():
            if type(value) is Tensor:
                key.append(value.spec)
                tensors.append(value)
                continue
            if numbers is None:
                numbers = _known_numbers(row)
            if not _add_part(numbers, name, value, key, scalars):
                return None, tensors, scalars
    if not tensors:
        # A factory: it depends on the default device.
        key.append(placement())
    return tuple(key), tensors, scalars


def roles_of_call(
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    static: Places = _NO_PLACES,
    valued: Places = _NO_PLACES,
) -> list[Role]:
    """Return what the arguments of a call are for a compiled function."""
    roles: list[Role] = []
    for index, value in (*enumerate(arguments), *keywords.items()):
        kind = cast("type[Any]", type(value))
        if index in static or is_word(value):
            roles.append("static")
        elif isinstance(value, np.ndarray):
            roles.append("array")
        elif kind is Tensor:
            roles.append("tensor")
        else:
            roles.append("fixed number" if index in valued else "number")
    return roles


def roles_of_row(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], short: ShortKey
) -> list[Role]:
    """Return what the arguments of a call that has a short key are for a row."""
    numbers = _known_numbers(row)
    a_number: Role = "fixed number"
    if takes_any_number(row):
        a_number = "number"
    elif not is_checked(row, keywords) or holds_any(short):
        a_number = "moderate number"
    roles: list[Role] = []
    for name, value in (*enumerate(arguments), *keywords.items()):
        kind = cast("type[Any]", type(value))
        is_static = numbers.get(name) if kind is int or kind is float else None
        if kind is Tensor or kind is list:
            roles.append("tensor" if kind is Tensor else "tensors")
        elif is_static is None or is_static(value):
            roles.append("static")
        else:
            # What is static at some values stands in the key with its value at those.
            roles.append(a_number if is_static is _never else "fixed number")
    return roles


def _never(_: Any) -> bool:
    """Say of a number that no operation looks at its value."""
    return False


def with_values(short: ShortKey) -> Any:
    """Return a key for these values of the numbers alone."""
    key, _, scalars = short
    return key, tuple(map(repr, scalars))


def _add_part(
    numbers: _Numbers, name: int | str, value: Any, key: list[Any], scalars: list[Any]
) -> bool:
    """Append what stands for an argument that is no tensor; return whether anything does."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is float or kind is int:
        is_static = numbers.get(name)
        if is_static is None:
            if kind is float:
                return False
            key.append(value)
        elif is_static(value):
            key.append(known_number(value))
        elif kind is int and not FIRST_INTEGER <= value < END_OF_INTEGERS:
            return False
        else:
            key.append(kind if -MODERATE < value < MODERATE else known_number(value))
            scalars.append(value)
        return True
    part = _quick_part(value)
    key.append(part)
    return part is not _OTHER and not (kind is bool and name in numbers)


def _add_tensors(values: list[Any], key: list[Any], tensors: list[Tensor]) -> bool:
    """Append what stands for a list of tensors; return whether it is nothing else."""
    for value in values:
        if type(value) is not Tensor:
            return False
    key.append((list, *[value.spec for value in values]))
    tensors += values
    return True


def is_checked(row: ChecksNumbers, keywords: Mapping[str, Any]) -> bool:
    """Whether a row may refuse a call by the values of its numbers."""
    return row.check_numbers is not None or bool(keywords and row.check_keywords is not None)


def holds_any(found: ShortKey) -> bool:
    """Whether no check of a row can refuse a number of moderate size."""
    key, tensors, _ = found
    return are_wide(tensors) and not any(isinstance(part, DType) for part in key)


def are_wide(tensors: Sequence[Tensor]) -> bool:
    """Whether tensors, of which there are some, have dtypes that refuse no moderate number."""
    return bool(tensors) and all(tensor.dtype in WIDE for tensor in tensors)


def is_moderate(number: Any) -> bool:
    """Whether a number is of a size that no wide dtype refuses."""
    return -MODERATE < number < MODERATE


def is_in_order(row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
    """Whether a call gives its operands in the order in which a plan takes them."""
    parameters = row.schema.parameters
    indices = [parameters.index(item) for item in row.schema.positional[: len(arguments)]]
    for name in keywords:
        parameter = row.schema.by_name.get(name)
        if parameter is None:
            return False
        if parameter.is_operand:
            indices.append(parameters.index(parameter))
    return indices == sorted(indices)


def _known_numbers(row: OpSpec) -> _Numbers:
    """Return what `_numbers_of` does; a row may be replaced by another one of its name."""
    known = _numbers.get(row.name)
    return known[1] if known and known[0] is row else _numbers_of(row)


def _numbers_of(row: OpSpec) -> _Numbers:
    """Return by index and by name of each operand that may be a number which values are static."""
    found: _Numbers = {}
    if row.binder is None:
        _add_numbers(row, found)
    _numbers[row.name] = row, found
    return found


def _add_numbers(row: OpSpec, found: _Numbers) -> None:
    for parameter in row.schema.parameters:
        if parameter.takes_number and not parameter.is_list:
            left_out = parameter.is_left_out if parameter.has_default else _never
            is_static = row.static_operands.get(parameter.name, left_out)
            found[parameter.name] = is_static
    for index, parameter in enumerate(row.schema.positional):
        if parameter.is_variadic:
            break
        if parameter.name in found:
            found[index] = found[parameter.name]


def key_of_values(row: OpSpec, keywords: Mapping[str, Any], found: ShortKey) -> Any:
    """Return the key that holds what a row may refuse: of the call, or of its numbers, too."""
    if found[2] and is_checked(row, keywords) and not holds_any(found):
        return with_values(found)
    return found[0]


def takes_any_number(row: OpSpec) -> bool:
    """Whether the plan of a call by position depends on nothing but the kinds of its numbers."""

    def is_plain(parameter: Parameter) -> bool:
        return not (parameter.takes_number and parameter.has_default)

    is_looking = bool(row.static_operands) or row.check_numbers is not None
    return not is_looking and all(map(is_plain, row.schema.positional))


def _quick_part(value: Any) -> Any:
    """Return what stands for a plain value, a dtype, a slice or a tuple of them; else `_OTHER`."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is int or kind is DType or value is None:
        return value
    if kind is bool:
        return kind, value  # True is equal to 1
    if kind is slice:
        parts = (value.start, value.stop, value.step)
        if all(part is None or type(part) is int for part in parts):
            return (slice, *parts)
    elif kind is tuple:
        parts = tuple(map(_quick_part, value))
        if _OTHER not in parts:
            return (tuple, *parts)
    elif value is Ellipsis:
        return value
    return _OTHER
