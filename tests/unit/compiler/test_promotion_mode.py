"""Does the array API's promotion of unsigned integers compute what NumPy computes?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri

UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
SIGNED = (np.int8, np.int16, np.int32, np.int64)
BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "lt": np.less,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "bitwise_xor": np.bitwise_xor,
}
UNARY: dict[str, Callable[..., Any]] = {
    "neg": np.negative,
    "abs": np.abs,
    "bitwise_not": np.invert,
    "amax": np.max,
    "argmax": np.argmax,
}


@pytest.fixture
def array_api() -> Iterator[None]:
    with tri.set_promotion_mode("array_api"):
        yield


def numbers(dtype: Any, seed: int) -> Any:
    limits = np.iinfo(dtype)
    source: Any = np.random.default_rng(seed)
    drawn: Any = source.integers(limits.min, limits.max, size=40, dtype=dtype, endpoint=True)
    drawn[:3] = (limits.min, limits.max, 1)
    drawn[drawn == 0] = 1  # no division by zero
    return drawn


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.usefixtures("array_api")
def test_two_operands(name: str):
    for first, second in itertools.product((*UNSIGNED, *SIGNED), repeat=2):
        kinds = {first, second}
        if np.uint64 in kinds and kinds & set(SIGNED):
            continue
        x, y = numbers(first, 1), numbers(second, 2)
        with np.errstate(all="ignore"):
            expected = BINARY[name](x, y)
        found = getattr(tri, name)(tri.from_numpy(x), tri.from_numpy(y)).numpy()
        assert found.dtype == expected.dtype, kinds
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.usefixtures("array_api")
def test_one_operand(name: str):
    for dtype in UNSIGNED[1:]:
        x = numbers(dtype, 3)
        with np.errstate(all="ignore"):
            expected = UNARY[name](x)
        np.testing.assert_array_equal(getattr(tri, name)(tri.from_numpy(x)).numpy(), expected)


@pytest.mark.usefixtures("array_api")
def test_uint64_and_signed_have_no_common_type():
    with pytest.raises(RuntimeError, match="attempted to promote UInt64 and Long"):
        _ = tri.ones(1, dtype=tri.uint64) + tri.ones(1, dtype=tri.int64)


def test_the_default_refuses_what_pytorch_refuses():
    x = tri.ones(2, dtype=tri.uint16)
    with tri.set_promotion_mode("array_api"):
        assert (x + x).tolist() == [2, 2]
    with pytest.raises(NotImplementedError, match="\"add_stub\" not implemented for 'UInt16'"):
        _ = x + x
    with pytest.raises(RuntimeError, match="attempted to promote UInt16 and Long"):
        _ = x * tri.ones(2, dtype=tri.int64)


def test_the_mode_is_part_of_a_compiled_plan():
    f = tri.compile(lambda a, b: a * b)
    x, y = tri.ones(2, dtype=tri.uint16), tri.ones(2, dtype=tri.int8)
    with tri.set_promotion_mode("array_api"):
        assert f(x, y).dtype is tri.int32
    with pytest.raises(RuntimeError, match="attempted to promote"):
        f(x, y)


def test_unknown_mode():
    with pytest.raises(ValueError, match="there is no promotion mode 'numpy'"):
        tri.set_promotion_mode("numpy")
    assert tri.get_promotion_mode() == "torch"
