"""Gradients of elements at indices: what is read twice adds up, what is overwritten has none."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.autograd

from .slopes import check, drawn

TWICE = tri.tensor([2, 0, 2])
PLACES = tri.tensor([[2, 0, 2], [1, 1, 0]])
MASK = tri.tensor([[True, False, True], [False, True, True]])

READ: dict[str, Callable[[Any], Any]] = {
    "getitem": lambda x: x[:, TWICE],
    "getitem of pairs": lambda x: x[tri.tensor([0, 1, 1]), TWICE],
    "getitem of a mask": lambda x: x[MASK],
    "index_select": lambda x: x.index_select(1, TWICE),
    "gather": lambda x: x.gather(1, PLACES),
    "take": lambda x: x.take(PLACES),
    "take_along_dim": lambda x: x.take_along_dim(PLACES[:1], 1),
    "masked_select": lambda x: x.masked_select(MASK),
    "masked_fill": lambda x: x.masked_fill(MASK, 2.0),
    "index_fill": lambda x: x.index_fill(1, TWICE, 2.0),
}
WRITTEN: dict[str, Callable[[Any, Any], Any]] = {
    "index_add": lambda x, y: x.index_add(1, TWICE, y, alpha=3),
    "index_copy": lambda x, y: x.index_copy(1, tri.tensor([1, 2, 0]), y),
    "index_put": lambda x, y: x.index_put((tri.tensor([1, 0]),), y),
    "index_put and add": lambda x, y: x.index_put((PLACES % 2, PLACES), y, accumulate=True),
    "scatter": lambda x, y: x.scatter(1, tri.tensor([[0, 2], [1, 0]]), y[:, :2]),
    "scatter_add": lambda x, y: x.scatter_add(1, PLACES, y),
    "put": lambda x, y: x.put(tri.tensor([5, 0, 2]), y[0]),
    "masked_scatter": lambda x, y: x.masked_scatter(MASK, y),
    "setitem": lambda x, y: set_item(x, y),
    "masked_fill by a tensor": lambda x, y: x.masked_fill(MASK, y[0, 0]),
    "index_fill by a tensor": lambda x, y: x.index_fill(1, TWICE, y[0, 0]),
    "where": lambda x, y: tri.where(MASK, x, y),
}
for _how in ("sum", "prod", "mean", "amax", "amin"):
    for _whole in (True, False):
        WRITTEN[f"scatter_reduce by {_how}, {_whole}"] = lambda x, y, how=_how, whole=_whole: (
            x.scatter_reduce(1, PLACES, y, how, include_self=whole)
        )


def set_item(x: Any, y: Any) -> Any:
    made = x.clone()
    made[:, tri.tensor([2, 0])] = y[:, :2]
    made[0] = y[1] * y[0]
    return made


@pytest.mark.parametrize("name", READ)
def test_what_is_read(name: str) -> None:
    check(READ[name], drawn(1, 2, 3), is_compiled=name in ("getitem", "gather"))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written(name: str) -> None:
    is_compiled = name == "index_add"
    check(WRITTEN[name], drawn(2, 2, 3), drawn(3, 2, 3), is_compiled=is_compiled)


def both(function: Callable[[Any, Any], Any], x: Any, y: Any) -> list[Any]:
    leaves = [tri.tensor(each).requires_grad_() for each in (x, y)]
    found = trilith.autograd.grad(function(*leaves).sum(), leaves)
    return [each.tolist() for each in found]


ZERO = tri.tensor([0, 0])


OVERWRITTEN: list[tuple[Callable[[Any, Any], Any], Any, Any, Any]] = [
    (lambda a, b: a.scatter(0, ZERO, b), [1.0, 2.0], [3.0, 4.0], [[0, 1], [1, 1]]),
    (lambda a, b: a.index_put((ZERO,), b), [2.0, 2.0], [3.0, 0.0], [[0, 1], [1, 1]]),
    (
        lambda a, b: a.scatter_reduce(0, ZERO, b, "amax"),
        *([4.0, 2.0], [3.0, 4.0], [[0.5, 1], [0, 0.5]]),
    ),
    (
        lambda a, b: a.scatter_reduce(0, ZERO, b, "prod"),
        *([2.0, 2.0], [3.0, 0.0], [[0, 1], [0, 6]]),
    ),
]


@pytest.mark.parametrize(("function", "x", "y", "wanted"), OVERWRITTEN)
def test_duplicates_ties_and_zeros(function: Any, x: Any, y: Any, wanted: Any) -> None:
    assert both(function, x, y) == wanted


def test_names_of_nodes() -> None:
    x = tri.ones(2, 3).requires_grad_()
    index = tri.tensor([0])
    made: list[Any] = [
        *(x[index], x[:, index], x.index_select(0, index), x.take(index)),
        x.scatter(1, tri.zeros(2, 1, dtype=tri.int64), 1.0),
        *(x.index_fill(0, index, 1.0), x.index_add(0, index, tri.ones(1, 3))),
    ]
    assert [each.grad_fn.name() for each in made] == [
        *("IndexBackward0", "IndexBackward0", "IndexSelectBackward0", "TakeBackward0"),
        *("ScatterBackward1", "IndexFillBackward0", "IndexAddBackward0"),
    ]


def test_a_mask_of_one_value_can_be_traced() -> None:
    def loss(x: Any, value: Any, mask: Any) -> Any:
        return (x.index_put((mask,), value) * x).sum()

    given = (tri.tensor([1.0, 2.0, 3.0]), tri.tensor(5.0), tri.tensor([True, False, True]))
    found = tri.compile(trilith.func.grad(loss, argnums=(0, 1)))(*given)
    np.testing.assert_allclose(found[0].numpy(), [5, 4, 5])
    assert found[1].item() == 4
