"""Which operations are about angles? The circular and hyperbolic functions and their inverses.

The functions of the first lessons, `sin`, `cos` and `tanh`, stand in `mathematics.py`. Beside
them is `log10`. Each row states its error bound in units in the last place.
"""

from __future__ import annotations

from functools import partial

from ...frame.elementwise import USUAL, elementwise
from ...frame.row import registering
from ...frame.rules import FIELDS, FLOATS, int_to_float
from ...gradients.functions import ANALYTIC, OF_LOG10, OF_TAN
from ...scalars import scalar

#: Adds a function of real and complex numbers; integers give the default dtype.
_function = registering(
    partial(
        USUAL,
        promotion=int_to_float,
        accepts=FIELDS,
        domain=(-10.0, 10.0),
        ulp=2.0,
        is_costly=True,
    ),
    "%s(Tensor input)",
)

_function(
    "tan",
    "The tangent of an angle in radians, elementwise.",
    "tri.tan(tri.tensor([0., 1.]))  # tensor([0.0000, 1.5574])",
    body=scalar.tan,
    in_place_functions=("tan_",),
    gradient=OF_TAN,
)
_function(
    "asin",
    "The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1.",
    "tri.asin(tri.tensor([0., 1.]))  # tensor([0.0000, 1.5708])",
    body=scalar.asin,
    domain=(-1.0, 1.0),
    methods=("asin", "arcsin"),
    in_place_functions=("asin_", "arcsin_"),
    ufuncs=("arcsin",),
    gradient=ANALYTIC["asin"],
)
_function(
    "acos",
    "The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1.",
    "tri.acos(tri.tensor([0., 1.]))  # tensor([1.5708, 0.0000])",
    body=scalar.acos,
    domain=(-1.0, 1.0),
    methods=("acos", "arccos"),
    in_place_functions=("acos_", "arccos_"),
    ufuncs=("arccos",),
    gradient=ANALYTIC["acos"],
)
_function(
    "atan",
    "The angle in radians whose tangent is input, elementwise.",
    "tri.atan(tri.tensor([0., 1.]))  # tensor([0.0000, 0.7854])",
    body=scalar.atan,
    methods=("atan", "arctan"),
    in_place_functions=("atan_", "arctan_"),
    ufuncs=("arctan",),
    gradient=ANALYTIC["atan"],
)
_function(
    "sinh",
    "The hyperbolic sine, elementwise.",
    "tri.sinh(tri.tensor([0., 1.]))  # tensor([0.0000, 1.1752])",
    body=scalar.sinh,
    in_place_functions=("sinh_",),
    gradient=ANALYTIC["sinh"],
)
_function(
    "cosh",
    "The hyperbolic cosine, elementwise.",
    "tri.cosh(tri.tensor([0., 1.]))  # tensor([1.0000, 1.5431])",
    body=scalar.cosh,
    in_place_functions=("cosh_",),
    gradient=ANALYTIC["cosh"],
)
_function(
    "asinh",
    "The number whose hyperbolic sine is input, elementwise.",
    "tri.asinh(tri.tensor([0., 1.]))  # tensor([0.0000, 0.8814])",
    body=scalar.asinh,
    methods=("asinh", "arcsinh"),
    in_place_functions=("asinh_", "arcsinh_"),
    ufuncs=("arcsinh",),
    gradient=ANALYTIC["asinh"],
)
_function(
    "acosh",
    "The positive number whose hyperbolic cosine is input, elementwise; NaN below 1.",
    "tri.acosh(tri.tensor([1., 2.]))  # tensor([0.0000, 1.3170])",
    body=scalar.acosh,
    domain=(1.0, 10.0),
    methods=("acosh", "arccosh"),
    in_place_functions=("acosh_", "arccosh_"),
    ufuncs=("arccosh",),
    gradient=ANALYTIC["acosh"],
)
_function(
    "atanh",
    "The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1.",
    "tri.atanh(tri.tensor([0., 1.]))  # tensor([0., inf])",
    body=scalar.atanh,
    domain=(-1.0, 1.0),
    methods=("atanh", "arctanh"),
    in_place_functions=("atanh_", "arctanh_"),
    ufuncs=("arctanh",),
    gradient=ANALYTIC["atanh"],
)
_function(
    "log10",
    "The logarithm to base 10, elementwise.",
    "tri.log10(tri.tensor([1000.]))  # tensor([3.])",
    body=scalar.log10,
    domain=(0.0, 100.0),
    in_place_functions=("log10_",),
    gradient=OF_LOG10,
)
elementwise(
    "atan2(Tensor input, Tensor other)",
    "The angle in radians of the point (other, input), elementwise, in (-pi, pi].",
    "tri.atan2(tri.tensor([1., -1.]), tri.tensor([1., 0.]))  # tensor([ 0.7854, -1.5708])",
    body=scalar.atan2,
    promotion=int_to_float,
    accepts=FLOATS,
    domain=(-10.0, 10.0),
    ulp=2.0,
    is_costly=True,
    methods=("atan2", "arctan2"),
    ufuncs=("arctan2",),
)
