"""Which operations normalise channels? batch_norm over all examples, instance_norm over each.

While a network is trained, statistics of the elements are used, and running ones, which are
arguments, are brought up to date in place. So the functions are rows that write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ....attributes.dtype import DType, bfloat16
from ....attributes.memory_format import channels_last, channels_last_3d, contiguous_format
from ....attributes.strides import is_contiguous, suggest_memory_format
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ...frame.gradients import by_steps
from ...frame.indexed import HostOp, WritingLanguage
from ...frame.opspec import composite
from ...frame.parameters import check_parameters
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from .group_norms import beside_channels, check_more_than_one
from .norms import affine, inverse_deviation, moments_of, packed
from .softmax import cast_to, in_format

# ---- checks


def _check_sizes(t: TensorLanguage, channels: int, times: int, parameters: dict[str, Any]) -> None:
    for name, value in parameters.items():
        if value is not None and tensor_of(t, value).numel != channels:
            raise TrilithRuntimeError(
                f"{name} should contain {channels * times} elements not "
                f"{tensor_of(t, value).numel * times}"
            )


def _check(
    t: TensorLanguage,
    input: Any,
    running: tuple[Any, Any],
    parameters: tuple[Any, Any],
    training: bool,
    times: int = 1,
) -> None:
    """Refuse arguments whose sizes or dtypes do not go together.

    PyTorch counts channels so many `times`: those of every example where each is normalised alone.
    """
    spec = tensor_of(t, input)
    for name, value in zip(("running_mean", "running_var"), running, strict=True):
        if value is None and not training:
            raise TrilithRuntimeError(f"{name} must be defined in evaluation mode")
    names = ("running_mean", "running_var", "weight", "bias")
    given: dict[str, Any] = dict(zip(names, (*running, *parameters), strict=True))
    _check_sizes(t, spec.shape[1] if spec.rank > 1 else 0, times, given)
    wrap_dim(1, spec.rank)
    if (running[0] is None) is not (running[1] is None):
        raise TrilithValueError(
            "running_mean and running_var must either both be None or neither be None"
        )
    check_dtype("batch_norm", spec.dtype, FLOATS)


# ---- values


def _normalised(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    eps: float,
    dims: Sequence[int],
    kept: DType,
) -> tuple[Any, Any, Any, Any]:
    """Return the result, the mean, the unbiased variance, and the inverse deviation.

    They are over some dims, which the statistics keep with size 1, in the dtype computed in. As in
    PyTorch the mean and the inverse deviation are `kept` in a dtype before they are used on the
    elements, and bfloat16 before anything else is made of them.
    """
    spec = tensor_of(t, input)
    dtype = compute_dtype(spec.dtype)
    wide = cast_to(t, input, dtype)
    centred, mean, variance = moments_of(t, wide, dims)
    count = prod(spec.shape[dim] for dim in dims)
    total = t.call("mul", variance, float(count))
    # Of one element it is NaN, as nothing is divided by nothing.
    if kept is bfloat16:
        mean, total = (_rounded(t, item, kept) for item in (mean, total))
        variance = _rounded(t, t.call("true_divide", total, float(count)), kept)
    unbiased = t.call("true_divide", total, float(count - 1))
    if kept is bfloat16:
        unbiased = _rounded(t, unbiased, kept)
    scale = inverse_deviation(t, variance, eps)
    if kept is not dtype:
        shift = _rounded(t, mean, kept)
        centred, factor = t.call("sub", wide, shift), _rounded(t, scale, kept)
    else:
        factor = scale
    value = affine(
        t,
        t.call("mul", centred, factor),
        beside_channels(t, weight, spec.rank),
        beside_channels(t, bias, spec.rank),
    )
    return cast_to(t, value, spec.dtype), mean, unbiased, scale


def _rounded(t: TensorLanguage, value: Any, dtype: DType) -> Any:
    """Return a value as a narrower dtype holds it, in its own."""
    return cast_to(t, cast_to(t, value, dtype), tensor_of(t, value).dtype)


def _by_running(
    t: TensorLanguage,
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    eps: float,
) -> Any:
    """Return the result by statistics that are given."""
    spec = tensor_of(t, input)
    dtype = compute_dtype(spec.dtype)
    mean, variance, weight, bias = (
        beside_channels(t, None if item is None else cast_to(t, item, dtype), spec.rank)
        for item in (running_mean, running_var, weight, bias)
    )
    centred = t.call("sub", cast_to(t, input, dtype), mean)
    scale = inverse_deviation(t, variance, eps)
    return cast_to(t, affine(t, t.call("mul", centred, scale), weight, bias), spec.dtype)


def _updated(t: TensorLanguage, running: Any, fresh: Any, momentum: float) -> Any:
    """Return a running statistic, moved towards a fresh one by a share of the way."""
    kept = t.call("mul", cast_to(t, running, tensor_of(t, fresh).dtype), 1 - momentum)
    moved = t.call("add", t.call("mul", fresh, momentum), kept)
    return cast_to(t, moved, tensor_of(t, running).dtype)


# ---- over all examples


def _batch_statistics(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    momentum: float,
    eps: float,
) -> Any:
    """Return result, mean and inverse deviation, then the running statistics, if there are any."""
    spec = tensor_of(t, input)
    kept = check_parameters(t, spec.dtype, (weight, bias, running_mean, running_var))
    dims = (0, *range(2, spec.rank))
    value, mean, variance, scale = _normalised(t, input, weight, bias, eps, dims, kept)
    size = (spec.shape[1],)
    means, variances, scales = (t.call("reshape", item, size) for item in (mean, variance, scale))
    results = [value, cast_to(t, means, kept), cast_to(t, scales, kept)]
    if running_mean is not None:
        results += [
            _updated(t, running_mean, means, momentum),
            _updated(t, running_var, variances, momentum),
        ]
    return _in_format(t, input, results)


def _in_format(t: TensorLanguage, input: Any, results: Sequence[Any]) -> tuple[Any, ...]:
    """Lay the first result out as PyTorch does: packed, channels last if the input is."""
    spec = tensor_of(t, input)
    extent = spec.shape, spec.strides
    memory_format = suggest_memory_format(*extent)
    if is_contiguous(*extent):
        memory_format = contiguous_format
    elif spec.rank in (4, 5):
        # Dims of one element say nothing here, where they do elsewhere.
        last = channels_last if spec.rank == 4 else channels_last_3d
        memory_format = last if is_contiguous(*extent, last) else memory_format
    return packed(t, results[0], memory_format), *results[1:]


composite(
    "batch_statistics(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, float momentum, float eps)",
    "What batch_norm computes and writes while a network is trained.",
    "tri.batch_norm(tri.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0., False)"
    "  # tensor([[-1.],\n#         [ 1.]])",
    _batch_statistics,
    methods=(),
    is_public=False,
    returns="tuple[Tensor, ...]",
    gradient=by_steps(
        *("NativeBatchNormBackward0", "input", "weight", "bias"), constant_results=(1, 2, 3, 4)
    ),
)


def _batch_inference(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    eps: float,
) -> Any:
    value = _by_running(t, input, running_mean, running_var, weight, bias, eps)
    return _in_format(t, input, [value])[0]


composite(
    "batch_inference(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, "
    "Tensor running_var, float eps)",
    "What batch_norm computes when a network is used.",
    "tri.batch_norm(tri.ones(2, 1), None, None, tri.ones(1), tri.ones(1), False, 0.1, 0., False)"
    "  # tensor([[0.],\n#         [0.]])",
    _batch_inference,
    methods=(),
    is_public=False,
    gradient=by_steps("NativeBatchNormBackward0", "input", "weight", "bias"),
)


def _native_batch_norm(
    t: WritingLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    running = (running_mean, running_var)
    spec = tensor_of(t, input)
    if training and not spec.numel:
        raise TrilithRuntimeError(
            f"input tensor must have at least one element, but got input_sizes = {list(spec.shape)}"
        )
    _check(t, input, running, (weight, bias), training)
    dtype = check_parameters(t, spec.dtype, (weight, bias, *running))
    if not training:
        value = t.call("batch_inference", input, weight, bias, *running, eps)
        return value, *(t.call("new_empty", value, (0,), dtype=dtype) for _ in range(2))
    results = t.call("batch_statistics", input, weight, bias, *running, momentum, eps)
    for target, value in zip(running, results[3:], strict=False):
        t.store(target, value)
    return results[:3]


def _batch_norm(
    t: WritingLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = True,
) -> Any:
    if not tensor_of(t, input).numel:
        return _of_nothing(t, input, weight, bias)
    found = _native_batch_norm(
        t, input, weight, bias, running_mean, running_var, training, momentum, eps
    )
    return found[0]


def _of_nothing(t: TensorLanguage, input: Any, weight: Any, bias: Any) -> Any:
    """Return what batch_norm gives for no elements: a copy, promoted by the parameters."""
    result = t.call("clone", input) if tensor_of(t, input).rank > 1 else packed(t, input)
    if weight is not None:
        result = t.call("mul", result, t.call("select", weight, 0, 0))
    return result if bias is None else t.call("add", result, t.call("select", bias, 0, 0))


def _checked_batch_norm(
    t: WritingLanguage,
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    spec = tensor_of(t, input)
    if training:
        check_more_than_one(spec.shape, _shown(spec.shape))
    if training and eps <= 0.0:
        raise TrilithValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise TrilithValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return _batch_norm(t, input, weight, bias, running_mean, running_var, training, momentum, eps)


def _shown(shape: Sequence[int]) -> str:
    return f"trilith.Size({list(shape)})"


# ---- over each example


def _instance_statistics(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    momentum: float,
    eps: float,
) -> Any:
    """Return the result, then the running statistics, if there are any: means over the examples."""
    spec = tensor_of(t, input)
    kept = check_parameters(t, spec.dtype, (weight, bias))
    dims = range(2, spec.rank)
    value, mean, variance, _ = _normalised(t, input, weight, bias, eps, dims, kept)
    results = [packed(t, value)]
    if running_mean is not None:
        shape = spec.shape[:2]
        means, variances = (t.call("reshape", item, shape) for item in (mean, variance))
        for running, fresh in ((running_mean, means), (running_var, variances)):
            # Every example has one of its own for a while.
            moved = _updated(t, cast_to(t, running, kept), fresh, momentum)
            results.append(cast_to(t, t.call("mean", moved, (0,)), tensor_of(t, running).dtype))
    return tuple(results)


composite(
    "instance_statistics(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, float momentum, float eps)",
    "What instance_norm computes and writes while a network is trained.",
    "tri.nn.functional.instance_norm(tri.tensor([[[1., 3.]]]), eps=0.)  # tensor([[[-1.,  1.]]])",
    _instance_statistics,
    methods=(),
    is_public=False,
    returns="tuple[Tensor, ...]",
)


def _instance_norm(
    t: WritingLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool = True,
) -> Any:
    running = (running_mean, running_var)
    if not use_input_stats and None in [item if item is None else 0 for item in running]:
        raise TrilithRuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    spec = tensor_of(t, input)
    wrap_dim(1, spec.rank)
    if not spec.numel:
        return packed(t, _of_nothing(t, input, weight, bias))
    _check(t, input, running, (weight, bias), use_input_stats, times=spec.shape[0])
    check_parameters(t, spec.dtype, (weight, bias))
    if not use_input_stats:
        value = t.call("batch_inference", input, weight, bias, *running, eps)
        return in_format(t, value)
    # Elements in no further dims are rows of one element.
    rows = input if spec.rank > 2 else t.call("unsqueeze", input, -1)
    results = t.call("instance_statistics", rows, weight, bias, *running, momentum, eps)
    for target, value in zip(running, results[1:], strict=False):
        t.store(target, value)
    return results[0] if rows is input else t.call("squeeze", results[0], -1)


def _checked_instance_norm(
    t: WritingLanguage,
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any,
    bias: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
) -> Any:
    shape = tensor_of(t, input).shape
    if use_input_stats and prod(shape[2:]) == 1:
        raise TrilithValueError(
            f"Expected more than 1 spatial element when training, got input size {_shown(shape)}"
        )
    return _instance_norm(
        t, input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps
    )


def _writing(
    signature: str, doc: str, example: str, expand: Callable[..., Any], **fields: Any
) -> None:
    TABLE.add(HostOp(signature, doc, example, expand, methods=(), **fields))


_BATCH = (
    "The elements of each channel less their mean, divided by their standard deviation, then "
    "scaled and moved; by running statistics if it is no training."
)
_INSTANCE = (
    "The elements of each channel of each example less their mean, divided by their standard "
    "deviation; then scaled and moved."
)
_STATISTICS = (
    "Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, "
)
_FUNCTIONAL = "Tensor? weight=None, Tensor? bias=None, "

_writing(
    f"native_batch_norm({_STATISTICS}bool training, float momentum, float eps)",
    "The batch norm, the means, and what the distances were multiplied by.",
    "tri.native_batch_norm(tri.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0.)[1:]"
    "  # (tensor([2.]), tensor([1.]))",
    _native_batch_norm,
    returns="tuple[Tensor, ...]",
)
_writing(
    f"batch_norm({_STATISTICS}bool training, float momentum, float eps, bool cudnn_enabled)",
    _BATCH,
    "tri.batch_norm(tri.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0., False)"
    "  # tensor([[-1.],\n#         [ 1.]])",
    _batch_norm,
)
_writing(
    "nn_functional_batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, "
    f"{_FUNCTIONAL}bool training=False, float momentum=0.1, float eps=1e-05)",
    _BATCH,
    "tri.nn.functional.batch_norm(tri.zeros(2, 1), tri.ones(1), tri.ones(1), eps=0.)"
    "  # tensor([[-1.],\n#         [-1.]])",
    _checked_batch_norm,
    is_public=False,
    places=("nn.functional.batch_norm",),
)
_writing(
    f"instance_norm({_STATISTICS}bool use_input_stats, float momentum, float eps, "
    "bool cudnn_enabled)",
    _INSTANCE,
    "tri.instance_norm(tri.tensor([[[1., 3.]]]), None, None, None, None, True, 0.1, 0., False)"
    "  # tensor([[[-1.,  1.]]])",
    _instance_norm,
)
_writing(
    "nn_functional_instance_norm(Tensor input, Tensor? running_mean=None, "
    f"Tensor? running_var=None, {_FUNCTIONAL}bool use_input_stats=True, float momentum=0.1, "
    "float eps=1e-05)",
    _INSTANCE,
    "tri.nn.functional.instance_norm(tri.tensor([[[1., 3.]]]), eps=0.)  # tensor([[[-1.,  1.]]])",
    _checked_instance_norm,
    is_public=False,
    places=("nn.functional.instance_norm",),
)
