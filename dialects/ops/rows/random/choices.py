"""Which operations draw by probabilities? bernoulli, multinomial, poisson, binomial."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import bool_, float64, int64
from ....attributes.spec import ScalarSpec, TensorSpec
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ...frame.gradients import CONSTANT
from ...frame.host_bodies import HostBodyOp
from ...frame.indexed import DrawingLanguage
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage, registering
from ...frame.rules import ARITHMETIC, FLOATS, check_dtype, elementwise_strides
from ...frame.view_rows import tensor_of
from ...gradients.random import drawn_over
from .drawing import (
    checked,
    draw_into,
    draw_over,
    drawing,
    drawn,
    new_tensor,
    open_numbers,
    working_dtype,
)
from .uniform import GENERATOR

# ---- bernoulli


def _as(t: TensorLanguage, value: Any, input: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    return value if dtype is bool_ else t.call("cast", value, dtype)


def _below(t: TensorLanguage, input: Any, key: Any, counter: Any, p: Any) -> Any:
    """Return whether u < p, for one probability; u is fine enough for any."""
    return _as(t, t.call("lt", open_numbers(t, input, key, counter, float64), p), input)


def _below_each(t: TensorLanguage, input: Any, key: Any, counter: Any, p: Any) -> Any:
    """Return whether u < p, each with its own probability."""
    p = t.call("expand", p, tensor_of(t, input).shape)
    inside = t.call("logical_and", t.call("ge", p, 0), t.call("le", p, 1))
    p = checked(t, p, t.call("logical_not", inside), "ProbabilityError")
    unit = open_numbers(t, input, key, counter, working_dtype(tensor_of(t, p).dtype))
    return _as(t, t.call("lt", unit, p), input)


drawn(
    "bernoulli_drawn(Tensor input, Scalar key, Scalar counter, Scalar p)",
    "Ones of one probability, and zeros, like a tensor.",
    "tri.zeros(2).bernoulli_(1.0)  # tensor([1., 1.])",
    _below,
)
drawn(
    "bernoulli_each_drawn(Tensor input, Scalar key, Scalar counter, Tensor p)",
    "Ones of probabilities that a tensor holds, and zeros, like a tensor.",
    "tri.bernoulli(tri.tensor([0., 1.]))  # tensor([0., 1.])",
    _below_each,
)


def _check_p(spec: TensorSpec, p: float) -> None:
    if not 0 <= p <= 1:
        raise TrilithRuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    check_dtype("bernoulli_scalar_cpu_", spec.dtype, ARITHMETIC)


def _check_each(spec: TensorSpec, p: TensorSpec) -> None:
    check_dtype("bernoulli_tensor_cpu_self_", spec.dtype, ARITHMETIC)
    check_dtype("bernoulli_tensor_cpu_p_", p.dtype, FLOATS)


def _bernoulli(t: DrawingLanguage, input: Any, p: float | None, generator: Any) -> Any:
    spec = tensor_of(t, input)
    made = new_tensor(t, spec.shape, spec.dtype, spec.device)
    if p is None:
        _check_each(spec, spec)
        return draw_into(t, "bernoulli_each_drawn", made, generator, input)
    _check_p(spec, p)
    return draw_into(t, "bernoulli_drawn", made, generator, p)


drawing(
    f"bernoulli(Tensor input, float? p=None, {GENERATOR})",
    "Ones of the probabilities in the input, or of one probability `p`, and zeros.",
    "tri.bernoulli(tri.tensor([0., 1.]))  # tensor([0., 1.])",
    _bernoulli,
    in_place=(),
    has_out=True,
    gradient=drawn_over("Bernoulli"),
)


def _write_bernoulli(t: Any, input: Any, p: Any, generator: Any) -> None:
    spec, given = tensor_of(t, input), t.spec(p)
    if isinstance(given, ScalarSpec):
        _check_p(spec, p)
        draw_over(t, "bernoulli_drawn", input, generator, float(p))
    else:
        _check_each(spec, given)
        draw_over(t, "bernoulli_each_drawn", input, generator, p)


def _bernoulli_like(t: DrawingLanguage, input: Any, p: Any, generator: Any) -> Any:
    spec, given = tensor_of(t, input), t.spec(p)
    made = t.call("empty_like", input)
    if isinstance(given, ScalarSpec):
        _check_p(spec, p)
        return draw_into(t, "bernoulli_drawn", made, generator, float(p))
    _check_each(spec, given)
    return draw_into(t, "bernoulli_each_drawn", made, generator, p)


drawing(
    f"bernoulli_of(Tensor input, Operand p=0.5, {GENERATOR})",
    "Ones of a probability or of a tensor of them like a tensor: what `bernoulli_` writes.",
    "tri.zeros(2).bernoulli_(1.0)  # tensor([1., 1.])",
    _bernoulli_like,
    gradient=drawn_over("Bernoulli", "input", "p"),
    write=_write_bernoulli,
    methods=(),
    in_place=("bernoulli_",),
    is_public=False,
)

# ---- multinomial


def _checked_weights(t: TensorLanguage, input: Any, negative: str, infinite: str) -> Any:
    """Return probabilities, refusing what is none, and rows that add up to nothing."""
    weights = checked(t, input, t.call("eq", input, float("inf")), infinite)
    bad = t.call("logical_not", t.call("ge", weights, 0))
    weights = checked(t, weights, bad, negative)
    total = t.call("sum", weights, (-1,), True)
    return checked(t, weights, t.call("eq", total, 0), "TotalError")


def _keyed(t: TensorLanguage, input: Any, key: Any, counter: Any) -> Any:
    """Return p / -log(u): the largest is at each place with its probability, and so on."""
    weights = _checked_weights(t, input, "MultinomialError", "MultinomialError")
    dtype = working_dtype(tensor_of(t, input).dtype)
    waiting = t.call("neg", t.call("log", open_numbers(t, input, key, counter, dtype)))
    return t.call("true_divide", t.call("cast", weights, dtype), waiting)


def _found(t: TensorLanguage, input: Any, key: Any, counter: Any, weights: Any) -> Any:
    """Return in which part of the cumulated probabilities uniform numbers lie."""
    checked_ = _checked_weights(t, weights, "NegativeEntryError", "InfiniteEntryError")
    sums = t.call("cumsum", t.call("cast", checked_, float64), -1)
    count = tensor_of(t, sums).shape[-1]
    last = t.call("narrow", sums, -1, count - 1, 1)
    places = t.call("mul", open_numbers(t, input, key, counter, float64), last)
    is_before = t.call("le", t.call("unsqueeze", sums, -2), t.call("unsqueeze", places, -1))
    found = t.call("sum", is_before, (-1,))
    # A place that rounding has moved behind the last sum is of the last that is not 0.
    return t.call("minimum", found, _last_likely(t, weights))


def _last_likely(t: TensorLanguage, weights: Any) -> Any:
    spec = tensor_of(t, weights)
    places = t.call("range_of", 0, spec.shape[-1], 1, dtype=int64, device=spec.device)
    kept = t.call("where", t.call("gt", weights, 0), places, 0)
    return t.call("amax", kept, (-1,), True)


drawn(
    "multinomial_keys_drawn(Tensor input, Scalar key, Scalar counter)",
    "Random numbers whose order draws places by their probabilities, without replacement.",
    "tri.multinomial(tri.tensor([0., 1.]), 1)  # tensor([1])",
    _keyed,
)
drawn(
    "multinomial_places_drawn(Tensor input, Scalar key, Scalar counter, Tensor weights)",
    "Random places by their probabilities, with replacement.",
    "tri.multinomial(tri.tensor([0., 1.]), 2, True)  # tensor([1, 1])",
    _found,
)


def _check_multinomial(spec: TensorSpec, count: int, replacement: bool) -> None:
    if spec.rank not in (1, 2):
        raise TrilithRuntimeError("prob_dist must be 1 or 2 dim")
    if not spec.dtype.is_floating_point:
        raise TrilithRuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {spec.dtype.c_name}"
        )
    if count <= 0:
        raise TrilithRuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > spec.shape[-1]:
        raise TrilithRuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )


def _multinomial(
    t: DrawingLanguage, input: Any, num_samples: int, replacement: bool, generator: Any
) -> Any:
    spec = tensor_of(t, input)
    _check_multinomial(spec, num_samples, replacement)
    check_dtype("multinomial", spec.dtype, FLOATS)
    shape = (*spec.shape[:-1], num_samples)
    if 0 in shape or not spec.device.has_values:
        return new_tensor(t, shape, int64, spec.device)
    if replacement and num_samples > 1:
        made = new_tensor(t, shape, int64, spec.device)
        return draw_into(t, "multinomial_places_drawn", made, generator, input)
    taken = t.draw(generator, spec.numel, spec.device)
    keys = t.call("multinomial_keys_drawn", input, *taken)
    if num_samples == 1:
        return t.call("argmax", keys, -1, True)
    return t.call("topk", keys, num_samples)[1]


drawing(
    f"multinomial(Tensor input, int num_samples, bool replacement=False, {GENERATOR})",
    "Places in the rows of the input, drawn by the probabilities that stand there.",
    "tri.multinomial(tri.tensor([0., 1.]), 2, True)  # tensor([1, 1])",
    _multinomial,
    in_place=(),
    has_out=True,
    gradient=CONSTANT,
)

# ---- poisson, binomial


def _like_the_first(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    """Give numbers for each mean, contiguous."""
    first = operands[0]
    assert isinstance(first, TensorSpec)
    result = TensorSpec.of(first.shape, first.dtype, first.device)
    return Resolved(dict(attributes), tuple(spec.dtype for spec in operands), result)


def _of_both(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    """Broadcast trials and chances."""
    count, prob, *_ = operands
    assert isinstance(count, TensorSpec)
    assert isinstance(prob, TensorSpec)
    shape = broadcast_shapes(count.shape, prob.shape)
    strides = elementwise_strides(shape, [count, prob], [count.dtype] * 2)
    result = TensorSpec.of(shape, count.dtype, count.device, strides)
    return Resolved(dict(attributes), tuple(spec.dtype for spec in operands), result)


_host_body = registering(
    partial(HostBodyOp, methods=(), is_public=False, has_out=False, is_drawn=True)
)
_host_body(
    "poisson_drawn(Tensor input, Tensor key, Tensor counter)",
    "Numbers of events of the Poisson distribution, by key and counter.",
    "tri.poisson(tri.zeros(2))  # tensor([0., 0.])",
    resolver=_like_the_first,
    body="sampling:poisson",
    can_fail=True,
)
_host_body(
    "binomial_drawn(Tensor count, Tensor prob, Tensor key, Tensor counter)",
    "Numbers of successes of the binomial distribution, by key and counter.",
    "tri.binomial(tri.tensor([3.]), tri.tensor([1.]))  # tensor([3.])",
    resolver=_of_both,
    body="sampling:binomial",
)


def _drawn_on_host(
    t: DrawingLanguage, name: str, generator: Any, count: int, *parameters: Any
) -> Any:
    """Return what the host draws; key and counter are tensors for it."""
    device = tensor_of(t, parameters[0]).device
    taken = t.draw(generator, count, device)
    parts = [t.call("full_strided", (), part, dtype=int64, device=device) for part in taken]
    return t.call(name, *parameters, *parts)


def _poisson(t: DrawingLanguage, input: Any, generator: Any) -> Any:
    spec = tensor_of(t, input)
    check_dtype("poisson_cpu", spec.dtype, FLOATS)
    if not spec.device.has_values:
        return new_tensor(t, spec.shape, spec.dtype, spec.device)
    return _drawn_on_host(t, "poisson_drawn", generator, spec.numel, input)


drawing(
    "poisson(Tensor input, Generator? generator=None)",
    "Numbers of events, whose means are the input: of the Poisson distribution.",
    "tri.poisson(tri.zeros(2))  # tensor([0., 0.])",
    _poisson,
    methods=(),
    gradient=drawn_over("Poisson"),
)


def _binomial(t: DrawingLanguage, count: Any, prob: Any, generator: Any) -> Any:
    counts, probabilities = tensor_of(t, count), tensor_of(t, prob)
    for name, spec in (("count", counts), ("prob", probabilities)):
        if not spec.dtype.is_floating_point:
            raise TrilithValueError(
                f"binomial only supports floating-point dtypes for {name}, got: {spec.dtype.c_name}"
            )
    if counts.dtype is not probabilities.dtype:
        raise TrilithRuntimeError(
            f"Found dtype {probabilities.dtype.c_name} but expected {counts.dtype.c_name}"
        )
    check_dtype("binomial_cpu", counts.dtype, FLOATS)
    resolved = _of_both([counts, probabilities], {}).result
    if not counts.device.has_values:
        return new_tensor(t, resolved.shape, resolved.dtype, resolved.device, resolved.strides)
    return _drawn_on_host(t, "binomial_drawn", generator, resolved.numel, count, prob)


drawing(
    "binomial(Tensor count, Tensor prob, Generator? generator=None)",
    "How often something of a probability happens in so many trials.",
    "tri.binomial(tri.tensor([3.]), tri.tensor([1.]))  # tensor([3.])",
    _binomial,
    methods=(),
    gradient=drawn_over("Binomial", "count", "prob"),
)
