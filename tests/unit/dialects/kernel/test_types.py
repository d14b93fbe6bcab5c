"""Are buffer types one object each, and can they be told apart?"""

import gc
import weakref

import pytest
from xdsl.utils.exceptions import VerifyException

from trilith.dialects.kernel.types import (
    PRIVATE,
    BufferType,
    element_of,
    f32,
    f64,
    lanes_of,
    type_of_index,
    vector_of,
)


def test_equal_types_are_one_object_while_somebody_holds_it():
    first = BufferType.get(f32, (None, 1))
    assert BufferType.get(f32, (None, 1)) is first
    assert BufferType.get(f32, (None, 0)) is not first
    assert BufferType.get(f64, (None, 1)) != first
    assert BufferType.get(f32, (None, 1), PRIVATE) != first


def test_types_that_nobody_holds_are_forgotten():
    type_ = BufferType.get(f32, (12345, 1))
    reference = weakref.ref(type_)
    del type_
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (BufferType.get(f32, (None, 1)), "!kernel.buffer<f32, [?, 1]>"),
        (BufferType.get(f64, ()), "!kernel.buffer<f64, []>"),
        (BufferType.get(f32, (16, 1), PRIVATE), "!kernel.buffer<f32, [16, 1], private>"),
    ],
)
def test_text(type_: BufferType, text: str):
    assert str(type_) == text


def test_a_vector_is_no_element():
    with pytest.raises(VerifyException, match="expected a scalar element"):
        BufferType.get(vector_of(f32, 4), (1,))


def test_lanes():
    vector = vector_of(type_of_index, 8)
    assert vector is vector_of(type_of_index, 8)
    assert (element_of(vector), lanes_of(vector)) == (type_of_index, 8)
    assert (element_of(f32), lanes_of(f32)) == (f32, 1)
