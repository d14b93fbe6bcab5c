"""What can be asked of a tensor by a function as well as by a method? Nothing here computes.

Each takes a tensor or its stand-in inside a traced function: both have a `spec`.
"""

from __future__ import annotations

from typing import Any, cast

from ...dialects.attributes.layout import sparse_coo
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithTypeError
from ..execution.storage import UntypedStorage
from . import dispatch
from .typed_storage import TypedStorage


def is_tensor(obj: Any) -> bool:
    """Tell whether an object is a tensor.

    >>> is_tensor(3)
    False
    """
    is_sparse = getattr(obj, "layout", None) is sparse_coo
    return is_sparse or isinstance(getattr(obj, "spec", None), TensorSpec)


def is_storage(obj: Any, /) -> bool:
    """Tell whether an object is the memory of a tensor.

    >>> import trilith as tri
    >>> is_storage(tri.zeros(1).untyped_storage()), is_storage(tri.zeros(1))
    (True, False)
    """
    return isinstance(obj, (UntypedStorage, TypedStorage))


def is_distributed(input: Any) -> bool:
    """Tell whether a tensor is one of several machines: none is.

    >>> import trilith as tri
    >>> is_distributed(tri.zeros(1))
    False
    """
    _spec_of("is_distributed", input)
    return False


def typename(obj: Any, /) -> str:
    """Return what a type, a function or the type of an object is called, with its module.

    >>> import trilith as tri
    >>> typename(tri.zeros(1)), typename(3)
    ('trilith.FloatTensor', 'int')
    """
    if is_tensor(obj):
        return obj.type()
    is_named = hasattr(obj, "__qualname__") or hasattr(obj, "__name__")
    named: Any = obj if is_named else type(cast("object", obj))
    name: str = getattr(named, "__qualname__", None) or named.__name__
    module = getattr(named, "__module__", None)
    return name if module in (None, "", "builtins") else f"{module}.{name}"


def _spec_of(function: str, value: Any, name: str = "input", position: int = 1) -> TensorSpec:
    spec = getattr(value, "spec", None)
    if not isinstance(spec, TensorSpec):
        kind = "NoneType" if value is None else type(value).__name__
        raise TrilithTypeError(
            f"{function}(): argument '{name}' (position {position}) must be Tensor, not {kind}"
        )
    return spec


def numel(input: Any) -> int:
    """Return the number of elements.

    >>> import trilith as tri
    >>> numel(tri.zeros(2, 3))
    6
    """
    return _spec_of("numel", input).numel


def is_floating_point(input: Any) -> bool:
    """Tell whether the elements are real floating-point numbers.

    >>> import trilith as tri
    >>> is_floating_point(tri.zeros(1))
    True
    """
    return _spec_of("is_floating_point", input).dtype.is_floating_point


def is_complex(input: Any) -> bool:
    """Tell whether the elements are complex.

    >>> import trilith as tri
    >>> is_complex(tri.zeros(1))
    False
    """
    return _spec_of("is_complex", input).dtype.is_complex


def is_signed(input: Any) -> bool:
    """Tell whether the elements can be negative.

    >>> import trilith as tri
    >>> is_signed(tri.zeros(1, dtype=tri.uint8))
    False
    """
    return _spec_of("is_signed", input).dtype.is_signed


def is_nonzero(input: Any) -> bool:
    """Tell whether the only element is not zero.

    >>> import trilith as tri
    >>> is_nonzero(tri.tensor([0.0]))
    False
    """
    _spec_of("is_nonzero", input)
    return bool(input)


dispatch.install("is_nonzero", is_nonzero)


def is_same_size(input: Any, other: Any) -> bool:
    """Tell whether two tensors have the same shape.

    >>> import trilith as tri
    >>> is_same_size(tri.zeros(2), tri.zeros(3))
    False
    """
    first = _spec_of("is_same_size", input)
    return first.shape == _spec_of("is_same_size", other, "other", 2).shape


def is_conj(input: Any) -> bool:
    """Tell whether the memory holds the conjugates of the elements.

    >>> import trilith as tri
    >>> is_conj(tri.zeros(1)), is_conj(tri.tensor([1j]).conj())
    (False, True)
    """
    return _spec_of("is_conj", input).is_conj


def is_neg(input: Any) -> bool:
    """Tell whether a negation is pending: never, they are carried out at once.

    >>> import trilith as tri
    >>> is_neg(tri.zeros(1))
    False
    """
    _spec_of("is_neg", input)
    return False


def get_device(input: Any) -> int:
    """Return the index of the device, -1 for the host and meta.

    >>> import trilith as tri
    >>> get_device(tri.zeros(1))
    -1
    """
    device = _spec_of("get_device", input).device
    return device.index or 0 if device.has_indices else -1
