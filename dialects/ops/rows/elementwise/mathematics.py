"""Which operations are transcendental? Exponentials, logarithms, circles, roots.

Each row states its error bound in units in the last place of float32 and float64; the bound is
tested over a sweep of bit patterns. float16 and bfloat16 compute in float32 and round once.
"""

from __future__ import annotations

import math
from functools import partial

from ....attributes.dtype import Category
from ....diagnostics import TrilithNotImplementedError
from ...frame.elementwise import USUAL
from ...frame.row import registering
from ...frame.rules import FIELDS, FLOATS, int_to_float
from ...frame.torch_kernels import not_implemented
from ...gradients.functions import (
    ANALYTIC,
    OF_EXP,
    OF_EXP2,
    OF_EXPM1,
    OF_LOG,
    OF_LOG1P,
    OF_LOG2,
    OF_RSQRT,
    OF_SIGMOID,
    OF_SQRT,
    OF_TANH,
)
from ...scalars import scalar
from ...scalars.scalar import Scalar

#: Adds a real function of one variable; integers give the default dtype.
_function = registering(
    partial(
        USUAL,
        promotion=int_to_float,
        accepts=FIELDS,
        domain=(-10.0, 10.0),
        is_costly=True,
    ),
    "%s(Tensor input)",
)


def _reciprocal_root(x: Scalar) -> Scalar:
    """1 / sqrt(x), whose two roundings one step of Newton's method takes back.

    The residual 1 - x y^2 is formed with the rounding error of x y, which makes it exact enough.
    """
    y = 1 / scalar.sqrt(x)
    if x.dtype.is_complex:
        return y
    root = x * y
    root_error = scalar.fma(x, y, -root)
    residual = scalar.fma(-root, y, 1.0) - root_error * y
    better = scalar.fma(y * 0.5, residual, y)
    return scalar.select((x > 0.0) & (x < math.inf), better, y)


_function(
    "exp",
    "e to the power of input, elementwise.",
    "tri.exp(tri.tensor([0., 1.]))  # tensor([1.0000, 2.7183])",
    body=scalar.exp,
    ulp=2.0,
    in_place_functions=("exp_",),
    gradient=OF_EXP,
)
_function(
    "exp2",
    "2 to the power of input, elementwise.",
    "tri.exp2(tri.tensor([0., 3.]))  # tensor([1., 8.])",
    body=scalar.exp2,
    ulp=2.0,
    places=("special.exp2",),
    in_place_functions=("exp2_",),
    gradient=OF_EXP2,
)
_function(
    "expm1",
    "exp(input) - 1 without cancellation near 0, elementwise.",
    "tri.expm1(tri.tensor([0.]))  # tensor([0.])",
    body=scalar.expm1,
    ulp=2.0,
    places=("special.expm1",),
    in_place_functions=("expm1_",),
    gradient=OF_EXPM1,
)
_function(
    "log",
    "The natural logarithm, elementwise.",
    "tri.log(tri.tensor([1.]))  # tensor([0.])",
    body=scalar.log,
    ulp=2.0,
    domain=(0.0, 100.0),
    in_place_functions=("log_",),
    gradient=OF_LOG,
)
_function(
    "log1p",
    "log(1 + input) without cancellation near 0, elementwise.",
    "tri.log1p(tri.tensor([0.]))  # tensor([0.])",
    body=scalar.log1p,
    ulp=2.0,
    places=("special.log1p",),
    domain=(-1.0, 100.0),
    in_place_functions=("log1p_",),
    gradient=OF_LOG1P,
)
_function(
    "log2",
    "The logarithm to base 2, elementwise.",
    "tri.log2(tri.tensor([8.]))  # tensor([3.])",
    body=scalar.log2,
    ulp=2.0,
    domain=(0.0, 100.0),
    in_place_functions=("log2_",),
    gradient=OF_LOG2,
)
_function(
    "sqrt",
    "The square root, elementwise; correctly rounded, NaN below 0.",
    "tri.sqrt(tri.tensor([4.]))  # tensor([2.])",
    body=scalar.sqrt,
    ulp=0.0,
    domain=(0.0, 100.0),
    is_costly=False,
    in_place_functions=("sqrt_",),
    gradient=OF_SQRT,
)
_function(
    "rsqrt",
    "1 / sqrt(input), elementwise.",
    "tri.rsqrt(tri.tensor([4.]))  # tensor([0.5000])",
    body=_reciprocal_root,
    ulp=1.0,
    domain=(0.0, 100.0),
    is_costly=False,
    in_place_functions=("rsqrt_",),
    gradient=OF_RSQRT,
)
_function(
    "sin",
    "The sine of an angle in radians, elementwise.",
    "tri.sin(tri.tensor([0.]))  # tensor([0.])",
    body=scalar.sin,
    ulp=2.0,
    in_place_functions=("sin_",),
    gradient=ANALYTIC["sin"],
)
_function(
    "cos",
    "The cosine of an angle in radians, elementwise.",
    "tri.cos(tri.tensor([0.]))  # tensor([1.])",
    body=scalar.cos,
    ulp=2.0,
    in_place_functions=("cos_",),
    gradient=ANALYTIC["cos"],
)
_function(
    "tanh",
    "The hyperbolic tangent, elementwise.",
    "tri.tanh(tri.tensor([0.]))  # tensor([0.])",
    body=scalar.tanh,
    ulp=2.0,
    places=("nn.functional.tanh",),
    in_place_functions=("tanh_",),
    gradient=OF_TANH,
)
_function(
    "erf",
    "The error function, elementwise.",
    "tri.erf(tri.tensor([0.]))  # tensor([0.])",
    body=scalar.erf,
    accepts=FLOATS,
    ulp=2.0,
    domain=(-4.0, 4.0),
    places=("special.erf",),
    in_place_functions=("erf_",),
)
_function(
    "erfc",
    "1 - erf(input) without cancellation for large input, elementwise.",
    "tri.erfc(tri.tensor([0., 1.]))  # tensor([1.0000, 0.1573])",
    body=scalar.erfc,
    accepts=FLOATS,
    ulp=3.0,
    domain=(-4.0, 10.0),
    places=("special.erfc",),
    in_place_functions=("erfc_",),
)
_function(
    "sigmoid",
    "1 / (1 + exp(-input)), elementwise.",
    "tri.sigmoid(tri.tensor([0.]))  # tensor([0.5000])",
    body=scalar.sigmoid,
    ulp=3.0,
    refusals={
        Category.FLOATING: (
            TrilithNotImplementedError,
            not_implemented("sigmoid.float8"),
        )
    },
    places=("special.expit", "nn.functional.sigmoid"),
    in_place_functions=("sigmoid_",),
    gradient=OF_SIGMOID,
)
