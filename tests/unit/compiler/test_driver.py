"""The stages: trace, lower, compile; arguments of every structure; what is compiled when."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import trilith as tri


@dataclasses.dataclass(frozen=True)
class Pair:
    first: Any
    second: Any


class Point(NamedTuple):
    x: Any
    y: Any


def ones(*shape: int) -> tri.Tensor:
    return tri.from_numpy(np.ones(shape, "f4"))


def test_stages_show_every_level() -> None:
    lowered = tri.trace(lambda x, y: tri.exp(x) + y, tri.spec((4, 3)), ones(3)).lower()
    assert "tri.exp" in lowered.as_text("tri")
    assert "kernel.map" in lowered.as_text("kernel")
    assert "kernel.for" in lowered.as_text("scheduled")
    assert "define void" in lowered.as_text("llvm")
    assert "retq" in lowered.as_text("asm") or "ret" in lowered.as_text("asm")
    with pytest.raises(ValueError, match="there is no level 'ptx'"):
        lowered.as_text("ptx")
    result = lowered.compile()(ones(4, 3), ones(3))
    np.testing.assert_allclose(result.numpy(), np.full((4, 3), np.e + 1), rtol=1e-6)


def test_arguments_and_results_of_every_structure() -> None:
    @tri.compile
    def f(a: Any, *, options: Any) -> Any:
        first, (second, third) = a
        return {
            "sum": first + second,
            "pair": Pair(second * options["scale"], [third]),
            "point": Point(first - 1, None),
            "number": 3,
        }

    result = f((ones(2), [ones(2), ones(3)]), options={"scale": 2.5})
    assert sorted(result) == ["number", "pair", "point", "sum"]
    assert result["sum"].tolist() == [2, 2]
    assert result["pair"].first.tolist() == [2.5, 2.5]
    assert result["pair"].second[0].tolist() == [1, 1, 1]
    assert result["point"].y is None
    assert result["number"] == 3
    assert f.stats().traces == 1
    f((ones(2), [ones(2), ones(3)]), options={"scale": 7.5})
    assert f.stats().traces == 1, "the value of a number is no part of the key"


def test_static_arguments_are_values_of_the_trace() -> None:
    @tri.compile(static_argnames=("n", "mode"))
    def f(x: Any, n: int, mode: str = "sum") -> Any:
        for _ in range(n):
            x = x * 2
        return x.sum() if mode == "sum" else x

    assert f(ones(3), 2).item() == 12
    assert f(ones(3), n=3, mode="all").tolist() == [8, 8, 8]
    assert f.stats().traces == 2
    with pytest.raises(TypeError, match="static argument 'mode' must be hashable"):
        f(ones(3), 1, [1])  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="static_argnames names"):
        tri.compile(lambda x: x, static_argnames="y")


def test_tensors_of_the_enclosing_program_are_captured() -> None:
    weight = ones(3) * 5
    f = tri.compile(lambda x: x + weight)
    assert f(ones(3)).tolist() == [6, 6, 6]
    assert f(ones(2, 3)).tolist() == [[6, 6, 6]] * 2


def test_numbers_stay_weak() -> None:
    f = tri.compile(lambda x, s: x * s)
    assert f(tri.tensor([1, 2], dtype=tri.int16), 3).dtype is tri.int16
    assert f(tri.tensor([1, 2], dtype=tri.float16), 3.5).dtype is tri.float16
    assert f(tri.tensor([1, 2]), 2.5).dtype is tri.float32
    assert f(tri.tensor([1, 2], dtype=tri.uint8), 300).tolist() == [44, 88]


def test_a_new_size_compiles_nothing() -> None:
    f = tri.compile(lambda x, y: (tri.exp(x) * y).sum(1))
    f(ones(4, 5), ones(4, 5))
    first = f.stats()
    for rows, columns in ((6, 7), (100, 3), (2, 2)):
        result = f(ones(rows, columns), ones(rows, columns))
        np.testing.assert_allclose(result.numpy(), np.full(rows, np.e * columns), rtol=1e-5)
    last = f.stats()
    assert last.traces == first.traces + 1
    assert last.kernels_compiled == first.kernels_compiled


def test_arrays_of_other_libraries_are_taken() -> None:
    f = tri.compile(lambda x: x + 1)
    array = np.arange(6, dtype="i4").reshape(2, 3)
    np.testing.assert_array_equal(f(array).numpy(), array + 1)
    np.testing.assert_array_equal(f(array[:, ::2]).numpy(), array[:, ::2] + 1)
    read_only = np.arange(3.0)
    read_only.flags.writeable = False
    np.testing.assert_array_equal(f(read_only).numpy(), read_only + 1)


def test_views_of_arguments_alias_them() -> None:
    x = ones(2, 3)
    t, row, fresh = tri.compile(lambda x: (x.t(), x[1], x * 1))(x)
    x.numpy()[1, 2] = 9
    assert t.tolist()[2][1] == 9
    assert row.tolist() == [1, 1, 9]
    assert row.storage_offset() == 3
    assert t.stride() == (1, 3)
    assert fresh.tolist()[1][2] == 1


def test_size_zero_and_zero_dim() -> None:
    f = tri.compile(lambda x: (x + 1, x.sum(), x.sum(0)))
    whole, total, rows = f(tri.from_numpy(np.zeros((0, 3), "f4")))
    assert whole.shape == (0, 3)
    assert total.item() == 0
    assert rows.tolist() == [0, 0, 0]
    g = tri.compile(lambda x: (tri.exp(x), x.sum(), x.expand(2, 2)))
    one, same, four = g(tri.tensor(0.0))
    assert one.item() == same.item() + 1 == 1
    assert four.tolist() == [[0, 0], [0, 0]]


def test_methods_can_be_compiled() -> None:
    class Model:
        def __init__(self, bias: float) -> None:
            self.bias = ones(2) * bias

        def call(self, x: Any) -> Any:
            return x + self.bias

    model = Model(4)
    assert tri.compile(model.call)(ones(2)).tolist() == [5, 5]


def test_a_function_may_call_a_compiled_one() -> None:
    inner = tri.compile(lambda x: x * 3)
    outer = tri.compile(lambda x: inner(x) + 1)
    assert outer(ones(2)).tolist() == [4, 4]


def test_static_values_that_are_equal_but_not_the_same() -> None:
    f = tri.compile(lambda x, n: x * n, static_argnames="n")
    x = tri.tensor([1, 2])
    assert [f(x, n).dtype for n in (1, 1.0, True)] == [tri.int64, tri.float32, tri.int64]
    zeros = [tri.pad(ones(1), (1, 0), value=value).numpy()[0] for value in (0.0, -0.0)]
    assert np.signbit(zeros).tolist() == [False, True]


def test_static_arguments_keep_their_positions() -> None:
    @tri.compile(static_argnames="n")
    def f(x: Any, *rest: Any, n: int = 2, **more: Any) -> Any:
        return x * n + sum(rest) + sum(more.values())

    assert f(ones(1), ones(1) * 5, b=ones(1)).tolist() == [8]
    assert f(ones(1), n=3).tolist() == [3]

    @tri.compile(static_argnames="n")
    def g(x: Any, /, n: int) -> Any:
        return x.sum(n)

    assert g(ones(2, 3), 0).tolist() == [2, 2, 2]
    assert "tri.sum" in str(g.trace(ones(2, 3), 1))


def test_a_compiled_method_keeps_its_plans() -> None:
    class Model:
        def __init__(self, bias: float) -> None:
            self.bias = ones(2) * bias

        @tri.compile
        def call(self, x: Any) -> Any:
            return x + self.bias

    first: Any = Model(1)
    second: Any = Model(2)
    for _ in range(2):
        assert first.call(ones(2)).tolist() == [2, 2]
        assert second.call(ones(2)).tolist() == [3, 3]
    assert first.call.stats().traces == 1


def test_numbers_beyond_the_dtype_are_infinite() -> None:
    assert tri.compile(lambda x: x + 1e300)(ones(1)).tolist() == [float("inf")]
    assert tri.compile(lambda x: x < 1e300)(ones(1)).tolist() == [True]


def test_arrays_on_the_left_of_a_tensor() -> None:
    f = tri.compile(lambda x: np.array([1.0, 2.0]) - np.float32(2) * x)
    assert f(ones(2)).tolist() == [-1, 0]


def test_a_number_may_be_returned() -> None:
    assert tri.compile(lambda x, n: (x, n))(ones(1), 3)[1] == 3


def test_the_sum_of_many_numbers_is_accurate() -> None:
    array = np.full(10**7, 0.1, "f4")
    assert abs(tri.from_numpy(array).sum().item() / array.sum(dtype="f8") - 1) < 2e-5
