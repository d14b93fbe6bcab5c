"""What are the gradients of products of matrices? Products with the other factor, transposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..frame.gradients import gradient
from .arithmetic import adjoint, conj, in_dtype


def _left(t: Any, grad: Any, input_spec: Any, other: Any) -> Any:
    """Return the gradient of the left factor."""
    # That of unrounded sums is wider than the factors: products of it are summed so, then rounded.
    wide = in_dtype(t, other, t.spec(grad).dtype)
    return in_dtype(t, _of_left(grad, input_spec, wide), input_spec.dtype)


def _right(t: Any, grad: Any, input: Any, other_spec: Any) -> Any:
    """Return the gradient of the right factor."""
    wide = in_dtype(t, input, t.spec(grad).dtype)
    return in_dtype(t, _of_right(grad, wide, other_spec), other_spec.dtype)


def _of_left(grad: Any, input_spec: Any, other: Any) -> Any:
    """Return the gradient of the left factor; a vector there is a row."""
    if input_spec.rank == 1 and other.ndim == 1:
        return grad * conj(other)
    if input_spec.rank == 1:
        found = grad.unsqueeze(-2) @ adjoint(other)
        return found.squeeze(-2)
    if other.ndim == 1:
        return grad.unsqueeze(-1) * conj(other)
    return grad @ adjoint(other)


def _is_turned(spec: Any) -> bool:
    """Whether the columns of a matrix lie in memory as rows of others do."""
    return spec.rank == 2 and spec.strides[0] == 1 and spec.strides[1] == spec.shape[0]


def _as_one(value: Any) -> Any:
    """Return all matrices of a batch as one, below one another; they may be empty."""
    return value if value.ndim == 2 else value.flatten(0, -2)


def _of_right(grad: Any, input: Any, other_spec: Any) -> Any:
    """Return the gradient of the right factor; a vector there is a column."""
    if input.ndim == 1 and other_spec.rank == 1:
        return grad * conj(input)
    if input.ndim == 1:
        return conj(input).unsqueeze(-1) * grad.unsqueeze(-2)
    if other_spec.rank == 1:
        found = adjoint(input) @ grad.unsqueeze(-1)
        return found.squeeze(-1)
    if other_spec.rank == 2:
        # All rows of all batches are one matrix; the gradient lies in memory as the factor does.
        rows, columns = _as_one(conj(input)), _as_one(grad)
        if _is_turned(other_spec):
            return (columns.mT @ rows).mT
        return rows.mT @ columns
    return adjoint(input) @ grad


def _name(bound: Mapping[str, Any]) -> str:
    left, right = bound["input"].ndim, bound["other"].ndim
    if left == right == 1:
        return "DotBackward0"
    if left == 2 and right == 1:
        return "MvBackward0"
    if left == right == 2:
        return "MmBackward0"
    if left == 1 and right == 2:
        return "SqueezeBackward4"
    return "UnsafeViewBackward0"


OF_MATMUL = gradient(_name, input=_left, other=_right)


#: Of `addr`, whose operands are broadcast: vectors are a column and a row. Without `is_added` the
#: input has no part in the result.
OF_ADD_OUTER = gradient(
    "AddrBackward0",
    input=lambda t, grad, beta, is_added: grad * conj(beta) if is_added else None,
    column=lambda t, grad, row, alpha: grad * conj(row) * conj(alpha),
    row=lambda t, grad, column, alpha: grad * conj(column) * conj(alpha),
)
