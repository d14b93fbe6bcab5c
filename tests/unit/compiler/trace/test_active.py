"""What interrupts a traced function computes on its own: it is no part of the compiled function."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false

import functools
import gc
import signal
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import trilith

#: Without types: these programs are about what they are traced to.
tri: Any = trilith

Act = Callable[[], Any]


class Thing:
    """Something that can be in a cycle and have weak references."""

    def __init__(self) -> None:
        self.other: Any = None


def _cycle(thing: Any) -> None:
    """Leave it to the garbage collector."""
    thing.other = thing


def _with_del(act: Act) -> Thing:
    class Finalized(Thing):
        def __del__(self) -> None:
            act()

    return Finalized()


def _with_named_del(act: Act) -> Thing:
    class Closed(Thing):
        def close(self) -> None:
            act()

        __del__ = close

    return Closed()


def _refcounted(make: Callable[[Act], Thing], act: Act) -> None:
    thing = make(act)
    del thing


def _collected(make: Callable[[Act], Thing], act: Act) -> None:
    _cycle(make(act))
    gc.collect()


def _weak(act: Act) -> None:
    thing = Thing()
    reference = weakref.ref(thing, lambda _: act())
    del thing
    assert reference() is None


def _called_back(act: Act, reference: object) -> None:
    act()


def _weak_partial(act: Act) -> None:
    thing = Thing()
    reference = weakref.ref(thing, functools.partial(_called_back, act))
    del thing
    assert reference() is None


def _weak_in_cycle(act: Act) -> None:
    thing = Thing()
    _cycle(thing)
    reference = weakref.ref(thing, lambda _: act())
    del thing
    gc.collect()
    assert reference() is None


def _finalize(act: Act) -> None:
    thing = Thing()
    weakref.finalize(thing, act)
    del thing


def _signal(act: Act) -> None:
    before = signal.signal(signal.SIGUSR1, lambda number, frame: act())
    try:
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


def _signal_to_method(act: Act) -> None:
    class Handler:
        def __call__(self, *arguments: Any) -> None:
            act()

    before = signal.signal(signal.SIGUSR1, Handler())
    try:
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


def _collector(act: Act) -> None:
    def callback(phase: str, info: dict[str, int]) -> None:
        act()

    gc.callbacks.append(callback)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(callback)


INTERRUPTIONS: dict[str, Callable[[Act], None]] = {
    "del": functools.partial(_refcounted, _with_del),
    "del of another name": functools.partial(_refcounted, _with_named_del),
    "del in a cycle": functools.partial(_collected, _with_del),
    "del of another name in a cycle": functools.partial(_collected, _with_named_del),
    "weak reference": _weak,
    "weak reference with a partial": _weak_partial,
    "weak reference in a cycle": _weak_in_cycle,
    "weakref.finalize": _finalize,
    "signal": _signal,
    "signal to an object": _signal_to_method,
    "collector": _collector,
}


@pytest.fixture(params=INTERRUPTIONS)
def interrupt(request: pytest.FixtureRequest) -> Callable[[Act], None]:
    return INTERRUPTIONS[request.param]


def _add_in_place(tensor: Any) -> Any:
    return tensor.add_(1)


#: What a finalizer may compute with a tensor of ones.
ACTS: dict[str, Callable[[Any], Any]] = {
    "operator": lambda w: w * 2,
    "method": lambda w: w.sum(),
    "function": lambda w: tri.exp(w),
    "factory": lambda w: tri.zeros(2),
    "tensor": lambda w: tri.tensor([1.0]),
    "index": lambda w: w[0],
    "assignment": lambda w: w.__setitem__(0, 3.0) or w,
    "in place": _add_in_place,
    "out": lambda w: tri.add(w, 1, out=tri.empty(2)),
    "random": lambda w: tri.rand(2),
    "item": lambda w: tri.tensor(w.sum().item()),
    "compiled": lambda w: tri.compile(lambda x: x + w)(w),
}


@pytest.mark.parametrize("act", ACTS)
def test_it_is_computed_at_once_and_not_recorded(interrupt: Callable[[Act], None], act: str):
    w, made = tri.ones(2), list[Any]()
    wanted = ACTS[act](tri.ones(2)).shape

    def function(x: Any) -> Any:
        interrupt(lambda: made.append(ACTS[act](w)))
        return x + 1

    text = str(tri.trace(function, tri.ones(2)))
    assert text.count("= tri.") == 2  # the constant and the addition
    assert made
    assert all(type(result) is tri.Tensor and result.shape == wanted for result in made)


def test_interruptions_leave_the_function_right(interrupt: Callable[[Act], None]):
    w, made = tri.ones(2), list[Any]()

    @tri.compile
    def function(x: Any) -> Any:
        y = x * 2
        interrupt(lambda: made.append(w.add_(1).sum().item()))
        return y + 1

    for _ in range(3):
        assert function(tri.ones(2)).tolist() == [3, 3]
    count = len(made)
    assert w.tolist() == [1 + count, 1 + count]
    assert function.stats().eager_calls == 0


def test_interruptions_of_one_operation_leave_its_plan_right(interrupt: Callable[[Act], None]):
    """A row is traced as well, and what it evaluates may end the life of something."""
    w, made = tri.ones(2), list[Any]()

    class Shape(tuple[int, ...]):
        def __iter__(self) -> Any:
            interrupt(lambda: made.append(w + 1))
            return super().__iter__()

    for _ in range(2):
        assert tri.ones(2, 3).reshape(Shape((3, 2))).shape == (3, 2)
    assert all(result.tolist() == [2, 2] for result in made)


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_finalizer_that_meets_a_tensor_of_the_function(capsys: pytest.CaptureFixture[str]):
    met: list[str] = []

    def run(compile: Callable[[Any], Any]) -> Any:
        log = tri.zeros(2)

        def function(x: Any) -> Any:
            y = x * 2

            def act() -> None:
                try:
                    log.add_(y)
                except RuntimeError as error:
                    met.append(str(error))
                    raise

            _refcounted(_with_del, act)
            return y + 1

        results = [compile(function)(tri.ones(2)).tolist() for _ in range(2)]
        return results, log.tolist()

    assert run(tri.compile) == run(lambda function: function)
    assert "meets one of its tensors" in met[0]


def test_a_finalizer_on_another_thread_is_not_recorded():
    w, made = tri.ones(2), list[Any]()

    def function(x: Any) -> Any:
        thread = threading.Thread(target=lambda: _collected(_with_del, lambda: made.append(w * 2)))
        thread.start()
        thread.join()
        return x + 1

    assert str(tri.trace(function, tri.ones(2))).count("= tri.") == 2
    assert made[0].tolist() == [2, 2]


def test_a_finalizer_computes_with_the_settings_of_the_process():
    made: list[Any] = []

    def function(x: Any) -> Any:
        thread = threading.Thread(target=tri.set_default_dtype, args=(tri.float64,))
        thread.start()
        thread.join()
        _collected(_with_del, lambda: made.append(tri.zeros(1).dtype))
        return x + tri.zeros(1)

    try:
        assert tri.compile(function)(tri.ones(1)).dtype is tri.float32
    finally:
        tri.set_default_dtype(tri.float32)
    assert made == [tri.float64]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="locals() is a snapshot from 3.13 on")
def test_the_dictionary_of_locals_is_left_alone():
    def helper(x: Any, scale: int) -> Any:
        words = locals()
        y = x * scale
        return y, dict(words)

    seen: list[Any] = []

    def function(x: Any) -> Any:
        y, words = helper(x, 2)
        seen.append(set(words))
        return y

    tri.trace(function, tri.ones(1))
    assert seen == [{"x", "scale"}]


def test_helpers_generators_and_callbacks_of_the_function_are_recorded():
    def parts(x: Any) -> Any:
        yield x * 2
        yield tri.ones(2)

    def function(x: Any) -> Any:
        total = tri.zeros(2)
        for part in parts(x):
            total = total + part
        both = list(map(lambda y: y + tri.ones(2), [total, tri.full((2,), 3.0)]))
        return sorted(both, key=lambda y: y.ndim)[0] + functools.reduce(tri.add, both)

    compiled = tri.compile(function)
    expected = function(tri.ones(2)).tolist()
    assert compiled(tri.ones(2)).tolist() == expected
    assert "tri.full" in str(tri.trace(function, tri.ones(2)))


@pytest.mark.parametrize("phase", ["start", "stop"])
def test_an_interrupt_that_comes_when_the_collector_starts_or_stops(phase: str):
    """Python drops what is raised in a callback of the collector, with what was left to be done."""
    found: list[Any] = []

    def interrupt(frame: Any, event: str, argument: object) -> None:
        values = frame.f_locals.values()
        is_ours = frame.f_globals.get("__name__", "").startswith("trilith.")  # Hypothesis has one
        is_told = any(type(value) is str and value == phase for value in values)
        if is_ours and is_told and frame.f_back.f_code is f.__code__:
            sys.settrace(None)
            raise KeyboardInterrupt

    def f(x: Any) -> Any:
        y = x + 1
        _cycle(_with_del(lambda: found.append((tri.ones(2) * 3).tolist())))
        sys.settrace(interrupt)
        gc.collect()
        sys.settrace(None)
        return y * 2 + tri.ones(3)

    compiled = tri.compile(f)
    for _ in range(2):
        assert compiled(tri.ones(3)).tolist() == [5, 5, 5]
    assert found == [[3, 3]]
    assert compiled.stats().traces == 1
