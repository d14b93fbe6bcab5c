"""Does a compiled function see that a captured tensor begins or ends to require a gradient?"""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.gradients.captured import WATCHED

#: Calls, so that native code has taken over where it can.
CALLS = (1, 100)


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("static_shapes", [False, True])
def test_a_captured_tensor_that_begins_and_ends(calls: int, static_shapes: bool):
    w = tri.tensor([1.0, 2.0, 3.0])
    function: Any = tri.compile(lambda x: x * w, static_shapes=static_shapes)
    for turn in range(3):
        for size in (3, 1):
            for _ in range(calls):
                assert not function(tri.ones(size)).requires_grad
        w.requires_grad_(True)
        for _ in range(calls):
            w.grad = None
            y = function(tri.full((3,), 2.0 + turn))
            assert y.requires_grad
            y.sum().backward()
            assert w.grad is not None
            assert w.grad.tolist() == [2.0 + turn] * 3
        w.requires_grad_(False)


@pytest.mark.parametrize("calls", CALLS)
def test_one_of_two_is_frozen(calls: int):
    a, b = (tri.full((2,), value, requires_grad=True) for value in (2.0, 3.0))
    function: Any = tri.compile(lambda x: x * a * b)
    for is_frozen in (False, True, False):
        b.requires_grad = not is_frozen
        for _ in range(calls):
            a.grad = b.grad = None
            function(tri.ones(2)).sum().backward()
            assert a.grad is not None
            assert a.grad.tolist() == [3.0, 3.0]
            assert (b.grad is None) is is_frozen


class Layer:
    def __init__(self) -> None:
        self.weight = tri.ones(4)

    @tri.compile
    def run(self, x: Any) -> Any:
        return x * self.weight


@pytest.mark.parametrize("calls", CALLS)
def test_an_attribute_is_unfrozen(calls: int):
    layer = Layer()
    for _ in range(calls):
        assert not layer.run(tri.ones(4)).requires_grad
    layer.weight.requires_grad_()
    assert layer.run(tri.ones(4)).requires_grad
    layer.weight = tri.ones(4)
    for _ in range(calls):
        assert not layer.run(tri.ones(4)).requires_grad
    layer.weight.requires_grad_()
    assert layer.run(tri.ones(4)).requires_grad


def test_a_captured_tensor_becomes_a_result():
    w, v = tri.ones(3), tri.full((3,), 2.0, requires_grad=True)
    function: Any = tri.compile(lambda x: x + w)
    assert not function(tri.ones(3)).requires_grad
    w.mul_(v)
    y = function(tri.ones(3))
    assert y.tolist() == [3.0, 3.0, 3.0]
    y.sum().backward()
    assert v.grad is not None
    assert v.grad.tolist() == [1.0, 1.0, 1.0]
    w.detach_()
    assert not function(tri.ones(3)).requires_grad


def test_nothing_is_kept_of_tensors_and_functions_that_end():
    def capture() -> tuple[int, weakref.ref[Any], weakref.ref[Any]]:
        w = tri.ones(3)
        function: Any = tri.compile(lambda x: x * w)
        function(tri.ones(3))
        assert id(w) in WATCHED
        return id(w), weakref.ref(w), weakref.ref(function)

    key, tensor, function = capture()
    gc.collect()
    assert tensor() is function() is None
    assert key not in WATCHED
