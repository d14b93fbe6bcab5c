"""What is a module of scheduled kernels printed as? A text for each, in a class for each language.

trilith-opt FILE --target-pipeline cpu -t tri-llvm
trilith-opt FILE --target-pipeline opencl -t tri-opencl
trilith-opt FILE --target-pipeline cpu -t 'tri-asm{cpu=x86-64-v3}'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.target import Target

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp


@dataclass(frozen=True)
class KernelText(Target, ABC):
    """A text for each kernel of a module, in the order of the module."""

    @abstractmethod
    def text(self, kernel: FuncOp) -> str:
        """Return the text of one scheduled kernel."""

    def heading(self, kernel: FuncOp) -> str:
        """Return the line that stands in front of a kernel where there may be several."""
        return ""

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
        output.write("\n".join(self.heading(kernel) + self.text(kernel) for kernel in kernels))


def _refuse_structured(target: str, kernel: FuncOp) -> None:
    for op in kernel.walk():
        if isinstance(op, (MapOp, ParallelOp, ReduceOp, ScanOp)) and not _is_grid(op):
            raise PassFailedException(
                f"{target}: {op.name} in @{kernel.symbol} has no order of execution yet; "
                "`-p kernel-schedule` gives it one"
            )


def _is_grid(op: object) -> bool:
    """Whether an op is a nest whose points the machine runs."""
    return isinstance(op, ParallelOp) and (op.is_grid("items") or op.is_grid("groups"))
