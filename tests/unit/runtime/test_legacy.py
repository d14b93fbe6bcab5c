"""Do PyTorch's oldest names mean here what they mean there? See also `creation.json`."""

import numpy as np
import pytest

import trilith as tri

NAMES = {
    "Float": tri.float32,
    "Double": tri.float64,
    "Half": tri.float16,
    "BFloat16": tri.bfloat16,
    "Byte": tri.uint8,
    "Char": tri.int8,
    "Short": tri.int16,
    "Int": tri.int32,
    "Long": tri.int64,
    "Bool": tri.bool,
}


@pytest.mark.parametrize(("word", "dtype"), NAMES.items(), ids=NAMES)
def test_constructor(word: str, dtype: tri.dtype):
    made = getattr(tri, f"{word}Tensor")
    assert made(2, 3).shape == (2, 3)
    assert made(2, 3).dtype is dtype
    assert made(tri.Size([4])).shape == (4,)
    assert made([[1, 0]]).tolist() == [[1, 0]]
    assert isinstance(made(1), made)
    assert made(1).type() == f"trilith.{word}Tensor"
    assert tri.zeros(1).type(f"torch.{word}Tensor").dtype is dtype
    assert tri.zeros(1).type(made).dtype is dtype
    assert f"{word}Tensor" in dir(tri)


def test_tensor_of_the_same_type_shares_memory():
    x = tri.zeros(2)
    y = tri.FloatTensor(x)
    assert y is not x
    assert y.data_ptr() == x.data_ptr()


def test_array_is_copied_and_converted():
    array = np.array([1.7, -1.7])
    assert tri.LongTensor(array).tolist() == [1, -1]
    assert tri.DoubleTensor(array).data_ptr() != array.ctypes.data


def test_cuda_is_not_there():
    with pytest.raises(TypeError, match=r"type trilith.cuda.FloatTensor not available. Torch not"):
        tri.cuda.FloatTensor(2)
    assert not tri.cuda.is_available()
    assert not isinstance(tri.zeros(1), tri.cuda.FloatTensor)
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        tri.cuda.synchronize()


def test_what_does_nothing_without_cuda_does_nothing():
    before = tri.get_rng_state().tolist()
    found = [tri.cuda.manual_seed(1), tri.cuda.manual_seed_all(1), tri.cuda.empty_cache()]
    assert found == [None, None, None]
    assert tri.get_rng_state().tolist() == before


def test_type_on_meta():
    x = tri.zeros(2, device="meta")
    assert x.type() == "trilith.meta.FloatTensor"
    assert not isinstance(x, tri.FloatTensor)


def test_type_inside_a_compiled_function():
    convert = tri.compile(lambda x: x.type("trilith.LongTensor") + 1)
    assert convert(tri.tensor([1.5])).tolist() == [2]
