"""How is a kernel called? One flat list of pointers and 64-bit integers, on every target.

First the base pointers of the buffers in argument order. Then, if the kernel holds a
`kernel.check`, the pointer to the status word: two i32, the code of the first fault (0: none) and
its position, and three i64, the numbers that the check gives with it. Then 64-bit integers in
argument order: an index argument is one; a buffer is its offset in elements followed by each stride
that its type does not know; a scalar is its bits, in the low end of the integer.

What is too long for a call lies in memory (`dialects/attributes/calling.py`): on the host all of
it, on OpenCL devices the integers, in a buffer behind the others.
"""

import struct
from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from ..making import all_operations
from ..records import record
from .function import FuncOp
from .memory import CheckOp
from .types import BufferType, f32, type_of_index

INDEX, OFFSET, STRIDE, SCALAR = "index", "offset", "stride", "scalar"


@record
class IntegerSlot:
    """One 64-bit integer: what it is of which argument (and, for a stride, which dimension)."""

    kind: str
    argument: int
    dimension: int = 0


@record
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
        can_fail = any(type(op) is CheckOp for op in all_operations(function))
        return KernelSignature(function.symbol, tuple(buffers), can_fail, tuple(integers))


_FLOAT32, _UINT32 = struct.Struct("<f"), struct.Struct("<I")
_FLOAT64, _INT64 = struct.Struct("<d"), struct.Struct("<q")


def scalar_bits(number: float, type_: Attribute) -> int:
    """Return what a kernel takes for a number that the scalar's type holds: a signed i64.

    >>> byte, word = IntegerType(8), IntegerType(64)
    >>> scalar_bits(1.0, f32), scalar_bits(200, byte), scalar_bits(2**64 - 1, word)
    (1065353216, 200, -1)
    """
    if not isinstance(type_, IntegerType):
        if type_ == f32:
            return _UINT32.unpack(_FLOAT32.pack(number))[0]
        return _INT64.unpack(_FLOAT64.pack(number))[0]
    width = cast("int", type_.width.data)  # pyright: ignore[reportUnknownMemberType] - xDSL's
    bits = int(number) & ((1 << width) - 1)
    return bits - (1 << 64) if bits >> 63 else bits
