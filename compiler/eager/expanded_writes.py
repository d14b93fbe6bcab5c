"""How is a tensor written in which elements are one? The last of the writes to each of them wins.

PyTorch warns of it, and lets index_put_, masked_fill_ and index_fill_ do it all the same. It says
nothing of tril_ and triu_, which write zeros and leave everything else as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.attributes.dtype import bool_, int64
from ...dialects.frames import warn_user
from ...dialects.ops.frame.indexed import WritingLanguage
from ...dialects.ops.frame.row import OpSpec
from ...runtime.tensors.overlap import has_internal_overlap
from ...runtime.tensors.tensor import Tensor


def is_expanded_write(row: OpSpec, target: Tensor, bound: Mapping[str, Any]) -> bool:
    """Whether a row may write into a tensor although several of its elements are one."""
    takes = row.writing.expanded and not bound.get("reduce")
    takes = takes or row.writing.is_zeroing
    return bool(takes) and has_internal_overlap(target.spec)


def write_expanded(
    row: OpSpec, target: Tensor, bound: Mapping[str, Any], t: WritingLanguage
) -> None:
    """Write a row's result into its first operand, of which some elements are one."""
    if row.writing.is_zeroing:
        _write_zeros(row, target, bound, t)
        return
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


def _write_zeros(row: OpSpec, target: Tensor, bound: Mapping[str, Any], t: WritingLanguage) -> None:
    """Write zeros to the places in memory of those elements that become zero."""
    device, shape = target.spec.device, target.spec.shape
    given = {
        **bound,
        row.schema.parameters[0].name: t.call("ones", shape, dtype=bool_, device=device),
    }
    places = t.call("zeros", shape, dtype=int64, device=device)
    count = 1
    for dim, (size, stride) in enumerate(zip(shape, target.spec.strides, strict=True)):
        steps = t.call("mul", t.call("arange", size, device=device), stride)
        steps = t.call("reshape", steps, (size, *(1,) * (len(shape) - dim - 1)))
        places = t.call("add", places, steps)
        count += (size - 1) * stride
    written = t.call("logical_not", t.call(row.name, **given))
    memory = t.call("as_strided", target, (count,), (1,))
    t.write("index_fill", memory, 0, t.call("masked_select", places, written), 0)


def _last(t: WritingLanguage, values: Any, written: Any, dim: int) -> tuple[Any, Any]:
    """Return of each row along a dim the last value that was written, and whether there is one."""
    shape = values.shape
    indices = t.call("arange", shape[dim], device=values.device)
    for _ in range(len(shape) - dim - 1):
        indices = t.call("unsqueeze", indices, -1)
    last = t.call("amax", t.call("where", written, indices, -1), (dim,), True)
    found = t.call("take_along_dim", values, t.call("clamp", last, 0), dim)
    return found, t.call("ge", last, 0)
