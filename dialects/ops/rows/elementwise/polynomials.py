"""Which operations are orthogonal polynomials? Chebyshev's, whose degree may be a tensor.

They are cosines and sines of multiples of an angle, so that no degree costs more than another:
T_n(cos t) = cos(n t), U_n = sin((n + 1) t) / sin(t), V_n = cos((n + 1/2) t) / cos(t / 2) and
W_n = sin((n + 1/2) t) / sin(t / 2); beyond -1 and 1 the functions are hyperbolic ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from ....attributes.dtype import float32, float64
from ...frame.elementwise import USUAL
from ...frame.gradients import CONSTANT
from ...frame.row import TABLE
from ...frame.rules import int_to_float, of_tensors
from ...scalars import scalar
from ...scalars.expansions.floating import rounded_once
from ...scalars.scalar import Scalar, select

_POLYNOMIAL = partial(
    USUAL,
    accepts=frozenset({float32, float64}),
    domain=(-2.0, 2.0),
    is_costly=True,
    methods=(),
    is_public=False,
    gradient=CONSTANT,
)


def _is_odd(n: Scalar) -> Scalar:
    half = n * 0.5
    return scalar.trunc(half).ne(half)


def _of_degree(kind: str, is_shifted: bool) -> Callable[[Scalar, Scalar], Scalar]:
    """Return the body of a polynomial of a kind; a shifted one is that of 2 x - 1."""

    @rounded_once
    def body(x: Scalar, n: Scalar, is_short: bool) -> Scalar:
        n = scalar.trunc(n)
        x = x + x - 1.0 if is_shifted else x
        result = select(abs(x) < math.inf, _KINDS[kind](x, n), math.nan)
        result = select(n.eq(1.0), _LINES[kind](x), result)
        return select(n < 0.0, 0.0, select(n.eq(0.0), 1.0, result))

    return body


def _signed(x: Scalar, n: Scalar, result: Scalar) -> Scalar:
    return select((x < 0.0) & _is_odd(n), -result, result)


def _odd(x: Scalar, n: Scalar, result: Scalar) -> Scalar:
    """Return the same of a polynomial that is odd or even with n: what is odd is 0 at 0."""
    return _signed(x, n, select(x.eq(0.0) & _is_odd(n), 0.0, result))


def _first(x: Scalar, n: Scalar) -> Scalar:
    """Return T_n(|x|) with its sign, by parity."""
    t = abs(x)
    inner, outer = scalar.cos(n * scalar.acos(t)), scalar.cosh(n * scalar.acosh(t))
    return _odd(x, n, select(t <= 1.0, inner, outer))


def _second(x: Scalar, n: Scalar) -> Scalar:
    """Return U_n; at 1 it is n + 1."""
    t, count = abs(x), n + 1.0
    angle, growth = scalar.acos(t), scalar.acosh(t)
    inner = scalar.sin(count * angle) / scalar.sin(angle)
    outer = scalar.sinh(count * growth) / scalar.sinh(growth)
    return _odd(x, n, select(t.eq(1.0), count, select(t < 1.0, inner, outer)))


def _third(x: Scalar, n: Scalar) -> Scalar:
    """Return V_n: 1 at 1, and at -1 it is (-1)^n (2 n + 1); V_n(-x) is W_n(x) by the sign."""
    return select(x < 0.0, _signed(x, n, _by_sines(abs(x), n)), _by_cosines(abs(x), n))


def _fourth(x: Scalar, n: Scalar) -> Scalar:
    """Return W_n: 2 n + 1 at 1, and at -1 it is (-1)^n."""
    return select(x < 0.0, _signed(x, n, _by_cosines(abs(x), n)), _by_sines(abs(x), n))


def _by_cosines(t: Scalar, n: Scalar) -> Scalar:
    angle, growth = scalar.acos(t), scalar.acosh(t)
    inner = scalar.cos((n + 0.5) * angle) / scalar.cos(angle * 0.5)
    outer = scalar.cosh((n + 0.5) * growth) / scalar.cosh(growth * 0.5)
    return select(t <= 1.0, inner, outer)


def _by_sines(t: Scalar, n: Scalar) -> Scalar:
    angle, growth = scalar.acos(t), scalar.acosh(t)
    inner = scalar.sin((n + 0.5) * angle) / scalar.sin(angle * 0.5)
    outer = scalar.sinh((n + 0.5) * growth) / scalar.sinh(growth * 0.5)
    return select(t.eq(1.0), n + n + 1.0, select(t < 1.0, inner, outer))


_KINDS = {"t": _first, "u": _second, "v": _third, "w": _fourth}
#: The polynomials of degree 1.
_LINES: dict[str, Callable[[Scalar], Scalar]] = {
    "t": lambda x: x,
    "u": lambda x: x + x,
    "v": lambda x: x + x - 1.0,
    "w": lambda x: x + x + 1.0,
}
_WORDS = {"t": "first", "u": "second", "v": "third", "w": "fourth"}
#: The values at 2 of degree 3, which for a shifted polynomial are those at 3 / 2.
_EXAMPLES = {"t": 26, "u": 56, "v": 41, "w": 71}

for _kind, _word in _WORDS.items():
    for _is_shifted in (False, True):
        _name = f"{'shifted_' if _is_shifted else ''}chebyshev_polynomial_{_kind}"
        _argument = "1.5" if _is_shifted else "2."
        TABLE.add(
            _POLYNOMIAL(
                f"special_{_name}(Operand x, Operand n)",
                f"Chebyshev's polynomial of the {_word} kind of degree n"
                f"{' at 2 x - 1' if _is_shifted else ''}, elementwise.",
                f"tri.special.{_name}(tri.tensor([{_argument}]), 3)  "
                f"# tensor([{_EXAMPLES[_kind]}.])",
                body=_of_degree(_kind, _is_shifted),
                promotion=of_tensors(f"special_{_name}", int_to_float),
                ulp=64.0,
                places=(f"special.{_name}",),
            )
        )
