"""What of an operation's call is structure, and what are numbers that a plan takes as they come?

Structure is the key of the plans that may serve the call: the row, the patterns of tensors, static
values. Numbers are the sizes, strides and integers of slices that the patterns leave open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, TypeAlias, cast

from ...dialects.attributes.device import Device, placement
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.ops.frame.opspec import OpSpec
from ...dialects.ops.frame.schema import KEYWORD_ALIASES, Parameter
from ...runtime.tensors.size import Size
from ...runtime.tensors.tensor import Tensor
from ..plan_log import names_of_numbers
from ..trace.numbers import is_argument, known_number
from ..trace.tracer import Trace

#: Integers that are structure wherever they stand, as sizes are.
_STRUCTURE = frozenset((-1, 0, 1))

_STATIC = (bool, type(None), DType, Device, Layout, MemoryFormat, str)

#: What holds several arguments in one, and what it is to the operation.
_SEQUENCES: dict[Any, Any] = {tuple: tuple, list: list, Size: tuple}

#: What is no part of a key.
_OTHER: Any = object()


#: A call in two: its key, and the tensors, numbers that are operands, and sizes of it.
Call: TypeAlias = tuple[tuple[Any, ...], list[Tensor], list[Any], list[int]]


def divided(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], key: list[Any]
) -> Call | None:
    """Return a call in two; None if it is none of the usual ones. Its key begins with `key`."""
    if row.binder is not None:
        return _divided_by_kinds(row, arguments, keywords, key)
    positional = row.schema.positional
    if len(arguments) > len(positional) and not _is_spread(positional, arguments):
        return None
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    numbers: list[int] = []
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


def parameter_named(row: OpSpec, name: str) -> Parameter | None:
    """Return the parameter that a keyword means."""
    by_name = row.schema.by_name
    return by_name.get(name) or by_name.get(KEYWORD_ALIASES.get(name, ""))


def _divided_by_kinds(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], key: list[Any]
) -> Call | None:
    """Do what `divided` does for a row whose binder alone knows which argument is for what."""
    tensors: list[Tensor] = []
    numbers: list[int] = []
    has_offsets = depends_on_offset(row, arguments, keywords)
    for name, value in (*zip(repeat(None), arguments), *keywords.items()):
        part = _part_by_kind(row, value, tensors, numbers, has_offsets)
        if part is _OTHER:
            return None
        key.append(part if name is None else (name, part))
    if not tensors or row.is_factory:
        key.append(placement())
    return tuple(key), tensors, [], numbers


def depends_on_offset(row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
    """Whether binding looks at where a tensor lies in its storage, which no spec says."""
    if not row.looks_at_offset:
        return False
    # Of a view only the one as another dtype does.
    items = (*arguments, *keywords.values())
    return "dtype" not in row.schema.by_name or any(isinstance(item, DType) for item in items)


def _part_by_kind(
    row: OpSpec, value: Any, tensors: list[Tensor], numbers: list[int], has_offsets: bool
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
    if kind in _SEQUENCES:
        parts = [_part_by_kind(row, item, tensors, numbers, has_offsets) for item in value]
        return _OTHER if _OTHER in parts else (_SEQUENCES[kind], *parts)
    return (kind, value) if kind in _STATIC else _OTHER


def names_of_call(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], out: Tensor | None
) -> list[str]:
    """Return what the numbers of a call are called, in the order of `divided`."""
    names: list[str] = [] if out is None else names_of_numbers("out", out.spec)
    positional = row.schema.positional
    opens = row.opens_integers
    has_offsets = depends_on_offset(row, arguments, keywords)

    def add(name: str, value: Any, is_open: bool) -> None:
        if type(value) is Tensor:
            names.extend(names_of_numbers(name, value.spec))
            if has_offsets:
                names.append(f"{name}.storage_offset()")
        elif type(value) is slice and is_open:
            bounds = (("start", value.start), ("stop", value.stop))
            names.extend(f"{name}.{word}" for word, bound in bounds if type(bound) is int)
        elif isinstance(value, (tuple, list)):
            for index, item in enumerate(cast("Sequence[Any]", value)):
                add(f"{name}[{index}]", item, is_open)
        elif type(value) is int and is_open and value not in _STRUCTURE:
            names.append(name)

    for index, value in enumerate(arguments):
        parameter = positional[min(index, len(positional) - 1)]
        is_rest = index >= len(positional) or (parameter.is_variadic and type(value) is int)
        number = f"[{index - len(positional) + 1}]" if is_rest else ""
        add(f"{parameter.name}{number}", value, parameter.is_open or opens)
    for name, value in keywords.items():
        parameter = parameter_named(row, name)
        add(name, value, opens or (parameter is not None and parameter.is_open))
    return names


def _is_spread(positional: Sequence[Parameter], arguments: tuple[Any, ...]) -> bool:
    """Whether the last arguments are the integers of one."""
    return positional[-1].is_variadic and type(arguments[len(positional) - 1]) is int


def _part(
    row: OpSpec,
    parameter: Parameter,
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
    if kind in _SEQUENCES and all(type(item) is int for item in value):
        return tuple(value)
    return (kind, value) if kind in _STATIC else _OTHER


def _open_part(value: Any, numbers: list[int]) -> Any:
    """Return what stands for sizes and places in dims, whose numbers are left open."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is int:
        if value in _STRUCTURE:
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
    if kind in _SEQUENCES:
        inner = tuple([_open_part(item, numbers) for item in value])
        return _OTHER if _OTHER in inner else inner
    return value if value is None or value is Ellipsis else _OTHER


def _number_part(row: OpSpec, parameter: Parameter, value: Any, scalars: list[Any]) -> Any:
    if parameter.is_list or not is_argument(value):
        return _OTHER
    is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
    if is_static(value):
        return known_number(value)
    scalars.append(value)
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    return kind


def _tensors_part(
    parameter: Parameter, value: Any, tensors: list[Tensor], numbers: list[int]
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


class Opener:
    """Puts symbols and proxies in the place of a call's arguments, in the order of `divided`."""

    def __init__(self, trace: Trace, env: ShapeEnv) -> None:
        """Add the arguments to a trace, and the symbols to its environment."""
        self.trace = trace
        self.env = env
        #: Where tensors begin in their storages, if that matters.
        self.offsets: list[Any] | None = None

    def opened(self, row: OpSpec, parameter: Parameter, value: Any) -> Any:
        """Return what stands for an argument while it is traced."""
        if isinstance(value, Tensor):
            return self.opened_tensor(value)
        if parameter.is_open:
            return self._open(value)
        if not parameter.is_operand or value is None:
            return value
        if parameter.is_list:
            return [self.opened_tensor(item) for item in value]
        is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
        return value if is_static(value) else self.trace.scalar_argument(ScalarSpec.of(value))

    def opened_by_kind(self, row: OpSpec, value: Any) -> Any:
        """Return what stands for an argument of a row that a binder reads."""
        if type(value) is Tensor:
            return self.opened_tensor(value)
        if type(value) is int:
            return self._open(value) if row.opens_integers else value
        if type(value) in _SEQUENCES:
            kind = _SEQUENCES[type(value)]
            return kind([self.opened_by_kind(row, item) for item in value])
        return value

    def opened_tensor(self, value: Tensor) -> Any:
        """Return what stands for a tensor while it is traced."""
        spec = opened(value.spec, self.env)
        if self.offsets is not None:
            self.offsets.append(self.env.symbol(value.storage_offset(), least=0))
        return self.trace.tensor_argument(spec)

    def _open(self, value: Any) -> Any:
        if type(value) is int:
            return value if value in _STRUCTURE else self.env.symbol(value)
        if type(value) is slice:
            return slice(self._bound(value.start), self._bound(value.stop), value.step)
        is_several = type(value) in _SEQUENCES
        return tuple(map(self._open, value)) if is_several else value

    def _bound(self, value: Any) -> Any:
        return None if value is None else self.env.symbol(value)
