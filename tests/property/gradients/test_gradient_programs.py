"""Are programs with gradients drawn, and are gradients that are no slopes found? A fixed sample."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

from ..values.program import Input, Program, Ref, Step, Values
from ..values.properties import Failure
from .check import DIRECTIONS, Loss, Tally, check
from .drawing import WITHOUT_DERIVATIVE, differentiated, draw_program

pytestmark = pytest.mark.filterwarnings("ignore")

SEED, PROGRAMS = 20261, 80

Gradient = Callable[[Loss], list[Any]]


def program(operation: str, *further: Any) -> Program:
    """Return an operation of one input with 2 x 3 values, transposed."""
    source = Input((2, 3), "float64", (1, 2), 0, Values("uniform", 5, -2.0, 2.0))
    steps = {"v0": Step(operation, (Ref("x0"), *further))}
    return Program({"x0": source}, steps, ("v0",))


def chained(derivative: Callable[[Any], Any]) -> Gradient:
    """Return gradients of an elementwise function of x0, by its derivative."""
    return lambda loss: [tri.from_numpy(np.array(derivative(loss.base["x0"]) * loss.weights[0]))]


def always(gradient: Any) -> Gradient:
    """Return one gradient, whatever the function."""

    def given(_: Loss) -> list[Any]:
        return [gradient]

    return given


def refuse(_: Loss) -> list[Any]:
    """Raise what a row without a derivative would."""
    raise RuntimeError("derivative for aten::mul is not implemented")


def fail(_: Loss) -> list[Any]:
    """Raise what a mistake would."""
    raise ValueError("no number")


SQUARE = program("mul", Ref("x0"))


@pytest.mark.parametrize(
    ("made", "gradient"),
    [
        (SQUARE, chained(lambda x: 2 * x)),
        (program("sin"), chained(np.cos)),
        (program("relu"), chained(lambda x: x > 0)),
        (program("floor"), always(None)),
    ],
    ids=["square", "sin", "relu", "floor"],
)
def test_right_gradients_pass(made: Program, gradient: Gradient):
    tally = Tally()
    check(made, tally, ways={"eager": gradient})
    assert (tally.programs, tally.compared, tally.silent) == (1, DIRECTIONS, 0)


@pytest.mark.parametrize(
    ("gradient", "kind"),
    [
        (chained(lambda x: 2 * x + 1e-6 * (x == x[0, 0])), "eager gradient"),
        (chained(lambda x: 1.001 * 2 * x), "eager gradient"),
        (always(None), "eager gradient"),
        (always(tri.ones(3, 2, dtype=tri.float64)), "eager spec"),
        (always(tri.ones(2, 3)), "eager spec"),
        (refuse, "no derivative of aten::mul"),
        (fail, "eager ValueError"),
    ],
    ids=["one-element", "scaled", "none", "shape", "dtype", "refusal", "error"],
)
def test_wrong_gradients_are_found(gradient: Gradient, kind: str):
    with pytest.raises(Failure) as caught:
        check(SQUARE, ways={"eager": gradient})
    assert caught.value.kind == kind


def test_gradients_that_are_not_finite_are_counted():
    tally = Tally()
    check(SQUARE, tally, ways={"eager": chained(lambda x: x * math.inf)})
    assert (tally.compared, tally.infinite) == (0, DIRECTIONS)


def test_slopes_of_most_programs_say_something():
    tally = Tally()
    for number in range(PROGRAMS // 2):
        check(draw_program(SEED, number), tally, ways={})
    assert tally.silent < 0.15 * DIRECTIONS * tally.programs


def test_programs_have_inputs_to_differentiate_by_and_rows_of_every_kind():
    found: set[str] = set()
    for number in range(2 * PROGRAMS):
        made = draw_program(SEED, number)
        assert differentiated(made)
        found |= {step.operation for step in made.steps.values()}
        assert str(made) == str(draw_program(SEED, number))
    assert not found & WITHOUT_DERIVATIVE
    assert {"matmul", "sum", "amax", "cat", "reshape", "mul", "exp", "item"} <= found
    assert len(found) > 120
