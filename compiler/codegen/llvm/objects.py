"""How does LLVM text become the bytes of a relocatable object?"""

from functools import cache
from typing import Any

from ....dialects.diagnostics import InternalError
from ....runtime.devices.llvm import in_llvm
from .target import CpuTarget, host_target, llvm

#: How much LLVM does about code: what is usual, and as little as it can.
BEST, QUICK = 2, 0


@cache
def target_machine(target: CpuTarget, level: int = BEST) -> Any:
    """Return the machine that writes objects for a CPU; `llvm.initialize()` is not needed."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Loop strength reduction takes half of the time for no gain, as addresses are explicit already
    # (sum over an axis 22 -> 11 ms, run times equal). LLVM has this switch per process only.
    llvm.set_option("", "-disable-lsr")
    if target.triple != llvm.get_default_triple():
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=level,
        reloc="pic",
        codemodel="jitdefault",
        jit=True,
    )


def compile_text(
    text: str, target: CpuTarget | None = None, *, verify: bool = False, level: int = BEST
) -> bytes:
    """Compile a module's text to an object file that exports the kernel under its name.

    No pass runs on the IR: the text holds explicit vectors. `verify` checks the module first
    (tests and tools only: 0.1 ms and more). `QUICK` code is made in a third of the time; arithmetic
    then takes two to three times as long, and results are the same but for signs of NaN.
    """

    def emit() -> bytes:
        machine = target_machine(host_target() if target is None else target, level)
        return machine.emit_object(_parse(text, machine, verify))

    return in_llvm(emit)


def assembly_of(text: str, target: CpuTarget | None = None) -> str:
    """Return the machine code of a module as assembly text, for people."""

    def emit() -> str:
        machine = target_machine(host_target() if target is None else target)
        return machine.emit_assembly(_parse(text, machine, verify=True))

    return in_llvm(emit)


def _parse(text: str, machine: Any, verify: bool) -> Any:
    try:
        module = llvm.parse_assembly(text)
        module.triple = machine.triple
        module.data_layout = str(machine.target_data)
        if verify:
            module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM refuses a kernel: {error}\n{text}") from error
    return module
