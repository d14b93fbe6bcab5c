"""Are random bits those of Philox 4x32-10, as its authors publish them?"""

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import DType, float32, float64, int64, uint64
from trilith.dialects.ops.scalars.philox import (
    Words,
    block,
    fraction,
    open_fraction,
    philox,
    point_on_circle,
)
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import Scalar

LANGUAGE = NumpyLanguage()


def words(*numbers: int) -> list[Scalar]:
    return [LANGUAGE.array(np.array([number], np.uint64), uint64) for number in numbers]


def integers(*numbers: int) -> Scalar:
    return LANGUAGE.array(np.array(numbers, np.int64), int64)


def spelled(found: Words) -> list[str]:
    return [f"{int(word.value[0]):08x}" for word in found]


#: The known answers of Random123 (`tests/kat_vectors`): counter, key, block.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, int], expected: str):
    assert spelled(philox(Words(*words(*counter)), *words(*key))) == expected.split()


def test_block_is_that_of_a_counter_of_64_bits():
    key, number = 0x299F31D0_A4093822, -7
    unsigned = number % 2**64
    expected = philox(
        Words(*words(unsigned & 0xFFFFFFFF, unsigned >> 32, 5, 0)),
        *words(key & 0xFFFFFFFF, key >> 32),
    )
    assert spelled(block(integers(number), integers(key), 5)) == spelled(expected)
    assert spelled(block(integers(0), integers(0))) == KNOWN[0][2].split()


def test_fractions_stay_inside():
    largest = LANGUAGE.array(np.array([2**64 - 1], np.uint64), uint64)
    assert float(fraction(largest, 24, float32).value[0]) == 1 - 2.0**-24
    assert float(fraction(largest, 53, float64).value[0]) == 1 - 2.0**-53
    for dtype, finest in ((float32, 2.0**-32), (float64, 2.0**-53)):
        lowest = open_fraction(Words(*words(0, 0, 0, 0)), dtype).value[0]
        highest = open_fraction(Words(*words(*[0xFFFFFFFF] * 4)), dtype).value[0]
        assert lowest == finest
        assert highest < 1
        assert np.log(highest) < 0


@pytest.mark.parametrize(("dtype", "error"), [(float32, 2.0**-23), (float64, 2.0**-52)])
def test_points_are_on_the_circle_where_their_bits_say(dtype: DType, error: float):
    bits = np.random.default_rng(3).integers(0, 2**64, 5000, np.uint64)
    found = [part.value for part in point_on_circle(LANGUAGE.array(bits, uint64), dtype)]
    turns = bits.astype(np.float64) / 2.0**64 - 0.125
    expected = np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)
    # What float32 leaves away of the bits is less than 2^-26 turns.
    known = 2 * np.pi * (2.0**-26 if dtype is float32 else 2.0**-53)
    for part, exact in zip(found, expected, strict=True):
        assert part.dtype == dtype.numpy
        np.testing.assert_allclose(part, exact, rtol=0, atol=known + 2 * error)
