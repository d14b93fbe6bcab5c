"""The scalar language: operators, constants, checks and the text that documentation shows."""

import operator
from collections.abc import Callable
from typing import TypeAlias

import pytest

from trilith.dialects.attributes.dtype import DType, bool_, float32, float64, int32, uint8
from trilith.dialects.ops.scalars import scalar
from trilith.dialects.ops.scalars.scalar import (
    COMPOUNDS,
    OPERATIONS,
    PRIMITIVES,
    SPECIALS,
    Language,
    Scalar,
    TextLanguage,
    bitcast,
    cast,
    check_failure,
    copysign,
    fma,
    isnan,
    maximum,
    minimum,
    quotient,
    remainder_truncated,
    select,
)


class Recorder(Language):
    """Values are names; `calls` lists what was applied, with the dtypes of the operands."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[object, ...], DType]] = []

    def constant(self, value: float, dtype: DType) -> Scalar:
        return Scalar(self, value, dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        values = tuple(argument.value for argument in arguments)
        self.calls.append((op, values, dtype))
        return Scalar(self, f"%{len(self.calls)}", dtype)

    def check(self, bad: Scalar, code: str) -> None:
        self.calls.append((code, (bad.value,), bool_))


def operands(dtype: DType) -> tuple[Recorder, Scalar, Scalar]:
    language = Recorder()
    return language, Scalar(language, "a", dtype), Scalar(language, "b", dtype)


def spell(dtype: DType, write: Callable[[Scalar, Scalar, Scalar], Scalar]) -> str:
    text = TextLanguage()
    return text.spell(write(*(text.name(name, dtype) for name in "abc")))


def test_operators_apply_words_to_their_operands_in_order() -> None:
    language, a, b = operands(float32)
    results = [a + b, a - b, a * b, a / b, -a, abs(a)]
    results += [a < b, a <= b, a > b, a >= b, a.eq(b), a.ne(b)]
    names = "add sub mul div neg abs lt le gt ge eq ne".split()
    assert [call[0] for call in language.calls] == names
    assert [call[1] for call in language.calls if len(call[1]) == 2] == [("a", "b")] * 10
    assert [result.dtype for result in results] == [float32] * 6 + [bool_] * 6


def test_integer_operators_apply_words() -> None:
    language, a, b = operands(int32)
    for _ in (a & b, a | b, a ^ b, ~a, a << 3, a >> 31, quotient(a, b), remainder_truncated(a, b)):
        pass
    assert [(op, values) for op, values, _ in language.calls] == [
        ("and", ("a", "b")),
        ("or", ("a", "b")),
        ("xor", ("a", "b")),
        ("not", ("a",)),
        ("shl", ("a", 3)),
        ("shr", ("a", 31)),
        ("quotient", ("a", "b")),
        ("remainder", ("a", "b")),
    ]


def test_a_number_on_either_side_becomes_a_constant() -> None:
    language, a, _ = operands(float32)
    for _ in (a + 1, 1 + a, 2 - a, 2 * a, 2 / a, a > 0, minimum(3, a), maximum(a, 3), fma(2, a, 1)):
        pass
    assert [values for _, values, _ in language.calls] == [
        ("a", 1), (1, "a"), (2, "a"), (2, "a"), (2, "a"), ("a", 0), (3, "a"), ("a", 3), (2, "a", 1),
    ]  # fmt: skip


def test_casts_to_the_same_dtype_cost_nothing() -> None:
    language, a, _ = operands(float32)
    assert cast(a, float32) is a
    assert bitcast(a, float32) is a
    assert cast(a, int32).dtype is int32
    assert bitcast(a, int32).dtype is int32
    assert [call[0] for call in language.calls] == ["cast", "bitcast"]


def test_isnan_of_an_integer_is_a_constant() -> None:
    language, a, _ = operands(int32)
    assert isnan(a).value is False
    assert language.calls == []


def test_a_failure_reaches_the_language() -> None:
    language, a, _ = operands(int32)
    check_failure(a.eq(0), "ZeroDivisionError")
    assert language.calls[-1] == ("ZeroDivisionError", ("%1",), bool_)


@pytest.mark.parametrize("name", sorted(PRIMITIVES | COMPOUNDS | SPECIALS))
def test_each_function_applies_the_word_of_its_name(name: str) -> None:
    language, a, b = operands(float64)
    count = (PRIMITIVES | COMPOUNDS | SPECIALS)[name]
    result = getattr(scalar, name)(*(a, b)[:count])
    assert result.dtype is float64
    assert language.calls == [(name, ("a", "b")[:count], float64)]


def test_functions_and_operators_cover_every_word() -> None:
    language, a, b = operands(float32)
    i, j = Scalar(language, "i", int32), Scalar(language, "j", int32)
    for _ in (a + b, a - b, a * b, a / b, -a, abs(a), a < b, a <= b, a > b, a >= b, a.eq(b)):
        pass
    for _ in (a.ne(b), i & j, i | j, i ^ j, ~i, i << 1, i >> 1, cast(a, int32), bitcast(a, int32)):
        pass
    for _ in (quotient(i, j), remainder_truncated(i, j), select(a < b, a, b), fma(a, b, a)):
        pass
    for name in ("sqrt", "floor", "ceil", "trunc", "round_even"):
        getattr(scalar, name)(a)
    for name in ("minimum", "maximum", "copysign", "fmod", "ldexp"):
        getattr(scalar, name)(a, b)
    assert {call[0] for call in language.calls} == set(OPERATIONS)


def test_operands_must_agree() -> None:
    language, a, _ = operands(float32)
    i = Scalar(language, "i", int32)
    for mix in (
        lambda: a + i,
        lambda: a < i,
        lambda: i + 0.5,
        lambda: i << 32,
        lambda: i << -1,
        lambda: i << Scalar(language, "n", uint8),
        lambda: fma(a, a, i),
        lambda: select(a.eq(a), a, i),
        lambda: select(a, a, a),
        lambda: bitcast(a, float64),
        lambda: copysign(a, i),
    ):
        with pytest.raises(AssertionError):
            mix()
    assert [call[0] for call in language.calls] == ["eq"]


def test_a_scalar_has_no_truth_value() -> None:
    _, a, b = operands(float32)
    with pytest.raises(TypeError, match="has no truth value"):
        bool(a < b)


def test_every_slot_is_used() -> None:
    _, a, _ = operands(float32)
    assert not hasattr(a, "__dict__")
    assert repr(a) == "Scalar('a', trilith.float32)"


Body: TypeAlias = Callable[[Scalar, Scalar, Scalar], Scalar]

FLOAT_TEXTS: list[tuple[Body, str]] = [
    (lambda a, b, c: a * b + c, "a * b + c"),
    (lambda a, b, c: a * (b + c), "a * (b + c)"),
    (lambda a, b, c: a - (b - c), "a - (b - c)"),
    (lambda a, b, c: (a - b) - c, "a - b - c"),
    (lambda a, b, c: a / (b * c), "a / (b * c)"),
    (lambda a, b, c: a / b * c, "a / b * c"),
    (lambda a, b, c: -(a + b), "-(a + b)"),
    (lambda a, b, c: -a + b, "-a + b"),
    (lambda a, b, c: operator.neg(-a), "-(-a)"),
    (lambda a, b, c: a - -1, "a - -1"),
    (lambda a, b, c: select((a > b) | isnan(a), a, b), "select(a > b | isnan(a), a, b)"),
    (
        lambda a, b, c: ((a > b) | (b > c)) & (a.eq(c)),
        "(a > b | b > c) & a == c",
    ),
    (lambda a, b, c: ~(a < b), "~(a < b)"),
    (lambda a, b, c: abs(a) * 0.5, "abs(a) * 0.5"),
    (lambda a, b, c: a * 2.0, "a * 2"),
    (lambda a, b, c: a + -0.0, "a + -0.0"),
    (lambda a, b, c: minimum(a, float("inf")), "minimum(a, inf)"),
    (lambda a, b, c: cast(a, int32), "int32(a)"),
    (lambda a, b, c: bitcast(a + b, int32), "bitcast(a + b, int32)"),
    (lambda a, b, c: fma(a, b, c), "fma(a, b, c)"),
    (lambda a, b, c: scalar.sigmoid(a) * b, "sigmoid(a) * b"),
]

INTEGER_TEXTS: list[tuple[Body, str]] = [
    (lambda a, b, c: a << b, "a << b"),
    (lambda a, b, c: a + (b >> 2), "a + (b >> 2)"),
    (lambda a, b, c: (a + b) >> 2, "a + b >> 2"),
    (lambda a, b, c: (a & 1).ne(0), "(a & 1) != 0"),
    (lambda a, b, c: a ^ (b | c), "a ^ (b | c)"),
    (lambda a, b, c: quotient(a, b), "quotient(a, b)"),
]


@pytest.mark.parametrize(("write", "expected"), FLOAT_TEXTS, ids=[text for _, text in FLOAT_TEXTS])
def test_text_of_floats(write: Body, expected: str) -> None:
    assert spell(float32, write) == expected


@pytest.mark.parametrize(
    ("write", "expected"), INTEGER_TEXTS, ids=[text for _, text in INTEGER_TEXTS]
)
def test_text_of_integers(write: Body, expected: str) -> None:
    assert spell(int32, write) == expected


def test_text_lists_the_faults() -> None:
    text = TextLanguage()
    a, b = text.name("a", int32), text.name("b", int32)
    check_failure(b.eq(0), "ZeroDivisionError")
    assert text.spell(quotient(a, b)) == "quotient(a, b)"
    assert text.checks == ["ZeroDivisionError if b == 0"]
