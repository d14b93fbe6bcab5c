"""Do rows that run in groups, phase by phase, give the bits that the order of their rows says?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function

functional = tri.nn.functional
CALLS: dict[str, Callable[[Any], Any]] = {
    "log_softmax": lambda x: tri.log_softmax(x, 1),
    "softmax": lambda x: tri.softmax(x, 1),
    "logsumexp": lambda x: x.logsumexp(1),
    "layer_norm": lambda x: functional.layer_norm(x, x.shape[1:]),
    "normalised": lambda x: x / (x * x).sum(1, keepdim=True).sqrt(),
    "of places": lambda x: x - x[:, :1] * x.argmax(1, keepdim=True),
    "three phases": lambda x: (x - x.mean(1, keepdim=True)).abs().sum(1, keepdim=True).log1p() * x,
    "rows with a number each": lambda x: (x.sum(1) * x[:, 0]).tanh() + x.amax(1).exp(),
    "several results": lambda x: (x - x.sum(1, keepdim=True).sin(), x.sum(1).sin(), x.amin(1)),
}
#: Around the rows of a group, and of a vector; longer rows than a group has elements.
ROWS, WIDTHS = (1, 2, 15, 16, 17, 33), (16, 31, 33, 100, 300, 5000)


def listed(found: Any) -> list[Any]:
    return [*found] if isinstance(found, tuple) else [found]  # pyright: ignore[reportUnknownVariableType]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", CALLS)
def test_bits_are_those_of_the_order(name: str, dtype: str):
    function = tri.compile(CALLS[name])
    for rows, width in zip(ROWS, WIDTHS, strict=True):
        for shape in ((rows, width), (ROWS[-1] - rows + 1, width)):
            x = np.random.default_rng(width).standard_normal(shape).astype(dtype)
            x[-1, ::7] = -np.inf
            x[0, -1] = np.nan if rows % 2 else 0
            given = tri.from_numpy(x)
            expected = interpret_function(tri.trace(CALLS[name], given).lower().module, [x])
            for one, other in zip(listed(function(given)), expected, strict=True):
                np.testing.assert_array_equal(one.numpy(), other, strict=True)


def test_values_are_those_of_mathematics():
    x = np.random.default_rng(3).standard_normal((37, 70))
    shifted = x - x.max(1, keepdims=True)
    expected = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    np.testing.assert_allclose(tri.log_softmax(tri.tensor(x), 1).numpy(), expected, rtol=1e-12)


def test_what_is_written_in_place_and_what_has_no_rows():
    x = np.random.default_rng(4).standard_normal((40, 50), dtype=np.float32)
    target = tri.tensor(x)
    target.copy_(tri.log_softmax(target, 1))
    assert target.tolist() == tri.log_softmax(tri.tensor(x), 1).tolist()
    assert tri.log_softmax(tri.ones(0, 20), 1).shape == (0, 20)
    assert tri.log_softmax(tri.ones(20, 0), 1).shape == (20, 0)


def test_threads_compute_the_same():
    x = tri.tensor(np.random.default_rng(5).standard_normal((4001, 90), dtype=np.float32))
    before = tri.get_num_threads()
    try:
        tri.set_num_threads(1)
        one = tri.log_softmax(x, 1)
        tri.set_num_threads(3)
        assert tri.equal(tri.log_softmax(x, 1), one)
    finally:
        tri.set_num_threads(before)
