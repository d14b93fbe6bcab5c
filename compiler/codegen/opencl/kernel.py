"""How does a scheduled kernel become OpenCL C, which a device's own compiler takes?"""

from xdsl.ir import Operation

from ....dialects.kernel.function import FuncOp
from .access import ACCESS
from .control import CONTROL
from .emitter import Emit, function_text
from .payload import PAYLOAD

#: How each op is spelled; a new op of the scheduled form is one entry.
TABLE: dict[type[Operation], Emit] = {**PAYLOAD, **CONTROL, **ACCESS}


def emit_kernel(function: FuncOp) -> str:
    """Return the OpenCL C program that holds one scheduled kernel under its own name."""
    return function_text(function, TABLE)


class OpenclEmitter:
    """What makes programs of OpenCL C, which any device of OpenCL takes."""

    def code(self, kernel: FuncOp) -> bytes:
        """Return the program of a scheduled kernel."""
        return emit_kernel(kernel).encode()

    def quick(self, kernel: FuncOp) -> None:
        """Return nothing: a device compiles text as it likes."""

    def machine(self) -> str:
        """Return the word by which the devices know their programs."""
        return "opencl"

    def environment(self) -> tuple[str, ...]:
        """Return nothing: text depends on no machine."""
        return ()


EMITTER = OpenclEmitter()
