"""Does a compiled program of sparse tensors give what it gives step by step? Programs are drawn.

A program is a chain of operations that keep a matrix sparse, and one that ends it. It is called
with several numbers of entries, in order or not, none of them among others; results and what the
program wrote must print the same.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import trilith

tri: Any = trilith
SIDE = 4
Step = Callable[[Any, Any], Any]

STEPS: dict[str, Step] = {
    "neg": lambda s, x: -s,
    "scaled": lambda s, x: s * 2.5,
    "reflected": lambda s, x: 3 * s,
    "halved": lambda s, x: s / 2,
    "squared": lambda s, x: s**2,
    "sin": lambda s, x: s.sin(),
    "abs": lambda s, x: s.abs(),
    "sign": lambda s, x: s.sign(),
    "relu": lambda s, x: s.relu(),
    "turned": lambda s, x: s.t(),
    "transposed": lambda s, x: s.transpose(0, 1),
    "same places": lambda s, x: s + s * 2,
    "difference": lambda s, x: s - s * 0.5,
    "with alpha": lambda s, x: tri.add(s, s, alpha=2),
    "product": lambda s, x: s * s,
    "broadcast": lambda s, x: s * x[0],
    "masked": lambda s, x: x.to(s.dtype).sparse_mask(s),
    "double": lambda s, x: s.double(),
    "integers": lambda s, x: s.int(),
    "copied": lambda s, x: s.clone(),
    "coalesced": lambda s, x: s.coalesce(),
    "emptied": lambda s, x: tri.zeros_like(s),
    "by its sum": lambda s, x: s.mul(s.sum()),
}
ENDS: dict[str, Step] = {
    "itself": lambda s, x: s,
    "dense": lambda s, x: s.to_dense(),
    "several": lambda s, x: (s, s * 2, s.to_dense()),
    "parts": lambda s, x: (s._indices() + 1, s._values()),
    "matrix": lambda s, x: s @ x.to(s.dtype),
    "vector": lambda s, x: s @ x[0].to(s.dtype),
    "from the right": lambda s, x: x.to(s.dtype) @ s,
    "sum": lambda s, x: s.sum(),
    "added": lambda s, x: x + s,
    "joined": lambda s, x: tri.cat([s, s], 1),
    "stacked": lambda s, x: tri.stack([s, s * 2]),
    "product and sum": lambda s, x: tri.sparse.addmm(x.to(s.dtype), s, x.to(s.dtype), alpha=2),
    "into a copy": lambda s, x: x.clone().add_(s),
    "in place": lambda s, x: s._values().mul_(2),
}


def made(random: Random, device: str) -> Callable[[], Any]:
    """Return what makes a tensor of a random number of entries, always the same one."""
    count, is_coalesced = random.choice([0, 1, 3, 5, 8]), random.random() < 0.6
    places = [[random.randrange(SIDE) for _ in range(count)] for _ in range(2)]
    values = [random.uniform(-3, 3) for _ in range(count)]

    def make() -> Any:
        indices = tri.tensor(places, dtype=tri.int64).reshape(2, count)
        elements = tri.tensor(values, dtype=tri.float32)
        s = tri.sparse_coo_tensor(indices, elements, (SIDE, SIDE), device=device)
        return s.coalesce() if is_coalesced else s

    return make


def answer(function: Step, s: Any, x: Any) -> str:
    """Return what a call gives and leaves behind, or its error, as text."""
    try:
        return f"{function(s, x)}\n{s}"
    except (RuntimeError, TypeError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


@pytest.mark.filterwarnings("ignore::trilith.dialects.diagnostics.TrilithWarning")
@pytest.mark.parametrize("seed", range(30))
def test_a_compiled_program_gives_what_it_gives_step_by_step(seed: int, tested_device: str):
    random = Random(seed)
    names = [random.choice([*STEPS]) for _ in range(random.randrange(4))]
    end = random.choice([*ENDS])

    def program(s: Any, x: Any) -> Any:
        for name in names:
            s = STEPS[name](s, x)
        return ENDS[end](s, x)

    compiled: Any = tri.compile(program)
    x = (tri.arange(float(SIDE * SIDE)).reshape(SIDE, SIDE) / 7).to(tested_device)
    for _ in range(3):
        make = made(random, tested_device)
        assert answer(compiled, make(), x) == answer(program, make(), x), (names, end)
