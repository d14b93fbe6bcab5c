"""Gradients of joined, padded, repeated and viewed tensors: each element gets its own back."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
import trilith.autograd

from .slopes import check, drawn

F: Any = tri.nn.functional

ONE: dict[str, Callable[[Any], Any]] = {
    "flip": lambda x: x.flip(0, 1),
    "roll": lambda x: x.roll((1, -1), (0, 1)),
    "roll flat": lambda x: x.roll(2),
    "rot90": lambda x: x.rot90(3),
    "repeat": lambda x: x.repeat(2, 1, 3),
    "repeat_interleave": lambda x: x.repeat_interleave(tri.tensor([2, 0, 1]), 1),
    "tril": lambda x: x.tril(1),
    "trace": lambda x: x.trace(),
    "diag": lambda x: tri.diag(x, 1),
    "diag_embed": lambda x: tri.diag_embed(x, -1),
    "constant padding": lambda x: F.pad(x, (1, -1, 2, 0), value=3.0),
    "reflection": lambda x: F.pad(x[None], (2, 1), mode="reflect"),
    "reflection and a cut": lambda x: F.pad(x[None], (-1, 1, 1, 0), mode="reflect"),
    "replication": lambda x: F.pad(x[None], (2, -1), mode="replicate"),
    "circular padding": lambda x: F.pad(x[None], (2, 1), mode="circular"),
    "unfold": lambda x: x.unfold(1, 2, 1),
    "as_strided": lambda x: x.as_strided((3, 2), (2, 1)) * x.as_strided((2,), (3,)),
    "as_strided of what overlaps": lambda x: x[:1].expand(2, 3).as_strided((2,), (1,), 1),
    "diagonal": lambda x: x.diagonal(1),
    "unbind": lambda x: x.unbind(1)[0] * x.unbind(1)[2],
    "split": lambda x: x.split((1, 2), 1)[1],
    "chunk": lambda x: x.chunk(2, 1)[0] * x.chunk(2, 1)[1],
    "squeeze": lambda x: x[:, None].squeeze(1),
    "pixel_shuffle": lambda x: tri.pixel_shuffle(x.reshape(1, 6, 1, 1).repeat(1, 2, 1, 1), 2),
    "complex parts": lambda x: tri.view_as_real(tri.complex(x, x * x) * (1 + 2j)),
}
TWO: dict[str, Callable[[Any, Any], Any]] = {
    "cat": lambda x, y: tri.cat([x, y, x], 1),
    "stack": lambda x, y: tri.stack([x, y], 1),
    "hstack": lambda x, y: tri.hstack((x, y)),
    "block_diag": lambda x, y: tri.block_diag(x, y[0], y[0, 0]),
    "select_scatter": lambda x, y: tri.select_scatter(x, y[0], 0, 1),
    "slice_scatter": lambda x, y: tri.slice_scatter(x, y[:, :2], 1, 0, 3, 2),
    "diagonal_scatter": lambda x, y: tri.diagonal_scatter(x, y[0, :2]),
}


@pytest.mark.parametrize("name", ONE)
def test_of_one_tensor(name: str) -> None:
    check(ONE[name], drawn(1, 2, 3), is_compiled=name in ("unfold", "as_strided", "reflection"))


@pytest.mark.parametrize("name", TWO)
def test_of_two_tensors(name: str) -> None:
    check(TWO[name], drawn(2, 2, 3), drawn(3, 2, 3), is_compiled=name == "cat")


def test_parts_are_results_of_one_node() -> None:
    x: Any = tri.ones(4, 2).requires_grad_()
    for parts, name in (
        (x.split(2), "SplitBackward0"),
        (x.split([1, 3]), "SplitWithSizesBackward0"),
        (x.chunk(2), "SplitBackward0"),
        (x.unbind(1), "UnbindBackward0"),
    ):
        assert [each.output_nr for each in parts] == [0, 1]
        assert parts[0].grad_fn is parts[1].grad_fn
        assert parts[0].grad_fn.name() == name


def test_as_strided_scatter_keeps_what_pytorch_keeps() -> None:
    x, y = tri.zeros(3).requires_grad_(), tri.ones(2).requires_grad_()
    made = tri.as_strided_scatter(x, y, (2,), (2,))
    found = trilith.autograd.grad(made, [x, y], tri.tensor([1.0, 2.0, 3.0]))
    assert [each.tolist() for each in found] == [[1, 0, 3], [1, 3]]


def test_a_vector_without_elements_is_joined() -> None:
    x, empty = tri.ones(2, 2).requires_grad_(), tri.ones(0).requires_grad_()
    found = trilith.autograd.grad(tri.cat([x, empty], 1).sum(), [x, empty])
    assert [tuple(each.shape) for each in found] == [(2, 2), (0,)]
