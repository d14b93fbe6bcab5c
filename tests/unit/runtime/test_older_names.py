"""Do names that old programs use mean what they mean in PyTorch? The answers are torch 2.13's."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import trilith as tri

face: Any = tri


def ones(*sizes: int) -> Any:
    return tri.ones(*sizes)


APPLIED: list[tuple[Any, Callable[[Any], Any], list[Any]]] = [
    (tri.float32, lambda x: x * 1.5, [0.0, 1.5]),
    (tri.int32, lambda x: x + 1.5, [1, 2]),
    (tri.bool, lambda x: not x, [True, False]),
    (tri.complex64, lambda x: x * 2j, [0j, 2j]),
    (tri.bfloat16, lambda x: x * 3, [0.0, 3.0]),
]


@pytest.mark.parametrize(("dtype", "function", "expected"), APPLIED)
def test_functions_of_numbers_are_applied(
    dtype: Any, function: Callable[[Any], Any], expected: list[Any]
):
    x: Any = tri.arange(2).to(dtype)
    assert x.apply_(function) is x
    assert x.tolist() == expected
    assert x.dtype is dtype


def test_functions_are_applied_in_the_order_of_elements():
    x: Any = tri.arange(4).reshape(2, 2).t()
    seen: list[int] = []

    def see(number: int) -> int:
        seen.append(number)
        return number

    x.apply_(see)
    assert seen == [0, 2, 1, 3]
    with pytest.raises(TypeError, match="must be real number, not str"):
        x.apply_(str)


def test_new_takes_sizes_or_data():
    x: Any = tri.zeros(1, dtype=tri.int32)
    assert x.new(2, 3).shape == (2, 3)
    assert x.new([1, 2]).tolist() == [1, 2]
    assert x.new([1, 2]).dtype is tri.int32
    assert x.new(tri.Size((1, 2))).shape == (1, 2)
    with pytest.raises(TypeError, match="data must be a sequence"):
        x.new(2.5)


def test_the_order_of_dims():
    x = ones(2, 3, 4)
    assert x.permute(2, 0, 1).dim_order() == (1, 2, 0)
    images: Any = tri.ones(2, 3, 4, 4).to(memory_format=tri.channels_last)
    assert images.dim_order(ambiguity_check=True) == (0, 2, 3, 1)
    assert (x.sparse_dim(), x.dense_dim()) == (0, 3)
    formats = [tri.contiguous_format, tri.channels_last]
    assert ones(2, 3, 4, 4).dim_order(ambiguity_check=formats) == (0, 1, 2, 3)
    for ambiguous, check in ((ones(1, 1, 4, 4), formats), (ones(2, 1), True)):
        with pytest.raises(RuntimeError, match="does not have unique dim order"):
            ambiguous.dim_order(ambiguity_check=check)
    with pytest.raises(TypeError, match="must be a bool or a list"):
        x.dim_order(ambiguity_check=3)


def test_methods_are_functions():
    x: Any = tri.arange(4.0)
    face.detach(x).add_(1)
    assert x.tolist() == [1, 2, 3, 4]
    assert face.detach_(x) is x
    assert face.as_strided_(x, (2,), (3,)) is x
    assert x.tolist() == [1, 4]
    assert face.resize_as_(x, ones(1, 2)).shape == (1, 2)
    assert tri.from_dlpack(face.to_dlpack(x)).tolist() == [[1, 2]]
    with pytest.raises(TypeError, match=r"detach\(\): argument 'input' \(position 1\) must be"):
        face.detach(3)


@pytest.fixture
def modes() -> Iterator[None]:
    yield
    face.set_deterministic_debug_mode(0)
    face.set_float32_matmul_precision("highest")


@pytest.mark.usefixtures("modes")
def test_what_is_asked_for_is_kept():
    face.use_deterministic_algorithms(True, warn_only=True)
    assert face.are_deterministic_algorithms_enabled()
    assert face.is_deterministic_algorithms_warn_only_enabled()
    assert face.get_deterministic_debug_mode() == 1
    face.set_deterministic_debug_mode("error")
    assert face.get_deterministic_debug_mode() == 2
    face.set_float32_matmul_precision("medium")
    assert face.get_float32_matmul_precision() == "medium"
    with pytest.warns(UserWarning, match="low is not one of 'highest', 'high', or 'medium'"):
        face.set_float32_matmul_precision("low")
    with pytest.raises(RuntimeError, match="invalid value of debug_mode"):
        face.set_deterministic_debug_mode("loud")


def test_leftovers_of_gradients():
    assert ones(1).name is None
    with pytest.warns(UserWarning, match="volatile was removed"):
        assert ones(1).volatile is False
