"""Which layers are products with weights? linear and bilinear."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import compute_dtype
from ...frame.view_rows import tensor_of
from .products import product_unrounded


def _linear(t: TensorLanguage, input: Any, weight: Any, bias: Any) -> Any:
    spec, factor = tensor_of(t, input), tensor_of(t, weight)
    if not spec.rank or not factor.rank:
        raise TrilithRuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{spec.rank}D and {factor.rank}D"
        )
    turned = t.call("t", weight)
    if bias is None:
        return t.call("matmul", input, turned)
    if factor.rank == 1 and not tensor_of(t, bias).rank:
        return t.call("add", t.call("matmul", input, turned), bias)
    if spec.rank == 2:
        return t.call("addmm", bias, input, turned)
    rows = t.call("reshape", input, (math.prod(spec.shape[:-1]), spec.shape[-1]))
    result = t.call("addmm", bias, rows, turned)
    return t.call("view", result, (*spec.shape[:-1], tensor_of(t, result).shape[-1]))


composite(
    "linear(Tensor input, Tensor weight, Tensor? bias=None)",
    "The product of the last dim with a matrix of weights, and a bias added: "
    "input @ weight.T + bias.",
    "tri.nn.functional.linear(tri.ones(1, 2), tri.tensor([[1., 2.]]), tri.tensor([4.]))"
    "  # tensor([[7.]])",
    _linear,
    methods=(),
    is_public=False,
    has_out=True,
    places=("nn.functional.linear",),
)


def _refusal(text: str) -> TrilithRuntimeError:
    return TrilithRuntimeError(f"bilinear(): {text}")


def _check_bilinear(first: TensorSpec, second: TensorSpec, weight: TensorSpec) -> None:
    if not first.dtype is second.dtype is weight.dtype:
        raise TrilithRuntimeError(
            f"All tensors must have the same dtype, got input1: {c_type(first.dtype)}, input2: "
            f"{c_type(second.dtype)}, weight: {c_type(weight.dtype)}"
        )
    if first.rank != second.rank:
        raise _refusal(f"input dimensions do not match: got {first.rank} and {second.rank}")
    for dim in range(first.rank - 1):
        if first.shape[dim] != second.shape[dim]:
            raise _refusal(
                f"input batch dimensions do not match at dim {dim}: got {first.shape[dim]} and "
                f"{second.shape[dim]}"
            )
    for number, spec in ((1, first), (2, second)):
        if spec.shape[-1] != weight.shape[wrap_dim(number, weight.rank)]:
            raise _refusal(
                f"input{number} size does not match weight size: got {spec.shape[-1]} but "
                f"expected {weight.shape[number]}"
            )


def _bilinear(t: TensorLanguage, input1: Any, input2: Any, weight: Any, bias: Any) -> Any:
    """Multiply the first input with all weights, then each row of that with the second input."""
    first, second, factor = (tensor_of(t, value) for value in (input1, input2, weight))
    _check_bilinear(first, second, factor)
    count = math.prod(first.shape[:-1])
    width, left, right = factor.shape
    if bias is not None and tensor_of(t, bias).shape != (width,):
        size = tensor_of(t, bias).shape[0]
        raise _refusal(f"bias size does not match weight size: got {size} but expected {width}")
    wide = compute_dtype(first.dtype)
    rows = t.call("reshape", input1, (count, left))
    merged = t.call("reshape", t.call("transpose", weight, 0, 1), (left, width * right))
    products = t.call("view", product_unrounded(t, rows, merged), (count, width, right))
    column = t.call("to", t.call("reshape", input2, (count, right, 1)), wide)
    result = t.call("view", t.call("matmul", products, column), (*first.shape[:-1], width))
    if bias is not None:
        result = t.call("add", result, bias)
    return t.call("to", result, first.dtype)


composite(
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)",
    "The products of two inputs with a matrix for each output: input1 @ weight[i] @ input2.",
    "tri.bilinear(tri.ones(1, 2), tri.ones(1, 2), tri.ones(1, 2, 2))  # tensor([[4.]])",
    _bilinear,
    methods=(),
    places=("nn.functional.bilinear",),
)
