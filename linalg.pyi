"""Types of `trilith.linalg`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]
