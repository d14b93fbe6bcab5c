"""What is the gradient of a table of rows? Each row adds up the gradients of where it was taken."""

from __future__ import annotations

from typing import Any

from ..frame.gradients import gradient


def _of_weight(
    t: Any, grad: Any, weight_spec: Any, indices: Any, padding_idx: Any, scale_grad_by_freq: Any
) -> Any:
    count, width = weight_spec.shape
    flat, rows = indices.reshape(-1).long(), grad.reshape(-1, width)
    if padding_idx >= 0:
        rows = rows.masked_fill((flat == padding_idx).unsqueeze(1), 0)
    if scale_grad_by_freq:
        ones = grad.new_ones(flat.shape)
        counts = grad.new_zeros((count,)).index_add(0, flat, ones)
        rows = rows / counts.index_select(0, flat).unsqueeze(1)
    return grad.new_zeros((count, width)).index_add(0, flat, rows)


OF_EMBEDDING = gradient("EmbeddingBackward0", weight=_of_weight)
