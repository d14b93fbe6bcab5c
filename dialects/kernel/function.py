"""What is a kernel: a name, arguments, what is known about them, and a body."""

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from .memory import UNIT
from .syntax import close
from .types import GLOBAL, BufferType

ACCESS = "kernel.access"
NOALIAS = "kernel.noalias"
READ, WRITE, READWRITE = "read", "write", "readwrite"
ACCESSES = (READ, WRITE, READWRITE)

_EMPTY = DictionaryAttr({})
#: What can be known of an argument: its access and whether no other argument overlaps it.
_KNOWN: dict[tuple[str | None, bool], DictionaryAttr] = {
    (access, noalias): DictionaryAttr(
        ({} if access is None else {ACCESS: StringAttr(access)})
        | ({NOALIAS: UNIT} if noalias else {})
    )
    for access in (None, *ACCESSES)
    for noalias in (False, True)
}


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """The end of a kernel; not printed."""

    name = "kernel.return"
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"

    @classmethod
    def make(cls) -> Self:
        """Build the end of a kernel."""
        return cls.create()


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A kernel: `kernel.func @name(%n: index, %x: !kernel.buffer<f32, [?, 1]>) { ... }`.

    An argument is an `index` (a size), a buffer or a scalar. A buffer may carry
    `{kernel.access = "read" | "write" | "readwrite", kernel.noalias}`: what the kernel does to it,
    and that no other argument overlaps it (promised by the caller).
    """

    name = "kernel.func"
    sym_name = prop_def(StringAttr)
    known = prop_def(ArrayAttr[DictionaryAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    @classmethod
    def make(
        cls,
        name: str,
        body: Block,
        *,
        access: Sequence[str | None] | None = None,
        noalias: Sequence[bool] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Self:
        """Build a kernel around a block whose arguments are those of the kernel."""
        count = len(body.args)
        known = [
            _KNOWN[how, alone]
            for how, alone in zip(
                [None] * count if access is None else access,
                [False] * count if noalias is None else noalias,
                strict=True,
            )
        ]
        return cls.create(
            properties={"sym_name": StringAttr(name), "known": ArrayAttr(known)},
            attributes=attributes or {},
            regions=[Region(close(body, ReturnOp.create))],
        )

    @property
    def symbol(self) -> str:
        """The name of the kernel."""
        return self.sym_name.data

    @property
    def block(self) -> Block:
        """The block of the body; its arguments are those of the kernel."""
        return self.regions[0].block

    def access_of(self, argument: BlockArgument) -> str:
        """What the kernel does to a buffer argument; `readwrite` if nothing is known."""
        found = self.known.data[argument.index].data.get(ACCESS)
        return found.data if isinstance(found, StringAttr) else READWRITE

    def known_if_read(self, arguments: Collection[SSAValue]) -> ArrayAttr[DictionaryAttr]:
        """Return what is known of the arguments if some of them are read, too."""
        if not arguments:
            return self.known
        return ArrayAttr(
            [
                _KNOWN[READWRITE, self.is_noalias(argument)] if argument in arguments else known
                for argument, known in zip(self.block.args, self.known, strict=True)
            ]
        )

    def is_noalias(self, argument: BlockArgument) -> bool:
        """Whether no other argument overlaps this one."""
        return NOALIAS in self.known.data[argument.index].data

    def verify_(self) -> None:
        """Check arguments, what is known about them, and the end of the body."""
        arguments = self.block.args
        if len(self.known.data) != len(arguments):
            raise VerifyException(
                f"kernel.func: expected facts on {len(arguments)} arguments, got {len(self.known)}"
            )
        for argument, known in zip(arguments, self.known.data, strict=True):
            is_buffer = isinstance(argument.type, BufferType)
            if known.data and not is_buffer:
                raise VerifyException(
                    f"kernel.func: expected facts on buffers only, got {known} on {argument.type}"
                )
            if isinstance(argument.type, BufferType) and argument.type.space != GLOBAL:
                raise VerifyException(
                    f"kernel.func: expected a buffer in global space, got {argument.type}"
                )
            access = known.data.get(ACCESS)
            if access is not None and getattr(access, "data", None) not in ACCESSES:
                raise VerifyException(
                    f"kernel.func: expected an access of {ACCESSES}, got {access}"
                )
        if not isinstance(self.block.last_op, ReturnOp):
            raise VerifyException("kernel.func: expected the body to end with kernel.return")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol)
        printer.print_string("(")
        printer.print_list(
            zip(self.block.args, self.known.data, strict=True),
            lambda pair: _print_argument(printer, *pair),
        )
        printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=False,
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        name = parser.parse_symbol_name()
        pairs = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: _parse_argument(parser)
        )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region([argument for argument, _ in pairs])
        close(region.blocks[0], ReturnOp.create)
        return cls.create(
            properties={"sym_name": name, "known": ArrayAttr([known for _, known in pairs])},
            attributes={} if attributes is None else attributes.data,
            regions=[region],
        )


def _print_argument(printer: Printer, argument: BlockArgument, known: DictionaryAttr) -> None:
    printer.print_block_argument(argument)
    if known.data:
        printer.print_string(" ")
        printer.print_attr_dict(known.data)


def _parse_argument(parser: Parser) -> tuple[Parser.Argument, DictionaryAttr]:
    argument = parser.parse_argument()
    known = parser.parse_optional_dictionary_attr_dict()
    return argument, DictionaryAttr(known) if known else _EMPTY
