"""Which ops make, compare and take apart vectors?

Most payload ops of xDSL's arith and math take vectors as they are. Those that xDSL 0.74 restricts
to scalars have a twin here: `kernel.compare` (arith.cmpi, arith.cmpf), `kernel.select`
(arith.select with a condition per lane) and `kernel.convert` (the casts of arith).
"""

from typing import Self

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, StringAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..making import make_op
from .syntax import parse_value
from .types import element_of, i1, i32, i64, is_vector, lanes_of, type_of_index, vector_of

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
#: What casts of scalars are called in `kernel.convert`, and in LLVM.
CONVERSION_OF: dict[type[Operation], str] = {
    arith.SIToFPOp: "sitofp",
    arith.UIToFPOp: "uitofp",
    arith.FPToSIOp: "fptosi",
    arith.FPToUIOp: "fptoui",
    arith.ExtSIOp: "extsi",
    arith.ExtUIOp: "extui",
    arith.TruncIOp: "trunci",
    arith.ExtFOp: "extf",
    arith.TruncFOp: "truncf",
    arith.IndexCastOp: "index_cast",
}
CONVERSIONS = tuple(CONVERSION_OF.values())
_strings = {
    text: StringAttr(text) for text in {*INTEGER_PREDICATES, *FLOAT_PREDICATES, *CONVERSIONS}
}


@irdl_op_definition
class SplatOp(IRDLOperation):
    """Put one scalar in all lanes: `%v = kernel.splat %s : vector<8xf32>`."""

    name = "kernel.splat"
    input = operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, value: SSAValue, lanes: int) -> Self:
        """Build a splat."""
        return make_op(cls, operands=[value], result_types=[vector_of(value.type, lanes)])

    def verify_(self) -> None:
        """Check the element type."""
        if element_of(self.result.type) != self.input.type:
            raise VerifyException(
                f"kernel.splat: expected a vector of {self.input.type}, got {self.result.type}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.input)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        value = parse_value(parser)
        parser.parse_punctuation(":")
        return make_op(cls, operands=[value], result_types=[parser.parse_type()])


@irdl_op_definition
class LaneIdsOp(IRDLOperation):
    """The numbers 0, 1, 2 ...: `%l = kernel.lane_ids : vector<8xindex>`."""

    name = "kernel.lane_ids"
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    @classmethod
    def make(cls, lanes: int, element: Attribute = type_of_index) -> Self:
        """Build lane numbers."""
        return make_op(cls, result_types=[vector_of(element, lanes)])

    def verify_(self) -> None:
        """Check the element type."""
        if element_of(self.result.type) not in (type_of_index, i32, i64):
            raise VerifyException(
                f"kernel.lane_ids: expected a vector of index, i32 or i64, got {self.result.type}"
            )


def _check_mask(name: str, mask: SSAValue) -> None:
    if element_of(mask.type) != i1:
        raise VerifyException(f"{name}: expected a vector of i1, got {mask.type}")


@irdl_op_definition
class AnyOp(IRDLOperation):
    """Whether a lane is set: `%b = kernel.any %m : vector<8xi1>`."""

    name = "kernel.any"
    mask = operand_def(VectorType)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$mask attr-dict `:` type($mask)"

    @classmethod
    def make(cls, mask: SSAValue) -> Self:
        """Build the question."""
        return make_op(cls, operands=[mask], result_types=[i1])

    def verify_(self) -> None:
        """Check the element type."""
        _check_mask(self.name, self.mask)


@irdl_op_definition
class FirstSetOp(IRDLOperation):
    """The first lane that is set, or how many lanes there are if none is.

    `%n = kernel.first_set %m : vector<8xi1>` is an index.
    """

    name = "kernel.first_set"
    mask = operand_def(VectorType)
    result = result_def(type_of_index)
    traits = traits_def(Pure())
    assembly_format = "$mask attr-dict `:` type($mask)"

    @classmethod
    def make(cls, mask: SSAValue) -> Self:
        """Build the question."""
        return make_op(cls, operands=[mask], result_types=[type_of_index])

    def verify_(self) -> None:
        """Check the element type."""
        _check_mask(self.name, self.mask)


@irdl_op_definition
class MaskOp(IRDLOperation):
    """The first `count` lanes: `%m = kernel.mask %count : vector<8xi1>`; any count is valid."""

    name = "kernel.mask"
    count = operand_def(type_of_index)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$count attr-dict `:` type($result)"

    @classmethod
    def make(cls, count: SSAValue, lanes: int) -> Self:
        """Build a mask."""
        return make_op(cls, operands=[count], result_types=[vector_of(i1, lanes)])

    def verify_(self) -> None:
        """Check the element type."""
        if element_of(self.result.type) != i1:
            raise VerifyException(f"kernel.mask: expected a vector of i1, got {self.result.type}")


class LanePartOp(IRDLOperation):
    """An op that takes lanes from a vector, printed `%v[4] : vector<4xf32>`."""

    vector = operand_def()
    position = prop_def(IntegerAttr)
    result = result_def()
    traits = traits_def(Pure())

    @property
    def first(self) -> int:
        """The first lane that is taken."""
        return self.position.value.data

    def verify_(self) -> None:
        """Check element type and range."""
        type_: Attribute = self.operands[0].type
        taken, lanes = lanes_of(self.result.type), lanes_of(type_)
        if element_of(type_) != element_of(self.result.type):
            raise VerifyException(f"{self.name}: expected lanes of {type_}, got {self.result.type}")
        if not 0 <= self.first <= lanes - taken:
            raise VerifyException(
                f"{self.name}: expected lanes inside {type_}, got [{self.first}] and {taken} lanes"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        printer.print_string(f"[{self.first}] : ")
        printer.print_attribute(self.operands[0].type)
        if is_vector(self.results[0].type):
            printer.print_string(" to ")
            printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        vector = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        position = IntegerAttr(parser.parse_integer(), i64)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        result = parser.parse_type() if parser.parse_optional_keyword("to") else element_of(type_)
        return make_op(
            cls,
            operands=[parser.resolve_operand(vector, type_)],
            result_types=[result],
            properties={"position": position},
        )


@irdl_op_definition
class SliceOp(LanePartOp):
    """Neighbouring lanes: `%h = kernel.slice %v[4] : vector<8xf32> to vector<4xf32>`."""

    name = "kernel.slice"

    @classmethod
    def make(cls, vector: SSAValue, position: int, lanes: int) -> Self:
        """Take `lanes` lanes from `position` on."""
        return make_op(
            cls,
            operands=[vector],
            result_types=[vector_of(element_of(vector.type), lanes)],
            properties={"position": IntegerAttr(position, i64)},
        )


@irdl_op_definition
class ExtractOp(LanePartOp):
    """One lane as a scalar: `%s = kernel.extract %v[0] : vector<8xf32>`."""

    name = "kernel.extract"

    @classmethod
    def make(cls, vector: SSAValue, position: int = 0) -> Self:
        """Take one lane."""
        return make_op(
            cls,
            operands=[vector],
            result_types=[element_of(vector.type)],
            properties={"position": IntegerAttr(position, i64)},
        )


@irdl_op_definition
class CompareOp(IRDLOperation):
    """Compare lane by lane: `%m = kernel.compare olt, %a, %b : vector<8xf32>`.

    The predicates are those of arith.cmpi for integers and of arith.cmpf for floats.
    """

    name = "kernel.compare"
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    predicate = prop_def(StringAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, predicate: str, lhs: SSAValue, rhs: SSAValue) -> Self:
        """Build a comparison of two vectors of the same type."""
        return make_op(
            cls,
            operands=[lhs, rhs],
            result_types=[vector_of(i1, lanes_of(lhs.type))],
            properties={"predicate": _strings[predicate]},
        )

    def verify_(self) -> None:
        """Check types and predicate."""
        type_ = self.lhs.type
        if self.rhs.type != type_ or self.result.type != vector_of(i1, lanes_of(type_)):
            raise VerifyException(
                f"kernel.compare: expected two vectors of one type, got {type_} and {self.rhs.type}"
            )
        is_integer = element_of(type_) == type_of_index or hasattr(element_of(type_), "width")
        known = INTEGER_PREDICATES if is_integer else FLOAT_PREDICATES
        if self.predicate.data not in known:
            raise VerifyException(
                f"kernel.compare: expected a predicate of {known}, got '{self.predicate.data}'"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" {self.predicate.data}, ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        predicate = parser.parse_keyword_in(list(_strings))
        parser.parse_punctuation(",")
        lhs = parse_value(parser)
        parser.parse_punctuation(",")
        rhs = parse_value(parser)
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls.make(predicate, lhs, rhs)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """Choose lane by lane: `%s = kernel.select %m, %a, %b : vector<8xf32>`."""

    name = "kernel.select"
    condition = operand_def(VectorType)
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> Self:
        """Build a choice: `lhs` where the condition holds, else `rhs`."""
        return make_op(cls, operands=[condition, lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        """Check types."""
        type_ = self.result.type
        if self.lhs.type != type_ or self.rhs.type != type_:
            raise VerifyException(
                f"kernel.select: expected two values of {type_}, got {self.lhs.type} and "
                f"{self.rhs.type}"
            )
        if self.condition.type != vector_of(i1, lanes_of(type_)):
            raise VerifyException(
                f"kernel.select: expected a condition for each lane of {type_}, got "
                f"{self.condition.type}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        condition = parse_value(parser)
        parser.parse_punctuation(",")
        lhs = parse_value(parser)
        parser.parse_punctuation(",")
        rhs = parse_value(parser)
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return make_op(cls, operands=[condition, lhs, rhs], result_types=[type_])


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """Cast lane by lane: `%f = kernel.convert sitofp %i : vector<8xi32> to vector<8xf32>`.

    The words are those of arith's casts and mean the same.
    """

    name = "kernel.convert"
    input = operand_def(VectorType)
    conversion = prop_def(StringAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, conversion: str, value: SSAValue, element: Attribute) -> Self:
        """Build a cast of each lane to `element`."""
        return make_op(
            cls,
            operands=[value],
            result_types=[vector_of(element, lanes_of(value.type))],
            properties={"conversion": _strings[conversion]},
        )

    def verify_(self) -> None:
        """Check the word and the number of lanes."""
        if self.conversion.data not in CONVERSIONS:
            raise VerifyException(
                f"kernel.convert: expected one of {CONVERSIONS}, got '{self.conversion.data}'"
            )
        if lanes_of(self.input.type) != lanes_of(self.result.type):
            raise VerifyException(
                f"kernel.convert: expected as many lanes, got {self.input.type} to "
                f"{self.result.type}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" {self.conversion.data} ")
        printer.print_operand(self.operands[0])
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" to ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        conversion = parser.parse_keyword_in(CONVERSIONS)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        parser.parse_keyword("to")
        result = parser.parse_type()
        return make_op(
            cls,
            operands=[parser.resolve_operand(value, type_)],
            result_types=[result],
            properties={"conversion": _strings[conversion]},
        )
