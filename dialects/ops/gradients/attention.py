"""When is attention one node? Where PyTorch has a kernel for it, whose mask has no gradient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...attributes.views import Strided, wrap_dim
from ...diagnostics import TrilithIndexError
from ..frame.gradients import Gradient, by_steps, chosen
from ..frame.windows import Ints

_FUSED = by_steps("ScaledDotProductFlashAttentionForCpuBackward0", "query", "key", "value")
_NOTHING = by_steps("AddBackward0", "query", "key", "value")
_STEPS = by_steps("UnsafeViewBackward0", "query", "key", "value", "attn_mask")


def sees_nothing(query: Ints, key: Ints, value: Ints) -> bool:
    """Whether PyTorch makes zeros without a look at a mask: no queries, keys or values."""
    return query[-2] == 0 or key[-2] == 0 or 0 in value


def is_fused(
    operands: Sequence[Strided], mask: Ints | None, *, dropout_p: float, enable_gqa: bool
) -> bool:
    """Whether PyTorch takes its kernel for all steps at once, for query, key and value.

    It asks in this order, and a mask only where it has not refused before: of one dim it is an
    error there alone.
    """
    query, key, value = (operand.shape for operand in operands)
    if dropout_p or not len(query) == len(key) == len(value) == 4:
        return False
    if not query[0] == key[0] == value[0] or not _share_heads(query, key, value, enable_gqa):
        return False
    if mask is not None and not _is_spread(mask, (*query[:3], key[2])):
        return False
    if not query[3] == key[3] == value[3]:
        return False
    return all(operand.strides[-1] == 1 for operand in operands)


def _share_heads(query: Ints, key: Ints, value: Ints, enable_gqa: bool) -> bool:
    """Whether keys and values have as many heads as queries, or a divisor of that if allowed."""
    if key[1] != value[1]:
        return False
    return query[1] % (key[1] or 1) == 0 if enable_gqa else query[1] == key[1]


def _is_spread(mask: Ints, scores: Ints) -> bool:
    """Whether a mask of two or four dims can be spread over the scores."""
    if not mask:
        raise TrilithIndexError("Dimension specified as -2 but tensor has no dimensions")
    wrap_dim(-2, len(mask))
    if len(mask) not in (2, 4):
        return False
    pairs = zip(mask, scores[-len(mask) :], strict=True)
    return all(size in (1, wanted) for size, wanted in pairs)


def _choose(bound: Mapping[str, Any]) -> Gradient | None:
    operands = [bound[name] for name in ("query", "key", "value")]
    mask = bound["attn_mask"]
    if min(operand.ndim for operand in operands) < 2:
        return _STEPS  # which refuse them
    if sees_nothing(*(operand.shape for operand in operands)):
        return _NOTHING
    if mask is not None and mask.requires_grad:
        return _STEPS
    seen = [Strided(tuple(operand.shape), operand.stride()) for operand in operands]
    shape = None if mask is None else tuple(mask.shape)
    given = {name: bound[name] for name in ("dropout_p", "enable_gqa")}
    return _FUSED if is_fused(seen, shape, **given) else _STEPS


OF_ATTENTION = chosen(_choose)
