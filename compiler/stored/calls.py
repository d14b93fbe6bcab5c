"""What of a call of a row is structure, and what are numbers? The key of its plans, and the rest.

A call is divided in two: structure, which is the key of its plans, and numbers (sizes, strides, the
integers of slices), which a plan takes as they come. That needs nothing of a row but its
parameters, so it is the same for a row that is loaded and for one that is known from the disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from ...dialects.attributes.device import Device, placement
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.patterns import STRUCTURE
from ...dialects.locks import imported
from ...runtime.tensors.size import Size
from ...runtime.tensors.tensor import Tensor
from ..trace.numbers import is_argument, known_number
from .known_rows import KnownRow

if TYPE_CHECKING:
    from ...dialects.ops.frame.row import OpSpec
    from ...dialects.ops.frame.schema import Parameter
    from .known_rows import KnownParameter

_STATIC = (bool, type(None), DType, Device, Layout, MemoryFormat, str)

#: What holds several arguments in one, and what it is to the operation.
SEQUENCES: dict[Any, Any] = {tuple: tuple, list: list, Size: tuple}

#: What is no part of a key.
_OTHER: Any = object()


#: A call in two: its key, and the tensors, numbers that are operands, and sizes of it.
Call: TypeAlias = tuple[tuple[Any, ...], list[Tensor], list[Any], list[int]]


def divided(
    row: OpSpec | KnownRow, arguments: tuple[Any, ...], keywords: Mapping[str, Any], key: list[Any]
) -> Call | None:
    """Return a call in two; None if it is none of the usual ones. Its key begins with `key`."""
    if row.binder is not None:
        return _divided_by_kinds(row, arguments, keywords, key, [])
    return _divided(row, arguments, keywords, key, [])


def spelled_call(row: OpSpec | KnownRow, goal: str) -> str:
    """Return what a call is called for readers: `add()`, `add() in place`, `add() out`."""
    if isinstance(row, KnownRow) or row.is_public:
        name = row.name
    else:
        name = row.torch_name.rpartition(".")[2]
    return f"{name}()" if goal == "value" else f"{name}() {goal}"


def leasts_of(
    row: OpSpec | KnownRow, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> list[int | None]:
    """Return what is known of the numbers of a call, in their order: 2 is the least size."""
    found = _Leasts()
    divide = _divided if row.binder is None else _divided_by_kinds
    divide(row, arguments, keywords, [], found)
    return found.leasts


class _Leasts(list[int]):
    """Takes the numbers of a call, and remembers where each comes from."""

    def __init__(self) -> None:
        super().__init__()
        self.leasts: list[int | None] = []

    def append(self, number: int) -> None:
        self.leasts.append(None)

    def __iadd__(self, numbers: Iterable[int]) -> Self:
        # Sizes and strides of 0 and 1 are structure, not numbers.
        self.leasts += [2 for _ in numbers]
        return self


def _divided(
    row: OpSpec | KnownRow,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    key: list[Any],
    numbers: list[int],
) -> Call | None:
    positional = row.schema.positional
    if len(arguments) > len(positional) and not _is_spread(positional, arguments):
        return None
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    index = 0
    for value in arguments:
        # The usual argument: this loop runs in every call of a size that was not seen.
        if type(value) is Tensor:
            spec = value.spec
            key.append(spec.pattern)
            numbers += spec.numbers
            tensors.append(value)
        else:
            parameter = positional[index]
            is_rest = parameter.is_variadic and type(value) is int
            given = arguments[index:] if is_rest else value
            part = _part(row, parameter, given, tensors, scalars, numbers)
            if part is _OTHER:
                return None
            key.append(part)
            if is_rest:
                break
        index += 1
    for name, value in keywords.items():
        parameter = parameter_named(row, name)
        part = (
            _OTHER if parameter is None else _part(row, parameter, value, tensors, scalars, numbers)
        )
        if part is _OTHER:
            return None
        key += (name, part)
    if not tensors or row.is_factory:
        key.append(placement())
    return tuple(key), tensors, scalars, numbers


def parameter_named(row: OpSpec | KnownRow, name: str) -> Parameter | KnownParameter | None:
    """Return the parameter that a keyword means."""
    by_name = row.schema.by_name
    found = by_name.get(name)
    if found is not None or isinstance(row, KnownRow):
        return found
    return by_name.get(_aliases().get(name, ""))


@cache
def _aliases() -> Mapping[str, str]:
    """Return what keywords are called by NumPy; schemas are loaded with the first row."""
    return imported("...dialects.ops.frame.schema", __package__).KEYWORD_ALIASES


def _divided_by_kinds(
    row: OpSpec | KnownRow,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    key: list[Any],
    numbers: list[int],
) -> Call | None:
    """Do what `divided` does for a row whose binder alone knows which argument is for what."""
    tensors: list[Tensor] = []
    has_offsets = depends_on_offset(row, arguments, keywords)
    for name, value in (*zip(repeat(None), arguments), *keywords.items()):
        part = _part_by_kind(row, value, tensors, numbers, has_offsets)
        if part is _OTHER:
            return None
        key.append(part if name is None else (name, part))
    if not tensors or row.is_factory:
        key.append(placement())
    return tuple(key), tensors, [], numbers


def depends_on_offset(
    row: OpSpec | KnownRow, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> bool:
    """Whether binding looks at where a tensor lies in its storage, which no spec says."""
    if not row.looks_at_offset:
        return False
    # Of a view only the one as another dtype does.
    items = (*arguments, *keywords.values())
    return "dtype" not in row.schema.by_name or any(isinstance(item, DType) for item in items)


def _part_by_kind(
    row: OpSpec | KnownRow,
    value: Any,
    tensors: list[Tensor],
    numbers: list[int],
    has_offsets: bool,
) -> Any:
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is Tensor:
        tensors.append(value)
        numbers += value.spec.numbers
        if has_offsets:
            numbers.append(value.storage_offset())
        return value.spec.pattern
    if kind is int:
        return _open_part(value, numbers) if row.opens_integers else value
    if kind is float:
        return known_number(value)
    if kind in SEQUENCES:
        parts = [_part_by_kind(row, item, tensors, numbers, has_offsets) for item in value]
        return _OTHER if _OTHER in parts else (SEQUENCES[kind], *parts)
    return (kind, value) if kind in _STATIC else _OTHER


def _is_spread(
    positional: Sequence[Parameter | KnownParameter], arguments: tuple[Any, ...]
) -> bool:
    """Whether the last arguments are the integers of one."""
    return positional[-1].is_variadic and type(arguments[len(positional) - 1]) is int


def _part(
    row: OpSpec | KnownRow,
    parameter: Parameter | KnownParameter,
    value: Any,
    tensors: list[Tensor],
    scalars: list[Any],
    numbers: list[int],
) -> Any:
    """Return what stands for an argument in a key; what it holds is added to the lists."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if parameter.is_open:
        return _open_part(value, numbers)
    if parameter.is_operand:
        if kind is int or kind is float:
            return _number_part(row, parameter, value, scalars)
        return _tensors_part(parameter, value, tensors, numbers)
    if kind is int:
        return value
    if kind is float:
        return known_number(value)
    if kind in SEQUENCES and all(type(item) is int for item in value):
        return tuple(value)
    return (kind, value) if kind in _STATIC else _OTHER


def _open_part(value: Any, numbers: list[int]) -> Any:
    """Return what stands for sizes and places in dims, whose numbers are left open."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is int:
        if value in STRUCTURE:
            return value
        numbers.append(value)
        return int
    if kind is slice:
        parts: list[Any] = [slice]
        for bound in (value.start, value.stop):
            if type(bound) is int:
                numbers.append(bound)
                parts.append(int)
            elif bound is None:
                parts.append(None)
            else:
                return _OTHER
        step = value.step
        return (*parts, step) if step is None or type(step) is int else _OTHER
    if kind in SEQUENCES:
        inner = tuple([_open_part(item, numbers) for item in value])
        return _OTHER if _OTHER in inner else inner
    return value if value is None or value is Ellipsis else _OTHER


def _number_part(
    row: OpSpec | KnownRow, parameter: Parameter | KnownParameter, value: Any, scalars: list[Any]
) -> Any:
    if parameter.is_list or not is_argument(value):
        return _OTHER
    is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
    if is_static(value):
        return known_number(value)
    scalars.append(value)
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    return kind


def _tensors_part(
    parameter: Parameter | KnownParameter, value: Any, tensors: list[Tensor], numbers: list[int]
) -> Any:
    if value is None:
        return None if parameter.optional else _OTHER
    items: Sequence[Any] = (value,)
    if parameter.is_list and isinstance(value, (list, tuple)):
        items = cast("Sequence[Any]", value)
    parts: list[Any] = [len(items)]
    for item in items:
        if type(item) is not Tensor:
            return _OTHER
        parts.append(item.spec.pattern)
        numbers += item.spec.numbers
        tensors.append(item)
    return tuple(parts)
