"""How does a scheduled kernel become the text of one LLVM function?

`emit_kernel` walks the kernel once and looks every op up in a table (payload.py, control.py,
access.py). What the walk needs lives in an `Emitter`: the name of each value, the loops that are
open, and how deep each name was defined. Address arithmetic is emitted at the depth of its deepest
operand, in front of the loops that do not change it, so that no pass has to hoist it.
"""

from collections.abc import Callable, Mapping

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.attributes.calling import is_packed_on_host
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.abi import OFFSET, STRIDE, IntegerSlot, KernelSignature
from ....dialects.kernel.function import READ, WRITE, FuncOp
from ....dialects.kernel.types import BufferType, type_of_index
from .spelling import spell_suffix, spell_type
from .target import CpuTarget

#: A line, or a list of lines that are still being added to.
Lines = list["str | Lines"]

STATUS, BLOCK = "%status", "%block"


class Scope:
    """A loop or branch being emitted: the place for invariant code, what was computed there."""

    __slots__ = ("known", "lines", "memory")

    def __init__(self, lines: Lines) -> None:
        """Start with nothing known."""
        self.lines = lines
        self.known: dict[str, str] = {}
        #: Stack memory that is wanted in here alone.
        self.memory: list[str] = []


class Emitter:
    """The state of one function's emission."""

    __slots__ = (
        "_count",
        "block",
        "buffers",
        "declarations",
        "depths",
        "last",
        "lines",
        "loops",
        "names",
        "scopes",
        "strides",
        "table",
        "target",
    )

    def __init__(self, target: CpuTarget, table: "Mapping[type[Operation], Emit]") -> None:
        """Start an empty function."""
        self.target = target
        self.table = table
        self.names: dict[SSAValue, str] = {}
        #: Base pointer of each buffer, and its strides (text, None for 0).
        self.buffers: dict[SSAValue, str] = {}
        self.strides: dict[SSAValue, list[str]] = {}
        self.declarations: set[str] = set()
        #: What a function does before it returns.
        self.last: set[str] = set()
        #: How many loops surround the definition of a name; names that are missing: none.
        self.depths: dict[str, int] = {}
        entry: Lines = []
        self.lines: Lines = entry
        #: The function itself, then the open loops: invariant code goes in front of the next.
        self.loops: list[Scope] = [Scope(entry)]
        #: The function, the open loops and branches, innermost last.
        self.scopes: list[Scope] = [self.loops[0]]
        self.block = "entry"
        self._count = 0

    def fresh(self) -> int:
        """Return a number not used before in this function."""
        self._count += 1
        return self._count

    def do(self, instruction: str) -> None:
        """Append an instruction without a result."""
        self.lines.append("  " + instruction)

    def emit(self, instruction: str) -> str:
        """Append an instruction here; return the name of its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        self.depths[name] = len(self.loops) - 1
        return name

    def set(self, op: Operation, instruction: str) -> None:
        """Append an instruction here that computes the result of an op."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        self.depths[name] = len(self.loops) - 1
        (result,) = op.results
        self.names[result] = name

    def pure(self, instruction: str, *operands: str) -> str:
        """Compute something without effects as far out as its operands allow, once."""
        depths = self.depths
        depth = 0
        for operand in operands:
            found = depths.get(operand, 0)
            depth = max(depth, found)
        for scope in reversed(self.scopes):
            name = scope.known.get(instruction)
            if name is not None:
                return name
        self._count += 1
        name = f"%v{self._count}"
        if depth < len(self.loops) - 1:
            scope = self.loops[depth + 1]
            scope.lines.append(f"  {name} = {instruction}")
        else:
            scope = self.scopes[-1]
            self.lines.append(f"  {name} = {instruction}")
        depths[name] = depth
        scope.known[instruction] = name
        return name

    def intrinsic(self, word: str, type_: Attribute, *operands: str) -> str:
        """Return the text of a call of `llvm.word` on operands of one type."""
        text = spell_type(type_)
        symbol = f"llvm.{word}.{spell_suffix(type_)}"
        self.declarations.add(f"declare {text} @{symbol}({', '.join([text] * len(operands))})")
        arguments = ", ".join([f"{text} {operand}" for operand in operands])
        return f"call {text} @{symbol}({arguments})"

    def splat(self, text: str, value: str, lanes: int) -> str:
        """Put a scalar of type `text` in all lanes."""
        if value[0] != "%":
            return f"splat ({text} {value})"
        vector = f"<{lanes} x {text}>"
        one = self.pure(f"insertelement {vector} poison, {text} {value}, i64 0", value)
        mask = f"<{lanes} x i32> zeroinitializer"
        return self.pure(f"shufflevector {vector} {one}, {vector} poison, {mask}", one)

    def body(self, block: Block) -> Operation:
        """Emit the ops of a block; return its terminator, which the caller understands."""
        table = self.table
        op = block.first_op
        last = block.last_op
        assert op is not None
        assert last is not None
        while op is not last:
            assert op is not None
            emit = table.get(type(op))
            if emit is None:
                message = f"the LLVM emitter cannot spell {op.name}: it stands too high"
                raise UnsuitableIr(message, op)
            try:
                emit(self, op)
            except UnsuitableIr as error:
                raise error.about(op) from None
            op = op.next_op
        return last

    def label(self, name: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{name}:")
        self.block = name


#: What the table holds.
Emit = Callable[[Emitter, Operation], None]


def function_text(
    function: FuncOp, target: CpuTarget, table: Mapping[type[Operation], Emit]
) -> str:
    """Return the module that holds one kernel."""
    signature = KernelSignature.of(function)
    emitter = Emitter(target, table)
    parameters = _bind_arguments(emitter, function, signature)
    emitter.body(function.block)
    for instruction in sorted(emitter.last):
        emitter.do(instruction)
    emitter.do("ret void")
    lines: list[str] = []
    _flatten(emitter.lines, lines)
    header = f"define void @{signature.name}({', '.join(parameters)}) #0 {{\nentry:"
    footer = f"}}\n{chr(10).join(sorted(emitter.declarations))}\n{target.attributes}\n"
    return "\n".join([header, *lines, footer])


def _bind_arguments(emitter: Emitter, function: FuncOp, signature: KernelSignature) -> list[str]:
    """Name every argument and compute each buffer's first element; return the parameters."""
    arguments = function.block.args
    parameters = _Parameters(emitter, signature)
    for number in signature.buffers:
        argument = arguments[number]
        words = ["ptr"]
        if function.is_noalias(argument):
            words.append("noalias")
        access = function.access_of(argument)
        if access == READ:
            words.append("readonly")
        elif access == WRITE:
            words.append("writeonly")
        parameters.take(" ".join(words), f"%p{number}")
    if signature.can_fail:
        parameters.take("ptr noalias", STATUS)
    for slot in signature.integers:
        argument = arguments[slot.argument]
        name = parameters.take("i64", _name_of(slot))
        if slot.kind == OFFSET:
            assert isinstance(argument.type, BufferType)
            element = spell_type(argument.type.element)
            emitter.strides[argument] = [str(stride) for stride in argument.type.strides]
            emitter.buffers[argument] = emitter.emit(
                f"getelementptr inbounds {element}, ptr %p{slot.argument}, i64 {name}"
            )
        elif slot.kind == STRIDE:
            emitter.strides[argument][slot.dimension] = name
        elif argument.type == type_of_index:
            emitter.names[argument] = name
        else:
            emitter.names[argument] = _scalar_argument(emitter, name, argument.type)
    return parameters.spelled


def _name_of(slot: IntegerSlot) -> str:
    if slot.kind == STRIDE:
        return f"%s{slot.argument}_{slot.dimension}"
    return f"%{'o' if slot.kind == OFFSET else 'i'}{slot.argument}"


class _Parameters:
    """The parameters of a function, or what it loads from the one that stands for all."""

    def __init__(self, emitter: Emitter, signature: KernelSignature) -> None:
        pointers, integers = signature.pointers, len(signature.integers)
        self.emitter = emitter
        self.is_packed = is_packed_on_host(pointers, integers)
        self.spelled = [f"ptr noalias readonly {BLOCK}"] if self.is_packed else []
        self.count = 0

    def take(self, words: str, name: str) -> str:
        """Add the next parameter: its type with what is known of it, and its name."""
        if not self.is_packed:
            self.spelled.append(f"{words} {name}")
            return name
        emit, do = self.emitter.emit, self.emitter.do
        place = emit(f"getelementptr inbounds i64, ptr {BLOCK}, i64 {self.count}")
        do(f"{name} = load {words.partition(' ')[0]}, ptr {place}")
        self.count += 1
        return name


def _scalar_argument(emitter: Emitter, name: str, type_: Attribute) -> str:
    """Take a scalar out of the low bits of a 64-bit integer."""
    text = spell_type(type_)
    bits = 16 if text == "half" else 32 if text == "float" else 64
    if text[0] == "i":
        return name if text == "i64" else emitter.emit(f"trunc i64 {name} to {text}")
    if bits < 64:
        name = emitter.emit(f"trunc i64 {name} to i{bits}")
    return emitter.emit(f"bitcast i{bits} {name} to {text}")


def _flatten(lines: Lines, into: list[str]) -> None:
    for line in lines:
        if isinstance(line, str):
            into.append(line)
        else:
            _flatten(line, into)
