"""Storages: bytes, resizing, and what tensors on a storage say that became too small."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import float32
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.execution.allocator import CachingAllocator, OutOfMemoryError
from trilith.runtime.execution.storage import UntypedStorage
from trilith.runtime.tensors.tensor import Tensor

ONE = [0, 0, 128, 63]  # the bytes of 1.0 in float32


def storage_of(*values: float) -> UntypedStorage:
    return tri.tensor([float(value) for value in values]).untyped_storage()


# Bytes


def test_bytes_as_pytorch_shows_them():
    storage = storage_of(1.0)
    assert storage.tolist() == ONE
    assert (storage[3], storage[-1], storage[1:3].tolist()) == (63, 63, [0, 128])
    assert repr(storage) == (
        " 0\n 0\n 128\n 63\n[trilith.storage.UntypedStorage(device=cpu) of size 4]"
    )
    assert repr(UntypedStorage()) == " \n[trilith.storage.UntypedStorage(device=cpu) of size 0]"
    meta = tri.empty(2, device="meta").untyped_storage()
    assert repr(meta) == "...\n[trilith.storage.UntypedStorage(device=meta) of size 8]"
    assert (meta.nbytes(), meta.data_ptr()) == (8, 0)


def test_many_bytes_are_not_all_shown():
    assert len(repr(UntypedStorage(1 << 20).fill_(7))) < 4000


def test_writes():
    storage = UntypedStorage([1, 2, 300])
    assert storage.tolist() == [1, 2, 44]
    assert storage.fill_(300).tolist() == [44, 44, 44]
    storage[0] = -1
    storage[1:] = 2
    assert storage.tolist() == [255, 2, 2]
    other = UntypedStorage(3).copy_(storage)
    assert other.tolist() == [255, 2, 2]
    part = storage[1:]
    part.fill_(9)
    assert storage.tolist() == [255, 9, 9], "a stretch shares the bytes"
    assert storage.clone().fill_(0).tolist() != storage.tolist()


def test_copies_and_pickles():
    storage = storage_of(1.0)
    for other in (copy.copy(storage), copy.deepcopy(storage), pickle.loads(pickle.dumps(storage))):
        assert other is not storage
        assert other.data_ptr() != storage.data_ptr()
        assert other.tolist() == ONE
    assert pickle.loads(pickle.dumps(UntypedStorage())).nbytes() == 0
    assert pickle.loads(pickle.dumps(UntypedStorage(8, device="meta"))).nbytes() == 8


def test_what_else_pytorchs_storages_know():
    storage = UntypedStorage(8)
    assert (storage.nbytes(), storage.size(), len(storage), storage.element_size()) == (8, 8, 8, 1)
    assert (storage.is_shared(), storage.is_pinned(), storage.is_cuda) == (False, False, False)
    assert storage.untyped() is storage


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "index": (
        lambda: storage_of(1)[100],
        IndexError,
        "index 100 out of range for storage of size 4",
    ),
    "type of index": (lambda: storage_of(1)["a"], TypeError, "can't index a .*Storage with str"),  # pyright: ignore
    "step": (lambda: storage_of(1)[::2], RuntimeError, "only a step of 1 is supported"),
    "copy": (
        lambda: storage_of(1).copy_(storage_of(1, 2)),
        RuntimeError,
        "size does not match, self was 4 bytes but src was 8 bytes",
    ),
    "float": (
        lambda: UntypedStorage(3.5),  # pyright: ignore
        RuntimeError,
        "Expected a sequence type, but got float",
    ),
    "negative": (lambda: UntypedStorage(-1), RuntimeError, "the number of bytes is negative: -1"),
    "resize float": (
        lambda: storage_of(1).resize_(2.5),
        RuntimeError,
        "resize_ expects an int, but got float",
    ),
    "resize negative": (
        lambda: storage_of(1).resize_(-1),
        RuntimeError,
        "the number of bytes is negative: -1",
    ),
    "meta": (
        lambda: UntypedStorage(8, device="meta")[0],
        NotImplementedError,
        "Not available for 'meta' device type",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str):
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text) as caught:
        call()
    assert isinstance(caught.value, tri.TrilithError)


def test_read_only_memory_is_not_written():
    array = np.zeros(2, np.float32)
    array.flags.writeable = False
    storage = tri.from_numpy(array).untyped_storage()
    for write in (
        lambda: storage.fill_(1),
        lambda: storage.copy_(UntypedStorage(8)),
        lambda: storage.__setitem__(0, 1),
        storage.check_writable,
        tri.from_numpy(array).check_writable,
    ):
        with pytest.raises(RuntimeError, match="the memory of the tensor is read-only"):
            write()
    assert array.tolist() == [0, 0]


# Resizing


def test_resizing_keeps_the_bytes():
    storage = storage_of(1.0)
    assert storage.resize_(1 << 20).nbytes() == 1 << 20
    assert storage[:4].tolist() == ONE
    storage = storage_of(1.0).resize_(4 << 20)
    assert storage[:4].tolist() == ONE
    assert storage_of(1.0).resize_(3).tolist() == ONE[:3]


@pytest.mark.parametrize("nbytes", [0, 8, 1 << 20, 4 << 20])
def test_a_resized_storage_gives_its_block_back(nbytes: int):
    allocator = CachingAllocator()
    storage = UntypedStorage.allocate(allocator, 1000)
    storage.resize_(nbytes)
    storage.resize_(3 << 20)
    storage.resize_(nbytes)
    assert allocator.stats().in_use >= nbytes
    del storage
    assert allocator.stats().in_use == 0


def test_memory_of_others_is_not_resizable():
    array = np.zeros(4, np.float32)
    exported, capsuled, plain = tri.ones(4), tri.ones(4), tri.ones(4)
    view = exported.numpy()
    capsule = capsuled.__dlpack__()
    for x in (tri.from_numpy(array), tri.from_dlpack(array), exported, capsuled):
        assert not x.untyped_storage().resizable()
        for nbytes in (0, 100):
            with pytest.raises(RuntimeError, match="Trying to resize storage that is not resiz"):
                x.untyped_storage().resize_(nbytes)
        assert x.untyped_storage().nbytes() == 16
    assert plain.untyped_storage().resizable()
    assert view.tolist() == [1, 1, 1, 1]
    assert capsule is not None


def test_looking_at_values_does_not_pin_the_storage():
    x = tri.ones(4)
    assert str(x) == "tensor([1., 1., 1., 1.])"
    assert x.tolist() == [1, 1, 1, 1]
    pickle.dumps(x, 4)
    assert (x + 1).tolist() == [2, 2, 2, 2]
    assert x.untyped_storage().resizable()


def test_meta_storages_resize_without_bytes():
    storage = tri.empty(2, device="meta").untyped_storage()
    assert storage.resize_(1 << 60).nbytes() == 1 << 60


def test_no_more_memory_is_an_error_in_both_languages():
    for allocate in (
        lambda: UntypedStorage(1 << 50),
        lambda: tri.empty(1 << 50),
        lambda: tri.ones(3).resize_(1 << 45),
        lambda: tri.ones(3).untyped_storage().resize_(1 << 50),
    ):
        with pytest.raises(OutOfMemoryError, match="can't allocate memory: you tried to allocate"):
            allocate()
    assert issubclass(OutOfMemoryError, RuntimeError)
    assert issubclass(OutOfMemoryError, MemoryError)


# Tensors on a storage that was resized

READERS: dict[str, Callable[[Any], Any]] = {
    "operation": lambda x: x + 1,
    "view": lambda x: x[1:],
    "clone": lambda x: x.clone(),
    "tolist": lambda x: x.tolist(),
    "item": lambda x: x.as_strided((), ()).item(),
    "numpy": lambda x: x.numpy(),
    "array": np.asarray,
    "dlpack": lambda x: x.__dlpack__(),
    "iterate": list,
    "detach": lambda x: x.detach() * 2,
    "data": lambda x: x.data * 2,
    "copy": lambda x: copy.copy(x) * 2,
    "deepcopy": lambda x: copy.deepcopy(x) * 2,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "tensor": tri.tensor,
    "compile": lambda x: tri.compile(lambda y: y * 2)(x),
    "capture": lambda x: tri.compile(lambda y: y * x)(tri.ones(3)),
    "cast": lambda x: x.to(tri.float64),
    "reduce": lambda x: x.sum(),
    "cat": lambda x: tri.cat([x, x]),
    "operand": lambda x: tri.ones(3) + x,
}


@pytest.mark.parametrize("nbytes", [0, 11])
@pytest.mark.parametrize("name", READERS)
def test_reading_what_is_gone_is_an_error(name: str, nbytes: int):
    x = tri.arange(3.0)
    x.untyped_storage().resize_(nbytes)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size"):
        READERS[name](x)
    x.untyped_storage().resize_(12)
    READERS[name](x)


def test_tensors_that_still_fit_are_read():
    x = tri.arange(6.0)
    part, late = x[:2], x[4:]
    x.untyped_storage().resize_(8)
    assert part.tolist() == [0, 1]
    assert (part + 1).tolist() == [1, 2]
    assert part[:1].tolist() == [0]
    with pytest.raises(RuntimeError, match="8 bytes at byte 16 are out of bounds"):
        late.tolist()
    x.untyped_storage().resize_(24)
    assert (part + 1).tolist() == [1, 2]
    assert (late + 1).shape == (2,)


def test_the_address_comes_back_only_when_every_tensor_fits():
    x = tri.arange(6.0)
    storage = x.untyped_storage()
    assert storage.pointer == x.data_ptr()
    storage.resize_(16)
    assert not hasattr(storage, "pointer")
    storage.resize_(20)
    assert not hasattr(storage, "pointer")
    assert storage.data_ptr() == x.data_ptr() != 0
    storage.resize_(24)
    assert storage.pointer == x.data_ptr()


def test_tensors_follow_a_storage_that_moves():
    x = tri.arange(3.0)
    y = x[1:]
    x.untyped_storage().resize_(4 << 20)
    assert (y.tolist(), (y * 2).tolist()) == ([1, 2], [2, 4])
    assert y.data_ptr() == x.data_ptr() + 4


# Memory that processes share


def test_forked_processes_share_memory():
    code = """
import os
import trilith as tri

x = tri.arange(4.0)
view = x[2:]
assert x.share_memory_() is x
assert x.is_shared() and view.is_shared() and not tri.ones(1).is_shared()
assert x.tolist() == [0, 1, 2, 3] and (view + 1).tolist() == [3, 4]
child = os.fork()
if not child:
    view.untyped_storage().fill_(0)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert x.tolist() == view.tolist() * 2 == [0] * 4
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_shared_memory_stays_where_it_is():
    x = tri.arange(4.0)
    x.untyped_storage().resize_(8)
    address = x.share_memory_().data_ptr()
    assert x.share_memory_().data_ptr() == address
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 8"):
        x.tolist()
    assert x.resize_(2).tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        x.resize_(4)
    assert tri.empty(0).share_memory_().is_shared()
    with pytest.raises(RuntimeError, match="can be moved to shared memory"):
        tri.empty(2, device="meta").share_memory_()


@pytest.mark.parametrize("is_borrowed", [False, True])
def test_who_knows_the_address_keeps_the_bytes_where_they_were(is_borrowed: bool):
    x = tri.from_numpy(np.arange(600.0)) if is_borrowed else tri.arange(600.0)
    array = x.numpy()
    expected = array.copy()
    assert x.share_memory_().is_shared()
    del x
    gc.collect()
    others = [tri.zeros(600, dtype=tri.float64 if is_borrowed else tri.float32) for _ in range(50)]
    np.testing.assert_array_equal(array, expected)
    array += 1
    assert not any(other.any() for other in others)
    y = tri.from_numpy(array)
    y.share_memory_()
    array[0] = 7
    assert y[0].item() == 1


# Pickles


@pytest.mark.parametrize("given", [b"", b"abc", bytes(4096 + 1), np.zeros(511, np.float64)])
def test_a_pickle_with_a_buffer_of_another_length_is_refused(given: object):
    storage = UntypedStorage(4096)
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(storage, protocol=5, buffer_callback=buffers.append)
    with pytest.raises(ValueError, match=r"a pickled storage of 4096 bytes comes with \d+ bytes"):
        pickle.loads(data, buffers=[given])
    with pytest.raises((ValueError, BufferError)):
        pickle.loads(data, buffers=[np.zeros((64, 128), np.uint8)[:, ::2]])


def test_a_pickle_may_come_with_read_only_bytes():
    storage = UntypedStorage([1, 2, 3])
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(storage, protocol=5, buffer_callback=buffers.append)
    again = pickle.loads(data, buffers=[bytes(buffers[0])])
    again[0] = 9
    assert (again.tolist(), storage.tolist()) == ([9, 2, 3], [1, 2, 3])


def test_a_pickled_tensor_is_proven_again():
    spec = TensorSpec.of((4,), float32)
    rebuild, _ = Tensor(UntypedStorage(16), spec).__reduce_ex__(5)
    for offset in (1, -1, 2**40):
        with pytest.raises(RuntimeError, match=r"out of bounds|invalid storage offset"):
            rebuild(UntypedStorage(16), spec, offset)
