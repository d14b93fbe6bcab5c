"""Do views, casts, pointwise and in-place operations agree with the specification, bit for bit?

A fixed sample; `make fuzz N=20000` draws new ones.
"""

from collections import Counter

import numpy as np
import pytest

from .check import StridedTally
from .drawing import draw_program
from .family import StridedPrograms
from .layout import pointwise_strides, preserved_strides, viewed_strides
from .moves import MOVES
from .program import models_of, text_of
from .values import cast, promote, result_type
from .views import VIEWS

SEED = "suite"
CHUNKS, CHUNK = 8, 15


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_strided_programs(chunk: int):
    tally = StridedTally()
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        found = StridedPrograms().check(SEED, number, tally)
        assert found is None, found.text
    assert tally.compiled == CHUNK
    assert tally.writes > CHUNK


def test_the_sample_reaches_every_kind_of_step():
    steps: Counter[str] = Counter()
    dtypes: Counter[str] = Counter()
    shared = 0
    for number in range(CHUNKS * CHUNK):
        program = draw_program(SEED, number)
        steps.update(step.name for step in program.steps)
        dtypes.update(made.dtype for made in program.inputs.values())
        shared += len(program.inputs) > len(program.memories)
    assert {*VIEWS, *MOVES} - set(steps) == set()
    assert {"add_", "mul_", "add=", "copy_", "fill_", "zero_", "setitem", "where"} <= set(steps)
    assert any(name.endswith("(out)") for name in steps)
    assert len(dtypes) == 12
    assert shared > CHUNK


def test_programs_are_the_same_every_time():
    for number in range(5):
        first, second = draw_program("again", number), draw_program("again", number)
        assert str(first) == str(second)
        assert [text_of(step) for step in first.steps] == [text_of(step) for step in second.steps]
        assert models_of(first).keys() == models_of(second).keys()


# The oracle by itself: answers of PyTorch 2.13 that the specification quotes.


def test_the_oracles_strides():
    # M4: empty(4, 6).t()[::2].clone().stride()
    assert preserved_strides((3, 4), (2, 6)) == (1, 3)
    # N, C, 1, 1 in channels_last: x + 1 against x + x.
    layout = ((2, 3, 1, 1), (3, 1, 3, 3))
    assert pointwise_strides((2, 3, 1, 1), [layout, ((), ())]) == (3, 1, 3, 3)
    assert pointwise_strides((2, 3, 1, 1), [layout, layout]) == (3, 1, 1, 1)
    # Mixing dtypes changes the layout: (3, 1).expand(3, 4) with (1, 3)-strided operands.
    mixed = [((3, 4), (1, 0)), ((3, 4), (1, 3))]
    assert pointwise_strides((3, 4), mixed) == (1, 3)
    assert viewed_strides((2, 3), (1, 2), (6,)) is None
    assert viewed_strides((), (), (1, 1)) == (1, 1)


def test_the_oracles_dtypes():
    assert result_type([("int32", 1), 1.5]) == "float32"
    assert result_type([("int32", 1), ("float64", 0)]) == "float64"
    assert result_type([("float32", 1), ("complex128", 0)]) == "complex64"
    assert result_type([("bfloat16", 1), 1j]) == "complex64"
    assert promote("uint8", "int8") == "int16"
    assert promote("float16", "bfloat16") == "float32"
    found = cast(np.array([300.0, -1.0, np.nan, np.inf, 3e9]), "float64", "uint8")
    assert found.tolist() == [44, 255, 0, 0, 0]
