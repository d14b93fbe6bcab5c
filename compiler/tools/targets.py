"""What is a module of scheduled kernels printed as? LLVM text, assembly of a CPU, or OpenCL C.

trilith-opt FILE --target-pipeline cpu -t tri-llvm
trilith-opt FILE --target-pipeline opencl -t tri-opencl
trilith-opt FILE --target-pipeline cpu -t 'tri-asm{cpu=x86-64-v3}'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.target import Target

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp
from ..codegen.llvm.kernel import emit_kernel
from ..codegen.llvm.objects import assembly_of
from ..codegen.llvm.target import CpuTarget, host_target
from ..codegen.opencl.geometry import is_grid
from ..codegen.opencl.kernel import emit_kernel as emit_opencl

#: The levels of x86-64, as LLVM and GCC name them, with the bits of a vector.
_X86_LEVELS = {"x86-64": 128, "x86-64-v2": 128, "x86-64-v3": 256, "x86-64-v4": 256}


@dataclass(frozen=True)
class KernelTarget(Target, ABC):
    """A text for each kernel of a module, in the order of the module."""

    @abstractmethod
    def kernel_text(self, kernel: FuncOp) -> str:
        """Return the text of one scheduled kernel."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the texts of all kernels."""
        kernels = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
        if not kernels:
            raise PassFailedException(
                f"{self.name}: the module holds no kernel.func; "
                "`--target-pipeline cpu` makes kernels of tensor functions"
            )
        for kernel in kernels:
            _refuse_structured(self.name, kernel)
        output.write("\n".join(self.kernel_text(kernel) for kernel in kernels))


def _refuse_structured(target: str, kernel: FuncOp) -> None:
    for op in kernel.walk():
        if isinstance(op, (MapOp, ParallelOp, ReduceOp, ScanOp)) and not is_grid(op):
            raise PassFailedException(
                f"{target}: {op.name} in @{kernel.symbol} has no order of execution yet; "
                "`-p kernel-schedule` gives it one"
            )


@dataclass(frozen=True)
class LlvmTarget(KernelTarget):
    """One LLVM module per kernel."""

    name = "tri-llvm"
    cpu: str = "host"
    """`host`, or a level of x86-64 such as `x86-64-v3`."""

    def kernel_text(self, kernel: FuncOp) -> str:
        """Return the kernel's LLVM module."""
        return f"; kernel @{kernel.symbol}\n{emit_kernel(kernel, cpu_named(self.cpu))}"


@dataclass(frozen=True)
class AssemblyTarget(KernelTarget):
    """The machine code that LLVM makes of each kernel, as assembly."""

    name = "tri-asm"
    cpu: str = "host"
    """`host`, or a level of x86-64 such as `x86-64-v3`."""

    def kernel_text(self, kernel: FuncOp) -> str:
        """Return the kernel's assembly."""
        target = cpu_named(self.cpu)
        return assembly_of(emit_kernel(kernel, target), target)


@dataclass(frozen=True)
class OpenclTarget(KernelTarget):
    """One program of OpenCL C per kernel."""

    name = "tri-opencl"

    def kernel_text(self, kernel: FuncOp) -> str:
        """Return the kernel's program."""
        return emit_opencl(kernel)


def cpu_named(name: str) -> CpuTarget:
    """Return the CPU called `name`: `host` is the one of this process.

    >>> cpu_named("host") == host_target()
    True
    """
    host = host_target()
    if name == "host":
        return host
    bits = _X86_LEVELS.get(name) if host.triple.startswith("x86_64") else None
    if bits is None:
        known = ["host", *(_X86_LEVELS if host.triple.startswith("x86_64") else ())]
        raise PassFailedException(f"there is no CPU '{name}'; there are {', '.join(known)}")
    return replace(host, cpu=name, features="", vector_bits=bits, has_f16c=bits > 128)
