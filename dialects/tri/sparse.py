"""How do sparse tensors stand in the IR? As values of layout sparse_coo, until they are lowered.

    %s = tri.assemble %i, %v {coalesced} : !tri.tensor<2x3xsi64>, !tri.tensor<3xf32>
      -> !tri.tensor<4x5xf32, layout=sparse_coo>
    %0 = tri.sparse "mul"(%s, %c) : !tri.tensor<4x5xf32, layout=sparse_coo>, !tri.scalar<int>
      -> !tri.tensor<4x5xf32, layout=sparse_coo>
    %1, %2 = tri.disassemble %0 : !tri.tensor<4x5xf32, layout=sparse_coo>
      -> (!tri.tensor<2x3xsi64>, !tri.tensor<3xf32>)

The words are MLIR's. What a function takes and returns are indices and values: a sparse tensor has
no memory of its own. `tri-lower-sparse` leaves operations on these alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from xdsl.dialects.builtin import DenseArrayBase, LocationAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes.spec import TensorSpec
from ..ops.frame.argument_values import AttributeValue
from ..ops.frame.row import TABLE, OpSpec
from ..ops.frame.schema import Parameter
from ..ops.sparse_table import form_of
from .attributes import from_attributes, to_attributes
from .ops import parse_types, print_types, tensor_spec
from .types import TensorType, is_sparse

#: The operands of a parameter: one, those of a list, or none.
Group = SSAValue | Sequence[SSAValue] | None
#: As it is parsed.
_Parsed = UnresolvedOperand | list[UnresolvedOperand] | None


def _verify_parts(op: IRDLOperation, whole: SSAValue, indices: SSAValue, values: SSAValue) -> None:
    """A tensor has an index for each sparse dim, and values of its dtype for each index."""
    if not is_sparse(whole):
        raise VerifyException(f"{op.name}: the whole is of layout sparse_coo, not {whole.type}")
    spec, places, held = map(tensor_spec, (whole, indices, values))
    if is_sparse(indices) or is_sparse(values):
        raise VerifyException(f"{op.name}: indices and values are dense tensors")
    if places.rank != 2 or places.dtype.name != "int64" or places.shape[0] > spec.rank:
        raise VerifyException(
            f"{op.name}: indices are sparse dims x entries of int64, not {indices.type}"
        )
    expected = (places.shape[1], *spec.shape[places.shape[0] :])
    if held.shape != expected or held.dtype is not spec.dtype:
        raise VerifyException(
            f"{op.name}: values are of shape {expected} and {spec.dtype}, not {values.type}"
        )


@irdl_op_definition
class AssembleOp(IRDLOperation):
    """A sparse tensor of its parts: `%s = tri.assemble %i, %v {coalesced} : ...`.

    It is `coalesced` if the indices are known to be in order and all different.
    """

    name = "tri.assemble"
    indices = operand_def(TensorType)
    values = operand_def(TensorType)
    coalesced = opt_prop_def(UnitAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        indices: SSAValue,
        values: SSAValue,
        spec: TensorSpec,
        *,
        is_coalesced: bool,
        location: LocationAttr | None = None,
    ) -> Self:
        """Build the tensor of a spec."""
        return cls.create(
            operands=(indices, values),
            result_types=(TensorType.of(spec),),
            properties={"coalesced": UnitAttr()} if is_coalesced else {},
            location=location,
        )

    @property
    def is_coalesced(self) -> bool:
        """Whether the indices are known to be in order and all different."""
        return self.coalesced is not None

    def verify_(self) -> None:
        """The parts are those of the whole."""
        _verify_parts(self, self.results[0], *self.operands)

    def print(self, printer: Printer) -> None:
        """Print the parts, the flag and the types."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        if self.is_coalesced:
            printer.print_string(" {coalesced}")
        print_types(printer, self.operands, self.results)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the parts, the flag and the types."""
        parts = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        parts.append(parser.parse_unresolved_operand())
        is_coalesced = parser.parse_optional_punctuation("{") is not None
        if is_coalesced:
            parser.parse_keyword("coalesced")
            parser.parse_punctuation("}")
        types, results = parse_types(parser)
        operands = parser.resolve_operands(parts, types, parser.pos)
        properties: dict[str, Attribute] = {"coalesced": UnitAttr()} if is_coalesced else {}
        return cls.create(operands=operands, result_types=results, properties=properties)


@irdl_op_definition
class DisassembleOp(IRDLOperation):
    """The parts of a sparse tensor: `%i, %v = tri.disassemble %s : ... -> (..., ...)`."""

    name = "tri.disassemble"
    whole = operand_def(TensorType)
    parts = var_result_def(TensorType)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        whole: SSAValue,
        indices: TensorSpec,
        values: TensorSpec,
        location: LocationAttr | None = None,
    ) -> Self:
        """Take a tensor apart."""
        types = TensorType.of(indices), TensorType.of(values)
        return cls.create(operands=(whole,), result_types=types, location=location)

    def verify_(self) -> None:
        """The parts are those of the whole."""
        if len(self.results) != 2:
            raise VerifyException(f"{self.name}: there are two parts, indices and values")
        _verify_parts(self, self.operands[0], *self.results)

    def print(self, printer: Printer) -> None:
        """Print the whole and the types."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        print_types(printer, self.operands, self.results)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the whole and the types."""
        whole = parser.parse_unresolved_operand()
        types, results = parse_types(parser)
        operands = parser.resolve_operands([whole], types, parser.pos)
        return cls.create(operands=operands, result_types=results)


def operands_of(row: OpSpec) -> list[Parameter]:
    """Return the parameters of a row that are operands, in order."""
    return [parameter for parameter in row.schema.parameters if parameter.is_operand]


@irdl_op_definition
class SparseOp(IRDLOperation):
    """What a row does with sparse operands: `%1 = tri.sparse "mul"(%s, %c) : ... -> ...`.

    Operands stand in the order of the row's parameters: those of a list in brackets, `none` for one
    that has its default; the last of these are not said. Behind them are tensors of the numbers
    that the form of the row knows: `known(%k)`.
    """

    name = "tri.sparse"
    arguments = var_operand_def()
    row = prop_def(StringAttr)
    #: How many operands each parameter has: -1 for one that is no list.
    counts = prop_def(DenseArrayBase)
    result = var_result_def(TensorType)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        row: OpSpec,
        operands: Sequence[Group],
        known: Sequence[SSAValue],
        values: Mapping[str, AttributeValue],
        results: Sequence[TensorSpec],
        location: LocationAttr | None = None,
    ) -> Self:
        """Build the operation; an operand is a value, a list of them, or None if left out."""
        types = [TensorType.of(spec) for spec in results]
        return cls._of(row.name, operands, known, to_attributes(row, values), types, location)

    @classmethod
    def _of(
        cls,
        row: str,
        operands: Sequence[Group],
        known: Sequence[SSAValue],
        attributes: Mapping[str, Attribute],
        types: Sequence[Attribute],
        location: LocationAttr | None = None,
    ) -> Self:
        flat: list[SSAValue] = []
        counts: list[int] = []
        for operand in operands:
            if isinstance(operand, SSAValue):
                flat.append(operand)
                counts.append(_ONE)
            else:
                items = operand or ()
                flat += items
                counts.append(_NONE if operand is None else len(items))
        while counts and counts[-1] == _NONE:
            counts.pop()
        return cls.create(
            operands=[*flat, *known],
            result_types=types,
            properties={
                "row": StringAttr(row),
                "counts": DenseArrayBase.from_list(i64, counts),
            },
            attributes=dict(attributes),
            location=location,
        )

    @property
    def operand_counts(self) -> tuple[int, ...]:
        """How many operands each parameter has, negative where it is no list."""
        counts: Any = self.counts
        return tuple(map(int, counts.get_values()))

    @property
    def called(self) -> OpSpec:
        """The row."""
        return TABLE[self.row.data]

    def values(self) -> dict[str, AttributeValue]:
        """Return the static values, defaults filled in."""
        return from_attributes(self.called, self.attributes)

    def grouped(self) -> tuple[list[Group], Sequence[SSAValue]]:
        """Return for each parameter its value, list of values or None, and the known tensors."""
        groups, known = self._given()
        left_out = len(operands_of(self.called)) - len(groups)
        return [*groups, *[None] * left_out], known

    def _given(self) -> tuple[list[Group], Sequence[SSAValue]]:
        groups: list[Group] = []
        start = 0
        for count in self.operand_counts:
            if count == _NONE:
                groups.append(None)
                continue
            end = start + (1 if count == _ONE else count)
            groups.append(self.operands[start] if count == _ONE else self.operands[start:end])
            start = end
        return groups, self.operands[start:]

    def verify_(self) -> None:
        """There is such a row, its form takes sparse operands, and one is there."""
        name = self.row.data
        if name not in TABLE or form_of(name) is None:
            raise VerifyException(f"tri.sparse: no operation '{name}' takes sparse tensors")
        most, given = len(operands_of(self.called)), len(self.operand_counts)
        if given > most:
            raise VerifyException(f"tri.sparse: {name} has {most} operands, not {given}")
        if not any(map(is_sparse, (*self.operands, *self.results))):
            raise VerifyException("tri.sparse: no operand and no result is of layout sparse_coo")

    def print(self, printer: Printer) -> None:
        """Print the row, operands, static values and types."""
        groups, known = self._given()
        printer.print_string(" ")
        printer.print_string_literal(self.row.data)
        with printer.in_parens():
            printer.print_list(groups, lambda group: _print_group(printer, group))
        if known:
            printer.print_string(" known")
            with printer.in_parens():
                printer.print_list(known, printer.print_ssa_value)
        if self.attributes:
            printer.print_op_attributes(self.attributes)
        print_types(printer, self.operands, self.results)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the row, operands, static values and types."""
        row = parser.parse_str_literal()
        groups = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: _parse_group(parser)
        )
        known: list[UnresolvedOperand] = []
        if parser.parse_optional_keyword("known"):
            known = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )
        attributes = parser.parse_optional_attr_dict()
        types, results = parse_types(parser)
        flat = [item for group in groups for item in _items(group)]
        values = iter(parser.resolve_operands([*flat, *known], types, parser.pos))
        operands: list[Group] = []
        for group in groups:
            found = [next(values) for _ in _items(group)]
            operands.append(found if isinstance(group, list) else found[0] if found else None)
        return cls._of(row, operands, list(values), attributes, results)


#: How many operands a parameter has that is no list: one, or none.
_ONE, _NONE = -1, -2


def _items(group: _Parsed) -> list[UnresolvedOperand]:
    return group if isinstance(group, list) else [] if group is None else [group]


def _print_group(printer: Printer, group: Group) -> None:
    if group is None:
        printer.print_string("none")
    elif isinstance(group, SSAValue):
        printer.print_ssa_value(group)
    else:
        with printer.in_square_brackets():
            printer.print_list(group, printer.print_ssa_value)


def _parse_group(parser: Parser) -> _Parsed:
    if parser.parse_optional_keyword("none"):
        return None
    found = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    return parser.parse_unresolved_operand() if found is None else found
