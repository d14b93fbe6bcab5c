"""How do loops, branches, work items and faults look in OpenCL C?"""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ....dialects.attributes.faults import FAULTS
from ....dialects.kernel.memory import DETAILS, BarrierOp, CheckOp
from ....dialects.kernel.registers import ClearRegistersOp
from ....dialects.kernel.scheduled import AS_LANES, AS_SCALARS, AS_WIDE_LANES, ForOp, IfOp
from ....dialects.kernel.structured import ParallelOp
from .emitter import STATUS, Emit, Emitter
from .geometry import group_size, is_grid
from .preamble import CLEAR_REGISTERS


def _declare(emitter: Emitter, values: Sequence[SSAValue], inits: Sequence[str] = ()) -> list[str]:
    """Declare a variable for each value."""
    names: list[str] = []
    for number, value in enumerate(values):
        name = emitter.fresh("c")
        start = f" = {inits[number]}" if inits else ""
        emitter.do(f"{emitter.type(value.type)} {name}{start};")
        names.append(name)
    return names


def _assign(emitter: Emitter, targets: Sequence[str], op: Operation) -> None:
    """Give variables the yielded values, all at once."""
    sources = [emitter.names[operand] for operand in op.operands]
    for number, source in enumerate(sources):
        if source in targets and source != targets[number]:
            copy = emitter.fresh()
            emitter.do(f"const {emitter.type(op.operands[number].type)} {copy} = {source};")
            sources[number] = copy
    for target, source in zip(targets, sources, strict=True):
        if target != source:
            emitter.do(f"{target} = {source};")


def emit_for(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.for`; the values that it carries are variables in front of it."""
    assert isinstance(op, ForOp)
    start, stop, step, *inits = [emitter.names[operand] for operand in op.operands]
    index, *carried = op.block.args
    variables = _declare(emitter, carried, inits)
    name = emitter.names[index] = emitter.fresh("i")
    emitter.names.update(zip(carried, variables, strict=True))
    emitter.names.update(zip(op.results, variables, strict=True))
    _hint(emitter, op)
    emitter.open(f"for (long {name} = {start}; {name} < {stop}; {name} += {step})")
    _assign(emitter, variables, emitter.body(op.block))
    emitter.close()


def _hint(emitter: Emitter, op: ForOp) -> None:
    """Tell how many iterations may be one vector, where clang would choose badly."""
    lanes, wide = op.attributes.get(AS_LANES), op.attributes.get(AS_WIDE_LANES)
    if emitter.is_grouped:
        # A GPU has no vectors; unrolled, the array of the lanes is registers.
        if lanes is not None:
            emitter.do("#pragma unroll")
    elif isinstance(lanes, IntegerAttr):
        # Left alone, clang keeps one vector in flight: sums of 4M floats 0.46 -> 0.37 ms.
        emitter.has_hints = True
        emitter.do(f"#pragma clang loop vectorize_width({lanes.value.data})")
    elif isinstance(wide, IntegerAttr):
        # Clang keeps to 256 bits where the CPU has 512: tanh(2x+y)*exp(-y*y)+x 4.5 -> 3.3 ms.
        emitter.has_hints = True
        emitter.do("#ifdef __AVX512F__")
        emitter.do(f"#pragma clang loop vectorize_width({wide.value.data})")
        emitter.do("#endif")
    elif AS_SCALARS in op.attributes:
        emitter.has_hints = True
        emitter.do("#pragma clang loop vectorize(disable)")


def emit_parallel(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.parallel`: work items, groups of them, or loops in index order."""
    assert isinstance(op, ParallelOp)
    if is_grid(op):
        emitter.is_grouped = emitter.is_grouped or group_size(op) > 1
        if emitter.item:
            emitter.names[op.indices[0]] = emitter.item
            emitter.body(op.block)
        elif op.is_grid("groups"):
            _emit_groups(emitter, op)
        else:
            _emit_items(emitter, op)
        return
    for index, extent in zip(op.indices, op.operands, strict=True):
        name = emitter.names[index] = emitter.fresh("i")
        emitter.open(f"for (long {name} = 0; {name} < {emitter.names[extent]}; {name} += 1)")
    emitter.body(op.block)
    for _ in op.indices:
        emitter.close()


def _emit_items(emitter: Emitter, op: ParallelOp) -> None:
    """Find the indices of this work item; the last one changes fastest."""
    extents = [emitter.names[extent] for extent in op.operands]
    item = emitter.fresh("i")
    emitter.do(f"const long {item} = (long)get_global_id(0);")
    emitter.open(f"if ({item} < {' * '.join(extents) or '1'})")
    _emit_indices(emitter, op, item)
    emitter.body(op.block)
    emitter.close()


def _emit_groups(emitter: Emitter, op: ParallelOp) -> None:
    """Find the indices of this work-group; there are none to spare, so no item leaves early."""
    group, emitter.item = emitter.fresh("i"), emitter.fresh("i")
    emitter.do(f"const long {group} = (long)get_group_id(0);")
    emitter.do(f"const long {emitter.item} = (long)get_local_id(0);")
    _emit_indices(emitter, op, group)
    emitter.body(op.block)


def _emit_indices(emitter: Emitter, op: ParallelOp, rest: str) -> None:
    """Take a row-major number apart."""
    extents = [emitter.names[extent] for extent in op.operands]
    for number in reversed(range(len(extents))):
        name = rest
        if number:
            name, left = emitter.fresh("i"), emitter.fresh("i")
            size = extents[number]
            emitter.do(f"const long {left} = {emitter.quotient(rest, size)};")
            emitter.do(f"const long {name} = {rest} - {left} * {size};")
            rest = left
        emitter.names[op.indices[number]] = name


def emit_if(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.if`; its results are variables in front of it."""
    assert isinstance(op, IfOp)
    variables = _declare(emitter, op.results)
    emitter.names.update(zip(op.results, variables, strict=True))
    emitter.open(f"if ({emitter.names[op.condition]})")
    for number, region in enumerate(op.regions):
        if number:
            emitter.otherwise()
        _assign(emitter, variables, emitter.body(region.blocks[0]))
    emitter.close()


def emit_check(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.check`: the first fault of a launch is kept."""
    assert isinstance(op, CheckOp)
    details = [emitter.names[detail] for detail in op.details]
    details += ["0"] * (DETAILS - len(details))
    code = FAULTS.index(op.code.data) + 1
    call = emitter.call("tri_fault", STATUS, str(code), str(op.position.value.data), *details)
    emitter.do(f"if ({emitter.names[op.bad]}) {call};")


def emit_barrier(emitter: Emitter, _op: Operation) -> None:
    """Emit `kernel.barrier`; items hand one another nothing but memory of their group."""
    emitter.do("barrier(CLK_LOCAL_MEM_FENCE);")


def emit_clear_registers(emitter: Emitter, _op: Operation) -> None:
    """Emit `kernel.clear_registers`, for what compiler can be told so."""
    emitter.used.add(CLEAR_REGISTERS)
    emitter.do(f"{CLEAR_REGISTERS};")


CONTROL: dict[type[Operation], Emit] = {
    ForOp: emit_for,
    ParallelOp: emit_parallel,
    IfOp: emit_if,
    CheckOp: emit_check,
    BarrierOp: emit_barrier,
    ClearRegistersOp: emit_clear_registers,
}
