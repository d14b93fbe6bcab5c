"""How does a scheduled kernel become LLVM text, and that the object code of this process's CPU?"""

from functools import partial

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.scheduled import VECTOR_BITS
from ....dialects.records import replace
from ....runtime.devices.objects import is_known_host
from ....runtime.execution.better_code import Hurried
from .access import ACCESS
from .control import CONTROL
from .emitter import Emit, function_text
from .objects import QUICK, compile_text
from .payload import PAYLOAD
from .target import LLVM_VERSION, CpuTarget, host_target

#: How each op is spelled; a new op of the scheduled form is one entry.
TABLE: dict[type[Operation], Emit] = {**PAYLOAD, **CONTROL, **ACCESS}


#: How many letters a kernel may have for quick code: 3,000 values, 400 KB of a thread's stack.
LONGEST_QUICK = 1 << 18


def emit_kernel(function: FuncOp, target: CpuTarget) -> str:
    """Return the LLVM module that exports one scheduled kernel under its own name."""
    said = function.attributes.get(VECTOR_BITS)
    if isinstance(said, IntegerAttr):
        target = replace(target, vector_bits=said.value.data)
    elif target.vector_bits > target.usual_vector_bits:
        target = replace(target, vector_bits=target.usual_vector_bits)
    return function_text(function, target, TABLE)


class LlvmEmitter:
    """What makes object code for the CPU of this process."""

    def code(self, kernel: FuncOp) -> bytes:
        """Return the object code of a scheduled kernel."""
        target = host_target()
        return compile_text(emit_kernel(kernel, target), target)

    def quick(self, kernel: FuncOp) -> Hurried | None:
        """Return code that LLVM has done little about, if such code can be replaced here.

        It keeps each value on the stack, so a long kernel has none.
        """
        if not is_known_host():
            return None
        target = host_target()
        text = emit_kernel(kernel, target)
        if len(text) > LONGEST_QUICK:
            return None
        code = compile_text(text, target, level=QUICK)
        return Hurried(code, partial(compile_text, text, target))

    def machine(self) -> str:
        """Return the CPU as `runtime.devices.cpu.host_target` names it."""
        return host_target().name

    def environment(self) -> tuple[str, ...]:
        """Return the CPU and the version of LLVM."""
        # xDSL's version does not count: what turns a structured kernel into text is all ours.
        target = host_target()
        bits = str(target.vector_bits)
        return target.triple, target.cpu, target.features, bits, LLVM_VERSION


EMITTER = LlvmEmitter()
