"""Does a program that looks up before it computes give what the steps give, one by one?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

functional: Any = tri.nn.functional


def _of_changed(x: Any, i: Any) -> Any:
    """Gather from what was computed before the operand is written."""
    y = x - x.amax(1, keepdim=True)
    x.mul_(2)
    return y.gather(1, i)


def _of_changed_rows(x: Any, i: Any) -> Any:
    rows = x.sum(1, keepdim=True)
    y = x - rows
    rows.zero_()
    return y.gather(1, i) + rows


def _read_elsewhere(x: Any, i: Any) -> Any:
    y = x.exp() + 1
    return y.sum(), y.gather(1, i)


def _picked(x: Any, i: Any) -> Any:
    return x.log_softmax(1).gather(1, i).sum()


def _some_ignored(x: Any, i: Any) -> Any:
    weight = i[:5, 0].exp()
    return functional.cross_entropy(x, i[:, 0], ignore_index=2, weight=weight)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "logarithm of softmax": lambda x, i: x.log_softmax(1).gather(1, i),
    "written by hand": lambda x, i: (x - x.exp().sum(1, keepdim=True).log()).gather(1, i),
    "of narrow floats": lambda x, i: x.bfloat16().log_softmax(1).gather(1, i),
    "of integers": lambda x, i: (x.to(tri.int32) * 3 // 2).gather(1, i),
    "of what has no look-up": lambda x, i: x.abs().to(tri.uint16).float().gather(1, i),
    "of two": lambda x, i: (x * x.flip(0) + 1).gather(1, i),
    "of a view": lambda x, i: (x.t().exp() * 2).gather(0, i.t()),
    "read elsewhere": _read_elsewhere,
    "of some rows": lambda x, i: (x + 1).gather(1, i[:3]),
    "of a row for all": lambda x, i: (x + x[0]).gather(1, i),
    "of a column for all": lambda x, i: (x.t() - x[:, 0]).gather(0, i.t()),
    "of a number in memory": lambda x, i: (x / x.amax()).gather(1, i),
    "after a write": _of_changed,
    "after a write of rows": _of_changed_rows,
    "a gradient": lambda x, i: tri.grad(_picked)(x, i),
    "cross entropy": lambda x, i: functional.cross_entropy(x, i[:, 0]),
    "its gradient": lambda x, i: tri.grad(functional.cross_entropy)(x, i[:, 0]),
    "of images": lambda x, i: tri.grad(functional.cross_entropy)(
        x.reshape(1, 4, 10).transpose(1, 2), i[:4].reshape(1, 4)
    ),
    "some ignored": lambda x, i: tri.value_and_grad(_some_ignored)(x, i),
}


def plain(found: Any) -> list[bytes]:
    """Return the bits of one result, or of several."""
    several: list[Any] = [*found] if isinstance(found, tuple) else [found]  # pyright: ignore[reportUnknownVariableType]
    return [one.reshape(-1).view(tri.uint8).numpy().tobytes() for one in several]


@pytest.mark.parametrize("name", CALLS)
def test_bits_are_those_of_single_operations(name: str):
    function = tri.compile(CALLS[name])
    for seed in range(3):
        tri.manual_seed(seed)
        x = tri.randn(8, 5) * 4
        i = tri.randint(0, 5, (8, 1))
        assert plain(function(x.clone(), i)) == plain(CALLS[name](x.clone(), i))
    assert function.stats().eager_calls == 0


def test_a_place_that_is_not_there_is_refused_as_before():
    function = tri.compile(lambda x, i: (x + 1).gather(1, i))
    with pytest.raises(IndexError, match="out of bounds"):
        function(tri.ones(3, 2), tri.full((3, 1), 2))
    loss: Any = tri.compile(functional.cross_entropy)
    with pytest.raises(IndexError, match="Target 5 is out of bounds"):
        loss(tri.ones(3, 5), tri.tensor([0, 5, 1]))
