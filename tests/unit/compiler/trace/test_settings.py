"""A plan is remembered for the default dtype and the promotion mode that its trace saw."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import trilith
from tests.plans import no_plans
from trilith.compiler.eager.operations import forget_plans
from trilith.compiler.trace.tracer import Trace
from trilith.dialects.attributes.settings import HELD, PROCESS, current, holding

#: Without types: these programs are about what they are traced to.
tri: Any = trilith


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with no_plans():
        yield
        tri.set_default_dtype(tri.float32)
        tri.set_promotion_mode("torch")


#: Calls whose dtype is the default's, each with another plan.
CALLS: dict[str, Callable[[Any, int], Any]] = {
    "factory": lambda x, n: tri.zeros(n),
    "like": lambda x, n: tri.full((n,), 0.5),
    "number": lambda x, n: x.reshape(1, -1)[:, :n] * 0.5,
    "division": lambda x, n: tri.true_divide(x[:n], x[:n]),
    "method": lambda x, n: x.new_ones(n).exp(),
    "out": lambda x, n: tri.exp(x[:n], out=tri.empty(min(n, 6), dtype=tri.float64)),
    "range": lambda x, n: tri.linspace(0, 1, n + 1),
    "compiled": lambda x, n: tri.compile(lambda x: (x * 0.5, tri.zeros(n)))(x)[0],
}


@pytest.mark.parametrize("name", CALLS)
def test_plans_are_right_although_another_thread_changes_the_default(name: str):
    """What a call gives meanwhile is chance; the plans that it leaves behind are not."""
    x = tri.arange(6)
    is_over = threading.Event()

    def change() -> None:
        while not is_over.is_set():
            tri.set_default_dtype(tri.float64)
            tri.set_default_dtype(tri.float32)

    forget_plans()
    thread = threading.Thread(target=change)
    thread.start()
    try:
        for number in range(8):
            CALLS[name](x, number)
    finally:
        is_over.set()
        thread.join()
    _check_remembered(name, x)


@pytest.mark.parametrize("name", CALLS)
def test_plans_are_right_if_the_default_changes_while_they_are_made(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    """At the worst moment: the key is made, and the trace begins."""
    x = tri.arange(6)
    record = Trace.record

    def record_later(self: Trace, *arguments: Any, **keywords: Any) -> Any:
        _set_elsewhere(tri.float64)
        return record(self, *arguments, **keywords)

    forget_plans()
    with monkeypatch.context() as patch:
        patch.setattr(Trace, "record", record_later)
        CALLS[name](x, 3)
    _check_remembered(name, x)


def _check_remembered(name: str, x: Any) -> None:
    """Compare what the plans that are there give with what new ones give."""
    for default in (tri.float32, tri.float64):
        tri.set_default_dtype(default)
        remembered = [CALLS[name](x, number).dtype for number in range(8)]
        forget_plans()
        assert remembered == [CALLS[name](x, number).dtype for number in range(8)]


def _set_elsewhere(dtype: Any) -> None:
    thread = threading.Thread(target=tri.set_default_dtype, args=(dtype,))
    thread.start()
    thread.join()


def test_a_compiled_function_keeps_to_the_settings_of_its_key():
    """Another thread sets another default dtype in the midst of tracing."""

    @tri.compile
    def function(x: Any) -> Any:
        first = x * 0.5
        _set_elsewhere(tri.float64)
        return first, x * 0.5, tri.zeros(1), tri.result_type(x, 0.5), tri.get_default_dtype()

    x = tri.arange(2)
    for _ in range(2):
        tri.set_default_dtype(tri.float32)
        first, second, zero, promoted, default = function(x)
        found = [first.dtype, second.dtype, zero.dtype, promoted, default]
        assert found == [tri.float32] * 5
    tri.set_default_dtype(tri.float64)
    assert function(x)[0].dtype is tri.float64
    assert function.stats().traces == 2


def test_passes_keep_to_the_settings_of_the_trace():
    traced = tri.trace(lambda x: x * 0.5, tri.arange(2))
    tri.set_default_dtype(tri.float64)
    assert traced.lower().compile()(tri.arange(2)).dtype is tri.float32
    assert "f64" not in traced.after("tri-promote-types")


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
@pytest.mark.parametrize(
    "change",
    [
        lambda: tri.set_default_dtype(tri.float64),
        lambda: tri.set_promotion_mode("array_api"),
        lambda: tri.set_default_device("meta"),
    ],
    ids=["dtype", "promotion", "device"],
)
def test_a_function_that_changes_a_setting_does_so_in_each_call(change: Callable[[], Any]):
    def function(x: Any) -> Any:
        change()
        return x + 1

    def settings() -> tuple[Any, ...]:
        return tri.get_default_dtype(), tri.get_promotion_mode(), tri.get_default_device()

    compiled, before = tri.compile(function), settings()
    try:
        for _ in range(2):
            tri.set_default_dtype(tri.float32)
            tri.set_promotion_mode("torch")
            tri.set_default_device(None)
            compiled(tri.ones(1, device="cpu"))
            assert settings() != before
    finally:
        tri.set_default_device(None)
    assert compiled.stats().eager_calls == 2


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_settings_that_a_function_changes_for_a_while():
    """The IR has one promotion mode and one default dtype for all of a function."""

    @tri.compile
    def function(x: Any) -> Any:
        with tri.set_promotion_mode("array_api"):
            inner = tri.zeros(1, dtype=tri.uint16) + tri.zeros(1, dtype=tri.int8)
        tri.set_default_dtype(tri.float64)
        half = x * 0.5
        tri.set_default_dtype(tri.float32)
        return inner, half, x * 0.5

    results = function(tri.arange(2))
    assert [result.dtype for result in results] == [tri.int32, tri.float64, tri.float32]
    assert function.stats().eager_calls == 1


def test_a_device_for_a_part_of_a_function():
    @tri.compile
    def function(x: Any) -> Any:
        with tri.device("meta"):
            inner = tri.zeros(1)
        return x * 0.5, inner

    assert [result.device.type for result in function(tri.arange(2))] == ["cpu", "meta"]
    assert function.stats().eager_calls == 0


def test_what_a_thread_holds_is_its_own():
    with holding(PROCESS.settings):
        _set_elsewhere(tri.float64)
        assert tri.get_default_dtype() is tri.float32
        assert PROCESS.settings.dtype is tri.float64
    assert HELD.settings is None
    assert current().dtype is tri.float64


def test_settings_that_two_threads_set_are_both_kept():
    def modes() -> None:
        for _ in range(2000):
            tri.set_promotion_mode("array_api")
            tri.set_promotion_mode("torch")
        tri.set_promotion_mode("array_api")

    thread = threading.Thread(target=modes)
    thread.start()
    for _ in range(2000):
        tri.set_default_dtype(tri.float64)
        tri.set_default_dtype(tri.float16)
    thread.join()
    assert (tri.get_default_dtype(), tri.get_promotion_mode()) == (tri.float16, "array_api")
