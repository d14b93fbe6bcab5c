"""Which operations give a tensor with some of its elements replaced? Slices, and diagonals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....attributes import views
from ....attributes.overlaps import has_internal_overlap
from ....attributes.spec import TensorSpec
from ....attributes.views import Strided
from ....diagnostics import TrilithRuntimeError
from ...frame.literals import check_fill_value
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.view_rows import strided_of, tensor_of
from ...frame.writing import UNIFORM_WRITING
from ...gradients.joining import (
    OF_DIAGONAL_SCATTER,
    OF_FILL_DIAGONAL,
    OF_SELECT_SCATTER,
    OF_SLICE_SCATTER,
)


def _put(t: TensorLanguage, input: Any, src: Any, window: Strided) -> Any:
    return t.call("put_window", input, src, window.shape, window.strides, window.offset)


def _apart(t: TensorLanguage, input: Any) -> Any:
    """Return a tensor whose elements lie apart: itself, or a copy."""
    spec = tensor_of(t, input)
    return t.call("clone", input) if has_internal_overlap(spec.shape, spec.strides) else input


def _select_scatter(t: TensorLanguage, input: Any, src: Any, dim: int, index: int) -> Any:
    base = _apart(t, input)
    return _put(t, base, src, views.select(strided_of(tensor_of(t, base)), dim, index))


def _slice_scatter(
    t: TensorLanguage,
    input: Any,
    src: Any,
    dim: int,
    start: int | None,
    end: int | None,
    step: int,
) -> Any:
    base = _apart(t, input)
    window = views.slice_dim(strided_of(tensor_of(t, base)), dim, start, end, step)
    return _put(t, base, src, window)


def _diagonal_scatter(
    t: TensorLanguage, input: Any, src: Any, offset: int, dim1: int, dim2: int
) -> Any:
    base = _apart(t, input)
    return _put(t, base, src, views.diagonal(strided_of(tensor_of(t, base)), offset, dim1, dim2))


composite(
    "select_scatter(Tensor input, Tensor src, int dim, int index)",
    "The input with `src` at one index of a dim.",
    "tri.select_scatter(tri.zeros(2), tri.tensor(1.), 0, 1)  # tensor([0., 1.])",
    _select_scatter,
    gradient=OF_SELECT_SCATTER,
)
composite(
    "slice_scatter(Tensor input, Tensor src, int dim=0, int? start=None, int? end=None, "
    "int step=1)",
    "The input with `src` in a slice of a dim.",
    "tri.slice_scatter(tri.zeros(3), tri.ones(2), 0, 1)  # tensor([0., 1., 1.])",
    _slice_scatter,
    has_out=True,
    gradient=OF_SLICE_SCATTER,
)
composite(
    "diagonal_scatter(Tensor input, Tensor src, SymInt offset=0, int dim1=0, int dim2=1)",
    "The input with `src` on a diagonal of two dims.",
    "tri.diagonal_scatter(tri.zeros(1, 1), tri.ones(1))  # tensor([[1.]])",
    _diagonal_scatter,
    gradient=OF_DIAGONAL_SCATTER,
)


def _fill_diagonal(t: TensorLanguage, input: Any, fill_value: Any, wrap: bool) -> Any:
    spec = tensor_of(t, input)
    if spec.rank < 2:
        raise TrilithRuntimeError("dimensions must larger than 1")
    if spec.rank > 2 and any(size != spec.shape[0] for size in spec.shape):
        raise TrilithRuntimeError("all dimensions of input must be of equal length")
    height, width = spec.shape[:2]
    length, step = min(height, width), sum(spec.strides)
    windows = [Strided((length,), (step,))]
    if wrap and spec.rank == 2 and height > width + 1:
        rest = -(-spec.numel // (width + 1)) - length
        windows.append(Strided((rest,), (step,), spec.strides[0] * (width + 1)))
    result = input
    for window in windows:
        if 0 not in window.shape:
            part = t.call("strided_view", input, window.shape, window.strides, window.offset)
            result = _put(t, result, t.call("fill", part, fill_value), window)
    return result


def _check_value(bound: Mapping[str, Any]) -> None:
    spec: object = getattr(bound["input"], "spec", None)
    if isinstance(spec, TensorSpec):
        check_fill_value(bound["fill_value"], spec.dtype, spec.shape)


composite(
    "fill_diagonal(Tensor input, Scalar fill_value, bool wrap=False)",
    "The input with one number on its main diagonal: what `fill_diagonal_` writes.",
    "tri.zeros(2, 2).fill_diagonal_(1)  # tensor([[1., 0.],\n#         [0., 1.]])",
    _fill_diagonal,
    methods=(),
    in_place=("fill_diagonal_",),
    writing=UNIFORM_WRITING,
    check_numbers=_check_value,
    is_public=False,
    torch_name="Tensor.fill_diagonal_",
    gradient=OF_FILL_DIAGONAL,
)
