"""As what is a kernel for a CPU shown? As LLVM text, or as the assembly that LLVM makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.utils.exceptions import PassFailedException

from ....dialects.kernel.function import FuncOp
from ..kernel_text import KernelText
from .kernel import emit_kernel
from .objects import assembly_of
from .target import CpuTarget, host_target

#: The levels of x86-64, as LLVM and GCC name them, with the bits of a vector.
_X86_LEVELS = {"x86-64": 128, "x86-64-v2": 128, "x86-64-v3": 256, "x86-64-v4": 256}
#: The first one of 64 bits of Arm, with the vectors (NEON) that all of them have.
_ARM = "armv8-a"


@dataclass(frozen=True)
class LlvmText(KernelText):
    """One LLVM module per kernel."""

    name = "tri-llvm"
    cpu: str = "host"
    """`host`, `armv8-a`, or a level of x86-64 such as `x86-64-v3`."""

    def text(self, kernel: FuncOp) -> str:
        """Return the kernel's LLVM module."""
        return emit_kernel(kernel, cpu_named(self.cpu))

    def heading(self, kernel: FuncOp) -> str:
        """Return a comment with the kernel's name."""
        return f"; kernel @{kernel.symbol}\n"


@dataclass(frozen=True)
class AssemblyText(KernelText):
    """The machine code that LLVM makes of each kernel, as assembly."""

    name = "tri-asm"
    cpu: str = "host"
    """`host`, `armv8-a`, or a level of x86-64 such as `x86-64-v3`."""

    def text(self, kernel: FuncOp) -> str:
        """Return the kernel's assembly."""
        target = cpu_named(self.cpu)
        return assembly_of(emit_kernel(kernel, target), target)


def cpu_named(name: str) -> CpuTarget:
    """Return the CPU called `name`: `host` is the one of this process.

    >>> cpu_named("host") == host_target()
    True
    >>> cpu_named("armv8-a").vector_bits
    128
    """
    host = host_target()
    if name == "host":
        return host
    if name == _ARM:
        return CpuTarget("aarch64-unknown-linux-gnu", "generic", "+neon", vector_bits=128)
    bits = _X86_LEVELS.get(name) if host.triple.startswith("x86_64") else None
    if bits is None:
        levels = _X86_LEVELS if host.triple.startswith("x86_64") else ()
        known = ", ".join(["host", *levels, _ARM])
        raise PassFailedException(f"there is no CPU '{name}'; there are {known}")
    return CpuTarget(host.triple, name, features="", vector_bits=bits, has_f16c=bits > 128)
