"""Do type checkers see what the face offers? Pyright reads the types here, pytest the values.

What a checker must refuse carries the name of the refusal, and a refusal that is missing is an
error, too.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from typing import Any, assert_type

import numpy as np
import pytest

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


def test_forms_of_where_and_split_have_types():
    x = tri.ones(4)
    assert len(assert_type(tri.where(x), tuple[tri.Tensor, ...])) == 1
    assert assert_type(tri.where(x > 0, x, 0), tri.Tensor).shape == (4,)
    assert len(assert_type(x.split(split_size=2), tuple[tri.Tensor, ...])) == 2
    assert len(assert_type(x.split([1, 3], dim=0), tuple[tri.Tensor, ...])) == 2
    assert len(tri.split(x, split_size_or_sections=2)) == 2


def test_methods_that_do_not_exist_are_errors():
    x = tri.ones(2)
    with pytest.raises(AttributeError):
        x.smu()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    with pytest.raises(AttributeError):
        tri.Tensor.smu  # pyright: ignore  # noqa: B018
    with pytest.raises(AttributeError):
        tri.smu  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # noqa: B018


@tri.compile
def scaled(x: tri.Tensor, factor: float = 2.0, *, shift: tri.Tensor) -> tri.Tensor:
    return x * factor + shift


@tri.compile(static_argnames="dim")
def both(x: tri.Tensor, dim: int) -> tuple[tri.Tensor, int]:
    return x.sum(dim), dim


@tri.compile(device="cpu")
def doubled(x: tri.Tensor) -> tri.Tensor:
    return 2 * x


def test_compiled_functions_keep_their_result():
    x = tri.ones(2, 2)
    assert assert_type(scaled(x, shift=x), tri.Tensor).tolist() == [[3, 3], [3, 3]]
    assert assert_type(scaled(x=x, factor=1.0, shift=x), tri.Tensor).shape == (2, 2)
    assert assert_type(both(x, dim=0), tuple[tri.Tensor, int])[1] == 0
    assert assert_type(doubled(x), tri.Tensor).shape == (2, 2)


def test_compiled_functions_refuse_wrong_arguments():
    x = tri.ones(2)
    with pytest.raises(TypeError):
        scaled(x)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError):
        scaled("x", shift=x)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError):
        both(x, "0")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError):
        doubled(x, x)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError):
        doubled(y=x)  # pyright: ignore[reportCallIssue]


class Layer:
    @tri.compile
    def forward(self, x: tri.Tensor) -> tri.Tensor:
        return x + 1

    @tri.compile(static_argnames="dim")
    def total(self, x: tri.Tensor, dim: int = 0) -> tri.Tensor:
        return x.sum(dim)


def test_compiled_methods_keep_their_signature():
    x = tri.ones(2)
    layer = Layer()
    assert assert_type(layer.forward(x), tri.Tensor).tolist() == [2, 2]
    assert assert_type(layer.total(x, dim=0), tri.Tensor).item() == 2
    with pytest.raises(TypeError):
        layer.forward(x, x)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError):
        layer.total(x, dim="0")  # pyright: ignore[reportArgumentType]


def test_parameters_of_lambdas_are_tensors_and_take_what_a_compiled_function_takes():
    x = tri.ones(2)
    assert assert_type(tri.compile(lambda x: x.sum())(x), tri.Tensor | Any).item() == 2
    assert tri.compile(lambda x, n: x * n)(np.ones(2), 3).tolist() == [3, 3]
    add = tri.compile(lambda x, y, z: x + y + z)
    assert assert_type(add(x, x, 1), tri.Tensor | Any).tolist() == [3, 3]
    with pytest.raises(AttributeError):
        tri.compile(lambda x: x.smu())(x)  # pyright: ignore
    assert "tri.sum" in str(tri.trace(lambda x: x.sum(), x))
