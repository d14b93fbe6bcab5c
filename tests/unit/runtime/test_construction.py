"""What does `tensor` do beyond the recorded answers: sharing, layout, devices, defaults?"""

import warnings
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import trilith as tri
from trilith.dialects import frames


@pytest.fixture
def default_dtype() -> Iterator[None]:
    yield
    tri.set_default_dtype(tri.float32)


def test_tensor_copies_and_as_tensor_shares():
    array = np.zeros(3, np.float32)
    copied, shared, same = tri.tensor(array), tri.as_tensor(array), tri.asarray(array, copy=False)
    array[0] = 7
    assert (copied[0].item(), shared[0].item(), same[0].item()) == (0, 7, 7)
    assert tri.as_tensor(shared) is shared
    assert tri.asarray(shared, copy=True).data_ptr() != shared.data_ptr()
    assert tri.as_tensor(array, dtype=tri.float64).data_ptr() != shared.data_ptr()


def test_copy_keeps_the_order_of_dims():
    x = tri.zeros(4, 6).t()[::2]
    assert tri.tensor(x).stride() == (1, 3)
    assert tri.tensor(np.asfortranarray(np.ones((2, 3), np.int8)), dtype=tri.int64).stride() == (
        1,
        2,
    )


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (tri.float8_e4m3fn, [448.0, 1.0]),
        (tri.float8_e5m2, [512.0, 1.0]),
        (tri.float8_e8m0fnu, [512.0, 1.0]),
        (tri.bfloat16, [500.0, 1.0]),
        (tri.float16, [500.0, 1.0]),
    ],
)
def test_narrow_floats_round_as_conversions_do(dtype: tri.dtype, expected: list[float]):
    assert tri.tensor([500.0, 1.0], dtype=dtype).tolist() == expected


@pytest.mark.parametrize(
    "dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn]
)
def test_types_of_ml_dtypes_come_and_go(dtype: Any):
    array = np.array([1.5, -2.0], dtype)
    x = tri.tensor(array)
    assert x.dtype.name == np.dtype(dtype).name
    assert x.numpy().dtype == array.dtype
    assert x.numpy().tobytes() == array.tobytes()


def test_long_lists():
    numbers = list(range(100_000))
    assert np.array_equal(tri.tensor(numbers).numpy(), np.arange(100_000))
    mixed = [*numbers, 0.5]
    assert tri.tensor(mixed).dtype is tri.float32


def test_list_that_holds_itself():
    items: list[Any] = [1]
    items[0] = items
    with pytest.raises(ValueError, match="too many dimensions 'list'"):
        tri.tensor(items)


def test_default_device_moves_what_is_made_of_data():
    host = tri.ones(2)
    with tri.device("meta"):
        moved = [tri.tensor([1]), tri.as_tensor(np.ones(2)), tri.as_tensor(host), tri.rand(2)]
        stay = [tri.from_numpy(np.ones(2)), tri.FloatTensor(2), host.new_tensor(1)]
        stay += [tri.empty_like(host), tri.zeros(2, device="cpu")]
    assert {x.device.type for x in moved} == {"meta"}
    assert {x.device.type for x in stay} == {"cpu"}
    assert tri.tensor([1]).device.type == "cpu"


def test_complex_of_narrow_default_dtypes(default_dtype: None):
    tri.set_default_dtype(tri.float16)
    assert tri.tensor(1j).dtype is tri.complex32
    assert tri.full((1,), 1j).dtype is tri.complex64
    tri.set_default_dtype(tri.bfloat16)
    assert tri.full((1,), 1j).dtype is tri.complex64
    with pytest.raises(RuntimeError, match="invalid default scalar type for complex"):
        tri.tensor(1j)


def test_complex32_warns_once():
    frames.WARNED.clear()
    with pytest.warns(UserWarning, match="ComplexHalf support is experimental") as caught:
        tri.zeros(1, dtype=tri.complex32)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tri.tensor([1j], dtype=tri.complex32)


def test_a_gradient_may_be_required_from_the_start():
    makers = (
        lambda: tri.zeros(2, requires_grad=True),
        lambda: tri.tensor([1.0, 2.0], requires_grad=True),
        lambda: tri.ones(1).new_tensor([1.0], requires_grad=True),
        lambda: tri.ones(1).new_zeros(2, requires_grad=True),
        lambda: tri.ones(2).new_empty((2,), requires_grad=True),
        lambda: tri.zeros_like(tri.ones(2), requires_grad=True),
        lambda: tri.asarray([1.0], requires_grad=True),
        lambda: tri.frombuffer(bytearray(8), dtype=tri.float32, requires_grad=True),
        lambda: tri.arange(0.0, 3.0, requires_grad=True),
        lambda: tri.randn(3, requires_grad=True),
        lambda: tri.eye(2, requires_grad=True),
    )
    for make in makers:
        made = make()
        assert made.requires_grad
        assert made.is_leaf
    with tri.no_grad():
        assert tri.ones(2, requires_grad=True).requires_grad


def test_a_gradient_left_behind_is_warned_of():
    x = tri.tensor([1.0, 2.0], requires_grad=True)
    with pytest.warns(UserWarning, match="it is recommended to use sourceTensor.detach"):
        assert not tri.tensor(x).requires_grad


def test_integers_have_no_gradients():
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype"):
        tri.zeros(2, dtype=tri.int32, requires_grad=True)
