"""How do loads, stores and stack memory look in LLVM's text?

An address is the buffer's first element plus one step per dimension, the outermost loops first, so
that all but the last step is computed in front of the inner loop; where one element is loaded, a
sum over a loop is two steps (`index_parts.py`). A vector access is contiguous (stride 1), that in
reverse (stride -1), a splat (stride 0) or one access per lane.

Nothing is known of where memory of the caller begins: NumPy calls a complex128 at a multiple of 8
aligned, and `frombuffer` takes any byte. So accesses to it claim no alignment, which costs nothing
where the address happens to be aligned (the machine code of AVX is the same but for its 128-bit
integers); only memory of the kernel's own has that of its elements.
"""

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.lines import LINE, InLineOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.prefetch import CACHES, PrefetchOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.types import (
    GLOBAL,
    PRIVATE,
    BufferType,
    buffer_type_of,
    element_of,
    i1,
    is_vector,
    lanes_of,
)
from ..index_parts import parts_of_index
from .emitter import Emit, Emitter, Scope
from .spelling import size_of, spell_suffix, spell_type


def _element_text(buffer: SSAValue) -> tuple[str, int]:
    """Return the type text of an element in memory, and the alignment that is certain."""
    type_ = buffer_type_of(buffer)
    element = type_.element
    if element == i1:
        raise UnsuitableIr("no memory of i1: kernel-legalize-dtypes must run before")
    return spell_type(element), 1 if type_.space == GLOBAL else size_of(element)


def _scaled(emitter: Emitter, index: str, stride: str) -> str | None:
    """Return `index * stride`, None if it is known to be zero."""
    if stride == "0" or index == "0":
        return None
    if stride == "1":
        return index
    if index == "1":
        return stride
    return emitter.pure(f"mul nsw i64 {index}, {stride}", index, stride)


def address(
    emitter: Emitter,
    buffer: SSAValue,
    indices: Sequence[SSAValue],
    *,
    takes_sums_apart: bool = False,
) -> str:
    """Return the pointer to `buffer[indices]`; vector indices count as zero."""
    names, depths = emitter.names, emitter.depths
    strides = emitter.strides[buffer]
    steps: list[str] = []
    is_inside = True
    for index, stride in zip(indices, strides, strict=True):
        if is_vector(index.type):
            continue
        parts: Sequence[SSAValue] = (index,)
        if takes_sums_apart and stride == "1":
            parts = parts_of_index(index)
            is_inside &= len(parts) == 1  # one part alone may lead anywhere
        scaled = [_scaled(emitter, names[part], stride) for part in parts]
        steps += [step for step in scaled if step is not None]
    if len(steps) > 1:
        steps.sort(key=lambda step: depths.get(step, 0))
    pointer = emitter.buffers[buffer]
    text = _element_text(buffer)[0]
    word = "getelementptr inbounds" if is_inside else "getelementptr"
    for step in steps:
        instruction = f"{word} {text}, ptr {pointer}, i64 {step}"
        pointer = emitter.pure(instruction, pointer, step)
    return pointer


def _lane_ids(lanes: int) -> str:
    return f"<{', '.join([f'i64 {lane}' for lane in range(lanes)])}>"


def _pointers(
    emitter: Emitter, buffer: SSAValue, indices: Sequence[SSAValue], along: int, lanes: int
) -> str:
    """Return a vector of pointers, one per lane."""
    names, strides = emitter.names, emitter.strides[buffer]
    vector = f"<{lanes} x i64>"
    offsets: list[str] = []
    for index, stride in zip(indices, strides, strict=True):
        if is_vector(index.type):
            offsets.append(_scaled_lanes(emitter, names[index], stride, lanes))
    if not offsets:
        offsets.append(_scaled_lanes(emitter, _lane_ids(lanes), strides[along], lanes))
    total = offsets[0]
    for offset in offsets[1:]:
        total = emitter.pure(f"add nsw {vector} {total}, {offset}", total, offset)
    pointer = address(emitter, buffer, indices)
    text = _element_text(buffer)[0]
    instruction = f"getelementptr inbounds {text}, ptr {pointer}, {vector} {total}"
    return emitter.pure(instruction, pointer, total)


def _scaled_lanes(emitter: Emitter, value: str, stride: str, lanes: int) -> str:
    if stride == "1":
        return value
    factor = emitter.splat("i64", stride, lanes)
    return emitter.pure(f"mul nsw <{lanes} x i64> {value}, {factor}", value, factor)


def _has_vector_index(indices: Sequence[SSAValue]) -> bool:
    return any(is_vector(index.type) for index in indices)


def emit_load(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.load`."""
    assert isinstance(op, LoadOp)
    buffer, indices, type_ = op.buffer, op.indices, op.results[0].type
    text, align = _element_text(buffer)
    if not is_vector(type_):
        pointer = address(emitter, buffer, indices, takes_sums_apart=True)
        emitter.set(op, f"load {text}, ptr {pointer}, align {align}")
        return
    along = op.lanes_along
    vector = spell_type(type_)
    stride = emitter.strides[buffer][along] if emitter.strides[buffer] else "0"
    per_lane = _has_vector_index(indices)
    if op.mask is not None:
        emitter.names[op.results[0]] = _masked_load(emitter, op, type_, stride, per_lane)
    elif per_lane:
        pointers = _pointers(emitter, buffer, indices, along, lanes_of(type_))
        emitter.names[op.results[0]] = _scattered_load(emitter, type_, pointers, align)
    elif stride == "1":
        pointer = address(emitter, buffer, indices)
        emitter.set(op, f"load {vector}, ptr {pointer}, align {align}")
    elif stride == "-1":
        pointer = _last_lane(emitter, type_, address(emitter, buffer, indices))
        value = emitter.emit(f"load {vector}, ptr {pointer}, align {align}")
        emitter.names[op.results[0]] = _reversed(emitter, vector, value, lanes_of(type_))
    elif stride == "0":
        pointer = address(emitter, buffer, indices)
        value = emitter.emit(f"load {text}, ptr {pointer}, align {align}")
        emitter.names[op.results[0]] = emitter.splat(text, value, lanes_of(type_))
    else:
        pointer = address(emitter, buffer, indices)
        emitter.names[op.results[0]] = _strided_load(emitter, type_, pointer, stride, align)


def _last_lane(emitter: Emitter, type_: Attribute, pointer: str) -> str:
    """Return where the last lane lies, which is first in memory that is walked backwards."""
    text, last = spell_type(element_of(type_)), lanes_of(type_) - 1
    return emitter.pure(f"getelementptr inbounds {text}, ptr {pointer}, i64 -{last}", pointer)


def _reversed(emitter: Emitter, vector: str, value: str, lanes: int) -> str:
    """Return a vector with the last lane first."""
    order = ", ".join(f"i32 {lane}" for lane in reversed(range(lanes)))
    shuffle = f"shufflevector {vector} {value}, {vector} poison, <{lanes} x i32> <{order}>"
    return emitter.pure(shuffle, value)


def _strided_load(emitter: Emitter, type_: Attribute, pointer: str, stride: str, align: int) -> str:
    """Load lane by lane: faster than a hardware gather, which no CPU here does well."""
    text, vector = spell_type(element_of(type_)), spell_type(type_)
    result = "poison"
    for lane in range(lanes_of(type_)):
        if lane:
            pointer = emitter.emit(f"getelementptr inbounds {text}, ptr {pointer}, i64 {stride}")
        value = emitter.emit(f"load {text}, ptr {pointer}, align {align}")
        result = emitter.emit(f"insertelement {vector} {result}, {text} {value}, i64 {lane}")
    return result


def _scattered_load(emitter: Emitter, type_: Attribute, pointers: str, align: int) -> str:
    """Load lane by lane, each from a pointer of its own."""
    text, vector, lanes = spell_type(element_of(type_)), spell_type(type_), lanes_of(type_)
    result = "poison"
    for lane in range(lanes):
        pointer = emitter.emit(f"extractelement <{lanes} x ptr> {pointers}, i64 {lane}")
        value = emitter.emit(f"load {text}, ptr {pointer}, align {align}")
        result = emitter.emit(f"insertelement {vector} {result}, {text} {value}, i64 {lane}")
    return result


def _gather(
    emitter: Emitter, type_: Attribute, pointers: str, align: int, mask: str, other: str
) -> str:
    lanes, vector = lanes_of(type_), spell_type(type_)
    symbol = f"llvm.masked.gather.{spell_suffix(type_)}.v{lanes}p0"
    bits = f"<{lanes} x i1>"
    emitter.declarations.add(f"declare {vector} @{symbol}(<{lanes} x ptr>, {bits}, {vector})")
    return emitter.emit(
        f"call {vector} @{symbol}(<{lanes} x ptr> align {align} {pointers}, "
        f"{bits} {mask}, {vector} {other})"
    )


def _masked_load(
    emitter: Emitter, op: LoadOp, type_: Attribute, stride: str, per_lane: bool
) -> str:
    """Load the lanes of a mask; the others get the value that the op names."""
    assert op.mask is not None
    buffer, indices, lanes = op.buffer, op.indices, lanes_of(type_)
    text, align = _element_text(buffer)
    vector, bits = spell_type(type_), f"<{lanes} x i1>"
    mask = emitter.names[op.mask]
    other = _other(op.masked_value, type_)
    if per_lane or stride not in ("-1", "0", "1"):
        pointers = _pointers(emitter, buffer, indices, op.lanes_along, lanes)
        return _gather(emitter, type_, pointers, align, mask, other)
    pointer = address(emitter, buffer, indices)
    if stride == "0":
        # With no lane set nothing may be read: read a zero of our own instead.
        flags = emitter.pure(f"bitcast {bits} {mask} to i{lanes}", mask)
        some = emitter.pure(f"icmp ne i{lanes} {flags}, 0", flags)
        safe = emitter.emit(f"select i1 {some}, ptr {pointer}, ptr {_zero(emitter)}")
        value = emitter.emit(f"load {text}, ptr {safe}, align {align}")
        value = emitter.splat(text, value, lanes)
        return emitter.emit(f"select {bits} {mask}, {vector} {value}, {vector} {other}")
    if stride == "-1":
        pointer = _last_lane(emitter, type_, pointer)
        mask = _reversed(emitter, bits, mask, lanes)
    symbol = f"llvm.masked.load.{spell_suffix(type_)}.p0"
    emitter.declarations.add(f"declare {vector} @{symbol}(ptr, {bits}, {vector})")
    arguments = f"ptr align {align} {pointer}, {bits} {mask}, {vector} {other}"
    found = emitter.emit(f"call {vector} @{symbol}({arguments})")
    return _reversed(emitter, vector, found, lanes) if stride == "-1" else found


def _other(value: int, type_: Attribute) -> str:
    text = spell_type(element_of(type_))
    if value == 0:
        return "zeroinitializer"
    return f"splat ({text} {'1' if text[0] == 'i' else '1.0'})"


def _zero(emitter: Emitter) -> str:
    """Return a pointer to as many readable zero bytes as the widest element has."""
    name = "%zero"
    if name not in emitter.depths:
        emitter.depths[name] = 0
        entry = emitter.loops[0].lines
        entry[:0] = [f"  {name} = alloca i128, align 8", f"  store i128 0, ptr {name}, align 8"]
    return name


def emit_store(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.store`."""
    assert isinstance(op, StoreOp)
    buffer, indices, type_ = op.buffer, op.indices, op.operands[0].type
    value = emitter.names[op.operands[0]]
    text, align = _element_text(buffer)
    if not is_vector(type_):
        pointer = address(emitter, buffer, indices)
        emitter.do(f"store {text} {value}, ptr {pointer}, align {align}")
        return
    along, lanes, vector = op.lanes_along, lanes_of(type_), spell_type(type_)
    stride = emitter.strides[buffer][along]
    per_lane = _has_vector_index(indices)
    mask = "" if op.mask is None else emitter.names[op.mask]
    if stride == "0" and not per_lane:
        raise UnsuitableIr("kernel.store of a vector along stride 0: the lanes would race")
    if stride in ("1", "-1") and not per_lane:
        pointer = address(emitter, buffer, indices)
        if op.is_past_caches:
            _store_past_caches(emitter, type_, value, pointer)
            return
        if stride == "-1":
            pointer = _last_lane(emitter, type_, pointer)
            value = _reversed(emitter, vector, value, lanes)
            mask = mask and _reversed(emitter, f"<{lanes} x i1>", mask, lanes)
        if not mask:
            emitter.do(f"store {vector} {value}, ptr {pointer}, align {align}")
            return
        symbol = f"llvm.masked.store.{spell_suffix(type_)}.p0"
        emitter.declarations.add(f"declare void @{symbol}({vector}, ptr, <{lanes} x i1>)")
        emitter.do(
            f"call void @{symbol}({vector} {value}, ptr align {align} {pointer}, "
            f"<{lanes} x i1> {mask})"
        )
    elif mask:
        pointers = _pointers(emitter, buffer, indices, along, lanes)
        _scatter(emitter, type_, value, pointers, align, mask)
    elif per_lane:
        pointers = _pointers(emitter, buffer, indices, along, lanes)
        for lane in range(lanes):
            pointer = emitter.emit(f"extractelement <{lanes} x ptr> {pointers}, i64 {lane}")
            one = emitter.emit(f"extractelement {vector} {value}, i64 {lane}")
            emitter.do(f"store {text} {one}, ptr {pointer}, align {align}")
    else:
        pointer = address(emitter, buffer, indices)
        _strided_store(emitter, type_, value, (pointer, stride, align))


def _store_past_caches(emitter: Emitter, type_: Attribute, value: str, pointer: str) -> None:
    """Store whole lines; whoever is told that the kernel has ended finds them in memory."""
    align = min(lanes_of(type_) * size_of(element_of(type_)), LINE)
    emitter.last.add("fence seq_cst")
    emitter.do(f"store {spell_type(type_)} {value}, ptr {pointer}, align {align}, !nontemporal !1")


def _scatter(
    emitter: Emitter, type_: Attribute, value: str, pointers: str, align: int, mask: str
) -> None:
    lanes, vector = lanes_of(type_), spell_type(type_)
    symbol = f"llvm.masked.scatter.{spell_suffix(type_)}.v{lanes}p0"
    bits = f"<{lanes} x i1>"
    emitter.declarations.add(f"declare void @{symbol}({vector}, <{lanes} x ptr>, {bits})")
    emitter.do(
        f"call void @{symbol}({vector} {value}, <{lanes} x ptr> align {align} {pointers}, "
        f"{bits} {mask})"
    )


def _strided_store(
    emitter: Emitter, type_: Attribute, value: str, where: tuple[str, str, int]
) -> None:
    pointer, stride, align = where
    text, vector = spell_type(element_of(type_)), spell_type(type_)
    for lane in range(lanes_of(type_)):
        if lane:
            pointer = emitter.emit(f"getelementptr inbounds {text}, ptr {pointer}, i64 {stride}")
        one = emitter.emit(f"extractelement {vector} {value}, i64 {lane}")
        emitter.do(f"store {text} {one}, ptr {pointer}, align {align}")


def emit_prefetch(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.prefetch`; LLVM counts caches from the memory to the nearest."""
    assert isinstance(op, PrefetchOp)
    pointer = address(emitter, op.buffer, op.indices)
    kept = len(CACHES) + 2 - op.cache.value.data
    emitter.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    emitter.do(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 0, i32 {kept}, i32 1)")


def emit_stride(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.stride`, which is an argument or a constant."""
    assert isinstance(op, StrideOp)
    emitter.names[op.results[0]] = emitter.strides[op.buffer][op.dimension]


def emit_in_line(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.in_line`.

    The instruction that makes an integer of a pointer would tell others of the memory, for all that
    LLVM knows, and weaken what `noalias` says.
    """
    assert isinstance(op, InLineOp)
    pointer = address(emitter, op.buffer, op.indices)
    number = emitter.emit(f'call i64 asm "", "=r,0"(ptr nocapture {pointer}) nounwind memory(none)')
    emitter.set(op, f"and i64 {number}, {LINE - 1}")


def emit_alloc(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.alloc`: stack memory, reserved once at the entry of the function.

    It begins here, and ends with the loop or branch: LLVM gives the same place to what is not there
    at the same time, such as the panels of two forms of a product.
    """
    assert isinstance(op, AllocOp)
    result = op.results[0]
    type_ = result.type
    assert isinstance(type_, BufferType)
    if type_.space != PRIVATE:
        raise UnsuitableIr("kernel.alloc of local memory: a CPU schedule uses private memory")
    name = f"%a{emitter.fresh()}"
    text = spell_type(type_.element)
    emitter.loops[0].lines.insert(0, f"  {name} = alloca [{op.extent} x {text}], align 64")
    emitter.scopes[-1].memory.append(name)
    _mark(emitter, "start", name)
    emitter.buffers[result] = name
    emitter.strides[result] = [str(stride) for stride in type_.strides]


def end_memory(emitter: Emitter, scope: Scope) -> None:
    """End the stack memory of a loop or branch, behind its body."""
    for name in scope.memory:
        _mark(emitter, "end", name)


def _mark(emitter: Emitter, word: str, name: str) -> None:
    """Say where memory begins or ends; newer versions of LLVM know its size, and take it, too."""
    emitter.declarations.add(f"declare void @llvm.lifetime.{word}.p0(i64, ptr)")
    emitter.do(f"call void @llvm.lifetime.{word}.p0(i64 -1, ptr {name})")


ACCESS: dict[type[Operation], Emit] = {
    LoadOp: emit_load,
    StoreOp: emit_store,
    AllocOp: emit_alloc,
    PrefetchOp: emit_prefetch,
    StrideOp: emit_stride,
    InLineOp: emit_in_line,
}
