"""Which operations are special functions of one number? Gamma, normal and Bessel functions.

Each row states its error bound in units in the last place; where a function crosses zero, beyond
its first root, the bound is one of the size that it swings by. float32 is computed in float64 and
rounded once. Their arithmetic stands in `scalars/expansions`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from ....attributes.dtype import float32, float64
from ...frame.elementwise import USUAL
from ...frame.gradients import CONSTANT
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage, registering
from ...frame.rules import FIELDS, FLOATS, int_to_float
from ...frame.view_rows import tensor_of
from ...gradients.functions import ANALYTIC, OF_DIGAMMA, OF_LGAMMA
from ...scalars import scalar
from ...scalars.scalar import Scalar, select

#: Most functions of `special` have no kernels for floats of 16 bits.
_WIDE = frozenset({float32, float64})

_SPECIAL = partial(
    USUAL,
    promotion=int_to_float,
    accepts=FLOATS,
    domain=(-10.0, 10.0),
    ulp=2.0,
    is_costly=True,
)
#: Adds a function of one variable; integers give the default dtype.
_function = registering(_SPECIAL, "%s(Tensor input)")


#: Adds a function that stands in `trilith.special` alone.
_in_special = registering(
    partial(_SPECIAL, accepts=_WIDE, methods=(), is_public=False), "special_%s(Tensor input)"
)

_function(
    "lgamma",
    "The logarithm of the absolute value of the gamma function, elementwise.",
    "tri.lgamma(tri.tensor([0.5, 1., 10.]))  # tensor([ 0.5724,  0.0000, 12.8018])",
    body=scalar.lgamma,
    places=("special.gammaln",),
    gradient=OF_LGAMMA,
)
_function(
    "digamma",
    "The derivative of the logarithm of the gamma function, elementwise.",
    "tri.digamma(tri.tensor([0.5, 1.]))  # tensor([-1.9635, -0.5772])",
    body=scalar.digamma,
    ulp=5.0,
    places=("special.digamma", "special.psi"),
    gradient=OF_DIGAMMA,
)
_function(
    "erfinv",
    "The number whose error function is input, elementwise; NaN beyond -1 and 1.",
    "tri.erfinv(tri.tensor([0., 0.5, 1.]))  # tensor([0.0000, 0.4769,    inf])",
    body=scalar.erfinv,
    ulp=5.0,
    domain=(-1.0, 1.0),
    places=("special.erfinv",),
)


def _sinc(x: Scalar) -> Scalar:
    if not x.dtype.is_complex:
        return scalar.sinc(x)
    angle = x * math.pi
    return select(x.eq(0.0), 1.0, scalar.sin(angle) / angle)


_function(
    "sinc",
    "sin(pi input) / (pi input), elementwise, and 1 for 0.",
    "tri.sinc(tri.tensor([0., 0.5, 1.]))  # tensor([1.0000, 0.6366, 0.0000])",
    body=_sinc,
    accepts=FIELDS,
    places=("special.sinc",),
    in_place_functions=("sinc_",),
    ufuncs=(),
    gradient=ANALYTIC["sinc"],
)


def _logit_body(x: Scalar, eps: float | None = None) -> Scalar:
    if eps is not None and eps >= 0:
        low = x.language.constant(eps, x.dtype)
        high = 1.0 - low
        x = select(x < low, low, select(x > high, high, x))
    return scalar.logit(x)


registering(_SPECIAL)(
    "logit_of_wide(Tensor input, float? eps=None)",
    "log(input / (1 - input)), elementwise: `logit` of what is not a float of 16 bits.",
    "tri.logit(tri.tensor([0., 0.25, 0.5]), eps=0.1)  # tensor([-2.1972, -1.0986,  0.0000])",
    body=_logit_body,
    domain=(0.0, 1.0),
    methods=(),
    is_public=False,
    torch_name="logit",
)


def _logit(t: TensorLanguage, input: Any, eps: float | None) -> Any:
    spec = tensor_of(t, input)
    if spec.dtype.itemsize != 2 or not spec.dtype.is_floating_point:
        return t.call("logit_of_wide", input, eps)
    # PyTorch rounds every step to 16 bits.
    one = t.call("full", (), 1.0, dtype=spec.dtype, device=spec.device)
    if eps is not None and eps >= 0:
        low = t.call("full", (), eps, dtype=spec.dtype, device=spec.device)
        high = t.call("sub", one, low)
        bounded = t.call("where", t.call("gt", input, high), high, input)
        input = t.call("where", t.call("lt", input, low), low, bounded)
    return t.call("log", t.call("true_divide", input, t.call("sub", one, input)))


composite(
    "logit(Tensor input, float? eps=None)",
    "log(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps.",
    "tri.logit(tri.tensor([0., 0.25, 0.5]), eps=0.1)  # tensor([-2.1972, -1.0986,  0.0000])",
    _logit,
    has_out=True,
    in_place=("logit_",),
    places=("special.logit",),
    in_place_functions=("logit_",),
)
_function(
    "i0",
    "The modified Bessel function of the first kind of order 0, elementwise.",
    "tri.i0(tri.tensor([0., 1.]))  # tensor([1.0000, 1.2661])",
    body=scalar.i0,
    ulp=3.5,
    places=("special.i0",),
    in_place_functions=("i0_",),
)
_in_special(
    "i0e",
    "exp(-|input|) times the modified Bessel function i0, elementwise.",
    "tri.special.i0e(tri.tensor([0., 1.]))  # tensor([1.0000, 0.4658])",
    body=scalar.i0e,
    accepts=FLOATS,
    ulp=3.5,
    places=("special.i0e",),
)
_in_special(
    "i1",
    "The modified Bessel function of the first kind of order 1, elementwise.",
    "tri.special.i1(tri.tensor([0., 1.]))  # tensor([0.0000, 0.5652])",
    body=scalar.i1,
    accepts=FLOATS,
    ulp=3.5,
    places=("special.i1",),
)
_in_special(
    "i1e",
    "exp(-|input|) times the modified Bessel function i1, elementwise.",
    "tri.special.i1e(tri.tensor([0., 1.]))  # tensor([0.0000, 0.2079])",
    body=scalar.i1e,
    accepts=FLOATS,
    ulp=3.5,
    places=("special.i1e",),
)
_in_special(
    "erfcx",
    "exp(input * input) erfc(input), elementwise, without overflow for large input.",
    "tri.special.erfcx(tri.tensor([0., 1.]))  # tensor([1.0000, 0.4276])",
    body=scalar.erfcx,
    ulp=3.0,
    places=("special.erfcx",),
)
_in_special(
    "entr",
    "-input log(input), elementwise: 0 for 0 and -inf below.",
    "tri.special.entr(tri.tensor([-1., 0., 0.5]))  # tensor([  -inf, 0.0000, 0.3466])",
    body=scalar.entr,
    accepts=FLOATS,
    domain=(0.0, 2.0),
    places=("special.entr",),
)
registering(_SPECIAL, "%s(Tensor input)")(
    "normal_probability",
    "The probability that a normal variable is below input: `ndtr` of floats of 32 bits and more.",
    "tri.special.ndtr(tri.tensor([-1., 0., 1.]))  # tensor([0.1587, 0.5000, 0.8413])",
    body=scalar.ndtr,
    ulp=3.0,
    methods=(),
    is_public=False,
    torch_name="special.ndtr",
)


def _ndtr(t: TensorLanguage, input: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    if dtype.itemsize != 2 or not dtype.is_floating_point:
        return t.call("normal_probability", input)
    # PyTorch rounds every step to 16 bits.
    error = t.call("erf", t.call("true_divide", input, math.sqrt(2.0)))
    return t.call("mul", t.call("add", error, 1), 0.5)


composite(
    "special_ndtr(Tensor input)",
    "The probability that a normal variable is below input, elementwise.",
    "tri.special.ndtr(tri.tensor([-1., 0., 1.]))  # tensor([0.1587, 0.5000, 0.8413])",
    _ndtr,
    has_out=True,
    methods=(),
    is_public=False,
    places=("special.ndtr",),
)
_in_special(
    "log_ndtr",
    "The logarithm of the probability that a normal variable is below input, elementwise.",
    "tri.special.log_ndtr(tri.tensor([-1., 0.]))  # tensor([-1.8410, -0.6931])",
    body=scalar.log_ndtr,
    ulp=3.0,
    places=("special.log_ndtr",),
)
_in_special(
    "ndtri",
    "The number that a normal variable is below with probability input, elementwise.",
    "tri.special.ndtri(tri.tensor([0., 0.25, 0.5]))  # tensor([   -inf, -0.6745,  0.0000])",
    body=scalar.ndtri,
    ulp=5.0,
    domain=(0.0, 1.0),
    places=("special.ndtri",),
)

#: Name in `special` -> what it is called, its word, an example's argument and results, its bound.
_BESSEL: dict[str, tuple[str, Callable[[Scalar], Scalar], str, float]] = {
    "bessel_j0": (
        "The Bessel function of the first kind of order 0",
        scalar.j0,
        "[0., 1.]))  # tensor([1.0000, 0.7652])",
        3.0,
    ),
    "bessel_j1": (
        "The Bessel function of the first kind of order 1",
        scalar.j1,
        "[0., 1.]))  # tensor([0.0000, 0.4401])",
        3.0,
    ),
    "bessel_y0": (
        "The Bessel function of the second kind of order 0",
        scalar.y0,
        "[0., 1.]))  # tensor([  -inf, 0.0883])",
        4.0,
    ),
    "bessel_y1": (
        "The Bessel function of the second kind of order 1",
        scalar.y1,
        "[0., 1.]))  # tensor([   -inf, -0.7812])",
        4.0,
    ),
    "modified_bessel_i0": (
        "The modified Bessel function of the first kind of order 0",
        scalar.i0,
        "[0., 1.]))  # tensor([1.0000, 1.2661])",
        3.5,
    ),
    "modified_bessel_i1": (
        "The modified Bessel function of the first kind of order 1",
        scalar.i1,
        "[0., 1.]))  # tensor([0.0000, 0.5652])",
        3.5,
    ),
    "modified_bessel_k0": (
        "The modified Bessel function of the second kind of order 0",
        scalar.k0,
        "[0., 1.]))  # tensor([   inf, 0.4210])",
        6.0,
    ),
    "modified_bessel_k1": (
        "The modified Bessel function of the second kind of order 1",
        scalar.k1,
        "[0., 1.]))  # tensor([   inf, 0.6019])",
        6.0,
    ),
    "scaled_modified_bessel_k0": (
        "exp(x) times the modified Bessel function of the second kind of order 0",
        scalar.k0e,
        "[0., 1.]))  # tensor([   inf, 1.1445])",
        6.0,
    ),
    "scaled_modified_bessel_k1": (
        "exp(x) times the modified Bessel function of the second kind of order 1",
        scalar.k1e,
        "[0., 1.]))  # tensor([   inf, 1.6362])",
        6.0,
    ),
    "spherical_bessel_j0": (
        "The spherical Bessel function of the first kind of order 0, sin(x) / x",
        scalar.spherical_j0,
        "[0., 1.]))  # tensor([1.0000, 0.8415])",
        2.0,
    ),
    "airy_ai": (
        "The Airy function Ai",
        scalar.airy_ai,
        "[0., 1.]))  # tensor([0.3550, 0.1353])",
        100.0,
    ),
}
for _name, (_what, _word, _call, _bound) in _BESSEL.items():
    _is_of_x = not _name.startswith(("bessel", "modified"))
    TABLE.add(
        _SPECIAL(
            f"special_{_name}(Tensor {'x' if _is_of_x else 'input'})",
            f"{_what}, elementwise.",
            f"tri.special.{_name}(tri.tensor({_call}",
            body=_word,
            accepts=_WIDE,
            ulp=_bound,
            methods=(),
            is_public=False,
            places=(f"special.{_name}",),
            gradient=CONSTANT,
        )
    )
