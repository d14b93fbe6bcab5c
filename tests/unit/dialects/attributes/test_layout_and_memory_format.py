"""Are layouts and memory formats single objects with PyTorch's names?"""

import copy
import pickle

import pytest

from trilith.dialects.attributes.layout import LAYOUTS, Layout, sparse_coo, strided
from trilith.dialects.attributes.memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)

FORMATS = (contiguous_format, preserve_format, channels_last, channels_last_3d)
SINGLETONS = [*LAYOUTS.values(), *FORMATS]


@pytest.mark.parametrize("value", SINGLETONS, ids=repr)
def test_one_object(value: Layout | MemoryFormat):
    assert repr(value) == str(value) == f"trilith.{value.name}"
    assert pickle.loads(pickle.dumps(value)) is value
    assert copy.deepcopy(value) is value
    assert value != value.name
    assert [other for other in SINGLETONS if other == value] == [value]
    with pytest.raises(AttributeError):
        value.name = "other"


def test_names():
    assert [strided.c_name, sparse_coo.c_name] == ["Strided", "Sparse"]
    assert [memory_format.name for memory_format in FORMATS] == [
        "contiguous_format",
        "preserve_format",
        "channels_last",
        "channels_last_3d",
    ]


def test_not_constructible():
    with pytest.raises(TypeError, match=r"^cannot create 'trilith\.layout' instances"):
        Layout()
    with pytest.raises(TypeError, match=r"^cannot create 'trilith\.memory_format' instances"):
        MemoryFormat()


def test_rank():
    for rank in range(7):
        contiguous_format.check_rank(rank)
        preserve_format.check_rank(rank)
    channels_last.check_rank(4)
    channels_last_3d.check_rank(5)
    with pytest.raises(RuntimeError) as caught:
        channels_last.check_rank(5)
    assert caught.value.args[0] == "required rank 4 tensor to use channels_last format"
    with pytest.raises(RuntimeError) as caught:
        channels_last_3d.check_rank(4)
    assert caught.value.args[0] == "required rank 5 tensor to use channels_last_3d format"
