"""What goes with a copy of a tensor? As in PyTorch: a shallow one has its attributes themselves."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

MADE: dict[str, Callable[[], Any]] = {
    "tensor": lambda: tri.ones(2),
    "leaf": lambda: tri.ones(2, requires_grad=True),
    "result": lambda: tri.ones(2, requires_grad=True) * 2,
    "parameter": lambda: tri.nn.Parameter(tri.ones(2)),
    "sparse": lambda: tri.eye(2).to_sparse(),
}


@pytest.mark.parametrize("name", MADE)
def test_a_shallow_copy_has_the_attributes(name: str):
    x = MADE[name]()
    x.origin = ["a camera"]
    again = copy.copy(x)
    assert again.origin is x.origin
    again.origin = None
    assert x.origin == ["a camera"]


def test_a_deep_copy_of_a_parameter_is_of_its_elements_alone():
    x = tri.nn.Parameter(tri.arange(6.0).reshape(3, 2).t())
    x.grad = tri.ones(2, 3)
    x.origin = "a camera"
    first, second = copy.deepcopy([x, x])
    assert first is second
    assert (type(first), first.requires_grad, first.grad) == (tri.nn.Parameter, True, None)
    assert (first.tolist(), first.stride()) == (x.tolist(), (1, 2))
    assert first.data_ptr() != x.data_ptr()
    assert not hasattr(first, "origin")
    frozen = copy.deepcopy(tri.nn.Parameter(tri.ones(2), requires_grad=False))
    assert not frozen.requires_grad


def test_a_parameter_of_integers_is_refused():
    text = "Only Tensors of floating point and complex dtype can require gradients"
    with pytest.raises(RuntimeError, match=text):
        tri.nn.Parameter(tri.tensor([1, 2]))
    assert tri.nn.Parameter(tri.tensor([1, 2]), requires_grad=False).dtype is tri.int64
