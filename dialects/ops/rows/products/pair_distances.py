"""How far are all pairs of points apart? cdist between two sets, pdist within one.

Differences are formed as they are needed, in the kernel that sums them up. The distance of two
points that are equal is 0, which PyTorch's way by a matrix product misses by rounding.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import DType, float32, float64
from ....attributes.memory_format import contiguous_format
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ...frame.gradients import by_steps
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.distances import OF_CDIST

#: What PyTorch's kernels of distances are made for.
_MEASURED = frozenset({float32, float64})
_MODES = (
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)


def _norm(t: TensorLanguage, difference: Any, p: float) -> Any:
    """Return the p-norm along the coordinates: the dim before those of the pairs."""
    if p == 2:
        return t.call("sqrt", t.call("sum", t.call("mul", difference, difference), -3))
    if p == 0:
        dtype = tensor_of(t, difference).dtype
        return t.call("sum", t.call("to", t.call("ne", difference, 0), dtype), -3)
    size = t.call("abs", difference)
    if p == 1:
        return t.call("sum", size, -3)
    if math.isinf(p):
        return t.call("amax", size, -3)
    return t.call("pow", t.call("sum", t.call("pow", size, p), -3), 1 / p)


def _distances(t: TensorLanguage, x1: Any, x2: Any, p: float) -> Any:
    """Return the distances of all pairs of rows; of points without coordinates they are 0."""
    first, second = tensor_of(t, x1), tensor_of(t, x2)
    batch = broadcast_shapes(first.shape[:-2], second.shape[:-2])
    shape = (*batch, first.shape[-2], second.shape[-2])
    if not first.shape[-1] or not math.prod(shape):
        return t.call("zeros", shape, dtype=first.dtype, device=first.device)
    # Coordinates come first and pairs behind them, so that a vector holds neighbouring pairs.
    by_coordinate = t.call(
        "clone", t.call("transpose", x2, -2, -1), memory_format=contiguous_format
    )
    difference = t.call(
        "sub",
        t.call("unsqueeze", t.call("transpose", x1, -2, -1), -1),
        t.call("unsqueeze", by_coordinate, -2),
    )
    return t.call("clone", _norm(t, difference, p), memory_format=contiguous_format)


def _cdist(t: TensorLanguage, x1: Any, x2: Any, p: float, compute_mode: str) -> Any:
    if compute_mode not in _MODES:
        raise TrilithValueError(f"{compute_mode} is not a valid value for compute_mode")
    pair = (("X1", tensor_of(t, x1)), ("X2", tensor_of(t, x2)))
    for name, spec in pair:
        if not spec.dtype.is_floating_point:
            raise TrilithRuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {spec.dtype.c_name}"
            )
    for name, spec in pair:
        if spec.rank < 2:
            raise TrilithRuntimeError(
                f"cdist only supports at least 2D tensors, {name} got: {spec.rank}D"
            )
    (_, first), (_, second) = pair
    if first.shape[-1] != second.shape[-1]:
        raise TrilithRuntimeError(
            "X1 and X2 must have the same number of columns. "
            f"X1: {first.shape[-1]} X2: {second.shape[-1]}"
        )
    if not p >= 0:
        raise TrilithRuntimeError("cdist only supports non-negative p values")
    _check_measured("cdist", first.dtype)
    if second.dtype is not first.dtype:
        raise TrilithRuntimeError(
            f"expected scalar type {first.dtype.c_name} but found {second.dtype.c_name}"
        )
    return _distances(t, x1, x2, p)


def _check_measured(name: str, dtype: DType) -> None:
    check_dtype(name, dtype, _MEASURED)


def _pdist(t: ValueLanguage, input: Any, p: float) -> Any:
    spec = tensor_of(t, input)
    if spec.rank != 2:
        raise TrilithRuntimeError(f"pdist only supports 2D tensors, got: {spec.rank}D")
    if not spec.dtype.is_floating_point:
        raise TrilithRuntimeError("pdist only supports floating-point dtypes")
    if not p >= 0:
        raise TrilithRuntimeError("pdist only supports non-negative p values")
    _check_measured("pdist", spec.dtype)
    count = spec.shape[0]
    first, second = np.triu_indices(count, 1)
    places = t.call("to", t.tensor(first * count + second), spec.device)
    return t.call("take", t.call("cdist", input, input, p), places)


composite(
    "cdist(Tensor x1, Tensor x2, float p=2.0, "
    "str compute_mode='use_mm_for_euclid_dist_if_necessary')",
    "The distances of all rows of x1 from all rows of x2, in the p-norm.",
    "tri.cdist(tri.tensor([[0., 0.]]), tri.tensor([[3., 4.], [0., 1.]]))  # tensor([[5., 1.]])",
    _cdist,
    methods=(),
    gradient=OF_CDIST,
)
TABLE.add(
    HostOp(
        "pdist(Tensor input, float p=2.0)",
        "The distances of all pairs of rows of a matrix, in the p-norm.",
        "tri.pdist(tri.tensor([[0., 0.], [3., 4.], [0., 1.]]))  # tensor([5.0000, 1.0000, 4.2426])",
        _pdist,
        methods=(),
        gradient=by_steps("PdistBackward0", "input"),
        places=("nn.functional.pdist",),
    )
)
