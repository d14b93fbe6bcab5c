"""Is a tensor what it was when something was derived from it?"""

from __future__ import annotations

from typing import NamedTuple

from ..execution.storage import UntypedStorage
from .tensor import Tensor


class SealedTensor(NamedTuple):
    """A tensor, where it was in memory, and the seal of that memory.

    >>> import trilith as tri
    >>> x = tri.zeros(2)
    >>> seen = SealedTensor.of(x)
    >>> seen.is_whole(), x.add_(1).sum().item(), seen.is_whole()
    (True, 2.0, False)
    """

    tensor: Tensor
    memory: UntypedStorage
    byte_offset: int
    seal: object

    @staticmethod
    def of(tensor: Tensor) -> SealedTensor | None:
        """Return a tensor as it is now; None if it may be written to unseen."""
        memory = tensor.memory
        seal = memory.seal()
        return None if seal is None else SealedTensor(tensor, memory, tensor.byte_offset, seal)

    def is_whole(self) -> bool:
        """Whether the tensor lies where it was, and was not written to."""
        tensor, memory = self.tensor, self.memory
        is_there = tensor.memory is memory and tensor.byte_offset == self.byte_offset
        return is_there and memory.has_seal(self.seal)
