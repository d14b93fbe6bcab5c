"""What becomes of a tensor that a traced function makes from data? It is made anew in each call.

Data that nobody else knows is kept with the plan and copied at every call, so that the function may
write into the tensor and return it. Memory that somebody else knows, an array or a buffer, may have
been there before the call or may be made by the function itself: that cannot be told. Reading it is
the same for both as long as nobody changes it while the function is traced; a function that writes
into such a tensor or returns it is not traceable.
"""

from __future__ import annotations

import ctypes
from typing import Any

from ...dialects.attributes.device import HOST
from ...dialects.attributes.extents import storage_extent
from ...dialects.locks import imported
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.origins import Origins, set_origins
from ...runtime.tensors.tensor import Tensor
from .active import active_trace


class TracedOrigins(Origins):
    """Hands the tensors that are made from data to the thread's trace."""

    def made(self, tensor: TensorFields) -> Any:
        """Return a copy of the data, made when the function is called."""
        trace = active_trace()
        return tensor if trace is None else trace.constant(_whole(tensor))

    def uninitialised(self, tensor: TensorFields) -> Any:
        """Return memory that is allocated when the function is called."""
        trace = active_trace()
        if trace is None:
            return tensor
        spec = tensor.spec
        options = {"dtype": spec.dtype, "device": spec.device, "strides": spec.strides}
        return trace.call("uninitialised", spec.shape, **options)

    def borrowed(self, tensor: TensorFields) -> Any:
        """Return the memory as an argument that can be read."""
        trace = active_trace()
        return tensor if trace is None else trace.borrow(_whole(tensor))

    def is_stand_in(self, value: object) -> bool:
        """Whether it is a tensor of the function that is being traced."""
        trace = active_trace()
        return trace is not None and getattr(value, "traced_by", None) is trace


def _whole(tensor: TensorFields) -> Tensor:
    assert isinstance(tensor, Tensor)
    return tensor


def digest_of(tensor: Tensor) -> int | None:
    """Return what tells whether the memory that a tensor spans has changed (1 ms for 1 MB)."""
    spec = tensor.spec
    if spec.device.type != HOST or not spec.numel:
        return None
    count = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
    address = tensor.memory.data_ptr() + tensor.byte_offset
    return imported("zlib").crc32((ctypes.c_char * count).from_address(address))


set_origins(TracedOrigins())
