"""Which operations draw waiting times and their like? exponential_, geometric_, cauchy_."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....attributes.dtype import DType, float64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, INTEGERS, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.random import drawn_over
from .drawing import (
    draw_into,
    draw_over,
    drawing,
    drawn,
    open_numbers,
    working_dtype,
)
from .uniform import GENERATOR


def _exponential(t: TensorLanguage, input: Any, key: Any, counter: Any, lambd: Any) -> Any:
    """Return -log(u) / lambda, which is above 0."""
    dtype = tensor_of(t, input).dtype
    logarithm = t.call("log", open_numbers(t, input, key, counter, working_dtype(dtype)))
    return t.call("cast", t.call("div", t.call("neg", logarithm), lambd), dtype)


def _geometric(t: TensorLanguage, input: Any, key: Any, counter: Any, scale: Any) -> Any:
    """Return log(u) / log(1 - p), rounded up."""
    dtype = tensor_of(t, input).dtype
    logarithm = t.call("log", open_numbers(t, input, key, counter, float64))
    return t.call("cast", t.call("ceil", t.call("mul", logarithm, scale)), dtype)


def _cauchy(t: TensorLanguage, input: Any, key: Any, counter: Any, median: Any, sigma: Any) -> Any:
    """Return median + sigma * tan(pi * (u - 1/2)), in float64 as PyTorch does."""
    unit = open_numbers(t, input, key, counter, float64)
    angle = t.call("mul", t.call("sub", unit, 0.5), math.pi)
    tangent = t.call("true_divide", t.call("sin", angle), t.call("cos", angle))
    moved = t.call("add", t.call("mul", tangent, sigma), median)
    return t.call("cast", moved, tensor_of(t, input).dtype)


drawn(
    "exponential_drawn(Tensor input, Scalar key, Scalar counter, Scalar lambd)",
    "Random numbers of the exponential distribution like a tensor.",
    "tri.zeros(2).exponential_().shape  # trilith.Size([2])",
    _exponential,
)
drawn(
    "geometric_drawn(Tensor input, Scalar key, Scalar counter, Scalar scale)",
    "How often one tries until something of some probability happens, like a tensor.",
    "tri.zeros(2).geometric_(0.5).shape  # trilith.Size([2])",
    _geometric,
)
drawn(
    "cauchy_drawn(Tensor input, Scalar key, Scalar counter, Scalar median, Scalar sigma)",
    "Random numbers of the Cauchy distribution like a tensor.",
    "tri.zeros(2).cauchy_().shape  # trilith.Size([2])",
    _cauchy,
)

# ---- what users call

_CPP_NAMES = {
    "Bool": "bool",
    "Byte": "unsigned char",
    "Char": "signed char",
    "Short": "short int",
    "Int": "int",
    "Long": "long int",
    "UInt16": "short unsigned int",
    "UInt32": "unsigned int",
    "UInt64": "long unsigned int",
    "ComplexHalf": "c10::complex<c10::Half>",
    "ComplexFloat": "c10::complex<float>",
    "ComplexDouble": "c10::complex<double>",
}


def _refuse_whole(what: str, name: str) -> TrilithRuntimeError:
    return TrilithRuntimeError(
        f"{what} distribution is a continuous probability distribution. dtype must be a floating "
        f"point but you specified {name}"
    )


def check_exponential(spec: TensorSpec, lambd: float) -> tuple[float, ...]:
    """Refuse a rate that is none, and dtypes without fractions."""
    if not lambd > 0:
        raise TrilithRuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if not spec.dtype.is_floating_point:
        raise _refuse_whole("Exponential", spec.dtype.c_name)
    check_dtype("exponential_cpu", spec.dtype, FLOATS)
    return (lambd,)


def _check_geometric(spec: TensorSpec, p: float) -> tuple[float, ...]:
    if not 0 < p < 1:
        raise TrilithRuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    check_dtype("geometric_cpu", spec.dtype, FLOATS | INTEGERS)
    return (1 / math.log1p(-p),)


def _check_cauchy(spec: TensorSpec, median: float, sigma: float) -> tuple[float, ...]:
    if not sigma > 0:
        raise TrilithRuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    dtype: DType = spec.dtype
    if not dtype.is_floating_point:
        raise _refuse_whole("Cauchy", _CPP_NAMES.get(dtype.c_name, dtype.c_name))
    check_dtype("cauchy_cpu", dtype, FLOATS)
    return median, sigma


def distribution(
    name: str,
    parameters: str,
    doc: str,
    example: str,
    numbers: Callable[..., tuple[float, ...]],
) -> None:
    """Add the row of an in-place draw; `numbers` checks its parameters."""

    def write(t: Any, input: Any, generator: Any, **given: float) -> None:
        found = numbers(tensor_of(t, input), **given)
        draw_over(t, f"{name}_drawn", input, generator, *found)

    def expand(t: DrawingLanguage, input: Any, generator: Any, **given: float) -> Any:
        found = numbers(tensor_of(t, input), **given)
        return draw_into(t, f"{name}_drawn", t.call("empty_like", input), generator, *found)

    drawing(
        f"{name}(Tensor input, {parameters}, {GENERATOR})",
        doc,
        example,
        expand,
        write=write,
        methods=(),
        in_place=(f"{name}_",),
        is_public=False,
        gradient=drawn_over(name.capitalize()),
    )


distribution(
    "exponential",
    "float lambd=1.0",
    "Waiting times of a rate `lambd` like a tensor: what `exponential_` writes.",
    "tri.zeros(2).exponential_().shape  # trilith.Size([2])",
    check_exponential,
)
distribution(
    "geometric",
    "float p",
    "Numbers of trials until the first success like a tensor: what `geometric_` writes.",
    "tri.zeros(2).geometric_(0.5).shape  # trilith.Size([2])",
    _check_geometric,
)
distribution(
    "cauchy",
    "float median=0.0, float sigma=1.0",
    "Random numbers of the Cauchy distribution like a tensor: what `cauchy_` writes.",
    "tri.zeros(2).cauchy_().shape  # trilith.Size([2])",
    _check_cauchy,
)
