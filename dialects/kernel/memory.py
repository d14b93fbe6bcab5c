"""How does a kernel touch memory and report faults?

Loads and stores address `base + sum(index * stride)`. Four cases, told apart by types alone:

- every index and the value are scalars: one element;
- scalar indices, vector value: the lanes lie along one dimension (`along`, the last if not
  written). Stride 1 there is one contiguous access, stride 0 a splat, anything else a gather;
- some indices are vectors: each lane has its own address (a gather or scatter);
- a mask `vector<Nxi1>` keeps lanes from being touched; a load gives `else` (0 or 1) there.
"""

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..attributes.faults import FAULTS
from ..making import make_op, operands_of
from .syntax import parse_value, parse_values, print_values
from .types import (
    GLOBAL,
    BufferType,
    buffer_type_of,
    element_of,
    i1,
    i64,
    is_vector,
    lanes_of,
    type_of_index,
    vector_of,
)

#: How many numbers of a check's operands the status word has room for.
DETAILS = 3

UNIT = UnitAttr()
_small_integers = [IntegerAttr(number, i64) for number in range(64)]


def _integer(number: int) -> IntegerAttr:
    return _small_integers[number] if 0 <= number < 64 else IntegerAttr(number, i64)


class AccessOp(IRDLOperation):
    """What load and store share: `%buffer[%i, %j]`, a mask, the dimension of lanes."""

    def _verify_access(self, first: int, type_: Attribute) -> None:
        operands = self.operands
        buffer = buffer_type_of(operands[first])
        rank, lanes = buffer.rank, lanes_of(type_)
        count = len(operands) - first - 1
        if count not in (rank, rank + 1):
            raise VerifyException(f"{self.name}: expected {rank} indices, got {count}")
        per_lane = vector_of(type_of_index, lanes)
        for position, index in enumerate(operands[first + 1 : first + 1 + rank]):
            if index.type != type_of_index and (lanes == 1 or index.type != per_lane):
                raise VerifyException(
                    f"{self.name}: expected index {position} to be index or {per_lane}, "
                    f"got {index.type}"
                )
        if element_of(type_) != buffer.element:
            raise VerifyException(
                f"{self.name}: expected the element {buffer.element} of the buffer, got {type_}"
            )
        if count > rank and (lanes == 1 or operands[-1].type != vector_of(i1, lanes)):
            raise VerifyException(
                f"{self.name}: expected a mask of type vector<{lanes}xi1> on a vector access, "
                f"got {operands[-1].type}"
            )
        along = self.properties.get("along")
        if isinstance(along, IntegerAttr) and not 0 <= along.value.data < rank:
            raise VerifyException(f"{self.name}: expected along < {rank}, got {along.value.data}")

    def _lanes_along(self, first: int) -> int:
        along = self.properties.get("along")
        if isinstance(along, IntegerAttr):
            return along.value.data
        return buffer_type_of(operands_of(self)[first]).rank - 1

    def _print_access(self, printer: Printer, first: int) -> None:
        operands = self.operands
        rank = buffer_type_of(operands[first]).rank
        printer.print_string(" ")
        printer.print_operand(operands[first])
        print_values(printer, operands[first + 1 : first + 1 + rank], "[]")
        along = self.properties.get("along")
        if isinstance(along, IntegerAttr):
            printer.print_string(f" along {along.value.data}")
        if len(operands) > first + 1 + rank:
            printer.print_string(" mask ")
            printer.print_operand(operands[-1])


def _parse_access(
    parser: Parser, before: Sequence[SSAValue] = ()
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Read `%buffer[%i, %j] along 0 mask %m`: operands and properties."""
    buffer = parse_value(parser)
    if not isinstance(buffer.type, BufferType):
        parser.raise_error(f"expected a !kernel.buffer, got {buffer.type}")
    indices = parse_values(parser, Parser.Delimiter.SQUARE)
    if len(indices) != buffer.type.rank:
        parser.raise_error(f"expected {buffer.type.rank} indices, got {len(indices)}")
    operands = [*before, buffer, *indices]
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("along"):
        properties["along"] = _integer(parser.parse_integer())
    if parser.parse_optional_keyword("mask"):
        operands.append(parse_value(parser))
    return operands, properties


@irdl_op_definition
class LoadOp(AccessOp):
    """Read one element, or a vector of them: `%v = kernel.load %x[%i, %j] : f32`."""

    name = "kernel.load"
    arguments = var_operand_def()
    result = result_def()
    along = opt_prop_def(IntegerAttr)
    other = opt_prop_def(IntegerAttr)

    @classmethod
    def make(
        cls,
        buffer: SSAValue,
        indices: Sequence[SSAValue],
        result_type: Attribute | None = None,
        mask: SSAValue | None = None,
        *,
        along: int | None = None,
        other: int = 0,
    ) -> Self:
        """Build a load; without `result_type` it reads one element. `other`: masked-off lanes."""
        properties: dict[str, Attribute] = {}
        if along is not None:
            properties["along"] = _integer(along)
        if other:
            properties["other"] = _integer(other)
        if result_type is None:
            result_type = buffer_type_of(buffer).element
        operands = [buffer, *indices] if mask is None else [buffer, *indices, mask]
        return make_op(cls, operands=operands, result_types=[result_type], properties=properties)

    @property
    def buffer(self) -> SSAValue:
        """What is read."""
        return operands_of(self)[0]

    @property
    def indices(self) -> Sequence[SSAValue]:
        """One index per dimension."""
        operands = operands_of(self)
        return operands[1 : 1 + buffer_type_of(operands[0]).rank]

    @property
    def mask(self) -> SSAValue | None:
        """The lanes to read, None for all."""
        operands = operands_of(self)
        return operands[-1] if len(operands) > 1 + buffer_type_of(operands[0]).rank else None

    @property
    def lanes_along(self) -> int:
        """The dimension in which lanes of a vector with scalar indices follow one another."""
        return self._lanes_along(0)

    @property
    def masked_value(self) -> int:
        """What masked-off lanes hold: 0 or 1."""
        return 0 if self.other is None else self.other.value.data

    def verify_(self) -> None:
        """Check rank, element, index types and mask."""
        self._verify_access(0, self.result.type)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        self._print_access(printer, 0)
        if self.other is not None:
            printer.print_string(f" else {self.other.value.data}")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        operands, properties = _parse_access(parser)
        if parser.parse_optional_keyword("else"):
            properties["other"] = _integer(parser.parse_integer())
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return make_op(cls, operands=operands, result_types=[type_], properties=properties)


@irdl_op_definition
class StoreOp(AccessOp):
    """Write one element or a vector: `kernel.store %v, %y[%i, %j]`.

    What is written `past caches` is not read soon. There a vector fills whole lines, or parts of
    one together with its neighbours, and begins at a multiple of its bytes or of a line's.
    """

    name = "kernel.store"
    arguments = var_operand_def()
    along = opt_prop_def(IntegerAttr)
    past = opt_prop_def(UnitAttr)

    @classmethod
    def make(
        cls,
        value: SSAValue,
        buffer: SSAValue,
        indices: Sequence[SSAValue],
        mask: SSAValue | None = None,
        *,
        along: int | None = None,
        is_past_caches: bool = False,
    ) -> Self:
        """Build a store."""
        properties: dict[str, Attribute] = {}
        if along is not None:
            properties["along"] = _integer(along)
        if is_past_caches:
            properties["past"] = UNIT
        operands = [value, buffer, *indices] if mask is None else [value, buffer, *indices, mask]
        return make_op(cls, operands=operands, properties=properties)

    @property
    def value(self) -> SSAValue:
        """What is written."""
        return operands_of(self)[0]

    @property
    def buffer(self) -> SSAValue:
        """Where it is written."""
        return operands_of(self)[1]

    @property
    def indices(self) -> Sequence[SSAValue]:
        """One index per dimension."""
        operands = operands_of(self)
        return operands[2 : 2 + buffer_type_of(operands[1]).rank]

    @property
    def mask(self) -> SSAValue | None:
        """The lanes to write, None for all."""
        operands = operands_of(self)
        return operands[-1] if len(operands) > 2 + buffer_type_of(operands[1]).rank else None

    @property
    def lanes_along(self) -> int:
        """The dimension in which lanes of a vector with scalar indices follow one another."""
        return self._lanes_along(1)

    @property
    def is_past_caches(self) -> bool:
        """Whether no cache need keep what is written."""
        return self.past is not None

    def verify_(self) -> None:
        """Check rank, element, index types and mask."""
        type_ = self.operands[0].type
        self._verify_access(1, type_)
        strides = buffer_type_of(self.buffer).strides
        if self.is_past_caches and (
            not is_vector(type_)
            or self.mask is not None
            or any(is_vector(index.type) for index in self.indices)
            or strides[self.lanes_along] != 1
        ):
            raise VerifyException("kernel.store: expected neighbours without a mask past caches")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        printer.print_string(",")
        self._print_access(printer, 1)
        if self.is_past_caches:
            printer.print_string(" past caches")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        value = parse_value(parser)
        parser.parse_punctuation(",")
        operands, properties = _parse_access(parser, [value])
        if parser.parse_optional_keyword("past"):
            parser.parse_keyword("caches")
            properties["past"] = UNIT
        return make_op(cls, operands=operands, properties=properties)


@irdl_op_definition
class AllocOp(IRDLOperation):
    """Fast memory of a fixed size:
    `%p = kernel.alloc [16, 16] : !kernel.buffer<f32, [16, 1], private>`.

    The sizes are numbers, as they follow from the target and never from a shape.
    The contents are undefined at first, and the memory is gone when the kernel ends.
    """

    name = "kernel.alloc"
    sizes = prop_def(DenseArrayBase)
    result = result_def(BufferType)

    @classmethod
    def make(cls, sizes: Sequence[int], type_: BufferType) -> Self:
        """Build an allocation of `type_`, whose strides must all be known."""
        properties = {"sizes": DenseArrayBase.from_list(i64, sizes)}
        return make_op(cls, result_types=[type_], properties=properties)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        sizes = cast("DenseArrayBase[IntegerType]", self.sizes)
        return tuple(sizes.get_values())

    @property
    def extent(self) -> int:
        """The number of elements that must be reserved."""
        strides = buffer_type_of(self.results[0]).strides
        return 1 + sum(
            (size - 1) * (stride or 0) for size, stride in zip(self.shape, strides, strict=True)
        )

    def verify_(self) -> None:
        """Refuse global memory, unknown strides and a wrong number of sizes."""
        type_ = buffer_type_of(self.results[0])
        if type_.space == GLOBAL:
            raise VerifyException("kernel.alloc: expected a private or local buffer, got a global")
        if None in type_.strides:
            raise VerifyException(f"kernel.alloc: expected known strides, got {type_}")
        if len(self.shape) != type_.rank:
            raise VerifyException(
                f"kernel.alloc: expected {type_.rank} sizes, got {len(self.shape)}"
            )
        if any(size < 1 for size in self.shape):
            raise VerifyException(f"kernel.alloc: expected sizes above 0, got {self.shape}")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" [{', '.join(map(str, self.shape))}] : ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        sizes = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_negative=False)
        )
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if not isinstance(type_, BufferType):
            parser.raise_error(f"expected a !kernel.buffer, got {type_}")
        return cls.make(sizes, type_)


@irdl_op_definition
class CheckOp(IRDLOperation):
    """Report a fault when `bad`: `kernel.check %bad, "BoundsError" at 3 with %i, %dim mask %m`.

    The first fault of a launch wins: its code (a position in `FAULTS` plus one) and the number
    after `at` go to the status word, and so do the i64 numbers after `with`, of the first bad lane.
    Lanes that are masked off never report. The kernel goes on.
    """

    name = "kernel.check"
    bad = operand_def()
    arguments = var_operand_def()
    code = prop_def(StringAttr)
    position = prop_def(IntegerAttr)

    @classmethod
    def make(
        cls,
        bad: SSAValue,
        code: str,
        position: int,
        mask: SSAValue | None = None,
        *,
        details: Sequence[SSAValue] = (),
    ) -> Self:
        """Build a check of a `bad` condition, i1 or a vector of i1."""
        return make_op(
            cls,
            operands=[bad, *details] if mask is None else [bad, *details, mask],
            properties={"code": StringAttr(code), "position": _integer(position)},
        )

    @property
    def mask(self) -> SSAValue | None:
        """The lanes that may report, None for all."""
        operands = self.operands
        is_masked = len(operands) > 1 and element_of(operands[-1].type) == i1
        return operands[-1] if is_masked else None

    @property
    def details(self) -> Sequence[SSAValue]:
        """The numbers that say more about the fault: i64, or a vector with one for each lane."""
        return self.operands[1:] if self.mask is None else self.operands[1:-1]

    def verify_(self) -> None:
        """Check the fault's name, the condition and the mask."""
        if self.code.data not in FAULTS:
            raise VerifyException(f"kernel.check: expected one of {FAULTS}, got '{self.code.data}'")
        bad = self.operands[0].type
        if element_of(bad) != i1:
            raise VerifyException(f"kernel.check: expected i1 or a vector of i1, got {bad}")
        if len(self.details) > DETAILS:
            raise VerifyException(f"kernel.check: expected at most {DETAILS} numbers after with")
        for detail in self.details:
            if detail.type not in (i64, vector_of(i64, lanes_of(bad))):
                raise VerifyException(f"kernel.check: expected i64 after with, got {detail.type}")
        mask = self.mask
        if mask is not None and (mask.type != bad or not is_vector(bad)):
            raise VerifyException(f"kernel.check: expected a mask of type {bad}, got {mask.type}")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        printer.print_string(f', "{self.code.data}" at {self.position.value.data}')
        if self.details:
            printer.print_string(" with ")
            printer.print_list(self.details, printer.print_operand)
        if self.mask is not None:
            printer.print_string(" mask ")
            printer.print_operand(self.mask)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        bad = parse_value(parser)
        parser.parse_punctuation(",")
        code = parser.parse_str_literal()
        parser.parse_keyword("at")
        position = parser.parse_integer()
        details: list[SSAValue] = []
        if parser.parse_optional_keyword("with"):
            details.append(parse_value(parser))
            while parser.parse_optional_punctuation(","):
                details.append(parse_value(parser))
        mask = parse_value(parser) if parser.parse_optional_keyword("mask") else None
        return cls.make(bad, code, position, mask, details=details)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Wait for the work-group; nothing to do on a CPU: `kernel.barrier`."""

    name = "kernel.barrier"
    assembly_format = "attr-dict"

    @classmethod
    def make(cls) -> Self:
        """Build a barrier."""
        return cls.create()
