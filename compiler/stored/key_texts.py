"""How is the key of a call written, so that other processes know it? As text, or not at all.

A key in memory holds objects that are one each: patterns, dtypes, devices, types. The text says of
each all that it is equal by. What it has no words for has no text: such a call is not stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.patterns import Pattern
from ...dialects.attributes.settings import Settings
from ...dialects.attributes.spec import TensorSpec
from ...runtime.tensors.tensor import Tensor

#: Values that are told apart by their types and texts.
_PLAIN = frozenset((int, float, bool, str, complex, type(None), type(Ellipsis)))
_TYPES = frozenset((*_PLAIN, slice, tuple, list, DType, Device, Layout, MemoryFormat))


class NoText(Exception):
    """There are no words for a part of a key."""


def text_of_call(key: tuple[Any, ...], tensors: Sequence[Tensor]) -> str | None:
    """Return the text of a row's call: its key, whose patterns are those of the tensors in order.

    >>> text_of_call(("add", 1.5, (slice, None, int)), [])
    'call, add, 1.5, (slice, None, int)'
    """
    row, *rest = key
    name = getattr(row, "name", row)
    specs = iter([tensor.spec for tensor in tensors])
    try:
        return f"call, {', '.join([str(name), *(text_of(part, specs) for part in rest)])}"
    except NoText:
        return None


def text_of(part: Any, specs: Iterator[TensorSpec]) -> str:
    """Return the text of a part of a key; patterns are those of the next specs."""
    kind = cast("Any", type(part))
    if kind is Pattern:
        return text_of_pattern(next(specs))
    if kind in _PLAIN:
        return repr(part)
    if kind is tuple:
        return f"({', '.join([text_of(item, specs) for item in part])})"
    if kind is type and part in _TYPES:
        return part.__name__
    if kind is Settings:
        return f"{part.dtype.name} {part.mode}"
    if kind is Device:
        return f"device {part}"
    if kind is DType or kind is Layout or kind is MemoryFormat:
        return f"{kind.__name__} {part}"
    raise NoText


def text_of_pattern(spec: TensorSpec) -> str:
    """Return the text of a spec's pattern; NoText for what is not on the host."""
    pattern = spec.pattern
    if spec.device is not cpu:
        raise NoText
    conjugated = " conj" if spec.is_conj else ""
    return f"{spec.dtype.name} {spec.layout}{conjugated} {pattern.rank} {pattern.classes}"
