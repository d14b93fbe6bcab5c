"""Which product sums over dims that it is told? tensordot, as the product of two matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ....attributes.dtype import DType
from ....attributes.spec import TensorSpec
from ....attributes.strides import is_contiguous
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError, TrilithTypeError
from ...frame.opspec import composite
from ...frame.overloads import is_tensor
from ...frame.row import TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of

Ints = tuple[int, ...]


def _tensordot(t: TensorLanguage, input: Any, other: Any, dims_self: Ints, dims_other: Ints) -> Any:
    if len(dims_self) != len(dims_other):
        raise TrilithRuntimeError("both dimension lists should have same length")
    first, second = tensor_of(t, input), tensor_of(t, other)
    if first.dtype is not second.dtype:
        raise TrilithRuntimeError("both inputs should have same dtype")
    for left, right in zip(dims_self, dims_other, strict=True):
        size, facing = first.shape[left], second.shape[right]
        if size == facing:
            continue
        if facing == 1:
            input = t.call("sum", input, left, keepdim=True, dtype=first.dtype)
        elif size == 1:
            other = t.call("sum", other, right, keepdim=True, dtype=first.dtype)
        else:
            raise TrilithRuntimeError(
                f"contracted dimensions need to match, but first has size {size} in dim {left} "
                f"and second has size {facing} in dim {right}"
            )
    if first.rank == second.rank == len(dims_self) == 1:
        return t.call("dot", input, other)
    summed = tuple([wrap_dim(dim, first.rank) for dim in dims_self])
    facing_dims = tuple([wrap_dim(dim, second.rank) for dim in dims_other])
    if all(size == 1 for size in (*_kept(first, summed)[1], *_kept(second, facing_dims)[1])):
        return _only_sum(t, input, other, summed, facing_dims)
    rows, left = _as_matrix(t, input, summed, is_left=True)
    columns, right = _as_matrix(t, other, facing_dims, is_left=False)
    return t.call("reshape", t.call("mm", left, right), rows + columns)


def _only_sum(t: TensorLanguage, input: Any, other: Any, summed: Ints, facing: Ints) -> Any:
    """Return the only sum of products: of vectors, where tensors are such as they lie."""
    (rows, sizes), (columns, more_sizes) = (
        _kept(tensor_of(t, value), dims) for value, dims in ((input, summed), (other, facing))
    )
    left, right = (
        t.call("permute", input, rows + summed),
        t.call("permute", other, facing + columns),
    )
    specs = [tensor_of(t, each) for each in (left, right)]
    if all(is_contiguous(spec.shape, spec.strides) for spec in specs):
        result = t.call("dot", *(t.call("reshape", each, (-1,)) for each in (left, right)))
    else:
        products = t.call("mul", *(t.call("squeeze", each) for each in (left, right)))
        result = t.call("sum", products, dtype=tensor_of(t, input).dtype)
    return t.call("reshape", result, sizes + more_sizes)


def _kept(spec: TensorSpec, summed: Ints) -> tuple[Ints, Ints]:
    """Return the dims that are not summed, and their sizes."""
    dims = tuple([dim for dim in range(spec.rank) if dim not in summed])
    return dims, tuple([spec.shape[dim] for dim in dims])


def _as_matrix(t: TensorLanguage, value: Any, summed: Ints, *, is_left: bool) -> tuple[Ints, Any]:
    """Merge the dims that are summed and those that are kept; with the sizes of the latter."""
    spec = tensor_of(t, value)
    shape = spec.shape
    kept, sizes = _kept(spec, summed)
    merged = (math.prod(sizes), math.prod(shape[dim] for dim in summed))
    order = kept + summed if is_left else summed + kept
    return sizes, t.call(
        "reshape", t.call("permute", value, order), merged[:: 1 if is_left else -1]
    )


_DIMS = (
    "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing "
    "two lists, but got dims="
)


def _bind_tensordot(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Read a call: two tensors, and how many dims are summed over or which."""
    names = ("a", "b", "dims")
    given = dict(zip(names, arguments, strict=False)) | dict(keywords)
    if len(arguments) > len(names) or not given.keys() <= set(names):
        return schema.bind(arguments, keywords)
    left, right, dims = given.get("a"), given.get("b"), given.get("dims", 2)
    if left is None or right is None:
        missing = "a" if left is None else "b"
        raise TrilithTypeError(f"tensordot() missing a required argument: '{missing}'")
    if is_tensor(dims):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        pair = cast("Sequence[Any]", dims)
        if len(pair) != 2:
            raise TrilithRuntimeError(f"{_DIMS}{pair}")
        return schema.bind((left, right, *pair), {})
    if isinstance(dims, float) or not hasattr(dims, "__index__"):
        raise TrilithRuntimeError(f"{_DIMS}{dims}")
    if dims < 0:
        raise TrilithRuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(len(left.shape), len(right.shape)):
        raise TrilithRuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return schema.bind((left, right, tuple(range(-dims, 0)), tuple(range(dims))), {})


def _tensordot_out(result: DType, out: DType) -> None:
    """Refuse another dtype as tensordot does."""
    if out is not result:
        raise TrilithRuntimeError(
            f"tensordot: Expected the output tensor to have dtype {result.c_name}, but got an "
            f"output tensor with dtype {out.c_name}"
        )


composite(
    "tensordot(Tensor input, Tensor other, int[] dims_self, int[] dims_other)",
    "The sums of products over some dims of two tensors, for all pairs of the others; dims says "
    "how many of the last and first dims these are, or which.",
    "tri.tensordot(tri.ones(2, 3), tri.ones(3, 2), dims=1)  # tensor([[3., 3.],\n"
    "#         [3., 3.]])",
    _tensordot,
    methods=(),
    binder=_bind_tensordot,
    forms=(
        "tensordot(Tensor input, Tensor other, int[] dims_self, int[] dims_other)",
        "tensordot(Tensor a, Tensor b, int dims=2)",
        "tensordot(Tensor a, Tensor b, int[] dims)",
    ),
    has_out=True,
    refuse_out=_tensordot_out,
)
