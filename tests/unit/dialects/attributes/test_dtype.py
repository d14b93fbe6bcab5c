"""Is the table of dtypes PyTorch's, and is each dtype one object?"""

import copy
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.default_dtype import (
    get_default_complex_dtype,
    get_default_dtype,
    set_default_dtype,
)
from trilith.dialects.attributes.dtype import (
    ALIASES,
    ALL_DTYPES,
    Category,
    DType,
    by_name,
    float32,
    float64,
    from_numpy,
)
from trilith.dialects.diagnostics import TrilithError

# PyTorch's C++ names (errors, "Names in texts") in the order of the table.
C_NAMES = (
    "Bool Byte Char Short Int Long UInt16 UInt32 UInt64 Half BFloat16 Float Double ComplexHalf "
    "ComplexFloat ComplexDouble Float8_e4m3fn Float8_e5m2 Float8_e4m3fnuz Float8_e5m2fnuz "
    "Float8_e8m0fnu Float4_e2m1fn_x2"
).split()
ABBREVIATIONS = (
    "b8 u8 i8 i16 i32 i64 u16 u32 u64 f16 bf16 f32 f64 c32 c64 c128 f8e4m3fn f8e5m2 f8e4m3fnuz "
    "f8e5m2fnuz f8e8m0fnu f4e2m1fnx2"
).split()


@pytest.fixture
def default_dtype() -> Iterator[None]:
    before = get_default_dtype()
    yield
    set_default_dtype(before)


def test_names():
    assert [dtype.c_name for dtype in ALL_DTYPES] == C_NAMES
    assert [dtype.abbr for dtype in ALL_DTYPES] == ABBREVIATIONS
    assert [dtype.index for dtype in ALL_DTYPES] == list(range(22))


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=repr)
def test_one_object(dtype: DType):
    assert repr(dtype) == str(dtype) == f"trilith.{dtype.name}"
    assert by_name(dtype.name) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is copy.copy(dtype) is dtype
    assert dtype != dtype.name
    assert sum(dtype == other for other in ALL_DTYPES) == 1


def test_aliases():
    assert {name: dtype.name for name, dtype in ALIASES.items()} == {
        "float": "float32",
        "double": "float64",
        "half": "float16",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "chalf": "complex32",
        "cfloat": "complex64",
        "cdouble": "complex128",
    }
    assert dtypes.half is dtypes.float16
    assert dtypes.cdouble is dtypes.complex128


def test_a_dtype_is_neither_made_nor_changed():
    with pytest.raises(TypeError, match=r"^cannot create 'trilith\.dtype' instances"):
        DType()
    with pytest.raises(AttributeError):
        setattr(float32, "bits", 16)  # noqa: B010
    with pytest.raises(TypeError, match="unknown dtype 'float31'"):
        by_name("float31")


def test_categories_are_ordered():
    assert Category.COMPLEX > Category.FLOATING > Category.INTEGRAL > Category.BOOLEAN
    unsigned = {dtype.name for dtype in ALL_DTYPES if not dtype.is_signed}
    assert unsigned == {"bool", "uint8", "uint16", "uint32", "uint64", "float8_e8m0fnu"}


@pytest.mark.parametrize(
    ("name", "real", "complex_"),
    [
        ("float16", "float16", "complex32"),
        ("bfloat16", "bfloat16", "complex64"),
        ("float32", "float32", "complex64"),
        ("float64", "float64", "complex128"),
        ("complex32", "float16", "complex32"),
        ("complex64", "float32", "complex64"),
        ("complex128", "float64", "complex128"),
    ],
)
def test_to_real_and_to_complex(name: str, real: str, complex_: str):
    assert by_name(name).to_real().name == real
    assert by_name(name).to_complex().name == complex_


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("int32", "Unknown Complex ScalarType for Int"),
        ("bool", "Unknown Complex ScalarType for Bool"),
        ("float8_e5m2", "Unknown Complex ScalarType for Float8_e5m2"),
    ],
)
def test_to_complex_refuses(name: str, text: str):
    assert by_name(name).to_real().name == name
    with pytest.raises(RuntimeError) as caught:
        by_name(name).to_complex()
    assert caught.value.args[0] == text


def test_numpy():
    for dtype in ALL_DTYPES:
        if dtype.name != "float4_e2m1fn_x2":
            assert from_numpy(dtype.numpy) is dtype
    assert from_numpy(np.dtype("longlong")).name == "int64"
    with pytest.raises(ValueError, match="byte order different from the native byte order"):
        from_numpy(np.dtype("float32").newbyteorder())
    with pytest.raises(TypeError, match=r"can't convert np\.ndarray of type numpy\.str_"):
        from_numpy(np.dtype("U3"))


@pytest.mark.usefixtures("default_dtype")
def test_default_dtype():
    for name, complex_ in {
        "float16": "complex32",
        "bfloat16": "complex64",
        "float64": "complex128",
        "float32": "complex64",
    }.items():
        set_default_dtype(by_name(name))
        assert (get_default_dtype().name, get_default_complex_dtype().name) == (name, complex_)


@pytest.mark.usefixtures("default_dtype")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (dtypes.int32, "only floating-point types are supported as the default type"),
        (dtypes.complex64, "only floating-point types are supported as the default type"),
        (
            "float32",
            "invalid dtype object: only floating-point types are supported as the default type",
        ),
        (dtypes.float8_e5m2, "couldn't find storage object Float8_e5m2Storage"),
    ],
)
def test_default_dtype_refuses(value: DType, text: str):
    set_default_dtype(float64)
    with pytest.raises(TypeError) as caught:
        set_default_dtype(value)
    assert isinstance(caught.value, TrilithError)
    assert caught.value.message == text
    assert get_default_dtype() is float64


@pytest.mark.parametrize("read", [hash, repr, pickle.dumps])
def test_reading_does_not_change(read: Callable[[DType], object]):
    assert read(float32) == read(float32)
