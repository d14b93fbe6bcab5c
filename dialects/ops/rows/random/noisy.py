"""Which functions of neural networks draw? rrelu, gumbel_softmax."""

from __future__ import annotations

from typing import Any

from ....attributes.spec import TensorSpec
from ....frames import warn_user
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.random import OF_STRAIGHT_THROUGH
from .continuous import check_exponential
from .drawing import drawing, drawn, element_numbers, open_numbers, working_dtype


def _randomly_sloped(
    t: TensorLanguage, input: Any, key: Any, counter: Any, lower: Any, width: Any
) -> Any:
    """Return what is negative times a random slope, contiguous as PyTorch's result is."""
    spec = tensor_of(t, input)
    packed = TensorSpec.of(spec.shape, spec.dtype, spec.device)
    unit = t.call("random_uniform", element_numbers(t, packed), key, counter, dtype=spec.dtype)
    slope = t.call("cast", unit, working_dtype(spec.dtype))
    slope = t.call("cast", t.call("add", t.call("mul", slope, width), lower), spec.dtype)
    sloped = t.call("where", t.call("gt", input, 0), input, t.call("mul", input, slope))
    if tensor_of(t, sloped).strides == packed.strides:
        return sloped
    return t.call("with_strides", sloped, packed.strides)


drawn(
    "rrelu_drawn(Tensor input, Scalar key, Scalar counter, Scalar lower, Scalar width)",
    "The input, what is negative times a random number of its own.",
    "tri.rrelu(tri.tensor([-8., 1.]))  # tensor([-1.8333,  1.0000])",
    _randomly_sloped,
)


def drawn_slopes(t: Any, input: Any, lower: float, upper: float, generator: Any) -> Any:
    """Return rrelu of a tensor in training."""
    spec = tensor_of(t, input)
    check_dtype("rrelu_with_noise_out_cpu", spec.dtype, FLOATS)
    if not spec.device.has_values:
        return t.call("empty_like", input)
    taken = t.draw(generator, spec.numel, spec.device)
    return t.call("rrelu_drawn", input, *taken, lower, upper - lower)


# ---- gumbel_softmax


def _softmax(t: TensorLanguage, input: Any, dim: int) -> Any:
    largest = t.call("amax", input, (dim,), True)
    powers = t.call("exp", t.call("sub", input, largest))
    return t.call("true_divide", powers, t.call("sum", powers, (dim,), True))


def _gumbel(
    t: TensorLanguage, logits: Any, key: Any, counter: Any, tau: Any, hard: bool, dim: int
) -> Any:
    spec = tensor_of(t, logits)
    packed = t.call("contiguous", logits)
    dtype = working_dtype(spec.dtype)
    waiting = t.call("neg", t.call("log", open_numbers(t, packed, key, counter, dtype)))
    gumbels = t.call("neg", t.call("log", t.call("cast", waiting, spec.dtype)))
    soft = _softmax(t, t.call("true_divide", t.call("add", packed, gumbels), tau), dim)
    if not hard:
        return soft
    index = t.call("argmax", soft, dim, True)
    size = spec.shape[dim] if spec.rank else 1
    places = t.call("range_of", 0, size, 1, device=spec.device)
    behind = (spec.rank - 1 - dim) if dim >= 0 else -1 - dim
    places = t.call("reshape", places, (size, *(1,) * behind)) if spec.rank else index
    one = t.call("cast", t.call("eq", places, index), spec.dtype)
    return t.call("straight_through", one, soft)


def _passed_through(t: TensorLanguage, hard: Any, soft: Any) -> Any:
    return t.call("add", t.call("sub", hard, soft), soft)


drawn(
    "straight_through(Tensor hard, Tensor soft)",
    "hard - soft + soft: the one, rounded twice, with the gradient of the other.",
    "tri.nn.functional.gumbel_softmax(tri.zeros(1), hard=True)  # tensor([1.])",
    _passed_through,
    gradient=OF_STRAIGHT_THROUGH,
)


drawn(
    "gumbel_softmax_drawn(Tensor logits, Scalar key, Scalar counter, Scalar tau, bool hard, "
    "int dim)",
    "Samples of the Gumbel-softmax distribution.",
    "tri.nn.functional.gumbel_softmax(tri.zeros(1))  # tensor([1.])",
    _gumbel,
)


def _gumbel_softmax(
    t: DrawingLanguage, logits: Any, tau: float, hard: bool, eps: float, dim: int
) -> Any:
    if eps != 1e-10:
        warn_user("`eps` parameter is deprecated and has no effect.")
    spec = tensor_of(t, logits)
    check_exponential(spec, 1.0)
    if not spec.device.has_values:
        return t.call("contiguous", t.call("empty_like", logits))
    taken = t.draw(None, spec.numel, spec.device)
    return t.call("gumbel_softmax_drawn", logits, *taken, tau, hard, dim)


drawing(
    "gumbel_softmax(Tensor logits, Number tau=1, bool hard=False, float eps=1e-10, int dim=-1)",
    "Samples of the Gumbel-softmax distribution, `hard` ones as one-hot rows.",
    "tri.nn.functional.gumbel_softmax(tri.zeros(1))  # tensor([1.])",
    _gumbel_softmax,
    methods=(),
    is_public=False,
    places=("nn.functional.gumbel_softmax",),
)
