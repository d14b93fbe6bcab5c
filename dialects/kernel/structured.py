"""How does a kernel iterate before anything is decided about the machine?

`parallel` and `map` run their body for every point of a box, in any order. `reduce` and `scan`
combine the values that their body yields, in an order that is part of their meaning. Each body is
one block whose arguments are the indices; extents are values of type `index`.
"""

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .memory import UNIT, BarrierOp
from .rare import RarelyOp
from .reductions import CUSTOM, FMA, KINDS, MAXIMUM_LANES
from .syntax import (
    close,
    parse_arguments,
    parse_body,
    parse_combiner,
    parse_iteration,
    parse_order,
    parse_types,
    parse_values,
    print_body,
    print_combiner,
    print_iteration,
    print_order,
    print_types,
    print_values,
)
from .terminators import YieldOp, listed, verify_yield
from .types import BufferType, i64, type_of_index

GRIDS = ("groups", "items")

#: Said of a parallel nest whose reductions have few elements each: neighbours may run together.
SHORT_ROWS = "kernel.short_rows"
#: Said of a reduction to an element and its index, which is the first of the largest or smallest
#: ones: "maximum" or "minimum", and "unsigned" behind it. A NaN is beyond all; zeros are equal.
FIRST_EXTREME = "kernel.first"
#: Said of a scan to an element and its index, which is the last of the largest or smallest ones so
#: far: "maximum" or "minimum", and "unsigned" behind it. A NaN is beyond all; zeros are equal.
LATEST_EXTREME = "kernel.latest"

_strings = {text: StringAttr(text) for text in (*GRIDS, *KINDS)}


class IterationOp(IRDLOperation):
    """What all constructs share: `(%i, %j) to (%n, %m)` and a body."""

    @property
    def block(self) -> Block:
        """The block of the body; its first arguments are the indices."""
        return self.regions[0].block

    @property
    def indices(self) -> Sequence[SSAValue]:
        """The index of each dimension, outermost first."""
        return self.block.args

    @property
    def extents(self) -> Sequence[SSAValue]:
        """The size of each dimension."""
        return self.operands[: len(self.block.args)]

    def _verify_iteration(self) -> None:
        extents, indices = self.extents, self.indices
        if len(extents) != len(indices):
            raise VerifyException(
                f"{self.name}: expected {len(indices)} extents, got {len(extents)}"
            )
        for value in (*extents, *indices):
            if value.type != type_of_index:
                raise VerifyException(
                    f"{self.name}: expected indices and extents of type index, got {value.type}"
                )


class LoopNestOp(IterationOp):
    """A construct without results."""

    def print(self, printer: Printer) -> None:
        """Write the iteration and the body."""
        grid = self.properties.get("grid")
        if isinstance(grid, StringAttr):
            printer.print_string(f" {grid.data}")
        print_iteration(printer, self.indices, self.operands)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        print_body(printer, self.regions[0])

    def verify_(self) -> None:
        """Check extents and the end of the body."""
        self._verify_iteration()
        if len(self.operands) != len(self.indices):
            raise VerifyException(f"{self.name}: expected one extent for each index")
        verify_yield(self.name, self.regions[0], ())


@irdl_op_definition
class ParallelOp(LoopNestOp):
    """Run a body that may hold nests: `kernel.parallel (%i, %j) to (%n, %m) { ... }`.

    A schedule may say who runs the points: `kernel.parallel groups (%i) to (%n)` (work-groups), or
    `items` (work items of a group).
    """

    name = "kernel.parallel"
    arguments = var_operand_def(type_of_index)
    body = region_def("single_block")
    grid = opt_prop_def(StringAttr)
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(cls, extents: Sequence[SSAValue], body: Block, grid: str | None = None) -> Self:
        """Build a nest around a block that has one index argument per extent."""
        return cls.create(
            operands=extents,
            properties={} if grid is None else {"grid": _strings[grid]},
            regions=[Region(close(body, YieldOp.create))],
        )

    def verify_(self) -> None:
        """Check the grid too."""
        super().verify_()
        if self.grid is not None and self.grid.data not in GRIDS:
            raise VerifyException(
                f"{self.name}: expected a grid of {GRIDS}, got '{self.grid.data}'"
            )
        if self.is_grid("items") and any(isinstance(op, BarrierOp) for op in self.walk()):
            raise VerifyException(
                f"{self.name}: expected no kernel.barrier inside of items, where not all may come "
                "to it; it stands between two nests of items"
            )

    def is_grid(self, word: str) -> bool:
        """Whether a schedule has said that this runs the points."""
        return self.grid is not None and self.grid.data == word

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read `groups (%i) to (%n) { ... }`."""
        grid = parser.parse_optional_keyword_in(GRIDS)
        arguments, extents = parse_iteration(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parse_body(parser, arguments, YieldOp.create)
        return cls.create(
            operands=extents,
            properties={} if grid is None else {"grid": _strings[grid]},
            attributes={} if attributes is None else attributes.data,
            regions=[body],
        )


@irdl_op_definition
class MapOp(LoopNestOp):
    """Run a scalar body for every point: `kernel.map (%i, %j) to (%n, %m) { ... }`."""

    name = "kernel.map"
    arguments = var_operand_def(type_of_index)
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(cls, extents: Sequence[SSAValue], body: Block) -> Self:
        """Build a map around a block that has one index argument per extent."""
        return cls.create(operands=extents, regions=[Region(close(body, YieldOp.create))])

    def verify_(self) -> None:
        """Refuse nests inside."""
        super().verify_()
        for op in self.block.ops:
            if op.regions and not isinstance(op, RarelyOp):
                raise VerifyException(
                    f"kernel.map: expected a body without nests, got {op.name}; use kernel.parallel"
                )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read `(%i) to (%n) { ... }`."""
        arguments, extents = parse_iteration(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parse_body(parser, arguments, YieldOp.create)
        return cls.create(
            operands=extents,
            attributes={} if attributes is None else attributes.data,
            regions=[body],
        )


class CombinationOp(IterationOp):
    """What reduce and scan share: kind, initial values, results and a combiner."""

    kind = prop_def(StringAttr)
    unsigned = opt_prop_def(UnitAttr)

    @property
    def inits(self) -> Sequence[SSAValue]:
        """The values that a custom combiner starts from; empty for the other kinds."""
        return self.operands[len(self.block.args) :]

    @property
    def value_types(self) -> Sequence[Attribute]:
        """The types of the combined values."""
        types = [operand.type for operand in self.block.ops.last.operands]  # pyright: ignore
        return types[:1] if self.kind.data == FMA else types

    @property
    def is_unsigned(self) -> bool:
        """Whether integers are compared without sign."""
        return "unsigned" in self.properties

    def _verify_combination(self, types: Sequence[Attribute], combiner: Sequence[Region]) -> None:
        self._verify_iteration()
        kind = self.kind.data
        if kind not in KINDS:
            raise VerifyException(f"{self.name}: expected a kind of {KINDS}, got '{kind}'")
        verify_yield(self.name, self.regions[0], [*types, *types] if kind == FMA else types)
        if any(isinstance(type_, BufferType) for type_ in types):
            raise VerifyException(
                f"{self.name}: expected scalars to combine, got ({listed(types)})"
            )
        if kind != CUSTOM:
            if len(types) != 1 or self.inits or combiner:
                raise VerifyException(
                    f"{self.name}: expected one value, no init and no combiner for kind '{kind}'"
                )
            if kind == FMA and not isinstance(types[0], AnyFloat):
                raise VerifyException(f"{self.name}: expected floats for kind fma, got {types[0]}")
            return
        if [value.type for value in self.inits] != list(types) or len(combiner) != 1:
            raise VerifyException(
                f"{self.name}: expected init ({listed(types)}) and a combiner for kind custom"
            )
        if [argument.type for argument in combiner[0].blocks[0].args] != [*types, *types]:
            raise VerifyException(f"{self.name}: expected a combiner of ({listed(types)}) twice")
        verify_yield(self.name, combiner[0], types, "combiner")


@irdl_op_definition
class ReduceOp(CombinationOp):
    """Combine values in a fixed order:
    `%s = kernel.reduce add (%j) to (%n) {lanes = 16, block = 1024} : f32 { ... kernel.yield %v }`.

    Element number e (row-major) belongs to block e / block and lane e % lanes. Each lane of a block
    starts at the neutral element and takes in its elements in increasing e; lane totals start at
    the neutral element and take in the lane values of the blocks in order; at the end lane l takes
    in lane l + L/2, then L/4 ..., until one is left. `lanes = 1` is the serial order, `block = 0`
    one block of any length. Of kind `fma` the body yields two factors, whose product is added with
    one rounding; lanes and blocks are added. Kind `custom` combines several values with a combiner,
    and `init` is there instead of the neutral element:
    `... init (%a, %b) : f32, i64 { ... } combine (%a, %i, %b, %j) { ... }`. It is as good as one,
    and lanes without elements may be left out, where the order says so:
    `{lanes = 16, block = 1024, neutral}`.
    """

    name = "kernel.reduce"
    arguments = var_operand_def()
    outputs = var_result_def()
    body = region_def("single_block")
    combiner = var_region_def("single_block")
    lanes = prop_def(IntegerAttr)
    block_length = prop_def(IntegerAttr, prop_name="block")
    neutral = opt_prop_def(UnitAttr)
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(
        cls,
        kind: str,
        extents: Sequence[SSAValue],
        types: Sequence[Attribute],
        body: Block,
        *,
        lanes: int = 1,
        block: int = 0,
        unsigned: bool = False,
        inits: Sequence[SSAValue] = (),
        combiner: Block | None = None,
        neutral: bool = False,
    ) -> Self:
        """Build a reduction; `body` has one index argument per extent and yields `types`."""
        properties: dict[str, Attribute] = {
            "kind": _strings[kind],
            "lanes": IntegerAttr(lanes, i64),
            "block": IntegerAttr(block, i64),
        }
        if unsigned:
            properties["unsigned"] = UNIT
        if neutral:
            properties["neutral"] = UNIT
        regions = [Region(body)] if combiner is None else [Region(body), Region(combiner)]
        return cls.create(
            operands=[*extents, *inits],
            result_types=types,
            properties=properties,
            regions=regions,
        )

    @property
    def lane_count(self) -> int:
        """How many lanes are reduced on their own."""
        return self.lanes.value.data

    @property
    def elements_per_block(self) -> int:
        """The length of a block, 0 for one block of any length."""
        return self.block_length.value.data

    @property
    def is_neutral(self) -> bool:
        """Whether what lanes start from changes nothing, on either side of what is combined."""
        return self.kind.data != CUSTOM or "neutral" in self.properties

    @property
    def is_serial(self) -> bool:
        """Whether elements are taken in one after the other: neither lanes nor blocks."""
        return self.lane_count == 1 and not self.elements_per_block

    def verify_(self) -> None:
        """Check the order, the body and the combiner."""
        self._verify_combination(self.result_types, self.combiner)
        lanes, block = self.lane_count, self.elements_per_block
        if "neutral" in self.properties and self.kind.data != CUSTOM:
            raise VerifyException("kernel.reduce: expected neutral with an init only")
        if lanes < 1 or lanes & (lanes - 1):
            raise VerifyException(f"kernel.reduce: expected lanes to be a power of 2, got {lanes}")
        if lanes > MAXIMUM_LANES:
            raise VerifyException(
                f"kernel.reduce: expected at most {MAXIMUM_LANES} lanes, got {lanes}"
            )
        if block < 0 or block % lanes:
            raise VerifyException(
                f"kernel.reduce: expected block to be a multiple of lanes = {lanes}, got {block}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" {self.kind.data}")
        print_iteration(printer, self.indices, self.extents)
        print_order(printer, self.lane_count, self.elements_per_block, self.properties)
        if self.inits:
            printer.print_string(" init ")
            print_values(printer, self.inits)
        printer.print_string(" : ")
        print_types(printer, self.results)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        print_body(printer, self.body)
        print_combiner(printer, self.combiner)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        kind = parser.parse_keyword_in(KINDS)
        arguments, extents = parse_iteration(parser)
        properties = parse_order(parser)
        properties["kind"] = _strings[kind]
        inits: list[SSAValue] = []
        if parser.parse_optional_keyword("init"):
            inits = parse_values(parser, Parser.Delimiter.PAREN)
        parser.parse_punctuation(":")
        types = parse_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parse_body(parser, arguments, YieldOp.create)
        combiner = parse_combiner(parser, types)
        return cls.create(
            operands=[*extents, *inits],
            result_types=types,
            properties=properties,
            attributes={} if attributes is None else attributes.data,
            regions=[body, *combiner],
        )


@irdl_op_definition
class ScanOp(CombinationOp):
    """Combine values one after the other and look at every partial result (inclusive):
    `kernel.scan add (%j) to (%n) : f32 { ... kernel.yield %v : f32 } into (%j, %sum) { ... }`.

    The accumulator starts at the neutral element and takes the elements in row-major order; after
    each one the `into` body sees the indices and the accumulator. `unsigned` and, for kind
    `custom`, `init (...)` stand before the types; the combiner stands between the two bodies.
    """

    name = "kernel.scan"
    arguments = var_operand_def()
    body = region_def("single_block")
    into = region_def("single_block")
    combiner = var_region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(
        cls,
        kind: str,
        extents: Sequence[SSAValue],
        body: Block,
        into: Block,
        *,
        unsigned: bool = False,
        inits: Sequence[SSAValue] = (),
        combiner: Block | None = None,
    ) -> Self:
        """Build a scan; `into` takes the indices and then one accumulator per yielded value."""
        properties: dict[str, Attribute] = {"kind": _strings[kind]}
        if unsigned:
            properties["unsigned"] = UNIT
        regions = [Region(body), Region(close(into, YieldOp.create))]
        if combiner is not None:
            regions.append(Region(combiner))
        return cls.create(operands=[*extents, *inits], properties=properties, regions=regions)

    def verify_(self) -> None:
        """Check the two bodies and the combiner."""
        types = self.value_types
        if self.kind.data == FMA:
            raise VerifyException("kernel.scan: kind fma is for reductions")
        self._verify_combination(types, self.combiner)
        verify_yield(self.name, self.into, (), "into")
        got = [argument.type for argument in self.into.blocks[0].args]
        expected = [*(index.type for index in self.indices), *types]
        if got != expected:
            raise VerifyException(
                f"kernel.scan: expected 'into' to take ({listed(expected)}), got ({listed(got)})"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" {self.kind.data}")
        print_iteration(printer, self.indices, self.extents)
        if self.is_unsigned:
            printer.print_string(" unsigned")
        if self.inits:
            printer.print_string(" init ")
            print_values(printer, self.inits)
        printer.print_string(" : ")
        printer.print_list(self.value_types, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        print_body(printer, self.body)
        print_combiner(printer, self.combiner)
        printer.print_string(" into (")
        printer.print_list(self.into.blocks[0].args, printer.print_ssa_value)
        printer.print_string(")")
        print_body(printer, self.into)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        kind = parser.parse_keyword_in(KINDS)
        arguments, extents = parse_iteration(parser)
        properties: dict[str, Attribute] = {"kind": _strings[kind]}
        if parser.parse_optional_keyword("unsigned"):
            properties["unsigned"] = UNIT
        inits: list[SSAValue] = []
        if parser.parse_optional_keyword("init"):
            inits = parse_values(parser, Parser.Delimiter.PAREN)
        parser.parse_punctuation(":")
        types = parse_types(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parse_body(parser, arguments, YieldOp.create)
        combiner = parse_combiner(parser, types)
        parser.parse_keyword("into")
        into_types = [*(argument.type for argument in arguments), *types]
        into = parse_body(parser, parse_arguments(parser, into_types), YieldOp.create)
        return cls.create(
            operands=[*extents, *inits],
            properties=properties,
            attributes={} if attributes is None else attributes.data,
            regions=[body, into, *combiner],
        )
