"""What is an artifact made of? Kernels, memory, what is done with both, and results: plain data."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import Location
from ...dialects.digests import blake2b
from ...dialects.records import declared, field, record
from .better_code import BetterCode
from .kernel_cuts import Cut
from .kernel_memory import KernelBuffer

Role = Literal["input", "output", "temporary", "constant"]
Part = Literal["value", "real", "imag"]


@record
class KernelCode:
    """One compiled kernel: object code or source for `target`, and its flat signature.

    It is called with `pointers` addresses, then `integers` 64-bit integers. The pointers are those
    of the buffers in argument order and, if it `can_fail`, last the status word (two int32: fault
    number, position). `name` is the symbol in the code, `key` what the compiler finds it by.
    `target` is the CPU (`devices.cpu.host_target`: triple, name and features) or "opencl".
    `buffers` says what it does with each of its buffers, `cuts` along which sizes a launch may be
    made as several, `cost` how much a point of its loops costs (in additions of one element);
    `digest` is that of all of this. Of code that was made in a hurry `better` makes the kernel that
    is to be stored. A pickle holds that, too.
    """

    name: str
    key: str
    target: str
    code: bytes
    pointers: int
    integers: int
    can_fail: bool = False
    buffers: tuple[KernelBuffer, ...] = ()
    cuts: tuple[Cut, ...] = ()
    cost: int = 1
    digest: str = ""
    better: BetterCode[KernelCode] | None = field(default=None, compare=False, init=False)

    def __post_init__(self) -> None:
        """Compute the digest of a kernel that is new; a changed copy keeps the old one."""
        if not self.digest:
            object.__setattr__(self, "digest", self.computed_digest())

    def __repr__(self) -> str:
        """Return what it is, without its bytes and the features of its CPU."""
        target = " ".join(self.target.split("|")[:2])
        return (
            f"<KernelCode: {self.name} for {target}, {len(self.code):,} bytes, "
            f"{self.pointers} pointers, {self.integers} integers>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the best code."""
        best = self.best()
        names = [name for name, each in declared(best).items() if each.init]
        return KernelCode, tuple(getattr(best, name) for name in names)

    def __copy__(self) -> KernelCode:
        """Return the kernel itself, which nobody can change."""
        return self

    def __deepcopy__(self, _: object) -> KernelCode:
        """Return the kernel itself."""
        return self

    def with_better(self, better: BetterCode[KernelCode]) -> KernelCode:
        """Return this kernel, which is new, with what makes better code."""
        object.__setattr__(self, "better", better)
        return self

    def best(self) -> KernelCode:
        """Return the kernel with the best code there is for it, which is made if need be."""
        return self if self.better is None else self.better.get()

    def at_hand(self) -> KernelCode:
        """Return the kernel with the best code that is made."""
        return self if self.better is None else self.better.made or self

    def computed_digest(self) -> str:
        """Return what the digest of an unchanged kernel is."""
        words = (
            *(self.name, self.target, self.pointers, self.integers, self.can_fail, self.buffers),
            *(self.cuts, self.cost),
        )
        return blake2b(json.dumps(words).encode() + self.code, digest_size=16).hexdigest()


@record
class BufferPlan:
    """Memory that kernels see; launches and outputs refer to it by its index in the artifact.

    input: tensor argument `index`, beginning at its first element (its spec says how far it
        reaches, `nbytes` is for information).
    output: fresh memory of `nbytes`, number `index` among the output memories.
    temporary: `nbytes` at `arena_offset` of the one arena of a call.
    constant: the bytes `data`, made once per device.
    `device` is where it lies; None means the device of the artifact, and of an output that of the
    specs on it. Inputs lie where their specs say.
    `is_written` says that kernels write to it: they may do so to an input only if it says so.
    """

    role: Role
    index: int
    nbytes: int
    arena_offset: int = 0
    data: bytes | None = field(default=None, repr=False)
    is_written: bool = False
    device: Device | None = None


@record
class ScalarSlot:
    """Where a Python number goes: its bits as `dtype` become integer `position` of the launch.

    `part` picks a component of a complex number; `dtype` is then that of the component.
    """

    position: int
    argument: int
    dtype: DType
    part: Part = "value"


@record
class Launch:
    """One call of kernel number `kernel` on buffers, sizes, offsets and strides.

    `integers` holds all integers of the signature; those of `scalars` are placeholders. A buffer's
    element offset counts from the start of the buffer, that is, from the first element of an input
    tensor. `locations` maps the position in the status word to the user's line.
    """

    kernel: int
    buffers: tuple[int, ...]
    integers: tuple[int, ...]
    scalars: tuple[ScalarSlot, ...] = ()
    locations: tuple[Location | None, ...] = ()


@record
class Transfer:
    """`nbytes` bytes, from byte `offset` of a buffer, to the start of one on another device."""

    source: int
    offset: int
    target: int
    nbytes: int


#: A static value of a row, as an artifact holds it.
PlainValue: TypeAlias = "bool | int | float | str | tuple[PlainValue, ...] | None"


@record
class HostArray:
    """A tensor in a buffer that a call on the host sees: `offset` counts elements of its dtype."""

    buffer: int
    spec: TensorSpec
    offset: int = 0


@record
class HostCall:
    """One call of `body`, "module:function" of `runtime/host`, on arrays over memory.

    It reads `operands` and fills `results`, each in memory of its own. What lies on another device
    than the host makes the trip there and back. An error that it raises is said of `location`.
    """

    body: str
    operands: tuple[HostArray, ...]
    results: tuple[HostArray, ...]
    attributes: tuple[tuple[str, PlainValue], ...] = ()
    location: Location | None = None

    @property
    def arrays(self) -> tuple[HostArray, ...]:
        """The operands, then the results."""
        return (*self.operands, *self.results)


#: What is done in a call, in order.
PlanStep: TypeAlias = Launch | Transfer | HostCall


@record
class OutputPlan:
    """An output tensor: `spec` on a buffer, beginning `storage_offset` elements into it.

    On an input buffer the output is a view of that input's storage, and the offset counts from the
    first element of the input tensor (in elements of the output's dtype; it may be negative). On a
    constant it is a view of read-only memory. A temporary cannot be an output.
    """

    buffer: int
    spec: TensorSpec
    storage_offset: int = 0
