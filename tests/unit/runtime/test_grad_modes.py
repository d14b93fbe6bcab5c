"""Do the modes of gradients hold where they are said to, thread by thread, step by step?

What is expected is what torch 2.13 answers to the same programs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest

import trilith as tri

MODES: dict[str, tuple[Callable[[], Any], bool]] = {
    "no_grad": (tri.no_grad, False),
    "enable_grad": (tri.enable_grad, True),
    "set_grad_enabled": (lambda: tri.set_grad_enabled(False), False),
    "inference_mode": (tri.inference_mode, False),
    "no inference_mode": (lambda: tri.inference_mode(False), True),
}


@pytest.fixture(autouse=True)
def left_as_found():
    """Whatever a test does, the mode is as before."""
    yield
    assert tri.is_grad_enabled()
    assert not tri.is_inference_mode_enabled()


@pytest.mark.parametrize("name", MODES)
def test_a_block_and_what_it_computes(name: str):
    mode, holds = MODES[name]
    with mode():
        assert tri.is_grad_enabled() is holds
        assert (tri.ones(2) * 2).tolist() == [2.0, 2.0]
        assert tri.compile(lambda x: x + 1)(tri.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("name", MODES)
def test_a_decorated_function(name: str):
    mode, holds = MODES[name]

    @mode()
    def function(x: Any, *, again: bool = False) -> Any:
        """Say what holds."""
        assert tri.is_grad_enabled() is holds
        return function(x) if again else x

    assert function(3, again=True) == 3
    assert function.__name__ == "function"
    assert function.__doc__ == "Say what holds."


@pytest.mark.parametrize("mode", [tri.no_grad, tri.inference_mode, tri.enable_grad])
def test_brackets_may_be_left_out(mode: Any):
    @mode
    def function() -> bool:
        return tri.is_grad_enabled()

    assert function() is (mode is tri.enable_grad)


def test_blocks_in_blocks_and_exceptions():
    with pytest.raises(KeyError), tri.no_grad(), tri.enable_grad():  # noqa: PT012
        assert tri.is_grad_enabled()
        with tri.inference_mode():
            assert not tri.is_grad_enabled()
        raise KeyError
    mode = tri.no_grad()
    with mode, tri.enable_grad(), mode:
        assert not tri.is_grad_enabled()


def test_setting_holds_at_once_and_a_block_ends_it():
    tri.set_grad_enabled(False)
    assert not tri.is_grad_enabled()
    with tri.set_grad_enabled(True):
        assert tri.is_grad_enabled()
    assert not tri.is_grad_enabled()
    tri.set_grad_enabled(True)
    decorate = tri.set_grad_enabled(False)
    function = decorate(tri.is_grad_enabled)
    assert tri.is_grad_enabled()
    assert function() is False
    words = r"argument 'enabled' \(position 1\) must be bool, not int"
    with pytest.raises(TypeError, match=words):
        tri.set_grad_enabled(1)  # pyright: ignore[reportArgumentType]


def test_another_thread_begins_anew():
    found: list[bool] = []
    with tri.no_grad():
        thread = threading.Thread(target=lambda: found.append(tri.is_grad_enabled()))
        thread.start()
        thread.join()
    assert found == [True]


def test_a_generator_has_the_mode_in_its_steps():
    seen: list[Any] = []

    @tri.no_grad()
    def steps() -> Generator[int, str, str]:
        try:
            seen.append((tri.is_grad_enabled(), (yield 1)))
            try:
                yield 2
            except KeyError:
                seen.append((tri.is_grad_enabled(), "thrown"))
            yield 3
            return "end"
        finally:
            seen.append((tri.is_grad_enabled(), "closed"))

    def through() -> Generator[int, str, None]:
        seen.append((tri.is_grad_enabled(), (yield from steps())))

    made = through()
    assert next(made) == 1
    assert tri.is_grad_enabled()
    assert made.send("sent") == 2
    assert made.throw(KeyError()) == 3
    assert list(made) == []
    expected = [(False, "sent"), (False, "thrown"), (False, "closed"), (True, "end")]
    assert seen == expected
    cut = steps()
    next(cut)
    cut.close()
    assert seen == [*expected, (False, "closed")]
