"""How does `x[...]` run? Views at once, index tensors and masks as operations of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ...dialects.attributes.dtype import Category
from ...dialects.diagnostics import TrilithError, without_own_frames
from ...dialects.ops.frame.indexed import ValueLanguage
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.rows.indexing.subscripts import is_index_tensor, is_plain, split_index, take_at
from ...dialects.ops.table import TABLE
from .active import is_interrupting, run_apart
from .captured import with_gradient
from .sparse_operands import is_sparse
from .tracer import TRACING


def subscript(t: ValueLanguage, value: Any, index: Any) -> Any:
    """Return the part of a tensor that an index names: a view, or a copy if tensors are in it."""
    if is_plain(index):
        return t.call("getitem", value, index)
    spec: Any = t.spec(value)
    if spec.rank and is_index_tensor(index) and index.spec.device is spec.device:
        return t.call("take_at", value, [index], (0,))
    basic, advanced = split_index(index, spec, t)
    if advanced is None:
        return t.call("getitem", value, basic)
    view = value if is_whole(basic) else t.call("getitem", value, basic)
    return take_at(t, view, advanced)


def names_one_element(index: Any) -> bool:
    """Whether an index holds 0-dim integer tensors and no other ones: it names a view."""
    items: list[Any] = list(cast("tuple[Any, ...]", index)) if isinstance(index, tuple) else [index]
    tensors = [item for item in items if hasattr(item, "spec")]
    plain = [item for item in items if not hasattr(item, "spec")]
    return bool(tensors) and is_plain(tuple(plain)) and all(map(_is_position, tensors))


def _is_position(tensor: Any) -> bool:
    return not tensor.spec.shape and tensor.spec.dtype.category is Category.INTEGRAL


def is_whole(basic: tuple[Any, ...]) -> bool:
    """Whether the basic part of an index keeps all that there is, as it is."""
    return all(item is Ellipsis or item == slice(None) for item in basic)


def make_subscript(
    eager: Callable[[OpSpec, tuple[Any, ...], dict[str, Any]], Any], concrete: ValueLanguage
) -> Callable[[Any, Any], Any]:
    """Return `Tensor.__getitem__`; `concrete` is the language of tensors outside of traces."""
    row = TABLE["getitem"]

    def getitem(self: Any, index: Any) -> Any:
        trace = TRACING.trace
        if trace is not None and is_interrupting(trace, (self, index)):
            return run_apart(getitem, self, index)
        try:
            if trace is not None and is_sparse(self):
                return trace.apply(row, (self, index), {})
            if trace is not None:
                whole = trace.as_proxy(self)
                if whole is not None and whole is not self:
                    whole = with_gradient(whole, self)
                part = subscript(trace, whole, index)
                if whole is not None and names_one_element(index):
                    trace.follow(part, whole)
                return part
            if is_plain(index):
                return eager(row, (self, index), {})
            return subscript(concrete, self, index)
        except TrilithError as error:
            raise without_own_frames(error) from None

    getitem.__name__ = "__getitem__"
    getitem.__qualname__ = "Tensor.__getitem__"
    getitem.__doc__ = row.doc
    return getitem
