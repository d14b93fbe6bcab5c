"""Do tensors, storages and values refuse that others assign or delete what they are made of?"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.execution.storage import UntypedStorage

from .assigning import FIXED, makers

PAIRS = [(name, attribute) for name, attributes in FIXED.items() for attribute in attributes]


@pytest.mark.parametrize(("name", "attribute"), PAIRS)
def test_fields_are_read_only(name: str, attribute: str):
    value = makers()[name]()
    before = getattr(value, attribute, None)
    with pytest.raises(AttributeError):
        setattr(value, attribute, 1 << 40)
    with pytest.raises(AttributeError):
        delattr(value, attribute)
    assert getattr(value, attribute, None) is before


def test_a_tensor_cannot_be_given_more_elements_than_it_has():
    x = tri.ones(4)
    with pytest.raises(
        AttributeError, match="attribute 'spec' of 'Tensor' objects is not writable"
    ):
        x.spec = tri.spec((1 << 30,), tri.float32)
    storage: Any = x.untyped_storage()
    with pytest.raises(AttributeError, match="'length' of 'UntypedStorage' objects is not writ"):
        storage.length = 1 << 40
    assert (x + 1).tolist() == [2, 2, 2, 2]


def test_read_only_memory_cannot_be_made_writable():
    x: Any = tri.frombuffer(b"four", dtype=tri.uint8)
    with pytest.raises(AttributeError, match="'is_writable' of 'UntypedStorage' objects"):
        x.untyped_storage().is_writable = True
    with pytest.raises(RuntimeError, match="its memory is read-only"):
        x.add_(1)


def test_subclasses_have_attributes_of_their_own():
    class Named(tri.Tensor):
        label: str

    x = Named(UntypedStorage(8), tri.spec((2,), tri.float32))
    x.label = "two"
    assert x.label == "two"
    del x.label
    assert not hasattr(x, "label")
    with pytest.raises(AttributeError, match="attribute 'spec' of 'Named' objects"):
        x.spec = tri.spec((3,), tri.float32)


def test_what_may_be_assigned_still_may():
    x, y = tri.ones(2), tri.zeros(3)
    x.data = y
    assert x.tolist() == [0, 0, 0]
    x.requires_grad = False
    x.unknown = 1  # pyright: ignore[reportAttributeAccessIssue] - an attribute of the program's
    assert x.unknown == 1  # pyright: ignore[reportAttributeAccessIssue]


def test_no_assignment_ends_the_process():
    command = [sys.executable, "-m", "tests.unit.runtime.assigning"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
