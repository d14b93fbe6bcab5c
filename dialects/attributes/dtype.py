"""What can an element of a tensor be?

The table of PyTorch's 22 documented dtypes. Each dtype is one object: compare with `is` or `==`.
The three whose PyTorch names are Python types are called `bool_` (torch.bool) and, through
`ALIASES`, "float" and "int".
"""

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Never

import numpy as np

from ..diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ..locks import imported
from .fixed import Fixed


class Category(IntEnum):
    """The four categories of promotion, lowest first."""

    BOOLEAN = 0
    INTEGRAL = 1
    FLOATING = 2
    COMPLEX = 3


class DType(Fixed):
    """The type of an element.

    `index` counts from 0 in the order of `ALL_DTYPES`. `bits` and `itemsize` are the width of an
    element, `c_name` is PyTorch's ScalarType word, as its error texts use it. `numpy` is the type
    of an element in a NumPy array: complex32, which NumPy lacks, is a pair of float16, and
    float4_e2m1fn_x2, two numbers in a byte, is uint8. bfloat16 and float8 have the types of
    ml_dtypes, which is loaded when it is first asked for one.

    >>> float16, float16.itemsize, float16.c_name, float16.to_complex()
    (trilith.float16, 2, 'Half', trilith.complex32)
    """

    __slots__ = (
        "__weakref__",
        "abbr",
        "bits",
        "c_name",
        "category",
        "index",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
        "numpy",
    )
    name: str
    abbr: str
    c_name: str
    index: int
    category: Category
    bits: int
    itemsize: int
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    numpy: np.dtype[Any]

    def __new__(cls, *_args: object, **_keywords: object) -> Never:
        """Refuse: there are only the dtypes of this module."""
        raise TrilithTypeError("cannot create 'trilith.dtype' instances")

    def __repr__(self) -> str:
        """Return the public name."""
        return f"trilith.{self.name}"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle as a name, so that the same object comes back."""
        return by_name, (self.name,)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the type in a NumPy array that NumPy itself does not have."""
            if name != "numpy":
                text = f"'{type(self).__name__}' object has no attribute '{name}'"
                raise AttributeError(text, name=name, obj=self)
            _load_foreign()
            return self.numpy

    def to_real(self) -> "DType":
        """Return the dtype of a component of a complex number; others return themselves.

        >>> complex32.to_real(), int32.to_real()
        (trilith.float16, trilith.int32)
        """
        return _REAL.get(self, self)

    def to_complex(self) -> "DType":
        """Return the complex dtype that holds this one; bfloat16 needs complex64.

        >>> bfloat16.to_complex()
        trilith.complex64
        >>> int32.to_complex()
        Traceback (most recent call last):
        trilith.dialects.diagnostics.TrilithRuntimeError: Unknown Complex ScalarType for Int
        """
        if self.is_complex:
            return self
        found = _COMPLEX.get(self)
        if found is None:
            raise TrilithRuntimeError(f"Unknown Complex ScalarType for {self.c_name}")
        return found


def _make(name: str, abbr: str, c_name: str, category: Category, numpy: Any) -> DType:
    """Make a dtype; of one that NumPy does not have, only the bytes of an element are known yet."""
    dtype = object.__new__(DType)
    is_foreign = isinstance(numpy, int)
    itemsize = numpy if is_foreign else np.dtype(numpy).itemsize
    unsigned = name.startswith("u") or name in {"bool", "float8_e8m0fnu"}
    fields = {
        "name": name,
        "abbr": abbr,
        "c_name": c_name,
        "index": len(_TABLE),
        "category": category,
        "bits": itemsize * 8,
        "itemsize": itemsize,
        "is_floating_point": category is Category.FLOATING,
        "is_complex": category is Category.COMPLEX,
        "is_signed": not unsigned,
        **({} if is_foreign else {"numpy": np.dtype(numpy)}),
    }
    for field, value in fields.items():
        object.__setattr__(dtype, field, value)
    _TABLE.append(dtype)
    return dtype


_TABLE: list[DType] = []
_B, _I, _F, _C = Category.BOOLEAN, Category.INTEGRAL, Category.FLOATING, Category.COMPLEX
_F8 = "float8_"
_PAIR = [("real", np.float16), ("imag", np.float16)]

bool_ = _make("bool", "b8", "Bool", _B, np.bool_)
uint8 = _make("uint8", "u8", "Byte", _I, np.uint8)
int8 = _make("int8", "i8", "Char", _I, np.int8)
int16 = _make("int16", "i16", "Short", _I, np.int16)
int32 = _make("int32", "i32", "Int", _I, np.int32)
int64 = _make("int64", "i64", "Long", _I, np.int64)
uint16 = _make("uint16", "u16", "UInt16", _I, np.uint16)
uint32 = _make("uint32", "u32", "UInt32", _I, np.uint32)
uint64 = _make("uint64", "u64", "UInt64", _I, np.uint64)
float16 = _make("float16", "f16", "Half", _F, np.float16)
bfloat16 = _make("bfloat16", "bf16", "BFloat16", _F, 2)
float32 = _make("float32", "f32", "Float", _F, np.float32)
float64 = _make("float64", "f64", "Double", _F, np.float64)
complex32 = _make("complex32", "c32", "ComplexHalf", _C, _PAIR)
complex64 = _make("complex64", "c64", "ComplexFloat", _C, np.complex64)
complex128 = _make("complex128", "c128", "ComplexDouble", _C, np.complex128)
float8_e4m3fn = _make(f"{_F8}e4m3fn", "f8e4m3fn", "Float8_e4m3fn", _F, 1)
float8_e5m2 = _make(f"{_F8}e5m2", "f8e5m2", "Float8_e5m2", _F, 1)
float8_e4m3fnuz = _make(f"{_F8}e4m3fnuz", "f8e4m3fnuz", "Float8_e4m3fnuz", _F, 1)
float8_e5m2fnuz = _make(f"{_F8}e5m2fnuz", "f8e5m2fnuz", "Float8_e5m2fnuz", _F, 1)
float8_e8m0fnu = _make(f"{_F8}e8m0fnu", "f8e8m0fnu", "Float8_e8m0fnu", _F, 1)
float4_e2m1fn_x2 = _make("float4_e2m1fn_x2", "f4e2m1fnx2", "Float4_e2m1fn_x2", _F, np.uint8)

half, double = float16, float64
short, long = int16, int64
chalf, cfloat, cdouble = complex32, complex64, complex128

ALL_DTYPES: tuple[DType, ...] = tuple(_TABLE)
FLOAT8_DTYPES = (float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu)
#: Every floating and complex dtype from float32 on holds numbers of smaller size: "moderate" ones.
MODERATE = 3e38
BAREBONES_UNSIGNED = (uint16, uint32, uint64)
ALIASES: dict[str, DType] = {
    "float": float32,
    "double": float64,
    "half": float16,
    "short": int16,
    "int": int32,
    "long": int64,
    "chalf": complex32,
    "cfloat": complex64,
    "cdouble": complex128,
}
_BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in ALL_DTYPES} | ALIASES
_FOREIGN = (bfloat16, *FLOAT8_DTYPES)
_BY_NUMPY: dict[np.dtype[Any], DType] = {
    dtype.numpy: dtype for dtype in ALL_DTYPES if dtype not in (*_FOREIGN, float4_e2m1fn_x2)
}
_REAL = {complex32: float16, complex64: float32, complex128: float64}
_COMPLEX = {float16: complex32, bfloat16: complex64, float32: complex64, float64: complex128}


def by_name(name: str) -> DType:
    """Return the dtype of that name or alias.

    >>> by_name("half"), by_name("bool")
    (trilith.float16, trilith.bool)
    """
    found = _BY_NAME.get(name)
    if found is None:
        raise TrilithTypeError(f"unknown dtype '{name}'", hint=f"one of {', '.join(_BY_NAME)}")
    return found


def _load_foreign() -> None:
    """Load the types that NumPy does not have, which takes 5 ms."""
    library = imported("ml_dtypes")
    for dtype in _FOREIGN:
        found: np.dtype[Any] = np.dtype(getattr(library, dtype.name))
        object.__setattr__(dtype, "numpy", found)
        _BY_NUMPY[found] = dtype


def from_numpy(numpy_dtype: np.dtype[Any]) -> DType:
    """Return the dtype of the elements of a NumPy array.

    >>> from_numpy(np.dtype("float32"))
    trilith.float32
    """
    found = _BY_NUMPY.get(numpy_dtype)
    if found is None and numpy_dtype.type.__module__ == "ml_dtypes":
        _load_foreign()
        found = _BY_NUMPY.get(numpy_dtype)
    if found is not None:
        return found
    if not numpy_dtype.isnative:
        raise TrilithValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    raise TrilithTypeError(
        f"can't convert np.ndarray of type {numpy_dtype.type.__module__}"
        f".{numpy_dtype.type.__name__}. The only supported types are: float64, float32, float16,"
        " complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and"
        " bool."
    )
