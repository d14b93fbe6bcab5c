"""As what is a kernel for a device of OpenCL shown? As its program."""

from dataclasses import dataclass

from ....dialects.kernel.function import FuncOp
from ..kernel_text import KernelText
from .kernel import emit_kernel


@dataclass(frozen=True)
class OpenclText(KernelText):
    """One program of OpenCL C per kernel."""

    name = "tri-opencl"

    def text(self, kernel: FuncOp) -> str:
        """Return the kernel's program."""
        return emit_kernel(kernel)
