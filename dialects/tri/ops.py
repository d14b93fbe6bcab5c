"""What are the operations of the `tri` dialect? One small class per table row, minted when used.

A family base owns parsing, printing and verification; a class adds a name and its row. The text is
the same for all of them::

    %2 = tri.add %0, %1 : !tri.tensor<4x3xf32>, !tri.scalar<int> -> !tri.tensor<4x3xf32>
    %3 = tri.sum %2 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
    %4, %5 = tri.aminmax %2 : !tri.tensor<4x3xf32> -> (!tri.tensor<f32>, !tri.tensor<f32>)
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeGuard

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes.spec import TensorSpec
from ..diagnostics import InternalError, TrilithError
from ..ops.frame.argument_values import AttributeValue
from ..ops.frame.families import FamilyTable
from ..ops.frame.opspec import ElementwiseOp, ReductionOp, ViewOp
from ..ops.frame.row import OperandSpec, PrimitiveOp, Resolved
from ..ops.frame.traits import Reads
from ..ops.table import TABLE
from .attributes import from_attributes, to_attributes
from .types import ScalarType, TensorType, is_sparse


def spec_of(value: SSAValue) -> OperandSpec:
    """Return the spec in a value's type."""
    data = value.type
    if isinstance(data, (TensorType, ScalarType)):
        return data.data
    raise InternalError(f"{value.type} is not a type of the tri dialect")


def tensor_spec(value: SSAValue) -> TensorSpec:
    """Return the spec of a value that is a tensor."""
    data = value.type
    if isinstance(data, TensorType):
        return data.data
    raise InternalError(f"{value.type} is not a tensor")


def print_types(
    printer: Printer, operands: Sequence[SSAValue], results: Sequence[SSAValue]
) -> None:
    """Print ` : <types of operands> -> <types of results>`."""
    printer.print_string(" : ")
    printer.print_list([operand.type for operand in operands], printer.print_attribute)
    printer.print_string(" -> " if operands else "-> ")
    if len(results) == 1:
        printer.print_attribute(results[0].type)
        return
    with printer.in_parens():
        printer.print_list([result.type for result in results], printer.print_attribute)


def parse_types(parser: Parser) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """Parse the types of operands and of results."""
    parser.parse_punctuation(":")
    types = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_type, parser.parse_type
    )
    parser.parse_punctuation("->")
    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return types or [], [parser.parse_type()] if results is None else results


class TensorOperation(IRDLOperation, ABC):
    """An application of a row: operands in, tensors out, static values as attributes."""

    arguments = var_operand_def()
    result = var_result_def(TensorType)  # one or several
    traits = traits_def(Pure())

    ROW: ClassVar[PrimitiveOp]

    @classmethod
    def make(
        cls,
        operands: Sequence[SSAValue],
        resolved: Resolved,
        location: LocationAttr | None = None,
    ) -> TensorOperation:
        """Build the op from a resolved row, without verification."""
        return cls.create(
            operands=operands,
            result_types=tuple(map(TensorType.of, resolved.results)),
            attributes=to_attributes(cls.ROW, resolved.attributes),
            location=location,
        )

    @classmethod
    def of_type(
        cls,
        operands: Sequence[SSAValue],
        attributes: Mapping[str, AttributeValue],
        spec: TensorSpec,
        location: LocationAttr | None = None,
    ) -> TensorOperation:
        """Build the op, of one result, with a type that is known already."""
        return cls.create(
            operands=operands,
            result_types=(TensorType.of(spec),),
            attributes=to_attributes(cls.ROW, attributes),
            location=location,
        )

    @property
    def spec(self) -> TensorSpec:
        """The spec of the result, or of the first of several."""
        return tensor_spec(self.results[0])

    def values(self) -> dict[str, AttributeValue]:
        """Return the static values, defaults filled in."""
        return from_attributes(self.ROW, self.attributes)

    def verify_(self) -> None:
        """Check the results' types against the row's own rule."""
        operands = [_verified_spec(self, index) for index in range(len(self.operands))]
        _verify_names(self)
        _verify_count(self)
        try:
            resolved = self.ROW.resolve(operands, self.values())
        except TrilithError as error:
            raise VerifyException(f"{self.name}: {error.message}") from None
        except (AssertionError, AttributeError, TypeError, ValueError) as error:
            raise VerifyException(
                f"{self.name}: an attribute does not fit the signature {self.ROW.schema.text}"
            ) from error
        if len(self.results) != len(resolved.results):
            raise VerifyException(
                f"{self.name}: expected {len(resolved.results)} results, but there are "
                f"{len(self.results)}"
            )
        fixed = ("is_conj", "strides") if isinstance(self.ROW, ViewOp) else ("is_conj",)
        if not operands or any(isinstance(operand, TensorSpec) for operand in operands):
            fixed += ("device",)  # numbers alone have none
        for number, (expected, result) in enumerate(
            zip(resolved.results, self.results, strict=True)
        ):
            found = tensor_spec(result)
            whose = "the result's" if len(self.results) == 1 else f"result {number}'s"
            for what in ("shape", "dtype", "layout", *fixed):
                if getattr(expected, what) != getattr(found, what):
                    raise VerifyException(
                        f"{self.name}: {whose} {what} must be {getattr(expected, what)}, "
                        f"but the type says {getattr(found, what)}"
                    )

    def print(self, printer: Printer) -> None:
        """Print operands, attributes and types."""
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
        if self.attributes:
            printer.print_op_attributes(self.attributes)
        print_types(printer, self.operands, self.results)

    @classmethod
    def parse(cls, parser: Parser) -> TensorOperation:
        """Parse operands, attributes and types."""
        unresolved = (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )
        attributes = parser.parse_optional_attr_dict()
        types, results = parse_types(parser)
        operands = parser.resolve_operands(unresolved, types, parser.pos)
        return cls.create(operands=operands, result_types=results, attributes=attributes)


def _verify_names(op: TensorOperation) -> None:
    """Check that the attributes are those of the row, and that none is missing."""
    known = {item.name: item for item in op.ROW.schema.parameters if not item.is_operand}
    for name in op.attributes:
        if name not in known:
            raise VerifyException(
                f"{op.name}: there is no attribute '{name}'; there are {', '.join(known) or 'none'}"
            )
    for name, parameter in known.items():
        if name not in op.attributes and not parameter.has_default and not parameter.optional:
            raise VerifyException(f"{op.name}: the attribute '{name}' is missing")


def _verify_count(op: TensorOperation) -> None:
    """Check that there are as many operands as the row has."""
    expected = [item for item in op.ROW.schema.parameters if item.is_operand]
    count = len(op.operands)
    needed = sum(not item.is_left_out(item.default) for item in expected)
    if not needed <= count <= len(expected) and not any(item.is_list for item in expected):
        raise VerifyException(
            f"{op.name}: expected {len(expected)} operands, but there are {count}"
        )


def _verified_spec(op: Operation, index: int) -> OperandSpec:
    kind = op.operands[index].type
    if not isinstance(kind, (TensorType, ScalarType)):
        raise VerifyException(
            f"{op.name}: operand {index} must be a !tri.tensor or a !tri.scalar, but is {kind}"
        )
    if is_sparse(op.operands[index]):
        raise VerifyException(f"{op.name}: sparse tensors are operands of tri.sparse alone")
    return kind.data


#: What simplifies elementwise operations.
ELEMENTWISE_PATTERNS: list[RewritePattern] = []


class _ElementwiseCanonicalization(HasCanonicalizationPatternsTrait):
    """Tells `canonicalize` the patterns, which the module of that name has entered."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        assert ELEMENTWISE_PATTERNS, "dialects/tri/canonicalization.py was not imported"
        return tuple(ELEMENTWISE_PATTERNS)


class ElementwiseOperation(TensorOperation, ABC):
    """A scalar body at every index."""

    traits = traits_def(_ElementwiseCanonicalization())

    ROW: ClassVar[ElementwiseOp]  # pyright: ignore[reportIncompatibleVariableOverride] - narrowed


class ViewOperation(TensorOperation, ABC):
    """Another look at the operand's storage; verified down to the strides."""

    ROW: ClassVar[ViewOp]  # pyright: ignore[reportIncompatibleVariableOverride] - narrowed


class ReductionOperation(TensorOperation, ABC):
    """A reduction over dims."""

    ROW: ClassVar[ReductionOp]  # pyright: ignore[reportIncompatibleVariableOverride] - narrowed


#: The IR class of each family's rows: those that nothing more is known of have the plain one.
_KINDS: FamilyTable[type[TensorOperation]] = FamilyTable(
    {
        PrimitiveOp: TensorOperation,
        ElementwiseOp: ElementwiseOperation,
        ViewOp: ViewOperation,
        ReductionOp: ReductionOperation,
    }
)
_classes: dict[str, type[TensorOperation]] = {}


def op_class(name: str) -> type[TensorOperation]:
    """Return the IR class of the row called `name`, minted on first use (0.16 ms)."""
    found = _classes.get(name)
    if found is None:
        found = _classes.setdefault(name, _mint(name))
    return found


def _mint(name: str) -> type[TensorOperation]:
    row = TABLE[name]
    if not isinstance(row, PrimitiveOp):
        raise InternalError(f"'{name}' is not a primitive row: it has no IR op")
    body = {
        "name": f"tri.{name}",
        "ROW": row,
        "__doc__": row.doc,
        "__module__": __name__,
        "__annotations__": {"ROW": ClassVar[PrimitiveOp]},
    }
    kind = type(f"{name.title().replace('_', '')}Op", (_KINDS.of(row),), body)
    return irdl_op_definition(kind)


def is_pointwise(op: object) -> TypeGuard[TensorOperation]:
    """Whether an operation computes each element of its result from those at the same index."""
    return isinstance(op, TensorOperation) and op.ROW.traits.reads is Reads.INDEX


def is_reduction(op: object) -> TypeGuard[TensorOperation]:
    """Whether an operation combines elements along dims that its result does not have."""
    return isinstance(op, TensorOperation) and op.ROW.traits.reads is Reads.REDUCED


def is_product(op: object) -> TypeGuard[TensorOperation]:
    """Whether an operation sums products of factors that lie in memory."""
    return isinstance(op, TensorOperation) and op.ROW.traits.reads is Reads.FACTORS
