"""Sizes that are expressions: what they answer holds for every size that passes their guards."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes import reshape
from trilith.dialects.attributes.expressions import constant, floor_divide, symbol
from trilith.dialects.attributes.extents import MAXIMUM_INT64
from trilith.dialects.attributes.facts import Facts, Guard
from trilith.dialects.attributes.symint import ShapeEnv, expression_of, hint_of

BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a // (b if b != 0 else 1),
    lambda a, b: a % (b if b != 0 else 1),
    lambda a, b: -(-a // 4),
)
QUESTIONS: tuple[Callable[[Any, Any], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: bool(a),
    lambda a, b: max(a, b) == a,
)


def _run(program: Sequence[tuple[int, ...]], values: list[Any]) -> list[Any]:
    """Run a program on integers or on what stands for them: all numbers, and all answers."""
    numbers, answers = list(values), list[bool]()
    for kind, left, right in program:
        a, b = numbers[left % len(numbers)], numbers[right % len(numbers)]
        if kind < len(BINARY):
            numbers.append(BINARY[kind](a, b))
        else:
            answers.append(QUESTIONS[kind - len(BINARY)](a, b))
    return [numbers, answers]


@pytest.mark.parametrize("seed", range(60))
def test_answers_hold_for_all_sizes_that_pass(seed: int):
    generator = random.Random(seed)
    program = [
        (generator.randrange(len(BINARY) + len(QUESTIONS)), *generator.choices(range(9), k=2))
        for _ in range(12)
    ]
    earlier: ShapeEnv | None = None
    hints = generator.choices(range(2, 7), k=3)
    for _ in range(4):
        env = ShapeEnv(earlier)
        symbols = [env.symbol(hint, least=2) for hint in hints]
        found, answers = _run(program, symbols)
        guards = env.needed_guards()
        taken = 0
        for values in itertools.product(range(2, 8), repeat=3):
            known: dict[str, int] = dict(zip(("n0", "n1", "n2"), values, strict=True))
            try:
                is_taken = all(guard.holds(known) for guard in guards)
            except ZeroDivisionError:
                is_taken = False
            if not is_taken:
                continue
            taken += 1
            numbers, right = _run(program, list(values))
            assert answers == right, (program, guards, values)
            for item, number in zip(found, numbers, strict=True):
                value = item if type(item) is int else item.expression.evaluate(known)
                assert value == number
        assert taken, "the sizes of the trace itself pass"
        if not env.has_learned:
            break
        earlier = env


def test_guards_are_spelled_for_python_and_for_readers():
    n, m = symbol("n"), symbol("m")
    guard = Guard(">=", floor_divide(n + constant(3), constant(4)) - m * constant(2))
    assert str(guard) == "(n + 3) floordiv 4 >= 2*m"
    for values in itertools.product(range(9), repeat=2):
        known = dict(zip("nm", values, strict=True))
        assert eval(guard.source(), {}, known) is guard.holds(known)


def test_what_is_asked_twice_is_one_guard():
    env = ShapeEnv()
    n = env.symbol(9, least=2)
    assert n > 4
    assert n > 3
    assert n >= 5
    assert n != 0
    assert [str(guard) for guard in env.needed_guards()] == ["n0 > 4"]


def test_a_guard_that_follows_from_another_is_left_out():
    env = ShapeEnv()
    n, m = env.symbol(9, least=2), env.symbol(9, least=2)
    assert n > 3
    assert n > 7
    assert n == m
    assert m > 6
    assert [str(guard) for guard in env.needed_guards()] == ["n0 > 7", "n0 == n1"]


def test_numbers_are_asked_for_by_c():
    env = ShapeEnv()
    n = env.symbol(3, least=2)
    assert list(range(n)) == [0, 1, 2]
    assert [str(guard) for guard in env.guards] == ["n0 == 3"]
    assert isinstance(n, int)
    assert hint_of(n) == 3


def test_what_does_not_fit_is_beyond_the_largest():
    env = ShapeEnv()
    n, m = env.symbol(9, least=2), env.symbol(9, least=2)
    assert not env.guards
    assert n * m * 8 <= MAXIMUM_INT64
    assert not env.guards
    largest = env.largest()
    assert 8 * largest * largest <= MAXIMUM_INT64
    assert 32 * largest * largest > MAXIMUM_INT64


FLOATING: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": operator.mod,
}


@pytest.mark.parametrize("name", FLOATING)
@pytest.mark.parametrize("number", [0.1, 2.5, -3.0])
def test_a_size_beside_a_float_is_a_number(name: str, number: float):
    function = FLOATING[name]
    for swapped in (False, True):
        env = ShapeEnv()
        size = env.symbol(7, least=2)
        pair: tuple[Any, Any] = (number, size) if swapped else (size, number)
        numbers = (number, 7) if swapped else (7, number)
        assert function(*pair) == function(*numbers)
        assert env.takes([7])
        assert not env.takes([8])


def test_looking_up_by_hash_asks_nothing():
    env = ShapeEnv()
    n, m = env.symbol(9, least=2), env.symbol(9, least=2)
    assert n not in {m: 0}
    assert n + 1 in {n + 1: 0}
    assert not env.guards


def test_sizes_of_two_traces_are_never_equal():
    first, second = ShapeEnv().symbol(4), ShapeEnv().symbol(4)
    assert first != second
    assert hash(first) == hash(second)


def test_facts_learn_bounds_of_sums():
    n, m = symbol("n"), symbol("m")
    facts = Facts()
    facts.learn(Guard(">=", n - m))
    assert facts.is_not_negative(n - m + constant(2)) is True
    assert facts.is_not_negative(n - m - constant(1)) is None
    assert facts.is_not_negative(m - n - constant(1)) is False


def test_many_dims_are_asked_in_time():
    """A product of n sizes is not written out in 2**n terms."""
    env = ShapeEnv()
    sizes: list[Any] = [env.symbol(2, least=2) for _ in range(40)]
    product: Any = 1
    for size in sizes:
        product = product * size
    assert product <= MAXIMUM_INT64
    assert product * 4 - sizes[0] > 0


def _rounded_up(size: Any) -> Any:
    return -(-size // 64) * 64


@pytest.mark.parametrize("seed", range(40))
def test_parts_of_a_workspace_are_apart_without_a_guard(seed: int):
    """Where parts stand behind one another, each a multiple of 64 bytes, is known to be apart."""
    draw = random.Random(seed)
    env = ShapeEnv()
    n, m = env.symbol(draw.randint(2, 90), least=2), env.symbol(draw.randint(2, 90), least=2)
    sizes = [draw.choice([n, m, n * m, 4 * n, 8 * n * m, 4 * n * m + 12 * n]) for _ in range(4)]
    ends = list(itertools.accumulate((_rounded_up(size) for size in sizes), initial=0))
    for first, second in itertools.combinations(range(4), 2):
        assert ends[first] + sizes[first] <= ends[second]
        assert not ends[second] < ends[first] + 1
    assert env.guards == []


@pytest.mark.parametrize("seed", range(60))
def test_no_value_is_below_the_bound(seed: int):
    """Bounds of random sums of sizes, products and quotients, beside all values of the sizes."""
    draw = random.Random(seed)
    least = {"n": draw.randint(-2, 3), "m": draw.randint(0, 3)}
    n, m = symbol("n"), symbol("m")
    facts = Facts()
    for name, low in least.items():
        facts.set_least(name, low)
    quotients = [floor_divide(n, constant(2)), floor_divide(-(n * m), constant(3))]
    atoms = [n, m, n * m, *quotients]

    def drawn() -> Any:
        return sum(
            (atom * constant(draw.randint(-3, 3)) for atom in draw.sample(atoms, 3)),
            constant(draw.randint(-4, 4)),
        )

    values = [{"n": a, "m": b} for a in range(least["n"], 12) for b in range(least["m"], 12)]
    for left, right, quotient in ((n, 2, quotients[0]), (-(n * m), 3, quotients[1])):
        rest = left - constant(right) * quotient
        facts.learn(Guard(">=", rest))
        facts.learn(Guard(">=", constant(right - 1) - rest))
    for _ in range(3):
        guard = Guard(draw.choice([">=", ">=", "=="]), drawn())
        if any(guard.holds(value) for value in values):
            facts.learn(guard)
            values = [value for value in values if guard.holds(value)]
    for _ in range(40):
        expression = drawn()
        bound = facts.lower_bound(facts.reduced(expression))
        if bound is not None:
            assert bound <= min(expression.evaluate(value) for value in values), expression


@given(*[st.integers(-40, 40)] * 3, *[st.integers(1, 9)] * 2, st.integers(-9, 9))
def test_quotients_of_quotients(
    n: int, shift: int, more: int, inner: int, outer: int, divisor: int
) -> None:
    """A quotient within a quotient becomes one, whatever the signs of what is divided."""
    known = floor_divide(symbol("n") + constant(shift), constant(inner)) + constant(more)
    quotient = floor_divide(known, constant(outer))
    value = ((n + shift) // inner + more) // outer
    assert quotient.evaluate({"n": n}) == value
    if divisor:
        again = floor_divide(quotient - constant(shift), constant(divisor))
        assert again.evaluate({"n": n}) == (value - shift) // divisor


def test_a_dim_that_stays_is_not_asked_whether_it_lies_beside_another():
    env = ShapeEnv()
    height, width = env.symbol(9, least=2), env.symbol(7, least=2)
    row, plane = env.symbol(7, least=2), env.symbol(100, least=2)
    strides = reshape.view_strides((6, height, width), (plane, row, 1), (2, 3, height, width))
    assert strides is not None
    assert [expression_of(stride) for stride in strides] == [
        expression_of(stride) for stride in (3 * plane, plane, row, 1)
    ]
    assert not [guard for guard in env.guards if guard.relation == "=="]


def test_an_answer_that_took_no_guard_is_asked_again():
    env = ShapeEnv()
    n = env.symbol(6, least=2)
    with env.without_guards():
        assert n > 5
        assert n > 4  # follows
        assert n * 8 <= MAXIMUM_INT64
    assert (env.guards, env.limits) == ([], set())
    for _ in range(2):
        assert n > 4
        assert n * 8 <= MAXIMUM_INT64
        assert [guard.expression for guard in env.guards] == [symbol("n0") - constant(5)]
        assert len(env.limits) == 1


def test_what_follows_from_little_follows_from_more():
    facts, n, m = Facts(), symbol("n"), symbol("m")
    facts.set_least("n", 2)
    assert facts.is_not_negative(n - constant(2)) is True
    assert facts.is_zero(n - constant(1)) is False
    assert facts.is_not_negative(n - m) is None
    facts.learn(Guard("==", n - m))
    assert facts.is_not_negative(n - m) is True
    assert facts.is_zero(n - m) is True
    assert facts.is_not_negative(n - constant(2)) is True
    assert facts.is_zero(n - constant(1)) is False
    assert facts.is_not_negative(m - constant(2)) is True
