"""How is a kernel called? One flat list of pointers and 64-bit integers, on every target.

First the base pointers of the buffers in argument order. Then, if the kernel holds a
`kernel.check`, the pointer to the status word: two i32, the code of the first fault (0: none) and
its position, and three i64, the numbers that the check gives with it. Then 64-bit integers in
argument order: an index argument is one; a buffer is its offset in elements followed by each stride
that its type does not know; a scalar is its bits, in the low end of the integer.
"""

from dataclasses import dataclass

from .function import FuncOp
from .memory import CheckOp
from .types import BufferType, type_of_index

INDEX, OFFSET, STRIDE, SCALAR = "index", "offset", "stride", "scalar"


@dataclass(frozen=True, slots=True)
class IntegerSlot:
    """One 64-bit integer: what it is of which argument (and, for a stride, which dimension)."""

    kind: str
    argument: int
    dimension: int = 0


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """The order in which a kernel takes pointers and integers; `buffers` are argument numbers."""

    name: str
    buffers: tuple[int, ...]
    can_fail: bool
    integers: tuple[IntegerSlot, ...]

    @property
    def pointers(self) -> int:
        """The number of pointers, the status word included."""
        return len(self.buffers) + self.can_fail

    @staticmethod
    def of(function: FuncOp) -> "KernelSignature":
        """Read the signature off a kernel, structured or scheduled."""
        buffers: list[int] = []
        integers: list[IntegerSlot] = []
        for number, argument in enumerate(function.block.args):
            type_ = argument.type
            if isinstance(type_, BufferType):
                buffers.append(number)
                integers.append(IntegerSlot(OFFSET, number))
                integers += [
                    IntegerSlot(STRIDE, number, dimension)
                    for dimension, stride in enumerate(type_.strides)
                    if stride is None
                ]
            else:
                kind = INDEX if type_ == type_of_index else SCALAR
                integers.append(IntegerSlot(kind, number))
        can_fail = any(isinstance(op, CheckOp) for op in function.walk())
        return KernelSignature(function.symbol, tuple(buffers), can_fail, tuple(integers))
