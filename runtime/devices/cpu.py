"""How does the host run kernels? As object code, linked into this process.

Our own linker (`objects`) takes what our kernels become on x86-64 Linux, in 0.1 ms; anything else
is linked by LLVM in 0.25 to 0.4 ms, and llvmlite is imported for the first such kernel. A loaded
kernel is a ctypes function, which releases the GIL while it runs, and is unloaded when nobody holds
it.
"""

from __future__ import annotations

import ctypes
import itertools
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from ...dialects.attributes.calling import is_packed_on_host
from ...dialects.attributes.device import Device
from ...dialects.diagnostics import InternalError, TrilithRuntimeError
from ...dialects.locks import imported
from ..execution.allocator import CachingAllocator, block_size
from ..execution.artifact import KernelCode
from ..execution.storage import Storage
from .base import ErrorMaker, Launcher, StatusWord
from .llvm import guarded, in_llvm
from .objects import UnknownObject, is_known_host, link_object

#: How many kernels stay loaded without anybody holding them.
LOADED_KERNELS = 1024


class CpuStatusWord:
    """A status word in host memory; CPU launches have finished when they return."""

    __slots__ = ("_word", "pointer")

    def __init__(self) -> None:
        """Make one that reads (0, 0): two int32, and three int64 behind them."""
        self._word = (ctypes.c_int32 * 8)()
        self.pointer = ctypes.addressof(self._word)

    def read(self) -> tuple[int, int]:
        """Return (fault number or 0, position)."""
        return self._word[0], self._word[1]

    def details(self) -> tuple[int, int, int]:
        """Return the numbers that the check gave with the fault."""
        first, second, third = (ctypes.c_int64 * 4).from_buffer(self._word)[1:]
        return first, second, third


class CpuRuntime:
    """Memory and kernels of the host."""

    def __init__(self, device: Device) -> None:
        """Take no memory and load nothing yet."""
        self.device = device
        self.allocator = CachingAllocator()
        self._loaded: OrderedDict[str, Launcher] = OrderedDict()

    def allocate(self, nbytes: int) -> Storage:
        """Return uninitialised memory, aligned to 64 bytes (2 MiB if it is that large)."""
        return Storage.allocate(self.allocator, nbytes, self.device, block_size(nbytes))

    def load(self, code: KernelCode) -> Launcher:
        """Link object code and return its function; equal kernels are loaded once.

        Raises TrilithRuntimeError for code of another machine or code that does not link.
        """
        if code.target not in _VOUCHED and code.target != host_target():
            _check_target(code)
        code = code.at_hand()
        key = code.digest
        launcher = self._loaded.get(key)
        if launcher is not None:
            with suppress(KeyError):  # another thread may have put it out
                self._loaded.move_to_end(key)
            return launcher

        def linked() -> Launcher:
            launcher = self._loaded.get(key)
            if launcher is None:
                launcher = self._loaded[key] = link(code)
                if len(self._loaded) > LOADED_KERNELS:
                    self._loaded.popitem(last=False)
            return launcher

        return in_llvm(linked)

    def prepare(self, integers: tuple[int, ...]) -> tuple[ctypes.c_int64, ...]:
        """Return integers as C integers, which ctypes passes on in half the time."""
        return tuple(map(ctypes.c_int64, integers))

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        """Copy host memory at address `source` to byte `offset` of a storage."""
        ctypes.memmove(target.address(offset, nbytes), source, nbytes)

    def copy_out(self, source: Storage, offset: int, target: int, nbytes: int) -> None:
        """Copy from byte `offset` of a storage to host memory at address `target`."""
        ctypes.memmove(target, source.address(offset, nbytes), nbytes)

    def new_status(self, error: ErrorMaker | None = None) -> CpuStatusWord:
        """Return a status word that reads (0, 0)."""
        return CpuStatusWord()

    def watch(self, status: StatusWord, error: ErrorMaker) -> None:
        """Raise what a launch has reported: it is done."""
        fault, position = status.read()
        if fault:
            raise error(fault, position, status.details())

    def synchronize(self) -> None:
        """Do nothing: launches return when they are done."""

    @property
    def loaded_kernels(self) -> int:
        """How many kernels the table holds."""
        return len(self._loaded)


def create(device: Device) -> CpuRuntime:
    """Return the runtime of the host, whatever its index."""
    return CpuRuntime(device)


@cache
def host_target() -> str:
    """Return triple, CPU and features of this host: what code made for it alone may rely on.

    >>> host_target().count("|")
    2
    """
    llvm = _llvm()
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_default_triple()}|{llvm.get_host_cpu_name()}|{features}"


#: Targets of which it is known, without LLVM, that they are this host.
_VOUCHED: set[str] = set()


def vouch_for(target: str) -> None:
    """Say that a target is this host, of which LLVM need not be asked then."""
    _VOUCHED.add(target)


def _check_target(code: KernelCode) -> None:
    """Raise unless this host has all that code for another one relies on."""
    theirs, ours = _described(code.target), _described(host_target())
    if theirs is not None and ours is not None:
        lacking = sorted(theirs[2] - ours[2])
        if theirs[0] == ours[0] and not lacking:
            return
        lack = f", which lacks {', '.join(lacking)}" if lacking else ""
        text = (
            f"kernel '{code.name}' was compiled for {theirs[1]} ({theirs[0]}), but this host is "
            f"{ours[1]} ({ours[0]}){lack}"
        )
    else:
        text = f"kernel '{code.name}' was compiled for '{code.target}', not for a CPU"
    raise TrilithRuntimeError(text, hint="trace and compile the function again on this host")


def _described(target: str) -> tuple[str, str, set[str]] | None:
    """Return triple, CPU and the features that are there, None for what is no CPU."""
    if target.count("|") != 2:
        return None
    triple, name, features = target.split("|")
    return triple, name, {word[1:] for word in features.split(",") if word.startswith("+")}


@cache
def _llvm() -> Any:
    llvm = guarded(imported("llvmlite.binding"))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _engine() -> Any:
    machine = (
        _llvm()
        .Target.from_default_triple()
        .create_target_machine(
            cpu=_llvm().get_host_cpu_name(),
            features=_llvm().get_host_cpu_features().flatten(),
            reloc="pic",
            codemodel="jitdefault",
            jit=True,
        )
    )
    return _llvm().create_lljit_compiler(machine, use_jit_link=True)


def compiled_by_llvm(text: str, passes: Sequence[str]) -> bytes:
    """Return the object code of LLVM's text for any CPU of this kind, after some passes."""
    llvm = _llvm()
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=2, reloc="pic", codemodel="jitdefault", jit=True
    )
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    manager = llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return machine.emit_object(module)


_library_numbers = itertools.count()  # the JIT refuses a library name that was used before


def link(code: KernelCode) -> Launcher:
    """Link one kernel into the process, whether or not it is there already."""
    address, owner = _linked(code)
    is_packed = is_packed_on_host(code.pointers, code.integers)
    signature: list[Any] = [ctypes.c_void_p] * (1 if is_packed else code.pointers)
    signature += [ctypes.c_int64] * (0 if is_packed else code.integers)
    launcher: Any = ctypes.CFUNCTYPE(None, *signature)(address)
    launcher.owner = owner  # the code is unloaded with the last reference to it
    return _packing(launcher, code.pointers + code.integers) if is_packed else launcher


def _linked(code: KernelCode) -> tuple[int, object]:
    """Return where a kernel begins in the memory of this process, and what owns that memory."""
    if is_known_host():
        better = code.better
        try:
            linked = link_object(code.code, code.name, is_replaceable=better is not None)
        except UnknownObject:
            pass  # LLVM says what is wrong with it, if anything is
        else:
            if better is not None:
                better.when_made(linked)
            return linked.address, linked
    return _linked_by_llvm(code)


def _linked_by_llvm(code: KernelCode) -> tuple[int, object]:
    builder = _llvm().JITLibraryBuilder().add_object_img(code.code).add_current_process()
    builder.export_symbol(code.name)
    try:
        tracker = builder.link(_engine(), f"trilith.{next(_library_numbers)}")
        return tracker[code.name], tracker
    except (RuntimeError, KeyError) as error:
        raise InternalError(f"kernel '{code.name}' does not link: {error}") from error


def _packing(launcher: Launcher, count: int) -> Launcher:
    """Return what calls a kernel that takes all its arguments in one block of 64-bit words."""
    block = ctypes.c_int64 * count
    return lambda *words: launcher(block(*words))
