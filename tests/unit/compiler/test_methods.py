"""Is an instance with a compiled method freed, and do its plans stay its own?"""

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.devices.base import runtime_of


class Scale:
    def __init__(self, factor: float) -> None:
        self.factor = tri.full((2,), factor)

    @tri.compile
    def run(self, x: Any) -> Any:
        """Multiply."""
        return x * self.factor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scale)

    __hash__ = None  # pyright: ignore[reportAssignmentType]


def test_instances_are_freed_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        allocator: Any = runtime_of(tri.device("cpu")).allocator
        before = allocator.stats().in_use
        for _ in range(40):
            instance = Scale(2.0)
            instance.weights = tri.ones(1 << 20)  # pyright: ignore[reportAttributeAccessIssue]
            assert instance.run(tri.ones(2)).tolist() == [2, 2]
            ending = weakref.ref(instance)
            del instance
            assert ending() is None
        assert allocator.stats().in_use - before < 8 << 20
    finally:
        gc.enable()
    assert not vars(Scale)["run"]._bound


def test_a_method_keeps_its_instance():
    run = Scale(3.0).run
    gc.collect()
    assert run(tri.ones(2)).tolist() == [3, 3]
    assert run.stats().traces == 1
    assert run.__doc__ == "Multiply." or run.__wrapped__.__doc__ == "Multiply."
    assert str(run.trace(tri.ones(2))).startswith("builtin.module")


def test_each_instance_has_plans_of_its_own_however_equal():
    first, second = Scale(2.0), Scale(5.0)
    assert first == second
    for _ in range(2):
        assert first.run(tri.ones(2)).tolist() == [2, 2]
        assert second.run(tri.ones(2)).tolist() == [5, 5]
    assert first.run.stats().traces == second.run.stats().traces == 1
    assert first.run == first.run
    assert first.run != second.run
    assert len({first.run, first.run, second.run}) == 2


def test_an_instance_in_the_place_of_a_dead_one_is_another():
    for factor in range(50):  # of which many have one address
        assert Scale(factor).run(tri.ones(2)).tolist() == [factor, factor]


def test_instances_and_their_methods_are_copied_and_pickled():
    model = Scale(2.0)
    model.run(tri.ones(2))
    other = copy.copy(model)
    other.factor = tri.full((2,), 7.0)
    assert other.run(tri.ones(2)).tolist() == [7, 7]
    assert model.run(tri.ones(2)).tolist() == [2, 2]
    again = pickle.loads(pickle.dumps(model.run))
    assert again(tri.ones(2)).tolist() == [2, 2]
    assert again.__self__ is not model


def test_an_instance_without_weak_references_is_refused_with_advice():
    class Slotted:
        __slots__ = ()

        @tri.compile
        def run(self, x: Any) -> Any:
            return x + 1

    with pytest.raises(TypeError, match="__weakref__"):
        Slotted().run(tri.ones(2))


def test_static_arguments_of_methods():
    class Model:
        @tri.compile(static_argnames="times")
        def run(self, x: Any, times: int) -> Any:
            for _ in range(times):
                x = x + x
            return x

    model = Model()
    assert model.run(tri.ones(1), 3).tolist() == [8]
    assert model.run(tri.ones(1), times=2).tolist() == [4]
