"""Which operations draw uniform numbers? rand, rand_like, uniform_."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import DType
from ....attributes.limits import finfo
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import CONSTANT
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import ALL_COMPLEX, FLOATS, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.random import drawn_over
from ..creation.filled import LIKE_OPTIONS, OPTIONS, check_layout, like_strides, option_dtype
from .drawing import (
    draw_into,
    draw_over,
    drawing,
    drawing_factory,
    drawn,
    element_numbers,
    new_tensor,
    working_dtype,
)

GENERATOR = "*, Generator? generator=None"
#: The keyword arguments of factories that draw.
DRAWN_OPTIONS = OPTIONS.replace("*", GENERATOR, 1)
DRAWN_LIKE_OPTIONS = LIKE_OPTIONS.replace("*", GENERATOR, 1)

_UNIFORM = FLOATS | ALL_COMPLEX


def _unit(t: TensorLanguage, input: Any, key: Any, counter: Any) -> Any:
    spec = tensor_of(t, input)
    return t.call("random_uniform", element_numbers(t, spec), key, counter, dtype=spec.dtype)


def _between(t: TensorLanguage, input: Any, key: Any, counter: Any, low: Any, width: Any) -> Any:
    """Return low + width * u, computed in float32 for 16-bit floats."""
    dtype = tensor_of(t, input).dtype
    unit = _unit(t, input, key, counter)
    if dtype.is_complex:
        # The imaginary parts lie in the same range.
        return t.call("add", t.call("mul", unit, width), t.call("mul", low, 1 + 1j))
    wide = t.call("cast", unit, working_dtype(dtype))
    return t.call("cast", t.call("add", t.call("mul", wide, width), low), dtype)


drawn(
    "uniform_unit_drawn(Tensor input, Scalar key, Scalar counter)",
    "Uniform random numbers in [0, 1) like a tensor: what rand draws.",
    "tri.rand(2).shape  # trilith.Size([2])",
    _unit,
)
drawn(
    "uniform_drawn(Tensor input, Scalar key, Scalar counter, Scalar low, Scalar width)",
    "Uniform random numbers in [low, low + width) like a tensor: what uniform_ draws.",
    "tri.zeros(2).uniform_(2, 3).shape  # trilith.Size([2])",
    _between,
)


def _rand(t: DrawingLanguage, size: tuple[int, ...], generator: Any, **options: Any) -> Any:
    check_layout("rand", options["layout"])
    dtype = option_dtype(options)
    check_dtype("check_uniform_bounds", dtype, _UNIFORM)
    made = new_tensor(t, size, dtype, options["device"])
    return draw_into(t, "uniform_unit_drawn", made, generator)


def _rand_like(t: DrawingLanguage, input: Any, generator: Any, **options: Any) -> Any:
    made = made_like(t, "rand_like", input, options)
    check_dtype("check_uniform_bounds", tensor_of(t, made).dtype, _UNIFORM)
    return draw_into(t, "uniform_unit_drawn", made, generator)


def made_like(t: TensorLanguage, name: str, input: Any, options: dict[str, Any]) -> Any:
    """Return memory for a tensor like another one, with the options of `*_like`."""
    check_layout(name, options["layout"])
    spec = tensor_of(t, input)
    strides = like_strides(spec, options["memory_format"])
    dtype = option_dtype(options, spec.dtype)
    return new_tensor(t, spec.shape, dtype, options["device"] or spec.device, strides)


def _check_bounds(dtype: DType, low: float, high: float) -> None:
    """Refuse bounds that are none, or that the dtype does not hold, as PyTorch does."""
    check_dtype("check_uniform_bounds", dtype, _UNIFORM)
    part = dtype.to_real()
    largest = finfo(part).max
    for label, value in (("from", low), ("to", high)):
        if not -largest <= value <= largest:
            raise TrilithRuntimeError(f"{label} is out of bounds for {C_NAMES[part.c_name]}")
    if low > high:
        raise TrilithRuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > largest:
        raise TrilithRuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{part.c_name}>::max(), but found "
            f"to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


#: What C++ calls the types of dtypes, in PyTorch's messages.
C_NAMES = {
    "Bool": "bool",
    "Byte": "unsigned char",
    "Char": "signed char",
    "Short": "short",
    "Int": "int",
    "Long": "long",
    "UInt16": "unsigned short",
    "UInt32": "unsigned int",
    "UInt64": "unsigned long",
    "Half": "c10::Half",
    "BFloat16": "c10::BFloat16",
    "Float": "float",
    "Double": "double",
}


def _write_uniform(t: Any, input: Any, from_: float, to: float, generator: Any) -> None:
    _check_bounds(tensor_of(t, input).dtype, from_, to)
    if from_ == 0 and to == 1:
        draw_over(t, "uniform_unit_drawn", input, generator)
    else:
        draw_over(t, "uniform_drawn", input, generator, from_, to - from_)


def _uniform(t: DrawingLanguage, input: Any, from_: float, to: float, generator: Any) -> Any:
    _check_bounds(tensor_of(t, input).dtype, from_, to)
    made = t.call("empty_like", input)
    return draw_into(t, "uniform_drawn", made, generator, from_, to - from_)


drawing_factory(
    f"rand(int[]* size, {DRAWN_OPTIONS})",
    "Uniform random numbers in [0, 1).",
    "tri.rand(2, 3).shape  # trilith.Size([2, 3])",
    _rand,
    has_out=True,
)
drawing_factory(
    f"rand_like(Tensor input, {DRAWN_LIKE_OPTIONS})",
    "Uniform random numbers in [0, 1) with the shape, dtype, device and layout of a tensor.",
    "tri.rand_like(tri.zeros(2, 3)).shape  # trilith.Size([2, 3])",
    _rand_like,
    gradient=CONSTANT,
)
drawing(
    f"uniform(Tensor input, float from_=0.0, float to=1.0, {GENERATOR})",
    "Uniform random numbers in [from, to) like a tensor: what `uniform_` writes.",
    "tri.zeros(2).uniform_(2, 3).shape  # trilith.Size([2])",
    _uniform,
    write=_write_uniform,
    methods=(),
    in_place=("uniform_",),
    is_public=False,
    gradient=drawn_over("Uniform"),
)
