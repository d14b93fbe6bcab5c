"""Do random programs compute what PyTorch's rules say, in every way to run them? A fixed sample.

`make fuzz N=20000` draws new ones.
"""

from statistics import mean

import pytest

from .calls.plain import PLAIN
from .calls.table import CALLS, GROUPS
from .drawing import KNOWN, OPAQUE, OPERATION_NAMES, SPELLED, draw_program
from .oracle.evaluation import evaluate
from .program import ITEM, Program
from .properties import Failure, Tally, check
from .shrinking import shrink

# Rows that PyTorch deprecates, and variances of too few elements, warn.
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 20260
CHUNKS, CHUNK = 12, 11
PER_OPERATION = 1


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
    shares: list[float] = []
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        program, tally = draw_program(SEED, number), Tally()
        assert_holds(program, tally)
        # Little can be said of what comes of operations that the oracle takes at their word.
        is_known = all(step.operation not in OPAQUE for step in program.steps.values())
        if is_known and tally.elements:
            shares.append(tally.compared / tally.elements)
    # Bounds that say nothing would make this test idle.
    assert mean(shares) > 0.85


@pytest.mark.parametrize("operation", OPERATION_NAMES)
def test_operation_alone(operation: str):
    tally = Tally()
    for number in range(PER_OPERATION):
        program = draw_program(SEED, number, operation)
        called = [step.operation for step in program.steps.values() if step.operation != ITEM]
        assert called == [operation]
        assert_holds(program, tally)


def test_the_sample_reaches_operations_of_every_kind():
    found: set[str] = set()
    for number in range(CHUNKS * CHUNK):
        found |= {step.operation for step in draw_program(SEED, number).steps.values()}
    for name, group in GROUPS.items():
        assert len(found & set(group)) > len(group) / 2, name
    plain = set(PLAIN) & set(KNOWN)
    assert len(found & plain) > 0.9 * len(plain)
    assert len(found) > 0.6 * len(OPERATION_NAMES)
    assert set(SPELLED.values()) <= set(OPERATION_NAMES)
    assert set(CALLS) >= set(SPELLED.values()) - {"to"}


def test_programs_are_the_same_every_time():
    for number in range(5):
        first, second = draw_program("again", number), draw_program("again", number)
        assert str(first) == str(second)
        assert evaluate(first).keys() == evaluate(second).keys()
