"""How does a traced function end? With its results, and with what it has written to arguments."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region, SSAValue

from ...dialects.tri.sizes import describe_sizes
from ...dialects.tri.writing import WriteOp
from .buffers import memory_of
from .constants import digest_of
from .locations import user_attribute
from .not_traceable import NotTraceable
from .proxies import Proxy
from .tracer import Trace


def finished(trace: Trace, results: Sequence[Proxy]) -> ModuleOp:
    """End the function of a trace and return the module that holds it."""
    values = [_returned(trace, result) for result in results]
    _write_back(trace)
    _check_borrowed(trace, values)
    block = trace.block
    block.add_op(ReturnOp.create(operands=values))
    if trace.sparse:
        _drop_unread_parts(block)
    types = [argument.type for argument in block.args], [value.type for value in values]
    func = FuncOp(trace.name, types, Region(block))
    if trace.env is not None:
        sized = trace.env.scalars.items()
        places = {block.args.index(trace.scalars[number].value): size for number, size in sized}
        describe_sizes(func, trace.env, places)
    return ModuleOp([func])


def _drop_unread_parts(block: Block) -> None:
    """Drop what takes sparse tensors apart of which nobody reads indices or values."""
    for op in list(block.ops):
        if op.name == "tri.disassemble" and not any(result.uses for result in op.results):
            block.erase_op(op)


def _returned(trace: Trace, result: Proxy) -> SSAValue:
    """Return the value of a result; one in the memory of an argument stays a view of it."""
    buffer = result.buffer
    if buffer is not None and buffer.follows is not None:
        raise NotTraceable("a part that a 0-dim index tensor names is a view where it is given")
    if buffer is None or not buffer.writes:
        return result.value
    is_argument = isinstance(buffer.origin, BlockArgument)
    whole = buffer.first_value(trace) if is_argument else buffer.whole_value(trace)
    return buffer.view_of(whole, result.path, trace)


def _write_back(trace: Trace) -> None:
    """Bring what was written to the arguments into their memory."""
    numbered = [
        (number, proxy.buffer)
        for number, proxy in enumerate(trace.arguments)
        if proxy.buffer is not None and proxy.buffer.writes
    ]
    trace.written = tuple(number for number, _ in numbered)
    written = [buffer for _, buffer in numbered]
    memories = {buffer.origin for buffer in written}
    pairs: list[tuple[SSAValue, SSAValue]] = []
    for buffer in written:
        for write in buffer.writes:
            value = write.value
            if memory_of(value) in memories:
                # It is a part of what the writes change: it must be read before them.
                value, _ = trace.emit("clone", [(value, write.spec)])
            target = buffer.view_of(buffer.first_value(trace), write.path, trace)
            pairs.append((value, target))
    for value, target in pairs:
        trace.block.add_op(WriteOp.make(value, target, user_attribute()))


def _check_borrowed(trace: Trace, values: Sequence[SSAValue]) -> None:
    """Refuse what would be another function if the arrays it uses were made anew."""
    if trace.is_disturbed:
        raise NotTraceable("a finalizer or a handler of signals met a tensor of the function")
    for value in values:
        trace.refuse_borrowed(memory_of(value), "returns")
    for tensor, digest in trace.borrowed.values():
        if digest_of(tensor) != digest:
            raise NotTraceable(
                "an array was changed while a function that uses it was traced",
                hint="use tensors instead",
            )
