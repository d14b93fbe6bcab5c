"""Sizes that have names: what is traced for them is for all sizes that pass the guards."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.driver import Traced
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.passes.tensors.specialize import SpecializePass


def _signature(traced: Traced) -> str:
    return str(traced).splitlines()[1].strip()


def test_dims_are_symbols_of_the_ir():
    batch = tri.dim("batch")
    traced = tri.trace(lambda x, w: x @ w, tri.spec((batch, 3)), tri.spec((3, tri.dim("out"))))
    assert _signature(traced) == (
        "func.func @lambda(%x: !tri.tensor<(batch)x3xf32>, %w: !tri.tensor<3x(out)xf32>) -> "
        "!tri.tensor<(batch)x(out)xf32> attributes {tri.symbols = #tri.symbols<batch = 40, "
        "out = 44>, tri.guards = #tri.guards<[]>} {"
    )
    assert traced.guards == ()


def test_one_name_is_one_size():
    batch = tri.dim("batch")
    traced = tri.trace(lambda x, y: x + y, tri.spec((batch, 3)), tri.spec((tri.dim("batch"), 1)))
    assert traced.guards == ()
    with pytest.raises(ValueError, match="two dims 'batch' with different ranges"):
        tri.trace(lambda x, y: x + y, tri.spec((batch,)), tri.spec((tri.dim("batch", max=9),)))


def test_two_names_are_two_sizes():
    with pytest.raises(RuntimeError, match=r"size of tensor a \(40\) must match .* b \(44\)"):
        tri.trace(lambda x, y: x + y, tri.spec((tri.dim("a"),)), tri.spec((tri.dim("b"),)))


def test_sizes_are_expressions_of_dims():
    half = tri.dim("half")
    spec = tri.spec((2 * half + 1, (half - 1) // 2, 3 - (1 - half)))
    assert repr(spec) == "spec((2*half + 1, (half - 1) floordiv 2, half + 2), trilith.float32)"
    traced = tri.trace(lambda x, y: tri.cat([x, y]), tri.spec((half,)), tri.spec((2 * half,)))
    assert "!tri.tensor<(3*half)xf32>" in _signature(traced)


def test_a_question_of_the_program_is_a_guard_with_its_line():
    def chosen(x: Any) -> Any:
        if x.shape[0] > 8:
            return x[: x.shape[0] // 2]
        return x

    traced = tri.trace(chosen, tri.spec((tri.dim("n", max=1000),)))
    assert [str(guard) for guard in traced.guards] == ["1000 >= n", "n > 8"]
    declared, asked = traced.guards
    assert declared.location is None
    assert asked.location is not None
    first = inspect.getsourcelines(chosen)[1]
    assert (asked.location.file, asked.location.line) == (__file__, first + 1)


def test_who_asks_for_the_number_has_a_function_for_it():
    def unrolled(x: Any) -> Any:
        return sum(x[row] for row in range(x.shape[0]))

    traced = tri.trace(unrolled, tri.spec((tri.dim("n"), 3)))
    assert [str(guard) for guard in traced.guards] == ["n == 40"]


def test_a_range_decides_questions():
    def asks(x: Any) -> Any:
        return x[8:] if x.shape[0] > 8 else x

    traced = tri.trace(asks, tri.spec((tri.dim("n", min=10),)))
    assert [str(guard) for guard in traced.guards] == ["n > 9"]
    traced = tri.trace(asks, tri.spec((tri.dim("n", max=8),)))
    assert [str(guard) for guard in traced.guards] == ["8 >= n"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tri.dim("a b"), "a dim's name is an identifier, which 'a b' is not"),
        (lambda: tri.dim("mod"), "a dim's name is an identifier, which 'mod' is not"),
        (lambda: tri.dim("n", min=3, max=2), "no size is at least 3 and at most 2"),
        (
            lambda: tri.dim("n", max=2**63),
            "no size is more than 9223372036854775807: max is 9223372036854775808",
        ),
        (lambda: tri.dim("n", min=-1), "no size is negative: min is -1"),
        (lambda: tri.dim("n", max=1), "the dim 'n' is at most 1, and so no symbol"),
        (lambda: tri.dim("n") // 0, "n is divided by 0"),
        (lambda: tri.spec((tri.dim("n"), 2.5)), "a size is an integer or a dim, not float"),  # pyright: ignore
    ],
)
def test_refusals(make: Callable[[], Any], words: str):
    with pytest.raises((ValueError, TypeError)) as caught:
        make()
    assert caught.value.message == words  # pyright: ignore


def test_static_shapes_are_numbers():
    x = tri.ones(4, 5)
    assert "symbols" not in str(tri.trace(lambda x: x + 1, x))
    opened = tri.trace(lambda x, y: x + y, x, x, static_shapes=False)
    assert "%x: !tri.tensor<(n0)x(n1)xf32>, %y: !tri.tensor<(n0)x(n1)xf32>" in str(opened)
    assert {str(guard) for guard in opened.guards} == {"n2 == n0", "n3 == n1"}
    with pytest.raises(ValueError, match="static_shapes=True with sizes that are dims: n"):
        tri.trace(lambda x: x, tri.spec((tri.dim("n"),)), static_shapes=True)


def test_a_number_of_2_that_is_learned_is_a_number():
    """A symbol that an earlier trace found to be a number is that number, not an expression."""
    traced = tri.trace(lambda x: x.reshape(3, -1), tri.ones(3, 4, 2), static_shapes=False)
    assert all(type(size) is not int or size > 1 for size in traced.env.hints.values())  # pyright: ignore
    assert "(3)" not in str(traced)


def test_a_compiled_function_of_static_shapes_has_a_plan_for_each_size():
    @tri.compile(static_shapes=True)
    def f(x: tri.Tensor) -> tri.Tensor:
        return x * x.shape[0]

    for size in range(2, 7):
        assert f(tri.ones(size)).tolist() == [size] * size
    assert f.stats().traces == f.stats().plans == 5
    g = tri.compile(lambda x: x + 1, static_shapes=True)  # pyright: ignore
    for size in range(2, 5):
        g(tri.ones(size))
    assert g.stats().plans == 3


@pytest.mark.parametrize("n", [2, 4, 9, 40])
def test_numbers_for_dims_give_the_function_of_these_sizes(n: int):
    def f(x: Any) -> Any:
        return (x - x.sum(0) / x.shape[0])[1:].exp()

    traced = tri.trace(f, tri.spec((tri.dim("n"), 3)))
    x = np.linspace(-1, 1, 3 * n, dtype=np.float32).reshape(n, 3)
    if n == 2:
        # A slice of one row is structure.
        with pytest.raises(ValueError, match="n = 2 does not pass the guard n > 2"):
            SpecializePass((("n", n),)).apply(None, traced.module)  # pyright: ignore
        return
    SpecializePass((("n", n),)).apply(None, traced.module)  # pyright: ignore
    (found,) = interpret_function(traced.module, [x])
    expected = np.exp((x - x.sum(0) / n)[1:])
    np.testing.assert_allclose(found, expected, rtol=1e-5)
