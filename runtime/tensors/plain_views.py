"""Who else sees what is written? Plain tensors do not know what they are views of: they are sought.

When a value that is part of a graph is written into a plain tensor, its base and the other views of
that need the graph, too. The live tensors on the storage are found and noted as views of one base.
"""

from __future__ import annotations

import gc
import sys
from functools import partial
from typing import Any

from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.strides import is_non_overlapping_and_dense
from ..gradients.state import state_of
from ..gradients.views import note_view
from .fields import TensorFields

#: How many references a storage has that one tensor alone holds: that, a name here, the argument.
_ALONE = 3


def note_plain(tensor: Any) -> None:
    """Let gradients know a plain tensor that is about to be part of a graph, and what it shares.

    It takes as long as a run of the garbage collector where others hold the storage.
    """
    if state_of(tensor) is not None or tensor.batch_level is not None:
        return
    if tensor.is_concrete:
        memory = tensor.memory
        if sys.getrefcount(memory) > _ALONE:
            _note_views(tensor, memory)
    tensor.gradient_state()
    tensor.become_recorded()


def _note_views(tensor: Any, memory: Any) -> None:
    """Note the tensors on a storage as views of the one that sees all that they see."""
    found = [each for each in gc.get_referrers(memory) if _may_be_view(each, tensor)]
    base = _base_among([tensor, *found])
    if base is None or (state_of(base) is not None and base is not tensor):
        return
    base.gradient_state()
    base.become_recorded()
    for each in (tensor, *found):
        is_same = each.spec is base.spec and each.offset == base.offset  # such as by detach()
        if each is not base and not is_same and state_of(each) is None:
            step = _step(each, base)
            if step is not None:
                note_view(each, base, step)


def _may_be_view(value: Any, tensor: Any) -> bool:
    """Whether something that holds the storage of a tensor is another one that counts with it."""
    if not isinstance(value, TensorFields) or value is tensor or not value.is_concrete:
        return False
    own, other = tensor.state, value.state
    mine = None if own is None else own.versions
    return mine is (None if other is None else other.versions)


def _reach(tensor: Any) -> tuple[int, int]:
    """Return between which bytes of its storage a tensor lies."""
    spec, offset = tensor.spec, tensor.offset
    size = spec.dtype.itemsize
    return offset * size, storage_extent(spec.shape, spec.strides, offset) * size


def _base_among(tensors: list[Any]) -> Any:
    """Return the tensor that sees all that others see, each element once; None if none does."""
    reaches = [_reach(each) for each in tensors]
    first, last = min(start for start, _ in reaches), max(end for _, end in reaches)
    whole = [
        each
        for each, reach in zip(tensors, reaches, strict=True)
        if reach == (first, last) and _sees_each_once(each.spec)
    ]
    contiguous = [each for each in whole if each.is_contiguous()]
    return next(iter(contiguous or whole), None)


def _sees_each_once(spec: Any) -> bool:
    return is_non_overlapping_and_dense(spec.shape, spec.strides)


def _step(view: Any, base: Any) -> Any:
    """Return what sees a view in a tensor like the base; None if its elements are others."""
    spec, of_base = view.spec, base.spec
    if spec.dtype is of_base.dtype:
        return partial(_seen, spec, view.offset - base.offset)
    if of_base.dtype.is_complex and spec.dtype is of_base.dtype.to_real():
        return partial(_seen_as_real, spec, view.offset - 2 * base.offset)
    return None


def _seen(spec: Any, offset: int, whole: Any) -> Any:
    return whole.as_strided(spec.shape, spec.strides, offset)


def _seen_as_real(spec: Any, offset: int, whole: Any) -> Any:
    return whole.real.as_strided(spec.shape, spec.strides, offset)
