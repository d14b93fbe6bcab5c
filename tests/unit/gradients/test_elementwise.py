"""Gradients of elementwise operations: differences, kinks as in PyTorch, and complex numbers."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.autograd

from .slopes import Function, check, drawn

nan, inf = float("nan"), float("inf")

ONE: dict[str, Callable[[Any], Any]] = {
    "powers": lambda x: x.abs() ** 1.5 + x**3 + 2.0**x + x.square(),
    "roots": lambda x: x.abs().sqrt() + x.abs().rsqrt() + x.reciprocal(),
    "exponentials": lambda x: x.exp() + x.exp2() + x.expm1() + x.sigmoid() + x.tanh(),
    "logarithms": lambda x: x.abs().log() + x.abs().log2() + x.abs().log10() + x.abs().log1p(),
    "angles": lambda x: x.sin() + x.cos() + x.tan() + x.atan() + (x / 3).asin() + (x / 3).acos(),
    "hyperbolic": lambda x: x.sinh() + x.cosh() + x.asinh() + (x / 3).atanh(),
    "gamma": lambda x: x.abs().lgamma() + x.abs().digamma() + tri.polygamma(1, x.abs()),
    "mvlgamma": lambda x: tri.mvlgamma(x.abs() + 2, 3),
    "clamp": lambda x: x.clamp(-1, 0.9) + x.clamp_min(0.3) + x.clamp_max(0.3),
    "relu": lambda x: x.relu() * x,
    "remainders": lambda x: x.frac() + x.fmod(0.7) * x + x.remainder(0.7) * x,
    "rounded": lambda x: x.floor() * x + x.round() * x + x.trunc() * x,
    "degrees": lambda x: tri.deg2rad(x) * x,
    "of zero": lambda x: (x * 0) ** 2 + x,
    "frexp": lambda x: tri.frexp(x)[0] * x,
}
TWO: dict[str, Callable[[Any, Any], Any]] = {
    "pow": lambda x, y: x.abs() ** y,
    "extremes": lambda x, y: tri.maximum(x, y) * tri.fmin(x, y) + tri.minimum(x, y) * x,
    "quotients": lambda x, y: x / y + x.fmod(y) * y + x.remainder(y) * y,
    "rounded quotients": lambda x, y: tri.div(x, y, rounding_mode="floor") * x * y,
    "hypot": lambda x, y: tri.hypot(x, y) + tri.atan2(x, y) + tri.copysign(x, y) * y,
    "lerp": lambda x, y: tri.lerp(x, y, 0.3) + tri.lerp(x, y, x * y),
    "addcmul": lambda x, y: tri.addcmul(x, y, x, value=2) + tri.addcdiv(x, x, y, value=3),
    "bounds": lambda x, y: tri.clamp(x, y, y + 0.7),
    "logaddexp": lambda x, y: tri.logaddexp(x, y) + tri.xlogy(x, y.abs()),
    "rsub": lambda x, y: tri.rsub(x, y, alpha=3) * x,
}


@pytest.mark.parametrize("name", ONE)
def test_of_one_number(name: str) -> None:
    check(ONE[name], drawn(1, 3), is_compiled=name in ("powers", "clamp"))


@pytest.mark.parametrize("name", TWO)
def test_of_two_numbers(name: str) -> None:
    check(TWO[name], drawn(2, 3), drawn(3, 3))


def gradients(function: Any, *numbers: Any) -> list[Any]:
    leaves = [tri.tensor(each).requires_grad_() for each in numbers]
    return [each.numpy() for each in trilith.autograd.grad(function(*leaves).sum(), leaves)]


KINKS: list[tuple[Function, Any, Any]] = [
    (tri.relu, [[-1.0, 0.0, 1.0, nan]], [[0, 0, 1, 1]]),
    (lambda x: x.clamp(0, 1), [[-1.0, 0.0, 1.0, 2.0, nan]], [[0, 1, 1, 0, 0]]),
    (lambda x: x.clamp(min=0), [[-1.0, 0.0, nan]], [[0, 1, 0]]),
    (tri.maximum, [[1.0, nan], [1.0, 2.0]], [[0.5, 1], [0.5, 1]]),
    (tri.fmax, [[1.0, nan], [1.0, 2.0]], [[1, 0], [0, 1]]),
    (lambda x: x**0, [[0.0, 1.0]], [[0, 0]]),
    (tri.pow, [[0.0, 0.0], [0.0, 2.0]], [[0, 0], [0, 0]]),
    (tri.angle, [[-1.0, 0.0, nan]], [[0, 0, 0]]),
    (tri.abs, [[-0.0, 0.0, nan]], [[0, 0, 0]]),
    (tri.nextafter, [[1.0], [2.0]], [[1], [0]]),
    (lambda x, y: tri.div(x, y, rounding_mode="trunc"), [[5.0], [3.0]], [[0], [0]]),
    (tri.nan_to_num, [[nan, inf, 1.0]], [[0, 0, 1]]),
    (tri.bernoulli, [[0.0, 1.0]], [[0, 0]]),
]


@pytest.mark.parametrize("number", range(len(KINKS)))
def test_kinks_are_those_of_pytorch(number: int) -> None:
    function, numbers, wanted = KINKS[number]
    for found, each in zip(gradients(function, *numbers), wanted, strict=True):
        np.testing.assert_array_equal(found + 0, np.array(each, np.float32))


@pytest.mark.parametrize("function", [tri.heaviside, tri.floor_divide])
def test_what_has_no_derivative_says_so(function: Any) -> None:
    made = function(tri.ones(2).requires_grad_(), tri.ones(2))
    with pytest.raises(RuntimeError, match=r"derivative for aten::.* is not implemented"):
        made.sum().backward()


BESSEL = ("bessel_j0", "modified_bessel_i1", "spherical_bessel_j0", "airy_ai")
POLYNOMIALS = ("chebyshev_polynomial_t", "shifted_chebyshev_polynomial_w", "hermite_polynomial_h")


@pytest.mark.parametrize("name", [*BESSEL, *POLYNOMIALS])
def test_what_pytorch_does_not_differentiate_requires_no_gradient(name: str) -> None:
    degree = (2,) if name in POLYNOMIALS else ()

    def function(x: Any) -> Any:
        return getattr(tri.special, name)(x, *degree)

    x = tri.tensor([0.5, 1.0], requires_grad=True)
    found = function(x)
    assert (found.requires_grad, found.grad_fn) == (False, None)
    (x * found).sum().backward()
    assert x.grad.tolist() == found.tolist()
    assert tri.func.jvp(function, (x.detach(),), (tri.ones(2),))[1].tolist() == [0.0, 0.0]
    compiled = tri.compile(function)(x)
    assert (compiled.requires_grad, compiled.tolist()) == (False, found.tolist())


def test_names_of_nodes() -> None:
    x = tri.ones(2).requires_grad_()
    made: list[Any] = [x**2, 2**x, x**x, x.square(), x.log1p(), x.round(), x.round(decimals=1)]
    made += [x.clamp(0, 1), x.clamp(x, x), x.clamp_min(0), x.clamp_min(x), tri.nan_to_num(x)]
    assert [each.grad_fn.name().removesuffix("Backward0") for each in made] == [
        *("Pow", "PowBackward2", "PowBackward1", "Pow", "Log1P", "Round", "RoundBackward1"),
        *("ClampBackward1", "Clamp", "ClampMin", "ClampMinBackward1", "NanToNum"),
    ]


#: Functions of complex numbers, as sums of real and imaginary parts with weights of their own.
COMPLEX: dict[str, Callable[[Any], Any]] = {
    "holomorphic": lambda z: z.exp() + z.sin() + z.log() + z.sqrt() + z * z + 1 / z,
    "inverse": lambda z: (z / 3).asin() + (z / 3).atan() + z.asinh() + (z / 3).atanh() + z.tanh(),
    "powers": lambda z: z**2.5 + (2 + 1j) ** z + z**z,
    "magnitude": lambda z: z.abs() + z.sgn() + 0j,
    "angle": lambda z: z.angle() * z,
    "conjugate": lambda z: z.conj() * z.conj() * z + z.real * z.imag,
    "reductions": lambda z: z.prod() + z.std() + z.cumprod(0) + z.cumsum(0) + z.norm(),
    "lerp": lambda z: tri.lerp(z, z * z, z) + tri.addcdiv(z, z * z, z + 2, value=2),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers(name: str) -> None:
    def parts(x: Any, y: Any) -> Any:
        return tri.view_as_real(COMPLEX[name](tri.complex(x, y)).resolve_conj())

    check(parts, drawn(4, 2), drawn(5, 2))


def test_polar() -> None:
    check(lambda x, y: tri.view_as_real(tri.polar(x.abs(), y)), drawn(4, 2), drawn(5, 2))
