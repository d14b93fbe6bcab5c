"""Which operations normalise groups of the channels of one example? group_norm and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ....attributes.strides import is_contiguous, suggest_memory_format
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.parameters import check_parameters
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from .norms import affine, inverse_deviation, moments_of, packed
from .softmax import cast_to


def check_more_than_one(shape: Sequence[int], shown: object) -> None:
    """Refuse to take statistics of channels that have one value each; `shown` is the message's."""
    if shape[0] * prod(shape[2:]) == 1:
        raise TrilithValueError(
            f"Expected more than 1 value per channel when training, got input size {shown}"
        )


def beside_channels(t: TensorLanguage, parameter: Any, rank: int) -> Any:
    """Return a vector of channels as it is broadcast to a tensor whose dim 1 they are."""
    if parameter is None:
        return None
    for _ in range(rank - 2):
        parameter = t.call("unsqueeze", parameter, -1)
    return parameter


def _check_groups(
    t: TensorLanguage, input: Any, channels: int, groups: int, weight: Any, bias: Any
) -> None:
    shape = list(tensor_of(t, input).shape)
    if groups <= 0:
        raise TrilithRuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if channels % groups:
        raise TrilithRuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {shape} and num_groups={groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and tensor_of(t, value).shape != (channels,):
            # PyTorch shows the weight in both messages, if there is one.
            shown = value if weight is None else weight
            raise TrilithRuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {list(tensor_of(t, shown).shape)} and input of shape "
                f"{shape}"
            )


def _native_group_norm(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Any:
    spec = tensor_of(t, input)
    _check_groups(t, input, C, group, weight, bias)
    if spec.numel != N * C * HxW:
        raise _refuse("X.numel() == N * C * HxW")
    if not is_contiguous(spec.shape, spec.strides, suggest_memory_format(spec.shape, spec.strides)):
        raise _refuse("X.is_contiguous(memory_format)")
    is_plain = spec.shape[:2] == (N, C)
    shaped = input if is_plain else t.call("reshape", input, (N, C, HxW))
    parts = _by_groups(t, shaped, weight, bias, group, eps)
    return t.call("reshape", parts[0], spec.shape), *parts[1:]


def _refuse(condition: str) -> TrilithRuntimeError:
    return TrilithRuntimeError(
        f"Expected {condition} to be true, but got false.  (Could this error message be improved?  "
        "If so, please report an enhancement request to PyTorch.)"
    )


def _by_groups(
    t: TensorLanguage, input: Any, weight: Any, bias: Any, groups: int, eps: float
) -> tuple[Any, Any, Any]:
    """Return the normalised tensor, the means, and what distances were multiplied by.

    The channels are cut into dims of groups and of their parts, of parameters too: so nothing but
    views stands in front of the statistics and behind the result.
    """
    spec = tensor_of(t, input)
    kept = check_parameters(t, spec.dtype, (weight, bias))
    check_dtype("group_norm", spec.dtype, FLOATS)
    sizes = (groups, spec.shape[1] // groups)
    wide = cast_to(t, t.call("unflatten", input, 1, sizes), compute_dtype(spec.dtype))
    centred, mean, variance = moments_of(t, wide, range(2, spec.rank + 1))
    if not spec.numel:
        # Of no elements PyTorch's mean is 0, the deviation nothing.
        mean = t.call("mul", t.call("nan_to_num", mean), 0)
    scale = inverse_deviation(t, variance, eps)
    parameters = [
        None if item is None else beside_channels(t, t.call("unflatten", item, 0, sizes), spec.rank)
        for item in (weight, bias)
    ]
    result = cast_to(t, affine(t, t.call("mul", centred, scale), *parameters), spec.dtype)
    shape = (spec.shape[0], groups)
    statistics = [cast_to(t, t.call("reshape", item, shape), kept) for item in (mean, scale)]
    return t.call("flatten", result, 1, 2), statistics[0], statistics[1]


def _group_norm(
    t: TensorLanguage,
    input: Any,
    num_groups: int,
    weight: Any,
    bias: Any,
    eps: float,
    cudnn_enabled: bool = True,
) -> Any:
    spec = tensor_of(t, input)
    wrap_dim(1, spec.rank)
    _check_groups(t, input, spec.shape[1], num_groups, weight, bias)
    memory_format = suggest_memory_format(spec.shape, spec.strides)
    dense = t.call("contiguous", input, memory_format=memory_format)
    return packed(t, _by_groups(t, dense, weight, bias, num_groups, eps)[0], memory_format)


def _checked_group_norm(
    t: TensorLanguage, input: Any, num_groups: int, weight: Any, bias: Any, eps: float
) -> Any:
    shape = tensor_of(t, input).shape
    if len(shape) < 2:
        raise TrilithRuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    grouped = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
    check_more_than_one(grouped, grouped)
    return _group_norm(t, input, num_groups, weight, bias, eps)


composite(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, "
    "int group, float eps)",
    "The group norm of N * C * HxW elements, the means, and what the distances were multiplied by.",
    "tri.native_group_norm(tri.tensor([[1., 3.]]), None, None, 1, 2, 1, 1, 0.)[0]"
    "  # tensor([[-1.,  1.]])",
    _native_group_norm,
    methods=(),
    has_out=True,
    returns="tuple[Tensor, ...]",
    gradient=by_steps("NativeGroupNormBackward0", "input", "weight", "bias"),
)
composite(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05, bool cudnn_enabled=True)",
    "The elements of each group of channels less their mean, divided by their standard deviation; "
    "then scaled and moved by parameters of the channels.",
    "tri.group_norm(tri.tensor([[1., 3.]]), 1)  # tensor([[-1.0000,  1.0000]])",
    _group_norm,
    methods=(),
    gradient=by_steps("NativeGroupNormBackward0", "input", "weight", "bias"),
)
composite(
    "nn_functional_group_norm(Tensor input, int num_groups, Tensor? weight=None, "
    "Tensor? bias=None, float eps=1e-05)",
    "The elements of each group of channels less their mean, divided by their standard deviation; "
    "then scaled and moved by parameters of the channels.",
    "tri.nn.functional.group_norm(tri.tensor([[1., 3.]]), 1)  # tensor([[-1.0000,  1.0000]])",
    _checked_group_norm,
    methods=(),
    is_public=False,
    places=("nn.functional.group_norm",),
    gradient=by_steps("NativeGroupNormBackward0", "input", "weight", "bias"),
)
