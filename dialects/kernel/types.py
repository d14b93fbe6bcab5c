"""What can a kernel's value be?

Buffers have a type of their own. Everything else is a builtin type of xDSL: `index` for sizes and
positions, signless integers and floats for scalars, `vector<8xf32>` in the scheduled form. The
singletons below exist because building a type costs 9-20 us and hashing one does not.
"""

from collections.abc import Callable
from functools import cache, wraps
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Data, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

type_of_index = IndexType()
i1 = IntegerType(1)
i8 = IntegerType(8)
i16 = IntegerType(16)
i32 = IntegerType(32)
i64 = IntegerType(64)
f16 = Float16Type()
bf16 = BFloat16Type()
f32 = Float32Type()
f64 = Float64Type()

GLOBAL, LOCAL, PRIVATE = "global", "local", "private"
SPACES = (GLOBAL, LOCAL, PRIVATE)


class BufferLayout(NamedTuple):
    """What a buffer type says: the element, a stride for each dimension (None: `?`), the space."""

    element: Attribute
    strides: tuple[int | None, ...]
    space: str


@irdl_attr_definition
class BufferType(Data[BufferLayout], TypeAttribute):
    """A strided view of memory, `!kernel.buffer<f32, [?, 1]>`; strides count elements.

    A stride written as a number is baked into the kernel, `?` is an argument of it. The space is
    `global` (not printed: memory of the caller), `local` (shared by a work-group) or `private`.
    Sizes are no part of the type: extents belong to the loops.
    """

    name = "kernel.buffer"

    @staticmethod
    def get(  # pyright: ignore[reportIncompatibleMethodOverride]  (same name, more parameters)
        element: Attribute, strides: tuple[int | None, ...], space: str = GLOBAL
    ) -> "BufferType":
        """Return the one object for these parameters; it lives as long as somebody uses it.

        >>> print(BufferType.get(f32, (None, 1)))
        !kernel.buffer<f32, [?, 1]>
        """
        key = BufferLayout(element, strides, space)
        found = _interned.get(key)
        if found is None:
            found = _interned[key] = BufferType(key)
        return found

    @property
    def element(self) -> Attribute:
        """The type of an element in memory."""
        return self.data.element

    @property
    def strides(self) -> tuple[int | None, ...]:
        """One stride per dimension, None where it is known at run time only."""
        return self.data.strides

    @property
    def space(self) -> str:
        """Who can see the memory."""
        return self.data.space

    @property
    def rank(self) -> int:
        """The number of indices."""
        return len(self.data.strides)

    def verify(self) -> None:
        """Refuse an unknown space and a vector element."""
        element, _, space = self.data
        if space not in SPACES:
            raise VerifyException(f"kernel.buffer: expected a space of {SPACES}, got '{space}'")
        if isinstance(element, VectorType | BufferType):
            raise VerifyException(f"kernel.buffer: expected a scalar element, got {element}")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BufferLayout:
        """Read `<f32, [?, 1], private>`."""
        with parser.in_angle_brackets():
            element = parser.parse_type()
            parser.parse_punctuation(",")
            strides = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_stride(parser)
            )
            space = GLOBAL
            if parser.parse_optional_punctuation(","):
                space = parser.parse_identifier()
        return BufferLayout(element, tuple(strides), space)

    def print_parameter(self, printer: Printer) -> None:
        """Write what `parse_parameter` reads."""
        element, strides, space = self.data
        printer.print_string("<")
        printer.print_attribute(element)
        text = ", ".join("?" if stride is None else str(stride) for stride in strides)
        printer.print_string(f", [{text}]")
        printer.print_string(">" if space == GLOBAL else f", {space}>")


def _parse_stride(parser: AttrParser) -> int | None:
    if parser.parse_optional_punctuation("?"):
        return None
    return parser.parse_integer()


_interned: WeakValueDictionary[BufferLayout, BufferType] = WeakValueDictionary()


Found = TypeVar("Found")

#: How many types a function of types remembers: more than a program has that reads no IR.
KNOWN_TYPES = 1024


def cached_by_identity(function: Callable[[Attribute], Found]) -> Callable[[Attribute], Found]:
    """Return a function that remembers what it gave for a type; to hash one takes microseconds."""
    known: dict[int, tuple[Attribute, Found]] = {}

    @wraps(function)
    def remembered(type_: Attribute) -> Found:
        entry = known.get(id(type_))
        if entry is not None:
            return entry[1]  # the entry holds the type, so no other one has its id
        if len(known) >= KNOWN_TYPES:
            known.clear()
        found = function(type_)
        known[id(type_)] = type_, found
        return found

    return remembered


def vector_of(element: Attribute, lanes: int) -> Attribute:
    """Return `vector<lanes x element>`, always the same object.

    >>> print(vector_of(f32, 8))
    vector<8xf32>
    """
    known = _vectors(element)
    found = known.get(lanes)
    if found is None:
        found = known[lanes] = _vector(element, lanes)
    return found


@cached_by_identity
def _vectors(element: Attribute) -> dict[int, Attribute]:
    """Return what holds the vectors of an element by their lanes."""
    return {}


@cache
def _vector(element: Attribute, lanes: int) -> Attribute:
    return VectorType(element, [lanes])


def buffer_type_of(value: SSAValue) -> BufferType:
    """Return the type of a value that must be a buffer."""
    found = value.type
    if not isinstance(found, BufferType):
        raise VerifyException(f"expected a !kernel.buffer, got {found}")
    return found


# Classes of types have no subclasses, and to say no `isinstance` takes five times as long.


def is_vector(type_: Attribute) -> bool:
    """Whether a type has lanes."""
    return type(type_) is VectorType


def element_of(type_: Attribute) -> Attribute:
    """Return the type of one lane: the element of a vector, the type itself of a scalar."""
    if type(type_) is VectorType:
        return type_.element_type
    return type_


def lanes_of(type_: Attribute) -> int:
    """Return the number of lanes: 1 for a scalar.

    >>> lanes_of(vector_of(f32, 8)), lanes_of(f32)
    (8, 1)
    """
    return type_.shape.data[0].data if isinstance(type_, VectorType) else 1


def same_lanes(type_: Attribute, element: Attribute) -> Attribute:
    """Return `element` with as many lanes as `type_`.

    >>> print(same_lanes(vector_of(f32, 8), i1), same_lanes(f32, i1))
    vector<8xi1> i1
    """
    return vector_of(element, lanes_of(type_)) if is_vector(type_) else element
