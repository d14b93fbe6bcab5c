"""Which function turns a scheduled kernel into OpenCL C?"""

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
