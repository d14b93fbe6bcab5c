"""Do finfo and iinfo tell PyTorch's limits?"""

import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.dtype import DType, by_name
from trilith.dialects.attributes.limits import finfo, iinfo

# Printed by torch 2.13.
LINES = """
finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, smallest_normal=6.10352e-05, \
tiny=6.10352e-05, dtype=float16)
finfo(resolution=0.01, min=-3.38953e+38, max=3.38953e+38, eps=0.0078125, \
smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=bfloat16)
finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, \
smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)
finfo(resolution=1e-15, min=-1.79769e+308, max=1.79769e+308, eps=2.22045e-16, \
smallest_normal=2.22507e-308, tiny=2.22507e-308, dtype=float64)
finfo(resolution=1, min=-448, max=448, eps=0.125, smallest_normal=0.015625, tiny=0.015625, \
dtype=float8_e4m3fn)
finfo(resolution=1, min=-57344, max=57344, eps=0.25, smallest_normal=6.10352e-05, \
tiny=6.10352e-05, dtype=float8_e5m2)
finfo(resolution=1, min=-240, max=240, eps=0.125, smallest_normal=0.0078125, tiny=0.0078125, \
dtype=float8_e4m3fnuz)
finfo(resolution=1, min=-57344, max=57344, eps=0.125, smallest_normal=3.05176e-05, \
tiny=3.05176e-05, dtype=float8_e5m2fnuz)
finfo(resolution=1, min=5.87747e-39, max=1.70141e+38, eps=1, smallest_normal=5.87747e-39, \
tiny=5.87747e-39, dtype=float8_e8m0fnu)
iinfo(min=0, max=255, dtype=uint8)
iinfo(min=-128, max=127, dtype=int8)
iinfo(min=-32768, max=32767, dtype=int16)
iinfo(min=-2.14748e+09, max=2.14748e+09, dtype=int32)
iinfo(min=-9.22337e+18, max=9.22337e+18, dtype=int64)
iinfo(min=0, max=65535, dtype=uint16)
iinfo(min=0, max=4.29497e+09, dtype=uint32)
iinfo(min=0, max=1.84467e+19, dtype=uint64)
""".strip().splitlines()


@pytest.mark.parametrize("line", LINES)
def test_prints_pytorchs_line(line: str):
    dtype = by_name(line.rpartition("=")[2].rstrip(")"))
    info = finfo(dtype) if line.startswith("finfo") else iinfo(dtype)
    assert repr(info) == line
    assert info.dtype == dtype.name
    assert info.bits == dtype.itemsize * 8


def test_values_are_exact():
    assert finfo(dtypes.float32).max == 3.4028234663852886e38
    assert finfo(dtypes.float64).eps == 2.0**-52
    assert iinfo(dtypes.uint64).max == 2**64 - 1
    assert iinfo(dtypes.int64).min == -(2**63)


def test_complex_has_the_limits_of_its_parts_and_none_is_the_default():
    assert finfo(dtypes.complex32) == finfo(dtypes.float16)
    assert finfo(dtypes.complex128) == finfo(dtypes.float64)
    assert finfo() == finfo(dtypes.float32)


@pytest.mark.parametrize(
    ("function", "dtype", "kind", "text"),
    [
        (
            finfo,
            dtypes.int32,
            TypeError,
            "trilith.finfo() requires a floating point input type. "
            "Use trilith.iinfo to handle 'trilith.finfo'",
        ),
        (
            iinfo,
            dtypes.complex64,
            TypeError,
            "trilith.iinfo() requires an integer input type. "
            "Use trilith.finfo to handle 'trilith.iinfo'",
        ),
        (iinfo, dtypes.bool_, TypeError, "trilith.bool is not supported by trilith.iinfo"),
        (
            finfo,
            3,
            TypeError,
            "finfo(): argument 'type' (position 1) must be trilith.dtype, not int",
        ),
        (
            finfo,
            dtypes.float4_e2m1fn_x2,
            NotImplementedError,
            "\"epsilon\" not implemented for 'Float4_e2m1fn_x2'",
        ),
    ],
)
def test_refusals(function: type, dtype: DType, kind: type[Exception], text: str):
    with pytest.raises(kind) as caught:
        function(dtype)
    assert str(caught.value).splitlines()[0] == text
