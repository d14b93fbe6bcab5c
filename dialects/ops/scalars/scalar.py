"""Which words may the scalar body of an operation use?

A body is ordinary Python over symbolic scalars: `lambda a, b: select(a > b, a, b)`. It sees typed
`Scalar`s after promotion and never a target. What a word does is up to the `Language` behind the
scalars: the reference computes NumPy arrays, the kernel's language builds arith and math ops,
`TextLanguage` (below) spells documentation. So each body is written once.

Words for `Language.apply`, by the dtypes they take:

- any: `select` (condition first), `cast`, `bitcast` (equal width) and the comparisons `eq ne lt le
  gt ge` (the result is bool; NaN is unordered, so only `ne` holds for it);
- integers (they wrap): `add sub mul neg abs quotient remainder and or xor not shl shr`;
  `quotient` truncates and `remainder` has the sign of the dividend; the caller rules out a zero
  divisor and MIN / -1; `shr` is arithmetic if the dtype is signed; counts are in [0, bits);
- bool: `and or xor not`;
- float32 and float64 (each rounds once, to nearest even, with denormals): `add sub mul div neg abs
  fma sqrt copysign floor ceil trunc round_even minimum maximum fmod ldexp`; `minimum` and `maximum`
  give NaN if either is NaN and hold -0 < +0; `fmod` is exact, with the sign of the dividend;
  `ldexp` is x * 2^n for a finite and whole n that is a float, too (`Language.has_ldexp`);
- `cast` to bool is "not zero", between integers keeps the low bits, to a float rounds to nearest
  even; a float to an integer truncates, and what does not fit (NaN too) becomes the smallest value
  for int32 and int64 and is not defined for other integers (go through int64);
- the mathematical functions in `PRIMITIVES`, for float32 and float64: within 2 ULP, and those in
  `COMPOUNDS`: within 3 ULP;
- the special functions in `SPECIALS`;
- complex32, complex64 and complex128, whose scalars are made of two real ones (`complexes`): `add
  sub mul div neg select eq ne`, `abs` (which is real), `cast` between them and to other dtypes, and
  the functions in `expansions/complex_registry`.

No word is ever contracted or reassociated: `a * b + c` rounds twice, `fma(a, b, c)` once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ...attributes.dtype import Category, DType, bool_

#: Operation name -> number of operands.
OPERATIONS: dict[str, int] = {
    **dict.fromkeys(("neg", "abs", "not", "sqrt", "floor", "ceil", "trunc", "round_even"), 1),
    **dict.fromkeys(("cast", "bitcast"), 1),
    **dict.fromkeys(("add", "sub", "mul", "div", "quotient", "remainder", "fmod"), 2),
    **dict.fromkeys(("lt", "le", "gt", "ge", "eq", "ne"), 2),
    **dict.fromkeys(("and", "or", "xor", "shl", "shr"), 2),
    **dict.fromkeys(("copysign", "minimum", "maximum", "ldexp"), 2),
    **dict.fromkeys(("fma", "select"), 3),
}
#: Mathematical function -> number of operands; `expansions` writes each in the words above.
PRIMITIVES: dict[str, int] = {
    **dict.fromkeys(("exp", "exp2", "expm1", "log", "log1p", "log2"), 1),
    **dict.fromkeys(("sin", "cos", "tan", "tanh", "erf"), 1),
    "pow": 2,
}
#: The same for functions that a language without a word of its own for them expands at once.
COMPOUNDS: dict[str, int] = {
    **dict.fromkeys(("erfc", "sigmoid", "silu", "gelu_erf", "gelu_tanh"), 1),
    **dict.fromkeys(("asin", "acos", "atan", "log10"), 1),
    **dict.fromkeys(("sinh", "cosh", "asinh", "acosh", "atanh"), 1),
    "atan2": 2,
}
#: The same for the special functions, of which the rows and docstrings say how near they come.
SPECIALS: dict[str, int] = {
    **dict.fromkeys(("lgamma", "digamma", "trigamma", "sinc"), 1),
    **dict.fromkeys(("erfcx", "erfinv", "ndtr", "ndtri", "log_ndtr", "logit", "entr"), 1),
    **dict.fromkeys(("i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"), 1),
    **dict.fromkeys(("j0", "j1", "y0", "y1", "spherical_j0", "airy_ai"), 1),
    **dict.fromkeys(("xlogy", "xlog1py", "logaddexp", "logaddexp2"), 2),
}


class Language(ABC):
    """What gives the words a meaning: three methods, called with operands that agree in dtype."""

    __slots__ = ()
    #: Whether `ldexp` is an instruction; else it is not asked for.
    has_ldexp = False

    @abstractmethod
    def constant(self, value: float, dtype: DType) -> Scalar:
        """Return a Python number as a scalar, rounded to the dtype."""

    @abstractmethod
    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Return the result, of dtype `dtype`, of one word on its operands."""

    @abstractmethod
    def check(self, bad: Scalar, code: str) -> None:
        """Report the fault `code`, such as "ZeroDivisionError", where `bad` holds."""

    def rarely(
        self, condition: Scalar, rare: Callable[[], Sequence[Scalar]], usual: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return what `rare()` gives where a condition holds, else what is usual; see `rarely`."""
        return [select(condition, a, b) for a, b in zip(rare(), usual, strict=True)]

    def shift(self, op: str, value: Scalar, count: Scalar) -> Scalar:
        """Shift by any count; outside [0, bits) the result is zero, or the sign (signed `shr`)."""
        bits, dtype = value.dtype.bits, value.dtype
        inside = count < bits
        if dtype.is_signed:
            inside = inside & (count >= 0)
            if op == "shr":
                return self.apply(op, (value, select(inside, count, bits - 1)), dtype)
        return select(inside, self.apply(op, (value, count & (bits - 1)), dtype), 0)


class Scalar:
    """A typed value of some language; a Python number beside it becomes a constant of its dtype.

    `<` and its like give bool scalars; equality is spelled `a.eq(b)` and `a.ne(b)`, because `==`
    stays Python's own.
    """

    __slots__ = ("dtype", "language", "value")

    def __init__(self, language: Language, value: Any, dtype: DType) -> None:
        """Wrap a value that belongs to the language."""
        self.language = language
        self.value = value
        self.dtype = dtype

    def __repr__(self) -> str:
        """Return the value and dtype, for debugging."""
        return f"Scalar({self.value!r}, {self.dtype!r})"

    def __bool__(self) -> bool:
        """Refuse: a body cannot branch."""
        raise TypeError("a symbolic scalar has no truth value: use select(condition, a, b)")

    def _binary(self, op: str, other: Operand) -> Scalar:
        dtype = self.dtype
        if not isinstance(other, Scalar):
            other = _constant(self, other)
        assert other.dtype is dtype, f"{op} of {dtype!r} and {other.dtype!r}"
        return self.language.apply(op, (self, other), dtype)

    def _compare(self, op: str, other: Operand) -> Scalar:
        if not isinstance(other, Scalar):
            other = _constant(self, other)
        assert other.dtype is self.dtype, f"{op} of {self.dtype!r} and {other.dtype!r}"
        return self.language.apply(op, (self, other), bool_)

    def _shift(self, op: str, count: Scalar | int) -> Scalar:
        if isinstance(count, Scalar):
            assert count.dtype is self.dtype, f"{op} of {self.dtype!r} by {count.dtype!r}"
            return self.language.shift(op, self, count)
        assert 0 <= count < self.dtype.bits, f"{op} by {count}"
        return self._binary(op, count)

    def __add__(self, other: Operand) -> Scalar:
        """Return the sum."""
        return self._binary("add", other)

    def __radd__(self, other: float) -> Scalar:
        """Return number + self."""
        return _constant(self, other)._binary("add", self)

    def __sub__(self, other: Operand) -> Scalar:
        """Return the difference."""
        return self._binary("sub", other)

    def __rsub__(self, other: float) -> Scalar:
        """Return number - self."""
        return _constant(self, other)._binary("sub", self)

    def __mul__(self, other: Operand) -> Scalar:
        """Return the product."""
        return self._binary("mul", other)

    def __rmul__(self, other: float) -> Scalar:
        """Return number * self."""
        return _constant(self, other)._binary("mul", self)

    def __truediv__(self, other: Operand) -> Scalar:
        """Return the quotient of floats."""
        return self._binary("div", other)

    def __rtruediv__(self, other: float) -> Scalar:
        """Return number / self."""
        return _constant(self, other)._binary("div", self)

    def __and__(self, other: Scalar | int) -> Scalar:
        """Return the bitwise and."""
        return self._binary("and", other)

    def __or__(self, other: Scalar | int) -> Scalar:
        """Return the bitwise or."""
        return self._binary("or", other)

    def __xor__(self, other: Scalar | int) -> Scalar:
        """Return the bitwise exclusive or."""
        return self._binary("xor", other)

    def __lshift__(self, count: Scalar | int) -> Scalar:
        """Shift to the left; by any count if it is a scalar."""
        return self._shift("shl", count)

    def __rshift__(self, count: Scalar | int) -> Scalar:
        """Shift to the right, arithmetically if the dtype is signed."""
        return self._shift("shr", count)

    def __lt__(self, other: Operand) -> Scalar:
        """Return self < other as a bool scalar."""
        return self._compare("lt", other)

    def __le__(self, other: Operand) -> Scalar:
        """Return self <= other as a bool scalar."""
        return self._compare("le", other)

    def __gt__(self, other: Operand) -> Scalar:
        """Return self > other as a bool scalar."""
        return self._compare("gt", other)

    def __ge__(self, other: Operand) -> Scalar:
        """Return self >= other as a bool scalar."""
        return self._compare("ge", other)

    def eq(self, other: Operand) -> Scalar:
        """Return whether the values are equal, as a bool scalar."""
        return self._compare("eq", other)

    def ne(self, other: Operand) -> Scalar:
        """Return whether the values differ, as a bool scalar."""
        return self._compare("ne", other)

    def __neg__(self) -> Scalar:
        """Return the negative."""
        return self.language.apply("neg", (self,), self.dtype)

    def __abs__(self) -> Scalar:
        """Return the magnitude."""
        return self.language.apply("abs", (self,), self.dtype)

    def __invert__(self) -> Scalar:
        """Return the complement of a bool or of the bits of an integer."""
        return self.language.apply("not", (self,), self.dtype)


#: What may stand beside a scalar.
Operand: TypeAlias = Scalar | float


def _constant(like: Scalar, value: float) -> Scalar:
    dtype = like.dtype
    is_whole = dtype.category <= Category.INTEGRAL
    assert not (is_whole and isinstance(value, float)), f"{value} beside {dtype!r}"
    return like.language.constant(value, dtype)


def _unary(op: str) -> Callable[[Scalar], Scalar]:
    def function(x: Scalar) -> Scalar:
        return x.language.apply(op, (x,), x.dtype)

    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"Return {op} of a float32 or float64 scalar."
    return function


def _binary(op: str) -> Callable[[Operand, Operand], Scalar]:
    def function(a: Operand, b: Operand) -> Scalar:
        if not isinstance(a, Scalar):
            assert isinstance(b, Scalar), f"{op} of two Python numbers"
            a = _constant(b, a)
        return a._binary(op, b)  # pyright: ignore[reportPrivateUsage] # one class, one module

    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"Return {op} of two scalars, of which one may be a Python number."
    return function


sqrt, floor, ceil, trunc, round_even = map(_unary, ("sqrt", "floor", "ceil", "trunc", "round_even"))
exp, exp2, expm1, log, log1p, log2 = map(_unary, ("exp", "exp2", "expm1", "log", "log1p", "log2"))
sin, cos, tanh, erf = map(_unary, ("sin", "cos", "tanh", "erf"))
erfc, sigmoid, silu = map(_unary, ("erfc", "sigmoid", "silu"))
gelu_erf, gelu_tanh = map(_unary, ("gelu_erf", "gelu_tanh"))
asin, acos, atan, tan, log10 = map(_unary, ("asin", "acos", "atan", "tan", "log10"))
sinh, cosh, asinh, acosh, atanh = map(_unary, ("sinh", "cosh", "asinh", "acosh", "atanh"))
lgamma, digamma, trigamma, sinc = map(_unary, ("lgamma", "digamma", "trigamma", "sinc"))
erfcx, erfinv, ndtr, ndtri = map(_unary, ("erfcx", "erfinv", "ndtr", "ndtri"))
log_ndtr, logit, entr = map(_unary, ("log_ndtr", "logit", "entr"))
i0, i0e, i1, i1e = map(_unary, ("i0", "i0e", "i1", "i1e"))
k0, k0e, k1, k1e = map(_unary, ("k0", "k0e", "k1", "k1e"))
j0, j1, y0, y1 = map(_unary, ("j0", "j1", "y0", "y1"))
spherical_j0, airy_ai = map(_unary, ("spherical_j0", "airy_ai"))
xlogy, xlog1py = map(_binary, ("xlogy", "xlog1py"))
logaddexp, logaddexp2 = map(_binary, ("logaddexp", "logaddexp2"))
pow, fmod, copysign, atan2 = map(_binary, ("pow", "fmod", "copysign", "atan2"))
minimum, maximum, ldexp = map(_binary, ("minimum", "maximum", "ldexp"))
quotient, remainder_truncated = map(_binary, ("quotient", "remainder"))


def fma(a: Operand, b: Operand, c: Operand) -> Scalar:
    """Return a * b + c, rounded once.

    >>> from ...attributes.dtype import float32
    >>> text = TextLanguage()
    >>> text.spell(fma(text.name("x", float32), 2, 1))
    'fma(x, 2, 1)'
    """
    like = a if isinstance(a, Scalar) else b if isinstance(b, Scalar) else c
    assert isinstance(like, Scalar), "fma of three Python numbers"
    x, y, z = (each if isinstance(each, Scalar) else _constant(like, each) for each in (a, b, c))
    assert x.dtype is y.dtype is z.dtype, f"fma of {x.dtype!r}, {y.dtype!r} and {z.dtype!r}"
    return like.language.apply("fma", (x, y, z), like.dtype)


def select(condition: Scalar, a: Operand, b: Operand) -> Scalar:
    """Return `a` where `condition` holds, else `b`; both are computed."""
    like = a if isinstance(a, Scalar) else b
    assert isinstance(like, Scalar), "select between two Python numbers"
    assert condition.dtype is bool_, f"select by {condition.dtype!r}"
    a = a if isinstance(a, Scalar) else _constant(like, a)
    b = b if isinstance(b, Scalar) else _constant(like, b)
    assert a.dtype is b.dtype, f"select of {a.dtype!r} and {b.dtype!r}"
    return like.language.apply("select", (condition, a, b), like.dtype)


def rarely(condition: Scalar, rare: Callable[[], Sequence[Scalar]], *usual: Scalar) -> list[Scalar]:
    """Return what `rare()` gives where a condition holds that seldom does, else what is usual.

    It means `select`; a language may compute what is rare only if some element wants it.
    """
    return condition.language.rarely(condition, rare, usual)


def isnan(x: Scalar) -> Scalar:
    """Return whether x is NaN; never for an integer."""
    is_whole = x.dtype.category <= Category.INTEGRAL
    return x.language.constant(False, bool_) if is_whole else x.ne(x)


def cast(x: Scalar, dtype: DType) -> Scalar:
    """Return the value of x in another dtype.

    >>> from ...attributes.dtype import float32, int32
    >>> text = TextLanguage()
    >>> text.spell(cast(text.name("x", float32), int32))
    'int32(x)'
    """
    return x if x.dtype is dtype else x.language.apply("cast", (x,), dtype)


def bitcast(x: Scalar, dtype: DType) -> Scalar:
    """Return the bits of x, read as another dtype of the same width."""
    assert x.dtype.bits == dtype.bits, f"bitcast of {x.dtype!r} to {dtype!r}"
    return x if x.dtype is dtype else x.language.apply("bitcast", (x,), dtype)


def check_failure(bad: Scalar, code: str) -> None:
    """Report the fault `code` where `bad` holds; the body goes on with some value.

    >>> from ...attributes.dtype import int32
    >>> text = TextLanguage()
    >>> check_failure(text.name("b", int32).eq(0), "ZeroDivisionError")
    >>> text.checks
    ['ZeroDivisionError if b == 0']
    """
    bad.language.check(bad, code)


class Text(NamedTuple):
    """A spelled expression and how tightly its outermost operator binds."""

    text: str
    binding: int

    def within(self, binding: int) -> str:
        """Return the text, in parentheses if it binds less tightly than its surroundings."""
        return self.text if self.binding >= binding else f"({self.text})"


#: Word -> (spelling, binding, binding its right operand needs), with the precedence of C
#: except that comparisons bind more tightly than `&`, `^` and `|`, as readers expect.
_INFIX: dict[str, tuple[str, int, int]] = {
    "or": ("|", 1, 1), "xor": ("^", 2, 2), "and": ("&", 3, 3),
    "lt": ("<", 4, 5), "le": ("<=", 4, 5), "gt": (">", 4, 5), "ge": (">=", 4, 5),
    "eq": ("==", 4, 5), "ne": ("!=", 4, 5),
    "shl": ("<<", 5, 6), "shr": (">>", 5, 6),
    "add": ("+", 6, 7), "sub": ("-", 6, 7), "mul": ("*", 7, 8), "div": ("/", 7, 8),
}  # fmt: skip
_PREFIX = {"neg": "-", "not": "~"}
_PREFIX_BINDING, _ATOM = 8, 9


class TextLanguage(Language):
    """Spells a body as documentation; `checks` collects the faults it can report.

    >>> from ...attributes.dtype import float32
    >>> text = TextLanguage()
    >>> a, b = text.name("a", float32), text.name("b", float32)
    >>> text.spell(select((a > b) | isnan(a), a, (a + b) * 2))
    'select(a > b | isnan(a), a, (a + b) * 2)'
    """

    __slots__ = ("checks",)

    def __init__(self) -> None:
        """Start without faults."""
        self.checks: list[str] = []

    def name(self, name: str, dtype: DType) -> Scalar:
        """Return an operand that is spelled by its name."""
        return Scalar(self, Text(name, _ATOM), dtype)

    def spell(self, scalar: Scalar) -> str:
        """Return the text of a result."""
        return scalar.value.text

    def constant(self, value: float, dtype: DType) -> Scalar:
        """Spell a number; whole floats drop their `.0`."""
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e6
        text = str(int(value)) if whole and str(value) != "-0.0" else str(value)
        return Scalar(self, Text(text, _PREFIX_BINDING if text.startswith("-") else _ATOM), dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Spell a word as an infix or prefix operator, or as a call."""
        texts = [argument.value for argument in arguments]
        if op in _INFIX:
            if op == "ne" and texts[0] == texts[1]:
                return Scalar(self, Text(f"isnan({texts[0].text})", _ATOM), dtype)
            symbol, binding, right = _INFIX[op]
            text = f"{texts[0].within(binding)} {symbol} {texts[1].within(right)}"
            return Scalar(self, Text(text, binding), dtype)
        if op in _PREFIX:
            text = _PREFIX[op] + texts[0].within(_ATOM)
            return Scalar(self, Text(text, _PREFIX_BINDING), dtype)
        parts = [text.text for text in texts]
        if op == "bitcast":
            parts.append(dtype.name)
        word = dtype.name if op == "cast" else op
        return Scalar(self, Text(f"{word}({', '.join(parts)})", _ATOM), dtype)

    def check(self, bad: Scalar, code: str) -> None:
        """Note "code if condition"."""
        self.checks.append(f"{code} if {bad.value.text}")

    def shift(self, op: str, value: Scalar, count: Scalar) -> Scalar:
        """Spell a shift by any count plainly."""
        return self.apply(op, (value, count), value.dtype)
