"""Which writes does `tri-place-writes` leave to kernels, and is what they write still right?

Each program runs compiled on arrays that are long enough for lanes and for several threads; NumPy
says what the argument must hold. The text of the IR says how many of the writes are `direct`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import trilith
from trilith.compiler.driver import Traced

tri: Any = trilith
Array = np.ndarray[Any, Any]
LENGTH = 70_001


@dataclass(frozen=True)
class Case:
    """A program of two arguments, the same on arrays, and its writes: (direct, others)."""

    program: Callable[[Any, Any], Any]
    expected: Callable[[Array, Array], Any]
    writes: tuple[int, int]


def copied(target: Array, value: Array) -> None:
    target[...] = value.copy()


def in_step(x: Any, y: Any) -> None:
    x.add_(y)
    x.mul_(2)


def in_step_of_a_part(x: Any, y: Any) -> None:
    x[::2] -= y[::2]


def another_shape(x: Any, y: Any) -> None:
    x.sub_(y[:1])


def shifted_up(x: Any, y: Any) -> None:
    x[1:] = x[:-1] + 1


def shifted_down(x: Any, y: Any) -> None:
    x[:-1] = x[1:] + 1


def mean_taken_off(x: Any, y: Any) -> None:
    x.sub_(x.sum())


def read_later(x: Any, y: Any) -> Any:
    old = x[1:] * 1
    x.mul_(3)
    y[1:] = old


def apart(x: Any, y: Any) -> None:
    half = LENGTH // 2
    left = y[:half] * 2
    right = left + 1
    x[half : 2 * half] = right
    x[:half] = left


def overlapping(x: Any, y: Any) -> None:
    first = y[:-1] * 2
    second = first + 1
    x[:-1] = first
    x[1:] = second


def overlapping_the_other_way(x: Any, y: Any) -> None:
    first = y[:-1] * 2
    second = first + 1
    x[1:] = second
    x[:-1] = first


def swapped(x: Any, y: Any) -> None:
    old = x.clone()
    x.copy_(y)
    y.copy_(old)


def both_changed(x: Any, y: Any) -> None:
    total, difference = x + y, x - y
    x.copy_(total)
    y.copy_(difference)


def _swapped(x: Array, y: Array) -> None:
    old = x.copy()
    x[...] = y
    y[...] = old


def _both_changed(x: Array, y: Array) -> None:
    total, difference = x + y, x - y
    x[...], y[...] = total, difference


def _read_later(x: Array, y: Array) -> None:
    y[1:] = x[1:]
    x *= 3


def _overlapping(x: Array, y: Array) -> None:
    x[:-1] = y[:-1] * 2
    x[1:] = y[:-1] * 2 + 1


def _overlapping_the_other_way(x: Array, y: Array) -> None:
    x[1:] = y[:-1] * 2 + 1
    x[:-1] = y[:-1] * 2


def _apart(x: Array, y: Array) -> None:
    half = LENGTH // 2
    x[half : 2 * half] = y[:half] * 2 + 1
    x[:half] = y[:half] * 2


CASES = {
    "in step": Case(in_step, lambda x, y: copied(x, (x + y) * 2), (1, 0)),
    "in step of a part": Case(in_step_of_a_part, lambda x, y: copied(x[::2], (x - y)[::2]), (1, 0)),
    "another shape": Case(another_shape, lambda x, y: copied(x, x - y[:1]), (1, 0)),
    "shifted up": Case(shifted_up, lambda x, y: copied(x[1:], x[:-1] + 1), (0, 1)),
    "shifted down": Case(shifted_down, lambda x, y: copied(x[:-1], x[1:] + 1), (0, 1)),
    "reduction": Case(mean_taken_off, lambda x, y: copied(x, x - x.sum(dtype="i8")), (1, 0)),
    "read later": Case(read_later, _read_later, (2, 0)),
    "apart": Case(apart, _apart, (2, 0)),
    "overlapping": Case(overlapping, _overlapping, (1, 1)),
    "overlapping the other way": Case(
        overlapping_the_other_way, _overlapping_the_other_way, (1, 1)
    ),
    "swapped": Case(swapped, _swapped, (1, 1)),
    "both changed": Case(both_changed, _both_changed, (1, 1)),
}


def arguments() -> tuple[Array, Array]:
    return np.arange(LENGTH, dtype="i8") % 1013, np.arange(LENGTH, dtype="i8") % 577


def placed(program: Callable[[Any, Any], Any]) -> tuple[int, int]:
    spec = tri.spec((LENGTH,), tri.int64)
    traced: Traced = tri.trace(program, spec, spec)
    text = traced.after("tri-place-writes")
    direct = text.count("tri.write direct")
    return direct, text.count("tri.write") - direct


@pytest.mark.parametrize("name", CASES)
def test_what_is_written(name: str) -> None:
    case = CASES[name]
    x, y = arguments()
    targets = tri.tensor(x), tri.tensor(y)
    compiled = tri.compile(case.program)
    for _ in range(2):
        case.expected(x, y)
        compiled(*targets)
        np.testing.assert_array_equal(targets[0].numpy(), x)
        np.testing.assert_array_equal(targets[1].numpy(), y)
    assert compiled.stats().eager_calls == 0


@pytest.mark.parametrize("name", CASES)
def test_how_it_is_written(name: str) -> None:
    assert placed(CASES[name].program) == CASES[name].writes


def test_a_target_that_is_transposed() -> None:
    """The value is computed with the target's strides."""

    def program(x: Any, y: Any) -> None:
        x.t().add_(y)

    x, y = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2)
    target = tri.tensor(x)
    tri.compile(program)(target, tri.tensor(y))
    np.testing.assert_array_equal(target.numpy(), x + y.T)


def test_a_matrix_that_is_multiplied_in_place() -> None:
    """A product reads each element many times: it cannot be computed where it reads."""

    def program(x: Any, y: Any) -> None:
        x.copy_(x @ y)

    x, y = np.arange(16.0).reshape(4, 4), np.eye(4)[::-1].copy()
    target = tri.tensor(x)
    tri.compile(program)(target, tri.tensor(y))
    np.testing.assert_array_equal(target.numpy(), x @ y)
