"""Types of `trilith.special`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .dialects.attributes.dtype import DType as dtype
from .runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def airy_ai(x: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Airy function Ai, elementwise."""

def bessel_j0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0, elementwise."""

def bessel_j1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1, elementwise."""

def bessel_y0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0, elementwise."""

def bessel_y1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1, elementwise."""

def chebyshev_polynomial_t(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n, elementwise."""

def chebyshev_polynomial_u(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n, elementwise."""

def chebyshev_polynomial_v(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n, elementwise."""

def chebyshev_polynomial_w(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n, elementwise."""

def digamma(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, elementwise."""

def entr(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-input log(input), elementwise: 0 for 0 and -inf below."""

def erf(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The error function, elementwise."""

def erfc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(input) without cancellation for large input, elementwise."""

def erfcx(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(input * input) erfc(input), elementwise, without overflow for large input."""

def erfinv(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose error function is input, elementwise; NaN beyond -1 and 1."""

def exp2(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def expit(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def expm1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(input) - 1 without cancellation near 0, elementwise."""

def gammaln(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function, elementwise."""

def hermite_polynomial_h(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial of physics of degree n, elementwise."""

def hermite_polynomial_he(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial of probability of degree n, elementwise."""

def i0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, elementwise."""

def i0e(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(-|input|) times the modified Bessel function i0, elementwise."""

def i1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, elementwise."""

def i1e(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(-|input|) times the modified Bessel function i1, elementwise."""

def laguerre_polynomial_l(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n, elementwise."""

def legendre_polynomial_p(x: _Operand, n: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n, elementwise."""

def log1p(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log`(1 + input) without cancellation near 0, elementwise."""

def log_ndtr(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the probability that a normal variable is below input, elementwise."""

def log_softmax(input: _Array, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
    """The logarithms of the softmax along a dim."""

def logit(input: _Array, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """`log`(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps."""

def logsumexp(
    input: _Array, dim: _Ints, keepdim: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The logarithm of the sum of exponentials over dims, without overflow."""

def modified_bessel_i0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, elementwise."""

def modified_bessel_i1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, elementwise."""

def modified_bessel_k0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0, elementwise."""

def modified_bessel_k1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1, elementwise."""

def multigammaln(input: _Array, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of p variables, elementwise."""

def ndtr(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The probability that a normal variable is below input, elementwise."""

def ndtri(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number that a normal variable is below with probability input, elementwise."""

def polygamma(n: builtins.int, input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The derivative of order n of digamma, elementwise."""

def psi(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, elementwise."""

def round(
    input: _Array, *, decimals: builtins.int | None = None, out: Tensor | None = None
) -> Tensor:
    """The nearest integer, or the nearest number of some decimals; halves to even."""

def scaled_modified_bessel_k0(x: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(x) times the modified Bessel function of the second kind of order 0, elementwise."""

def scaled_modified_bessel_k1(x: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(x) times the modified Bessel function of the second kind of order 1, elementwise."""

def shifted_chebyshev_polynomial_t(
    x: _Operand, n: _Operand, *, out: Tensor | None = None
) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n at 2 x - 1, elementwise."""

def shifted_chebyshev_polynomial_u(
    x: _Operand, n: _Operand, *, out: Tensor | None = None
) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n at 2 x - 1, elementwise."""

def shifted_chebyshev_polynomial_v(
    x: _Operand, n: _Operand, *, out: Tensor | None = None
) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n at 2 x - 1, elementwise."""

def shifted_chebyshev_polynomial_w(
    x: _Operand, n: _Operand, *, out: Tensor | None = None
) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n at 2 x - 1, elementwise."""

def sinc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`sin`(pi input) / (pi input), elementwise, and 1 for 0."""

def softmax(
    input: _Array, dim: builtins.int, dtype: dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""

def spherical_bessel_j0(x: _Array, *, out: Tensor | None = None) -> Tensor:
    """The spherical Bessel function of the first kind of order 0, sin(x) / x, elementwise."""

def xlog1py(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` log(1 + other), elementwise; 0 where input is 0 and other a number."""

def xlogy(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` log(other), elementwise; 0 where input is 0 and other a number."""

def zeta(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function, elementwise: the sum over k >= 0 of (other + k) ** -input."""
