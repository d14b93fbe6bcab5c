"""Who compiles kernels, and who remembers those that exist? One table per process, by structure.

A kernel's key depends on its structure and its target alone, so that a new shape, or another
function with the same loops, finds the kernel it needs. Compiled code also goes to the disk cache.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ...dialects.kernel.abi import KernelSignature
from ...dialects.kernel.function import FuncOp
from ...dialects.locks import new_lock
from ...runtime.execution.artifact import KernelCode
from ...runtime.execution.cache import default_cache
from ..analysis.kernel_accesses import kernel_buffers
from ..analysis.kernel_keys import structural_key
from ..analysis.kernel_names import symbol_of
from ..analysis.wide_vectors import has_much_arithmetic
from ..codegen.llvm.kernel import emit_kernel
from ..codegen.llvm.objects import compile_text
from ..codegen.llvm.target import LLVM_VERSION, CpuTarget, host_target
from ..codegen.opencl.kernel import emit_kernel as emit_opencl
from ..pipeline import PIPELINES, Runner, Step
from ..plan_table import PlanTable
from .counters import KernelCounters
from .sources import source_digest

LEGALIZE = "kernel-legalize-dtypes"
NO_HALF = Step(LEGALIZE, (("half", False),))

#: How many kernels a process remembers.
LIMIT = 4096
#: The width of vectors where arithmetic is short, and how many operations on floats are not.
NARROW_BITS = 256
#: What kernels are made for: this process's CPU, and the kinds of OpenCL devices.
CPU = "cpu"
OPENCL_TARGETS = ("opencl-cpu", "opencl-gpu")


class KernelTable:
    """Kernels by key; one thread compiles a key, others wait for it."""

    def __init__(self) -> None:
        """Know none yet."""
        self.codes: PlanTable[str, KernelCode] = PlanTable(LIMIT)
        self.counters = KernelCounters()
        self._lock = new_lock()

    def get(self, func: FuncOp, counters: KernelCounters, target: str = CPU) -> KernelCode:
        """Return the code of a structured kernel, compiling it if it is new."""
        key = kernel_key(func, target)
        how = KernelCounters(reused=1)

        def make() -> KernelCode:
            nonlocal how
            code, how = _load_or_compile(func, key, target)
            return code

        code = self.codes.get(key, make)
        with self._lock:
            counters.add(how)
            self.counters.add(how)
        return code


KERNELS = KernelTable()


def kernel_key(func: FuncOp, target: str = CPU) -> str:
    """Return the key of a structured kernel for this process's CPU, or for an OpenCL device."""
    key = f"{structural_key(func)}-{_environment()}"
    return key if target == CPU else f"{key}-{target}"


@cache
def _environment() -> str:
    """Return a digest of what else decides the code: the CPU, LLVM, and trilith's own sources."""
    target = host_target()
    # xDSL's version does not count: what turns a structured kernel into text is all ours.
    parts = [target.triple, target.cpu, target.features, str(target.vector_bits), LLVM_VERSION]
    digest = blake2b("\n".join(parts).encode(), digest_size=8)
    digest.update(source_digest(Path(__file__).resolve().parents[2]))
    return digest.hexdigest()


def _load_or_compile(func: FuncOp, key: str, target: str) -> tuple[KernelCode, KernelCounters]:
    signature = KernelSignature.of(func)
    # The symbol in the object code; equal structures share it, whatever they were called.
    symbol = symbol_of(func, key)
    data, how = _cached_code(func, symbol, key, target)
    code = KernelCode(
        name=symbol,
        key=key,
        target=host_target().name if target == CPU else "opencl",
        code=data,
        pointers=signature.pointers,
        integers=len(signature.integers),
        can_fail=signature.can_fail,
        buffers=kernel_buffers(func, signature),
    )
    return code, how


def _cached_code(func: FuncOp, symbol: str, key: str, target: str) -> tuple[bytes, KernelCounters]:
    """Return object code for the CPU, or text for OpenCL, from the disk if it is there."""
    disk = default_cache()
    data = None if disk is None else disk.get(key)
    if data is not None:
        return data, KernelCounters(loaded_from_disk=1)
    if target == CPU:
        data = compile_text(emit_text(func, symbol), host_target())
    else:
        # Passes and emitter take 2 to 8 ms, half of a start from stored binaries.
        data = opencl_text(func, symbol, target).encode()
    if disk is not None:
        disk.put(key, data)
    return data, KernelCounters(compiled=1)


def scheduled(func: FuncOp, name: str | None = None, target: str = CPU) -> FuncOp:
    """Return a copy of a structured kernel after the target's kernel passes."""
    return _schedule(func, name)[0] if target == CPU else _schedule_opencl(func, name, target)


def opencl_text(func: FuncOp, name: str | None = None, target: str = OPENCL_TARGETS[0]) -> str:
    """Return the OpenCL C text of a structured kernel."""
    return emit_opencl(_schedule_opencl(func, name, target))


def _schedule_opencl(func: FuncOp, name: str | None, target: str) -> FuncOp:
    copy, module = _copied(func, name)
    *before, last = PIPELINES["opencl"].kernel
    steps = [*before, Step(last.name, (("target", target),))]
    Runner(copy.symbol).run(module, steps)
    return _only_kernel(module)


def _copied(func: FuncOp, name: str | None) -> tuple[FuncOp, ModuleOp]:
    """Return a copy of a kernel under a name, in a module of its own."""
    copy = func.clone()
    if name is not None:
        copy.properties["sym_name"] = StringAttr(name)
    return copy, ModuleOp([copy])


def _only_kernel(module: ModuleOp) -> FuncOp:
    (result,) = module.ops
    assert isinstance(result, FuncOp)
    return result


def emit_text(func: FuncOp, name: str | None = None) -> str:
    """Return the LLVM text of a structured kernel."""
    return emit_kernel(*_schedule(func, name))


def _schedule(func: FuncOp, name: str | None) -> tuple[FuncOp, CpuTarget]:
    """Return a scheduled copy of a kernel, and the target with the width of its vectors."""
    copy, module = _copied(func, name)
    runner = Runner(copy.symbol)
    *before, last = PIPELINES["cpu"].kernel
    if not host_target().has_f16c:
        # Without the instructions LLVM would call a library for each conversion of float16.
        before = [step if step.name != LEGALIZE else NO_HALF for step in before]
    runner.run(module, before)
    target = _target_for(copy)
    runner.run(module, [Step(last.name, (*last.options, ("vector_bits", target.vector_bits)))])
    return _only_kernel(module), target


def _target_for(func: FuncOp) -> CpuTarget:
    """Return the host, with its widest vectors for a kernel of much arithmetic only."""
    target = host_target()
    if target.vector_bits <= NARROW_BITS:
        return target
    is_worth_it = has_much_arithmetic(func.walk())
    return target if is_worth_it else replace(target, vector_bits=NARROW_BITS)
