"""Who compiles kernels, and who remembers those that exist? One table per process, by structure.

A kernel's key depends on its structure and its target alone, so that a new shape, or another
function with the same loops, finds the kernel it needs. Compiled code also goes to the disk cache.
What a target does with a kernel stands in its row.
"""

from __future__ import annotations

import os
from functools import cache
from time import perf_counter

from ...dialects.digests import blake2b
from ...dialects.kernel.abi import KernelSignature
from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.scheduled import HURRIED
from ...dialects.locks import new_lock
from ...runtime.execution.artifact import KernelCode
from ...runtime.execution.better_code import BetterCode, Hurried
from ...runtime.execution.cache import DiskCache, default_cache
from ..afterwards import AFTERWARDS
from ..analysis.kernel_accesses import kernel_buffers
from ..analysis.kernel_cuts import kernel_cost, kernel_cuts
from ..analysis.kernel_keys import structural_key
from ..analysis.kernel_names import symbol_of
from ..plan_records import note_kernel
from ..plan_table import PlanTable
from ..targets.table import DEFAULT, levels, target_named
from ..targets.target import Emitter, Target
from .counters import KernelCounters
from .scheduling import Schedules
from .sources import maker_number, own_digest

#: How many kernels a process remembers.
LIMIT = 4096
#: Steps of a kernel's innermost loops that a launch may have which is short: slow code takes some
#: milliseconds for them, which is what it saves when it is made.
SHORT = 1 << 20
#: How much work a launch may be that code for scalars does for: a tenth of a millisecond, and it
#: saves several.
LITTLE = 1 << 18


class KernelTable:
    """Kernels by key; one thread compiles a key, others wait for it."""

    def __init__(self) -> None:
        """Know none yet."""
        self.codes: PlanTable[str, KernelCode] = PlanTable(LIMIT)
        self.counters = KernelCounters()
        self._lock = new_lock()

    def get(
        self,
        func: FuncOp,
        counters: KernelCounters,
        target: str = DEFAULT,
        *,
        steps: int | None = None,
    ) -> KernelCode:
        """Return the code of a structured kernel, compiling it if it is new.

        For a launch of few steps of its innermost loops, code that is made in a hurry does for a
        start; better code follows afterwards.
        """
        start = perf_counter()
        key = kernel_key(func, target)
        how = KernelCounters(reused=1)

        def make() -> KernelCode:
            nonlocal how
            code, how = _load_or_compile(func, key, target_named(target), steps)
            return code

        code = self.codes.get(key, make)
        if code.better is not None and code.better.is_awaited_by(code.cost * (steps or 0)):
            code.best()
        with self._lock:
            counters.add(how)
            self.counters.add(how)
        is_quick = how.compiled and code.better is not None
        origin = "compiled quickly" if is_quick else how.origin
        note_kernel(code.name, origin, perf_counter() - start)
        return code


KERNELS = KernelTable()


def kernel_key(func: FuncOp, target: str = DEFAULT) -> str:
    """Return the key of a structured kernel for a target on this machine."""
    return f"{structural_key(func)}-{_environment(target_named(target))}"


@cache
def _environment(target: Target) -> str:
    """Return a digest of what else decides the code: its machine, and trilith's own sources."""
    parts = [target.name, *_emitter(target).environment()]
    digest = blake2b("\n".join(parts).encode(), digest_size=8)
    digest.update(own_digest())
    return digest.hexdigest()


def _emitter(target: Target) -> Emitter:
    assert target.emitter is not None
    return target.emitter()


def _load_or_compile(
    func: FuncOp, key: str, target: Target, steps: int | None
) -> tuple[KernelCode, KernelCounters]:
    signature = KernelSignature.of(func)
    # The symbol in the code; equal structures share it, whatever they were called.
    symbol = symbol_of(func, key)
    buffers = kernel_buffers(func, signature)
    cuts, cost = (), 1
    if target.is_made_in_parts:
        cuts, cost = kernel_cuts(func, signature, buffers), kernel_cost(func)

    def kernel(data: bytes) -> KernelCode:
        return KernelCode(
            name=symbol,
            key=key,
            target=_emitter(target).machine(),
            code=data,
            pointers=signature.pointers,
            integers=len(signature.integers),
            can_fail=signature.can_fail,
            buffers=buffers,
            cuts=cuts,
            cost=cost,
        )

    # Of text, too: for OpenCL passes and emitter take 2 to 8 ms, half of a start from binaries.
    disk = default_cache()
    data = None if disk is None else disk.get(key)
    if data is not None:
        return kernel(data), KernelCounters(loaded_from_disk=1)
    emitter, forms = _emitter(target), Schedules(func, target, symbol)
    hurried = None if steps is None else _in_a_hurry(emitter, forms, steps, cost)
    if hurried is None:
        code = kernel(_stored(disk, key, emitter.code(forms.usual())))
        return code, KernelCounters(compiled=1)
    if disk is not None:
        disk.warn_if_unusable()  # while the line that calls is known
    make = hurried.better
    better = BetterCode(lambda: kernel(_stored(disk, key, make())), hurried.most_work)
    AFTERWARDS.add(better.get)
    return kernel(hurried.code).with_better(better), KernelCounters(compiled=1)


def _in_a_hurry(emitter: Emitter, forms: Schedules, steps: int, cost: int) -> Hurried | None:
    """Return code that a launch of so many steps waits less for; None if it waits for the best."""
    if not AFTERWARDS.has_room or not is_quick_code_wanted():
        return None
    # Maps are made for scalars, which does for little work; all others leave out what is for much.
    is_enough = is_little(steps * cost) if forms.are_maps else not forms.has_maps
    form = forms.hurried() if forms.can_hurry and is_enough else forms.usual()
    quick = emitter.quick(form) if steps <= SHORT else None
    if HURRIED not in form.attributes:
        return quick

    def best() -> bytes:
        return emitter.code(forms.usual())

    if not forms.are_maps:
        return Hurried(emitter.code(form) if quick is None else quick.code, best)
    return None if quick is None else Hurried(quick.code, best, LITTLE)


def is_little(work: int) -> bool:
    """Whether a launch is so little work that any code does for it."""
    return work <= LITTLE


def _stored(disk: DiskCache | None, key: str, data: bytes) -> bytes:
    """Keep code on the disk."""
    if disk is not None:
        disk.put(key, data, maker_number(own_digest()))
    return data


def is_quick_code_wanted() -> bool:
    """Whether the environment leaves it to us to make quick code first."""
    return os.environ.get("TRILITH_QUICK", "1") != "0"


def scheduled(func: FuncOp, target: str = DEFAULT) -> FuncOp:
    """Return a copy of a structured kernel after the target's passes on kernels."""
    return Schedules(func, target_named(target)).usual()


def kernel_text(func: FuncOp, level: str, target: str | None = None) -> str:
    """Return the text of a structured kernel at a level, such as "llvm", for a target that has it.

    Raises KeyError for a level that no target has.
    """
    first, found = levels()[level]
    row = first if target is None else target_named(target)
    return found.text()().text(Schedules(func, row).usual())
