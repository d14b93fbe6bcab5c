"""Which mathematical functions are written out as arithmetic, by name?"""

from __future__ import annotations

from collections.abc import Callable

from ..scalar import Scalar
from .arcsine import acos, asin
from .arctangent import atan, atan2
from .error_function import erf, erfc, gelu_erf
from .exponential import exp, exp2, expm1
from .hyperbolic import acosh, asinh, atanh, cosh, sinh
from .logarithm import log, log1p, log2, log10
from .logistic import gelu_tanh, sigmoid, silu, tanh
from .power import pow
from .trigonometric import cos, sin, tan

#: Name -> function of one float32 or float64 scalar (`pow` and `atan2`: two).
EXPANSIONS: dict[str, Callable[..., Scalar]] = {
    "acos": acos,
    "acosh": acosh,
    "asin": asin,
    "asinh": asinh,
    "atan": atan,
    "atan2": atan2,
    "atanh": atanh,
    "cos": cos,
    "cosh": cosh,
    "erf": erf,
    "erfc": erfc,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "gelu_erf": gelu_erf,
    "gelu_tanh": gelu_tanh,
    "log": log,
    "log10": log10,
    "log1p": log1p,
    "log2": log2,
    "pow": pow,
    "sigmoid": sigmoid,
    "silu": silu,
    "sin": sin,
    "sinh": sinh,
    "tan": tan,
    "tanh": tanh,
}
