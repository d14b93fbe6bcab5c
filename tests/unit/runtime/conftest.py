"""Kernels written by hand as LLVM text, compiled to object code for the tests of the runtime."""

import functools
import hashlib
import importlib
from typing import Any

import pytest

from trilith.runtime.devices.cpu import host_target
from trilith.runtime.execution.artifact import KernelCode
from trilith.runtime.execution.kernel_memory import KernelBuffer, WalkedDim

llvm: Any = importlib.import_module("llvmlite.binding")  # has no types

#: What the kernels do with their buffers: element number integer 0 of what begins at an offset.
ROW = ((WalkedDim(0, None, 1),),)

#: name -> (buffers, integers, can fail, text)
KERNELS: dict[str, tuple[tuple[KernelBuffer, ...], int, bool, str]] = {
    # x[i] + y[i] -> z[i], float32 at element offsets
    "add": (
        tuple(KernelBuffer(4, offset, offset == 3, False, ROW) for offset in (1, 2, 3)),
        4,
        False,
        """
define void @add(ptr %x, ptr %y, ptr %z, i64 %n, i64 %ox, i64 %oy, i64 %oz) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %ix = add i64 %i, %ox
  %iy = add i64 %i, %oy
  %iz = add i64 %i, %oz
  %px = getelementptr float, ptr %x, i64 %ix
  %py = getelementptr float, ptr %y, i64 %iy
  %pz = getelementptr float, ptr %z, i64 %iz
  %a = load float, ptr %px
  %b = load float, ptr %py
  %c = fadd float %a, %b
  store float %c, ptr %pz
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}""",
    ),
    # the 64-bit integer %bits -> x[i] for every i, from element %o on
    "fill": (
        (KernelBuffer(8, 2, True, False, ROW),),
        3,
        False,
        """
define void @fill(ptr %x, i64 %n, i64 %bits, i64 %o) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %ix = add i64 %i, %o
  %px = getelementptr i64, ptr %x, i64 %ix
  store i64 %bits, ptr %px
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}""",
    ),
    # reports fault %code at %position
    "fail": (
        (),
        2,
        True,
        """
define void @fail(ptr %status, i64 %code, i64 %position) {
  %code32 = trunc i64 %code to i32
  %position32 = trunc i64 %position to i32
  %second = getelementptr i32, ptr %status, i64 1
  store i32 %code32, ptr %status
  store i32 %position32, ptr %second
  ret void
}""",
    ),
    # waits until x[0] is not 0: returns only if another thread runs meanwhile
    "wait": (
        (KernelBuffer(4, 0, False, False, ((),)),),
        1,
        False,
        """
define void @wait(ptr %x, i64 %o) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %x seq_cst, align 4
  %zero = icmp eq i32 %value, 0
  br i1 %zero, label %loop, label %done
done:
  ret void
}""",
    ),
}


@functools.cache
def target_machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(reloc="pic", codemodel="jitdefault", jit=True)


def compile_text(text: str) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    return target_machine().emit_object(module)


@functools.cache
def kernel(name: str) -> KernelCode:
    """Return the kernel of that name."""
    buffers, integers, can_fail, text = KERNELS[name]
    key = hashlib.sha256(text.encode()).hexdigest()
    pointers = len(buffers) + can_fail
    code = compile_text(text)
    return KernelCode(name, key, host_target(), code, pointers, integers, can_fail, buffers)


@pytest.fixture(name="kernel")
def kernel_fixture() -> Any:
    """`kernel("add")`: a hand-written kernel, compiled."""
    return kernel


@pytest.fixture(name="compile_text")
def compile_text_fixture() -> Any:
    """`compile_text(llvm_ir)`: object code."""
    return compile_text
