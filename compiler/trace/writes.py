"""How does a traced program write? In-place methods, `out=` and `x[...] = y`, for a recorded row.

The row computes a value as always; here it is checked against the memory that it is to fill, and
becomes what that memory holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.ir import BlockArgument

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.promotion import can_cast
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...dialects.frames import warn_user
from ...dialects.ops.frame.indexed import RESULT_SHAPE, HostOp
from ...dialects.ops.frame.named_results import NamedResults
from ...dialects.ops.frame.opspec import ElementwiseOp
from ...dialects.ops.frame.row import OperandSpec, OpSpec
from ...dialects.ops.frame.rules import promote, real_result
from ...dialects.ops.frame.writing import OutRule
from ...dialects.ops.table import TABLE
from ...runtime.gradients.modes import set_grad
from ...runtime.tensors.overlap import (
    PARTIAL_OVERLAP,
    Overlap,
    has_internal_overlap,
    overlap_of_parts,
    refuse_internal_overlap,
)
from .buffers import Buffer, Window
from .layers import layer_of
from .not_traceable import NotTraceable
from .proxies import Proxy
from .row_operands import refuse_operand
from .tracer import Trace


def write(trace: Trace, target: Proxy, value: Proxy, *, is_known: bool = False) -> None:
    """Make a value, of a dtype that can be cast and a shape that fits, what `target` holds.

    `is_known` says that the value is another tensor of the program's.
    """
    if value.spec.device != target.spec.device:
        value = trace.call("transfer", value, target.spec.device)
    if value.spec.dtype is not target.spec.dtype:
        value = trace.call("cast", value, target.spec.dtype)
    if value.spec.shape != target.spec.shape:
        value = trace.call("expand", value, target.spec.shape)
    buffer = target.shared_buffer()
    if value.buffer is buffer and is_same_part(buffer, target, value):
        # The end of `x[0] += 1`: what was written in place is assigned to where it lies.
        return
    trace.refuse_borrowed(buffer.origin, "writes into")
    is_whole = not target.path and not isinstance(buffer.origin, BlockArgument)
    if is_whole and (is_known or value.buffer is not None):
        # The value becomes the memory, which must not be that of another tensor.
        value = trace.call("clone", value)
    buffer.write(target.path, value.value, value.spec, trace)


def is_same_part(buffer: Buffer, first: Proxy, second: Proxy) -> bool:
    """Whether two tensors of a memory are the same elements in the same order."""
    return Window.of(buffer.spec, first.path) == Window.of(buffer.spec, second.path)


def record_in_place(trace: Trace, row: OpSpec, bound: dict[str, Any]) -> Proxy:
    """Record a row and write its result into its first operand, which is returned."""
    layer = layer_of(bound.values())
    if layer is not None:
        return layer.call_in_place(trace.runner, row, (), bound)
    first = row.schema.parameters[0]
    target = _as_target(trace, row, bound, first.name)
    trace.check_numbers(row, bound)
    if row.writing.refuse is not None:
        row.writing.refuse(target.spec.dtype)
    if isinstance(row, HostOp) and row.write is not None:
        row.write(TracedWriting(trace), **{**bound, first.name: target})
        return target
    _refuse_overlap(trace, row, target, bound)
    bound = with_out_dtype(row, bound, target.spec)
    result = _applied(trace, row, {**bound, first.name: target}, target)
    if row.writing.refuse_result is not None:
        row.writing.refuse_result(result.spec.dtype, target.spec.dtype)
    check_cast(result.spec, target.spec)
    if result.spec.device != target.spec.device:
        raise TrilithRuntimeError(
            f"Tensor on device {result.spec.device} is not on the expected device "
            f"{target.spec.device}!"
        )
    if result.spec.shape != target.spec.shape:
        raise refuse_shape(target.spec, result.spec)
    if result is not target:
        write(trace, target, result, is_known=any(result is value for value in bound.values()))
    return target


def _refuse_overlap(trace: Trace, row: OpSpec, target: Proxy, bound: dict[str, Any]) -> None:
    """Refuse a target or operands whose memory overlaps, as eager calls do."""
    operands = {
        parameter.name: bound[parameter.name] if parameter.is_list else (bound[parameter.name],)
        for parameter in row.schema.parameters
        if parameter.is_operand
    }
    writing = row.writing
    takes = writing.is_uniform or writing.is_zeroing
    takes = takes or (writing.expanded and not bound.get("reduce"))
    if not takes and not _is_copy_of_itself(row, target, operands):
        refuse_internal_overlap(target.spec)
    elif takes and trace.is_program and has_internal_overlap(target.spec):
        raise NotTraceable("a traced function fills a tensor with elements in one place")
    for name, items in operands.items():
        for operand in items or ():
            if isinstance(operand, Proxy) and not is_read_before(
                row, name, target.spec, operand.spec
            ):
                refuse_meeting(row, name, _meeting(target, operand))


def _is_copy_of_itself(row: OpSpec, target: Proxy, operands: Mapping[str, Any]) -> bool:
    """Whether the same elements are copied to where they are: nothing is written."""
    if not row.writing.is_copy:
        return False
    (other,) = operands["src"]
    if target is other:
        return True
    if not isinstance(other, Proxy) or other.spec is not target.spec:
        return False
    return _meeting(target, other) is Overlap.FULL


def refuse_meeting(row: OpSpec, name: str, found: Overlap) -> None:
    """Refuse an operand whose memory meets the target's in a way that the row does not take."""
    if found is Overlap.PARTIAL or (found is Overlap.FULL and name in row.writing.apart):
        raise TrilithRuntimeError(PARTIAL_OVERLAP)


def is_read_before(row: OpSpec, name: str, target: TensorSpec, operand: TensorSpec) -> bool:
    """Whether an operand may overlap the target in any way: conjugates are resolved first."""
    is_resolved = (target.is_conj or operand.is_conj) and not row.writing.is_copy
    return is_resolved or name in row.writing.read_first


def _meeting(target: Proxy, operand: Proxy) -> Overlap:
    """Return how the memory of an operand meets the target's."""
    if target is operand:
        return Overlap.FULL
    if target.buffer is None or target.buffer is not operand.buffer:
        return Overlap.NONE
    parts: list[Any] = []
    for proxy in (target, operand):
        window = Window.of(target.buffer.spec, proxy.path)
        parts += [proxy.spec, window.view.offset * window.dtype.itemsize]
    return overlap_of_parts(*parts)


class TracedWriting:
    """The `WritingLanguage` of a trace: what is written into a tensor becomes its elements."""

    def __init__(self, trace: Trace) -> None:
        """Write into the tensors of a trace."""
        self._trace = trace

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Record the row called `name`."""
        return self._trace.call(name, *arguments, **keywords)

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        return self._trace.spec(value)

    def positions(self, value: Any, hint: str | None = None, what: str = RESULT_SHAPE) -> Any:
        """Refuse: where elements are not zero is known when the program runs."""
        return self._trace.positions(value, hint, what)

    def number(self, value: Any) -> int | None:
        """Return the integer in a 0-dim tensor if it is known."""
        return self._trace.number(value)

    def draw(self, generator: Any, count: Any, device: Any) -> tuple[Any, Any]:
        """Return arguments for a key and a counter."""
        return self._trace.draw(generator, count, device)

    def tensor(self, data: Any) -> Any:
        """Return a tensor with the elements of an array."""
        return self._trace.tensor(data)

    def write(self, name: str, target: Any, *arguments: Any, **keywords: Any) -> None:
        """Record the row called `name` and write its result into its first operand."""
        self.run(TABLE[name], (target, *arguments), keywords)

    def store(self, target: Any, value: Any) -> None:
        """Record a copy of a value into a tensor, through which no gradient passes."""
        with set_grad(False):
            self.write("copy", target, value)

    def run(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Record a row and write its result into its first operand, which is returned."""
        return record_in_place(self._trace, row, row.schema.bind(arguments, keywords))


Trace.WRITING = TracedWriting


def _as_target(trace: Trace, row: OpSpec, bound: dict[str, Any], name: str) -> Proxy:
    target = trace.as_proxy(bound[name])
    if target is None:
        raise refuse_operand(row, row.schema.parameters[0], bound[name])
    return target


def record_out(
    trace: Trace, row: OpSpec, bound: dict[str, Any], out: Any, *, resizes: bool = True
) -> Any:
    """Record a row and write its result into `out`, or its results, and return that.

    One whose shape is not that of the result is refused unless it `resizes`.
    """
    layer = layer_of((*bound.values(), out))
    if layer is not None:
        layer.check_out(row, (), bound, out)
    if is_several(row, out):
        return _record_outs(trace, row, bound, out)
    target = trace.as_proxy(out)
    if target is None:
        raise refuse_out_argument(row, out)
    trace.check_numbers(row, bound)
    _refuse_overlap(trace, row, target, bound)
    result = _applied(trace, row, with_out_dtype(row, bound, target.spec), target)
    check_out(row, result.spec, target.spec)
    if not resizes and result.spec.shape != target.spec.shape:
        raise refuse_shape(target.spec, result.spec)
    return _fill(trace, row, bound, target, result)


def _record_outs(trace: Trace, row: OpSpec, bound: dict[str, Any], outs: Sequence[Any]) -> Any:
    """Record a row of several results and write each into its own tensor."""
    targets: list[Proxy] = []
    for out in outs:
        target = trace.as_proxy(out)
        if target is None:
            raise refuse_out_argument(row, outs)
        targets.append(target)
    trace.check_numbers(row, bound)
    for target in targets:
        _refuse_overlap(trace, row, target, bound)
    results = several(row, trace.apply_bound(row, bound), outs)
    for number, (target, result) in enumerate(zip(targets, results, strict=True)):
        check_out(row, result.spec, target.spec, number=number)
    filled = [_fill(trace, row, bound, *pair) for pair in zip(targets, results, strict=True)]
    return written_results(results, filled)


def is_several(row: OpSpec, out: Any) -> bool:
    """Whether `out` is a sequence, and the row may have several results."""
    return row.refuse_outs is not None and isinstance(out, (tuple, list))


def several(row: OpSpec, results: Any, outs: Sequence[Any]) -> tuple[Any, ...]:
    """Return several results, if there are as many tensors for them."""
    if not isinstance(results, tuple):
        raise refuse_out_argument(row, outs)
    found = cast("tuple[Any, ...]", results)
    if len(outs) != len(found):
        raise TrilithTypeError(f"expected tuple of {len(found)} elements but got {len(outs)}")
    return found


def written_results(results: tuple[Any, ...], outs: Sequence[Any]) -> tuple[Any, ...]:
    """Return the tensors that results were written into, in a tuple with the results' names."""
    kind = type(results)
    return kind.written(outs) if issubclass(kind, NamedResults) else tuple(outs)


def refuse_out_argument(row: OpSpec, out: Any) -> TrilithTypeError:
    """Return the error for an `out` that is no tensor, or not as many as there are results."""
    return TrilithTypeError(
        f"{row.name}(): argument 'out' must be Tensor, not {type(out).__name__}"
    )


def _fill(
    trace: Trace, row: OpSpec, bound: Mapping[str, Any], target: Proxy, result: Proxy
) -> Proxy:
    """Write a result into its `out`, which is resized if need be."""
    if result.spec.shape != target.spec.shape:
        if any(value is target for value in bound.values()):
            raise refuse_shape(target.spec, result.spec)
        warn_of_resize(row, target.spec, result.spec)
        resized = trace.call("cast", result, target.spec.dtype)
        _become(trace, target, resized)
        return target
    write(trace, target, result)
    return target


def _become(trace: Trace, target: Proxy, value: Proxy) -> None:
    """Let a tensor be another one from now on; one whose memory is known to others cannot."""
    trace.forget_words()
    buffer = target.shared_buffer()
    if buffer.is_viewed or isinstance(buffer.origin, BlockArgument):
        raise NotTraceable("a traced function cannot resize memory that arguments or views look at")
    if value.spec.numel < target.spec.numel:
        raise NotTraceable(
            "a tensor is made smaller by out=, whose memory keeps its size",
            hint="give out= a tensor of the right shape, or an empty one",
        )
    target.become(value)


def with_out_dtype(row: OpSpec, bound: dict[str, Any], out: TensorSpec) -> dict[str, Any]:
    """Compute in the dtype of `out` where the row lets one choose and the caller did not."""
    is_chosen = row.is_factory or row.writing.chooses_dtype
    if is_chosen and bound.get("dtype", out) is None:
        return {**bound, "dtype": out.dtype}
    return bound


def in_dtype_of_out(keywords: dict[str, Any], out: TensorSpec) -> dict[str, Any]:
    """Let a factory make its `out`, whose dtype may be named once more."""
    asked = keywords.get("dtype")
    if asked is not None and asked is not out.dtype:
        raise TrilithRuntimeError(
            f"dtype {asked.c_name} does not match dtype of out parameter ({out.dtype.c_name})"
        )
    return {**keywords, "dtype": out.dtype}


def _applied(trace: Trace, row: OpSpec, bound: dict[str, Any], target: Proxy) -> Proxy:
    """Return the result of a row that will be written into a tensor."""
    try:
        return _one_result(row, trace.apply_bound(row, bound))
    except TrilithNotImplementedError as error:
        if error.result is not None:
            check_result_dtype(error.result, target.spec.dtype)
        raise


def _one_result(row: OpSpec, result: Any) -> Proxy:
    if isinstance(result, Proxy):
        return result
    raise refuse_one_out(row)


def refuse_one_out(row: OpSpec) -> TrilithTypeError:
    """Return the error for one `out` where there are several results."""
    return TrilithTypeError(f"{row.name}(): argument 'out' must be tuple of Tensors, not Tensor")


def refuse_shape(target: TensorSpec, result: TensorSpec) -> TrilithRuntimeError:
    """Return the error for a target that is an operand, too, and has another shape."""
    return TrilithRuntimeError(
        f"output with shape {list(target.shape)} doesn't match the broadcast shape "
        f"{list(result.shape)}"
    )


def check_cast(result: TensorSpec, target: TensorSpec) -> None:
    """Refuse to write a dtype into a lesser kind of dtype."""
    check_result_dtype(result.dtype, target.dtype)


def check_result_dtype(result: DType, target: DType) -> None:
    """Refuse to write elements of a dtype into those of a lesser kind of dtype."""
    if not can_cast(result, target):
        raise TrilithRuntimeError(
            f"result type {result.c_name} can't be cast to the desired output type {target.c_name}"
        )


def check_out(
    row: OpSpec, result: TensorSpec, out: TensorSpec, *, number: int | None = None
) -> None:
    """Refuse an `out` on another device or of a dtype that cannot take the result.

    Of several results it is the one of that number.
    """
    if result.device != out.device and number is not None:
        raise TrilithRuntimeError(
            f"Expected out tensor to have device {result.device}, but got {out.device} instead"
        )
    if result.device != out.device:
        raise TrilithRuntimeError(
            f"Attempting to copy from device {result.device} to device {out.device}, but "
            "cross-device copies are not allowed!"
        )
    refuse = _out_rule(row, number)
    if refuse is not None:
        refuse(result.dtype, out.dtype)
    if _keeps_dtype(row) and result.dtype is not out.dtype:
        raise TrilithRuntimeError(
            f"Found dtype {out.dtype.c_name} but expected {result.dtype.c_name}"
        )
    check_cast(result, out)


def _out_rule(row: OpSpec, number: int | None) -> OutRule | None:
    """Return what refuses the dtype of an `out=`, of several that of one number."""
    if number is None:
        return row.refuse_out
    rules = row.refuse_outs
    return rules if rules is None or callable(rules) else rules[number]


def _keeps_dtype(row: OpSpec) -> bool:
    """Whether a row of one operand gives its dtype: PyTorch casts no result of these."""
    if not isinstance(row, ElementwiseOp) or row.promotion not in (promote, real_result):
        return False
    return sum(parameter.is_operand for parameter in row.schema.parameters) == 1


def warn_of_resize(row: OpSpec, out: TensorSpec, result: TensorSpec) -> None:
    """Warn that a tensor with elements is resized to take a result; factories resize freely."""
    warning = row.writing.resized(out, result) if out.numel else ""
    if warning:
        warn_user(warning)
