"""Do operations whose shape depends on elements run, and say so where they cannot be recorded?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

ARRAY = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, float("nan")]], np.float32)

DEPENDENT: dict[str, Callable[[Any], Any]] = {
    "mask": lambda x: x[x > 1],
    "nonzero": lambda x: x.nonzero(),
    "argwhere": lambda x: x.argwhere(),
    "masked_select": lambda x: x.masked_select(x > 1),
}


@pytest.mark.parametrize("name", DEPENDENT)
def test_a_trace_says_what_to_do_instead(name: str):
    with pytest.raises(TypeError, match="depends on the elements") as caught:
        tri.trace(DEPENDENT[name], tri.spec((2, 3)))
    assert "tri.where or masked_fill" in str(caught.value)
    assert not isinstance(caught.value, tri.InternalError)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float8_e5m2", "complex64"])
def test_positions_of_every_dtype(dtype: str):
    x = tri.from_numpy(ARRAY).to(getattr(tri, dtype))
    if dtype == "float8_e5m2":
        assert x[x.float() > 1].float().tolist() == [2.0, 3.0]
        return
    assert x.nonzero().tolist() == np.argwhere(ARRAY).tolist()


def test_a_mask_of_a_view_and_no_elements():
    x = tri.from_numpy(ARRAY)
    assert x.t()[x.t() > 1].tolist() == [3.0, 2.0]
    assert tri.zeros(0, 3)[tri.zeros(0, dtype=tri.bool)].shape == (0, 3)
    assert x[x > 100].shape == (0,)


def test_one_value_at_a_mask_can_be_recorded():
    def clear(x: Any) -> Any:
        return tri.index_put(x, (x > 2,), tri.tensor(0.0))

    text = str(tri.trace(clear, tri.spec((2, 3))))
    assert "tri.where" in text
    found = tri.compile(clear)(tri.from_numpy(ARRAY[:, :2].copy()))
    assert found.tolist() == [[0.0, 2.0], [0.0, 0.0]]


@pytest.mark.parametrize("count", [1, 5, 16])
@pytest.mark.parametrize("bad", [40, -41])
def test_a_bad_index_leaves_the_place_of_its_substitute_alone(bad: int, count: int):
    x = tri.arange(40.0)
    index = tri.arange(1, count + 1)
    index[count // 2] = bad
    ones = tri.ones(count)
    for write in (
        lambda: x.index_put_((index,), ones),
        lambda: x.index_add_(0, index, ones),
        lambda: x.scatter_(0, index, 7.0),
        lambda: x.__setitem__(index, 7.0),
    ):
        with pytest.raises(IndexError):
            write()
        assert x[0].item() == 0.0


def test_writing_at_places_needs_no_copy_of_the_rest():
    """The one launch writes into the argument itself."""

    def write(x: Any, i: Any, v: Any) -> None:
        x.index_put_((i,), v)

    traced = tri.trace(write, tri.spec((50,)), tri.spec((3,), tri.int64), tri.spec((3,)))
    text = traced.lower().as_text("kernel")
    assert text.count("tri.launch") == 1
    assert "tri.empty" not in text


def test_neither_index_nor_values_may_lie_in_what_is_written():
    x = tri.tensor([2, 0, 1])
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        x[x] = tri.tensor([5, 6, 7])
    y = tri.arange(4)
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        y[tri.tensor([3, 2, 1, 0])] = y
    assert (x.tolist(), y.tolist()) == ([2, 0, 1], [0, 1, 2, 3])


HINTED: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "equal": (lambda x: tri.equal(x, x), "this bool of Python's", "(x == y).all()"),
    "allclose": (lambda x: tri.allclose(x * 1.0, x * 1.0), "this bool of Python's", "isclose"),
    "one_hot": (lambda x: tri.nn.functional.one_hot(x), "the shape of this result", "num_classes="),
    "repeat_interleave": (
        lambda x: tri.repeat_interleave(x, x),
        "the shape of this result",
        "output_size=",
    ),
    "bincount": (lambda x: tri.bincount(x), "the shape of this result", "one_hot"),
    "unique": (lambda x: tri.unique(x), "the shape of this result", "sort"),
    "nonzero": (lambda x: tri.nonzero(x), "the shape of this result", "tri.where"),
}


@pytest.mark.parametrize("name", HINTED)
def test_a_function_that_needs_elements_is_told_what_helps(name: str):
    function, what, hint = HINTED[name]
    x = tri.tensor([1, 2, 1])
    run: Any = tri.compile(function)
    with pytest.warns(tri.TrilithWarning) as caught:
        found = run(x)
    text = str(caught[0].message)
    assert f"{what} depends on the elements of a tensor, which are not known" in text
    assert hint in text.split("hint: ")[1]
    expected = function(x)
    same = found == expected if isinstance(found, bool) else found.tolist() == expected.tolist()
    assert same


def test_repeats_are_compiled_where_their_sum_is_given():
    def repeated(x: Any, repeats: Any) -> Any:
        return x.repeat_interleave(repeats, 0, output_size=6)

    run: Any = tri.compile(repeated)
    x = tri.arange(8).reshape(4, 2)
    for counts in ([1, 2, 0, 3], [6, 0, 0, 0], [0, 0, 0, 6]):
        repeats = tri.tensor(counts)
        assert run(x, repeats).tolist() == np.repeat(x.numpy(), counts, 0).tolist()
    assert run.stats().eager_calls == 0


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_a_0_dim_index_beside_an_empty_one_is_checked():
    empty: Any = tri.tensor([], dtype=tri.int64)

    def read(x: Any, first: Any, second: Any) -> Any:
        return x[first, second]

    def write(x: Any, first: Any, second: Any) -> Any:
        x[first, second] = 1.0
        return x

    for function in (read, write, tri.compile(read), tri.compile(write)):
        # A tensor of one dim is not looked at where there is nothing to look up, as in PyTorch.
        function(tri.ones(1, 1), empty, tri.tensor([1]))
        function(tri.ones(1, 2), empty, tri.tensor(1))
        for indices, dim in (((empty, tri.tensor(1)), 1), ((tri.tensor(1), empty), 0)):
            text = f"index 1 is out of bounds for dimension {dim} with size 1"
            with pytest.raises(IndexError, match=text):
                function(tri.ones(1, 1), *indices)
