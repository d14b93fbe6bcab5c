"""Does a tensor print as PyTorch 2.13 prints it? `printed.json` has the texts, by case name.

They were recorded with "torch." replaced by "trilith." before lines were filled.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.default_dtype import set_default_dtype
from trilith.dialects.attributes.device import meta
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.tensors.interchange import from_numpy
from trilith.runtime.tensors.printing import get_printoptions, printoptions, set_printoptions
from trilith.runtime.tensors.tensor import Tensor, empty_tensor

PRINTED: dict[str, str] = json.loads(Path(__file__).with_name("printed.json").read_text())

NAN, INF = float("nan"), float("inf")


def array(values: Any, dtype: Any) -> Any:
    return np.array(values, dtype)


def floats(*values: float) -> Any:
    return np.array(values, np.float32)


def bytes_as(dtype: Any, *values: int) -> Any:
    return np.array(values, np.uint8).view(dtype)


def wave(*shape: int) -> Any:
    count = int(np.prod(shape))
    return (np.arange(count, dtype=np.float32) * 37 % 101 / 8 - 5).reshape(shape)


def counted(dtype: Any, *shape: int) -> Any:
    return np.arange(int(np.prod(shape))).astype(dtype).reshape(shape)


def complex32(*pairs: tuple[float, float]) -> Any:
    return np.array(list(pairs), [("real", np.float16), ("imag", np.float16)])


CASES: dict[str, Callable[[], Any]] = {
    "whole floats": lambda: floats(1, 2, -3),
    "fractions": lambda: floats(1.5, -2.25, 1000.125),
    "zero": lambda: floats(0),
    "negative zero": lambda: floats(-0.0, 0.0),
    "scalar": lambda: array(3.14159, np.float32),
    "whole scalar": lambda: array(3, np.float32),
    "scalar integer": lambda: array(7, np.int64),
    "scalar bool": lambda: array(True, np.bool_),
    "scalar large": lambda: array(1e10, np.float32),
    "scalar nan": lambda: array(NAN, np.float32),
    "scalar complex": lambda: array(1.5 - 2j, np.complex64),
    "nan and inf alone": lambda: floats(NAN, INF, -INF),
    "nan among whole": lambda: floats(1, NAN, 100, -INF),
    "nan among fractions": lambda: floats(1.5, NAN, INF),
    "wide range": lambda: floats(1e-3, 10),
    "wide range whole": lambda: floats(1, 100000),
    "ratio of exactly 1000": lambda: floats(1, 1000),
    "ratio above 1000": lambda: floats(1, 1001),
    "large": lambda: floats(1e8, 2e8),
    "too large": lambda: floats(1.1e8, 2e8),
    "small": lambda: floats(1e-4, 2e-4),
    "too small": lambda: floats(0.99e-4, 2e-4),
    "scientific with specials": lambda: floats(1e-9, NAN, -INF, 0, -1),
    "float32 extremes": lambda: floats(3.4028235e38, 1e-45),
    "rounding to even": lambda: floats(0.00005, 0.12345, 2.5, 0.99995),
    "float64": lambda: array([0.1, 1 / 3], np.float64),
    "float64 extremes": lambda: array([1e300, -1e-300], np.float64),
    "float16": lambda: array([0.1, 65504], np.float16),
    "bfloat16": lambda: array([0.1, 3.0], ml_dtypes.bfloat16),
    "float8_e4m3fn": lambda: array([0.1, 448, -1], ml_dtypes.float8_e4m3fn),
    "float8_e5m2": lambda: array([0.1, 57344, INF], ml_dtypes.float8_e5m2),
    "float8_e4m3fnuz": lambda: array([0.1, 240, NAN], ml_dtypes.float8_e4m3fnuz),
    "float8_e5m2fnuz": lambda: array([1, 2, 3], ml_dtypes.float8_e5m2fnuz),
    "float8_e8m0fnu": lambda: bytes_as(ml_dtypes.float8_e8m0fnu, 127, 128, 120),
    "float8_e8m0fnu large": lambda: bytes_as(ml_dtypes.float8_e8m0fnu, 126, 254),
    "int8": lambda: array([1, -128], np.int8),
    "int32": lambda: counted(np.int32, 2, 3),
    "int64": lambda: array([[1, -100], [20, 3]], np.int64),
    "int64 extremes": lambda: array([-(2**63), 2**63 - 1], np.int64),
    "uint8": lambda: array([0, 255], np.uint8),
    "uint16": lambda: array([1, 65535], np.uint16),
    "uint64": lambda: array([1, 2**64 - 1], np.uint64),
    "bool": lambda: array([True, False], np.bool_),
    "bool matrix": lambda: array([[True, True], [True, True]], np.bool_),
    "complex64": lambda: array([1 + 2j, -1.5 - 0.25j], np.complex64),
    "complex64 whole": lambda: array([[1 + 2j, 3 - 4j]], np.complex64),
    "complex128": lambda: array([1e-9 + 1j, 2], np.complex128),
    "complex specials": lambda: array([complex(NAN, INF), complex(-0.0, -0.0)], np.complex64),
    "complex32": lambda: complex32((1, 2), (-0.5, 0.25)),
    "empty": lambda: np.empty(0, np.float32),
    "empty integer": lambda: np.empty(0, np.int64),
    "empty matrix": lambda: np.empty((2, 0), np.float32),
    "empty cube of bool": lambda: np.empty((0, 2, 3), np.bool_),
    "matrix": lambda: wave(3, 4),
    "cube": lambda: wave(2, 2, 3),
    "rank 4": lambda: wave(1, 2, 2, 2),
    "rank 5": lambda: wave(2, 1, 1, 2, 2),
    "ones in shape": lambda: wave(1, 1, 1),
    "long line": lambda: wave(40),
    "long line of integers": lambda: counted(np.int64, 60),
    "long rows": lambda: wave(2, 30),
    "long complex line": lambda: (wave(12) + 1j * wave(12)[::-1]).astype(np.complex64),
    "transposed": lambda: wave(3, 4).T,
    "strided": lambda: wave(6, 8)[::2, 1::3],
    "suffix on the edge": lambda: counted(np.int32, 23),
    "suffix near the edge": lambda: counted(np.int16, 22),
    "suffix on a new line": lambda: wave(9).astype(np.float64),
    "exactly 1000": lambda: counted(np.int64, 1000),
    "1001": lambda: counted(np.int64, 1001),
    "summarised floats": lambda: wave(2000),
    "summarised matrix": lambda: wave(50, 50),
    "summarised wide": lambda: wave(2, 600),
    "summarised tall": lambda: wave(600, 2),
    "summarised cube": lambda: counted(np.int32, 12, 10, 11),
    "summarised seven": lambda: wave(7, 6, 40),
    "summarised complex": lambda: (wave(1200) + 1j).astype(np.complex64),
    "summarised hides the odd one": lambda: np.where(np.arange(1500) == 700, 0.5, 2.0),
    "summarised bfloat16": lambda: counted(ml_dtypes.bfloat16, 1100),
}

#: name -> (options of set_printoptions, name of the case it prints)
WITH_OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "precision 2": ({"precision": 2}, "fractions"),
    "precision 8": ({"precision": 8}, "float64"),
    "scientific on": ({"sci_mode": True}, "fractions"),
    "scientific on whole": ({"sci_mode": True}, "whole floats"),
    "scientific off": ({"sci_mode": False}, "wide range"),
    "scientific on zero": ({"sci_mode": True}, "zero"),
    "linewidth 40": ({"linewidth": 40}, "long line"),
    "linewidth 10": ({"linewidth": 10}, "matrix"),
    "threshold 5": ({"threshold": 5}, "cube"),
    "threshold 5, line": ({"threshold": 5}, "long line"),
    "edgeitems 1": ({"edgeitems": 1, "threshold": 10}, "matrix"),
    "edgeitems 0": ({"edgeitems": 0, "threshold": 10}, "matrix"),
    "edgeitems 0, line": ({"edgeitems": 0, "threshold": 10}, "long line"),
    "profile short": ({"profile": "short"}, "summarised matrix"),
    "profile full": ({"profile": "full"}, "1001"),
}


@pytest.mark.parametrize("name", CASES)
def test_prints_as_pytorch(name: str):
    assert repr(from_numpy(CASES[name]())) == PRINTED[name]


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_options(name: str):
    options, case = WITH_OPTIONS[name]
    with printoptions(**options):
        assert repr(from_numpy(CASES[case]())) == PRINTED[name]


def test_every_recorded_text_is_compared():
    others = {name for name in PRINTED if name.startswith(("meta", "default float64"))}
    assert set(CASES) | set(WITH_OPTIONS) | others == set(PRINTED)


def test_meta():
    assert repr(empty_tensor(TensorSpec.of((2, 3), dtypes.float32, meta))) == PRINTED["meta"]
    assert repr(empty_tensor(TensorSpec.of((), dtypes.int64, meta))) == PRINTED["meta int64"]


def test_default_dtype_has_no_suffix():
    set_default_dtype(dtypes.float64)
    try:
        for values in (floats(1.5), array([1.5], np.float64), array([1.5j], np.complex128)):
            name = f"default float64: {values.dtype}"
            assert repr(from_numpy(values)) == PRINTED[name]
    finally:
        set_default_dtype(dtypes.float32)


def test_float4_prints_its_bytes():
    spec = TensorSpec.of((2,), dtypes.float4_e2m1fn_x2)
    memory = from_numpy(np.array([0, 18], np.uint8)).memory
    assert repr(Tensor(memory, spec)) == "tensor([ 0., 18.], dtype=trilith.float4_e2m1fn_x2)"


def test_printoptions_come_back_after_an_error():
    before = get_printoptions()
    with pytest.raises(KeyError), printoptions(profile="nonsense"):
        pass
    with pytest.raises(ZeroDivisionError), printoptions(precision=1):
        raise ZeroDivisionError
    assert get_printoptions() == before


def test_sci_mode_is_reset_by_the_next_call_as_in_pytorch():
    set_printoptions(sci_mode=True)
    set_printoptions(precision=4)
    assert get_printoptions().sci_mode is None


def test_html_escapes_and_names_the_attributes():
    notebook: Any = from_numpy(wave(2, 3))
    text = notebook._repr_html_()
    for part in ("[2, 3]", "trilith.float32", "cpu", "[3, 1]", "<pre>[["):
        assert part in text


def test_a_tensor_whose_storage_is_too_small_still_prints():
    x: Any = from_numpy(np.ones(3, np.float32).copy()).clone()
    x.untyped_storage().resize_(4)
    assert repr(x) == "tensor(..., size=(3,), storage of 4 bytes)"
    x.untyped_storage().resize_(0)
    assert repr(x) == "tensor(..., size=(3,), storage of 0 bytes)"
    assert "<pre>...</pre>" in x._repr_html_()


@pytest.mark.parametrize(
    ("bits", "word", "kind"),
    [
        (0x7C01, np.uint16, np.float16),
        (0x7F800001, np.uint32, np.float32),
        (0x7FF0000000000001, np.uint64, np.float64),
    ],
)
def test_a_signalling_nan_is_a_nan(bits: int, word: Any, kind: Any):
    """Fresh memory may hold one. NumPy warns where it is converted; warnings are errors here."""
    tensor = from_numpy(np.array([bits, 0], word).view(kind))
    assert str(tensor.tolist()) == "[nan, 0.0]"
    assert "[nan, 0.]" in repr(tensor)
