"""Sizes that are expressions: what they answer holds for every size that passes their guards."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from trilith.dialects.attributes.expressions import constant, floor_divide, symbol
from trilith.dialects.attributes.extents import MAXIMUM_INT64
from trilith.dialects.attributes.facts import Facts, Guard
from trilith.dialects.attributes.symint import ShapeEnv, hint_of

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
