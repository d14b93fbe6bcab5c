"""What types and attributes does the `tri` dialect have? Tensors, weak scalars and static values.

`!tri.tensor<4x3xf32, device="opencl:0", layout=strided<[1, 4]>>` says shape, dtype, device and
layout; device and layout are left out where they are `cpu` and contiguous. `layout=sparse_coo` is a
tensor of indices and values. `conj` at the end says that the memory holds the conjugates of the
elements. `!tri.scalar<float>` is a Python number, whose
dtype follows its use.
"""

from __future__ import annotations

from typing import Any, cast
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute, Data, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..attributes import dtype as dtypes
from ..attributes.device import HOST, Device
from ..attributes.dtype import DType
from ..attributes.layout import sparse_coo, strided
from ..attributes.memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from ..attributes.spec import ScalarSpec, TensorSpec
from ..attributes.strides import Ints
from ..attributes.symint import SymInt
from ..diagnostics import TrilithError
from .size_text import check_size, parse_size, parse_sizes


@irdl_attr_definition
class PackedFloat4Type(Data[None], TypeAttribute):
    """Two 4-bit floats in a byte: PyTorch's float4_e2m1fn_x2, which MLIR has no type for."""

    name = "tri.f4E2M1FNx2"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> None:
        """There is no parameter."""

    def print_parameter(self, printer: Printer) -> None:
        """There is no parameter."""


def _signed(bits: int) -> IntegerType:
    return IntegerType(bits, Signedness.SIGNED)


def _unsigned(bits: int) -> IntegerType:
    return IntegerType(bits, Signedness.UNSIGNED)


#: The element type of each dtype in IR text.
ELEMENT_TYPES: dict[DType, Attribute] = {
    dtypes.bool_: IntegerType(1),
    dtypes.uint8: _unsigned(8),
    dtypes.int8: _signed(8),
    dtypes.int16: _signed(16),
    dtypes.int32: _signed(32),
    dtypes.int64: _signed(64),
    dtypes.uint16: _unsigned(16),
    dtypes.uint32: _unsigned(32),
    dtypes.uint64: _unsigned(64),
    dtypes.float16: Float16Type(),
    dtypes.bfloat16: BFloat16Type(),
    dtypes.float32: Float32Type(),
    dtypes.float64: Float64Type(),
    dtypes.complex32: ComplexType(Float16Type()),
    dtypes.complex64: ComplexType(Float32Type()),
    dtypes.complex128: ComplexType(Float64Type()),
    dtypes.float8_e5m2: Float8E5M2Type(),
    dtypes.float8_e4m3fn: Float8E4M3FNType(),
    dtypes.float8_e5m2fnuz: Float8E5M2FNUZType(),
    dtypes.float8_e4m3fnuz: Float8E4M3FNUZType(),
    dtypes.float8_e8m0fnu: Float8E8M0FNUType(),
    dtypes.float4_e2m1fn_x2: PackedFloat4Type(None),
}
DTYPES: dict[Attribute, DType] = {element: dtype for dtype, element in ELEMENT_TYPES.items()}
_TEXTS: dict[DType, str] = {dtype: str(element) for dtype, element in ELEMENT_TYPES.items()}


@irdl_attr_definition
class TensorType(Data[TensorSpec], TypeAttribute):
    """A tensor: its `data` is the interned spec (shape, dtype, device, strides)."""

    name = "tri.tensor"

    @staticmethod
    def of(spec: TensorSpec) -> TensorType:
        """Return the one type of a spec."""
        found = _tensor_types.get(spec)
        if found is None:
            found = TensorType(spec)
            _tensor_types[spec] = found
        return found

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TensorSpec:
        """Parse `<4x3xf32, device="...", layout=strided<[...]>, conj>`, or `layout=sparse_coo`."""
        with parser.in_angle_brackets():
            start = parser.pos
            shape, element = _parse_shape(parser)
            dtype = DTYPES.get(element)
            if dtype is None:
                parser.raise_error(f"{element} is not the type of a tensor's element", start)
            device = Device(HOST)
            strides: Ints | None = None
            layout, is_conj = strided, False
            while parser.parse_optional_punctuation(","):
                key = parser.parse_identifier(": 'device', 'layout' or 'conj'")
                if key == "conj":
                    is_conj = True
                    continue
                parser.parse_punctuation("=")
                if key == "device":
                    device = _parse_device(parser)
                elif key == "layout" and parser.parse_optional_keyword("sparse_coo"):
                    layout = sparse_coo
                elif key == "layout":
                    strides = _parse_strides(parser)
                else:
                    parser.raise_error(f"expected 'device', 'layout' or 'conj', but got '{key}'")
        try:
            spec = TensorSpec.of(shape, dtype, device, strides, layout)
            return spec.conjugated(is_conj)
        except TrilithError as error:
            parser.raise_error(error.message, start)

    def print_parameter(self, printer: Printer) -> None:
        """Print the spec, leaving out what is usual."""
        spec = self.data
        text = "".join(map(_extent, spec.shape)) + _TEXTS[spec.dtype]
        if str(spec.device) != HOST:
            text += f', device="{spec.device}"'
        if spec.layout is sparse_coo:
            text += ", layout=sparse_coo"
        elif not has_default_strides(spec):
            text += f", layout=strided<[{', '.join(map(repr, spec.strides))}]>"
        if spec.is_conj:
            text += ", conj"
        printer.print_string(f"<{text}>")


def _extent(size: int | SymInt) -> str:
    """Return how a size is printed: an expression stands in parentheses."""
    return f"({size!r})x" if type(size) is SymInt else f"{size}x"


def is_sparse(value: SSAValue) -> bool:
    """Whether a value is a tensor of layout sparse_coo."""
    kind = value.type
    return isinstance(kind, TensorType) and kind.data.layout is sparse_coo


_tensor_types: WeakValueDictionary[TensorSpec, TensorType] = WeakValueDictionary()


def has_default_strides(spec: TensorSpec) -> bool:
    """Whether the strides are those of a fresh contiguous tensor."""
    usual = TensorSpec.of(spec.shape, spec.dtype, spec.device)
    return spec.conjugated(False) is usual


def _parse_device(parser: AttrParser) -> Device:
    text = parser.parse_str_literal(": a device")
    try:
        return Device(text)
    except TrilithError as error:
        parser.raise_error(error.message)


def _parse_shape(parser: AttrParser) -> tuple[Ints, Attribute]:
    """Parse sizes and the type of an element: `(n0)x3xf32`."""
    shape: list[Any] = []
    while True:
        start = parser.pos
        if parser.parse_optional_punctuation("?"):
            parser.raise_error("a size is a number or an expression in parentheses, not '?'", start)
        if parser.parse_optional_punctuation("("):
            size = parse_size(parser)
            parser.parse_punctuation(")")
            if type(size) is SymInt:
                check_size(parser, size, start)
            shape.append(size)
        elif (element := parser.parse_optional_type()) is not None:
            return tuple(shape), element
        else:
            shape.append(parser.parse_shape_dimension(allow_dynamic=False))
        parser.parse_shape_delimiter()


def _parse_strides(parser: AttrParser) -> Ints:
    parser.parse_keyword("strided")
    with parser.in_angle_brackets():
        start = parser.pos
        strides = parse_sizes(parser)
        for stride in strides:
            if type(stride) is SymInt:
                check_size(parser, stride, start)
        return cast("Ints", strides)


@irdl_attr_definition
class ScalarType(Data[ScalarSpec], TypeAttribute):
    """A Python number: bool, int, float or complex; its dtype follows its use."""

    name = "tri.scalar"

    @staticmethod
    def of(spec: ScalarSpec) -> ScalarType:
        """Return the one type of a kind."""
        return _scalar_types[spec.kind]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ScalarSpec:
        """Parse `<float>`."""
        with parser.in_angle_brackets():
            kind = parser.parse_identifier(": a kind of Python number")
            if kind not in _scalar_types:
                parser.raise_error(f"expected bool, int, float or complex, but got '{kind}'")
            return _scalar_types[kind].data

    def print_parameter(self, printer: Printer) -> None:
        """Print the kind."""
        printer.print_string(f"<{self.data.kind}>")


_scalar_types: dict[str, ScalarType] = {
    kind: ScalarType(ScalarSpec(kind)) for kind in ("bool", "int", "float", "complex")
}


_FORMATS = {
    memory_format.name: memory_format
    for memory_format in (contiguous_format, channels_last, channels_last_3d, preserve_format)
}


@irdl_attr_definition
class FormatAttr(Data[MemoryFormat]):
    """A memory format: `#tri.format<channels_last>`."""

    name = "tri.format"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MemoryFormat:
        """Parse the name of a memory format."""
        with parser.in_angle_brackets():
            name = parser.parse_identifier(": a memory format")
            found = _FORMATS.get(name)
            if found is None:
                parser.raise_error(f"'{name}' is not a memory format")
            return found

    def print_parameter(self, printer: Printer) -> None:
        """Print the name."""
        printer.print_string(f"<{self.data.name}>")


@irdl_attr_definition
class DeviceAttr(Data[Device]):
    """A device: `#tri.device<"opencl:0">`."""

    name = "tri.device"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Device:
        """Parse a device string."""
        with parser.in_angle_brackets():
            return _parse_device(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print the device string."""
        printer.print_string(f'<"{self.data}">')


@irdl_attr_definition
class NumberAttr(Data[bool | int | float | complex]):
    """The value of a Python number: `#tri.number<2.5>`, `#tri.number<(1.0, 2.0)>`.

    Equality is that of the bits: True is not 1, and -0.0 is not 0.0.
    """

    name = "tri.number"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> bool | int | float | complex:
        """Parse a number."""
        with parser.in_angle_brackets():
            return parse_number(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print the number."""
        printer.print_string(f"<{spell_number(self.data)}>")

    def __eq__(self, other: object) -> bool:
        """Equal in type and in bits."""
        return isinstance(other, NumberAttr) and spell_number(self.data) == spell_number(other.data)

    def __hash__(self) -> int:
        """Hash of the spelling."""
        return hash(spell_number(self.data))


def spell_number(value: complex) -> str:
    """Spell a number so that it reads back as the same bits and the same kind."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, complex):
        return f"({spell_number(value.real)}, {spell_number(value.imag)})"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'"{value}"'
    text = repr(value)
    # MLIR's floats have a point: 1e-45 is two tokens, 1.0e-45 one.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def parse_number(parser: AttrParser) -> bool | int | float | complex:
    """Parse what `spell_number` spells."""
    boolean = parser.parse_optional_boolean()
    if boolean is not None:
        return boolean
    if parser.parse_optional_punctuation("("):
        real = parse_number(parser)
        parser.parse_punctuation(",")
        imaginary = parse_number(parser)
        parser.parse_punctuation(")")
        return complex(real, imaginary)
    special = parser.parse_optional_str_literal()
    if special is not None:
        try:
            return float(special)
        except ValueError:
            parser.raise_error(f'expected "nan", "inf" or "-inf", but got "{special}"')
    return parser.parse_number()
