"""How are weights filled before a network learns? By the names of `torch.nn.init`.

Each function writes into the tensor that it is given, records nothing of that, and returns the
tensor. What is drawn comes from this library's generator: other numbers than PyTorch's, of the same
distributions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..dialects.diagnostics import TrilithValueError
from ..dialects.frames import warn_user
from ..runtime.gradients.modes import no_grad
from ..runtime.tensors import dispatch
from ..runtime.tensors.generators import Generator
from ..runtime.tensors.missing import missing_function

_OF_LAYERS = ("conv1d", "conv2d", "conv3d")
_GAINS: dict[str, float] = {
    **dict.fromkeys(("linear", "sigmoid", *_OF_LAYERS), 1),
    **dict.fromkeys((f"conv_transpose{name.removeprefix('conv')}" for name in _OF_LAYERS), 1),
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3.0 / 4,
}
#: How much of a normal distribution must lie between bounds for drawing again to be quick.
_MUCH = 0.3


# ---- distributions and constants


def uniform_(
    tensor: Any, a: float = 0.0, b: float = 1.0, generator: Generator | None = None
) -> Any:
    """Fill a tensor with numbers between two bounds.

    >>> import trilith as tri
    >>> bool((tri.nn.init.uniform_(tri.empty(9), 2.0, 3.0) >= 2).all())
    True
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Any:
    """Fill a tensor with numbers of a normal distribution.

    >>> import trilith as tri
    >>> tri.nn.init.normal_(tri.empty(2), 3.0, 0.0)
    tensor([3., 3.])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Any,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Any:
    """Fill a tensor with the numbers of a normal distribution that lie between two bounds.

    >>> import trilith as tri
    >>> bool((tri.nn.init.trunc_normal_(tri.empty(99), a=-0.5, b=0.5).abs() <= 0.5).all())
    True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warn_user(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect."
        )
    if tensor.is_meta:
        return tensor
    part = _normal_below((b - mean) / std) - _normal_below((a - mean) / std)
    draw = _drawn_as_normal if part > _MUCH else _drawn_as_uniform
    with no_grad():
        return tensor.copy_(draw(tensor, mean, std, (a, b), generator))


def _normal_below(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def _drawn_as_normal(
    like: Any, mean: float, std: float, bounds: tuple[float, float], generator: Any
) -> Any:
    """Draw normal numbers until all are between the bounds, as the dtype has these."""
    low, high = (like.new_tensor(bound, device="cpu").item() for bound in bounds)
    found = like.detach().clone().normal_(mean, std, generator=generator)
    while (outside := (found < low) | (found > high)).any():
        again = found.clone().normal_(mean, std, generator=generator)
        found = again.where(outside, found)
    return found


def _drawn_as_uniform(
    like: Any, mean: float, std: float, bounds: tuple[float, float], generator: Any
) -> Any:
    """Draw numbers between the bounds, and keep each as often as its density says."""
    top = ((max(bounds[0], min(mean, bounds[1])) - mean) / std) ** 2
    found = like.detach().clone()
    pending = None
    while pending is None or pending.any():
        drawn = found.clone().uniform_(*bounds, generator=generator)
        found = drawn if pending is None else drawn.where(pending, found)
        log_density = (top - ((drawn - mean) / std) ** 2) / 2
        is_refused = found.clone().uniform_(generator=generator).log_() > log_density
        pending = is_refused if pending is None else pending & is_refused
    return found


def constant_(tensor: Any, val: float) -> Any:
    """Fill a tensor with a number.

    >>> import trilith as tri
    >>> tri.nn.init.constant_(tri.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """Fill a tensor with ones.

    >>> import trilith as tri
    >>> tri.nn.init.ones_(tri.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Fill a tensor with zeros.

    >>> import trilith as tri
    >>> tri.nn.init.zeros_(tri.empty(2))
    tensor([0., 0.])
    """
    with no_grad():
        return tensor.zero_()


# ---- matrices and kernels


def eye_(tensor: Any) -> Any:
    """Make a matrix the identity.

    >>> import trilith as tri
    >>> tri.nn.init.eye_(tri.empty(1, 2))
    tensor([[1., 0.]])
    """
    _check_matrix(tensor)
    with no_grad():
        tensor.zero_().diagonal().fill_(1)
    return tensor


def dirac_(tensor: Any, groups: int = 1) -> Any:
    """Make the kernel of a convolution one that keeps as many channels as there can be.

    >>> import trilith as tri
    >>> tri.nn.init.dirac_(tri.empty(1, 1, 3))
    tensor([[[0., 1., 0.]]])
    """
    if tensor.dim() not in (3, 4, 5):
        raise TrilithValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    outputs, _, *window = tensor.shape
    if outputs % groups:
        raise TrilithValueError("dim 0 must be divisible by groups")
    count = outputs // groups
    center = tuple(size // 2 for size in window)
    with no_grad():
        tensor.zero_()
        if tensor.is_meta:
            return tensor
        middle = tensor[(slice(None), slice(None), *center)]
        for group in range(groups):
            middle[group * count : (group + 1) * count].diagonal().fill_(1)
    return tensor


def orthogonal_(tensor: Any, gain: float = 1, generator: Generator | None = None) -> Any:
    """Make the rows of a matrix, or its columns if these are fewer, orthogonal.

    Dims after the first one count as one.

    >>> import trilith as tri
    >>> w = tri.nn.init.orthogonal_(tri.empty(2, 3))
    >>> bool((w @ w.T - tri.eye(2)).abs().max() < 1e-6)
    True
    """
    if tensor.dim() < 2:
        raise TrilithValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel() or tensor.is_meta:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    with no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        factors, upper = dispatch.face_function("linalg.qr")(
            drawn if rows >= columns else drawn.t()
        )
        # Signs of the diagonal make the distribution uniform (Mezzadri 2007).
        found = factors * upper.diagonal().sign()
        found = found if rows >= columns else found.t()
        return tensor.copy_(found.reshape(tensor.shape)).mul_(gain)


def sparse_(
    tensor: Any, sparsity: float, std: float = 0.01, generator: Generator | None = None
) -> Any:
    """Fill a matrix with normal numbers, and a part of each column with zeros.

    >>> import trilith as tri
    >>> int((tri.nn.init.sparse_(tri.empty(4, 3), 0.5) == 0).sum())
    6
    """
    _check_matrix(tensor)
    if tensor.is_meta:
        return tensor
    rows, columns = tensor.shape
    count = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[dispatch.face_function("randperm")(rows)[:count], column] = 0
    return tensor


def _check_matrix(tensor: Any) -> None:
    if tensor.dim() != 2:
        raise TrilithValueError("Only tensors with 2 dimensions are supported")


# ---- by the number of inputs and outputs


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return by how much weights should be larger that stand before a function.

    >>> calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        slope: Any = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise TrilithValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise TrilithValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Fill weights by the mean of inputs and outputs, uniformly (Glorot and Bengio 2010).

    >>> import trilith as tri
    >>> bool((tri.nn.init.xavier_uniform_(tri.empty(2, 4)).abs() <= 1).all())
    True
    """
    bound = math.sqrt(3.0) * _xavier(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Generator | None = None) -> Any:
    """Fill weights by the mean of inputs and outputs, normally (Glorot and Bengio 2010).

    >>> import trilith as tri
    >>> tri.nn.init.xavier_normal_(tri.empty(2, 4), gain=0.0).abs().max()
    tensor(0.)
    """
    return normal_(tensor, 0.0, _xavier(tensor, gain), generator)


def _xavier(tensor: Any, gain: float) -> float:
    return gain * math.sqrt(2.0 / float(sum(_fans(tensor))))


def kaiming_uniform_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Fill weights by the number of inputs (or outputs), uniformly (He and others 2015).

    >>> import trilith as tri
    >>> bool((tri.nn.init.kaiming_uniform_(tri.empty(2, 6)).abs() <= 1).all())
    True
    """
    if 0 in tensor.shape:
        return _nothing_to_fill(tensor)
    bound = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Any:
    """Fill weights by the number of inputs (or outputs), normally (He and others 2015).

    >>> import trilith as tri
    >>> tri.nn.init.kaiming_normal_(tri.empty(2, 6)).shape
    trilith.Size([2, 6])
    """
    if 0 in tensor.shape:
        return _nothing_to_fill(tensor)
    return normal_(tensor, 0, _kaiming(tensor, a, mode, nonlinearity), generator)


def _kaiming(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise TrilithValueError(f"Mode {mode.lower()} not supported, please use one of {modes}")
    fan = _fans(tensor)[modes.index(mode.lower())]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _nothing_to_fill(tensor: Any) -> Any:
    warn_user("Initializing zero-element tensors is a no-op")
    return tensor


def _fans(tensor: Any) -> tuple[int, int]:
    """Return how many inputs an output has, and outputs an input."""
    if tensor.dim() < 2:
        raise TrilithValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    outputs, inputs, *window = tensor.shape
    field = math.prod(window)
    return inputs * field, outputs * field


# ---- outdated names


def _outdated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function under its name of old, which warns."""
    old = function.__name__.removesuffix("_")

    @wraps(function)
    def renamed(*arguments: Any, **keywords: Any) -> Any:
        warn_user(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{function.__name__}`.",
            FutureWarning,
        )
        return function(*arguments, **keywords)

    renamed.__name__ = renamed.__qualname__ = old
    renamed.__doc__ = f"Do what `{function.__name__}` does, by a name that is outdated."
    return renamed


_OUTDATED = {
    found.__name__.removesuffix("_"): _outdated(found)
    for found in (
        *(uniform_, normal_, constant_, eye_, dirac_, orthogonal_, sparse_),
        *(xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_),
    )
}


def __getattr__(name: str) -> Any:
    """Return a function under its name of old."""
    if name not in _OUTDATED:
        raise missing_function(name, __name__)
    return _OUTDATED[name]
