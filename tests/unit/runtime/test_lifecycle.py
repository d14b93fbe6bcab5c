"""Does a tensor change in place as PyTorch's does? Literals are answers of torch 2.13."""

from __future__ import annotations

import copy
import gc
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.execution.storage import UntypedStorage


def x24() -> Any:
    """0 to 23 in a (2, 3, 4) tensor."""
    return tri.tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))


# resize_


def test_resize_keeps_the_storage_or_grows_it():
    x = x24()
    assert x.resize_(4, 6).stride() == (6, 1)
    assert x.resize_(2, 2).untyped_storage().nbytes() == 96
    assert x.tolist() == [[0, 1], [2, 3]]
    assert x.resize_((10, 10)).shape == (10, 10)
    assert x.untyped_storage().nbytes() == 400
    assert x[:2].reshape(-1)[:20].tolist() == list(range(20))
    assert x.resize_([]).shape == ()


def test_resize_of_a_view_grows_the_shared_storage():
    x = x24()
    y = x[1]
    y.resize_(5, 5)
    assert x.untyped_storage().nbytes() == y.untyped_storage().nbytes() == (12 + 25) * 4
    assert y[0].tolist() == [12, 13, 14, 15, 16]
    assert x.tolist()[0][0] == [0, 1, 2, 3]


def test_resize_to_the_same_shape_keeps_the_strides():
    x = x24()
    assert x.transpose(0, 1).resize_(3, 2, 4).stride() == (4, 12, 1)
    assert x.transpose(0, 1).resize_(6, 4).stride() == (4, 1)


def test_resize_with_a_memory_format():
    assert x24().resize_(2, 3, 2, 2, memory_format=tri.channels_last).stride() == (12, 1, 6, 3)
    like = tri.zeros(1, 2, 3, 4).to(memory_format=tri.channels_last)
    assert tri.ones(2).resize_as_(like).stride() == (24, 12, 4, 1)
    kept = tri.ones(2).resize_as_(like, memory_format=tri.preserve_format)
    assert kept.stride() == (24, 1, 8, 2)
    across = tri.zeros(2, 3).t()
    assert tri.ones(2).resize_as_(across, memory_format=tri.preserve_format).stride() == (2, 1)


def test_resize_on_meta():
    assert tri.empty(2, device="meta").resize_(200).untyped_storage().nbytes() == 800


def test_memory_of_others_only_shrinks():
    x = tri.from_numpy(np.arange(3.0))
    assert x.resize_(2).tolist() == [0, 1]
    assert x.resize_(3).tolist() == [0, 1, 2]
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        x.resize_(4)
    assert x.tolist() == [0, 1, 2]


# set_


def test_set_takes_a_storage_or_a_tensor():
    x = x24()
    y = tri.empty(0).set_(x)
    assert (y.shape, y.data_ptr()) == ((2, 3, 4), x.data_ptr())
    placed = tri.empty(0).set_(x.untyped_storage(), 4, (2, 2), (2, 1))
    assert placed.tolist() == [[4, 5], [6, 7]]
    assert tri.empty(0).set_(x, 1, (2,)).tolist() == [1, 2]
    assert tri.ones(2).set_().shape == (0,)
    assert tri.ones(2).set_(UntypedStorage(7)).shape == (1,)
    grown = tri.empty(0).set_(x.untyped_storage(), 20, (2, 4), (4, 1))
    assert grown.untyped_storage().nbytes() == x.untyped_storage().nbytes() == 112


def test_set_of_a_typed_storage():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        storage = x24().storage()
    assert (storage.size(), storage.nbytes(), storage.element_size()) == (24, 96, 4)
    assert (len(storage), storage[2], storage.tolist()[-1]) == (24, 2.0, 23.0)
    assert tri.empty(0).set_(storage).shape == (24,)
    short = tri.tensor([1.0, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(short.storage()) == (
            " 1.0\n 1.0\n"
            "[trilith.storage.TypedStorage(dtype=trilith.float32, device=cpu) of size 2]"
        )
    text = "Expected a Storage of type int or an UntypedStorage, but got type Float for argument 1"
    with pytest.raises(RuntimeError, match=text):
        tri.empty(0, dtype=tri.int32).set_(storage)


def ones_storage() -> UntypedStorage:
    return tri.ones(2).untyped_storage()


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "negative size": (lambda: tri.ones(2).resize_(-1), RuntimeError, "negative dimension -1"),
    "huge": (
        lambda: tri.ones(2).resize_(2**62),
        RuntimeError,
        "Storage size calculation overflowed with sizes=",
    ),
    "no size": (lambda: tri.ones(2).resize_(), TypeError, "missing 1 required positional"),
    "float size": (
        lambda: tri.ones(2).resize_(2.5),
        TypeError,
        r"resize_\(\): argument 'size' \(position 1\) must be tuple of ints, not float",
    ),
    "preserve": (
        lambda: tri.ones(4).resize_(2, 2, memory_format=tri.preserve_format),
        RuntimeError,
        "Unsupported memory formatPreserve",
    ),
    "no format": (
        lambda: tri.ones(4).resize_(2, 2, memory_format=3),
        TypeError,
        "argument 'memory_format' must be torch.memory_format, not int",
    ),
    "rank": (
        lambda: x24().resize_(2, 3, memory_format=tri.channels_last),
        RuntimeError,
        "required rank 4 tensor to use channels_last format",
    ),
    "like what": (lambda: tri.ones(2).resize_as_(3), TypeError, "must be Tensor, not int"),
    "set what": (lambda: tri.ones(2).set_(5), TypeError, "invalid combination of arguments - got"),
    "set offset alone": (
        lambda: tri.ones(2).set_(tri.ones(3), 1),
        TypeError,
        r"got \(Tensor, int\)",
    ),
    "set dtype": (
        lambda: tri.empty(0, dtype=tri.int32).set_(x24()),
        RuntimeError,
        "Could not set tensor of type float to a tensor of type int",
    ),
    "set device": (
        lambda: tri.ones(2).set_(tri.empty(3, device="meta")),
        RuntimeError,
        'set the storage of a tensor on device "cpu" to a storage on different device "meta"',
    ),
    "set negative stride": (
        lambda: tri.empty(0).set_(ones_storage(), 0, (2,), (-1,)),
        RuntimeError,
        r"Storage size calculation overflowed with sizes=\[2\] and strides=\[-1\]",
    ),
    "set negative size": (
        lambda: tri.empty(0).set_(ones_storage(), 0, (-2,), (1,)),
        RuntimeError,
        "negative dimension -2",
    ),
    "set negative offset": (
        lambda: tri.empty(0).set_(ones_storage(), -1, (2,), (1,)),
        RuntimeError,
        "Tensor: invalid storage offset -1",
    ),
    "set lengths": (
        lambda: tri.empty(0).set_(ones_storage(), 0, (2,), (1, 1)),
        RuntimeError,
        r"unequal size length \(1\) and stride length \(2\)",
    ),
    "set huge stride": (
        lambda: tri.empty(0).set_(ones_storage(), 0, (2,), (2**62,)),
        RuntimeError,
        "Storage size calculation overflowed",
    ),
    "set huge offset": (
        lambda: tri.empty(0).set_(ones_storage(), 2**62, (2,), (1,)),
        RuntimeError,
        "Storage size calculation overflowed",
    ),
    "set borrowed": (
        lambda: tri.empty(0).set_(tri.from_numpy(np.ones(3, np.float32)), 0, (10,), (1,)),
        RuntimeError,
        "Trying to resize storage that is not resizable",
    ),
    "data": (
        lambda: setattr(tri.ones(2), "data", 3),
        TypeError,
        "Variable data has to be a tensor, but got int",
    ),
    "data on meta": (
        lambda: setattr(tri.ones(2), "data", tri.empty(2, device="meta")),
        RuntimeError,
        "have incompatible tensor type",
    ),
    "t_": (
        lambda: x24().t_(),
        RuntimeError,
        r"t_\(\) expects a tensor with <= 2 dimensions, but self is 3D",
    ),
    "transpose_": (
        lambda: tri.ones(2, 3).transpose_(0, 5),
        IndexError,
        r"expected to be in range of \[-2, 1\], but got 5",
    ),
    "as_strided_": (
        lambda: tri.ones(2, 3).as_strided_((3,), (3,), 2),
        RuntimeError,
        "storage offset 2, and itemsize 4 requiring a storage size of 36 are out of bounds for "
        "storage of size 24",
    ),
    "is_set_to": (lambda: tri.ones(2).is_set_to(3), TypeError, "must be Tensor, not int"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str):
    call, error, text = REFUSED[name]
    with pytest.raises(error, match=text) as caught:
        call()
    assert isinstance(caught.value, tri.TrilithError)


# Views in place


def test_views_in_place():
    x: Any = tri.arange(6.0).reshape(2, 3)
    address = x.data_ptr()
    assert x.transpose_(0, 1) is x
    assert (x.shape, x.stride()) == ((3, 2), (1, 3))
    assert x.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert x.t_().shape == (2, 3)
    assert x.swapaxes_(0, 1).swapdims_(0, 1).shape == (2, 3)
    assert x.unsqueeze_(0).unsqueeze_(-1).shape == (1, 2, 3, 1)
    assert x.squeeze_(0).shape == (2, 3, 1)
    assert x.squeeze_().shape == (2, 3)
    assert x.as_strided_((2,), (2,), 1).tolist() == [1, 3]
    assert x.data_ptr() == address + 4
    assert x24().squeeze_().shape == (2, 3, 4)


def test_views_of_another_view_are_not_touched():
    x: Any = tri.arange(6.0).reshape(2, 3)
    x.detach().t_()
    assert x.shape == (2, 3)
    assert x._version == 1


# detach, data, versions


def test_detach_and_data_share_the_memory():
    x = x24()
    for y in (x.detach(), x.data, copy.copy(x)):
        assert y is not x
        assert y.is_set_to(x)
        assert y.spec is x.spec
    assert x.detach_() is x
    assert not tri.empty(0).is_set_to(tri.empty(0))
    assert not x.is_set_to(x[0])


def test_data_can_be_assigned():
    x: Any = tri.ones(2)
    y = tri.tensor([1, 2, 3], dtype=tri.int32)
    x.data = y
    assert (x.shape, x.dtype, x.data_ptr()) == ((3,), tri.int32, y.data_ptr())


def test_versions():
    x: Any = tri.ones(2, 3)
    assert x._version == 0
    x.bump()
    assert (x._version, x.detach()._version, x[0]._version, x.data._version) == (1, 1, 1, 0)
    x[0].bump()
    assert x._version == 2
    data = x.data
    data.bump()
    data.view(-1).bump()
    data[0].bump()
    assert (data._version, x._version) == (3, 2)
    copy.copy(x).bump()
    assert x._version == 2


CHANGES: dict[str, Callable[[Any], Any]] = {
    "transpose": lambda x: x.transpose_(0, 1),
    "unsqueeze": lambda x: x.unsqueeze_(0),
    "resize": lambda x: x.resize_(6),
    "resize to the same": lambda x: x.resize_(2, 3),
    "set": lambda x: x.set_(tri.ones(3)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_metadata_count(name: str):
    x: Any = tri.ones(2, 3)
    CHANGES[name](x)
    assert x._version == 1


def test_set_does_not_count_with_its_source():
    x: Any = tri.ones(2)
    y: Any = tri.ones(2)
    x.set_(y)
    x.bump()
    assert (x._version, y._version) == (2, 0)
    y.bump()
    assert (x._version, y._version) == (2, 1)
    x.data = y
    assert x._version == 2


# Copies


def test_deep_copies_share_what_their_originals_shared():
    a = tri.arange(4.0)
    b, c = copy.deepcopy([a, a[1:3]])
    assert b.untyped_storage() is c.untyped_storage()
    assert b.untyped_storage() is not a.untyped_storage()
    assert (c.storage_offset(), c.untyped_storage().nbytes(), c.tolist()) == (1, 16, [1, 2])
    d, e = copy.deepcopy([a, a])
    assert d is e


def test_pickles_share_what_their_originals_shared():
    a = tri.arange(4.0)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        b, c = pickle.loads(pickle.dumps([a, a[1:3]], protocol))
        assert b.untyped_storage() is c.untyped_storage()
        assert (c.storage_offset(), c.tolist()) == (1, [1, 2])


# Gradients


def test_a_tensor_requires_no_gradient_unless_told():
    x: Any = tri.ones(2)
    assert (x.requires_grad, x.is_leaf, x.grad, x.grad_fn) == (False, True, None, None)
    assert (x.output_nr, x.retains_grad, x.is_inference()) == (0, False, False)
    assert x.requires_grad_(False) is x
    x.requires_grad = False
    x.grad = None


GRADIENTS: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "bool": (
        lambda x: setattr(x, "requires_grad", 3),
        RuntimeError,
        "requires_grad must be a bool",
    ),
    "type": (lambda x: x.requires_grad_(1), TypeError, "must be bool, not int"),
    "int": (
        lambda _: tri.ones(2, dtype=tri.int32).requires_grad_(),
        RuntimeError,
        "only Tensors of floating point dtype can require gradients",
    ),
    "grad": (
        lambda x: setattr(x, "grad", 3),
        TypeError,
        "assigned grad expected to be a Tensor or None but got grad of type int",
    ),
    "grad size": (
        lambda x: setattr(x, "grad", tri.ones(3)),
        RuntimeError,
        r"attempting to assign a gradient of size '\[3\]' to a tensor of size '\[2\]'",
    ),
    "retain": (lambda x: x.retain_grad(), RuntimeError, "can't retain_grad on Tensor that has req"),
    "backward": (
        lambda x: x.backward(),
        RuntimeError,
        "element 0 of tensors does not require grad",
    ),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_what_is_wrong_of_gradients_is_said_in_pytorchs_words(name: str):
    call, error, text = GRADIENTS[name]
    with pytest.raises(error, match=text):
        call(tri.ones(2))


SET: dict[str, tuple[Any, ...]] = {
    "another offset": (3, 1, (3,), (1,)),
    "no strides": (3, 1, (3,)),
    "no bytes": (0, 0, (3,), (1,)),
}


@pytest.mark.parametrize("name", SET)
def test_set_resizes_nothing_if_shape_and_strides_stay(name: str):
    count, *arguments = SET[name]
    x: Any = tri.ones(3)
    storage = tri.ones(count).untyped_storage()
    with pytest.raises(RuntimeError, match=f"out of bounds for storage of size {4 * count}"):
        x.set_(storage, *arguments)
    assert (storage.nbytes(), x.storage_offset(), x.tolist()) == (4 * count, 0, [1, 1, 1])


def test_set_without_strides_keeps_those_of_the_same_shape():
    x: Any = tri.ones(2, 3).t()
    assert x.set_(tri.ones(20), 0, (3, 2)).stride() == (1, 3)
    assert x.set_(tri.ones(20), 0, (2, 3)).stride() == (3, 1)
    y: Any = tri.ones(2, 3, device="meta")
    assert y.set_(tri.ones(2, device="meta"), 0, (2, 3), (3, 1)).shape == (2, 3)


@pytest.mark.parametrize("count", [8, 1 << 20], ids=["small", "large"])
@pytest.mark.usefixtures("tested_device")
def test_a_tensor_that_a_finalizer_revives_keeps_its_memory(count: int) -> None:
    """The collector asks a whole cycle for its finalizers: the storage's may come first."""
    revived: list[tri.Tensor] = []

    class Cycle:
        def __init__(self) -> None:
            self.tensor = tri.full((count,), 7.0)
            self.cycle = self

        def __del__(self) -> None:
            revived.append(self.tensor)

    Cycle()
    gc.collect()
    (tensor,) = revived
    others = [tri.ones(count) for _ in range(3)]
    assert tensor.eq(7).all().item()
    addresses = {other.data_ptr() for other in others}
    assert len(addresses) == 3
    assert tensor.data_ptr() not in addresses
    tensor.zero_()
    assert all(other.eq(1).all().item() for other in others)


def test_a_large_block_is_handed_out_again() -> None:
    first = tri.empty(1 << 20)
    address = first.data_ptr()
    del first
    assert tri.empty(1 << 20).data_ptr() == address
