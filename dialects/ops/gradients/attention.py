"""When is attention one node? Where PyTorch has a kernel for it, whose mask has no gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame.gradients import Gradient, by_steps, chosen

_FUSED = by_steps("ScaledDotProductFlashAttentionForCpuBackward0", "query", "key", "value")
_STEPS = by_steps("UnsafeViewBackward0", "query", "key", "value", "attn_mask")


def _choose(bound: Mapping[str, Any]) -> Gradient | None:
    query, mask = bound["query"], bound["attn_mask"]
    if bound["dropout_p"] or query.ndim != 4:
        return _STEPS
    return _FUSED if mask is None or not mask.requires_grad else _STEPS


OF_ATTENTION = chosen(_choose)
