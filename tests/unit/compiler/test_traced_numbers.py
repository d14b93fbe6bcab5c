"""Do messages about numbers of a traced function speak of numbers, not of what stands for them?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithTypeError

NEED_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "dim": lambda x, n: x.sum(n),
    "dims": lambda x, n: x.sum((0, n)),
    "tensor": lambda x, n: x + tri.tensor([n]),
    "tensor with a dtype": lambda x, n: x + tri.tensor([1, n], dtype=tri.float32),
}


@pytest.mark.parametrize("name", NEED_VALUES)
def test_what_needs_a_value_while_tracing(name: str):
    function, x = NEED_VALUES[name], tri.ones(2, 2)
    with pytest.raises(TypeError) as caught:
        tri.trace(function, x, 1)
    text = str(caught.value)
    assert "Proxy" not in text
    assert "write it into the function, or bind it" in text
    compiled: Any = tri.compile(function)
    for number in (1, 1, -1):
        assert compiled(x, number).tolist() == function(x, number).tolist()
    assert compiled.stats().eager_calls == 0


def of_branch(x: Any, *, training: bool = True, scale: float = 2.0) -> Any:
    return x * scale if training else x * (scale * 2)


def of_range(x: Any, count: Any) -> Any:
    for step in range(count):
        x = x + step
    return x


def of_exponent(x: Any, n: Any) -> Any:
    return x**n * n if n > 1 else x**n


def of_index(x: Any, i: Any) -> Any:
    return x[i]


def of_slice(x: Any, i: Any) -> Any:
    return x[:, :i] + 1


def of_shape(x: Any, n: Any) -> Any:
    return x.view(n, -1)


def of_scaled_sum(x: Any, m: Any, n: Any) -> Any:
    return x.sum(m) * n


def of_several(x: Any, m: Any, n: Any) -> Any:
    return x.sum(m) * n + m


def of_word(x: Any, way: str) -> Any:
    return getattr(x, way)()


def of_dtype(x: Any, to: Any) -> Any:
    return x.to(to)


def of_options(x: Any, options: Any) -> Any:
    return x.sum(options[0])


#: Programs that look at numbers, and numbers for calls.
LOOKING: dict[str, tuple[Callable[..., Any], list[dict[str, Any]]]] = {
    "branch": (of_branch, [{}, {"training": False}, {"training": False, "scale": 3.0}]),
    "range": (of_range, [{"count": 2}, {"count": 3}, {"count": 2}]),
    "exponent": (of_exponent, [{"n": n} for n in (2.5, 2, 0.5, 1, True, 2.0)]),
    "index": (of_index, [{"i": 0}, {"i": 1}, {"i": -1}]),
    "slice": (of_slice, [{"i": 1}, {"i": 2}, {"i": -1}]),
    "shape": (of_shape, [{"n": 1}, {"n": 4}]),
    "several": (of_several, [{"m": 0, "n": 2.0}, {"m": 1, "n": 3.0}]),
    "word": (of_word, [{"way": "exp"}, {"way": "sin"}]),
    "dtype": (of_dtype, [{"to": tri.float64}, {"to": tri.int8}]),
    "nested": (of_options, [{"options": [0, "a"]}, {"options": [1]}]),
}


@pytest.mark.parametrize("name", LOOKING)
def test_a_program_that_looks_at_numbers_is_compiled_for_each(name: str):
    function, calls = LOOKING[name]
    compiled: Any = tri.compile(function)
    for rows in (2, 3, 4):  # more sizes than one: plans for all of them, too
        x = tri.arange(rows * 2.0).view(rows, 2)
        if name == "shape":
            x = tri.arange(4.0 * rows).view(2, -1)
        for given in calls:
            found, expected = compiled(x, **given), function(x, **given)
            assert found.dtype is expected.dtype
            assert (found.stride(), found.tolist()) == (expected.stride(), expected.tolist())
    assert compiled.stats().eager_calls == 0
    traces = compiled.stats().traces
    compiled(x, **calls[0])
    assert compiled.stats().traces == traces


def test_a_number_that_nobody_looks_at_stays_an_argument_beside_one_that_is():
    compiled: Any = tri.compile(of_scaled_sum)
    for n in range(5):
        assert compiled(tri.ones(2, 2), 0, n + 0.5).tolist() == [2 * n + 1] * 2
    assert compiled.stats().traces <= 2


def of_sign(x: Any, n: Any) -> Any:
    return x * 2 if math.copysign(1, n) < 0 else x * n


def of_tensor_or_number(x: Any, n: Any) -> Any:
    if n is None:
        return x.exp()
    return x**n if isinstance(n, tri.Tensor) or n < 3 else x


def of_sum_to_a_power(x: Any, m: Any, n: Any) -> Any:
    return x.sum(m) ** n


#: Calls of several kinds in turn, so that those that were seen before come back.
TURNS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "signs and kinds": (of_sign, [(n,) for n in (0.0, -0.0, 1, True, 1.0, False, 0, -1)]),
    "tensors": (of_tensor_or_number, [(n,) for n in (2, tri.tensor(2.0), None, 2.0, 3, 0.5)]),
    "exponents": (
        of_sum_to_a_power,
        [(m, n) for n in (2, 3.5, -1, 2.5, 0.5) for m in (0, 1)],
    ),
}


@pytest.mark.parametrize("name", TURNS)
def test_calls_with_values_that_come_back(name: str):
    function, calls = TURNS[name]
    compiled: Any = tri.compile(function)
    for turn in range(5):
        x = tri.tensor([[1.0, 2.0], [3.0, 4.0]]) + turn
        for given in calls:
            found, expected = compiled(x, *given), function(x, *given)
            assert found.dtype is expected.dtype
            assert found.tolist() == expected.tolist()
    traces = compiled.stats().traces
    for given in calls:
        compiled(tri.ones(2, 2), *given)
    assert compiled.stats().traces == traces


def test_many_values_are_warned_of_once():
    compiled: Any = tri.compile(lambda x, count: x * (count * 2))
    for number in range(8):
        compiled(tri.ones(2), number)
    with pytest.warns(tri.TrilithWarning, match="for each value of 'count', 9 so far"):
        compiled(tri.ones(2), 8)
    for number in range(7, 12):
        assert compiled(tri.ones(2), number).tolist() == [2 * number] * 2


def test_a_write_before_a_number_is_looked_at_happens_once():
    def step(x: Any, n: Any) -> Any:
        x.add_(1)
        return x if n > 1 else x * 2

    compiled: Any = tri.compile(step)
    x = tri.zeros(2)
    assert compiled(x, 2) is x
    assert x.tolist() == [1, 1]
    assert compiled(x, 1).tolist() == [4, 4]
    assert x.tolist() == [2, 2]


def test_in_and_reversed_in_a_compiled_function():
    def has(x: Any) -> Any:
        return x + 1 if 2 in x else x - 1

    with pytest.warns(tri.TrilithWarning, match="cannot read the value of it"):
        assert tri.compile(has)(tri.tensor([1, 2])).tolist() == [2, 3]
    backwards: Any = tri.compile(cast("Any", reversed))
    assert backwards(tri.arange(3)).tolist() == [2, 1, 0]


def test_numbers_that_are_operands_of_a_compiled_function():
    """alpha, the value of pad and a diagonal need no static argument."""

    def scaled_difference(x: Any, g: Any, rate: Any) -> tri.Tensor:
        return tri.sub(x, g, alpha=rate)

    def padded(x: Any, n: Any) -> tri.Tensor:
        return tri.pad(x, (1, 0), value=n)

    def lower_triangle(x: Any, n: Any) -> tri.Tensor:
        return tri.tril(x, n)

    x, matrix = tri.tensor([1.0, 2.0]), tri.ones(2, 2)
    step = tri.compile(scaled_difference)
    assert [step(x, x, rate).tolist() for rate in (0.5, 0.25)] == [[0.5, 1.0], [0.75, 1.5]]
    assert step.stats().traces == 1
    pad = tri.compile(padded)
    assert pad(x, 7).tolist() == [7.0, 1.0, 2.0]
    tril = tri.compile(lower_triangle)
    assert tril(matrix, -1).tolist() == [[0.0, 0.0], [1.0, 0.0]]
    assert tril(matrix, 0).tolist() == [[1.0, 0.0], [1.0, 1.0]]
    assert tril.stats().traces == 1
    with pytest.raises(TypeError, match="must be int, not float"):
        tril(matrix, 1.5)


#: What Python asks a number for, some of it in words of its own.
SWALLOWED: dict[str, Callable[[Any], Any]] = {
    "format": lambda x: "%d" % x,  # noqa: UP031 - this is what is asked about
    "round": round,
    "round to digits": lambda x: round(x, 1),
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
}


@pytest.mark.parametrize("name", SWALLOWED)
def test_what_python_asks_of_a_number_is_refused_in_words(name: str):
    ask = SWALLOWED[name]
    with pytest.raises(TypeError, match="has no value while its function is traced") as caught:
        tri.trace(lambda x: ask(x.sum()), tri.ones(2))
    assert "hint: keep it a tensor" in str(caught.value)
    if name != "format":
        assert tri.compile(lambda x, n: x + ask(n))(tri.ones(2), 2.0).tolist() == [3, 3]
    with pytest.raises(TypeError, match=r"bind it with functools\.partial"):
        tri.trace(lambda x, n: x + ask(n), tri.ones(2), 2.0)


def test_an_error_that_a_function_raises_for_a_refusal_is_its_own():
    def convert(x: Any) -> Any:
        try:
            return int(x.sum())
        except TypeError:
            raise TypeError("no number") from None

    with pytest.raises(TypeError, match="no number"):
        tri.compile(convert)(tri.ones(2))


def test_errors_of_python_call_tensors_by_their_name():
    with pytest.raises(TypeError, match="'object' and 'Tensor'"):
        tri.compile(lambda x: sorted([x.sum(), cast("Any", object())]))(tri.ones(2))


def test_the_type_of_a_traced_tensor_makes_tensors():
    made = tri.compile(lambda x: x + cast("Any", type(x))([1.0, 2.0]))(tri.ones(2))
    assert made.tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [tri.float32, tri.int64, tri.complex64, tri.bool])
def test_a_tensor_of_traced_tensors_is_a_stack(dtype: Any):
    makers: list[Callable[[Any], Any]] = [
        lambda x: tri.tensor([x.sum().to(dtype), x.sum().to(dtype)]),
        lambda x: x + tri.tensor([tri.tensor(0, dtype=dtype), 1]),
        lambda x: x.new_tensor([x[0]], dtype=tri.float64),
    ]
    for make in makers:
        with pytest.raises(
            TypeError, match=r"hint: tri.stack\(\[...\]\) makes a tensor of tensors"
        ):
            tri.trace(make, tri.ones(2))


def test_the_trace_of_a_matrix_is_no_trace_of_a_function():
    trace: Any = tri.trace
    assert trace(tri.eye(3)).item() == 3
    with pytest.raises(TrilithTypeError, match="of a tensor takes no other argument"):
        trace(tri.eye(3), 1)
    with pytest.raises(TrilithTypeError, match="takes a function, not int"):
        trace(3)


def test_the_bool_of_numpy_is_a_float_number():
    """As in PyTorch, where it is no bool of Python's and is asked for a float."""
    x: Any = tri.arange(3)
    true: Any = np.bool_(True)
    product = tri.compile(lambda x, n: x * n)
    for found in (x * true, true * x, tri.mul(x, true), product(x, true)):
        assert (found.dtype, found.tolist()) == (tri.float32, [0, 1, 2])
    assert (x - true).tolist() == [-1, 0, 1]
    assert (tri.full((1,), true).dtype, tri.tensor(true).dtype) == (tri.float32, tri.bool)
    assert tri.result_type(x, true) is tri.float32
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output"):
        x.mul_(true)
    x[0] = true
    assert x.tolist() == [1, 1, 2]
