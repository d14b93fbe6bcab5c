"""What is attention? Each query's mean of the values, weighted by how its key answers it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import DType, bool_, float32
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import laid_out, strided_of, tensor_of
from ...gradients.attention import OF_ATTENTION, is_fused, sees_nothing
from ..products.products import product_unrounded
from .loss_reductions import written
from .softmax import in_format


def _check(specs: Sequence[TensorSpec], mask: TensorSpec | None) -> None:
    query, key, value = specs
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
    if mask is not None:
        _check_mask(mask, query)


def _check_dtype(dtype: DType) -> None:
    if not dtype.is_floating_point and not dtype.is_complex:
        raise TrilithRuntimeError(f"expected scalar type Float but found {dtype.c_name}")
    check_dtype("softmax_lastdim_kernel_impl", dtype, FLOATS)


def _check_mask(mask: TensorSpec, query: TensorSpec) -> None:
    if mask.dtype not in (bool_, float32, query.dtype):
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
    mask = None if attn_mask is None else tensor_of(t, attn_mask)
    _check(specs, mask)
    first, dtype = specs[0], specs[0].dtype
    if sees_nothing(*(spec.shape for spec in specs)):
        return _zeros(t, (query, key, value))
    _check_dtype(dtype)
    fused = is_fused(
        [strided_of(spec) for spec in specs],
        None if mask is None else mask.shape,
        dropout_p=dropout_p,
        enable_gqa=enable_gqa,
    )
    if is_causal and mask is not None and not fused:
        raise TrilithRuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    if enable_gqa and first.rank > 2:
        key, value = (_repeated(t, item, first.shape[-3]) for item in (key, value))
    factor = 1 / math.sqrt(first.shape[-1] or 1) if scale is None else scale
    scores = t.call("mul", product_unrounded(t, query, t.call("transpose", key, -2, -1)), factor)
    if attn_mask is not None:
        scores = _masked(t, scores, attn_mask)
    if is_causal:
        scores = _causal(t, scores)
    weights = _weights(t, scores)
    if dropout_p:
        weights = t.call("dropout", weights, dropout_p, train=True)
    wide = t.call("to", value, compute_dtype(dtype))
    result = t.call("to", t.call("matmul", weights, wide), dtype)
    return _like(t, result, first) if fused else in_format(t, result)


def _zeros(t: TensorLanguage, operands: tuple[Any, Any, Any]) -> Any:
    """Return zeros that come of all operands, as PyTorch does, so that each has a gradient."""
    query, _, value = (tensor_of(t, operand) for operand in operands)
    first, second, third = (t.call("sum", operand) for operand in operands)
    nothing = t.call("mul", t.call("add", t.call("add", first, second), third), 0)
    shape = *query.shape[:-1], value.shape[-1]
    return t.call("add", t.call("zeros", shape, dtype=query.dtype, device=query.device), nothing)


def _masked(t: TensorLanguage, scores: Any, mask: Any) -> Any:
    if tensor_of(t, mask).dtype is bool_:
        mask = t.call("where", mask, 0.0, -math.inf)
    return written(t, "add", scores, mask)


def _causal(t: TensorLanguage, scores: Any) -> Any:
    """Hide from each query the keys behind it."""
    spec = tensor_of(t, scores)
    rows, columns = (t.call("arange", size, device=spec.device) for size in spec.shape[-2:])
    is_seen = t.call("le", columns, t.call("unsqueeze", rows, 1))
    return t.call("where", is_seen, scores, -math.inf)


def _weights(t: TensorLanguage, scores: Any) -> Any:
    """Return the softmax of the last dim; where nothing is seen, zeros."""
    is_blind = t.call("eq", t.call("amax", scores, (-1,), keepdim=True), -math.inf)
    return t.call("where", is_blind, 0.0, t.call("softmax", scores, -1))


def _like(t: TensorLanguage, result: Any, query: TensorSpec) -> Any:
    """Give a result the layout of a new tensor like the query, as PyTorch's fused kernel does."""
    strides = preserve_strides(query.shape, query.strides)
    order = sorted(range(query.rank), key=lambda dim: (-strides[dim], -query.shape[dim]))
    inverse = tuple([order.index(dim) for dim in range(query.rank)])
    packed = t.call("permute", result, tuple(order))
    packed = t.call("clone", packed, memory_format=contiguous_format)
    return laid_out(t, t.call("permute", packed, inverse), strides)


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
