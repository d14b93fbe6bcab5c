"""Do views say where NumPy's views lie? Chains of them: at once, compiled and interpreted."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function

Array = np.ndarray[Any, Any]
#: What is done to a tensor, and what to NumPy's array; both are views.
Step = tuple[Callable[[Any], Any], Callable[[Array], Array]]

DTYPES = ("uint8", "int16", "int32", "int64", "float32", "float64", "complex64")


def as_strided(array: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    scaled = tuple(stride * array.itemsize for stride in strides)
    return np.lib.stride_tricks.as_strided(array, shape, scaled)


def elements(strides: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    return tuple(stride // itemsize for stride in strides)


def draw(chance: random.Random, array: Array) -> Step | None:
    """Return a step that the array allows, None where the kind drawn does not fit."""
    rank, kind = array.ndim, chance.randrange(9)
    dim = chance.randrange(rank) if rank else 0
    if kind == 0:
        order = chance.sample(range(rank), rank)
        return (lambda x: x.permute(order)), (lambda n: n.transpose(order))
    if kind == 1 and rank and array.shape[dim] > 1:
        first, step = chance.randrange(array.shape[dim]), chance.choice([1, 2])
        where = (slice(None),) * dim + (slice(first, None, step),)
        return (lambda x: x[where]), (lambda n: n[where])
    if kind == 2 and rank > 1:
        index = chance.randrange(array.shape[dim])
        where = (slice(None),) * dim + (index,)
        return (lambda x: x.select(dim, index)), (lambda n: n[where])
    if kind == 3:
        return (lambda x: x.unsqueeze(dim)), (lambda n: np.expand_dims(n, dim))
    if kind == 4 and rank and array.shape[dim] >= 2:
        window = np.lib.stride_tricks.sliding_window_view
        return (lambda x: x.unfold(dim, 2, 1)), (lambda n: window(n, 2, dim))
    if kind == 5 and rank > 1:
        return (lambda x: x.diagonal()), (lambda n: n.diagonal())
    if kind == 6 and rank and array.shape[-1] > 1 and array.strides[-1] == array.itemsize:
        return draw_dtype(chance, array)
    if kind == 7 and array.size:
        shape, strides = array.shape[::-1], elements(array.strides, array.itemsize)[::-1]
        return (lambda x: x.as_strided(shape, strides)), (lambda n: as_strided(n, shape, strides))
    if kind == 8 and array.dtype.kind == "c":
        return (lambda x: x.imag), (lambda n: n.imag)
    return None


def start_of(array: Array) -> int:
    """Return the address of the memory that an array is a view of."""
    base: Any = array
    while isinstance(getattr(base, "base", None), np.ndarray):
        base = base.base
    return base.ctypes.data


def draw_dtype(chance: random.Random, array: Array) -> Step | None:
    name = chance.choice(DTYPES)
    target = np.dtype(name)
    factor = max(target.itemsize // array.itemsize, 1)
    places = elements(array.strides[:-1], array.itemsize)
    if array.shape[-1] % factor or any(place % factor for place in places):
        return None
    if (array.ctypes.data - start_of(array)) % target.itemsize:
        return None
    return (lambda x: x.view(getattr(tri, name))), (lambda n: n.view(target))


def chain(seed: int) -> tuple[Array, list[Step], list[Array]]:
    """Return an array, steps from it, and the array after each of them."""
    chance = random.Random(seed)
    shape = tuple(chance.choice([1, 2, 3, 4, 8]) for _ in range(chance.randint(1, 3)))
    start: Array = np.random.default_rng(seed).standard_normal(shape).astype("f4")
    steps: list[Step] = []
    arrays = [start]
    for _ in range(8):
        step = draw(chance, arrays[-1])
        if step is not None and len(steps) < 5:
            steps.append(step)
            arrays.append(step[1](arrays[-1]))
    return start, steps, arrays[1:]


def bits(array: Array) -> bytes:
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("seed", range(60))
def test_chains_of_views(seed: int) -> None:
    start, steps, arrays = chain(seed)

    def program(x: Any) -> Any:
        results: list[Any] = []
        for step, _ in steps:
            x = step(x)
            results.append(x)
        return [*results, *[result.clone() for result in results]]

    x = tri.from_numpy(start.copy())
    expected = [*arrays, *arrays]
    traced = tri.trace(program, x)
    at_once, compiled = program(x), tri.compile(program)(x)
    for result, array in zip([*at_once, *compiled], expected * 2, strict=True):
        assert result.shape == array.shape
        assert bits(result.numpy()) == bits(array)
    for result, array in zip([*at_once[: len(arrays)]], arrays, strict=True):
        offset = (result.data_ptr() - x.data_ptr()) // result.element_size()
        assert offset == result.storage_offset()
        assert result.untyped_storage().data_ptr() == x.data_ptr()
        if 1 not in array.shape:
            assert result.stride() == elements(array.strides, array.itemsize)
    for one, other in zip(at_once, compiled, strict=True):
        assert (one.stride(), one.storage_offset()) == (other.stride(), other.storage_offset())
    for module in (traced.module, traced.lower().module):
        for found, array in zip(interpret_function(module, [start]), expected, strict=True):
            assert bits(found) == bits(array)


def test_sliding_windows_by_as_strided() -> None:
    x = tri.arange(6)
    windows = x.as_strided((4, 3), (1, 1))
    expected = np.lib.stride_tricks.sliding_window_view(np.arange(6), 3)
    assert windows.tolist() == expected.tolist()
    assert (windows * 2).sum(1).tolist() == (expected * 2).sum(1).tolist()
    assert tri.compile(lambda x: x.as_strided((4, 3), (1, 1)) * 2)(x).tolist() == (
        (expected * 2).tolist()
    )


def test_the_offset_is_absolute() -> None:
    x = tri.arange(8)
    assert x[4:].as_strided((2,), (1,), 1).tolist() == [1, 2]
    assert x[4:].as_strided((2,), (1,)).tolist() == [4, 5]
    assert x[4:].as_strided((2,), (1,), 1).storage_offset() == 1


OUTSIDE: dict[str, Callable[[Any], Any]] = {
    "returned": lambda x: x.as_strided((7,), (1,)),
    "read": lambda x: x.as_strided((7,), (1,)) + 1,
    "of a result": lambda x: (x + 1).as_strided((7,), (1,)),
    "of a result, read": lambda x: (x + 1).as_strided((7,), (1,)) * 2,
}


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
@pytest.mark.parametrize("name", OUTSIDE)
def test_out_of_bounds_in_a_function(name: str) -> None:
    with pytest.raises(RuntimeError, match=r"setStorage: sizes \[7\], .* storage of size 48"):
        tri.compile(OUTSIDE[name])(tri.arange(6))


def test_bytes_of_a_result() -> None:
    """The elements of a computed tensor are seen as another dtype, in one function."""

    @tri.compile
    def exponent(x: Any) -> Any:
        return ((x * 2).view(tri.int32) >> 23) - 127

    x = tri.tensor([1.0, 3.0, 1000.0, 0.3])
    assert exponent(x).tolist() == [int(np.frexp(2 * value)[1]) - 1 for value in (1, 3, 1000, 0.3)]


def test_a_wider_dtype_of_a_part_of_an_argument_that_lies_between() -> None:
    x = tri.arange(12, dtype=tri.int8)[1:10]
    function = tri.compile(lambda x: x[1:].view(tri.int16) + 1)
    with pytest.warns(tri.TrilithWarning, match="begins in the middle of one"):
        assert function(x).tolist() == (x[1:].view(tri.int16) + 1).tolist()


def test_a_wider_dtype_where_it_cannot_begin() -> None:
    x = tri.zeros(5)
    message = r"self.storage_offset\(\) must be divisible by 2 .*, but got 1"
    functions: list[Callable[[Any], Any]] = [
        lambda x: x.view(tri.int64),
        lambda x: x.view(tri.int64) + 1,
    ]
    for function in functions:
        compiled = tri.compile(function)
        assert compiled(x[:4]).shape == (2,)
        for call in (function, compiled):
            with pytest.raises(RuntimeError, match=message):
                call(x[1:])


REVERSED: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (0, 2), (0, 1, 2))


@pytest.mark.parametrize("dims", REVERSED)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "?", "c8"])
def test_flip(dims: tuple[int, ...], dtype: str) -> None:
    array: Array = np.random.default_rng(1).integers(0, 9, (3, 4, 33)).astype(dtype)
    x = tri.from_numpy(array)
    assert bits(x.flip(dims).numpy()) == bits(np.flip(array, dims))
    moved = x.permute(2, 0, 1)[::2]
    assert bits(moved.flip(dims).numpy()) == bits(np.flip(array.transpose(2, 0, 1)[::2], dims))
    traced = tri.trace(lambda x: x.flip(dims), x)
    for module in (traced.module, traced.lower().module):
        (found,) = interpret_function(module, [array])
        assert bits(found) == bits(np.flip(array, dims))


def test_repetitions() -> None:
    array: Array = np.arange(24, dtype="i4").reshape(2, 3, 4)
    x = tri.from_numpy(array)
    for repeats in ((2, 1, 1), (1, 3, 2), (2, 2, 1, 1), (1, 0, 1)):
        assert x.repeat(repeats).tolist() == np.tile(array, repeats).tolist()
    for dim in range(3):
        assert x.repeat_interleave(3, dim).tolist() == np.repeat(array, 3, dim).tolist()
        assert x.roll(-2, dim).tolist() == np.roll(array, -2, dim).tolist()
    assert x.roll(7).tolist() == np.roll(array, 7).tolist()
    assert x.roll((1, -2), (0, 2)).tolist() == np.roll(array, (1, -2), (0, 2)).tolist()
    for turns in range(-1, 5):
        assert x.rot90(turns, (2, 1)).tolist() == np.rot90(array, turns, (2, 1)).tolist()


def test_repeated_indices() -> None:
    counts = tri.tensor([2, 0, 1], dtype=tri.int32)
    for found in (
        tri.repeat_interleave(counts),
        tri.repeat_interleave(repeats=counts),
        tri.repeat_interleave(counts, output_size=3),
    ):
        assert found.tolist() == [0, 0, 2]
        assert found.dtype is tri.int32
    with pytest.raises(RuntimeError, match="only accept 1D vector as repeat"):
        tri.repeat_interleave(tri.tensor([[1]]))
    with pytest.raises(TypeError, match="repeats"):
        counts.repeat_interleave()  # pyright: ignore[reportCallIssue]


def test_parts_share_their_storage() -> None:
    x = tri.arange(10)
    parts = [*x.split(4), *x.chunk(3), *x.tensor_split((2, 5)), *x[:4].unbind()]
    assert all(part.untyped_storage().data_ptr() == x.data_ptr() for part in parts)
    expected = [*np.split(np.arange(10), (4, 8)), *np.split(np.arange(10), (4, 8))]
    expected += [*np.split(np.arange(10), (2, 5)), *np.arange(4)]
    assert [part.tolist() for part in parts] == [array.tolist() for array in expected]
    assert tri.compile(lambda x: [part + 1 for part in x.split(4)])(x)[2].tolist() == [9, 10]
