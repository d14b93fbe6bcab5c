"""What to run all day: the whole road once, in under a second."""

from typing import Any

import numpy as np

import trilith as tri


def test_a_chain_and_a_sum() -> None:
    @tri.compile
    def f(x: Any, y: Any) -> tri.Tensor:
        return (2 * x + y).sum(-1)

    x = np.arange(6, dtype="i4").reshape(2, 3)
    y = np.array([0.5, 1.5, 2.5], "f4")
    result = f(x, y)
    np.testing.assert_array_equal(result.numpy(), (2 * x + y).sum(-1))
    assert result.dtype is tri.float32
    assert f.stats().kernels_compiled + f.stats().kernels_loaded == 1


def test_eager_equals_compiled() -> None:
    x = tri.tensor([[1.0, -2.0], [3.0, 4.0]])
    assert (x.t() * 2 - 1).tolist() == tri.compile(lambda x: x.t() * 2 - 1)(x).tolist()


def test_every_level_can_be_read() -> None:
    lowered = tri.trace(lambda x: tri.exp(x), tri.spec((4,))).lower()
    assert [word in lowered.as_text(level) for word, level in WORDS] == [True] * len(WORDS)


WORDS = (("tri.exp", "tri"), ("math.exp", "kernel"), ("kernel.for", "scheduled"), ("fmul", "llvm"))
