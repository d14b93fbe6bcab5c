"""What may a caller of a factory ask for besides dtype and device? The checks that factories share.

Factories exist twice, as rows of the table of operations and in the runtime (`tensor`): both ask
here, so that they refuse in the same words.
"""

from ..diagnostics import TrilithRuntimeError, TrilithTypeError
from ..frames import warn_once
from .dtype import DType, bool_, complex32, complex128, float64, int64

#: Python's own types name dtypes too.
_PYTHON_TYPES: dict[object, DType] = {
    bool: bool_,
    int: int64,
    float: float64,
    complex: complex128,
}


def as_dtype(value: object) -> DType:
    """Return the dtype that a `dtype=` argument names; raise TypeError if it names none.

    >>> as_dtype(float)
    trilith.float64
    """
    if isinstance(value, DType):
        return value
    found = _PYTHON_TYPES.get(value) if isinstance(value, type) else None
    if found is None:
        raise TypeError
    return found


def dtype_argument(function: str, value: object) -> DType | None:
    """Return the dtype of a keyword argument; None stays None.

    >>> dtype_argument("tensor", "float32")
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithTypeError: tensor(): argument 'dtype' must be \
trilith.dtype, not str
    """
    if value is None:
        return None
    try:
        return as_dtype(value)
    except TypeError:
        raise TrilithTypeError(
            f"{function}(): argument 'dtype' must be trilith.dtype, not {type(value).__name__}"
        ) from None


def check_flags(function: str, **flags: object) -> None:
    """Refuse what is neither a bool nor None, in the order given.

    >>> check_flags("tensor", requires_grad=False, pin_memory=None)
    """
    for name, value in flags.items():
        if value is not None and not isinstance(value, bool):
            raise TrilithTypeError(
                f"{function}(): argument '{name}' must be bool, not {type(value).__name__}"
            )


def check_pinned(pin_memory: object) -> None:
    """Refuse pinned memory; None and False do not ask for it.

    >>> check_pinned(None)
    """
    if pin_memory:
        raise TrilithRuntimeError(
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory "
            "allocator is available on this system."
        )


def check_differentiable(dtype: DType, requires_grad: object) -> None:
    """Refuse that a new tensor of a dtype without gradients requires one.

    >>> check_differentiable(int64, requires_grad=False)
    """
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise TrilithRuntimeError(
            "Only Tensors of floating point and complex dtype can require gradients"
        )


def warn_of_complex32(dtype: DType) -> None:
    """Warn, once in the life of the process, when the first complex32 tensor is made.

    >>> warn_of_complex32(complex128)
    """
    if dtype is complex32:
        warn_once("ComplexHalf support is experimental and many operators don't support it yet.")
