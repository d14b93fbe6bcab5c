"""What does a Python number become in a dtype, where it is known before anything runs?"""

from __future__ import annotations

import numpy as np

from ...attributes.dtype import Category, DType, bool_, complex128, float64


def convert_number(value: complex, dtype: DType) -> bool | int | float | complex:
    """Convert a Python number to a dtype: integers wrap, fractions are cut.

    >>> from trilith.dialects.attributes.dtype import float32, uint8
    >>> convert_number(300, uint8), convert_number(2, float32)
    (44, 2.0)
    """
    if dtype is bool_:
        return bool(value)
    if type(value) is int and dtype not in (float64, complex128) and abs(value) > 2**53:
        # To float32 in one rounding, not by way of float64, which a Python float is.
        if dtype.category > Category.INTEGRAL:
            value = float(
                np.array(value, np.int64 if value < 2**63 else np.uint64).astype(np.float32)
            )
    if dtype.is_complex:
        return complex(value)
    if isinstance(value, complex):
        value = value.real
    if dtype.is_floating_point:
        return float(value)
    number = int(value)
    if not dtype.is_signed:
        return number % (1 << dtype.bits)
    half = 1 << (dtype.bits - 1)
    return (number + half) % (2 * half) - half
