"""Many tensors are joined by copies: values as NumPy's, and no plan for their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.eager.joining import FEW, LARGEST, STEADY

COUNT = FEW + 5

#: The same for calls that the stubs do not know.
_ANY: Any = tri


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Without the plans of earlier tests, whose limits a table would reach."""
    with no_plans():
        yield


def plans() -> int:
    """How many plans were traced; those for sizes that come often are made of them."""
    return tri.stats().plans_for_all_sizes


def arrays(count: int, *shape: int, dtype: Any = np.float32) -> list[Any]:
    """Return arrays of different elements."""
    size = int(np.prod(shape))
    return [np.arange(size, dtype=dtype).reshape(shape) + number for number in range(count)]


def tensors(values: list[Any], device: Any = "cpu") -> list[tri.Tensor]:
    return [tri.from_numpy(value.copy()).to(device) for value in values]


def same(result: Any, expected: Any) -> None:
    """A tensor has the elements of an array, and its dtype."""
    found = result.cpu().resolve_conj().numpy()
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


JOINS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "cat": (tri.cat, np.concatenate),
    "cat of columns": (lambda xs: tri.cat(xs, 1), lambda xs: np.concatenate(xs, 1)),
    "stack": (tri.stack, np.stack),
    "stack of columns": (lambda xs: tri.stack(xs, -1), lambda xs: np.stack(xs, -1)),
    "hstack": (_ANY.hstack, np.hstack),
    "vstack": (_ANY.vstack, np.vstack),
    "dstack": (_ANY.dstack, np.dstack),
}


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", JOINS)
def test_many_are_joined_as_numpy_joins_them(name: str) -> None:
    join, expected = JOINS[name]
    values = arrays(COUNT, 2, 3)
    same(join(tensors(values)), expected(values))
    same(join(tuple(tensors(values))), expected(values))


@pytest.mark.parametrize("name", JOINS)
def test_a_list_that_grows_needs_no_plan_for_each_length(name: str) -> None:
    join, expected = JOINS[name]
    values = arrays(4 * FEW, 2, 3)
    given = tensors(values)
    for count in range(1, FEW + 2):
        same(join(given[:count]), expected(values[:count]))
    before = plans(), tri.stats().kernels_compiled
    for count in range(FEW + 1, 4 * FEW):
        same(join(given[:count]), expected(values[:count]))
    assert (plans(), tri.stats().kernels_compiled) == before


def test_hundreds_take_as_many_plans_as_a_dozen() -> None:
    few, values = arrays(COUNT, 5), arrays(300, 5)
    same(tri.cat(tensors(few)), np.concatenate(few))
    before = plans()
    same(tri.cat(tensors(values)), np.concatenate(values))
    assert plans() == before


def test_blocks_lie_on_the_diagonal() -> None:
    values = [*arrays(COUNT, 2, 3), np.ones(4, np.float32)]
    expected = np.zeros((2 * COUNT + 1, 3 * COUNT + 4), np.float32)
    for number, value in enumerate(values):
        rows, columns = np.atleast_2d(value).shape
        expected[2 * number :][:rows, 3 * number :][:, :columns] = value
    before = plans()
    same(_ANY.block_diag(*tensors(values)), expected)
    same(_ANY.block_diag(*tensors(values[1:])), expected[2:, 3:])
    assert plans() - before < COUNT


def test_dtypes_are_promoted_and_conjugates_resolved() -> None:
    integers, doubles = arrays(COUNT, 2, dtype=np.int32), arrays(COUNT, 3, dtype=np.float64)
    same(tri.cat(tensors(integers + doubles)), np.concatenate(integers + doubles))
    values = [value * np.complex64(1j) for value in arrays(COUNT, 2)]
    joined = tri.cat([tensor.conj() for tensor in tensors(values)])
    assert not joined.is_conj()
    same(joined, np.concatenate(values).conj())


@pytest.mark.parametrize("count", [LARGEST, LARGEST + 1])
def test_what_always_comes_again_gets_a_plan_for_its_sizes(count: int) -> None:
    values = arrays(count, 2, 3)
    given = tensors(values)
    found = tri.stack(given)
    for _ in range(STEADY - 2):
        found = tri.stack(given)
    same(found, np.stack(values))
    before = tri.stats().table.plans
    for _ in range(2):
        same(tri.stack(given), np.stack(values))
    assert tri.stats().table.plans - before == (count <= LARGEST)


def test_pieces_begin_where_they_lie() -> None:
    whole = np.arange(100, dtype=np.float32)
    given = tri.from_numpy(whole)
    rows = [given[7 * number :][:5] for number in range(COUNT)]
    expected = [whole[7 * number :][:5] for number in range(COUNT)]
    same(tri.stack(rows), np.stack(expected))
    same(tri.stack(rows, 1), np.stack(expected, 1))
    same(_ANY.column_stack(rows), np.stack(expected, 1))
    same(tri.cat([row[::2] for row in rows]), np.concatenate([row[::2] for row in expected]))


def test_what_is_more_than_a_join_runs_step_by_step() -> None:
    values = arrays(COUNT, 3, 3)
    found = _ANY.broadcast_tensors(*tensors(values), tri.ones(2, 1, 1))
    for tensor, value in zip(found, values, strict=False):
        same(tensor, np.stack([value, value]))
    factors = [np.arange(3) + number for number in range(COUNT)]
    multiplied = _ANY.einsum(",".join("i" * COUNT), *tensors(factors))
    assert multiplied.item() == np.prod(factors, 0).sum()


def test_strides_are_those_of_the_memory_format() -> None:
    images: list[Any] = [tri.ones(2, 3, 4, 5).contiguous(memory_format=tri.channels_last)] * COUNT
    few = tri.cat(images[:2])
    many = tri.cat(images)
    assert few.is_contiguous(memory_format=tri.channels_last)
    assert many.stride() == few.stride()
    assert _ANY.cat([*images, tri.ones(2, 3, 4, 5)]).is_contiguous()


def test_vectors_without_elements_count_for_nothing() -> None:
    values = arrays(COUNT, 2, 3)
    same(tri.cat([tri.empty(0), *tensors(values), tri.empty(0)]), np.concatenate(values))
    assert tri.cat([tri.empty(0)] * COUNT).shape == (0,)


def test_the_result_is_new_memory() -> None:
    given = tensors(arrays(COUNT, 3))
    joined = tri.cat(given)
    joined.zero_()
    assert given[1].tolist() == [1, 2, 3]
    versions: list[Any] = [joined, given[1]]
    assert [each._version for each in versions] == [1, 0]


def test_out_is_written_in_its_own_strides_and_dtype() -> None:
    values = arrays(COUNT, 2, 3)
    expected = np.concatenate(values)
    for out in (
        tri.empty(0),
        tri.empty(expected.shape, dtype=tri.float64),
        tri.empty(expected.shape[::-1]).t(),
    ):
        dtype = out.dtype
        assert tri.cat(tensors(values), out=out) is out
        assert out.dtype is dtype
        assert out.tolist() == expected.tolist()
    with pytest.raises(TypeError, match="can't be cast to the desired output type Int"):
        tri.cat(tensors(values), out=tri.empty(0, dtype=tri.int32))


def test_out_must_be_apart_from_all() -> None:
    whole = tri.zeros(100)
    given = [*tensors(arrays(COUNT, 5)), whole[5:10]]
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to"):
        tri.cat(given, out=whole[: 5 * len(given)])


def test_what_does_not_fit_is_refused_by_its_place() -> None:
    given = [*tensors(arrays(COUNT, 2, 3)), tri.ones(2, 4)]
    with pytest.raises(RuntimeError, match=f"got size 4 for tensor number {COUNT} in the list"):
        tri.cat(given)
    with pytest.raises(RuntimeError, match=rf"\[2, 4\] at entry {COUNT}"):
        tri.stack(given)
    with pytest.raises(TypeError, match="must be Tensor, not int"):
        _ANY.cat([*given[:-1], 3])


def test_meta_has_the_shape_alone() -> None:
    found = tri.stack([tri.ones(2, 3, device="meta")] * COUNT, 1)
    assert (found.shape, found.device.type) == ((2, COUNT, 3), "meta")


@pytest.mark.parametrize("join", [tri.cat, tri.stack])
def test_each_gets_its_part_of_the_gradient(join: Callable[..., Any]) -> None:
    given: Any = [tensor.requires_grad_() for tensor in tensors(arrays(COUNT, 2, 3))]
    joined: Any = join(given)
    (joined * joined).sum().backward()
    for tensor, value in zip(given, arrays(COUNT, 2, 3), strict=True):
        assert tensor.grad is not None
        same(tensor.grad, 2 * value)


def test_a_compiled_function_is_one_plan() -> None:
    values = arrays(COUNT, 2, 3)
    compiled = tri.compile(lambda xs: _ANY.cat(xs) + 1)
    same(compiled(tensors(values)), np.concatenate(values) + np.float32(1))
    assert compiled.stats().eager_calls == 0
