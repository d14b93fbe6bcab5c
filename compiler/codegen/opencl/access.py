"""How do loads, stores and fast memory look in OpenCL C?"""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.lines import LINE, InLineOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.prefetch import CACHES, PrefetchOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.types import (
    LOCAL,
    PRIVATE,
    BufferType,
    buffer_type_of,
    is_vector,
    lanes_of,
)
from ..index_parts import parts_of_index
from .emitter import Emit, Emitter
from .preamble import lane_access


def _element(
    emitter: Emitter,
    buffer: SSAValue,
    indices: Sequence[SSAValue],
    *,
    takes_sums_apart: bool = False,
) -> str:
    """Return `buffer[sum(index * stride)]`, or `(buffer + outer)[inner]` of a sum over a loop."""
    steps: list[str] = []
    changing: list[str] = []
    for index, stride in zip(indices, emitter.strides[buffer], strict=True):
        parts: Sequence[SSAValue] = (index,)
        if takes_sums_apart and stride == "1L":
            parts = parts_of_index(index)
        name, *others = [emitter.names[part] for part in parts]
        changing += others
        if stride == "0L" or name == "0L":
            continue
        steps.append(name if stride == "1L" else f"{name} * {stride}")
    first, place = emitter.buffers[buffer], " + ".join(steps) or "0"
    return f"({first} + {place})[{' + '.join(changing)}]" if changing else f"{first}[{place}]"


def emit_load(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.load`."""
    assert isinstance(op, LoadOp)
    type_ = op.results[0].type
    if not is_vector(type_):
        emitter.set(op, _element(emitter, op.buffer, op.indices, takes_sums_apart=True))
        return
    place = _element(emitter, op.buffer, op.indices)
    if op.masked_value:
        raise UnsuitableIr(f"{op.name}: lanes beyond a mask hold 0 in OpenCL C", op)
    step, lanes = _step(emitter, op), lanes_of(type_)
    if op.mask is None and step == "1L":
        emitter.set(op, f"vload{lanes}(0, &{place})")
        return
    count = f"{lanes}" if op.mask is None else emitter.names[op.mask]
    function = lane_access("get", emitter.type(type_), _is_private(op.buffer))
    emitter.set(op, emitter.call(function, f"&{place}", step, count))


def emit_store(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.store`."""
    assert isinstance(op, StoreOp)
    place, value = _element(emitter, op.buffer, op.indices), emitter.names[op.value]
    type_ = op.value.type
    if not is_vector(type_):
        emitter.do(f"{place} = {value};")
        return
    step, lanes = _step(emitter, op), lanes_of(type_)
    if op.mask is None and step == "1L":
        emitter.do(f"vstore{lanes}({value}, 0, &{place});")
        return
    count = f"{lanes}" if op.mask is None else emitter.names[op.mask]
    function = lane_access("put", emitter.type(type_), _is_private(op.buffer))
    emitter.do(emitter.call(function, value, f"&{place}", step, count) + ";")


def _step(emitter: Emitter, op: LoadOp | StoreOp) -> str:
    """Return how far lanes are from one another, which follow one another in a dimension."""
    if any(is_vector(index.type) for index in op.indices):
        raise UnsuitableIr(f"{op.name} of lanes anywhere in a kernel for OpenCL", op)
    return emitter.strides[op.buffer][op.lanes_along]


def _is_private(buffer: SSAValue) -> bool:
    type_ = buffer_type_of(buffer)
    if type_.space == LOCAL:
        raise UnsuitableIr("vectors of local memory in a kernel for OpenCL")
    return type_.space == PRIVATE


def _is_of_vectors(buffer: SSAValue) -> bool:
    """Whether vectors are stored in a memory."""
    users = [use.operation for use in buffer.uses]
    return any(isinstance(user, StoreOp) and is_vector(user.value.type) for user in users)


def emit_alloc(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.alloc`: an array of an item until its block ends, or one of the group."""
    assert isinstance(op, AllocOp)
    result = op.results[0]
    type_ = result.type
    assert isinstance(type_, BufferType)
    is_private = type_.space == PRIVATE
    name = emitter.buffers[result] = emitter.fresh("a" if is_private else "s")
    emitter.strides[result] = [f"{stride}L" for stride in type_.strides]
    declaration = f"{emitter.type(type_.element)} {name}[{op.extent}]"
    if is_private:
        # A vector that begins anywhere lies in two lines of a cache.
        aligned = " __attribute__((aligned(64)))" if _is_of_vectors(result) else ""
        emitter.do(f"{declaration}{aligned};")
    elif emitter.item:
        emitter.locals.append(f"  __local {declaration};")
    else:
        raise UnsuitableIr("kernel.alloc of local memory outside of kernel.parallel groups")


def emit_prefetch(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.prefetch`; clang counts caches from the memory to the nearest."""
    assert isinstance(op, PrefetchOp)
    kept = len(CACHES) + 2 - op.cache.value.data
    place = f"&{_element(emitter, op.buffer, op.indices)}"
    emitter.do(emitter.call("TRI_PREFETCH", place, f"{kept}") + ";")


def emit_stride(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.stride`, which is an argument or a constant."""
    assert isinstance(op, StrideOp)
    emitter.names[op.results[0]] = emitter.strides[op.buffer][op.dimension]


def emit_in_line(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.in_line`."""
    assert isinstance(op, InLineOp)
    place = _element(emitter, op.buffer, op.indices)
    emitter.set(op, f"(long)((ulong)&{place} & {LINE - 1})")


ACCESS: dict[type[Operation], Emit] = {
    LoadOp: emit_load,
    StoreOp: emit_store,
    AllocOp: emit_alloc,
    PrefetchOp: emit_prefetch,
    StrideOp: emit_stride,
    InLineOp: emit_in_line,
}
