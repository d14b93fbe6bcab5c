"""Does a tensor tell its attributes and turn into Python values as PyTorch's does?"""

import copy
import operator
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.device import meta
from trilith.dialects.attributes.layout import sparse_coo
from trilith.dialects.attributes.memory_format import (
    channels_last,
    channels_last_3d,
    preserve_format,
)
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.devices.base import allocate, runtime_of
from trilith.runtime.execution.storage import Storage
from trilith.runtime.tensors.interchange import from_numpy
from trilith.runtime.tensors.size import Size
from trilith.runtime.tensors.tensor import Tensor, adopt, empty_tensor, tensor_from_bytes


def tensor(values: Any, dtype: Any = np.float32) -> Tensor:
    return from_numpy(np.array(values, dtype))


def on_meta(*shape: int) -> Tensor:
    return empty_tensor(TensorSpec.of(shape, dtypes.float32, meta))


def of_dtype(dtype: dtypes.DType, *shape: int) -> Tensor:
    spec = TensorSpec.of(shape, dtype)
    return tensor_from_bytes(spec, bytes(spec.nbytes))


# Size


def test_size_is_a_tuple_that_prints_as_a_shape():
    size = Size([2, 3])
    assert size == (2, 3)
    assert isinstance(size, tuple)
    assert hash(size) == hash((2, 3))
    assert repr(size) == "trilith.Size([2, 3])"
    assert str(Size()) == "trilith.Size([])"


MADE: list[tuple[Callable[[Any], Any], tuple[int, ...]]] = [
    (lambda s: s[1:], (3,)),
    (lambda s: operator.add(s, (4,)), (2, 3, 4)),
    (lambda s: operator.add((1,), s), (1, 2, 3)),
    (lambda s: s * 2, (2, 3, 2, 3)),
    (lambda s: 2 * s, (2, 3, 2, 3)),
    (lambda s: pickle.loads(pickle.dumps(s)), (2, 3)),
]


@pytest.mark.parametrize(("made", "expected"), MADE)
def test_what_is_made_of_a_size_is_a_size(made: Any, expected: tuple[int, ...]):
    result = made(Size((2, 3)))
    assert type(result) is Size
    assert result == expected


def test_size_elements_and_errors():
    assert Size((2, 3))[0] == 2
    assert Size((2, 3))[-1] == 3
    assert Size((2, 3)).numel() == 6
    assert Size().numel() == 1
    with pytest.raises(TypeError, match=r"takes an iterable of 'int' \(item 0 is 'str'\)"):
        Size(["a"])
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        Size(3)
    with pytest.raises(TypeError):
        operator.add(Size((1,)), [2])


# Attributes


def test_attributes():
    x = tensor(np.arange(24).reshape(2, 3, 4))
    assert x.shape == x.size() == (2, 3, 4)
    assert type(x.shape) is Size
    assert x.stride() == (12, 4, 1)
    assert x.stride(1) == x.stride(-2) == 4
    assert (x.ndim, x.dim(), x.numel(), x.nelement(), len(x)) == (3, 3, 24, 24, 2)
    assert (x.itemsize, x.element_size(), x.nbytes) == (4, 4, 96)
    assert x.dtype is dtypes.float32
    assert str(x.device) == "cpu"
    assert str(x.layout)
    assert x.is_cpu
    assert not x.is_meta
    assert not x.is_sparse
    assert x.get_device() == -1
    assert x.storage_offset() == 0
    assert x.untyped_storage().nbytes() == 96
    assert x.is_floating_point()
    assert x.is_signed()
    assert not x.is_complex()
    assert hash(x) == object.__hash__(x)


@pytest.mark.parametrize("dim", [2, -3, 5])
def test_a_dim_out_of_range(dim: int):
    text = rf"Dimension out of range \(expected to be in range of \[-2, 1\], but got {dim}\)"
    for method in (tensor([[1.0]]).size, tensor([[1.0]]).stride):
        with pytest.raises(IndexError, match=text):
            method(dim)


def test_a_dim_of_a_scalar():
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        tensor(1).size(0)


def test_memory_formats():
    x = of_dtype(dtypes.float32, 2, 3, 4, 5)
    assert x.is_contiguous()
    assert x.is_contiguous(memory_format=preserve_format)
    assert not x.is_contiguous(memory_format=channels_last)
    y = Tensor(x.memory, TensorSpec.of((2, 3, 4, 5), dtypes.float32, strides=(60, 1, 15, 3)))
    assert y.is_contiguous(memory_format=channels_last)
    assert not y.is_contiguous()
    assert not y.is_contiguous(memory_format=channels_last_3d)


def test_a_view_shares_the_storage_and_knows_its_place():
    x = tensor(np.arange(6))
    y = Tensor(x.memory, TensorSpec.of((2,), dtypes.float32, strides=(2,)), 1)
    assert y.tolist() == [1.0, 3.0]
    assert y.storage_offset() == 1
    assert y.data_ptr() == x.data_ptr() + 4
    assert y.untyped_storage() is x.untyped_storage()


def test_a_view_must_lie_inside_its_storage():
    memory = tensor(np.arange(6)).memory
    for shape, strides, offset in (((7,), (1,), 0), ((2,), (1,), 5), ((2, 2), (5, 1), 0)):
        with pytest.raises(RuntimeError, match="out of bounds for storage of size 24"):
            Tensor(memory, TensorSpec.of(shape, dtypes.float32, strides=strides), offset)
    with pytest.raises(RuntimeError, match="invalid storage offset -1"):
        Tensor(memory, TensorSpec.of((1,), dtypes.float32), -1)


def test_a_storage_holds_strided_tensors_of_its_device():
    memory = tensor([1]).memory
    for spec in (
        TensorSpec.of((1,), dtypes.float32, meta),
        TensorSpec.of((1,), dtypes.float32, layout=sparse_coo),
    ):
        with pytest.raises(RuntimeError, match="a storage on cpu cannot hold a"):
            Tensor(memory, spec)


def test_the_constructor_is_also_pytorchs_legacy_one():
    x = tensor([1, 2], np.int32)
    assert Tensor().shape == (0,)
    assert Tensor(2, 3).shape == Tensor(Size((2, 3))).shape == (2, 3)
    assert Tensor(2, 3).dtype is dtypes.float32
    assert Tensor([1, 2], device="cpu").tolist() == [1, 2]
    assert Tensor(x).is_set_to(x)
    assert Tensor(tensor([1, 2]).untyped_storage()).tolist() == [1, 2]
    for arguments in (("a",), (2.5,), (None,), (2, 2.5), ([1, 2], None)):
        with pytest.raises(TypeError, match=r"new\(\)"):
            Tensor(*arguments)
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        Tensor(-1)
    with pytest.raises(RuntimeError, match="legacy constructor expects device type: cpu"):
        Tensor([1], device="meta")


def test_an_empty_tensor_has_no_address():
    x = empty_tensor(TensorSpec.of((2, 0), dtypes.float32))
    assert x.data_ptr() == 0
    assert x.tolist() == [[], []]
    assert x.numpy().shape == (2, 0)


def test_a_program_keeps_attributes_of_its_own_on_tensors():
    x: Any = tensor(1.0)
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'foo'"):
        operator.attrgetter("foo")(x)
    x.foo = [5]
    copied, pickled = copy.deepcopy(x), pickle.loads(pickle.dumps(x))
    assert (x.foo, copied.foo, pickled.foo) == ([5], [5], [5])
    assert copied.foo is not x.foo
    assert not hasattr(x.clone(), "foo")
    del x.foo
    assert not hasattr(x, "foo")
    with pytest.raises(AttributeError, match="foo"):
        del x.foo


@pytest.mark.parametrize("name", ["shape", "spec", "add", "dtype", "state"])
def test_what_a_tensor_has_is_not_assigned(name: str):
    with pytest.raises(AttributeError, match=name):
        setattr(tensor(1.0), name, 1)


# Python values


@pytest.mark.parametrize("dtype", dtypes.ALL_DTYPES[:-1], ids=str)
def test_every_dtype_has_python_values(dtype: dtypes.DType):
    x = of_dtype(dtype, 2)
    zero = 2.0**-127 if dtype is dtypes.float8_e8m0fnu else 0
    assert x.tolist() == [zero, zero]
    kind = complex if dtype.is_complex else float if dtype.is_floating_point else int
    kind = bool if dtype is dtypes.bool_ else kind
    assert [type(value) for value in x.tolist()] == [kind, kind]
    assert type(of_dtype(dtype).item()) is kind


def test_float4_has_no_python_values():
    with pytest.raises(RuntimeError, match="load_scalar: invalid type"):
        of_dtype(dtypes.float4_e2m1fn_x2, 2).tolist()
    with pytest.raises(NotImplementedError, match="_local_scalar_dense_cpu"):
        of_dtype(dtypes.float4_e2m1fn_x2).item()


def test_values_of_narrow_dtypes_are_exact():
    values = [0.1, -2.5, float("inf")]
    for dtype in (ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e5m2):
        array = np.array(values, dtype)
        assert from_numpy(array).tolist() == [float(value) for value in array]


def test_conversions():
    assert int(tensor([3.7])) == 3
    assert int(tensor([[True]], np.bool_)) == 1
    assert float(tensor([2], np.int32)) == 2.0
    assert complex(tensor(1j, np.complex64)) == 1j
    assert float(tensor([2 + 0j], np.complex64)) == 2.0
    assert np.isnan(float(tensor(np.nan)))
    assert bool(tensor([2.0]))
    assert not bool(tensor([[0]], np.int8))
    assert bool(tensor(1j, np.complex64))
    assert range(10)[tensor(2, np.int64)] == 2
    assert range(10)[tensor([[3]], np.uint8)] == 3
    assert range(10)[tensor(True, np.bool_)] == 1
    assert f"{tensor(1.5):.3f}" == "1.500"
    assert f"{tensor([1.5])}" == "tensor([1.5000])"
    assert tensor(2**63 - 1, np.int64).item() == 2**63 - 1


ONE = "only one element tensors can be converted to Python scalars"
INDEX = "only integer tensors of a single element can be converted to an index"


FAILURES: dict[str, tuple[Any, type[Exception], str]] = {
    "len of a scalar": (lambda: len(tensor(1)), TypeError, r"len\(\) of a 0-d tensor"),
    "iteration over a scalar": (lambda: iter(tensor(1)), TypeError, "iteration over a 0-d tensor"),
    "bool of two": (
        lambda: bool(tensor([1, 2])),
        RuntimeError,
        "with more than one value is ambiguous",
    ),
    "bool of none": (lambda: bool(tensor([])), RuntimeError, "with no values is ambiguous"),
    "int of two": (lambda: int(tensor([1, 2])), ValueError, ONE),
    "float of none": (lambda: float(tensor([])), ValueError, ONE),
    "complex of two": (lambda: complex(tensor([1, 2])), ValueError, ONE),
    "item of two": (
        lambda: tensor([[1, 2]]).item(),
        RuntimeError,
        "a Tensor with 2 elements cannot be conv",
    ),
    "index of a float": (lambda: range(9)[tensor([1.5])], TypeError, INDEX),
    "index of two": (lambda: range(9)[tensor([1, 2], np.int64)], TypeError, INDEX),
    "int of complex": (
        lambda: int(tensor(1j, np.complex64)),
        RuntimeError,
        "to type int64_t without overflow",
    ),
    "float of complex": (
        lambda: float(tensor(1j, np.complex64)),
        RuntimeError,
        "to type double without overflow",
    ),
    "int of nan": (lambda: int(tensor(np.nan)), ValueError, "cannot convert float NaN to integer"),
    "int of inf": (
        lambda: int(tensor(np.inf)),
        OverflowError,
        "cannot convert float infinity to integer",
    ),
    "format of a vector": (
        lambda: f"{tensor([1.0]):.2f}",
        TypeError,
        "unsupported format string passed to Tensor",
    ),
    "tolist of meta": (
        lambda: on_meta(2).tolist(),
        NotImplementedError,
        "Cannot copy out of meta tensor; no data!",
    ),
    "item of meta": (
        lambda: on_meta(1).item(),
        RuntimeError,
        r"Tensor.item\(\) cannot be called on meta",
    ),
    "bool of meta": (
        lambda: bool(on_meta(1)),
        RuntimeError,
        r"Tensor.item\(\) cannot be called on meta",
    ),
    "numpy of meta": (
        lambda: on_meta(2).numpy(),
        TypeError,
        "can't convert meta device type tensor to numpy",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_conversions_that_fail(name: str):
    convert, error, text = FAILURES[name]
    with pytest.raises(error, match=text):
        convert()


def test_meta_has_attributes_but_no_memory():
    x = on_meta(1 << 20, 1 << 20)
    assert len(x) == 1 << 20
    assert x.data_ptr() == 0
    assert x.nbytes == 1 << 42
    assert x.untyped_storage().nbytes() == 1 << 42
    assert pickle.loads(pickle.dumps(x)).spec is x.spec


# Pickling and copying


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", dtypes.ALL_DTYPES, ids=str)
def test_pickles_by_value(dtype: dtypes.DType, protocol: int):
    spec = TensorSpec.of((2, 3), dtype, strides=(1, 2))
    x = tensor_from_bytes(spec, bytes(range(spec.nbytes)))
    y = pickle.loads(pickle.dumps(x, protocol))
    assert y.spec is x.spec
    assert y.numpy().tobytes() == x.numpy().tobytes()
    assert y.data_ptr() != x.data_ptr()


def test_pickles_views_and_expansions():
    x = tensor(np.arange(1000))
    y = Tensor(x.memory, TensorSpec.of((3, 4), dtypes.float32, strides=(0, 2)), 5)
    data = pickle.dumps([x, y])
    w, z = pickle.loads(data)
    assert z.tolist() == y.tolist()
    assert z.stride() == (0, 2)
    assert z.storage_offset() == 5
    assert z.untyped_storage() is w.untyped_storage()
    assert len(data) < 4500
    assert pickle.loads(pickle.dumps(tensor([]))).shape == (0,)
    assert pickle.loads(pickle.dumps(tensor(2.5))).item() == 2.5


def test_large_data_travels_out_of_band():
    x = tensor(np.arange(1000))
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(data) < 500
    assert len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).tolist() == x.tolist()


def test_copies():
    x = tensor([1, 2])
    assert copy.copy(x).untyped_storage() is x.untyped_storage()
    y = copy.deepcopy(x)
    y.numpy()[0] = 5
    assert x.tolist() == [1, 2]
    assert y.tolist() == [5, 2]


def test_bytes_must_fit():
    with pytest.raises(ValueError, match="expected 8 bytes, but got 7"):
        tensor_from_bytes(TensorSpec.of((2,), dtypes.float32), bytes(7))


# Storage


def test_a_storage_gives_its_block_back():
    allocator: Any = runtime_of(tensor(1).device).allocator
    before = allocator.stats().in_use
    x = empty_tensor(TensorSpec.of((1000,), dtypes.float32))
    y = adopt(x.memory, TensorSpec.of((10,), dtypes.float32))
    assert allocator.stats().in_use > before
    del x
    assert allocator.stats().in_use > before
    del y
    assert allocator.stats().in_use == before


def test_a_numpy_view_keeps_the_storage_alive():
    x = empty_tensor(TensorSpec.of((1000,), dtypes.float32))
    array = x.numpy()
    array[:] = 7
    address = x.data_ptr()
    del x
    others = [empty_tensor(TensorSpec.of((1000,), dtypes.float32)) for _ in range(4)]
    assert all(other.data_ptr() != address for other in others)
    assert (array == 7).all()


def test_a_storage_speaks_like_pytorchs():
    memory = allocate(24, tensor(1).device)
    assert (memory.nbytes(), memory.size(), len(memory)) == (24, 24, 24)
    assert memory.data_ptr() == memory.pointer
    assert memory.data_ptr() % 64 == 0
    assert repr(memory).endswith("\n[trilith.storage.UntypedStorage(device=cpu) of size 24]")
    assert isinstance(memory, Storage)
    assert memory.is_writable


def test_tensors_alive_at_exit_are_no_trouble():
    code = """
import numpy as np
from trilith.runtime.tensors.interchange import from_dlpack, from_numpy
from trilith.runtime.tensors.tensor import empty_tensor
from trilith.dialects.attributes.dtype import bfloat16
from trilith.dialects.attributes.spec import TensorSpec
small, large = (empty_tensor(TensorSpec.of((n,), bfloat16)) for n in (10, 10**7))
view, capsule, other = small.numpy(), large.__dlpack__(), from_dlpack(small)
cycle = [large]
cycle.append(cycle)
np.kept = [small, large]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_no_device_but_those_with_a_runtime():
    with pytest.raises(RuntimeError, match="no runtime for device type 'hip'"):
        empty_tensor(TensorSpec.of((1,), dtypes.float32, type(meta)("hip")))


def test_in_asks_whether_any_element_is_equal():
    x = tensor([[1, 2], [3, 4]], np.int64)
    assert 3 in x
    assert 5 not in x
    assert np.int64(4) in x
    assert (1 + 1j) not in x
    assert tensor([1, 5]) in x
    assert 1 in tensor(1)
    for element in ("a", None, [1]):
        with pytest.raises(RuntimeError, match="only supports Tensor or scalar, but you passed in"):
            assert element in x


def test_reversed_flips_the_first_dim():
    flip: Any = reversed
    assert flip(tensor([[1, 2], [3, 4]])).tolist() == [[3, 4], [1, 2]]
    assert [item.tolist() for item in flip(tensor([1, 2, 3]))] == [3, 2, 1]
    x = tensor(1)
    assert flip(x) is x


def test_items_cannot_be_deleted():
    with pytest.raises(TypeError, match="Tensor does not support deleting items"):
        del tensor([1, 2])[0]
