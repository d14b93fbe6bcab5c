"""How is a tensor written in which elements are one? The last of the writes to each of them wins.

PyTorch warns of it, and lets index_put_, masked_fill_ and index_fill_ do it all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.attributes.dtype import bool_
from ...dialects.frames import warn_user
from ...dialects.ops.frame.indexed import WritingLanguage
from ...dialects.ops.frame.row import OpSpec
from ...runtime.tensors.overlap import has_internal_overlap
from ...runtime.tensors.tensor import Tensor


def is_expanded_write(row: OpSpec, target: Tensor, bound: Mapping[str, Any]) -> bool:
    """Whether a row may write into a tensor although several of its elements are one."""
    takes = bool(row.writing.expanded) and not bound.get("reduce")
    return takes and has_internal_overlap(target.spec)


def write_expanded(
    row: OpSpec, target: Tensor, bound: Mapping[str, Any], t: WritingLanguage
) -> None:
    """Write a row's result into its first operand, of which some elements are one."""
    warn_user(row.writing.expanded)
    first, value = row.schema.parameters[0].name, "values" if "values" in bound else "value"
    given = {name: item for name, item in bound.items() if name != first}
    values = t.call(row.name, t.call("clone", target), **given)
    unwritten = t.call("zeros", target.spec.shape, dtype=bool_, device=target.spec.device)
    truth = t.call("ones", (), dtype=bool_, device=target.spec.device)
    written = t.call(row.name, unwritten, **{**given, value: truth})
    base: Any = target
    for dim, (size, stride) in enumerate(zip(target.spec.shape, target.spec.strides, strict=True)):
        if stride == 0 and size > 1:
            base = t.call("narrow", base, dim, 0, 1)
            values, written = _last(t, values, written, dim)
    t.write("copy", base, t.call("where", written, values, base))


def _last(t: WritingLanguage, values: Any, written: Any, dim: int) -> tuple[Any, Any]:
    """Return of each row along a dim the last value that was written, and whether there is one."""
    shape = values.shape
    indices = t.call("arange", shape[dim], device=values.device)
    for _ in range(len(shape) - dim - 1):
        indices = t.call("unsqueeze", indices, -1)
    last = t.call("amax", t.call("where", written, indices, -1), (dim,), True)
    found = t.call("take_along_dim", values, t.call("clamp", last, 0), dim)
    return found, t.call("ge", last, 0)
