"""Are numbers that fill a tensor computed where a view of it is read, and not stored?"""

from collections.abc import Callable
from typing import Any, cast

import pytest

import trilith as tri


def expanded(x: Any) -> Any:
    return x * tri.full((), 2.0).expand(3, 2)


def unsqueezed(x: Any) -> Any:
    return x + tri.ones(3).unsqueeze(1)


def summed(x: Any) -> Any:
    return x + tri.ones(2).expand(4, 2).sum(0)


def written_later(x: Any) -> Any:
    filled = tri.ones(())
    view = filled.expand(3, 2)
    before = x * view
    filled.add_(1)
    return before + view


def gradient(x: Any) -> Any:
    return tri.func.grad(square)(x)


def square(x: Any) -> Any:
    return (x * x).sum()


def read_by_a_product(x: Any) -> Any:
    return x @ tri.ones(()).expand(2, 2)


def returned(x: Any) -> Any:
    return x * 2 + tri.ones(()).expand(3, 2), tri.full((), 3.0).expand(3, 2)


#: A function, and how many kernels it becomes.
FUNCTIONS: list[tuple[Callable[[Any], Any], int]] = [
    *((expanded, 1), (unsqueezed, 1), (summed, 2), (written_later, 1), (gradient, 1)),
    *((read_by_a_product, 2), (returned, 2)),
]


def lists_of(results: Any) -> list[Any]:
    several = cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)
    return [(each.tolist(), each.stride()) for each in several]


@pytest.mark.parametrize(("function", "count"), FUNCTIONS)
def test_filled_tensors_are_made_by_their_readers(function: Callable[[Any], Any], count: int):
    x = tri.arange(6.0).reshape(3, 2)
    text = tri.trace(function, x).lower().as_text("kernel")
    assert text.count("tri.launch") == count
    assert lists_of(tri.compile(function)(x)) == lists_of(function(x))


def test_sizes_may_change():
    def function(x: Any) -> Any:
        return x * x.new_full((), 3.0).expand(x.shape) + x.new_ones((x.shape[0],)).unsqueeze(1)

    compiled = tri.compile(function)
    for rows in (2, 3, 5, 8):
        x = tri.arange(2.0 * rows).reshape(rows, 2)
        assert compiled(x).tolist() == (x * 3 + 1).tolist()
