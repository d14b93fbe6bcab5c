"""Which operations drop elements at random? dropout and its relatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....attributes.dtype import bool_
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ....frames import warn_user
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, check_dtype
from ...frame.view_rows import tensor_of
from .drawing import drawing, drawn, new_tensor, open_numbers, working_dtype

#: The negative of the least value of selu: its scale times its alpha.
_ALPHA = 1.7580993408473766


def _is_kept(t: TensorLanguage, like: Any, key: Any, counter: Any, keep: Any) -> Any:
    """Return which elements stay, each with the probability `keep`."""
    dtype = working_dtype(tensor_of(t, like).dtype)
    return t.call("lt", open_numbers(t, like, key, counter, dtype), keep)


def _noise(t: TensorLanguage, like: Any, key: Any, counter: Any, keep: Any) -> Any:
    return t.call("cast", _is_kept(t, like, key, counter, keep), tensor_of(t, like).dtype)


def _dropped(t: TensorLanguage, input: Any, like: Any, key: Any, counter: Any, keep: Any) -> Any:
    """Return input * (kept / keep), rounded twice as PyTorch does."""
    noise = _noise(t, like, key, counter, keep)
    return t.call("mul", input, t.call("true_divide", noise, keep))


def _alpha_dropped(
    t: TensorLanguage, input: Any, like: Any, key: Any, counter: Any, keep: Any, *numbers: Any
) -> Any:
    """Return input * (kept a) + (kept - 1) b + c, of which mean and variance are the input's."""
    scale, shift, lift = numbers
    noise = _noise(t, like, key, counter, keep)
    moved = t.call("add", t.call("mul", t.call("add", noise, -1), shift), lift)
    return t.call("add", t.call("mul", input, t.call("mul", noise, scale)), moved)


def _expand_alpha(t: TensorLanguage, **given: Any) -> Any:
    return _alpha_dropped(t, *given.values())


drawn(
    "dropout_drawn(Tensor input, Tensor like, Scalar key, Scalar counter, Scalar keep)",
    "The input with elements dropped, by a random number for each element of `like`.",
    "tri.dropout(tri.ones(2), 0.0, True)  # tensor([1., 1.])",
    _dropped,
)
drawn(
    "alpha_dropout_drawn(Tensor input, Tensor like, Scalar key, Scalar counter, Scalar keep, "
    "Scalar scale, Scalar shift, Scalar lift)",
    "The input with elements set to the least value of selu, then moved back to its variance.",
    "tri.alpha_dropout(tri.ones(2), 0.0, True)  # tensor([1., 1.])",
    _expand_alpha,
)


def _feature_like(t: TensorLanguage, input: Any) -> Any:
    """Return a tensor with an element for each channel."""
    spec = tensor_of(t, input)
    if spec.rank < 2:
        raise TrilithRuntimeError("Feature dropout requires at least 2 dimensions in the input")
    size = (*spec.shape[:2], *(1,) * (spec.rank - 2))
    return new_tensor(t, size, spec.dtype, spec.device)


def _check_noise(spec: TensorSpec) -> None:
    """Refuse dtypes that noise is not made of, in the words of what PyTorch does first."""
    check_dtype("bernoulli_scalar_cpu_", spec.dtype, ARITHMETIC)
    if not spec.dtype.is_floating_point:
        raise TrilithRuntimeError(
            f"result type Float can't be cast to the desired output type {spec.dtype.c_name}"
        )


def drop(
    t: Any,
    input: Any,
    p: float,
    *,
    is_training: bool,
    is_feature: bool = False,
    is_alpha: bool = False,
    in_place: bool = False,
) -> Any:
    """Drop elements or channels of a tensor, in a new one or in its own memory."""
    if not 0 <= p <= 1:
        raise TrilithRuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")
    spec = tensor_of(t, input)
    if p == 0 or not is_training or not spec.numel:
        return input
    if p == 1:
        zero = t.call("zeros", (), dtype=spec.dtype, device=spec.device)
        return _applied(t, "mul", input, (zero,), in_place=in_place)
    like = _feature_like(t, input) if is_feature else input
    _check_noise(spec)
    if not spec.device.has_values:
        return t.call("empty_like", input)
    numbers: tuple[float, ...] = (1 - p,)
    if is_alpha:
        scale = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
        numbers = (1 - p, scale, _ALPHA * scale, _ALPHA * scale * p)
    taken = t.draw(None, tensor_of(t, like).numel, spec.device)
    name = "alpha_dropout_drawn" if is_alpha else "dropout_drawn"
    return _applied(t, name, input, (like, *taken, *numbers), in_place=in_place)


def _applied(t: Any, name: str, input: Any, arguments: tuple[Any, ...], *, in_place: bool) -> Any:
    if not in_place:
        return t.call(name, input, *arguments)
    t.write(name, input, *arguments)
    return input


# ---- the flat functions


def _flat(name: str, doc: str, **kind: bool) -> None:
    """Add `name(input, p, train)` and the function that writes into its input."""

    def expand(t: DrawingLanguage, input: Any, p: float, train: bool) -> Any:
        return drop(t, input, p, is_training=train, **kind)

    def write(t: Any, input: Any, p: float, train: bool) -> Any:
        return drop(t, input, p, is_training=train, in_place=True, **kind)

    shape = "2, 2" if "is_feature" in kind else "2"
    drawing(
        f"{name}(Tensor input, float p, bool train)",
        doc,
        f"tri.{name}(tri.ones({shape}), 0.0, True).shape  # trilith.Size([{shape}])",
        expand,
        methods=(),
    )
    drawing(
        f"{name}_(Tensor input, float p, bool train)",
        f"{doc[:-1]}, in its own memory.",
        f"tri.{name}_(tri.ones({shape}), 0.0, True).shape  # trilith.Size([{shape}])",
        write,
        methods=(),
    )


_flat("dropout", "The input with elements dropped at random, and the others scaled up.")
_flat("feature_dropout", "The input with whole channels dropped at random.", is_feature=True)
_flat("alpha_dropout", "The input with elements dropped as selu wants it.", is_alpha=True)
_flat(
    "feature_alpha_dropout",
    "The input with whole channels dropped as selu wants it.",
    is_feature=True,
    is_alpha=True,
)


def _masked(t: TensorLanguage, input: Any, key: Any, counter: Any, keep: Any, scale: Any) -> Any:
    kept = _is_kept(t, input, key, counter, keep)
    return t.call("mul", t.call("mul", input, kept), scale), kept


drawn(
    "native_dropout_drawn(Tensor input, Scalar key, Scalar counter, Scalar keep, Scalar scale)",
    "The input with elements dropped at random, and which ones stay.",
    "tri.native_dropout(tri.ones(2), 0.0, True)[1]  # tensor([True, True])",
    _masked,
    returns="tuple[Tensor, Tensor]",
)


def _native_dropout(t: DrawingLanguage, input: Any, p: float, train: bool | None) -> Any:
    spec = tensor_of(t, input)
    if not spec.numel:
        return input, t.call("empty_like", input)
    if train is not None and not train:
        return t.call("clone", input), t.call("ones_like", input, dtype=bool_)
    keep = 1 - p
    if not 0 <= keep <= 1:
        raise TrilithRuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={keep:g}")
    if not spec.dtype.is_floating_point and not spec.dtype.is_complex:
        raise TrilithRuntimeError(
            f"result type Float can't be cast to the desired output type {spec.dtype.c_name}"
        )
    if not spec.device.has_values:
        return t.call("empty_like", input), t.call("empty_like", input, dtype=bool_)
    taken = t.draw(None, spec.numel, spec.device)
    return t.call("native_dropout_drawn", input, *taken, keep, 1 / keep if keep else 0.0)


drawing(
    "native_dropout(Tensor input, float p, bool? train)",
    "The input with elements dropped at random, and which ones stay.",
    "tri.native_dropout(tri.ones(2), 0.0, True)[1]  # tensor([True, True])",
    _native_dropout,
    methods=(),
    returns="tuple[Tensor, Tensor]",
)

# ---- torch.nn.functional


def _check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise TrilithValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _functional(
    name: str,
    doc: str,
    rank: int,
    check: Callable[[int], None] | None = None,
    *,
    training: bool = True,
    **kind: bool,
) -> None:
    """Add a function of nn.functional, of tensors of some rank, which `check` may look at."""

    def expand(t: Any, input: Any, p: float, training: bool, inplace: bool) -> Any:
        _check_probability(p)
        if check is not None:
            check(tensor_of(t, input).rank)
        return drop(t, input, p, is_training=training, in_place=inplace, **kind)

    shape = ", ".join("2" * rank)
    place = f"nn.functional.{name}"
    drawing(
        f"nn_functional_{name}(Tensor input, Number p=0.5, bool training={training}, "
        "bool inplace=False)",
        doc,
        f"tri.{place}(tri.ones({shape}), 0.0).shape  # trilith.Size([{shape}])",
        expand,
        methods=(),
        is_public=False,
        places=(place,),
    )


def _refuse_rank(rank: int) -> None:
    if rank not in (2, 3):
        raise TrilithRuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {rank}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )


def _warn_of_rank(name: str, spatial: int, ranks: str) -> Callable[[int], None]:
    """Return what warns of inputs with another number of dims."""

    def check(rank: int) -> None:
        if rank not in (spatial + 1, spatial + 2):
            warn_user(
                f"{name}: Received a {rank}-D input to {name}, which is deprecated and will "
                "result in an error in a future release. To retain the behavior and silence this "
                f"warning, please use dropout instead. Note that {name} exists to provide "
                f"channel-wise dropout on inputs with {spatial} spatial dimensions, a channel "
                f"dimension, and an optional batch dimension (i.e. {ranks} inputs)."
            )
        if rank == 3 and spatial == 2:
            warn_user(
                "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D "
                "dropout behavior is desired - input is interpreted as shape (N, C, L), where C "
                "is the channel dim. This behavior will change in a future release to interpret "
                "the input as one without a batch dimension, i.e. shape (C, H, W). To maintain "
                "the 1D channel-wise dropout behavior, please switch to using dropout1d instead."
            )

    return check


_functional("dropout", "The input with elements dropped at random.", 1)
_functional(
    "alpha_dropout",
    "The input with elements dropped as selu wants it.",
    1,
    training=False,
    is_alpha=True,
)
_functional(
    "feature_alpha_dropout",
    "The input with whole channels dropped as selu wants it.",
    2,
    training=False,
    is_feature=True,
    is_alpha=True,
)
_functional("dropout1d", "The input with whole rows dropped.", 3, _refuse_rank, is_feature=True)
_functional(
    "dropout2d",
    "The input with whole planes dropped.",
    4,
    _warn_of_rank("dropout2d", 2, "3D or 4D"),
    is_feature=True,
)
_functional(
    "dropout3d",
    "The input with whole volumes dropped.",
    5,
    _warn_of_rank("dropout3d", 3, "4D or 5D"),
    is_feature=True,
)
