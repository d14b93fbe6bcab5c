"""Do factories work inside compiled functions, without touching memory that nobody wrote?"""

from typing import Any

import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import ALL_DTYPES


def test_empty_launches_nothing():
    traced = tri.trace(lambda: tri.empty(2, 3))
    assert not traced.lower().kernels
    x = tri.compile(lambda: tri.empty(2, 3, dtype=tri.int8))()
    assert (x.shape, x.dtype) == ((2, 3), tri.int8)


def test_empty_takes_layouts():
    x = tri.zeros(1, 2, 3, 4).to(memory_format=tri.channels_last)
    assert tri.compile(lambda x: tri.empty_like(x))(x).stride() == (24, 1, 8, 2)

    @tri.compile
    def both() -> tuple[tri.Tensor, tri.Tensor]:
        made = tri.empty(2, 3)
        return made, made.t()

    y, z = both()
    assert z.stride() == (1, 3)
    assert z.data_ptr() == y.data_ptr()


def test_empty_that_is_filled():
    def prepend(y: tri.Tensor) -> tri.Tensor:
        x: Any = tri.empty_like(y)
        x[0] = 1
        x[1:] = y[1:]
        return x

    y = tri.tensor([5.0, 6.0, 7.0])
    assert tri.compile(prepend)(y).tolist() == prepend(y).tolist() == [1, 6, 7]


def test_numbers_of_a_compiled_function():
    assert tri.compile(lambda n: tri.full((2,), n))(3).dtype is tri.int64
    assert tri.compile(lambda n: tri.full((2,), n))(3.5).tolist() == [3.5, 3.5]
    spaced = tri.compile(lambda a, b: tri.linspace(a, b, 5))
    assert spaced(0, 2.0).tolist() == [0, 0.5, 1, 1.5, 2]
    assert spaced(tri.tensor(4), tri.tensor(0.0)).tolist() == [4, 3, 2, 1, 0]


def test_methods_and_eye():
    def combine(x: tri.Tensor) -> tri.Tensor:
        return x.new_zeros(2, 2, dtype=tri.int8) + x.new_full((2,), 3) + tri.eye(2)

    assert tri.compile(combine)(tri.zeros(1)).tolist() == [[4, 3], [3, 4]]


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_is_made(dtype: tri.dtype):
    assert tri.empty(2, 3, dtype=dtype).dtype is dtype
    zeros: Any = tri.zeros(2, 3, dtype=dtype)
    assert zeros.clone().view(tri.uint8).tolist() == zeros.view(tri.uint8).tolist()
    assert not zeros.view(tri.uint8).any()
    assert tri.empty(2, dtype=dtype, device="meta").untyped_storage().device.type == "meta"
    if dtype is not tri.float4_e2m1fn_x2:
        one = tri.ones(2, dtype=dtype).to(tri.complex64 if dtype.is_complex else tri.float32)
        assert one.tolist() == [1, 1]


def test_out():
    target = tri.ones(3)
    assert tri.arange(3, out=target) is target
    assert target.tolist() == [0, 1, 2]
    assert tri.linspace(0, 1, 3, out=target).tolist() == [0, 0.5, 1]
    assert tri.zeros(3, out=target).tolist() == [0, 0, 0]


def test_meta_has_no_memory():
    x = tri.zeros(1 << 30, 1 << 20, device="meta")
    assert x.numel() == 1 << 50
    assert tri.linspace(0, 1, 4, device="meta").shape == (4,)
    assert tri.tensor([[1, 2]], device="meta").dtype is tri.int64


def test_strides_of_more_storage_than_can_be_counted():
    text = (
        r"Storage size calculation overflowed with sizes=\[2, 3\] and strides=\[4611686018427387904"
    )
    with pytest.raises(RuntimeError, match=text):
        tri.empty_strided((2, 3), (2**62, 1))
    with pytest.raises(RuntimeError, match=text):
        tri.ones(1).new_empty_strided((2, 3), (2**62, 1))
    assert tri.empty_strided((2, 3), (2**62, 1), device="meta").shape == (2, 3)
    assert tri.empty_strided((2, 0), (2**62, 1)).shape == (2, 0)
