"""Which dtype have Python floats, and the tensors of factories that are given none?"""

from ..diagnostics import TrilithTypeError
from .dtype import DType, bfloat16, float16, float32, float64
from .settings import current, set_dtype

_DEFAULTS = (float16, bfloat16, float32, float64)


def get_default_dtype() -> DType:
    """Return the dtype of Python floats and of factories that are given none.

    >>> get_default_dtype()
    trilith.float32
    """
    return current().dtype


def get_default_complex_dtype() -> DType:
    """Return the dtype of Python complex numbers: the complex of the default dtype.

    >>> get_default_complex_dtype()
    trilith.complex64
    """
    return get_default_dtype().to_complex()


def set_default_dtype(dtype: DType) -> None:
    """Choose float16, bfloat16, float32 or float64 as the default dtype, for the whole process."""
    set_dtype(check_default_dtype(dtype))


def check_default_dtype(dtype: object) -> DType:
    """Return the dtype if it can be the default, else raise in PyTorch's words.

    >>> check_default_dtype(float64)
    trilith.float64
    """
    expected = "only floating-point types are supported as the default type"
    if not isinstance(dtype, DType):
        raise TrilithTypeError(f"invalid dtype object: {expected}")
    if not dtype.is_floating_point:
        raise TrilithTypeError(expected)
    if dtype not in _DEFAULTS:
        raise TrilithTypeError(f"couldn't find storage object {dtype.c_name}Storage")
    return dtype
