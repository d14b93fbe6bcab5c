"""What do nested Python sequences say? Their sizes, the dtype of their numbers, the numbers.

The rules are PyTorch's: sizes come from the first elements, the dtype is promoted over all, and a
number is converted by what it is (`float` is cut, anything else must have `__index__`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from ...dialects.attributes.default_dtype import get_default_complex_dtype, get_default_dtype
from ...dialects.attributes.dtype import DType, bfloat16, bool_, complex128, int64, uint64
from ...dialects.attributes.dtype import from_numpy as dtype_from_numpy
from ...dialects.attributes.limits import iinfo
from ...dialects.attributes.promotion import promote_types
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.diagnostics import (
    TrilithError,
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from .described import Described

#: As many dims as PyTorch allows; text, whose elements are text again, never ends.
MAXIMUM_DIMS = 128

_OF_TENSORS = "tri.stack([...]) makes a tensor of tensors; tri.tensor(2) makes one of a number"

_Numbers = np.ndarray[Any, Any]


def _refuse_array(data: object) -> None:
    """Refuse an array that does not give NumPy its elements: it is no sequence of numbers.

    NumPy's mark of an array is there, and no protocol to copy it by: arrays on a device.
    """
    kind = type(data)
    if hasattr(kind, "__array_priority__") and not hasattr(kind, "__array__"):
        raise TrilithTypeError(
            f"an array ({kind.__module__}.{kind.__name__}) that NumPy cannot read is no sequence",
            hint="copy it to host memory with its own method, .get() say, or share it by what its "
            "device offers, as trilith.opencl.from_cl does",
        )


class Sequences:
    """Nested sequences of one shape, or a single number.

    >>> nested = Sequences([[1, 2], [3, 4.5]])
    >>> nested.shape, nested.inferred()
    ((2, 2), trilith.float32)
    >>> nested.numbers(int64)
    array([1, 2, 3, 4])
    """

    __slots__ = ("data", "shape")

    def __init__(self, data: Any) -> None:
        """Read the sizes off the first elements."""
        if isinstance(data, (str, bytes)):
            raise TrilithTypeError(f"new(): invalid data type '{type(data).__name__}'")
        self.data = data
        self.shape = _shape_of(data)

    def inferred(self) -> DType:
        """Return the dtype that all numbers are promoted to."""
        return _infer(self.data)

    def numbers(self, dtype: DType) -> _Numbers:
        """Return all numbers in order, checked against the dtype.

        They are float64, complex128, bool, int64 or uint64, by the dtype's category.
        """
        if 0 in self.shape:
            return np.empty(0, dtype.numpy)
        leaves: list[Any] = []
        _collect(self.data, self.shape, 0, leaves)
        try:
            return _convert(leaves, dtype)
        except TrilithError as error:
            if error.hint and any(isinstance(leaf, Described) for leaf in leaves):
                # A tensor of a function that is being traced, which cannot know who asks.
                error.hint = _OF_TENSORS
            raise
        except TypeError as error:
            raise TrilithTypeError(str(error)) from None
        except OverflowError as error:
            raise TrilithOverflowError(str(error)) from None


def _is_sequence(value: Any) -> bool:
    """Whether Python's C API calls the value a sequence; a tensor counts as a number here."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (int, float, complex, Described, dict)):
        return False
    return isinstance(value, Sequence) or (
        hasattr(value, "__getitem__")
        and hasattr(value, "__len__")
        # NumPy's scalars have both, and length none.
        and not isinstance(value, np.generic)
    )


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while _is_sequence(data):
        _refuse_array(data)
        try:
            shape.append(len(data))
        except TypeError as error:
            raise TrilithTypeError(str(error)) from None
        kind = type(data).__name__
        if len(shape) > MAXIMUM_DIMS:
            raise TrilithValueError(f"too many dimensions '{kind}'")
        if not shape[-1]:
            break
        try:
            data = data[0]
        except (LookupError, TypeError):
            raise TrilithValueError(
                f"could not determine the shape of object type '{kind}'"
            ) from None
    return tuple(shape)


# ---- dtype


def _complex_dtype() -> DType:
    if get_default_dtype() is bfloat16:
        raise TrilithRuntimeError("invalid default scalar type for complex")
    return get_default_complex_dtype()


_DTYPES: dict[type, Callable[[], DType]] = {
    float: get_default_dtype,
    bool: lambda: bool_,
    int: lambda: int64,
    complex: _complex_dtype,
}


def _infer(data: Any) -> DType:
    """Return the dtype of a number, or what the items of a sequence promote to."""
    if type(data) is not list:
        dtype = _dtype_of(data)
        if dtype is not None:
            return dtype
    sequence = cast("Sequence[Any]", data)
    if not len(sequence):
        return get_default_dtype()
    found: DType | None = None
    for item in _representatives(sequence):
        if item is data:
            raise TrilithTypeError("new(): self-referential lists are incompatible")
        dtype = _infer(item)
        found = dtype if found is None else promote_types(found, dtype)
        if found is complex128:
            break  # nothing is wider
    assert found is not None
    return found


def _dtype_of(data: Any) -> DType | None:
    """Return the dtype of a number or of an array, None for a sequence; refuse anything else."""
    usual = _DTYPES.get(cast("type[Any]", type(data)))
    if usual is not None:
        return usual()
    if isinstance(data, (np.ndarray, np.generic)):
        return dtype_from_numpy(cast("Any", data).dtype)
    if isinstance(data, Described):
        return data.dtype
    for kind, dtype in _DTYPES.items():
        if isinstance(data, kind) and (kind is not int or not isinstance(data, bool)):
            return dtype()
    if isinstance(data, (str, bytes)):
        raise TrilithTypeError(f"new(): invalid data type '{type(data).__name__}'")
    if _is_sequence(data):
        return None
    if isinstance(getattr(data, "spec", None), ScalarSpec):
        operator.index(data)  # a number of a traced function, which says what to do
    raise TrilithRuntimeError(f"Could not infer dtype of {type(data).__name__}")


def _representatives(data: Sequence[Any]) -> Sequence[Any]:
    """Return items that promote as all do: of Python's plain numbers one of each kind is enough."""
    kinds = set(map(type, data))
    return [kind() for kind in kinds] if kinds <= _PLAIN else data


_PLAIN: frozenset[type] = frozenset((bool, int, float, complex))

# ---- numbers


def _collect(data: Any, shape: tuple[int, ...], dim: int, leaves: list[Any]) -> None:
    """Append all numbers, refusing sequences of other lengths than the first ones."""
    if dim == len(shape):
        leaves.append(data)
        return
    try:
        items: list[Any] = list(data)
    except TypeError:
        raise TrilithTypeError("not a sequence") from None
    if len(items) != shape[dim]:
        raise TrilithValueError(
            f"expected sequence of length {shape[dim]} at dim {dim} (got {len(items)})"
        )
    if dim + 1 == len(shape):
        leaves.extend(items)
        return
    for item in items:
        _collect(item, shape, dim + 1, leaves)


def _convert(leaves: list[Any], dtype: DType) -> _Numbers:
    """Return the numbers as NumPy's widest of the dtype's category."""
    kinds = set(map(type, leaves))
    is_plain_real = kinds <= _PLAIN - {complex}
    if dtype.is_complex:
        is_plain = kinds <= _PLAIN
        return np.array(leaves if is_plain else [complex(leaf) for leaf in leaves], np.complex128)
    if dtype.is_floating_point:
        return np.array(leaves if is_plain_real else [_real(leaf) for leaf in leaves], np.float64)
    if dtype is bool_:
        return np.array([_truth(leaf) for leaf in leaves], np.bool_)
    if dtype is uint64:
        return np.array([_unsigned_word(leaf) for leaf in leaves], np.uint64)
    return _plain_integers(leaves, dtype) if kinds <= {int, bool} else _integers(leaves, dtype)


def _real(value: Any) -> float:
    kind = cast("Any", type(value))
    has_value = hasattr(kind, "__float__") or hasattr(kind, "__index__")
    if issubclass(kind, np.complexfloating) or not has_value:
        raise TrilithTypeError(f"must be real number, not {kind.__name__}")
    return float(value)


def _truth(value: Any) -> bool:
    kind = cast("Any", type(value))
    if issubclass(kind, (bool, int, float, complex, np.bool_)):
        return bool(value)
    return bool(operator.index(value))


def _unsigned_word(value: Any) -> int:
    """Return an integer of 64 bits; PyTorch takes no float and no negative number here."""
    if isinstance(value, float) or not hasattr(value, "__index__"):
        raise TrilithTypeError("an integer is required")
    number = operator.index(value)
    if number < 0:
        raise TrilithOverflowError("can't convert negative int to unsigned")
    if number >= 1 << 64:
        raise TrilithOverflowError("int too big to convert")
    return number


def _plain_integers(leaves: list[int], dtype: DType) -> _Numbers:
    """Do what `_integers` does for Python's own integers, without a look at each."""
    try:
        numbers = np.array(leaves, np.int64)
    except OverflowError:
        raise TrilithValueError("Overflow when unpacking long long") from None
    limits = iinfo(dtype)
    lowest = limits.min if dtype.is_signed else -limits.max
    if dtype.bits < 64 and not lowest <= int(numbers.min()) <= int(numbers.max()) <= limits.max:
        raise _overflow(dtype)
    return numbers


def _integers(leaves: list[Any], dtype: DType) -> _Numbers:
    limits = iinfo(dtype)
    # Negative integers wrap in an unsigned dtype, negative fractions do not.
    lowest = limits.min if dtype.is_signed else -limits.max
    numbers: list[int] = []
    for leaf in leaves:
        if isinstance(leaf, float):
            # 2.0**63 passes PyTorch's check of int64, and becomes its minimum.
            if not limits.min <= leaf <= float(limits.max):
                raise _overflow(dtype)
            number = int(leaf)
            number = limits.min if number > limits.max else number
        else:
            number = operator.index(leaf)
            if not -(1 << 63) <= number < 1 << 63:
                raise TrilithValueError("Overflow when unpacking long long")
            if not lowest <= number <= limits.max:
                raise _overflow(dtype)
        numbers.append(number)
    return np.array(numbers, np.int64)


def _overflow(dtype: DType) -> TrilithRuntimeError:
    return TrilithRuntimeError(f"value cannot be converted to type {dtype.name} without overflow")
