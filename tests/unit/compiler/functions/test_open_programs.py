"""Compiled functions: one plan for all sizes gives what running step by step gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri


def _softmax(x: Any) -> Any:
    e = tri.exp(x - x.amax(1, True))
    return e / e.sum(1, True)


def _windows(x: Any) -> Any:
    count = x.shape[0]
    if count < 8:
        return x * 0
    return x[2:count] - 2 * x[1 : count - 1] + x[: count - 2]


def _halves(x: Any) -> Any:
    middle = x.shape[0] // 2
    return x[:middle] + x[-middle:] if middle else x


def _unrolled(x: Any) -> Any:
    total = x[0] * 0
    for row in range(x.shape[0]):
        total = total + x[row]
    return total


def _asks(x: Any) -> Any:
    rows, columns = x.shape
    assert isinstance(rows, int)
    return x.t() if rows > columns else x.reshape(rows * columns)


#: Of a matrix.
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "elementwise": lambda x: tri.tanh(x * 2 + 0.5),
    "softmax": _softmax,
    "windows": _windows,
    "halves": _halves,
    "unrolled": _unrolled,
    "asks": _asks,
    "a size as a number": lambda x: x - x.sum() / x.shape[0],
    "a size among numbers": lambda x: x * x.shape[0] + x.shape[0] * x.shape[1],
    "a size as a power": lambda x: x ** x.shape[0],
    "a size returned": lambda x: (x + 1, x.shape[0]),
    "sizes returned": lambda x: {"shape": x.shape, "value": x.sum(0)},
    "a root of a size": lambda x: x / math.sqrt(x.shape[1]),
    "a size as a name": lambda x: x + len(f"{x.shape[0]}"),
    "an array of a size": lambda x: x + tri.from_numpy(np.ones(x.shape[1], np.float32)),
    "numel": lambda x: x.sum() / x.numel(),
    "views": lambda x: (x[1:], x.t(), x[:, 0]),
    "itself": lambda x: (x, x + 1),
    "twice": lambda x: (y := x + 1, y),
    "zeros": lambda x: tri.zeros(x.shape[0], x.shape[1]) + x,
    "written inside": lambda x: _write_inside(x),
    "gram": lambda x: x.t() @ x,
    "scan": lambda x: x.cumsum(1),
    "extremes": lambda x: x.max(1),
    "joined": lambda x: tri.cat([x, x[:1]]),
}


def _write_inside(x: Any) -> Any:
    y = x.clone()
    y[1:] += 1
    return y


def _described(found: Any) -> Any:
    if isinstance(found, tri.Tensor):
        place = (found.storage_offset(), found.stride(), found.dtype)
        return tuple(found.shape), place, found.clone().numpy().tobytes()
    if isinstance(found, tri.Size):
        return tuple(found)
    if isinstance(found, dict):
        return _described(tuple(cast("dict[str, Any]", found).values()))
    if isinstance(found, tuple):
        return [_described(item) for item in cast("tuple[Any, ...]", found)]
    assert type(found) in (int, float)
    return found


def _outcome(function: Callable[[Any], Any], rows: int, columns: int) -> Any:
    x = tri.from_numpy(np.sin(np.arange(rows * columns, dtype=np.float32)).reshape(rows, columns))
    try:
        return _described(function(x))
    except Exception as error:
        return type(error)


@pytest.mark.filterwarnings("ignore:.* runs step by step")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_any_sizes(name: str) -> None:
    function = FUNCTIONS[name]
    compiled = tri.compile(function)
    sizes = [(3, 4), (5, 6), (6, 5), (9, 9), (1, 7), (2, 2), (0, 3), (12, 3), (8, 1), (7, 20)]
    alone_by_size = {size: _outcome(tri.compile(function), *size) for size in sizes}
    for rows, columns in sizes * 20:
        alone = alone_by_size[rows, columns]
        assert _outcome(compiled, rows, columns) == alone, (rows, columns)


def test_many_sizes_make_few_plans() -> None:
    compiled = tri.compile(_softmax)
    for rows in range(2, 1002):
        compiled(tri.ones(rows, 3))
    stats = compiled.stats()
    assert stats.traces <= 4
    assert stats.plans <= 2
    assert stats.kernels_compiled <= 8


def test_a_size_as_a_number_compiles_nothing_new() -> None:
    compiled = tri.compile(FUNCTIONS["a size as a number"])
    for size in (5, 6, 7):
        compiled(tri.ones(size))
    before = compiled.stats().kernels_compiled
    for size in range(8, 40):
        assert compiled(tri.ones(size)).abs().max().item() == 0.0
    assert compiled.stats().kernels_compiled == before


def test_sizes_as_numbers_beside_numbers_in_plans_for_sizes_that_come_often() -> None:
    compiled = tri.compile(lambda x, a, b: x * a + x * b * x.shape[0] + x.shape[0])
    for _ in range(40):
        for size in (4, 5, 6):
            found = compiled(tri.ones(size), 2.5, 0.5)
            assert found.tolist() == [2.5 + 1.5 * size] * size
    assert compiled.stats().traces == 2


@pytest.mark.usefixtures("python_calls")
def test_sizes_that_come_often_get_a_plan_that_is_found_sooner() -> None:
    compiled = tri.compile(lambda x: x * 2)
    for _ in range(40):
        for size in (4, 5, 6):
            assert compiled(tri.ones(size)).tolist() == [2.0] * size
    assert compiled.stats().traces == 2
    assert compiled.stats().plans == 4


def test_arguments_by_name_in_containers_and_numbers() -> None:
    def combined(parts: Any, *, scale: Any) -> dict[str, Any]:
        return {"sum": parts[0] * scale + parts[1]["y"]}

    compiled = tri.compile(combined)
    for size in (3, 4, 5, 6):
        x = tri.ones(size)
        found = compiled([x, {"y": x + 1}], scale=2.5)
        assert found["sum"].tolist() == [4.5] * size
    assert compiled.stats().traces == 2


def test_static_arguments_have_plans_of_their_own() -> None:
    compiled = tri.compile(lambda x, n: x[:n] * n, static_argnames="n")
    for size in (5, 6, 7):
        for count in (2, 3):
            assert compiled(tri.ones(size), count).tolist() == [float(count)] * count


def _bump(x: Any, y: Any) -> Any:
    x[1:] += y[1:]
    return x.sum()


def test_what_writes_to_its_arguments() -> None:
    compiled = tri.compile(_bump)
    for size in range(4, 30):
        x, y = tri.zeros(size), tri.ones(size)
        version = x._version  # pyright: ignore[reportPrivateUsage]
        assert compiled(x, y).item() == size - 1
        assert x.tolist() == [0.0] + [1.0] * (size - 1)
        assert x._version > version  # pyright: ignore[reportPrivateUsage]
    assert compiled.stats().traces == 2


@pytest.mark.filterwarnings("ignore:.* runs step by step")
def test_arguments_that_are_one_tensor_or_parts_of_one() -> None:
    compiled = tri.compile(_bump)
    for size in range(4, 20):
        compiled(tri.zeros(size), tri.ones(size))
        x, whole = tri.ones(size), tri.ones(size + 1)
        assert compiled(x, x).item() == 2 * size - 1
        with pytest.raises(RuntimeError, match="single memory location"):
            compiled(whole[1:], whole[:-1])
        assert whole.tolist() == [1.0] * (size + 1)


def test_arrays_are_written() -> None:
    compiled = tri.compile(_bump)
    for size in range(4, 10):
        x = np.zeros(size, np.float32)
        compiled(x, np.ones(size, np.float32))
        assert x.tolist() == [0.0] + [1.0] * (size - 1)


def test_captured_tensors_are_read_as_they_are() -> None:
    weights = tri.ones(1)
    compiled = tri.compile(lambda x: x * weights)
    for size in range(3, 9):
        assert compiled(tri.ones(size)).tolist() == [1.0] * size
    assert compiled.stats().traces == 2
    weights.fill_(3)
    assert compiled(tri.ones(20)).tolist() == [3.0] * 20
    weights.resize_(2).fill_(5)
    assert compiled(tri.ones(2)).tolist() == [5.0] * 2
    assert compiled(tri.ones(1)).tolist() == [5.0] * 2


def test_memory_that_is_read_only_is_refused() -> None:
    compiled = tri.compile(_bump)
    for size in range(4, 8):
        compiled(tri.zeros(size), tri.ones(size))
    array = np.zeros(9, np.float32)
    array.flags.writeable = False
    with pytest.raises(RuntimeError, match="read-only"):
        compiled(tri.from_numpy(array), tri.ones(9))


def test_numbers_that_are_looked_at_have_plans_for_all_sizes() -> None:
    power = tri.compile(lambda x, n: x**n + 1)
    for size in range(3, 60):
        for n in (2, 3, 0.5, -1.0, 2.5):
            x = tri.arange(1.0, size + 1.0)
            assert power(x, n).tolist() == (x**n + 1).tolist()
    stats = power.stats()
    assert stats.calls == 57 * 5
    # Each special value has plans of its own, at most two for single sizes and one for all.
    assert stats.traces <= 5 * 3


def test_numbers_are_refused_at_every_size() -> None:
    fill = tri.compile(lambda x, n: x.masked_fill(x > 0, n))
    power = tri.compile(lambda x, n: x**n if x.shape[0] > 8 else x * n)
    for size in (4, 5, 1, 0, 12, 13, 6, 14):
        x = tri.ones(size, dtype=tri.uint8)
        assert fill(x, 7).tolist() == [7] * size
        with pytest.raises(RuntimeError, match="cannot be converted to type uint8_t") as caught:
            fill(x, 300)
        assert "in <lambda>" in str(caught.value)
        y = tri.ones(size, dtype=tri.int32) * 2
        assert power(y, 3).tolist() == [8 if size > 8 else 6] * size
        if size > 8:
            with pytest.raises(RuntimeError, match="negative integer powers"):
                power(y, -1)
        else:
            # Another plan asks something of the number, this one does not.
            assert power(y, -1).tolist() == [-2] * size
    assert fill.stats().traces <= 5
