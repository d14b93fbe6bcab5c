"""Which operations normalise the last dims? layer_norm and rms_norm; what all norms compute with.

Each looks at its elements three times: for the mean, for the mean of the squared distances from
it, and for the result. Narrow floats are widened once and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ....attributes.c_types import c_type
from ....attributes.dtype import DType, float64
from ....attributes.memory_format import MemoryFormat, contiguous_format
from ....attributes.strides import suggest_memory_format
from ....diagnostics import TrilithRuntimeError, TrilithTypeError
from ....frames import WARNED, warn_once
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.parameters import check_parameters
from ...frame.row import TensorLanguage
from ...frame.rules import FIELDS, FLOATS, check_dtype, compute_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from .softmax import cast_to, in_format


class Moments(NamedTuple):
    """Statistics of elements over some dims, which are kept with size 1, as they are computed."""

    centred: Any
    mean: Any
    variance: Any


def moments_of(t: TensorLanguage, wide: Any, dims: Sequence[int]) -> Moments:
    """Return the distances of elements from their mean, the mean, and the biased variance."""
    mean = t.call("mean", wide, tuple(dims), True)
    centred = t.call("sub", wide, mean)
    variance = t.call("mean", t.call("mul", centred, centred), tuple(dims), True)
    return Moments(centred, mean, variance)


def inverse_deviation(t: TensorLanguage, variance: Any, eps: float) -> Any:
    """Return what distances are multiplied by: 1 / sqrt(variance + eps)."""
    return t.call("rsqrt", t.call("add", variance, eps))


def affine(t: TensorLanguage, value: Any, weight: Any, bias: Any) -> Any:
    """Return value * weight + bias, either of which may be None."""
    dtype = tensor_of(t, value).dtype
    if weight is not None:
        value = t.call("mul", value, cast_to(t, weight, dtype))
    if bias is not None:
        value = t.call("add", value, cast_to(t, bias, dtype))
    return value


def packed(t: TensorLanguage, value: Any, memory_format: MemoryFormat = contiguous_format) -> Any:
    """Return a tensor in a memory format, also one without elements, which counts as in any."""
    if tensor_of(t, value).numel:
        return in_format(t, value, memory_format)
    return t.call("clone", value, memory_format=memory_format)  # whose gradient is known


# ---- over the last dims


def _check_layer(t: TensorLanguage, input: Any, sizes: Sequence[int], star: str) -> list[int]:
    """Refuse a shape that is not that of the last dims; return the dims."""
    spec = tensor_of(t, input)
    if not sizes:
        raise TrilithRuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    first = spec.rank - len(sizes)
    if first < 0 or spec.shape[first:] != tuple(sizes):
        inside = ", ".join(map(str, sizes))
        raise TrilithRuntimeError(
            f"Given normalized_shape={list(sizes)}, expected input with shape [{star}{inside}], "
            f"but got input of size{list(spec.shape)}"
        )
    return list(range(first, spec.rank))


def _check_shape(t: TensorLanguage, name: str, value: Any, sizes: Sequence[int]) -> None:
    if value is not None and tensor_of(t, value).shape != tuple(sizes):
        raise TrilithRuntimeError(
            f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
            f"{list(tensor_of(t, value).shape)} and normalized_shape = {list(sizes)}"
        )


def _native_layer_norm(
    t: TensorLanguage, input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float
) -> Any:
    _check_shape(t, "weight", weight, normalized_shape)
    _check_shape(t, "bias", bias, normalized_shape)
    dims = _check_layer(t, input, normalized_shape, "*, ")
    dtype = tensor_of(t, input).dtype
    kept = check_parameters(t, dtype, (weight, bias))
    check_dtype("layer_norm", dtype, FLOATS)
    wide = cast_to(t, input, compute_dtype(dtype))
    centred, mean, variance = moments_of(t, wide, dims)
    if 0 in normalized_shape:
        # Of no elements PyTorch's mean is 0, the deviation nothing.
        mean = t.call("zeros_like", mean)
    scale = inverse_deviation(t, variance, eps)
    result = cast_to(t, affine(t, t.call("mul", centred, scale), weight, bias), dtype)
    found = (result, cast_to(t, mean, kept), cast_to(t, scale, kept))
    return tuple(packed(t, item) for item in found)


def _layer_norm(
    t: TensorLanguage,
    input: Any,
    normalized_shape: Any,
    weight: Any,
    bias: Any,
    eps: float,
    cudnn_enable: bool = True,
) -> Any:
    return _native_layer_norm(t, input, normalized_shape, weight, bias, eps)[0]


def _rms_norm(
    t: TensorLanguage, input: Any, normalized_shape: Any, weight: Any, eps: float | None
) -> Any:
    _check_shape(t, "weight", weight, normalized_shape)
    dims = _check_layer(t, input, normalized_shape, "*")
    dtype = tensor_of(t, input).dtype
    if weight is not None and tensor_of(t, weight).dtype is not dtype:
        _warn_of_dtypes(dtype, tensor_of(t, weight).dtype)
    check_dtype("rms_norm", dtype, FIELDS)
    wide = cast_to(t, input, compute_dtype(dtype))
    squares = t.call("mean", t.call("mul", wide, wide), tuple(dims), True)
    scale = inverse_deviation(t, squares, _epsilon(dtype) if eps is None else eps)
    result = t.call("mul", wide, scale)
    if weight is not None:
        result = t.call("mul", result, weight)
    # The strides of dims of one element are those of a product here, as in PyTorch.
    result, spec = cast_to(t, result, dtype), tensor_of(t, input)
    memory_format = suggest_memory_format(spec.shape, spec.strides)
    return t.call("contiguous", result, memory_format=memory_format)


_MISMATCH = "Mismatch dtype between input and weight: "


def _warn_of_dtypes(dtype: DType, other: DType) -> None:
    """Give PyTorch's warning, once in the life of the process for all dtypes."""
    if not any(text.startswith(_MISMATCH) for text in WARNED):
        warn_once(
            f"{_MISMATCH}input dtype = {c_type(dtype)}, weight dtype = {c_type(other)}, "
            "Cannot dispatch to fused implementation."
        )


def _epsilon(dtype: DType) -> float:
    """Return the distance from 1 to the next number, of the dtype that is computed in."""
    return 2.0**-52 if compute_dtype(dtype).to_real() is float64 else 2.0**-23


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse one integer where a shape is wanted."""
    given = arguments[1] if len(arguments) > 1 else keywords.get("normalized_shape", ())
    if not isinstance(given, (tuple, list)):
        raise TrilithTypeError(
            f"{schema.name}(): argument 'normalized_shape' (position 2) must be tuple of ints, "
            f"not {type(given).__name__}"
        )
    return schema.bind(arguments, keywords)


composite(
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05, bool cudnn_enable=True)",
    "The elements of the last dims less their mean, divided by their standard deviation; then "
    "scaled and moved by parameters.",
    "tri.layer_norm(tri.tensor([1., 3.]), (2,))  # tensor([-1.0000,  1.0000])",
    _layer_norm,
    methods=(),
    places=("nn.functional.layer_norm",),
    binder=_bind,
    opens_integers=True,
    gradient=by_steps("NativeLayerNormBackward0", "input", "weight", "bias"),
)
composite(
    "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, "
    "float eps)",
    "The layer norm, the means, and what the distances were multiplied by.",
    "tri.native_layer_norm(tri.tensor([1., 3.]), (2,), None, None, 0.)"
    "  # (tensor([-1.,  1.]), tensor([2.]), tensor([1.]))",
    _native_layer_norm,
    methods=(),
    has_out=True,
    returns="tuple[Tensor, ...]",
    binder=_bind,
    opens_integers=True,
    gradient=by_steps(
        *("NativeLayerNormBackward0", "input", "weight", "bias"), constant_results=(1, 2)
    ),
)
composite(
    "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)",
    "The elements of the last dims, divided by the root of the mean of their squares; then scaled.",
    "tri.rms_norm(tri.tensor([3., 4.]), (2,), eps=0.)  # tensor([0.8485, 1.1314])",
    _rms_norm,
    methods=(),
    places=("nn.functional.rms_norm",),
    binder=_bind,
    opens_integers=True,
)
