"""Which mathematical functions are written out as arithmetic, by name?"""

from __future__ import annotations

from collections.abc import Callable

from ..scalar import Scalar
from .error_function import erf, erfc, gelu_erf
from .exponential import exp, exp2, expm1
from .logarithm import log, log1p, log2
from .logistic import gelu_tanh, sigmoid, silu, tanh
from .power import pow
from .trigonometric import cos, sin

#: Name -> function of one float32 or float64 scalar (`pow`: two).
EXPANSIONS: dict[str, Callable[..., Scalar]] = {
    "cos": cos,
    "erf": erf,
    "erfc": erfc,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "gelu_erf": gelu_erf,
    "gelu_tanh": gelu_tanh,
    "log": log,
    "log1p": log1p,
    "log2": log2,
    "pow": pow,
    "sigmoid": sigmoid,
    "silu": silu,
    "sin": sin,
    "tanh": tanh,
}
