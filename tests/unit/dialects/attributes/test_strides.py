"""Do strides come out as the specification says where formats tie, sizes are 0 or products huge?"""

import pytest

from trilith.dialects.attributes.memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from trilith.dialects.attributes.strides import (
    Ints,
    channels_last_strides,
    contiguous_strides,
    is_channels_last,
    is_contiguous,
    pointwise_strides,
    preserve_strides,
    strides_for,
    suggest_memory_format,
)

NCHW = (2, 3, 4, 5)
LAST = (60, 1, 15, 3)
FIRST = (60, 20, 5, 1)


@pytest.mark.parametrize(
    ("shape", "memory_format", "strides"),
    [
        ((), contiguous_format, ()),
        ((5,), contiguous_format, (1,)),
        ((0,), contiguous_format, (1,)),
        ((4, 0), contiguous_format, (1, 1)),
        ((2, 0, 4, 5), contiguous_format, (20, 20, 5, 1)),
        ((2**62, 0, 4), contiguous_format, (4, 4, 1)),
        (NCHW, channels_last, LAST),
        ((2, 0, 4, 5), channels_last, (0, 1, 0, 0)),
        ((0, 3, 4, 5), channels_last, LAST),
        ((2, 3, 1, 1), channels_last, (3, 1, 3, 3)),
        ((1, 1, 1, 1), channels_last, (1, 1, 1, 1)),
        ((2, 3, 2, 4, 5), channels_last_3d, (120, 1, 60, 15, 3)),
    ],
)
def test_new_tensors(shape: Ints, memory_format: MemoryFormat, strides: Ints):
    assert strides_for(shape, memory_format) == strides
    assert is_contiguous(shape, strides, memory_format)


@pytest.mark.parametrize(
    ("shape", "memory_format", "text"),
    [
        (NCHW, preserve_format, "unsupported memory format Preserve"),
        ((2, 3, 4), channels_last, "required rank 4 tensor to use channels_last format"),
        (NCHW, channels_last_3d, "required rank 5 tensor to use channels_last_3d format"),
        ((0, 2**62, 4), contiguous_format, "Stride calculation overflowed"),
        ((2, 2**40, 0, 2**40), channels_last, "Stride calculation overflowed"),
    ],
)
def test_new_tensors_refuse(shape: Ints, memory_format: MemoryFormat, text: str):
    with pytest.raises(RuntimeError) as caught:
        strides_for(shape, memory_format)
    assert str(caught.value).startswith(text)


# N,1,H,W and N,C,1,1 are contiguous and channels_last at once.
@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2, 1, 4, 5), (20, 20, 5, 1)), ((2, 3, 1, 1), (3, 1, 1, 1)), ((2, 3, 1, 1), (3, 1, 3, 3))],
)
def test_ties(shape: Ints, strides: Ints):
    assert is_contiguous(shape, strides)
    assert is_channels_last(shape, strides)


def test_a_tie_suggests_contiguous():
    assert suggest_memory_format((2, 1, 4, 5), (20, 20, 5, 1)) is contiguous_format
    assert suggest_memory_format((2, 3, 1, 1), (3, 1, 1, 1)) is contiguous_format
    assert suggest_memory_format((2, 3, 1, 1), (3, 1, 3, 3)) is channels_last
    assert suggest_memory_format(NCHW, LAST) is channels_last
    assert suggest_memory_format(NCHW, FIRST) is contiguous_format
    assert suggest_memory_format((2, 3, 2, 4, 5), (120, 1, 60, 15, 3)) is channels_last_3d


def test_is_contiguous_takes_a_format():
    assert not is_contiguous(NCHW, LAST)
    assert is_contiguous(NCHW, LAST, channels_last)
    assert not is_contiguous(NCHW, LAST, channels_last_3d)
    assert not is_contiguous(NCHW, LAST, preserve_format)


# Strides of results that torch 2.13 was asked for (formats_and_views).
@pytest.mark.parametrize(
    ("shape", "operands", "expected"),
    [
        (NCHW, [(NCHW, LAST), (NCHW, FIRST)], LAST),
        (NCHW, [(NCHW, FIRST), (NCHW, LAST)], FIRST),
        (NCHW, [(NCHW, LAST), ((), ())], LAST),
        ((2, 3, 1, 1), [((2, 3, 1, 1), (3, 1, 3, 3)), ((), ())], (3, 1, 3, 3)),
        ((2, 3, 1, 1), [((2, 3, 1, 1), (3, 1, 3, 3))] * 2, (3, 1, 1, 1)),
        ((3, 4), [((3, 4), (1, 0)), ((3, 4), (1, 3))], (1, 3)),
        ((3, 4), [((3, 4), (4, 1)), ((3, 4), (1, 3))], (4, 1)),
        ((5,), [((5,), (7,))], (1,)),
        ((), [((), ()), ((), ())], ()),
    ],
)
def test_pointwise(shape: Ints, operands: list[tuple[Ints, Ints]], expected: Ints):
    assert pointwise_strides(shape, operands) == expected


@pytest.mark.parametrize(
    ("shape", "strides", "expected"),
    [
        ((6, 4)[::-1], (1, 4), (1, 4)),
        ((3, 4), (2, 6), (1, 3)),
        ((8, 4, 3), (1, 48, 16), (1, 24, 8)),
        ((4, 3), (0, 1), (3, 1)),
        ((3, 4), (1, 0), (4, 1)),
    ],
)
def test_preserve(shape: Ints, strides: Ints, expected: Ints):
    assert preserve_strides(shape, strides) == expected
    assert preserve_strides(shape, strides, contiguous_format) == contiguous_strides(shape)


def test_preserve_takes_a_format():
    assert preserve_strides(NCHW, FIRST, channels_last) == channels_last_strides(NCHW) == LAST
