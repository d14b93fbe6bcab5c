"""What are the gradients of joined, padded, repeated and rearranged tensors?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.gradients import Gradient, chosen, gradient

# ---- several tensors


def _parts(t: Any, grad: Any, tensors_spec: Sequence[TensorSpec], dim: int) -> list[Any]:
    """Return the part of each tensor; a vector without elements has none, whatever the rank."""
    dim = wrap_dim(dim, grad.ndim)
    found: list[Any] = []
    start = 0
    for spec in tensors_spec:
        if spec.shape == (0,) and grad.ndim != 1:
            found.append(grad.new_zeros((0,)))
            continue
        found.append(grad.narrow(dim, start, spec.shape[dim]))
        start += spec.shape[dim]
    return found


def _layers(t: Any, grad: Any, tensors_spec: Sequence[TensorSpec], dim: int) -> list[Any]:
    dim = wrap_dim(dim, grad.ndim)
    return [grad.select(dim, number) for number in range(len(tensors_spec))]


OF_CAT = gradient("CatBackward0", tensors=_parts)
OF_STACK = gradient("StackBackward0", tensors=_layers)


def _blocks(t: Any, grad: Any, tensors_spec: Sequence[TensorSpec]) -> list[Any]:
    found: list[Any] = []
    row = column = 0
    for spec in tensors_spec:
        rows, columns = (1,) * (2 - spec.rank) + tuple(spec.shape)
        part = grad.narrow(0, row, rows).narrow(1, column, columns)
        found.append(_as_given(part, spec.rank))
        row, column = row + rows, column + columns
    return found


def _as_given(part: Any, rank: int) -> Any:
    """Return a block as the matrix, the vector or the number that it was made of.

    It lies as in PyTorch, which takes away a last dim of one element, and adds up other rows.
    """
    if rank == 2:
        return part
    if part.shape[1] != 1:
        return part.sum(0)
    return part.select(1, 0) if rank else part.select(1, 0).select(0, 0)


OF_BLOCK_DIAG = gradient("BlockDiagBackward0", tensors=_blocks)

# ---- one tensor, rearranged


def _unrepeated(t: Any, grad: Any, input_spec: TensorSpec, repeats: Sequence[int]) -> Any:
    """Return the sum over the repetitions, each of which is a dim of its own."""
    missing = len(repeats) - input_spec.rank
    sizes = (1,) * missing + tuple(input_spec.shape)
    if 0 in repeats:
        return grad.new_zeros(input_spec.shape)
    pairs = [each for pair in zip(repeats, sizes, strict=True) for each in pair]
    if not pairs:
        return grad
    dims = tuple(range(0, len(pairs), 2))
    return grad.reshape(pairs).sum(dims).reshape(input_spec.shape)


OF_REPEAT = gradient("RepeatBackward0", input=_unrepeated)
OF_FLIP = gradient("FlipBackward0", input=lambda t, grad, dims: grad.flip(dims))
OF_ROLL = gradient(
    "RollBackward0",
    input=lambda t, grad, shifts, dims: t.call("roll", grad, tuple(-each for each in shifts), dims),
)
OF_ROT90 = gradient(
    "Rot90Backward0", input=lambda t, grad, k, dims: t.call("rot90", grad, -k, dims)
)
OF_TRIL = gradient("TrilBackward0", input=lambda t, grad, diagonal: grad.tril(diagonal))
OF_TRIU = gradient("TriuBackward0", input=lambda t, grad, diagonal: grad.triu(diagonal))


def _on_diagonal(t: Any, grad: Any, input_spec: TensorSpec) -> Any:
    count = min(input_spec.shape)
    whole = grad.new_zeros(input_spec.shape)
    return t.call("diagonal_scatter", whole, grad.expand((count,)))


OF_PIXEL_SHUFFLE = gradient(
    input=lambda t, grad, upscale_factor: t.call("pixel_unshuffle", grad, upscale_factor)
)
OF_PIXEL_UNSHUFFLE = gradient(
    input=lambda t, grad, downscale_factor: t.call("pixel_shuffle", grad, downscale_factor)
)


def _diagonal_copied(bound: Mapping[str, Any]) -> Gradient | None:
    """A matrix gives its diagonal; a vector is put on one, step by step."""
    return _OF_DIAGONAL_COPY if bound["input"].ndim == 2 else None


_OF_DIAGONAL_COPY = gradient(
    "DiagonalBackward0_copy",
    input=lambda t, grad, input_spec, diagonal: t.call(
        "diagonal_scatter", grad.new_zeros(input_spec.shape), grad, diagonal
    ),
)
OF_DIAG = chosen(_diagonal_copied)
OF_TRACE = gradient("TraceBackward0", input=_on_diagonal)
OF_DIAG_EMBED = gradient(
    "DiagEmbedBackward0",
    input=lambda t, grad, offset, dim1, dim2: grad.diagonal(offset, dim1, dim2),
)

# ---- some elements replaced


def _zeros(grad: Any, src_spec: TensorSpec) -> Any:
    return grad.new_zeros(src_spec.shape)


def _outside_window(
    t: Any,
    grad: Any,
    input_spec: TensorSpec,
    src_spec: TensorSpec,
    size: Any,
    stride: Any,
    offset: int,
) -> Any:
    laid = t.call("with_strides", grad, input_spec.strides)
    return t.call("put_window", laid, _zeros(grad, src_spec), size, stride, offset)


def _in_window(
    t: Any, grad: Any, input_spec: TensorSpec, size: Any, stride: Any, offset: int
) -> Any:
    laid = t.call("with_strides", grad, input_spec.strides)
    return t.call("strided_view", laid, size, stride, offset)


OF_PUT_WINDOW = gradient("CopySlices", input=_outside_window, src=_in_window)
OF_SELECT_SCATTER = gradient(
    "SelectScatterBackward0",
    input=lambda t, grad, src_spec, dim, index: t.call(
        "select_scatter", grad, _zeros(grad, src_spec), dim, index
    ),
    src=lambda t, grad, dim, index: grad.select(dim, index),
)
OF_SLICE_SCATTER = gradient(
    "SliceScatterBackward0",
    input=lambda t, grad, src_spec, dim, start, end, step: t.call(
        "slice_scatter", grad, _zeros(grad, src_spec), dim, start, end, step
    ),
    src=lambda t, grad, dim, start, end, step: t.call("slice", grad, dim, start, end, step),
)
OF_DIAGONAL_SCATTER = gradient(
    "DiagonalScatterBackward0",
    input=lambda t, grad, src_spec, offset, dim1, dim2: t.call(
        "diagonal_scatter", grad, _zeros(grad, src_spec), offset, dim1, dim2
    ),
    src=lambda t, grad, offset, dim1, dim2: grad.diagonal(offset, dim1, dim2),
)


def _seen(t: Any, grad: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    return t.call("as_strided", grad.contiguous(), size, stride, storage_offset)


def _around(
    t: Any, grad: Any, input_spec: TensorSpec, size: Any, stride: Any, storage_offset: Any
) -> Any:
    """Return what PyTorch gives here: the gradient of the window, and not of what is around it.

    Its tangents are right, those of what is around the window.
    """
    if t.is_pushing:
        everywhere, hole = grad.new_ones(input_spec.shape), grad.new_zeros(size)
        around = t.call("as_strided_scatter", everywhere, hole, size, stride, storage_offset)
        return grad * around
    window = _seen(t, grad, size, stride, storage_offset)
    whole = grad.new_zeros(input_spec.shape)
    return t.call("as_strided_scatter", whole, window, size, stride, storage_offset)


OF_AS_STRIDED_SCATTER = gradient("AsStridedScatterBackward0", input=_around, src=_seen)
OF_FILL_DIAGONAL = gradient(
    "FillDiagonalBackward0",
    input=lambda t, grad, wrap: t.call("fill_diagonal", grad, 0, wrap),
)
