"""Which numbers can a dtype hold?"""

from math import floor, log2, log10

import numpy as np

from ..diagnostics import TrilithNotImplementedError, TrilithTypeError
from ..locks import imported
from ..records import record
from .default_dtype import get_default_dtype
from .dtype import Category, DType, float4_e2m1fn_x2, float8_e5m2fnuz


@record(repr=False)
class FloatInfo:
    """The limits of a floating dtype, or of the components of a complex one.

    `smallest_normal` and `tiny` are the same; `resolution` is 10 to the minus number of decimal
    digits that survive; `dtype` is a name.
    """

    bits: int
    eps: float
    max: float
    min: float
    tiny: float
    smallest_normal: float
    resolution: float
    dtype: str

    def __repr__(self) -> str:
        """Return PyTorch's line."""
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )


@record(repr=False)
class IntegerInfo:
    """The limits of an integral dtype; `dtype` is a name."""

    bits: int
    max: int
    min: int
    dtype: str

    def __repr__(self) -> str:
        """Return PyTorch's line."""
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def finfo(dtype: DType | None = None) -> FloatInfo:
    """Return the limits of a floating or complex dtype; None is the default dtype.

    >>> from trilith.dialects.attributes.dtype import bfloat16
    >>> finfo(bfloat16).eps
    0.0078125
    """
    dtype = _check_dtype("finfo", get_default_dtype() if dtype is None else dtype)
    if dtype.category < Category.FLOATING:
        raise TrilithTypeError(
            "trilith.finfo() requires a floating point input type. "
            "Use trilith.iinfo to handle 'trilith.finfo'"
        )
    found = _FLOATS.get(dtype)
    if found is None:
        found = _FLOATS[dtype] = _measure(dtype.to_real())
    return found


def iinfo(dtype: DType) -> IntegerInfo:
    """Return the limits of an integral dtype.

    >>> from trilith.dialects.attributes.dtype import int32, uint8
    >>> iinfo(uint8), iinfo(int32).max
    (iinfo(min=0, max=255, dtype=uint8), 2147483647)
    """
    _check_dtype("iinfo", dtype)
    if dtype.category is Category.BOOLEAN:
        raise TrilithTypeError("trilith.bool is not supported by trilith.iinfo")
    if dtype.category is not Category.INTEGRAL:
        raise TrilithTypeError(
            "trilith.iinfo() requires an integer input type. "
            "Use trilith.finfo to handle 'trilith.iinfo'"
        )
    limits = np.iinfo(dtype.numpy)
    return IntegerInfo(dtype.bits, int(limits.max), int(limits.min), dtype.name)


_FLOATS: dict[DType, FloatInfo] = {}


def _check_dtype(function: str, dtype: object) -> DType:
    if isinstance(dtype, DType):
        return dtype
    raise TrilithTypeError(
        f"{function}(): argument 'type' (position 1) must be trilith.dtype, "
        f"not {type(dtype).__name__}"
    )


def _measure(dtype: DType) -> FloatInfo:
    if dtype is float4_e2m1fn_x2:
        raise TrilithNotImplementedError(
            f"\"epsilon\" not implemented for '{dtype.c_name}'",
            hint="an element is two numbers in a byte and has no limits of its own",
        )
    limits = imported("ml_dtypes").finfo(dtype.numpy)
    # PyTorch gives float8_e5m2fnuz, which has two mantissa bits, the epsilon of three (D9).
    eps = 0.125 if dtype is float8_e5m2fnuz else float(limits.eps)
    tiny = float(limits.smallest_normal)
    return FloatInfo(
        bits=dtype.bits,
        eps=eps,
        max=float(limits.max),
        min=float(limits.min),
        tiny=tiny,
        smallest_normal=tiny,
        resolution=10.0 ** -floor(-log2(eps) * log10(2)),
        dtype=dtype.name,
    )
