"""A call that was seen before runs as if it had not been, whatever numbers came in between."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.plan_table import TableStats
from trilith.compiler.short_keys import short_key_of_row
from trilith.dialects.attributes.settings import PROCESS
from trilith.dialects.ops.table import TABLE

NAN = float("nan")
NUMBERS: tuple[Any, ...] = (
    *(True, 1, 1.0, 2, 2.0, 0, -1, -1.0, 0.0, -0.0, 0.5, 2.5, 3.5, 300, 300.0, 2**40, 2**70),
    *(1e39, float("inf"), NAN, 1j, 1 + 0j, np.float32(1), np.int64(2), np.float64(2.5)),
)
CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda x, y, n: x + n,
    "add alpha": lambda x, y, n: x.add(y, alpha=n),
    "sub alpha": lambda x, y, n: x.sub(y, alpha=n),
    "sub other": lambda x, y, n: x.sub(other=n),
    "add_": lambda x, y, n: x.clone().add_(n),
    "add_ alpha": lambda x, y, n: x.clone().add_(y, alpha=n),
    "rsub": lambda x, y, n: tri.rsub(x, y, alpha=n),
    "pow": lambda x, y, n: x**n,
    "pow_": lambda x, y, n: x.clone().pow_(n),
    "of base": lambda x, y, n: n**x,
    "fill_": lambda x, y, n: x.clone().fill_(n),
    "clamp": lambda x, y, n: x.clamp(n),
    "clamp max, min": lambda x, y, n: x.clamp(max=n, min=1),
    "clamp min, max": lambda x, y, n: x.clamp(min=1, max=n),
    "where": lambda x, y, n: tri.where(x == x, x, n),
    "masked_fill": lambda x, y, n: x.masked_fill(x == x, n),
    "pad": lambda x, y, n: tri.pad(x, (1, 1), value=n),
    "full_like": lambda x, y, n: tri.full_like(x, n),
    "full_like uint8": lambda x, y, n: tri.full_like(x, n, dtype=tri.uint8),
    "full": lambda x, y, n: tri.full((2,), n),
    "full int8": lambda x, y, n: tri.full((2,), n, dtype=tri.int8),
    "tril": lambda x, y, n: x.tril(n),
    "sum": lambda x, y, n: x.sum(n),
}


def outcome(call: Callable[[], Any]) -> tuple[Any, ...]:
    """Return what tells one outcome from another: the bits of a tensor, or an error."""
    try:
        result = call()
    except tri.TrilithError as error:
        return type(error).__name__, str(error).partition("\n")[0]
    return str(result.dtype), tuple(result.stride()), result.numpy().tobytes()


#: One of each call, in turns: making the plans of a case anew takes a moment.
DTYPES = (tri.float32, tri.int32, tri.uint8, tri.float16)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, DTYPES[place % len(DTYPES)]) for place, name in enumerate(CALLS)],
    ids=str,
)
def test_numbers_of_all_kinds_in_turns(name: str, dtype: Any) -> None:
    """No number takes the plan, or passes the check, of another one."""
    call = CALLS[name]
    x = tri.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
    y = tri.tensor([[1, 2, 3], [1, 2, 3]]).to(dtype)
    expected: list[Any] = []
    for number in NUMBERS:
        with no_plans():
            expected.append(outcome(lambda n=number: call(x, y, n)))
    order = [*range(len(NUMBERS))] * 3
    random.Random(name).shuffle(order)
    with no_plans():
        for place in order:
            got = outcome(lambda n=NUMBERS[place]: call(x, y, n))
            assert got == expected[place], NUMBERS[place]


def test_keywords_in_any_order() -> None:
    """A plan takes its numbers in one order, calls give them in any."""
    x = tri.tensor([0.0, 1.0, 2.0, 3.0])
    for low, high in itertools.product((0.5, 1.0, 1.5), (1.5, 2.0)):
        expected = [min(max(v, low), high) for v in (0.0, 1.0, 2.0, 3.0)]
        assert x.clamp(min=low, max=high).tolist() == expected
        assert x.clamp(max=high, min=low).tolist() == expected
        assert tri.clamp(max=high, input=x, min=low).tolist() == expected
    assert tri.sub(other=x, input=x + 1).tolist() == [1.0] * 4
    assert tri.sub(input=x + 1, other=x).tolist() == [1.0] * 4
    assert tri.sub(alpha=2, other=x, input=x).tolist() == [0.0, -1.0, -2.0, -3.0]


def test_numbers_of_a_kind_share_a_key() -> None:
    """Another number of the same kind needs no binding: a schedule of rates stays quick."""
    x = tri.ones(3)

    def key(name: str, *arguments: Any, **keywords: Any) -> Any:
        return short_key_of_row(TABLE[name], arguments, keywords, [PROCESS.settings])[0]

    assert key("add", x, x, alpha=0.1) == key("add", x, x, alpha=0.2)
    assert key("add", x, x, alpha=2) != key("add", x, x, alpha=2.0)
    assert key("add", x, x, alpha=1) != key("add", x, x, alpha=2)  # 1 is left out
    assert key("pow", x, 2.5) == key("pow", x, 3.5) != key("pow", x, 0.5)
    assert key("pow", x, 4) != key("pow", x, 5)
    assert key("tril", x, 1) == key("tril", x, -1) != key("tril", x, 0)
    assert key("add", x, True) is key("add", x, 2**63) is key("add", x, 1j) is None
    assert key("full", (2,), 1.0) == key("full", (2,), 2.0) != key("full", (2,), 1e39)


def test_in_place_of_one_memory() -> None:
    """What shares memory with the target is not taken for what lies apart from it."""
    x = tri.arange(6.0)
    assert x.add_(tri.ones(6), alpha=2).tolist() == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert x.add_(x, alpha=2).tolist() == [6.0, 9.0, 12.0, 15.0, 18.0, 21.0]
    with pytest.raises(RuntimeError, match="unsupported operation"):
        x[1:].add_(x[:-1], alpha=2)
    version = x.untyped_storage().version
    x.add_(1.5)
    assert x.untyped_storage().version == version + 1


def test_compiled_with_numbers_of_all_kinds_in_turns() -> None:
    """A compiled function tells static numbers by value, others by kind."""
    free = tri.compile(lambda x, n: x * n + n)
    static = tri.compile(lambda x, n: x * n + n, static_argnames="n")
    x, y = tri.tensor([1, 2]), tri.tensor([1.0, 2.0])
    numbers = (True, 1, 1.0, 2, 2.5, -0.0, 0.0, 0, NAN, 1j, np.float32(2))
    for number in (*numbers, *reversed(numbers)):
        for tensor in (x, y):
            expected = outcome(lambda n=number, t=tensor: t * n + n)
            assert outcome(lambda n=number, t=tensor: free(t, n)) == expected
            assert outcome(lambda n=number, t=tensor: static(t, n)) == expected
            assert outcome(lambda n=number, t=tensor: static(t, n=n)) == expected
    with pytest.raises(OverflowError):
        free(x, 2**63)


@pytest.mark.filterwarnings("ignore:add.. runs step by step")
def test_compiled_that_writes_in_turns() -> None:
    """The plan for arguments of their own memory is not taken for arguments that share one."""

    def add(x: Any, y: Any, n: Any) -> tri.Tensor:
        x.add_(y)
        return y * n

    compiled = tri.compile(add)
    for _ in range(3):
        for number in (2, 2.5):
            x, y = tri.tensor([1.0, 2.0]), tri.tensor([3.0, 4.0])
            assert compiled(x, y, number).tolist() == [3 * number, 4 * number]
            assert x.tolist() == [4.0, 6.0]
            assert compiled(x, x, number).tolist() == [8 * number, 12 * number]
            assert x.tolist() == [8.0, 12.0]
            whole = tri.ones(3)
            with pytest.raises(RuntimeError, match="unsupported operation"):
                compiled(whole[:2], whole[1:], number)


def test_a_function_says_what_it_remembers() -> None:
    """Calls that a short key finds are not looked for in the table."""
    scale = tri.compile(lambda x, n: x * n)
    x = tri.ones(2)
    for number in (1.5, 2.5, 3.5, 2):
        scale(x, number)
    scale(x, n=1.5)
    scale(x, n=1.5)
    assert scale.stats().table == TableStats(plans=3, shortcuts=3, hits=0, misses=3, evictions=0)
    assert (scale.stats().calls, scale.stats().traces) == (6, 3)
