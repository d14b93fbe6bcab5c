"""Which words of the scalar language are functions of complex numbers?"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..scalar import Scalar
from .complex_functions import (
    complex_abs,
    complex_angle,
    complex_cos,
    complex_cosh,
    complex_exp,
    complex_exp2,
    complex_expm1,
    complex_log,
    complex_log1p,
    complex_pow,
    complex_sigmoid,
    complex_sign,
    complex_silu,
    complex_sin,
    complex_sinh,
    complex_sqrt,
    complex_tan,
    complex_tanh,
    over,
)
from .complex_inverses import (
    complex_acos,
    complex_acosh,
    complex_asin,
    complex_asinh,
    complex_atan,
    complex_atanh,
)

#: Word of the scalar language -> function of complex128 scalars.
COMPLEX_FUNCTIONS: dict[str, Callable[..., Scalar]] = {
    "abs": complex_abs,
    "acos": complex_acos,
    "acosh": complex_acosh,
    "angle": complex_angle,
    "asin": complex_asin,
    "asinh": complex_asinh,
    "atan": complex_atan,
    "atanh": complex_atanh,
    "cos": complex_cos,
    "cosh": complex_cosh,
    "exp": complex_exp,
    "exp2": complex_exp2,
    "expm1": complex_expm1,
    "log": complex_log,
    "log10": over(math.log(10.0), complex_log),
    "log1p": complex_log1p,
    "log2": over(math.log(2.0), complex_log),
    "pow": complex_pow,
    "sgn": complex_sign,
    "sigmoid": complex_sigmoid,
    "silu": complex_silu,
    "sin": complex_sin,
    "sinh": complex_sinh,
    "sqrt": complex_sqrt,
    "tan": complex_tan,
    "tanh": complex_tanh,
}
