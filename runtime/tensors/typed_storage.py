"""What is a storage with a dtype? PyTorch's old kind, which counts elements and not bytes."""

from __future__ import annotations

from typing import Any, SupportsIndex

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ..execution.storage import UntypedStorage
from .host_view import host_array, to_list


class TypedStorage:
    """The elements of a storage in one dtype, whatever tensors look at them.

    >>> import warnings, trilith as tri
    >>> with warnings.catch_warnings(action="ignore"):
    ...     storage = tri.tensor([1.5, 2.5]).storage()
    >>> storage.size(), storage.nbytes(), storage[1], storage.tolist()
    (2, 8, 2.5, [1.5, 2.5])
    """

    __slots__ = ("_memory", "dtype")
    dtype: DType

    def __init__(self, memory: UntypedStorage, dtype: DType) -> None:
        """Look at a storage; bytes that do not make an element are left out."""
        self._memory = memory
        self.dtype = dtype

    def untyped(self) -> UntypedStorage:
        """Return the storage itself."""
        return self._memory

    @property
    def device(self) -> Device:
        """Where the elements are."""
        return self._memory.device

    def size(self) -> int:
        """Return the number of elements."""
        return self._memory.nbytes() // self.dtype.itemsize

    __len__ = size

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self._memory.nbytes()

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        """Return the address of the first element; 0 if there is none."""
        self._memory.tell_address()
        return self._memory.data_ptr()

    def tolist(self) -> list[Any]:
        """Return the elements as Python numbers."""
        spec = TensorSpec.of((self.size(),), self.dtype, self.device)
        return to_list(host_array(self._memory, spec, 0), self.dtype, spec.shape)

    def __getitem__(self, index: SupportsIndex) -> bool | int | float | complex:
        """Return one element as a Python number."""
        return self.tolist()[index]

    def __repr__(self) -> str:
        """Return the elements and what they are."""
        lines = [f" {item}" for item in self.tolist()] if self.device.has_values else ["..."]
        about = f"dtype={self.dtype}, device={self.device}"
        return "\n".join([*lines, f"[trilith.storage.TypedStorage({about}) of size {self.size()}]"])
