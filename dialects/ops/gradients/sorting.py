"""What are the gradients of elements in order? They go where the elements came from."""

from __future__ import annotations

from typing import Any

from ...attributes.spec import TensorSpec
from ..frame.gradients import gradient, not_implemented
from .reductions import of_choice, to_index


def _in_order(t: Any, grad: Any, input_spec: TensorSpec, result1: Any, dim: int) -> Any:
    return to_index(t, grad, input_spec, result1, dim, keepdim=True)


def _of_ranks(t: Any, grad: Any, input: Any, ranks: Any) -> Any:
    """Return zeros with the gradients of elements of each row at where these are."""
    shape = (*ranks.shape[:-1], input.shape[-1])
    places = input.sort(-1)[1].expand(shape).gather(-1, ranks)
    return t.call("scatter_add", grad.new_zeros(shape), -1, places, grad)


OF_SORT = gradient("SortBackward0", input=_in_order)
OF_TOPK = gradient("TopkBackward0", input=_in_order)
OF_KTHVALUE = of_choice("KthvalueBackward0")
OF_MODE = of_choice("ModeBackward0")
OF_RANKS = gradient("GatherBackward0", input=_of_ranks)
OF_UNIQUE = gradient("Unique2Backward0", input=not_implemented("_unique2"))
OF_UNIQUE_CONSECUTIVE = gradient(
    "UniqueConsecutiveBackward0", input=not_implemented("unique_consecutive")
)
