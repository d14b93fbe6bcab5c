"""Do narrow floats read and round as PyTorch 2.13's do, at every recorded boundary?"""

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import by_name, float32
from trilith.dialects.ops.scalars.narrow_floats import STORAGE, decode, encode
from trilith.dialects.ops.scalars.reference import NumpyLanguage

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
RECORDED: dict[str, Any] = json.loads((DATA / "narrow_floats.json").read_text(encoding="utf-8"))
NAMES = [name for name in RECORDED if name not in ("torch", "legend")]


def floats(text: str) -> np.ndarray[Any, Any]:
    return np.array([int(word, 16) for word in text.split()], np.uint32).view(np.float32)


def test_every_narrow_float_is_recorded():
    assert {by_name(name) for name in NAMES} == set(STORAGE)


def mistakes(name: str, values: np.ndarray[Any, Any], rounded: np.ndarray[Any, Any]) -> str:
    """Return a sentence about the values that are not rounded to the recorded codes, or ""."""
    numpy_dtype = by_name(name).numpy
    wrong: list[Any] = []
    for value, code, expected in zip(
        values, rounded, RECORDED[name]["encode"][1].split(), strict=True
    ):
        if expected == "nan":
            agrees = np.isnan(np.array(code).view(numpy_dtype).astype(np.float32))
        else:
            agrees = int(code) == int(expected, 16)
        if not agrees:
            wrong.append((float(value), hex(code), expected))
    return f"{len(wrong)} of {len(values)}, the first are {wrong[:5]}" if wrong else ""


@pytest.mark.parametrize("name", NAMES)
def test_rounding(name: str):
    dtype = by_name(name)
    values = floats(RECORDED[name]["encode"][0])
    rounded = encode(NumpyLanguage().array(values, float32), dtype).value
    assert rounded.dtype == STORAGE[dtype].numpy
    assert not mistakes(name, values, rounded)


@pytest.mark.parametrize("name", NAMES)
def test_rounding_of_a_cast(name: str, tested_device: str):
    values = floats(RECORDED[name]["encode"][0])
    rounded = tri.from_numpy(values.copy()).to(tested_device).to(by_name(name))
    codes = np.asarray(rounded.cpu().numpy()).view(f"u{rounded.itemsize}")
    assert not mistakes(name, values, codes)


@pytest.mark.parametrize("name", [name for name in NAMES if "decode" in RECORDED[name]])
def test_reading_by_a_cast(name: str, tested_device: str):
    codes = tri.arange(256, dtype=tri.uint8, device="cpu").to(tested_device)
    values = np.asarray(codes.view(by_name(name)).to(tri.float32).cpu().numpy())
    expected = floats(RECORDED[name]["decode"])
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(values), ~number)
    np.testing.assert_array_equal(values.view(np.uint32)[number], expected.view(np.uint32)[number])


@pytest.mark.parametrize("name", [name for name in NAMES if "decode" in RECORDED[name]])
def test_reading(name: str):
    dtype = by_name(name)
    codes = NumpyLanguage().array(np.arange(256, dtype=np.uint8), STORAGE[dtype])
    values = decode(codes, dtype).value
    np.testing.assert_array_equal(values, floats(RECORDED[name]["decode"]))
    zeros = values == 0
    expected = floats(RECORDED[name]["decode"])
    np.testing.assert_array_equal(np.signbit(values[zeros]), np.signbit(expected[zeros]))


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_reading_16_bits(name: str):
    """Every code, against NumPy's and ml_dtypes' own conversions."""
    dtype = by_name(name)
    codes = np.arange(1 << 16, dtype=np.uint16)
    values = decode(NumpyLanguage().array(codes, STORAGE[dtype]), dtype).value
    expected = codes.view(dtype.numpy).astype(np.float32)
    np.testing.assert_array_equal(values, expected)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(values.view(np.uint32)[number], expected.view(np.uint32)[number])
