"""Do random programs that were exported for ranges of sizes compute what they do by themselves?

A fixed sample of the family of values; some of the sizes are dims. The oracle is the program
itself, operation by operation, which that family judges.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

import trilith as tri

from ..values.drawing import draw_program
from ..values.properties import array_of, first_difference
from .check import made

SEED, COUNT = "exported", 40


@pytest.mark.filterwarnings("ignore")
def test_exported_programs():
    counts: Counter[str] = Counter()
    for number in range(COUNT):
        program = draw_program(SEED, number)
        arguments = program.arguments()
        tensors = [x for x in arguments if isinstance(x, tri.Tensor) and x.is_contiguous()]
        random = Random(number)
        opened = {n for x in tensors for n in x.shape if n > 1 and random.random() < 0.6}
        if not 0 < len(opened) <= 3:
            continue
        dims = {n: tri.dim(f"d{n}", min=2, max=30) for n in opened}
        specs = [_spec(x, dims) for x in arguments]
        try:
            exported = tri.export(program, *specs, max_plans=6)
        except tri.TrilithError:
            counts["refused"] += 1
            continue
        for _ in range(3):
            values = {n: random.randint(2, 30) for n in opened}
            given = [_at(x, values) for x in arguments]
            try:
                expected = program(*given)
            except tri.TrilithError as error:
                with pytest.raises(type(error)) as raised:
                    exported(*given)
                assert raised.value.message == error.message  # noqa: PT017 - another error
                counts["raised"] += 1
                continue
            for mine, other in zip(exported(*given), expected, strict=True):
                place = first_difference(array_of(mine), array_of(other))
                assert place is None, f"{number} at {values}\n{str(program)[:3000]}"
                assert mine.stride() == other.stride(), f"{number} at {values}"
            counts["equal"] += 1
    assert counts["equal"] > COUNT / 2


def _spec(value: Any, dims: dict[int, Any]) -> Any:
    if not isinstance(value, tri.Tensor) or not value.is_contiguous():
        return value
    return tri.spec([dims.get(size, size) for size in value.shape], value.dtype)


def _at(value: Any, sizes: dict[int, int]) -> Any:
    if not isinstance(value, tri.Tensor) or not value.is_contiguous():
        return value
    shape = tuple(sizes.get(size, size) for size in value.shape)
    return made(tri.TensorSpec.of(shape, value.dtype), value)
