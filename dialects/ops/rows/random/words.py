"""Which operations draw random numbers? Each is a formula of a key, a counter and a number.

Element e of a draw is made of block `counter + e` of a key's stream (`philox.py`), whatever its
shape is and wherever it lies. Key and counter are arguments of a call: a generator hands them out.
Uniform numbers are the leading bits of a block, as many as the significand holds: 53, 24, 11 or 8.
Normal ones are the Box-Muller transform of its two halves; of a complex number they are both parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from ....attributes.dtype import (
    DType,
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    int64,
    uint64,
)
from ....attributes.spec import TensorSpec
from ...frame.opspec import ElementwiseOp
from ...frame.row import Attributes, OperandSpec, Resolved, registering
from ...frame.rules import resolve_elementwise
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.philox import block, fraction, open_fraction, point_on_circle
from ...scalars.scalar import Scalar

#: How many leading bits a fraction has.
FRACTION_BITS = {float64: 53, float32: 24, float16: 11, bfloat16: 8}


def _drawn(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """All operands are integers; the result has the dtype asked for."""
    dtype = attributes.get("dtype", int64)
    assert isinstance(dtype, DType)
    return (int64,) * len(operands), dtype


def _resolve_like_numbers(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Give the result the layout of the element numbers that it is drawn for."""
    numbers = operands[0]
    assert isinstance(numbers, TensorSpec)
    dtypes, dtype = row.promotion(operands, attributes)
    result = TensorSpec.of(numbers.shape, dtype, numbers.device, numbers.strides)
    return Resolved(dict(attributes), dtypes, result)


_draw = registering(
    partial(
        ElementwiseOp,
        methods=(),
        promotion=_drawn,
        accepts=frozenset({int64}),
        resolver=_resolve_like_numbers,
        is_costly=True,
        is_public=False,
        has_out=False,
        in_place=(),
    ),
    "%s(Tensor input, Scalar key, Scalar counter, *, dtype dtype)",
)


def _uniform(number: Scalar, key: Scalar, counter: Scalar, dtype: DType) -> Scalar:
    words, part = block(counter + number, key), dtype.to_real()
    bits = FRACTION_BITS[part]
    real = fraction(words.low, bits, part)
    return complex_of(real, fraction(words.high, bits, part)) if dtype.is_complex else real


def _normal(number: Scalar, key: Scalar, counter: Scalar, dtype: DType) -> Scalar:
    """Box and Muller: the radius is that of a normal pair, the angle is uniform."""
    words, part = block(counter + number, key), dtype.to_real()
    radius = scalar.sqrt(scalar.log(open_fraction(words, part)) * -2.0)
    cosine, sine = point_on_circle(words.high, part)
    if not dtype.is_complex:
        return radius * cosine
    # Of a complex number the variance is 1, half of it in each part.
    radius = radius * math.sqrt(0.5)
    return complex_of(radius * cosine, radius * sine)


def _open(number: Scalar, key: Scalar, counter: Scalar, dtype: DType) -> Scalar:
    return open_fraction(block(counter + number, key), dtype)


def _product_high(left: Scalar, right: Scalar) -> Scalar:
    """Return the upper 64 bits of a product of two uint64."""
    low, high = left & 0xFFFFFFFF, left >> 32
    small, large = right & 0xFFFFFFFF, right >> 32
    middle = (low * small >> 32) + high * small
    carried = (middle & 0xFFFFFFFF) + low * large
    return high * large + (middle >> 32) + (carried >> 32)


def _integer(number: Scalar, key: Scalar, counter: Scalar, low: Scalar, width: Scalar) -> Scalar:
    """Return low + floor(w * width / 2^64); a width of 0 stands for 2^64."""
    bits = block(counter + number, key).low
    width = scalar.cast(width, uint64)
    below = scalar.select(width.eq(0), bits, _product_high(bits, width))
    return scalar.cast(below, int64) + low


_draw(
    "random_uniform",
    "Uniform random numbers in [0, 1) for element numbers, by key and counter.",
    "tri.rand(2).shape  # trilith.Size([2])",
    body=_uniform,
)
_draw(
    "random_open",
    "Uniform random numbers in (0, 1), float32 or float64, of which no logarithm is 0.",
    "tri.rand(2).shape  # trilith.Size([2])",
    body=_open,
)
_draw(
    "random_normal",
    "Random numbers of mean 0 and variance 1 for element numbers, by key and counter.",
    "tri.randn(2).shape  # trilith.Size([2])",
    body=_normal,
)
registering(
    partial(
        ElementwiseOp,
        methods=(),
        promotion=_drawn,
        accepts=frozenset({int64}),
        resolver=_resolve_like_numbers,
        is_costly=True,
        is_public=False,
        has_out=False,
        in_place=(),
    )
)(
    "random_integer(Tensor input, Scalar key, Scalar counter, Scalar low, Scalar width)",
    "Random integers in [low, low + width), int64, whose bias is below width / 2^64.",
    "tri.randint(3, (2,)).shape  # trilith.Size([2])",
    body=_integer,
)


def _checked(value: Scalar, bad: Scalar, fault: str) -> Scalar:
    scalar.check_failure(bad, fault)
    return value


def _kept(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    dtype = operands[0].dtype
    return (dtype, bool_), dtype


registering(
    partial(
        ElementwiseOp,
        methods=(),
        promotion=_kept,
        accepts=frozenset({bool_}),
        resolver=resolve_elementwise,
        is_public=False,
        has_out=False,
        in_place=(),
    )
)(
    "checked(Tensor input, Tensor bad, *, str fault)",
    "The input; where `bad` holds, the call raises the error of a fault.",
    "tri.bernoulli(tri.zeros(2))  # tensor([0., 0.])",
    body=_checked,
)
