"""How do loads, stores and fast memory look in OpenCL C?"""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.types import PRIVATE, BufferType
from .emitter import Emit, Emitter


def _element(emitter: Emitter, buffer: SSAValue, indices: Sequence[SSAValue]) -> str:
    """Return `buffer[sum(index * stride)]`."""
    steps: list[str] = []
    for index, stride in zip(indices, emitter.strides[buffer], strict=True):
        name = emitter.names[index]
        if stride == "0L" or name == "0L":
            continue
        steps.append(name if stride == "1L" else f"{name} * {stride}")
    return f"{emitter.buffers[buffer]}[{' + '.join(steps) or '0'}]"


def emit_load(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.load`."""
    assert isinstance(op, LoadOp)
    emitter.set(op, _element(emitter, op.buffer, op.indices))


def emit_store(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.store`."""
    assert isinstance(op, StoreOp)
    place = _element(emitter, op.buffer, op.indices)
    emitter.do(f"{place} = {emitter.names[op.value]};")


def emit_alloc(emitter: Emitter, op: Operation) -> None:
    """Emit `kernel.alloc`: an array of an item until its block ends, or one of the group."""
    assert isinstance(op, AllocOp)
    result = op.results[0]
    type_ = result.type
    assert isinstance(type_, BufferType)
    is_private = type_.space == PRIVATE
    name = emitter.buffers[result] = emitter.fresh("a" if is_private else "s")
    emitter.strides[result] = [f"{stride}L" for stride in type_.strides]
    declaration = f"{emitter.type(type_.element)} {name}[{op.extent}];"
    if is_private:
        emitter.do(declaration)
    elif emitter.item:
        emitter.locals.append(f"  __local {declaration}")
    else:
        raise UnsuitableIr("kernel.alloc of local memory outside of kernel.parallel groups")


ACCESS: dict[type[Operation], Emit] = {
    LoadOp: emit_load,
    StoreOp: emit_store,
    AllocOp: emit_alloc,
}
