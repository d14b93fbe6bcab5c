"""Which special functions have two arguments? Products with logarithms, sums of exponentials,
derivatives of the gamma function's logarithm.

Those of one number stand in `special_functions.py`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from ....attributes.dtype import Category, float32, float64
from ....diagnostics import TrilithRuntimeError
from ...frame.elementwise import USUAL
from ...frame.gradients import named_by_numbers
from ...frame.opspec import composite
from ...frame.row import TensorLanguage, registering
from ...frame.rules import FIELDS, FLOATS, int_to_float, of_tensors, promote
from ...frame.view_rows import tensor_of
from ...gradients.functions import OF_MVLGAMMA, OF_POLYGAMMA, OF_ZETA
from ...gradients.kinks import OF_LOGADDEXP
from ...scalars import scalar
from ...scalars.expansions import gamma_function
from ...scalars.pairs import split
from ...scalars.scalar import Scalar, select

_SPECIAL = partial(
    USUAL,
    accepts=FLOATS,
    domain=(-10.0, 10.0),
    ulp=2.0,
    is_costly=True,
)
_function = registering(_SPECIAL)

_function(
    "xlogy(Operand input, Operand other)",
    "input log(other), elementwise; 0 where input is 0 and other a number.",
    "tri.xlogy(tri.tensor([0., 2.]), tri.tensor([0., 3.]))  # tensor([0.0000, 2.1972])",
    body=scalar.xlogy,
    promotion=of_tensors("xlogy", int_to_float),
    gradient=named_by_numbers("Xlogy"),
    places=("special.xlogy",),
    in_place_functions=("xlogy_",),
)
_function(
    "special_xlog1py(Operand input, Operand other)",
    "input log(1 + other), elementwise; 0 where input is 0 and other a number.",
    "tri.special.xlog1py(tri.tensor([0., 2.]), tri.tensor([-1., 2.]))  # tensor([0.0000, 2.1972])",
    body=scalar.xlog1py,
    promotion=of_tensors("special_xlog1py", int_to_float),
    gradient=named_by_numbers("SpecialXlog1Py"),
    methods=(),
    is_public=False,
    places=("special.xlog1py",),
)
_function(
    "special_zeta(Operand input, Operand other)",
    "Hurwitz's zeta function, elementwise: the sum over k >= 0 of (other + k) ** -input.",
    "tri.special.zeta(tri.tensor([2., 4.]), 1)  # tensor([1.6449, 1.0823])",
    body=gamma_function.zeta,
    promotion=of_tensors("special_zeta", int_to_float),
    accepts=frozenset({float32, float64}),
    domain=(1.1, 10.0),
    ulp=64.0,
    methods=(),
    is_public=False,
    places=("special.zeta",),
    gradient=OF_ZETA,
)


def _logaddexp(a: Scalar, b: Scalar) -> Scalar:
    """Return log(e^a + e^b); of complex numbers with respect to the larger real part."""
    if not a.dtype.is_complex:
        return scalar.logaddexp(a, b)
    (x, _), (y, _) = split(a), split(b)
    is_first = (x >= y) | x.ne(x)
    large, small = select(is_first, a, b), select(is_first, b, a)
    result = scalar.log1p(scalar.exp(small - large)) + large
    same = x.eq(y) & abs(x).eq(math.inf)
    both = select(x < 0.0, small, scalar.log(scalar.exp(small) + scalar.exp(large)))
    return select(same, both, result)


_function(
    "logaddexp(Tensor input, Tensor other)",
    "log(exp(input) + exp(other)), elementwise, without overflow.",
    "tri.logaddexp(tri.tensor([0., 10.]), tri.tensor([0., 1.]))  # tensor([ 0.6931, 10.0001])",
    body=_logaddexp,
    promotion=promote,
    accepts=FIELDS,
    in_place=(),
    gradient=OF_LOGADDEXP,
)
_function(
    "logaddexp2(Tensor input, Tensor other)",
    "log2(2 ** input + 2 ** other), elementwise, without overflow.",
    "tri.logaddexp2(tri.tensor([0., 3.]), tri.tensor([0., 3.]))  # tensor([1., 4.])",
    body=scalar.logaddexp2,
    promotion=promote,
    in_place=(),
)


def _second(x: Scalar) -> Scalar:
    """Return trigamma; PyTorch reflects it by the sine of a rounded product, which is never 0."""
    sine = scalar.sin(x * math.pi)
    pi = x.language.constant(math.pi, x.dtype)
    mirrored = (pi * pi) / (sine * sine) - scalar.trigamma(1.0 - x)
    return select(x < 0.0, mirrored, scalar.trigamma(x))


def _derivative(x: Scalar, n: int) -> Scalar:
    if n < 2:
        return _second(x) if n else scalar.digamma(x)
    return gamma_function.polygamma(x, n)


_function(
    "gamma_derivative(Tensor input, int n)",
    "The derivative of order n of digamma, elementwise: what `polygamma` means.",
    "tri.tensor([1., 2.]).polygamma(1)  # tensor([1.6449, 0.6449])",
    body=_derivative,
    promotion=int_to_float,
    domain=(0.1, 10.0),
    ulp=20.0,
    methods=("polygamma",),
    is_public=False,
    torch_name="Tensor.polygamma",
    gradient=OF_POLYGAMMA,
)


def _polygamma(t: TensorLanguage, n: int, input: Any) -> Any:
    if n < 0:
        raise TrilithRuntimeError("polygamma(n, x) does not support negative n.")
    return t.call("digamma", input) if not n else t.call("gamma_derivative", input, n)


composite(
    "polygamma(int n, Tensor input)",
    "The derivative of order n of digamma, elementwise.",
    "tri.polygamma(1, tri.tensor([1., 2.]))  # tensor([1.6449, 0.6449])",
    _polygamma,
    methods=(),
    has_out=True,
    places=("special.polygamma",),
)


def _mvlgamma(t: TensorLanguage, input: Any, p: int) -> Any:
    if p < 1:
        raise TrilithRuntimeError("p has to be greater than or equal to 1")
    spec = tensor_of(t, input)
    if spec.dtype.category <= Category.INTEGRAL:
        input = t.call("true_divide", input, 1)
        spec = tensor_of(t, input)
    steps = t.call("arange", -p / 2.0 + 0.5, 0.25, 0.5, dtype=spec.dtype, device=spec.device)
    parts = t.call("lgamma", t.call("add", t.call("unsqueeze", input, -1), steps))
    constant = p * (p - 1) / 4.0 * math.log(math.pi)
    return t.call("add", t.call("sum", parts, -1), constant)


composite(
    "mvlgamma(Tensor input, int p)",
    "The logarithm of the gamma function of p variables, elementwise.",
    "tri.mvlgamma(tri.tensor([3., 4.]), 2)  # tensor([1.5502, 3.5651])",
    _mvlgamma,
    has_out=True,
    in_place=("mvlgamma_",),
    places=("special.multigammaln",),
    gradient=OF_MVLGAMMA,
)
