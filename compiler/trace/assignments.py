"""How does `x[index] = value` run? The indexed part is a view, and written as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...dialects.attributes.dtype import DType, bool_, uint8
from ...dialects.attributes.extents import are_equal
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import (
    TrilithError,
    TrilithTypeError,
    TrilithValueError,
    without_own_frames,
)
from ...dialects.ops.frame.argument_values import is_int64
from ...dialects.ops.frame.indexed import ValueLanguage, WritingLanguage
from ...dialects.ops.rows.indexing.subscripts import is_plain, split_index, write_at
from ...runtime.gradients.modes import is_grad_enabled
from ...runtime.gradients.state import requires_gradient
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.overlap import refuse_internal_overlap
from ...runtime.tensors.plain_views import note_plain
from ...runtime.tensors.tensor import Tensor
from .active import is_interrupting, run_apart
from .operands import as_number, as_tensor
from .proxies import Proxy
from .scalar_proxies import ScalarProxy
from .subscripts import is_whole
from .tracer import TRACING
from .writes import TracedWriting


def make_assignment(
    methods: Mapping[str, Any], concrete: WritingLanguage
) -> Callable[[Any, Any, Any], None]:
    """Return `Tensor.__setitem__`; `concrete` is the language of tensors outside of traces."""
    copy, fill = methods["copy_"], methods["fill_"]

    def setitem(self: Any, index: Any, value: Any) -> None:
        trace = TRACING.trace
        if trace is not None and is_interrupting(trace, (self, index, value)):
            return run_apart(setitem, self, index, value)
        t: Any = concrete if trace is None else trace
        try:
            if isinstance(index, bool):
                if index:
                    _assign(t.call("unsqueeze", self, 0), value, copy, fill)
                return
            basic, advanced = (index, None) if is_plain(index) else split_index(index, self.spec, t)
            if _is_required(value) and is_grad_enabled():
                note_plain(self)
            part = self
            if not (advanced is not None and is_whole(basic)):
                part = t.call("getitem", self, basic)
            if advanced is None:
                _assign(part, value, copy, fill)
                return
            value = _as_values(t, part, value)
            if all(item is None or _is_position(item.spec) for item in advanced):
                # A part like any other, though not known where: what is written is copied there.
                value = t.call("clone", t.call("cast", value, part.spec.dtype))
            language = concrete if trace is None else TracedWriting(trace)
            write_at(language, part, advanced, value)
        except TrilithError as error:
            raise without_own_frames(error) from None

    setitem.__name__ = "__setitem__"
    setitem.__qualname__ = "Tensor.__setitem__"
    setitem.__doc__ = "Write a number, a tensor or an array into a part of the tensor."
    return setitem


def _is_required(value: Any) -> bool:
    """Whether a gradient is wanted of what is assigned."""
    return isinstance(value, TensorFields) and value.state is not None and requires_gradient(value)


def _assigned_number(value: Any) -> Any:
    """Return the number that is assigned, if it is one; PyTorch reads integers of 64 bits."""
    number = as_number(value)
    if isinstance(number, int) and not is_int64(number):
        raise TrilithValueError("Overflow when unpacking long long")
    return number


def _assign(part: Any, value: Any, copy: Any, fill: Any) -> None:
    number = _assigned_number(value)
    if number is not None or isinstance(value, ScalarProxy):
        refuse_internal_overlap(part.spec)
        fill(part, value if number is None else number)
        return
    tensor = assigned_tensor(value, part.spec.dtype)
    if not tensor.ndim and part.ndim and _share_memory(part, tensor):
        # One element that lies in what is written: it is read first.
        tensor = tensor.clone()
    if not are_equal(tensor.shape, part.shape):
        tensor = _without_leading_ones(tensor).expand(part.shape)
    copy(part, tensor)


def _share_memory(first: Any, second: Any) -> bool:
    if isinstance(first, Proxy) and isinstance(second, Proxy):
        return first.buffer is not None and first.buffer is second.buffer
    if isinstance(first, Proxy) or isinstance(second, Proxy):
        return True  # where an argument lies is not known
    return isinstance(second, Tensor) and first.memory is second.memory


def assigned_tensor(value: Any, dtype: DType) -> Any:
    """Return what is assigned to elements of a dtype as a tensor, or say that it is none."""
    tensor = value if isinstance(value, Proxy) else as_tensor(value)
    if tensor is None:
        raise TrilithTypeError(
            f"can't assign a {type(value).__name__} to a trilith.{dtype.c_name}Tensor"
        )
    return tensor


def _as_values(t: ValueLanguage, part: Any, value: Any) -> Any:
    """Return what is put at indices as a tensor; numbers and arrays take the part's dtype."""
    number = _assigned_number(value)
    if number is not None or isinstance(value, ScalarProxy):
        filled = value if number is None else number
        return t.call("full", (), filled, dtype=part.spec.dtype, device=part.spec.device)
    tensor = assigned_tensor(value, part.spec.dtype)
    if not isinstance(value, Tensor) and tensor.spec.dtype is not part.spec.dtype:
        tensor = t.call("cast", tensor, part.spec.dtype)
    return _without_leading_ones(tensor)


def _is_position(spec: TensorSpec) -> bool:
    """Whether an index tensor stands for one integer."""
    return not spec.rank and spec.dtype not in (bool_, uint8)


def _without_leading_ones(tensor: Any) -> Any:
    """Drop the leading dims of size 1, as PyTorch does for assignments."""
    while tensor.ndim and tensor.shape[0] == 1:
        tensor = tensor.squeeze(0)
    return tensor
