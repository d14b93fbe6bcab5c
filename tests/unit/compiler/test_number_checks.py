"""A number that is an argument of a compiled function is refused where a number of eager's is."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

NUMBERS: tuple[Any, ...] = (
    *(True, 1, 1.0, 2, 2.0, 3, 0, -1, -1.0, -2.0, -0.0, 0.5, -0.5, 2.5, 300, 300.0, -300),
    *(2**33, 1e39, float("inf"), float("nan"), 1j, 2 + 0j, np.float32(2), np.int64(-1)),
)


def _set_first(x: Any, y: Any, n: Any) -> Any:
    x = x.clone()
    x[0] = n
    return x


def _set_at(x: Any, y: Any, n: Any) -> Any:
    x = x.clone()
    x[tri.tensor([0, 1])] = n
    return x


def _zeros(x: Any) -> Any:
    return (x * 0).to(tri.int64)


CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda x, y, n: x + n,
    "add alpha": lambda x, y, n: x.add(y, alpha=n),
    "sub alpha": lambda x, y, n: x.sub(y, alpha=n),
    "rsub alpha": lambda x, y, n: tri.rsub(x, y, alpha=n),
    "add_ alpha": lambda x, y, n: x.clone().add_(y, alpha=n),
    "power": lambda x, y, n: x**n,
    "pow_": lambda x, y, n: x.clone().pow_(n),
    "power of two": lambda x, y, n: (x + n) ** n * n,
    "of base": lambda x, y, n: n**x,
    "fill_": lambda x, y, n: x.clone().fill_(n),
    "clamp": lambda x, y, n: x.clamp(n),
    "clamp max": lambda x, y, n: x.clamp(max=n),
    "clamp both": lambda x, y, n: x.clamp(n, n),
    "where": lambda x, y, n: tri.where(x == x, x, n),
    "masked_fill": lambda x, y, n: x.masked_fill(x == x, n),
    "masked_fill_": lambda x, y, n: x.clone().masked_fill_(x == x, n),
    "index_fill": lambda x, y, n: x.index_fill(0, tri.tensor([0]), n),
    "scatter": lambda x, y, n: x.scatter(0, _zeros(x), n),
    "pad": lambda x, y, n: tri.pad(x, (1, 1), value=n),
    "full_like": lambda x, y, n: tri.full_like(x, n),
    "full_like uint8": lambda x, y, n: tri.full_like(x, n, dtype=tri.uint8),
    "full int8": lambda x, y, n: tri.full((2,), n, dtype=tri.int8) + x.sum().to(tri.int8),
    "set": _set_first,
    "set at": _set_at,
    "twice": lambda x, y, n: x.add(y, alpha=n).masked_fill(x == x, n),
}


def outcome(call: Callable[[], Any]) -> tuple[Any, ...]:
    """Return what tells one outcome from another: the bits of a tensor, or an error."""
    try:
        result = call()
    except tri.TrilithError as error:
        return type(error).__name__, error.message
    return str(result.dtype), tuple(result.stride()), result.numpy().tobytes()


@pytest.mark.parametrize("dtype", [tri.float32, tri.int32, tri.float16, tri.uint8], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_compiled_takes_and_refuses_numbers_as_eager_does(name: str, dtype: Any) -> None:
    """The same bits or the same error, whatever number comes after which."""
    call = CALLS[name]
    x = tri.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
    y = tri.tensor([[1, 2, 3], [1, 2, 3]]).to(dtype)
    compiled = tri.compile(call)
    for number in (*NUMBERS, *reversed(NUMBERS)):
        expected = outcome(lambda n=number: call(x, y, n))
        assert outcome(lambda n=number: compiled(x, y, n)) == expected, number


def test_a_refused_number_has_the_line_of_the_operation() -> None:
    """The check runs when the plan is called, but names the line that asks for it."""

    @tri.compile
    def scaled(x: Any, n: Any) -> tri.Tensor:
        y = x * 2
        return y.add(x, alpha=n)  # here

    x = tri.tensor([1, 2], dtype=tri.int32)
    assert scaled(x, 3).tolist() == [5, 10]
    with pytest.raises(RuntimeError, match="# here"):
        scaled(x, 2**33)
    assert scaled(x, 4).tolist() == [6, 12]
    assert scaled.stats().traces == 1


def test_checks_of_a_plan_pickle() -> None:
    """A compiled plan that went through a pickle refuses what it refused before."""
    spec = tri.spec((2,), tri.uint8)
    plan = tri.trace(lambda x, n: x.masked_fill(x == x, n), spec, 1).lower().compile()
    again = pickle.loads(pickle.dumps(plan))
    x = tri.tensor([1, 2], dtype=tri.uint8)
    for one in (plan, again):
        assert one(x, 7).tolist() == [7, 7]
        with pytest.raises(RuntimeError, match="value cannot be converted to type uint8_t"):
            one(x, 300)


def test_plans_for_special_exponents_alone() -> None:
    """Exponents share a plan but for those that have formulas of their own."""
    power = tri.compile(lambda x, n: x**n)
    x = tri.tensor([1.0, 2.0, 3.0])
    for exponent in (2.5, 3.5, 4.5, 0.1):
        power(x, exponent)
    assert power.stats().traces == 1
    for exponent in (0.5, 2.0, 0.5, 2.0):
        power(x, exponent)
    assert power.stats().traces == 3


def test_rows_beside_the_exponent_know_its_value_not() -> None:
    """Which number it is among several is told by identity: comparing them would need values."""
    power = tri.compile(lambda x, a, b: (x * a) ** b)
    x = tri.tensor([1.0, 2.0])
    assert power(x, 2.0, 0.5).tolist() == ((x * 2.0) ** 0.5).tolist()
    assert power(x, 3.0, 2).tolist() == [9.0, 36.0]
