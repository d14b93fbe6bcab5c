"""How do loops, branches and faults look in LLVM's text?"""

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.attributes.faults import FAULTS
from ....dialects.kernel.lanes import AnyOp
from ....dialects.kernel.memory import BarrierOp, CheckOp
from ....dialects.kernel.registers import ClearRegistersOp
from ....dialects.kernel.scheduled import ForOp, IfOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import is_vector, lanes_of
from .access import end_memory
from .emitter import STATUS, Emit, Emitter, Lines, Scope
from .spelling import spell_type


def emit_loop(
    emitter: Emitter,
    index: SSAValue,
    bounds: tuple[str, str, str],
    body: Callable[[], Sequence[str]],
    carried: Sequence[SSAValue] = (),
    inits: Sequence[str] = (),
) -> list[str]:
    """Emit a counted loop with carried values; return the names of their last values.

    The test stands at the bottom, behind a test at the top, so that a simple body is one basic
    block and invariant code stands in front of both. `body` emits the inside and returns the names
    of the next carried values.
    """
    start, stop, step = bounds
    number = emitter.fresh()
    inside, done = f"loop{number}", f"done{number}"
    before: Lines = []
    emitter.lines.append(before)
    emitter.do(f"%any{number} = icmp slt i64 {start}, {stop}")
    emitter.do(f"br i1 %any{number}, label %{inside}, label %{done}")
    entry = emitter.block
    scope = Scope(before)
    emitter.loops.append(scope)
    emitter.scopes.append(scope)
    emitter.label(inside)
    phis: Lines = []
    emitter.lines.append(phis)
    names = [f"%i{number}.", *(f"%c{number}.{position}" for position in range(len(inits)))]
    for name, value in zip(names, (index, *carried), strict=True):
        emitter.depths[name] = len(emitter.loops) - 1
        emitter.names[value] = name
    yielded = body()
    end_memory(emitter, scope)
    latch = emitter.block
    emitter.do(f"%n{number} = add nsw i64 {names[0]}, {step}")
    emitter.do(f"%more{number} = icmp slt i64 %n{number}, {stop}")
    emitter.do(f"br i1 %more{number}, label %{inside}, label %{done}")
    phis.append(f"  {names[0]} = phi i64 [{start}, %{entry}], [%n{number}, %{latch}]")
    emitter.loops.pop()
    emitter.scopes.pop()
    emitter.label(done)
    results: list[str] = []
    for value, name, first, after in zip(carried, names[1:], inits, yielded, strict=True):
        sources = f"{spell_type(value.type)} [{first}, %{entry}], [{after}, %{latch}]"
        phis.append(f"  {name} = phi {sources}")
        results.append(emitter.emit(f"phi {sources}"))
    return results


def emit_for(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.for`."""
    assert isinstance(op, ForOp)
    names = emitter.names
    block = op.block
    start, stop, step, *inits = [names[operand] for operand in op.operands]
    index, *carried = block.args

    def body() -> list[str]:
        return [names[operand] for operand in emitter.body(block).operands]

    results = emit_loop(emitter, index, (start, stop, step), body, carried, inits)
    for result, name in zip(op.results, results, strict=True):
        names[result] = name


def emit_parallel(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.parallel` as a nest of loops, in index order."""
    assert isinstance(op, ParallelOp)
    block = op.block
    extents = [emitter.names[extent] for extent in op.operands]

    def nest(dimension: int) -> Sequence[str]:
        if dimension == len(extents):
            emitter.body(block)
        else:
            bounds = ("0", extents[dimension], "1")
            emit_loop(emitter, block.args[dimension], bounds, lambda: nest(dimension + 1))
        return ()

    nest(0)


def emit_if(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.if`."""
    assert isinstance(op, IfOp)
    number = emitter.fresh()
    then, otherwise, done = f"then{number}", f"else{number}", f"end{number}"
    has_else = len(op.regions) == 2
    condition = emitter.names[op.operands[0]]
    weights = ", !prof !0" if isinstance(op.condition.owner, AnyOp) else ""  # it is rare
    to = f"label %{then}, label %{otherwise if has_else else done}"
    emitter.do(f"br i1 {condition}, {to}{weights}")
    arms: list[tuple[str, list[str]]] = []
    for name, region in zip((then, otherwise), op.regions, strict=False):
        emitter.label(name)
        scope = Scope(emitter.lines)
        emitter.scopes.append(scope)
        last = emitter.body(region.blocks[0])
        end_memory(emitter, scope)
        emitter.scopes.pop()
        emitter.do(f"br label %{done}")
        arms.append((emitter.block, [emitter.names[operand] for operand in last.operands]))
    emitter.label(done)
    for position, result in enumerate(op.results):
        sources = ", ".join(f"[{values[position]}, %{block}]" for block, values in arms)
        emitter.names[result] = emitter.emit(f"phi {spell_type(result.type)} {sources}")


def emit_check(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.check`: a branch that writes the status word unless it is written already."""
    assert isinstance(op, CheckOp)
    bad = emitter.names[op.operands[0]]
    type_ = op.operands[0].type
    bits = ""
    if is_vector(type_):
        text, lanes = spell_type(type_), lanes_of(type_)
        if op.mask is not None:
            bad = emitter.emit(f"and {text} {bad}, {emitter.names[op.mask]}")
        bits = emitter.emit(f"bitcast {text} {bad} to i{lanes}")
        bad = emitter.emit(f"icmp ne i{lanes} {bits}, 0")
    number = emitter.fresh()
    fault, first, done = f"fault{number}", f"first{number}", f"fine{number}"
    code = FAULTS.index(op.code.data) + 1
    emitter.do(f"br i1 {bad}, label %{fault}, label %{done}, !prof !0")
    emitter.label(fault)
    known = emitter.emit(f"load i32, ptr {STATUS}, align 4")
    is_first = emitter.emit(f"icmp eq i32 {known}, 0")
    emitter.do(f"br i1 {is_first}, label %{first}, label %{done}")
    emitter.label(first)
    emitter.do(f"store i32 {code}, ptr {STATUS}, align 4")
    where = emitter.emit(f"getelementptr inbounds i32, ptr {STATUS}, i64 1")
    emitter.do(f"store i32 {op.position.value.data}, ptr {where}, align 4")
    _emit_details(emitter, op, bits)
    emitter.do(f"br label %{done}")
    emitter.label(done)


def _emit_details(emitter: Emitter, op: CheckOp, bits: str) -> None:
    """Store the numbers of a fault behind its position; `bits` has one bit for each bad lane."""
    lane = ""
    for number, detail in enumerate(op.details):
        value, type_ = emitter.names[detail], detail.type
        if is_vector(type_):
            lanes = lanes_of(type_)
            if not lane:
                symbol = f"llvm.cttz.i{lanes}"
                emitter.declarations.add(f"declare i{lanes} @{symbol}(i{lanes}, i1)")
                lane = emitter.emit(f"call i{lanes} @{symbol}(i{lanes} {bits}, i1 true)")
            value = emitter.emit(f"extractelement {spell_type(type_)} {value}, i{lanes} {lane}")
        where = emitter.emit(f"getelementptr inbounds i64, ptr {STATUS}, i64 {number + 1}")
        emitter.do(f"store i64 {value}, ptr {where}, align 4")


def emit_nothing(_emitter: Emitter, _op: Operation) -> None:
    """Emit nothing: one thread runs a whole work-group."""


def emit_clear_registers(emitter: Emitter, _op: Operation) -> None:
    """Emit `kernel.clear_registers`: an instruction that is none, but writes to all of them."""
    registers = ",".join(f"~{{{name}}}" for name in emitter.target.vector_registers)
    emitter.do(f'call void asm sideeffect "", "{registers}"() nounwind')


CONTROL: dict[type[Operation], Emit] = {
    ForOp: emit_for,
    ParallelOp: emit_parallel,
    IfOp: emit_if,
    CheckOp: emit_check,
    BarrierOp: emit_nothing,
    ClearRegistersOp: emit_clear_registers,
}
