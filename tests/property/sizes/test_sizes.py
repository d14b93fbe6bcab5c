"""Do random programs that were traced once, on symbols, hold for several sizes? A fixed sample.

The programs are those of the other families, whose oracles judge them at their own sizes. Of those
that write only the text is looked at: no interpreter writes into what it is given.
"""

from typing import Any

import pytest

import trilith as tri

from ..strided import drawing as strided
from ..strided.check import Library, made_inputs
from ..values.drawing import draw_program
from ..values.properties import Failure
from .check import SizesTally, check, check_texts

SEED = 20261
CHUNKS, CHUNK = 5, 8


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.filterwarnings("ignore")
def test_programs_on_symbols(chunk: int):
    tally = SizesTally()
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        program = draw_program(SEED, number)
        try:
            check(program, program.arguments(), (SEED, number), tally)
        except Failure as failure:
            raise AssertionError(f"{number}: {failure}\n\n{str(program)[:3000]}") from failure
    # What is refused is not checked: most must pass.
    assert tally.symbolic > CHUNK / 2
    assert tally.passed > tally.symbolic


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.filterwarnings("ignore")
def test_texts_of_views_and_writes(chunk: int):
    tally = SizesTally()
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        program = strided.draw_program(SEED, number)
        space: dict[str, Any] = {"tri": tri}
        exec(program.function_text(), space)
        try:
            check_texts(space["program"], [*made_inputs(program, Library(tri)).values()], tally)
        except Failure as failure:
            raise AssertionError(f"{number}: {failure}\n\n{program}") from failure
    assert tally.texts >= CHUNK / 2
