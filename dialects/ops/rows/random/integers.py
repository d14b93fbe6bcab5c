"""Which operations draw integers? randint, randint_like, random_, randperm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import DType, bool_, float16, float32, float64, int64
from ....attributes.limits import iinfo
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithTypeError
from ....frames import warn_user
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import CASTABLE, FLOATS, INTEGERS, check_dtype
from ...frame.schema import Schema, parse_schema
from ...frame.view_rows import tensor_of
from ...gradients.random import drawn_over
from ..creation.filled import check_layout, option_dtype
from .drawing import (
    draw_into,
    draw_over,
    drawing,
    drawing_factory,
    drawn,
    element_numbers,
    new_tensor,
)
from .uniform import C_NAMES, DRAWN_LIKE_OPTIONS, DRAWN_OPTIONS, GENERATOR, made_like
from .words import FRACTION_BITS


def _integers(t: TensorLanguage, input: Any, key: Any, counter: Any, low: Any, width: Any) -> Any:
    spec = tensor_of(t, input)
    numbers = element_numbers(t, spec)
    drawn_ = t.call("random_integer", numbers, key, counter, low, width)
    return drawn_ if spec.dtype is int64 else t.call("cast", drawn_, spec.dtype)


drawn(
    "integers_drawn(Tensor input, Scalar key, Scalar counter, Scalar low, Scalar width)",
    "Random integers in [low, low + width) like a tensor; a width of 0 stands for 2^64.",
    "tri.randint(3, (2,)).shape  # trilith.Size([2])",
    _integers,
)


def _range_of(dtype: DType) -> tuple[int, int]:
    """Return the least and the largest integer, of floats those up to which all are held."""
    if dtype.is_floating_point:
        limit = 1 << FRACTION_BITS[dtype]
        return -limit, limit
    return (0, 1) if dtype is bool_ else (iinfo(dtype).min, iinfo(dtype).max)


def _check_range(low: int, high: int, dtype: DType) -> None:
    """Refuse bounds that the dtype cannot hold; of floats warn of those beyond their integers."""
    if low >= high:
        raise TrilithRuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    if dtype not in CASTABLE or dtype.is_complex:
        raise TrilithRuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    lowest, highest = _range_of(dtype)
    name = C_NAMES[dtype.c_name]
    for label, value in (("from", low), ("to - 1", high - 1)):
        if lowest <= value <= highest:
            continue
        if not dtype.is_floating_point:
            raise TrilithRuntimeError(f"{label} is out of bounds for {name}")
        bits = FRACTION_BITS[dtype]
        warn_user(
            f"{label} is out of bounds [-(2^{bits}), 2^{bits}]. Due to precision limitations "
            f"{name} can support discrete uniform distribution only within this range. This "
            "warning will become an error in version 1.7 release, please fix the code in advance"
        )


def _signed(width: int) -> int:
    """Return a width as 64 bits with a sign."""
    return width - (1 << 64) if width >> 63 else width


_FORMS = {
    "randint": parse_schema(f"randint(int high, int[] size, {DRAWN_OPTIONS})"),
    "randint_like": parse_schema(f"randint_like(Tensor input, int high, {DRAWN_LIKE_OPTIONS})"),
}


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Tell `randint(high, size)` from `randint(low, high, size)`, and so for randint_like."""
    short = _FORMS[schema.name]
    names = {"high", "low", "size", "input"} & set(keywords)
    if len(arguments) + len(names) == 2 and "low" not in names:
        return {"low": 0, **short.bind(arguments, keywords)}
    return schema.bind(arguments, keywords)


def _randint(
    t: DrawingLanguage, low: int, high: int, size: tuple[int, ...], generator: Any, **options: Any
) -> Any:
    check_layout("randint", options["layout"])
    dtype = option_dtype(options, int64)
    _check_range(low, high, dtype)
    made = new_tensor(t, size, dtype, options["device"])
    return draw_into(t, "integers_drawn", made, generator, low, _signed(high - low))


def _randint_like(
    t: DrawingLanguage, input: Any, low: int, high: int, generator: Any, **options: Any
) -> Any:
    made = made_like(t, "randint_like", input, options)
    _check_range(low, high, tensor_of(t, made).dtype)
    return draw_into(t, "integers_drawn", made, generator, low, _signed(high - low))


drawing_factory(
    f"randint(int low, int high, int[] size, {DRAWN_OPTIONS})",
    "Random integers in [low, high): `randint(high, size)` or `randint(low, high, size)`.",
    "tri.randint(3, 5, (2,)).shape  # trilith.Size([2])",
    _randint,
    binder=_bind,
    forms=(
        f"randint(int high, int[] size, {DRAWN_OPTIONS})",
        f"randint(int low, int high, int[] size, {DRAWN_OPTIONS})",
    ),
    has_out=True,
)
drawing_factory(
    f"randint_like(Tensor input, int low, int high, {DRAWN_LIKE_OPTIONS})",
    "Random integers in [low, high) with the shape, dtype, device and layout of a tensor.",
    "tri.randint_like(tri.zeros(2, 3), 5).shape  # trilith.Size([2, 3])",
    _randint_like,
    binder=_bind,
    forms=(
        f"randint_like(Tensor input, int high, {DRAWN_LIKE_OPTIONS})",
        f"randint_like(Tensor input, int low, int high, {DRAWN_LIKE_OPTIONS})",
    ),
)

# ---- random_

_OF_ONE = parse_schema(f"random(Tensor input, int? to, {GENERATOR})")
_OF_NONE = parse_schema(f"random(Tensor input, {GENERATOR})")


def _bind_random(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell `random_()`, `random_(to)` and `random_(from, to)` apart."""
    count = len(arguments) + len({"from", "from_", "to", "input"} & set(keywords))
    if count <= 1:
        return {"from_": None, "to": None, **_OF_NONE.bind(arguments, keywords)}
    if count == 2 and not {"from", "from_"} & set(keywords):
        return {"from_": 0, **_OF_ONE.bind(arguments, keywords)}
    return schema.bind(arguments, keywords)


def _bounds(dtype: DType, low: int | None, high: int | None) -> tuple[int, int]:
    """Return the first integer, and the one after the last, that `random_` draws."""
    if dtype.is_complex or dtype not in CASTABLE:
        kernel = "random_kernel_cpu" if low is None else "random_from_to"
        raise TrilithNotImplementedError(f"\"{kernel}\" not implemented for '{dtype.c_name}'")
    _, highest = _range_of(dtype)
    if low is None:
        return 0, highest + 1
    if high is None:
        return low, highest + 1
    _check_range(low, high, dtype)
    return low, high


def _write_random(t: Any, input: Any, from_: int | None, to: int | None, generator: Any) -> None:
    low, high = _bounds(tensor_of(t, input).dtype, from_, to)
    width = (high - low) % (1 << 64)
    draw_over(t, "integers_drawn", input, generator, low, _signed(width))


def _random(
    t: DrawingLanguage, input: Any, from_: int | None, to: int | None, generator: Any
) -> Any:
    low, high = _bounds(tensor_of(t, input).dtype, from_, to)
    width = (high - low) % (1 << 64)
    made = t.call("empty_like", input)
    return draw_into(t, "integers_drawn", made, generator, low, _signed(width))


drawing(
    f"random(Tensor input, int? from_=0, int? to=None, {GENERATOR})",
    "Random integers in [from, to) like a tensor: what `random_` writes.",
    "tri.zeros(2).random_(3).shape  # trilith.Size([2])",
    _random,
    write=_write_random,
    binder=_bind_random,
    forms=(
        f"random(Tensor input, {GENERATOR})",
        f"random(Tensor input, int? to, {GENERATOR})",
        f"random(Tensor input, int? from_, int? to, {GENERATOR})",
    ),
    methods=(),
    in_place=("random_",),
    gradient=drawn_over("Random"),
    is_public=False,
)

# ---- randperm

_SMALL = {"Byte": "uint8_t", "Char": "int8_t", "Short": "int16_t", "Int": "int"}
_PERMUTED = INTEGERS | FLOATS
_EXACT = {float16: 11, float32: 24, float64: 53}


def _check_permutation(n: int, dtype: DType) -> None:
    if n < 0:
        raise TrilithRuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    limit = (1 << _EXACT.get(dtype, 63)) + 1
    if n > limit:
        raise TrilithRuntimeError(f"n cannot be greater than {limit} for {dtype.c_name} type.")
    if dtype in INTEGERS and n > iinfo(dtype).max:
        raise TrilithRuntimeError(
            f"value cannot be converted to type {_SMALL[dtype.c_name]} without overflow"
        )
    check_dtype("randperm", dtype, _PERMUTED)


def _randperm(t: DrawingLanguage, n: int, generator: Any, **options: Any) -> Any:
    check_layout("randperm", options["layout"])
    dtype = option_dtype(options, int64)
    _check_permutation(n, dtype)
    words = new_tensor(t, (n,), int64, options["device"])
    spec = tensor_of(t, words)
    if not (spec.device.has_values and n):
        return new_tensor(t, (n,), dtype, options["device"])
    order = t.call("argsort", draw_into(t, "integers_drawn", words, generator, 0, 0))
    return order if dtype is int64 else t.call("cast", order, dtype)


def _check_count(bound: Mapping[str, Any]) -> None:
    if isinstance(bound["n"], bool):
        raise TrilithTypeError("randperm(): argument 'n' (position 1) must be int, not bool")


drawing_factory(
    f"randperm(SymInt n, {DRAWN_OPTIONS})",
    "The integers below n in a random order.",
    "tri.randperm(4).sum()  # tensor(6)",
    _randperm,
    check_numbers=_check_count,
    has_out=True,
)
