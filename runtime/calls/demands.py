"""What must an argument be, for a plan in native code to run? Each has its demand, as words."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, cast

from ...dialects.attributes.dtype import MODERATE, DType
from ...dialects.attributes.patterns import STRUCTURE
from ...dialects.attributes.spec import TensorSpec
from ..native import form

#: What becomes of an argument. A tensor of this spec is an operand, a list of them several, a part
#: of a tensor one, and so is an array. A number of this kind is one, perhaps if it is of moderate
#: size, or if it has this value. A value that the plan holds stays what it is; the integers of one
#: that is open may be others in a plan for all sizes.
Role: TypeAlias = Literal[
    "tensor",
    "tensors",
    "part",
    "array",
    "number",
    "moderate number",
    "fixed number",
    "static",
    "open",
]


class Unusual(Exception):
    """What native code leaves to Python."""


class Demands:
    """The demands of one plan, and what they say of its operands.

    `keep` returns the address of an object that lives as long as the plan.
    """

    def __init__(self, keep: Callable[[Any], int], *, is_open: bool) -> None:
        """Begin with no argument; those of a plan for all sizes leave numbers open."""
        self._keep = keep
        self._is_open = is_open
        self.words: list[int] = []
        #: The specs of the operands so far, None for what needs no such; which of them are arrays.
        self.specs: list[TensorSpec | None] = []
        self.arrays: set[int] = set()
        #: The numbers that the plan takes: (type, None), or what has always the same value.
        self.numbers: list[tuple[type, Any]] = []
        #: The numbers that are left open, as they are in this call.
        self.given: list[int] = []

    def add(self, role: Role, value: Any) -> None:
        """Demand what an argument must be."""
        self.words += self._demand(role, value)

    def _demand(self, role: Role, value: Any) -> list[int]:
        kind = cast("type[Any]", type(value))
        match role:
            case "tensor" | "part":
                self.specs.append(value.spec if role == "tensor" else None)
                return self._tensor(value.spec)
            case "array":
                return self._array(value)
            case "tensors":
                found = [form.IS_LIST, len(value)]
                for item in value:
                    self.specs.append(item.spec)
                    found += self._tensor(item.spec)
                return found
            case "fixed number":
                self.numbers.append((kind, value))
                return self._static(value)
            case "number" | "moderate number":
                self.numbers.append((kind, None))
                if kind not in (int, float, bool):
                    raise Unusual
                if role == "moderate number" and kind is float:
                    return [form.IS_MODERATE, bits_of(MODERATE)]
                return [form.IS_INT64 if kind is int else form.IS_KIND, id(kind)]
            case "open" if self._is_open:
                return self._open(value)
            case "static" | "open":
                return self._static(value)

    def _tensor(self, spec: TensorSpec) -> list[int]:
        if not self._is_open:
            return [form.IS_TENSOR, self._keep(spec)]
        self.given += spec.numbers
        return [form.IS_PATTERN, self._keep(spec.pattern)]

    def _array(self, value: Any) -> list[int]:
        self.arrays.add(len(self.specs))
        self.specs.append(None)
        kind = self._keep(value.dtype)
        if self._is_open:
            if not value.flags.c_contiguous:
                raise Unusual
            kinds = [min(size, form.OPEN) for size in value.shape]
            self.given += [size for size in value.shape if size >= form.OPEN]
            return [form.IS_OPEN_ARRAY, kind, value.ndim, value.itemsize, *kinds]
        pairs = zip(value.shape, value.strides, strict=True)
        return [form.IS_ARRAY, kind, value.ndim, *(number for pair in pairs for number in pair)]

    def _static(self, value: Any) -> list[int]:
        return self._plain_or_made_of_such(value, self._plain)

    def _open(self, value: Any) -> list[int]:
        return self._plain_or_made_of_such(value, self._open_plain)

    def _plain_or_made_of_such(self, value: Any, plain: Callable[[Any], list[int]]) -> list[int]:
        kind = cast("type[Any]", type(value))
        if kind is slice:
            bounds = *self._bound(value.start, plain), *self._bound(value.stop, plain)
            # A step is structure.
            return [form.IS_SLICE, 0, *bounds, *self._plain(value.step)]
        if kind is tuple:
            found = [form.IS_TUPLE, len(value)]
            for item in value:
                if type(item) is tuple:
                    raise Unusual
                found += self._plain_or_made_of_such(item, plain)
            return found
        return plain(value)

    def _bound(self, value: Any, plain: Callable[[Any], list[int]]) -> list[int]:
        if plain == self._open_plain and type(value) is int:
            self.given.append(value)
            return [form.IS_NUMBER, 1]
        return plain(value)

    def _open_plain(self, value: Any) -> list[int]:
        if type(value) is not int or value in STRUCTURE:
            return self._plain(value)
        self.given.append(value)
        return [form.IS_NUMBER, 0]

    def _plain(self, value: Any) -> list[int]:
        kind = cast("type[Any]", type(value))
        if kind is int:
            if not -(1 << 63) <= value < 1 << 63:
                raise Unusual
            return [form.IS_INTEGER, value]
        if kind is float:
            return [form.IS_FLOAT, bits_of(value)]
        # Nothing else is equal to them.
        if value is None or value is Ellipsis or kind in (bool, str, DType):
            return [form.IS_OBJECT, self._keep(value)]
        raise Unusual


def bits_of(value: float) -> int:
    """Return the bits of a float64 as a signed integer."""
    return _INT64.unpack(_FLOAT64.pack(value))[0]


_FLOAT64, _INT64 = struct.Struct("<d"), struct.Struct("<q")
