"""How does a scheduled kernel become the text of one OpenCL C function?

`function_text` walks the kernel once and looks every op up in a table. A value is a local constant,
a literal, or the variable of a loop. The function takes two arguments for each pointer of the flat
signature, a buffer and a byte offset, and then its integers, or another buffer that holds them if
they are too many (see `dialects/kernel/abi.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.attributes.calling import is_packed_on_opencl
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.abi import OFFSET, STRIDE, KernelSignature
from ....dialects.kernel.function import READ, FuncOp
from ....dialects.kernel.types import BufferType, type_of_index
from .geometry import geometry_of, grid_of, group_size
from .preamble import preamble
from .spelling import WIDE, spell_type

STATUS, BLOCK = "status", "block"


class Emitter:
    """The state of one function's emission."""

    __slots__ = (
        "_count",
        "_depth",
        "buffers",
        "has_doubles",
        "has_hints",
        "is_grouped",
        "item",
        "lines",
        "locals",
        "names",
        "strides",
        "table",
        "used",
    )

    def __init__(self, table: Mapping[type[Operation], Emit]) -> None:
        """Start an empty function."""
        self.table = table
        self.names: dict[SSAValue, str] = {}
        #: The variable that points to each buffer, and its strides.
        self.buffers: dict[SSAValue, str] = {}
        self.strides: dict[SSAValue, list[str]] = {}
        self.lines: list[str] = []
        #: Declarations of local memory, which must stand at the level of the function.
        self.locals: list[str] = []
        #: The variable that numbers the items of a group, in a kernel for groups.
        self.item = ""
        #: Macros and functions that the text uses.
        self.used: set[str] = set()
        self.has_doubles = self.has_hints = False
        #: Whether items come in groups of several, as on a GPU.
        self.is_grouped = False
        self._count = 0
        self._depth = 1

    def fresh(self, letter: str = "v") -> str:
        """Return a name not used before in this function."""
        self._count += 1
        return f"{letter}{self._count}"

    def do(self, text: str) -> None:
        """Append a line."""
        self.lines.append("  " * self._depth + text)

    def open(self, text: str) -> None:
        """Append a line that begins a block."""
        self.do(text + " {")
        self._depth += 1

    def close(self, text: str = "}") -> None:
        """End a block."""
        self._depth -= 1
        self.do(text)

    def otherwise(self) -> None:
        """End a block and begin the one for the other case."""
        self._depth -= 1
        self.do("} else {")
        self._depth += 1

    def type(self, type_: Attribute) -> str:
        """Return the C type of a value, noting what it needs."""
        text = spell_type(type_)
        if text.startswith("double"):
            self.has_doubles = True
        elif text == WIDE:
            self.used.add(WIDE)
        return text

    def set(self, op: Operation, text: str) -> None:
        """Append a line that computes the result of an op."""
        result = op.results[0]
        name = self.names[result] = self.fresh()
        self.do(f"const {self.type(result.type)} {name} = {text};")

    def call(self, function: str, *arguments: str) -> str:
        """Return a call of a macro or function of the preamble."""
        self.used.add(function)
        return f"{function}({', '.join(arguments)})"

    def quotient(self, a: str, b: str) -> str:
        """Return the quotient of two positions; on a GPU one of 32 bits is worth a test."""
        if self.is_grouped:
            return self.call("tri_divide", a, b)
        return f"(long)((ulong){a} / (ulong){b})"

    def body(self, block: Block) -> Operation:
        """Emit the ops of a block; return its terminator, which the caller understands."""
        op, last = block.first_op, block.last_op
        assert last is not None
        while op is not None and op is not last:
            emit = self.table.get(type(op))
            if emit is None:
                message = f"the OpenCL emitter cannot spell {op.name}: it stands too high"
                raise UnsuitableIr(message, op)
            try:
                emit(self, op)
            except UnsuitableIr as error:
                raise error.about(op) from None
            op = op.next_op
        return last


#: What the table holds.
Emit = Callable[[Emitter, Operation], None]


def function_text(function: FuncOp, table: Mapping[type[Operation], Emit]) -> str:
    """Return the program that holds one kernel; its first line says how to launch it."""
    signature = KernelSignature.of(function)
    emitter = Emitter(table)
    parameters = _bind_arguments(emitter, function, signature)
    emitter.body(function.block)
    lines = [
        f"// trilith: {geometry_of(function, signature)}",
        *preamble(emitter.used, has_doubles=emitter.has_doubles, has_hints=emitter.has_hints),
        f"__kernel {_required_size(function)}void {signature.name}({', '.join(parameters)}) {{",
        *emitter.locals,
        *emitter.lines,
        "}",
    ]
    return "\n".join(lines) + "\n"


def _required_size(function: FuncOp) -> str:
    """Return the promise of a size where items work together: registers are shared out by it."""
    grid = grid_of(function)
    if grid is None or not grid.is_grid("groups"):
        return ""
    return f"__attribute__((reqd_work_group_size({group_size(grid)}, 1, 1))) "


def _bind_arguments(emitter: Emitter, function: FuncOp, signature: KernelSignature) -> list[str]:
    """Name every argument and find each buffer's first element; return the parameters."""
    arguments = function.block.args
    parameters: list[str] = []
    pointers: dict[int, int] = {}
    for place, number in enumerate(signature.buffers):
        pointers[number] = place
        constant = "const " if function.access_of(arguments[number]) == READ else ""
        alone = "restrict " if function.is_noalias(arguments[number]) else ""
        parameters += [f"__global {constant}uchar *{alone}p{place}", f"const long o{place}"]
    if signature.can_fail:
        place = len(signature.buffers)
        parameters += [f"__global uchar *p{place}", f"const long o{place}"]
        emitter.do(f"__global int *{STATUS} = (__global int *)(p{place} + o{place});")
    is_packed = is_packed_on_opencl(signature.pointers, len(signature.integers))
    if is_packed:
        parameters += [f"__global const uchar *{BLOCK}", f"const long {BLOCK}_o"]
        words = f"(__global const long *)({BLOCK} + {BLOCK}_o)"
        emitter.do(f"__global const long *{BLOCK}_n = {words};")
    for position, slot in enumerate(signature.integers):
        argument, name = arguments[slot.argument], f"n{position}"
        if is_packed:
            emitter.do(f"const long {name} = {BLOCK}_n[{position}];")
        else:
            parameters.append(f"const long {name}")
        type_ = argument.type
        if slot.kind == OFFSET:
            assert isinstance(type_, BufferType)
            place = pointers[slot.argument]
            constant = "const " if function.access_of(argument) == READ else ""
            pointer = f"__global {constant}{emitter.type(type_.element)} *"
            emitter.do(f"{pointer}b{place} = ({pointer})(p{place} + o{place}) + {name};")
            emitter.buffers[argument] = f"b{place}"
            emitter.strides[argument] = [f"{stride}L" for stride in type_.strides]
        elif slot.kind == STRIDE:
            emitter.strides[argument][slot.dimension] = name
        elif type_ == type_of_index:
            emitter.names[argument] = name
        else:
            emitter.names[argument] = _scalar_argument(emitter, name, type_)
    return parameters


def _scalar_argument(emitter: Emitter, name: str, type_: Attribute) -> str:
    """Take a scalar out of the low bits of a 64-bit integer."""
    text = emitter.type(type_)
    if text == "float":
        return f"as_float((uint){name})"
    if text == "double":
        return f"as_double({name})"
    return f"((({name}) & 1) != 0)" if text == "bool" else f"(({text}){name})"
