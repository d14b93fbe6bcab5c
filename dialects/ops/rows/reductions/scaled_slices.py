"""Which operations bring a tensor to a norm or to a shape? renorm and sum_to_size."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.memory_format import contiguous_format
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TensorLanguage
from ...frame.rules import FIELDS, compute_dtype
from ...frame.view_rows import tensor_of

#: What PyTorch adds to a norm that it divides by.
_EPSILON = 1e-7


def _norm(t: TensorLanguage, value: Any, p: float, dims: tuple[int, ...]) -> Any:
    """Return the p-norm along dims, which stay with size 1."""
    size = t.call("abs", value)
    if math.isinf(p):
        return t.call("amax", size, dims, keepdim=True)
    if p == 1:
        return t.call("sum", size, dims, keepdim=True)
    if p == 2:
        return t.call("sqrt", t.call("sum", t.call("mul", size, size), dims, keepdim=True))
    return t.call("pow", t.call("sum", t.call("pow", size, p), dims, keepdim=True), 1 / p)


def _renorm(t: TensorLanguage, input: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    for name, number in (("p", p), ("maxnorm", maxnorm)):
        if isinstance(number, complex):
            raise TrilithRuntimeError(f"renorm: {name} must be real-valued")
    if p <= 0:
        raise TrilithRuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise TrilithRuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    spec = tensor_of(t, input)
    if spec.rank < 2:
        raise TrilithRuntimeError(
            f"renorm: input needs at least 2 dimensions, got {spec.rank} dimensions"
        )
    dim = wrap_dim(dim, spec.rank)
    if spec.dtype not in FIELDS:
        raise TrilithRuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{spec.dtype.c_name}"
        )
    if not spec.numel:
        return t.call("clone", input, memory_format=contiguous_format)
    wide = t.call("to", input, compute_dtype(spec.dtype))
    norm = _norm(t, wide, p, tuple([other for other in range(spec.rank) if other != dim]))
    shrunk = t.call("div", maxnorm, t.call("add", norm, _EPSILON))
    factor = t.call("where", t.call("gt", norm, maxnorm), shrunk, 1.0)
    result = t.call("to", t.call("mul", wide, factor), spec.dtype)
    return t.call("clone", result, memory_format=contiguous_format)


def _sum_to_size(t: TensorLanguage, input: Any, size: tuple[int, ...]) -> Any:
    shape = tensor_of(t, input).shape
    if not size:
        return t.call("sum", input)
    leading = len(shape) - len(size)
    kept = shape[max(leading, 0) :]
    if leading < 0 or any(
        wanted not in (1, found) for wanted, found in zip(size, kept, strict=True)
    ):
        raise TrilithRuntimeError(
            f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}."
        )
    summed = list(range(leading))
    for dim, (wanted, found) in enumerate(zip(size, kept, strict=True)):
        if wanted != found:
            summed.append(leading + dim)
    if not summed:
        return t.call("alias", input)
    total = t.call("sum", input, tuple(summed), keepdim=True)
    return t.call("view", total, size) if leading else total


composite(
    "renorm(Tensor input, Number p, int dim, Number maxnorm)",
    "The slices along a dim, those whose p-norm is above maxnorm brought down to it.",
    "tri.renorm(tri.tensor([[3., 4.], [0., 1.]]), 2, 0, 2.5)  # tensor([[1.5000, 2.0000],\n"
    "#         [0.0000, 1.0000]])",
    _renorm,
    in_place=("renorm_",),
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "sum_to_size(Tensor input, int[]* size)",
    "The sums over all dims that a tensor of the given size would be repeated along.",
    "tri.ones(2, 3).sum_to_size(3)  # tensor([2., 2., 2.])",
    _sum_to_size,
    is_public=False,
    torch_name="Tensor.sum_to_size",
)
