"""What do programs that write do? Eager and compiled alike, as PyTorch 2.13 does."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith

#: Without types: these programs are about values, and some are wrong on purpose.
tri: Any = trilith
Run = Callable[..., Any]


def address(x: Any) -> int:
    return x.untyped_storage().data_ptr()


# ---- what is written where


def test_through_views_of_views(run: Run) -> None:
    def program(x: Any) -> Any:
        part = x.t()[1:]
        row = part.select(0, 0)
        row.add_(10)
        return part, row

    x = tri.arange(6).reshape(2, 3)
    part, row = run(program, x)
    assert x.tolist() == [[0, 11, 2], [3, 14, 5]]
    assert part.tolist() == [[11, 14], [2, 5]]
    assert (part.stride(), part.storage_offset(), row.storage_offset()) == ((1, 3), 1, 1)
    assert address(part) == address(row) == address(x)


def test_the_base_is_read_after_its_view_is_written(run: Run) -> None:
    def program(x: Any) -> Any:
        before = x + 0
        x[1].mul_(-1)
        return before, x + 0

    before, after = run(program, tri.arange(4).reshape(2, 2))
    assert before.tolist() == [[0, 1], [2, 3]]
    assert after.tolist() == [[0, 1], [-2, -3]]


def test_a_loop_of_writes(run: Run) -> None:
    def program(x: Any) -> Any:
        for index in range(4):
            x[index] = x.sum() + index
        return x

    x = tri.zeros(4)
    assert run(program, x) is x
    assert x.tolist() == [0, 1, 3, 7]


def test_a_swap(run: Run) -> None:
    def program(x: Any, y: Any) -> None:
        old = x.clone()
        x.copy_(y)
        y.copy_(old)

    x, y = tri.tensor([1.0, 2.0]), tri.tensor([3.0, 4.0])
    assert run(program, x, y) is None
    assert (x.tolist(), y.tolist()) == ([3, 4], [1, 2])


def test_halves_of_one_argument_change_places(run: Run) -> None:
    def program(x: Any) -> None:
        left = x[:2].clone()
        x[:2] = x[2:]
        x[2:] = left

    x = tri.arange(4)
    run(program, x)
    assert x.tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("is_later_first", [False, True])
def test_the_last_of_overlapping_writes_stays(run: Run, is_later_first: bool) -> None:
    """Whichever of the values is computed first."""

    def program(x: Any, y: Any) -> None:
        if is_later_first:
            second = y * 2
            first = second + 3
        else:
            first = y * 2
            second = first + 3
        x[:-1] = first
        x[1:] = second

    y = np.arange(33, dtype="f4")
    x = tri.zeros(34)
    run(program, x, tri.tensor(y))
    expected = np.zeros(34, "f4")
    doubled = y * 2
    expected[:-1] = doubled + 3 if is_later_first else doubled
    expected[1:] = doubled if is_later_first else doubled + 3
    np.testing.assert_array_equal(x.numpy(), expected)


def test_a_reduction_over_the_target_sees_the_old_elements(run: Run) -> None:
    def program(x: Any) -> Any:
        total = x.sum()
        x.sub_(x.mean())
        return total

    x = tri.tensor([1.0, 2.0, 6.0])
    assert run(program, x).item() == 9
    assert x.tolist() == [-2, -1, 3]


def test_writes_to_an_intermediate_stay_inside(run: Run) -> None:
    def program(x: Any) -> Any:
        y = x + 1
        view = y[::2]
        view.zero_()
        return y, view

    x = tri.ones(4)
    y, view = run(program, x)
    assert (x.tolist(), y.tolist()) == ([1] * 4, [0, 2, 0, 2])
    assert view.stride() == (2,)
    assert address(y) == address(view) != address(x)


def test_a_copy_is_no_alias_of_its_source(run: Run) -> None:
    def program(x: Any) -> Any:
        y = x * 2
        z = y * 3
        y.copy_(z)
        w = x + 1
        w.copy_(x)
        return y, z, w

    x = tri.ones(3)
    y, z, w = run(program, x)
    assert y.tolist() == z.tolist() == [6, 6, 6]
    assert len({address(t) for t in (x, y, z, w)}) == 4


def test_augmented_assignment(run: Run) -> None:
    def program(x: Any, y: Any) -> Any:
        x += y
        x *= 2
        x -= 1
        x[0] &= 6
        return x

    x = tri.tensor([1, 2])
    assert run(program, x, tri.tensor([3, 4])) is x
    assert x.tolist() == [6, 11]


def test_a_view_with_another_dtype(run: Run) -> None:
    def program(x: Any) -> Any:
        x.view(tri.int32).add_(0x3F800000)
        x.view(tri.int16)[1::2] += 0x80
        return x.view(tri.uint8)

    x = tri.zeros(2)
    seen = run(program, x)
    assert x.tolist() == [2, 2]
    assert seen.shape == (8,)
    assert address(seen) == address(x)


def test_the_parts_of_complex_numbers(run: Run) -> None:
    def program(x: Any) -> None:
        x.real.fill_(1)
        x.imag.copy_(x.real)

    x = tri.zeros(2, dtype=tri.complex64)
    run(program, x)
    assert x.tolist() == [1 + 1j, 1 + 1j]


def test_a_number_with_several_shapes_of_value(run: Run) -> None:
    def program(x: Any) -> None:
        x[0] = 5
        x[1, 1:] = tri.tensor([[7.9]])
        x[..., 0] = x[0, 1]

    x = tri.zeros(2, 3, dtype=tri.int32)
    run(program, x)
    assert x.tolist() == [[5, 5, 5], [5, 7, 7]]


def test_leading_sizes_of_one_do_not_count(run: Run) -> None:
    def program(x: Any) -> None:
        x[:2] = tri.ones(1, 1, 2)
        x.view(1, 3)[...] = x.t()[None]

    x = tri.zeros(3)
    run(program, x)
    assert x.tolist() == [1, 1, 0]


def test_an_element_of_the_target_is_read_first(run: Run) -> None:
    def program(x: Any) -> None:
        x[:] = x[1]

    x = tri.arange(3)
    run(program, x)
    assert x.tolist() == [1, 1, 1]


# ---- arguments that share memory


def test_one_tensor_as_two_arguments(run: Run) -> None:
    def program(x: Any, y: Any) -> Any:
        x.add_(1)
        return y * 2

    x = tri.tensor([1.0, 2.0])
    assert run(program, x, x).tolist() == [4, 6]
    assert x.tolist() == [2, 3]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_overlapping_arguments(run: Run) -> None:
    def program(x: Any, y: Any) -> Any:
        x.add_(1)
        return y * 2

    base = tri.arange(5)
    assert run(program, base[:4], base[1:]).tolist() == [4, 6, 8, 8]
    assert base.tolist() == [1, 2, 3, 4, 4]


def test_a_plan_for_apart_arguments_is_not_used_for_shared_ones() -> None:
    @tri.compile
    def program(x: Any, y: Any) -> Any:
        x.add_(1)
        return y * 2

    for _ in range(2):
        x, y = tri.zeros(2), tri.ones(2)
        assert program(x, y).tolist() == [2, 2]
        assert program(x, x).tolist() == [4, 4]
        assert program(y[:], y).tolist() == [4, 4]
    assert program.stats().eager_calls == 0


def test_a_captured_tensor_is_written(run: Run) -> None:
    count = tri.zeros(2)

    def program(x: Any) -> Any:
        count.add_(x)
        return count * 1

    for number in (1, 2):
        assert run(program, tri.ones(2)).tolist() == [number] * 2
    assert count.tolist() == [2, 2]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_more_of_the_storage_than_the_argument(run: Run) -> None:
    def program(x: Any) -> Any:
        x.as_strided((4,), (1,), 0).add_(1)
        return x.as_strided((), (), 3) + 0

    base = tri.zeros(4)
    assert run(program, base[1:2]).item() == 1
    assert base.tolist() == [1, 1, 1, 1]


def test_a_view_that_leaves_its_base_sees_what_was_written(run: Run) -> None:
    def program(x: Any) -> Any:
        nothing, first = x[3:], x[:1]
        x.add_(1)
        first.fill_(7)
        return nothing.as_strided((2,), (1,), 0) * 1, first.as_strided((3,), (1,)) * 1

    left, right = run(program, tri.arange(3))
    assert (left.tolist(), right.tolist()) == ([7, 2], [7, 2, 3])


def test_a_view_that_leaves_its_base_sees_what_was_computed(run: Run) -> None:
    def program(x: Any) -> Any:
        y = x + 1
        return y[3:].as_strided((2,), (1,), 0) * 2, y[:1].as_strided((2,), (1,)) * 2

    left, right = run(program, tri.arange(3))
    assert left.tolist() == right.tolist() == [2, 4]


def test_one_call_on_tensors_at_other_places() -> None:
    """Equal shapes and strides, another storage offset: as_strided counts from the storage."""
    base = tri.arange(8, dtype=tri.int32)
    first = base.as_strided((2,), (1,), 0)
    assert first.as_strided((2,), (1,), 2).storage_offset() == 2
    assert base[4:6].as_strided((2,), (1,), 2).storage_offset() == 2
    assert base[2:4].view(tri.int64).storage_offset() == 1
    with pytest.raises(RuntimeError, match="storage_offset"):
        base[1:3].view(tri.int64)


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_the_gaps_between_the_elements_of_an_argument(run: Run) -> None:
    def program(x: Any) -> None:
        x.zero_()
        x.add_(x.as_strided((1,), (1,), 1))

    base = tri.arange(4)
    run(program, base[::2])
    assert base.tolist() == [1, 1, 1, 3]


def test_results_that_are_one_tensor(run: Run) -> None:
    def program(x: Any) -> Any:
        y = x * 2
        return y, y.real, y.add_(1), y[:]

    first, second, third, view = run(program, tri.ones(2))
    assert first is second is third
    assert view is not first
    assert address(view) == address(first)


# ---- out=


def test_out(run: Run) -> None:
    def program(x: Any, out: Any) -> Any:
        return tri.add(x, 1, out=out)

    out = tri.zeros(2, 3, dtype=tri.float64).t()
    assert run(program, tri.ones(3, 2), out) is out
    assert out.tolist() == [[2, 2]] * 3
    assert (out.stride(), out.dtype) == ((1, 3), tri.float64)


def test_out_of_a_comparison_takes_any_dtype(run: Run) -> None:
    def program(x: Any, out: Any) -> None:
        tri.lt(x, 2, out=out)

    out = tri.zeros(3, dtype=tri.int32)
    run(program, tri.arange(3), out)
    assert out.tolist() == [1, 1, 0]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_out_is_resized_with_a_warning(run: Run) -> None:
    def program(x: Any, out: Any) -> Any:
        return tri.add(x.t(), 1, out=out)

    out = tri.zeros(3)
    text = (
        r"An output with one or more elements was resized since it had shape \[3\], which does not "
        r"match the required output shape \[3, 2\]\. This behavior is deprecated"
    )
    with pytest.warns(UserWarning, match=text):
        assert run(program, tri.zeros(2, 3), out) is out
    assert (out.shape, out.stride()) == ((3, 2), (1, 3))
    assert out.tolist() == [[1, 1]] * 3


def test_an_empty_out_is_resized_silently(run: Run) -> None:
    def program(x: Any, out: Any) -> Any:
        return tri.add(x.t(), 1, out=out)

    out = tri.zeros(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", tri.TrilithWarning)
        run(program, tri.zeros(2, 3), out)
    assert (out.shape, out.stride()) == ((3, 2), (1, 3))


def test_an_intermediate_out_is_resized(run: Run) -> None:
    def program(x: Any) -> Any:
        out = tri.empty(0)
        tri.add(x, 1, out=out)
        return out

    assert run(program, tri.ones(2, 2)).tolist() == [[2, 2], [2, 2]]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_a_view_that_is_resized_grows_its_base(run: Run) -> None:
    def program(x: Any) -> Any:
        base = x * 0
        part = base[2:2]
        tri.add(x, 1, out=part)
        return base, part

    base, part = run(program, tri.ones(3))
    assert part.tolist() == [2, 2, 2]
    assert (part.storage_offset(), address(part)) == (2, address(base))
    assert base.tolist() == [0, 0, 2]
