"""What is attention? Each query's mean of the values, weighted by how its key answers it."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import bool_
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from ...gradients.attention import OF_ATTENTION
from ..products.products import product_unrounded


def _check(query: TensorSpec, key: TensorSpec, value: TensorSpec) -> None:
    if not query.dtype is key.dtype is value.dtype:
        raise TrilithRuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{c_type(query.dtype)} key.dtype: {c_type(key.dtype)} and value.dtype: "
            f"{c_type(value.dtype)} instead."
        )
    if min(query.rank, key.rank, value.rank) < 2:
        raise TrilithRuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.rank} key.dim: {key.rank} and value.dim: {value.rank} instead."
        )
    if not query.dtype.is_floating_point and not query.dtype.is_complex:
        raise TrilithRuntimeError(f"expected scalar type Float but found {query.dtype.c_name}")
    check_dtype("softmax_lastdim_kernel_impl", query.dtype, FLOATS)


def _check_mask(mask: TensorSpec, query: TensorSpec) -> None:
    if mask.dtype is not bool_ and mask.dtype is not query.dtype:
        raise TrilithRuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {c_type(mask.dtype)} and  query.dtype: {c_type(query.dtype)} "
            "instead."
        )


def _repeated(t: TensorLanguage, value: Any, heads: int) -> Any:
    """Return keys or values, each as often as there are queries' heads that share it."""
    found = tensor_of(t, value).shape[-3]
    if not found or heads % found:
        raise TrilithRuntimeError(
            "Number of heads in key and value must divide the number of heads in "
        )
    return t.call("repeat_interleave", value, heads // found, -3)


def _attend(
    t: TensorLanguage,
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> Any:
    specs = [tensor_of(t, operand) for operand in (query, key, value)]
    _check(*specs)
    first, dtype = specs[0], specs[0].dtype
    is_fused = _is_fused(t, first, attn_mask) and not dropout_p
    if is_causal and attn_mask is not None and not is_fused:
        raise TrilithRuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    if enable_gqa and first.rank > 2:
        key, value = (_repeated(t, item, first.shape[-3]) for item in (key, value))
    factor = 1 / math.sqrt(first.shape[-1] or 1) if scale is None else scale
    scores = t.call("mul", product_unrounded(t, query, t.call("transpose", key, -2, -1)), factor)
    if attn_mask is not None:
        scores = _masked(t, scores, attn_mask, first)
    if is_causal:
        scores = _causal(t, scores)
    weights = _weights(t, scores)
    if dropout_p:
        weights = t.call("dropout", weights, dropout_p, train=True)
    wide = t.call("to", value, compute_dtype(dtype))
    result = t.call("to", t.call("matmul", weights, wide), dtype)
    return _laid_out(t, result, specs, is_fused=is_fused)


def _is_fused(t: TensorLanguage, query: TensorSpec, mask: Any) -> bool:
    """Whether PyTorch takes its kernel for all steps at once, if nothing is dropped."""
    return query.rank == 4 and (mask is None or tensor_of(t, mask).rank in (2, 4))


def _masked(t: TensorLanguage, scores: Any, mask: Any, query: TensorSpec) -> Any:
    spec = tensor_of(t, mask)
    _check_mask(spec, query)
    if spec.dtype is bool_:
        return t.call("where", mask, scores, -math.inf)
    return t.call("add", scores, mask)


def _causal(t: TensorLanguage, scores: Any) -> Any:
    """Hide from each query the keys behind it."""
    spec = tensor_of(t, scores)
    rows, columns = (t.call("arange", size, device=spec.device) for size in spec.shape[-2:])
    is_seen = t.call("le", columns, t.call("unsqueeze", rows, 1))
    return t.call("where", is_seen, scores, -math.inf)


def _weights(t: TensorLanguage, scores: Any) -> Any:
    """Return the softmax of the last dim; where nothing is seen, zeros."""
    spec = tensor_of(t, scores)
    if not spec.numel:
        return scores
    is_blind = t.call("eq", t.call("amax", scores, (-1,), keepdim=True), -math.inf)
    return t.call("where", is_blind, 0.0, t.call("softmax", scores, -1))


def _laid_out(t: TensorLanguage, result: Any, specs: list[TensorSpec], *, is_fused: bool) -> Any:
    """Give a result the layout of the query if PyTorch's fused kernel does so: it `is_fused`."""
    spec, query = tensor_of(t, result), specs[0]
    is_fused = is_fused and spec.shape == query.shape
    is_fused = is_fused and all(
        item.rank == 4 and item.strides[-1] == 1 and 0 not in item.shape for item in specs
    )
    is_fused = is_fused and all(item.shape[::3] == query.shape[::3] for item in specs)
    order = list(range(spec.rank))
    if is_fused:
        order.sort(key=lambda dim: (-query.strides[dim], -query.shape[dim]))
    inverse = tuple([order.index(dim) for dim in range(spec.rank)])
    packed = t.call("permute", result, tuple(order))
    return t.call("permute", t.call("clone", packed, memory_format=contiguous_format), inverse)


composite(
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, "
    "Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, "
    "bool enable_gqa=False)",
    "softmax(query @ key.T * scale + attn_mask) @ value: each query's mean of the values, weighted "
    "by how its key answers it.",
    "tri.nn.functional.scaled_dot_product_attention(tri.ones(1, 2), tri.ones(2, 2), "
    "tri.tensor([[1.], [3.]]))  # tensor([[2.]])",
    _attend,
    methods=(),
    is_public=False,
    places=("nn.functional.scaled_dot_product_attention",),
    gradient=OF_ATTENTION,
)
