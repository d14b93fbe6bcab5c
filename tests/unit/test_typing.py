"""Do type checkers see what the face offers? Pyright reads the types here, pytest the values."""

from typing import assert_type

import numpy as np

import trilith as tri


def test_functions_and_methods_give_tensors():
    x = tri.tensor([1.0, 2.0])
    assert assert_type(x.sum(0).to(tri.float32), tri.Tensor).item() == 3
    assert assert_type(tri.add(x, x, alpha=2), tri.Tensor).tolist() == [3, 6]
    assert assert_type(2 * x - x / 2 + -x, tri.Tensor).tolist() == [0.5, 1]
    assert assert_type(x == 1, tri.Tensor).tolist() == [True, False]
    assert assert_type(x[0], tri.Tensor).item() == 1
    assert [assert_type(item, tri.Tensor).item() for item in x] == [1, 2]


def test_shapes_are_sequences_or_separate_integers():
    x = assert_type(tri.zeros(2, 3), tri.Tensor)
    assert tri.zeros((2, 3), dtype=tri.bool).shape == x.shape
    assert x.permute(1, 0).shape == x.permute([1, 0]).shape == x.T.shape == (3, 2)
    assert assert_type(x.sum(dim=(0, 1), keepdim=True), tri.Tensor).shape == (1, 1)


def test_arrays_and_numbers_are_operands():
    x = tri.tensor([1.0, 2.0])
    assert tri.add(np.ones(2, "f4"), x).tolist() == [2, 3]
    assert assert_type(x + np.float32(1), tri.Tensor).tolist() == [2, 3]


def test_dtypes_devices_and_formats_have_types():
    assert_type(tri.float32, tri.dtype)
    assert_type(tri.promote_types(tri.int8, tri.float), tri.dtype)
    assert_type(tri.zeros(1).device, tri.device)
    assert_type(tri.channels_last, tri.memory_format)
    assert_type(tri.strided, tri.layout)
    assert assert_type(tri.zeros(1, 2, device="cpu").shape, tri.Size) == (1, 2)


def test_compiled_functions_can_be_called():
    @tri.compile
    def double(x: tri.Tensor) -> tri.Tensor:
        return 2 * x

    assert double(tri.tensor([1.0])).tolist() == [2]
