"""Do tensors share memory with NumPy and DLPack, and refuse what they cannot share?"""

import gc
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.device import meta
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.tensors import dlpack
from trilith.runtime.tensors.interchange import from_dlpack, from_numpy
from trilith.runtime.tensors.tensor import Tensor, empty_tensor, tensor_from_bytes

NARROW = [
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e5m2fnuz,
    ml_dtypes.float8_e8m0fnu,
]
WIDE = [
    *(np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.uint16, np.uint32, np.uint64),
    *(np.float16, np.float32, np.float64, np.complex64, np.complex128),
]


class Producer:
    """Exports an array with the given capsule options only."""

    def __init__(self, array: Any, device: tuple[int, int] = (1, 0), **allowed: Any) -> None:
        self.array = array
        self.device = device
        self.allowed = allowed

    def __dlpack__(self, **keywords: Any) -> Any:
        unknown = set(keywords) - set(self.allowed)
        if unknown:
            raise TypeError(f"unexpected {unknown}")
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


# NumPy


@pytest.mark.parametrize("kind", [*WIDE, *NARROW], ids=lambda kind: kind.__name__)
def test_arrays_of_every_dtype_are_shared(kind: Any):
    array = np.arange(2).astype(kind)
    x = from_numpy(array)
    assert x.dtype.numpy == array.dtype
    back = x.numpy()
    assert back.dtype == array.dtype
    back[0] = array[1]
    assert array[0] == array[1]
    assert back.__array_interface__["data"][0] == x.data_ptr()


def test_strides_and_offsets_come_along():
    array = np.arange(24, dtype=np.float32).reshape(4, 6)
    x = from_numpy(array[1:, ::2].T)
    assert x.shape == (3, 3)
    assert x.stride() == (2, 6)
    assert x.storage_offset() == 0
    np.testing.assert_array_equal(x.numpy(), array[1:, ::2].T)


def test_stride_of_zero_and_sizes_of_one_and_zero():
    assert from_numpy(np.broadcast_to(np.float32(1), (3,))).stride() == (0,)
    assert from_numpy(np.zeros((1, 5))[:, ::2]).stride() == (5, 2)
    assert from_numpy(np.zeros((2, 0))).shape == (2, 0)
    assert from_numpy(np.array(3.5)).item() == 3.5


def test_the_array_outlives_its_name():
    array = np.arange(1000.0)
    alive = weakref.ref(array)
    x = from_numpy(array)
    del array
    gc.collect()
    assert alive() is not None
    assert x.tolist()[-1] == 999
    del x
    assert alive() is None


def test_read_only_arrays_stay_read_only():
    array = np.arange(3)
    array.flags.writeable = False
    x = from_numpy(array)
    assert not x.untyped_storage().is_writable
    assert not x.numpy().flags.writeable
    assert not np.asarray(x).flags.writeable


class Unaligned:
    array = np.frombuffer(bytes(9), np.uint8)[1:].view(np.float32)


RECORD = np.dtype([("a", "f4"), ("b", "i2")])
SUPPORTED = "The only supported types are: float64, float32, float16, complex64, complex128, int64"
REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "list": ([1], TypeError, r"expected np.ndarray \(got list\)"),
    "tensor": (from_numpy(np.ones(1)), TypeError, r"expected np.ndarray \(got Tensor\)"),
    "scalar": (np.float32(1), TypeError, r"expected np.ndarray \(got numpy.float32\)"),
    "text": (
        np.array(["a"]),
        TypeError,
        f"can't convert np.ndarray of type numpy.str_. {SUPPORTED}",
    ),
    "date": (np.zeros(1, "M8[s]"), TypeError, "can't convert np.ndarray of type numpy.datetime64"),
    "long double": (np.zeros(1, "g"), TypeError, "of type numpy.longdouble"),
    "negative": (np.zeros(3)[::-1], ValueError, "At least one stride in the given numpy array is"),
    "byte order": (np.zeros(3, ">f4"), ValueError, "has byte order different from the native"),
    "record field": (np.zeros(3, RECORD)["a"], ValueError, "strides not a multiple of the element"),
    "unaligned": (Unaligned.array, ValueError, "is not aligned to its element size"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arrays_that_are_refused(name: str):
    array, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        from_numpy(array)


def test_the_array_protocol():
    x = from_numpy(np.arange(3, dtype=np.float32))
    assert np.asarray(x).__array_interface__["data"][0] == x.data_ptr()
    assert np.array(x).__array_interface__["data"][0] != x.data_ptr()
    assert np.asarray(x, dtype=np.int32).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="copy"):
        np.array(x, dtype=np.int32, copy=False)


def test_complex32_and_float4_in_numpy():
    x = tensor_from_bytes(
        TensorSpec.of((1,), dtypes.complex32), np.array([1, 2], np.float16).tobytes()
    )
    assert x.numpy()["real"][0] == 1
    assert x.numpy()["imag"][0] == 2
    assert from_numpy(x.numpy()).dtype is dtypes.complex32
    y = tensor_from_bytes(TensorSpec.of((2,), dtypes.float4_e2m1fn_x2), b"\x12\x34")
    assert y.numpy().tolist() == [0x12, 0x34]


# DLPack


@pytest.mark.parametrize("dtype", dtypes.ALL_DTYPES, ids=str)
def test_dlpack_round_trip(dtype: dtypes.DType):
    spec = TensorSpec.of((3, 2), dtype, strides=(1, 3))
    x = tensor_from_bytes(
        spec, bytes(range(spec.nbytes)) if dtype is not dtypes.bool_ else bytes(6)
    )
    y = from_dlpack(x)
    assert y.spec is x.spec
    assert y.data_ptr() == x.data_ptr()


@pytest.mark.parametrize("kind", WIDE, ids=lambda kind: kind.__name__)
def test_numpy_takes_and_gives_capsules(kind: Any):
    array = np.arange(6).astype(kind).reshape(2, 3)
    x = from_dlpack(array)
    assert x.data_ptr() == array.__array_interface__["data"][0]
    np.testing.assert_array_equal(np.from_dlpack(x), array)


def test_a_capsule_keeps_the_storage_alive():
    x = tensor_from_bytes(TensorSpec.of((2,), dtypes.bfloat16), b"\x80\x3f\x00\x40")
    memory = weakref.ref(x.untyped_storage())
    y = from_dlpack(x)
    del x
    gc.collect()
    assert y.tolist() == [1.0, 2.0]
    assert memory() is not None
    del y
    assert memory() is None


def test_a_capsule_nobody_takes_frees_the_storage():
    x = empty_tensor(TensorSpec.of((2,), dtypes.bfloat16))
    memory = weakref.ref(x.untyped_storage())
    capsule = x.__dlpack__()
    del x
    assert memory() is not None
    del capsule
    assert memory() is None


def test_versions():
    x = from_numpy(np.zeros(2))
    assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 0)))
    for version in (None, (0, 8)):
        assert '"dltensor"' in repr(x.__dlpack__(max_version=version))
    assert from_dlpack(Producer(np.ones(2))).tolist() == [1, 1]
    assert from_dlpack(Producer(np.ones(2), max_version=True)).tolist() == [1, 1]


def test_read_only_data_needs_a_versioned_capsule():
    x = from_numpy(np.broadcast_to(np.float32(1), (3,)))
    with pytest.raises(BufferError, match="Cannot export read-only data with unversioned DLPack"):
        x.__dlpack__()
    y = from_dlpack(x)
    assert not y.untyped_storage().is_writable
    assert from_dlpack(x, copy=True).untyped_storage().is_writable


def test_copies_on_demand():
    x = from_numpy(np.arange(3.0))
    assert from_dlpack(x, copy=True).data_ptr() != x.data_ptr()
    assert from_dlpack(x, copy=False).data_ptr() == x.data_ptr()


def test_places():
    x = from_numpy(np.zeros(2))
    assert x.__dlpack_device__() == (1, 0)
    assert x.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match=r"device \(2, 0\)"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="stream"):
        x.__dlpack__(stream=3)
    y = empty_tensor(TensorSpec.of((2,), dtypes.float32, meta))
    with pytest.raises(BufferError, match="Cannot pack tensors on meta"):
        y.__dlpack__()
    with pytest.raises(ValueError, match="Unknown device type meta for Dlpack"):
        y.__dlpack_device__()
    with pytest.raises(NotImplementedError, match="from_dlpack to meta"):
        from_dlpack(x, device="meta")


def test_data_elsewhere_is_asked_for_on_the_host():
    gpu = Producer(np.ones(2), (2, 0), max_version=True, dl_device=True)
    assert from_dlpack(gpu).tolist() == [1, 1]
    with pytest.raises(TypeError, match="unexpected"):
        from_dlpack(Producer(np.ones(2), (2, 0)))


def test_objects_that_are_no_tensors():
    with pytest.raises(TypeError, match="needs an object with __dlpack__"):
        from_dlpack(5)
    with pytest.raises(ValueError, match="negative strides"):
        from_dlpack(np.zeros(3)[::-1])

    class Spent:
        capsule = np.zeros(2).__dlpack__()

        def __dlpack__(self, **_: Any) -> Any:
            return self.capsule

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    assert from_dlpack(Spent()).tolist() == [0, 0]
    with pytest.raises(RuntimeError, match="can be consumed only once"):
        from_dlpack(Spent())


@pytest.mark.parametrize("options", [{}, {"max_version": (1, 0)}])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16])
def test_a_capsule_is_taken_once(dtype: dtypes.DType, options: dict[str, Any]):
    x = tensor_from_bytes(TensorSpec.of((3,), dtype), bytes(3 * dtype.itemsize))
    capsule = x.__dlpack__(**options)
    y = from_dlpack(capsule)
    assert (y.data_ptr(), y.dtype, y.untyped_storage().is_writable) == (x.data_ptr(), dtype, True)
    with pytest.raises(RuntimeError, match="can be consumed only once"):
        from_dlpack(capsule)


def test_a_capsule_keeps_its_memory_and_says_that_it_is_read_only():
    assert from_dlpack(np.arange(3.0).__dlpack__()).tolist() == [0, 1, 2]
    fixed = np.ones(2)
    fixed.flags.writeable = False
    taken = from_dlpack(fixed.__dlpack__(max_version=(1, 0)))
    assert not taken.untyped_storage().is_writable


def test_a_capsule_of_another_device_is_refused():
    capsule = np.ones(2).__dlpack__()
    dlpack.describe(capsule).device.type = dlpack.KDL_OPENCL
    try:
        with pytest.raises(BufferError, match=r"holds data on DLPack device \(4, 0\)"):
            from_dlpack(capsule)
    finally:
        dlpack.describe(capsule).device.type = dlpack.KDL_CPU


def test_foreign_dtypes_are_the_ones_numpy_lacks():
    for dtype in dtypes.ALL_DTYPES:
        x = Tensor(
            empty_tensor(TensorSpec.of((16,), dtypes.uint8)).memory, TensorSpec.of((1,), dtype)
        )
        try:
            x.numpy().__dlpack__()
            is_known = dtype is not dtypes.float4_e2m1fn_x2
        except BufferError:
            is_known = False
        assert is_known == (dtype not in dlpack.FOREIGN), dtype


def test_functions_of_numpy_give_tensors() -> None:
    t = from_numpy(np.array([1.0, 4.0], np.float32))
    scalar = from_numpy(np.array(4.0, np.float32))
    ones: Any = np.exp(t * 0)
    calls: list[tuple[Any, Any, dtypes.DType]] = [
        (np.sqrt(t), [1, 2], dtypes.float32),
        (np.add(t, 1), [2, 5], dtypes.float32),
        (np.add(np.ones(2), t), [2, 5], dtypes.float64),
        (np.greater(t, 2), [0, 1], dtypes.uint8),
        (np.sqrt(scalar), 2, dtypes.float32),
        (np.cumsum(t), [1, 5], dtypes.float32),
        (np.multiply.reduce(t), 4, dtypes.float32),
        (ones.sum(dim=0), 2, dtypes.float32),
        (np.divmod(t, 3)[1], [1, 1], dtypes.float32),
    ]
    for found, wanted, dtype in calls:
        assert type(found) is Tensor
        assert (found.tolist(), found.dtype) == (wanted, dtype)
    np.sqrt(t)[0] = 7
    assert t.tolist() == [1, 4]
