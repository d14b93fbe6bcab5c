"""Do random programs compute what PyTorch's rules say, in every way to run them? A fixed sample.

`make fuzz N=20000` draws new ones.
"""

import pytest

from .calls import CALLS
from .drawing import KNOWN, OPAQUE, OPERATION_NAMES, SPELLED, draw_program
from .oracle.evaluation import evaluate
from .program import Program
from .properties import Failure, Tally, check
from .shrinking import shrink

SEED = 20260
CHUNKS, CHUNK = 12, 20
PER_OPERATION = 2


def assert_holds(program: Program, tally: Tally) -> None:
    try:
        check(program, tally)
    except Failure as failure:
        small = shrink(program, failure_of)
        raise AssertionError(f"{failure}\n\n{small}\n# {reason(small)}") from failure


def failure_of(program: Program) -> str | None:
    try:
        check(program)
    except Failure as failure:
        return failure.kind
    return None


def reason(program: Program) -> str:
    try:
        check(program)
    except Failure as failure:
        return str(failure)
    return "does not fail any more"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_programs(chunk: int):
    tally, taken = Tally(), Tally()
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        program = draw_program(SEED, number)
        is_known = all(step.operation not in OPAQUE for step in program.steps.values())
        # Little can be said of what comes of operations that the oracle takes at their word.
        assert_holds(program, tally if is_known else taken)
    # Bounds that say nothing would make this test idle.
    assert tally.compared > 0.85 * tally.elements > 0


@pytest.mark.parametrize("operation", OPERATION_NAMES)
def test_operation_alone(operation: str):
    tally = Tally()
    for number in range(PER_OPERATION):
        program = draw_program(SEED, number, operation)
        assert [step.operation for step in program.steps.values()] == [operation]
        assert_holds(program, tally)


def test_the_sample_reaches_every_operation():
    found: set[str] = set()
    for number in range(CHUNKS * CHUNK):
        found |= {step.operation for step in draw_program(SEED, number).steps.values()}
    assert set(KNOWN) - found == set()
    assert set(SPELLED.values()) <= set(OPERATION_NAMES)
    assert set(CALLS) >= set(SPELLED.values()) - {"to"}


def test_programs_are_the_same_every_time():
    for number in range(5):
        first, second = draw_program("again", number), draw_program("again", number)
        assert str(first) == str(second)
        assert evaluate(first).keys() == evaluate(second).keys()
