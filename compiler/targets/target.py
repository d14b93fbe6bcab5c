"""What is a target? A row of plain values, and of parts that are imported when they are asked for.

The row of a target is made in a module of its own beside this one. What reads rows finds them in
`table.py`; nothing else in the compiler knows a target by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ...dialects.locks import imported
from ...dialects.records import record
from .steps import Step

if TYPE_CHECKING:
    from ...dialects.kernel.function import FuncOp
    from ...runtime.execution.better_code import Hurried
    from ..codegen.kernel_text import KernelText

#: Returns the scheduled form of a kernel, for vectors of so many bits; the kernel stays as it is.
Schedule = Callable[["FuncOp", int], "FuncOp"]


class HostFacts(Protocol):
    """What steps on a kernel may depend on: numbers of the CPU that the compiler runs on."""

    @property
    def vector_bits(self) -> int:
        """The width of its widest vectors."""
        ...

    @property
    def usual_vector_bits(self) -> int:
        """The width of vectors where arithmetic is short."""
        ...

    @property
    def has_f16c(self) -> bool:
        """Whether it has instructions that convert float16."""
        ...

    @property
    def has_ldexp(self) -> bool:
        """Whether it has an instruction that multiplies with a power of two."""
        ...


class Emitter(Protocol):
    """What makes code of a scheduled kernel."""

    def code(self, kernel: FuncOp) -> bytes:
        """Return what the device loads."""
        ...

    def quick(self, kernel: FuncOp) -> Hurried | None:
        """Return what the device loads as `code` does, but made in less time; None if none is."""
        ...

    def machine(self) -> str:
        """Return what a kernel's code says that it is for; the device compares it."""
        ...

    def environment(self) -> Sequence[str]:
        """Return what else decides the code, beside the kernel and trilith's own sources."""
        ...


@record
class Deferred:
    """A name of another module, which is imported when this is called.

    >>> Deferred("..targets.steps", "EXPAND_MATH")()
    Step(name='kernel-expand-math', options=())
    """

    module: str
    name: str

    def __call__(self) -> Any:
        """Return what has the name."""
        return getattr(imported(self.module, __package__), self.name)


@record
class Level:
    """A text of a scheduled kernel: `lower().as_text(name)`, and `trilith-opt -t tri-NAME`."""

    name: str
    #: Returns the class that writes it.
    text: Callable[[], type[KernelText]]


@record(eq=False)
class Target:
    """What kernels are made for. A device has a type, and its runtime names one of its targets."""

    #: The word for it in `kernel-schedule{target=...}`, and in the keys of its kernels.
    name: str
    device_type: str
    #: The passes on a function.
    function: tuple[Step, ...]
    #: The passes on a kernel that is new, for a host; what depends on it stands in their options.
    #: The last one schedules it.
    kernel: Callable[[HostFacts], tuple[Step, ...]]
    #: Returns the schedule. None: nothing runs there.
    schedule: Callable[[], Schedule] | None = None
    #: Returns the schedule of code that is made in a hurry, if that is another one.
    hurried_schedule: Callable[[], Schedule] | None = None
    #: Returns the emitter. None: nothing runs there.
    emitter: Callable[[], Emitter] | None = None
    levels: tuple[Level, ...] = ()
    #: Whether a function compiled for it takes arguments that lie on the host.
    takes_host_arguments: bool = False
    #: Whether its runtime may make a launch in parts: kernels say along what (`kernel_cuts`).
    is_made_in_parts: bool = False

    def kernel_steps(self, host: HostFacts | None = None) -> tuple[Step, ...]:
        """Return the passes on a kernel that is new, on this host or another one."""
        return self.kernel(THIS_HOST if host is None else host)


class _ThisHost:
    """The CPU of this process; LLVM is asked when a step depends on it."""

    __slots__ = ()

    @property
    def vector_bits(self) -> int:
        """The width of its widest vectors."""
        return _host_target().vector_bits

    @property
    def usual_vector_bits(self) -> int:
        """The width of vectors where arithmetic is short."""
        return _host_target().usual_vector_bits

    @property
    def has_f16c(self) -> bool:
        """Whether it has instructions that convert float16."""
        return _host_target().has_f16c

    @property
    def has_ldexp(self) -> bool:
        """Whether it has an instruction that multiplies with a power of two."""
        return _host_target().has_ldexp


THIS_HOST: HostFacts = _ThisHost()


def _host_target() -> HostFacts:
    return Deferred("..codegen.llvm.target", "host_target")()()
