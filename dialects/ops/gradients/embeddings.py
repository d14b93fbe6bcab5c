"""What is the gradient of a table of rows? Each row adds up the gradients of where it was taken."""

from __future__ import annotations

from typing import Any

from ...diagnostics import TrilithRuntimeError
from ..frame.gradients import gradient
from ..frame.sparse_forms import Parts


def _of_weight(
    t: Any,
    grad: Any,
    weight_spec: Any,
    indices: Any,
    padding_idx: Any,
    scale_grad_by_freq: Any,
    sparse: bool,
) -> Any:
    count, width = weight_spec.shape
    flat, rows = indices.reshape(-1).long(), grad.reshape(-1, width)
    if sparse:
        return _of_rows(t, flat, rows, weight_spec.shape, padding_idx, scale_grad_by_freq)
    if padding_idx >= 0:
        rows = rows.masked_fill((flat == padding_idx).unsqueeze(1), 0)
    if scale_grad_by_freq:
        ones = grad.new_ones(flat.shape)
        counts = grad.new_zeros((count,)).index_add(0, flat, ones)
        rows = rows / counts.index_select(0, flat).unsqueeze(1)
    return grad.new_zeros((count, width)).index_add(0, flat, rows)


def _of_rows(
    t: Any, flat: Any, rows: Any, shape: Any, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """Return a sparse gradient: a row for each index that was looked up."""
    if scale_grad_by_freq:
        raise TrilithRuntimeError(
            "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
        )
    if padding_idx >= 0:
        kept = (flat != padding_idx).nonzero().squeeze(1)
        flat, rows = flat.index_select(0, kept), rows.index_select(0, kept)
    return t.sparse(Parts(flat.unsqueeze(0), rows, tuple(shape), False))


OF_EMBEDDING = gradient("EmbeddingBackward0", weight=_of_weight)
