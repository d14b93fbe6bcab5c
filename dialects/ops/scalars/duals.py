"""What is the derivative of a scalar body? A language of dual numbers walks it, word by word.

A dual is a value and its derivative with respect to one operand; None is a derivative of zero. At
kinks the rules are PyTorch's: the derivative of `abs` at 0 is 0, and of two equal numbers `maximum`
gives half to each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from ...attributes.dtype import Category, DType
from . import scalar
from .scalar import Language, Scalar, select


class Dual(NamedTuple):
    """A value and its derivative, scalars of the same language; None is zero."""

    primal: Scalar
    tangent: Scalar | None


class NoDerivative(Exception):
    """A word of a body has no derivative that is known."""


class DualLanguage(Language):
    """Computes the words and their derivatives in another language.

    >>> from ...attributes.dtype import float32
    >>> text = scalar.TextLanguage()
    >>> x = text.name("x", float32)
    >>> text.spell(derivative(lambda x: scalar.sin(x * x), [x], 0))
    '(1 * x + x * 1) * cos(x * x)'
    """

    __slots__ = ("inner",)

    def __init__(self, inner: Language) -> None:
        """Compute in a language."""
        self.inner = inner

    def constant(self, value: float, dtype: DType) -> Scalar:
        """Return a constant, whose derivative is zero."""
        return self._dual(self.inner.constant(value, dtype), None)

    def variable(self, value: Scalar, tangent: Scalar | None) -> Scalar:
        """Return a dual of a value and its derivative."""
        return self._dual(value, tangent)

    def _dual(self, primal: Scalar, tangent: Scalar | None) -> Scalar:
        return Scalar(self, Dual(primal, tangent), primal.dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Compute one word and its derivative."""
        duals = [argument.value for argument in arguments]
        values = tuple(dual.primal for dual in duals)
        primal = values[0].language.apply(op, values, dtype)
        if op == "select":
            return self._dual(primal, _selected(values[0], duals[1], duals[2]))
        tangents = [dual.tangent for dual in duals]
        is_constant = all(tangent is None for tangent in tangents)
        if is_constant or dtype.category <= Category.INTEGRAL or op in _FLAT:
            return self._dual(primal, None)
        if op == "cast":
            return self._dual(primal, scalar.cast(_known(tangents[0]), dtype))
        rules = _RULES.get(op)
        if rules is None:
            raise NoDerivative(op)
        total: Scalar | None = None
        for rule, tangent in zip(rules, tangents, strict=True):
            if tangent is not None:
                part = rule(tangent, primal, *values)
                total = part if total is None else total + part
        return self._dual(primal, total)

    def check(self, bad: Scalar, code: str) -> None:
        """Report a fault where the values say so."""
        dual: Dual = bad.value
        dual.primal.language.check(dual.primal, code)


def _known(tangent: Scalar | None) -> Scalar:
    assert tangent is not None
    return tangent


def _selected(condition: Scalar, first: Dual, second: Dual) -> Scalar | None:
    if first.tangent is None and second.tangent is None:
        return None
    zero = first.primal.language.constant(0, first.primal.dtype)
    a = zero if first.tangent is None else first.tangent
    b = zero if second.tangent is None else second.tangent
    return select(condition, a, b)


def derivative(body: Callable[..., Scalar], operands: list[Scalar], index: int) -> Scalar:
    """Return the derivative of a body with respect to one of its operands.

    >>> from ...attributes.dtype import float32
    >>> text = scalar.TextLanguage()
    >>> x, y = text.name("x", float32), text.name("y", float32)
    >>> text.spell(derivative(lambda x, y: x / y, [x, y], 0))
    '1 / y'
    """
    language = DualLanguage(operands[index].language)
    duals = [
        language.variable(value, _one(value) if place == index else None)
        for place, value in enumerate(operands)
    ]
    found: Dual = body(*duals).value
    if found.tangent is None:
        return found.primal.language.constant(0, found.primal.dtype)
    return found.tangent


def _one(like: Scalar) -> Scalar:
    return like.language.constant(1, like.dtype)


#: (derivative of an operand, result, *operands) -> its part of the result's derivative
_Rule = Callable[..., Scalar]

#: Words whose results do not change where nothing jumps.
_FLAT = frozenset(
    ("floor", "ceil", "trunc", "round_even", "bitcast", "lt", "le", "gt", "ge", "eq", "ne")
)


def _times_sign(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    if x.dtype.is_complex:
        raise NoDerivative("abs")
    zero = d.language.constant(0, d.dtype)
    return select(x > 0, d, select(x < 0, -d, zero))


def _shared(
    is_first: Callable[[Scalar, Scalar], Scalar],
) -> Callable[[Scalar, Scalar, Scalar, Scalar], Scalar]:
    """Return the rule of minimum or maximum: all, half where both are equal, all beside NaN."""

    def rule(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
        zero = d.language.constant(0, d.dtype)
        is_nan = scalar.isnan(a) | scalar.isnan(b)
        return select(is_nan | is_first(a, b), d, select(a.eq(b), d * 0.5, zero))

    return rule


def _swapped(
    rule: Callable[[Scalar, Scalar, Scalar, Scalar], Scalar],
) -> Callable[[Scalar, Scalar, Scalar, Scalar], Scalar]:
    return lambda d, y, a, b: rule(d, y, b, a)


def _copied_sign(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    zero = d.language.constant(0, d.dtype)
    return select(a.eq(0), zero, select(a.eq(y), d, -d))


def _nothing(d: Scalar, *_: Scalar) -> Scalar:
    return d.language.constant(0, d.dtype)


def _base_of_power(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    zero = d.language.constant(0, d.dtype)
    return select(b.eq(0), zero, d * (b * scalar.pow(a, b - 1)))


def _exponent_of_power(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    zero = d.language.constant(0, d.dtype)
    return select(a.eq(0) & (b >= 0), zero, d * (y * scalar.log(a)))


def _first_of_atan2(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    square = a * a + b * b
    zero = d.language.constant(0, d.dtype)
    return select(square.eq(0), zero, d * (b / square))


def _second_of_atan2(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    square = a * a + b * b
    zero = d.language.constant(0, d.dtype)
    return select(square.eq(0), zero, d * (-a / square))


def _first_of_xlogy(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    zero = d.language.constant(0, d.dtype)
    return select(a.eq(0) & (b <= 0), zero, d * scalar.log(b))


def _first_of_xlog1py(d: Scalar, y: Scalar, a: Scalar, b: Scalar) -> Scalar:
    zero = d.language.constant(0, d.dtype)
    return select(a.eq(0) & (b <= -1), zero, d * scalar.log1p(b))


def _gelu_erf(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    density = scalar.exp(x * x * -0.5) * _HALF_NORMAL
    return d * (scalar.erf(x * math.sqrt(0.5)) * 0.5 + 0.5 + x * density)


def _gelu_tanh(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    slope = math.sqrt(2 / math.pi)
    square = x * x
    inner = scalar.tanh(x * (square * 0.044715 + 1) * slope)
    outer = (square * (3 * 0.044715) + 1) * slope
    return d * ((inner + 1) * 0.5 + x * 0.5 * (1 - inner * inner) * outer)


def _silu(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    part = scalar.sigmoid(x)
    return d * (part * (x * (1 - part) + 1))


def _sinc(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    turned = x * math.pi
    zero = d.language.constant(0, d.dtype)
    return select(x.eq(0), zero, d * ((scalar.cos(turned) - y) / x))


def _i0e(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    return d * scalar.i1e(x) - _times_sign(d, y, x) * y


def _i1(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    half = d.language.constant(0.5, d.dtype)
    return d * select(x.eq(0), half, scalar.i0(x) - y / x)


def _i1e(d: Scalar, y: Scalar, x: Scalar) -> Scalar:
    half = d * 0.5
    others = d * (scalar.i0e(x) - y / x) - _times_sign(d, y, x) * y
    return select(x.eq(0), half, others)


_LN2, _LN10 = math.log(2), math.log(10)
_HALF_NORMAL = 1 / math.sqrt(2 * math.pi)
_TWO_OVER_SQRT_PI = 2 / math.sqrt(math.pi)

#: Word of one operand -> the rule of it.
_OF_ONE: dict[str, Callable[[Scalar, Scalar, Scalar], Scalar]] = {
    "neg": lambda d, y, x: -d,
    "abs": _times_sign,
    "sqrt": lambda d, y, x: d / (y + y),
    "exp": lambda d, y, x: d * y,
    "exp2": lambda d, y, x: d * (y * _LN2),
    "expm1": lambda d, y, x: d * (y + 1),
    "log": lambda d, y, x: d / x,
    "log1p": lambda d, y, x: d / (x + 1),
    "log2": lambda d, y, x: d / (x * _LN2),
    "log10": lambda d, y, x: d / (x * _LN10),
    "sin": lambda d, y, x: d * scalar.cos(x),
    "cos": lambda d, y, x: -d * scalar.sin(x),
    "tan": lambda d, y, x: d * (y * y + 1),
    "tanh": lambda d, y, x: d * (1 - y * y),
    "erf": lambda d, y, x: d * (scalar.exp(-(x * x)) * _TWO_OVER_SQRT_PI),
    "erfc": lambda d, y, x: -d * (scalar.exp(-(x * x)) * _TWO_OVER_SQRT_PI),
    "sigmoid": lambda d, y, x: d * (y * (1 - y)),
    "silu": _silu,
    "gelu_erf": _gelu_erf,
    "gelu_tanh": _gelu_tanh,
    "asin": lambda d, y, x: d / scalar.sqrt(1 - x * x),
    "acos": lambda d, y, x: -d / scalar.sqrt(1 - x * x),
    "atan": lambda d, y, x: d / (x * x + 1),
    "sinh": lambda d, y, x: d * scalar.cosh(x),
    "cosh": lambda d, y, x: d * scalar.sinh(x),
    "asinh": lambda d, y, x: d / scalar.sqrt(x * x + 1),
    "acosh": lambda d, y, x: d / scalar.sqrt(x * x - 1),
    "atanh": lambda d, y, x: d / (1 - x * x),
    "lgamma": lambda d, y, x: d * scalar.digamma(x),
    "digamma": lambda d, y, x: d * scalar.trigamma(x),
    "sinc": _sinc,
    "erfcx": lambda d, y, x: d * (x * y * 2 - _TWO_OVER_SQRT_PI),
    "erfinv": lambda d, y, x: d * (scalar.exp(y * y) * (math.sqrt(math.pi) / 2)),
    "ndtr": lambda d, y, x: d * (scalar.exp(x * x * -0.5) * _HALF_NORMAL),
    "ndtri": lambda d, y, x: d * (scalar.exp(y * y * 0.5) / _HALF_NORMAL),
    "log_ndtr": lambda d, y, x: d / scalar.erfcx(x * -math.sqrt(0.5)) * math.sqrt(2 / math.pi),
    "logit": lambda d, y, x: d / (x * (1 - x)),
    "entr": lambda d, y, x: d * (-scalar.log(x) - 1),
    "i0": lambda d, y, x: d * scalar.i1(x),
    "i0e": _i0e,
    "i1": _i1,
    "i1e": _i1e,
}
_OfTwo = Callable[[Scalar, Scalar, Scalar, Scalar], Scalar]
#: Word of two operands -> the rule of each.
_OF_TWO: dict[str, tuple[_OfTwo, _OfTwo]] = {
    "add": (lambda d, y, a, b: d, lambda d, y, a, b: d),
    "sub": (lambda d, y, a, b: d, lambda d, y, a, b: -d),
    "mul": (lambda d, y, a, b: d * b, lambda d, y, a, b: a * d),
    "div": (lambda d, y, a, b: d / b, lambda d, y, a, b: -d * (y / b)),
    "fmod": (lambda d, y, a, b: d, lambda d, y, a, b: -d * scalar.trunc(a / b)),
    "copysign": (_copied_sign, _nothing),
    "maximum": (_shared(lambda a, b: a > b), _swapped(_shared(lambda a, b: a > b))),
    "minimum": (_shared(lambda a, b: a < b), _swapped(_shared(lambda a, b: a < b))),
    "pow": (_base_of_power, _exponent_of_power),
    "atan2": (_first_of_atan2, _second_of_atan2),
    "xlogy": (_first_of_xlogy, lambda d, y, a, b: d * (a / b)),
    "xlog1py": (_first_of_xlog1py, lambda d, y, a, b: d * (a / (b + 1))),
    "logaddexp": (
        lambda d, y, a, b: d * scalar.exp(a - y),
        lambda d, y, a, b: d * scalar.exp(b - y),
    ),
    "logaddexp2": (
        lambda d, y, a, b: d * scalar.exp2(a - y),
        lambda d, y, a, b: d * scalar.exp2(b - y),
    ),
}
_OfThree = Callable[[Scalar, Scalar, Scalar, Scalar, Scalar], Scalar]
#: Word of three operands -> the rule of each.
_OF_THREE: dict[str, tuple[_OfThree, _OfThree, _OfThree]] = {
    "fma": (lambda d, y, a, b, c: d * b, lambda d, y, a, b, c: a * d, lambda d, y, a, b, c: d),
}
#: Word -> the rules of its operands.
_RULES: dict[str, tuple[_Rule, ...]] = {
    **{word: (rule,) for word, rule in _OF_ONE.items()},
    **_OF_TWO,
    **_OF_THREE,
}
