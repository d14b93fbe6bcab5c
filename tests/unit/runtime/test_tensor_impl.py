"""`TensorImpl` beyond the recorded transcript: handles, sharing, flags, versions, misuse."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.execution.storage import UntypedStorage
from trilith.runtime.tensors.tensor_impl import TensorImpl


def made(*sizes: int) -> TensorImpl:
    impl = TensorImpl()
    impl.Resize(*sizes)
    impl.mutable_data(tri.float32)
    return impl


# Handles


def test_a_handle_changes_its_tensor():
    x: Any = tri.arange(6.0)
    impl = x.unsafeGetTensorImpl()
    assert impl.tensor() is x
    impl.set_sizes_and_strides([3, 2], [1, 3])
    assert x.tolist() == [[0, 3], [1, 4], [2, 5]]
    impl.set_sizes_and_strides([2], [1], 4)
    assert (x + 1).tolist() == [5, 6]
    impl.Resize(2, 2)
    assert x.shape == (2, 2)
    assert x.untyped_storage().nbytes() == 0, "four elements from place 4 on do not fit"
    impl.mutable_data()
    x.copy_(tri.ones(2, 2))
    assert x.tolist() == [[1, 1], [1, 1]]
    impl.mutable_data(tri.int8)
    assert x.dtype is tri.int8


def test_two_handles_agree():
    x: Any = tri.tensor(1.0)
    x.unsafeGetTensorImpl().set_wrapped_number(True)
    assert TensorImpl.of(x).is_wrapped_number()


def test_what_a_handle_tells():
    impl = TensorImpl.of(tri.zeros(2, 3, 4)[1, 2])
    assert (impl.sizes(), impl.strides(), impl.storage_offset()) == ((4,), (1,), 20)
    assert (impl.dim(), impl.numel(), impl.itemsize(), impl.is_empty()) == (1, 4, 4, False)
    assert (impl.dtype(), impl.device(), impl.device_type()) == (
        tri.float32,
        tri.device("cpu"),
        "cpu",
    )
    assert (impl.get_device(), impl.GetDevice()) == (-1, -1)
    assert [impl.is_cpu(), impl.is_meta(), impl.is_sparse(), impl.is_cuda(), impl.is_hip()] == [
        True,
        *[False] * 4,
    ]
    assert impl.layout() is tri.strided
    assert impl.autograd_meta() is impl.detach_autograd_meta() is None
    assert "TensorImpl([4], dtype=trilith.float32" in repr(impl)


def test_meta_tensors_have_an_inside_too():
    impl = TensorImpl(device="meta")
    impl.Resize(1 << 20, 1 << 20)
    assert not impl.storage_initialized()
    assert impl.mutable_data(tri.float32) == 0
    assert impl.storage().nbytes() == 1 << 42
    impl.Extend(1, 0)
    assert impl.sizes() == ((1 << 20) + 1, 1 << 20)
    impl.FreeMemory()
    assert not impl.storage_initialized()


def test_a_storage_to_begin_with():
    impl = TensorImpl(tri.int8, storage=UntypedStorage([1, 2, 3]))
    impl.Resize(3)
    assert impl.tensor().tolist() == [1, 2, 3]
    assert impl.has_storage()


# Growing


def test_extend_keeps_the_data_and_reserve_does_not_move_it():
    x: Any = tri.arange(6.0).reshape(2, 3).clone()
    impl = TensorImpl.of(x)
    impl.Extend(1, 100)
    assert x[:2].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (x.shape, impl.storage().nbytes()) == ((3, 3), 48)
    address = x.data_ptr()
    impl.Extend(1, 100)
    assert x.data_ptr() == address
    impl.reserve_space(100)
    address = x.data_ptr()
    impl.resize(100, 3)
    assert x.data_ptr() == address


def test_extend_of_a_view_copies_what_it_sees():
    x: Any = tri.arange(6.0)[3:]
    impl = TensorImpl.of(x)
    impl.Extend(1, 0)
    assert (x[:3].tolist(), x.storage_offset()) == ([3, 4, 5], 0)


def test_extend_without_memory_only_sets_the_size():
    impl = TensorImpl()
    impl.Resize(2, 3)
    impl.Extend(2, 0)
    assert (impl.sizes(), impl.storage_initialized()) == ((4, 3), False)


# Sharing

SHRINKING: dict[str, Callable[[TensorImpl], Any]] = {
    "FreeMemory": lambda impl: impl.FreeMemory(),
    "Resize": lambda impl: impl.Resize(100),
    "Extend": lambda impl: impl.Extend(100, 0),
    "ReserveSpace": lambda impl: impl.ReserveSpace(100),
}
HOLDERS: dict[str, Callable[[Any], Any]] = {
    "view": lambda x: x[1:],
    "detach": lambda x: x.detach(),
    "storage": lambda x: x.untyped_storage(),
    "numpy": lambda x: x.numpy(),
    "dlpack": lambda x: np.from_dlpack(x),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("name", SHRINKING)
def test_a_shared_storage_keeps_its_bytes(name: str, holder: str):
    x: Any = tri.arange(4.0)
    held = HOLDERS[holder](x)
    with pytest.raises(RuntimeError, match=f"{name} would free a storage that is shared"):
        SHRINKING[name](TensorImpl.of(x))
    assert x.tolist() == [0, 1, 2, 3]
    del held
    SHRINKING[name](TensorImpl.of(x))
    assert TensorImpl.of(x).use_count() == 1


def test_resizing_within_a_shared_storage_is_fine():
    x: Any = tri.arange(4.0)
    view = x[1:]
    TensorImpl.of(x).Resize(2)
    assert (x.tolist(), view.tolist()) == ([0, 1], [1, 2, 3])


def test_sharing_data():
    x: Any = tri.arange(6.0)[2:]
    impl = TensorImpl()
    impl.Resize(2, 2)
    impl.ShareData(x)
    assert impl.tensor().tolist() == [[2, 3], [4, 5]]
    assert impl.data() == x.data_ptr()


def test_sharing_an_expanded_tensor_would_leave_its_storage():
    impl = TensorImpl()
    impl.Resize(4)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 4"):
        impl.ShareData(tri.ones(1).expand(4))


def test_external_memory():
    array = np.arange(4, dtype=np.float32)
    impl = TensorImpl()
    impl.Resize(2, 2)
    impl.ShareExternalPointer(array, tri.float32)
    array[0] = 7
    assert impl.tensor().tolist() == [[7, 1], [2, 3]]
    impl.ShareExternalPointer(array.ctypes.data, tri.float32, array.nbytes)
    assert impl.tensor().tolist() == [[7, 1], [2, 3]]
    impl.FreeMemory()
    assert array[0] == 7
    impl.ShareExternalPointer(bytes(16), tri.float32)
    assert impl.tensor().tolist() == [[0, 0], [0, 0]]


# Flags and versions


def test_metadata_change_can_be_forbidden():
    x: Any = tri.arange(4.0)
    impl = TensorImpl.of(x)
    assert impl.allow_tensor_metadata_change()
    impl.set_allow_tensor_metadata_change(False)
    changes: list[Callable[[], Any]] = [
        lambda: x.resize_(2),
        lambda: x.set_(),
        lambda: x.unsqueeze_(0),
        lambda: setattr(x, "data", tri.ones(1)),
        lambda: impl.Resize(2),
        lambda: impl.Reshape(2, 2),
        lambda: impl.set_storage_offset(0),
        lambda: impl.set_storage(UntypedStorage(16)),
        lambda: impl.ShareData(tri.ones(4)),
        impl.FreeMemory,
    ]
    for change in changes:
        with pytest.raises(RuntimeError, match="is not allowed on a Tensor created from"):
            change()
    assert (x + 1).tolist() == [1, 2, 3, 4]
    impl.set_allow_tensor_metadata_change(True)
    assert x.resize_(2).tolist() == [0, 1]


def test_shallow_copies():
    x: Any = tri.arange(4.0)
    impl = TensorImpl.of(x)
    shared, alone = impl.shallow_copy_and_detach(), impl.shallow_copy_and_detach(0, False)
    assert shared.storage() is alone.storage() is impl.storage()
    impl.bump_version()
    assert (shared.version(), alone.version(), x._version) == (1, 0, 1)
    with pytest.raises(RuntimeError, match="is not allowed"):
        alone.set_size(0, 2)
    alone.set_version_counter(shared)
    shared.set_size(0, 2)
    assert (alone.numel(), shared.numel()) == (4, 2)


def test_a_counter_can_be_shared_by_tensors_of_two_storages():
    x: Any = tri.ones(1)
    y: Any = tri.ones(1)
    TensorImpl.of(x).set_version_counter(y)
    y.bump()
    x.bump()
    assert (x._version, y._version) == (2, 2)


def test_a_wrapped_number_counts_least_in_promotion():
    number: Any = tri.tensor(1.5, dtype=tri.float64)
    whole = tri.ones(1, dtype=tri.int32)
    assert tri.result_type(whole, number) is tri.float64
    number.unsafeGetTensorImpl().set_wrapped_number(True)
    assert tri.result_type(whole, number) is tri.float32
    assert tri.result_type(tri.tensor(1.0), number) is tri.float32


# Misuse

MISUSE: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no tensor": (lambda: TensorImpl.of(3), TypeError, "expected a Tensor, not int"),  # pyright: ignore
    "no dtype": (lambda: TensorImpl().tensor(), RuntimeError, "doesn't have initialized dtype"),
    "raw": (lambda: TensorImpl().mutable_data(), RuntimeError, "current meta is of unknown type"),
    "dtype": (lambda: TensorImpl().mutable_data(5), TypeError, "expected a dtype, not int"),
    "negative": (lambda: TensorImpl().Resize(-4), RuntimeError, "negative dimension -4"),
    "huge": (lambda: TensorImpl().Resize(2**62, 4), RuntimeError, "overflowed"),
    "no integer": (lambda: TensorImpl().Resize("a"), TypeError, "must be integers"),
    "no memory": (
        lambda: made(1).Resize(2**50) or made(2**50),
        RuntimeError,
        "can't allocate memory",
    ),
    "other dtype": (lambda: made(2).data(tri.int64), RuntimeError, "be long int, while tensor con"),
    "set_size": (lambda: made(2).set_size(0, -1), RuntimeError, "negative dimension -1"),
    "set_stride": (lambda: made(2).set_stride(0, -1), RuntimeError, r"got strides: \[-1\]"),
    "set_offset": (lambda: made(2).set_storage_offset(-1), RuntimeError, "invalid storage offset"),
    "far offset": (lambda: made(2).set_storage_offset(2**63), RuntimeError, "overflowed"),
    "Extend": (
        lambda: TensorImpl.of(tri.ones(2, 3).t()).Extend(1, 0),
        RuntimeError,
        "Right now Extend is only supported for contiguous Tensor.",
    ),
    "Reserve": (lambda: made().ReserveSpace(3), RuntimeError, "without dims has no rows"),
    "null": (lambda: made(2).ShareExternalPointer(0, tri.int8), RuntimeError, "address 0 cannot"),
    "short": (
        lambda: made(2).ShareExternalPointer(b"abc", tri.int32),
        RuntimeError,
        "requiring a storage size of 8 are out of bounds for storage of size 3",
    ),
    "crooked": (
        lambda: made(1).ShareExternalPointer(np.zeros(9, np.uint8)[1:], tri.int64),
        RuntimeError,
        "cannot hold elements of 8 bytes",
    ),
    "strided": (
        lambda: made(2).ShareExternalPointer(np.zeros(4)[::2], tri.float64),
        RuntimeError,
        "takes contiguous memory",
    ),
    "set_storage": (
        lambda: made(2).set_storage(UntypedStorage(7)),
        RuntimeError,
        "out of bounds for storage of size 7",
    ),
    "storage dtype": (
        lambda: made(2).set_storage(UntypedStorage(8), tri.int32),
        RuntimeError,
        "Could not set tensor of type int to a tensor of type float",
    ),
    "storage device": (
        lambda: made(2).set_storage(UntypedStorage(8, device="meta")),
        RuntimeError,
        'to a storage on different device "meta"',
    ),
    "shallow": (
        lambda: freed(tri.ones(2)).shallow_copy_and_detach(),
        RuntimeError,
        "an uninitialized storage has one owner and cannot be shared",
    ),
    "released": (
        lambda: released(tri.ones(2)).data(),
        RuntimeError,
        "Cannot access data pointer of Tensor that doesn't have storage",
    ),
    "released storage": (
        lambda: released(tri.ones(2)).storage(),
        RuntimeError,
        "Cannot access storage of TensorImpl",
    ),
    "undefined": (lambda: TensorImpl.undefined().Resize(2), RuntimeError, "an undefined Tensor"),
    "undefined size": (lambda: TensorImpl.undefined().size(0), RuntimeError, "an undefined Tensor"),
}


def freed(x: Any) -> TensorImpl:
    impl = TensorImpl.of(x)
    impl.FreeMemory()
    return impl


def released(x: Any) -> TensorImpl:
    impl = TensorImpl.of(x)
    impl.release_resources()
    return impl


@pytest.mark.parametrize("name", MISUSE)
def test_misuse(name: str):
    call, error, text = MISUSE[name]
    with pytest.raises(error, match=text) as caught:
        call()
    assert isinstance(caught.value, tri.TrilithError)


def test_read_only_memory_is_not_handed_out_for_writing():
    array = np.zeros(2, np.float32)
    array.flags.writeable = False
    impl = TensorImpl.of(tri.from_numpy(array))
    assert impl.data() == array.ctypes.data
    with pytest.raises(RuntimeError, match="the memory of the tensor is read-only"):
        impl.mutable_data()


def test_a_program_that_uses_freed_memory_lives():
    code = """
import trilith as tri
from trilith.runtime.tensors.tensor_impl import TensorImpl

def attempts(x):
    yield lambda: x + 1
    yield lambda: x.tolist()
    yield lambda: x.numpy()
    yield lambda: x.add_(1)
    yield lambda: x.copy_(tri.ones(1 << 20))
    yield lambda: tri.add(tri.ones(1 << 20), 1, out=x)
    yield lambda: x.detach().sum()
    yield lambda: x.view(-1, 2)
    yield lambda: x[5].item()
    yield lambda: tri.compile(lambda y: y * x)(x)

def freed():
    x = tri.ones(1 << 20)
    TensorImpl.of(x).FreeMemory()
    return x

def released():
    x = tri.ones(1 << 20)
    TensorImpl.of(x).release_resources()
    return x

def shrunk():
    x = tri.ones(1 << 20)
    x.untyped_storage().resize_(0)
    return x

def grown():
    x = tri.ones(2)
    TensorImpl.of(x).Resize(1 << 20)
    return x

for make in (freed, released, shrunk, grown):
    x = make()
    for attempt in attempts(x):
        try:
            attempt()
        except RuntimeError as error:
            assert "out of bounds for storage of size 0" in str(error), error
        else:
            raise SystemExit(f"{make.__name__}: no error")
    TensorImpl.of(x).mutable_data()
    assert (x * 0).shape == (1 << 20,)
print("alive")
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "alive\n", "")


def test_negative_strides_are_named():
    impl = made(3)
    text = r"negative strides are not supported, got strides: \[-1\]"
    with pytest.raises(RuntimeError, match="set_stride: " + text):
        impl.set_stride(0, -1)
    with pytest.raises(RuntimeError, match="set_sizes_and_strides: " + text):
        impl.set_sizes_and_strides([2], [-1])
