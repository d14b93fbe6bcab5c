"""Are gathers and scatters the same in the interpreter, as kernels and as machine code?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.kernel import Fault
from trilith.compiler.interpret.tri import interpret_function

Array = np.ndarray[Any, Any]
#: A function of three tensors, of which it may leave the last.
Program = Callable[[Any, Any, Any], Any]
Reference = Callable[[Array, Array, Array], Array]
RNG = np.random.default_rng(7)


def random_bits(shape: tuple[int, ...], dtype: str) -> Array:
    """Elements of any bits: what is moved keeps them."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    bits = RNG.integers(0, 2 if dtype == "?" else 256, count, np.uint8)
    return bits.view(dtype).reshape(shape)


def integers(low: int, high: int, shape: tuple[int, ...], dtype: str = "i8") -> Array:
    return RNG.integers(low, high, shape).astype(dtype)


def add_at(x: Array, i: Array, v: Array) -> Array:
    made = x.copy()
    for number, place in enumerate(i):
        made[:, place] += v[:, number]
    return made


def put_last(x: Array, i: Array, v: Array) -> Array:
    made = x.copy()
    for number, place in enumerate(i):
        made[place] = v[number]
    return made


ROWS = integers(-5, 5, (37,))
#: name -> (function of tensors, the same of arrays, arrays)
PROGRAMS: dict[str, tuple[Program, Reference, list[Array]]] = {
    "rows": (lambda x, i, _: x[i], lambda x, i, _: x[i], [random_bits((5, 9), "f4"), ROWS]),
    "columns": (
        lambda x, i, _: x[:, i],
        lambda x, i, _: x[:, i],
        [random_bits((11, 5), "f8"), integers(-5, 5, (2, 3), "i4")],
    ),
    "points": (
        lambda x, i, j: x[i, j],
        lambda x, i, j: x[i, j],
        [random_bits((5, 7), "?"), ROWS, integers(0, 7, (3, 1))],
    ),
    "apart": (
        lambda x, i, j: x[i, :, j],
        lambda x, i, j: x[i, :, j],
        [random_bits((5, 3, 7), "i2"), ROWS, integers(0, 7, (37,))],
    ),
    "complex": (lambda x, i, _: x[i], lambda x, i, _: x[i], [random_bits((5, 2), "c16"), ROWS]),
    "gather": (
        lambda x, i, _: tri.gather(x, 1, i),
        lambda x, i, _: np.take_along_axis(x[:4], i, 1),
        [random_bits((6, 8), "f4"), integers(0, 8, (4, 19))],
    ),
    "take": (
        lambda x, i, _: tri.take(x.t(), i),
        lambda x, i, _: x.T.reshape(-1)[i],
        [random_bits((6, 8), "i4"), integers(-48, 48, (3, 5))],
    ),
    "add": (
        lambda x, i, v: tri.index_put(x, (tri.tensor([0, 1, 2])[:, None], i), v, accumulate=True),
        add_at,
        [integers(0, 9, (3, 6), "i4"), integers(-6, 6, (40,)), integers(0, 9, (3, 40), "i4")],
    ),
    "last wins": (
        lambda x, i, v: tri.index_put(x, (i,), v),
        put_last,
        [random_bits((5, 9), "f4"), ROWS, random_bits((37, 9), "f4")],
    ),
    "half": (
        lambda x, i, v: tri.index_add(x, 0, i, v),
        lambda x, i, v: put_sum(x, i, v),
        [np.ones(4, np.float16), integers(0, 4, (50,)), RNG.random(50).astype(np.float16)],
    ),
    "scatter": (
        lambda x, i, v: tri.scatter_add(x, 0, i, v),
        lambda x, i, v: scatter_sum(x, i, v),
        [RNG.random((4, 3)), integers(0, 4, (9, 2)), RNG.random((10, 3))],
    ),
}


def put_sum(x: Array, i: Array, v: Array) -> Array:
    """Sums are rounded after each addition, in the order of the indices."""
    made = x.copy()
    for place, value in zip(i, v, strict=True):
        made[place] += value
    return made


def scatter_sum(x: Array, i: Array, v: Array) -> Array:
    made = x.copy()
    for row, column in np.ndindex(*i.shape):
        made[i[row, column], column] += v[row, column]
    return made


def take_rows(x: Any, i: Any) -> Any:
    return x[i]


def bits(array: Array) -> bytes:
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_level_gives_the_same_bits(name: str):
    function, expected, arrays = PROGRAMS[name]
    arrays = [*arrays, np.zeros(0)][:3]
    tensors = [tri.from_numpy(array) for array in arrays]
    traced = tri.trace(function, *tensors)
    captured = [tensor.numpy() for tensor in traced.captured]
    wanted = expected(*arrays)
    lowered = traced.lower()
    for module in (traced.module, lowered.module):
        (found,) = interpret_function(module, [*arrays, *captured])
        assert found.dtype == wanted.dtype
        assert bits(found) == bits(wanted)
    assert bits(lowered.compile().run(tensors, ()).numpy()) == bits(wanted)


@pytest.mark.parametrize("bad", [5, -6, 2**40, -(2**63)])
@pytest.mark.parametrize("count", [1, 3, 8, 21])
def test_a_bad_index_is_found_in_every_lane(bad: int, count: int):
    x = np.arange(5, dtype=np.float32)
    for place in {0, count // 2, count - 1}:
        index = np.zeros(count, np.int64)
        index[place] = bad
        tensors = [tri.from_numpy(x), tri.from_numpy(index)]
        traced = tri.trace(take_rows, *tensors)
        faults: list[Fault] = []
        interpret_function(traced.lower().module, [x, index], faults=faults)
        assert faults == [Fault("BoundsError", 0, (bad, 0, 5))]
        with pytest.raises(
            IndexError,
            match=f"^index {bad} is out of bounds for dimension 0 with size 5",
        ):
            traced.lower().compile().run(tensors, ())


def test_a_bad_index_for_no_elements_harms_nobody():
    x = tri.zeros(3, 0)
    assert x[tri.tensor([7])].shape == (1, 0)
