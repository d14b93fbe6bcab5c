"""Which writes are refused, and which are not? Eager and compiled alike, as PyTorch 2.13."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith

#: Without types: these programs are about values, and some are wrong on purpose.
tri: Any = trilith
Run = Callable[..., Any]

PARTIAL = "some elements of the input tensor and the written-to tensor refer to a single memory"
INTERNAL = "more than one element of the written-to tensor refers to a single memory location"


def version(x: Any) -> int:
    return x._version


def add_one(x: Any) -> Any:
    return x.add_(1)


def add_shifted(x: Any) -> Any:
    return x[1:].add_(x[:-1])


# ---- refusals


def add_to(x: Any, y: Any) -> Any:
    return tri.add(x, y, out=x)


def shift(x: Any) -> Any:
    return tri.add(x[1:], 1, out=x[:-1])


def transpose(x: Any) -> Any:
    return x.copy_(x.t())


def _refusals() -> dict[str, tuple[Run, type[Exception], str]]:
    z = tri.zeros
    runtime = RuntimeError
    return {
        "cast": (
            lambda: z(2, dtype=tri.int32).add_(1.5),
            runtime,
            "result type Float can't be cast to the desired output type Int",
        ),
        "cast to bool": (
            lambda: z(2, dtype=tri.bool).add_(tri.ones(2, dtype=tri.int32)),
            runtime,
            "result type Int can't be cast to the desired output type Bool",
        ),
        "cast of out": (
            lambda: tri.add(z(2), 1, out=z(2, dtype=tri.int32)),
            runtime,
            "result type Float can't be cast to the desired output type Int",
        ),
        "out of an operation that keeps the dtype": (
            lambda: tri.neg(z(2), out=z(2, dtype=tri.float64)),
            runtime,
            "Found dtype Double but expected Float",
        ),
        "broadcast shape": (
            lambda: z(3).add_(z(2, 3)),
            runtime,
            "output with shape [3] doesn't match the broadcast shape [2, 3]",
        ),
        "out that is an operand": (
            lambda: add_to(z(3), z(2, 3)),
            runtime,
            "output with shape [3] doesn't match the broadcast shape [2, 3]",
        ),
        "sizes": (
            lambda: z(3).copy_(z(2)),
            runtime,
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton "
            "dimension 0",
        ),
        "sizes of an assignment": (
            lambda: z(3).__setitem__(slice(0, 2), z(3)),
            runtime,
            "The expanded size of the tensor (2) must match the existing size (3) at "
            "non-singleton dimension 0.  Target sizes: [2].  Tensor sizes: [3]",
        ),
        "index": (
            lambda: z(2).__setitem__(5, 1),
            IndexError,
            "index 5 is out of bounds for dimension 0 with size 2",
        ),
        "range": (
            lambda: z(2, dtype=tri.uint8).fill_(300),
            runtime,
            "value cannot be converted to type uint8_t without overflow",
        ),
        "range of an assignment": (
            lambda: z(2, dtype=tri.int8).__setitem__(0, 200),
            runtime,
            "value cannot be converted to type int8_t without overflow",
        ),
        "stride 0": (lambda: z(1).expand(3).add_(1), runtime, INTERNAL),
        "stride 0 of an assignment": (
            lambda: z(1).expand(3).__setitem__(slice(None), 1),
            runtime,
            INTERNAL,
        ),
        "shifted": (lambda: add_shifted(z(4)), runtime, PARTIAL),
        "shifted out": (lambda: shift(z(4)), runtime, PARTIAL),
        "transposed": (lambda: transpose(z(3, 3)), runtime, PARTIAL),
        "no tensor": (
            lambda: tri.add(z(2), 1, out=3),
            TypeError,
            "add(): argument 'out' must be Tensor, not int",
        ),
        "no number": (lambda: z(2).__setitem__(0, "a"), TypeError, "can't assign a str to a"),
    }


@pytest.mark.parametrize("name", _refusals())
def test_refusals(run: Run, name: str) -> None:
    program, kind, text = _refusals()[name]
    with pytest.raises(kind) as caught:
        run(program)
    assert text in str(caught.value)


def test_a_refused_write_changes_nothing(run: Run) -> None:
    x = tri.arange(4)
    with pytest.raises(RuntimeError, match="single memory location"):
        run(add_shifted, x)
    assert x.tolist() == [0, 1, 2, 3]
    assert version(x) == 0


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_filling_elements_that_are_one_is_fine(run: Run) -> None:
    """Every write brings the same value."""

    def program(x: Any) -> None:
        x.expand(3).fill_(2)

    x = tri.zeros(1)
    run(program, x)
    assert x.tolist() == [2]


def test_no_elements_have_no_overlap(run: Run) -> None:
    def program(x: Any) -> Any:
        return x.expand(3, 2, 0).add_(1)

    assert run(program, tri.zeros(2, 0)).shape == (3, 2, 0)


def test_memory_that_is_read_only(run: Run) -> None:
    array = np.zeros(3, "f4")
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = tri.from_numpy(array)
    with pytest.raises(RuntimeError, match="read-only"):
        run(add_one, x)
    assert array.tolist() == [0, 0, 0]


def test_an_operand_that_overlaps_unseen_is_read_first(run: Run) -> None:
    """Columns are not dense: PyTorch does not look, here the old elements are used."""

    def program(x: Any) -> None:
        x[:, 1:3].add_(x[:, 0:2])

    x = tri.arange(8).reshape(2, 4)
    run(program, x)
    assert x.tolist() == [[0, 1, 3, 3], [4, 9, 11, 7]]


def test_what_is_written_into_is_looked_at_before_the_kernel():
    # What torch 2.13 says of elements that no kernel computes, and that do not fit either.
    x: Any = tri.ones(2)
    words = "result type ComplexFloat can't be cast to the desired output type Float"
    calls: list[Callable[[], Any]] = [
        lambda: x.floor_divide_(1j),
        lambda: x.remainder_(1j),
        lambda: x.div_(1j, rounding_mode="floor"),
        lambda: tri.floor_divide(x, 1j, out=tri.ones(2)),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match=words):
            call()
    complexes = tri.ones(2, dtype=tri.complex64)
    with pytest.raises(NotImplementedError, match='"div_floor_cpu" not implemented for \'Comp'):
        tri.floor_divide(x, 1j, out=complexes)
    with pytest.raises(NotImplementedError, match='"div_floor_cpu" not implemented for \'Comp'):
        complexes.floor_divide_(1)


def test_triangles_are_cut_in_place_where_elements_are_one():
    # What torch 2.13 leaves: an element is zero if any of those that it is lies outside.
    row = tri.arange(3.0)
    assert row.expand(3, 3).triu_().tolist() == [[0.0, 0.0, 2.0]] * 3
    assert row.tolist() == [0.0, 0.0, 2.0]
    column = tri.arange(3.0).view(3, 1)
    assert column.expand(3, 3).tril_(1)[:, 0].tolist() == [0.0, 1.0, 2.0]
    matrix = tri.arange(4.0).reshape(2, 2)
    matrix.expand(2, 2, 2).tril_()
    assert matrix.tolist() == [[0.0, 0.0], [2.0, 3.0]]
    memory = tri.arange(9.0)
    memory[1:].as_strided((3, 3), (2, 1), 1).triu_()
    assert memory.tolist() == [0.0, 1.0, 2.0, 0.0, 4.0, 0.0, 0.0, 7.0, 8.0]
    with pytest.raises(RuntimeError, match=INTERNAL):
        tri.arange(3.0).expand(3, 3).abs_()


def test_a_traced_triangle_is_cut_in_place_where_elements_are_one():
    def cut(x: Any) -> Any:
        return x.expand(3, 3).triu_() + 0

    with pytest.warns(UserWarning, match="runs step by step"):
        found = tri.compile(cut)(tri.arange(3.0))
    assert found.tolist() == [[0.0, 0.0, 2.0]] * 3
