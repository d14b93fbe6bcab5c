"""Who learns that a tensor was made from data? The trace of the thread, if there is one.

A function that is traced runs once for many calls, so what it makes must be made anew in each call:
whoever makes a tensor from data hands it over here and returns what comes back. Outside of a trace
that is the tensor itself. Data that was made for the tensor is a constant of the function; memory
of somebody else may have been there before, or may have been made by the function itself.
"""

from __future__ import annotations

from typing import Any, Protocol
from weakref import WeakValueDictionary

from .fields import TensorFields


class Origins(Protocol):
    """What a thread's trace, if there is one, does with the tensors that are made from data."""

    def made(self, tensor: TensorFields) -> Any:
        """Return what stands for a tensor on memory that holds its data and nothing else."""
        ...

    def uninitialised(self, tensor: TensorFields) -> Any:
        """Return what stands for a tensor on new memory without data."""
        ...

    def borrowed(self, tensor: TensorFields) -> Any:
        """Return what stands for a tensor on memory that somebody else knows."""
        ...

    def is_stand_in(self, value: object) -> bool:
        """Whether a value stands for an argument, which may be an array, of the thread's trace."""
        ...


class _Untraced(Origins):
    """Every tensor is what it is."""

    def made(self, tensor: TensorFields) -> Any:
        return tensor

    uninitialised = borrowed = made

    def is_stand_in(self, value: object) -> bool:
        return False


_origins: Origins = _Untraced()


def set_origins(origins: Origins) -> None:
    """Let the compiler learn of every tensor that is made from data."""
    global _origins
    _origins = origins


#: The tensors that compiled functions are given for arrays when they run step by step, by id.
_given_for_arrays: WeakValueDictionary[int, Any] = WeakValueDictionary()


def given_for_array(tensor: TensorFields) -> Any:
    """Return a tensor that a compiled function is given for an array, and remember that it is."""
    _given_for_arrays[id(tensor)] = tensor
    return tensor


def stands_for_array(value: object) -> bool:
    """Whether a compiled function was given this for an argument that may be an array."""
    return _origins.is_stand_in(value) or _given_for_arrays.get(id(value)) is value is not None


def made(tensor: TensorFields) -> Any:
    """Return a tensor with data of its own, or its stand-in in the thread's trace.

    >>> import trilith as tri
    >>> from trilith.runtime.tensors.tensor import tensor_from_bytes
    >>> made(tensor_from_bytes(tri.spec((2,), tri.int8), b"ab"))
    tensor([97, 98], dtype=trilith.int8)
    """
    return _origins.made(tensor)


def uninitialised(tensor: TensorFields) -> Any:
    """Return a tensor on new memory without data, or its stand-in in the thread's trace."""
    return _origins.uninitialised(tensor)


def borrowed(tensor: TensorFields) -> Any:
    """Return a tensor on memory of somebody else, or its stand-in in the thread's trace."""
    return _origins.borrowed(tensor)
