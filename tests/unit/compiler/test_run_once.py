"""An error from inside of an operation is raised, and does not run the operation again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.eager import operations as eager
from trilith.compiler.eager.open_plans import OFTEN
from trilith.runtime.calls import entries
from trilith.runtime.devices.base import runtime_of

#: Each makes one launch.
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "operator": lambda x, y: x + y,
    "operator with a float": lambda x, y: x * 2.5,
    "operator with an int": lambda x, y: x - 3,
    "reflected": lambda x, y: 2.5 - x,
    "method": lambda x, y: x.exp(),
    "keyword": lambda x, y: x.add(y, alpha=2),
    "in place": lambda x, y: x.add_(y),
    "in place operator": lambda x, y: x.__iadd__(y),
    "out": lambda x, y: tri.add(x, y, out=y),
    "list": lambda x, y: tri.cat([x, y]),
    "factory": lambda x, y: tri.full((3,), 2.5),
}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Leave no plan behind whose kernels fail."""
    with no_plans():
        yield


def failing_kernels(monkeypatch: pytest.MonkeyPatch, kind: type[Exception]) -> list[object]:
    """Let every launch of plans that are made from now on fail, and be listed."""
    launches: list[object] = []

    def load(runtime: Any, kernel: Any) -> Callable[..., None]:
        def launch(*arguments: int) -> None:
            launches.append(kernel.name)
            raise kind("inside of a launch")

        return launch

    monkeypatch.setattr(type(runtime_of(tri.device("cpu"))), "load", load)
    return launches


@pytest.mark.parametrize("kind", [AttributeError, KeyError, StopIteration, TypeError])
@pytest.mark.parametrize("name", CALLS)
def test_a_launch_that_fails_is_not_made_again(
    name: str, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call of a kind, and the next one, which finds its plan by a shortcut."""
    x, y = tri.tensor([1.0, 2.0, 3.0]), tri.tensor([4.0, 5.0, 6.0])
    launches = failing_kernels(monkeypatch, kind)
    for count in (1, 2, 3):
        with pytest.raises(kind, match="inside of a launch") as raised:
            CALLS[name](x, y)
        assert len(launches) == count
        assert raised.value.__context__ is None  # a look-up that failed is no part of the story


@pytest.mark.parametrize("kind", [AttributeError, KeyError, StopIteration, TypeError])
def test_nor_is_one_of_a_compiled_function(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the plan is found by: tensors alone, numbers, or names."""
    x, y = tri.tensor([1.0, 2.0, 3.0]), tri.tensor([4.0, 5.0, 6.0])
    launches = failing_kernels(monkeypatch, kind)
    add, scale, total = (
        tri.compile(lambda x, y: x * y + 1),
        tri.compile(lambda x, n: x * n),
        tri.compile(lambda x, y: (x * (x + y).sum(), y.sum())),
    )
    calls = (lambda: add(x, y), lambda: scale(x, 2.5), lambda: total(x, y), lambda: add(x=x, y=y))
    for call in calls:
        for _ in range(3):
            before = len(launches)
            with pytest.raises(kind, match="inside of a launch"):
                call()
            assert len(launches) == before + 1


@pytest.mark.usefixtures("python_calls")
def test_what_runs_a_plan_is_called_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of what a shortcut leads to is no miss."""
    x, y = tri.tensor([1.0, 2.0]), tri.tensor([3.0, 4.0])
    calls: tuple[Callable[[], Any], ...] = (
        *(lambda: x + y, lambda: x * 2.5, lambda: x - 3, lambda: x.exp(), lambda: x.add_(y)),
        lambda: x.split(1),
    )
    for call in calls:
        eager.forget_plans()
        for _ in range(OFTEN + 2):
            call()
        shortcuts = eager._plans.shortcuts  # pyright: ignore[reportPrivateUsage]
        assert len(shortcuts) == 1
        for kind in (AttributeError, KeyError):
            ran: list[int] = []

            def run(tensors: Any, scalars: Any = (), kind: Any = kind, ran: Any = ran) -> Any:
                ran.append(1)
                raise kind("of ours")

            for key in shortcuts:
                monkeypatch.setitem(shortcuts, key, run)
            entries.forget_all()  # native code has plans of its own
            with pytest.raises(kind, match="of ours"):
                call()
            assert ran == [1]
        monkeypatch.undo()


@pytest.mark.filterwarnings("ignore:f.. runs step by step")
def test_a_plan_that_another_function_calls() -> None:
    """What a function did before the plan was refused is not done again."""
    weights, ran = tri.ones(2), list[int]()
    plan = tri.trace(lambda x: x * weights, tri.ones(2)).lower().compile()
    weights.resize_(3)

    @tri.compile
    def f(x: tri.Tensor) -> tri.Tensor:
        x.add_(1)
        ran.append(1)
        return plan(x)

    x = tri.zeros(2)
    with pytest.raises(RuntimeError, match="uses a tensor of the enclosing program"):
        f(x)
    assert x.tolist() == [1.0, 1.0]
    assert len(ran) == 2  # once more, while it was traced
    with pytest.raises(RuntimeError, match="uses a tensor of the enclosing program"):
        f(x)
    assert x.tolist() == [2.0, 2.0]


def test_a_plan_of_its_own_is_made_again() -> None:
    """A captured tensor that changed is seen before anything runs."""
    weights = tri.ones(2)
    f = tri.compile(lambda x: x.sum() * weights)
    assert f(tri.ones(3)).tolist() == [3.0, 3.0]
    weights.resize_(1)
    assert f(tri.ones(3)).tolist() == [3.0]
    assert (f.stats().calls, f.stats().traces, f.stats().plans) == (2, 2, 1)
