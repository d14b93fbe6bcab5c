"""Do compiling and calling leave the modes of the caller's floats as they were (MXCSR)?

How it rounds, which exceptions are masked, and what becomes of denormals; arithmetic sets the flags
that say what has happened.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.afterwards import AFTERWARDS
from trilith.runtime.calls import entries

#: All but the six flags of what has happened.
MODES = 0xFFC0
TEXT = """
declare void @llvm.x86.sse.ldmxcsr(ptr)
declare void @llvm.x86.sse.stmxcsr(ptr)
define i64 @exchange(i64 %set, i64 %keep) #0 {
  %place = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %place)
  %old = load i32, ptr %place
  %mask = trunc i64 %keep to i32
  %kept = and i32 %old, %mask
  %bits = trunc i64 %set to i32
  %new = or i32 %kept, %bits
  store i32 %new, ptr %place
  call void @llvm.x86.sse.ldmxcsr(ptr %place)
  %result = zext i32 %old to i64
  ret i64 %result
}
attributes #0 = { nounwind "no-trapping-math"="true" }
"""

pytestmark = pytest.mark.skipif(not entries.enable(), reason="native code for this CPU is needed")


@pytest.fixture(scope="module")
def exchange() -> Callable[[int, int], int]:
    """What sets bits, keeps some of the others, and returns what they were."""
    from trilith.runtime.devices.cpu import compiled_by_llvm
    from trilith.runtime.devices.objects import link_object

    code = link_object(compiled_by_llvm(TEXT, ()), "exchange")
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    call = kind(code.address)

    def run(bits: int, kept: int) -> int:
        assert code.address  # it is freed with the object
        return call(bits, kept)

    return run


def product(x: Any, y: Any) -> Any:
    return (x @ y).sin() / y.sum(0)


def compute() -> None:
    """Compile kernels of several kinds and run them, on several threads, too."""
    x = tri.tensor(np.linspace(-2, 2, 90_000, dtype=np.float32).reshape(300, 300))
    tri.log_softmax(x, 1)
    tri.compile(product)(x, x)
    x.T.contiguous()
    x.to(tri.float16).cumsum(0)
    (x.to(tri.int32) // 3).argmax(1)
    AFTERWARDS.finish()
    tri.log_softmax(x, 1)


#: As it is at first, zeros instead of denormals, rounding downwards.
@pytest.mark.parametrize("modes", [0, 0x8040, 0x2000], ids=["usual", "flushed", "downwards"])
def test_modes_stay(exchange: Callable[[int, int], int], modes: int):
    before, threads = exchange(modes, -1), tri.get_num_threads()
    try:
        wanted = exchange(0, -1) & MODES
        assert wanted & modes == modes
        with no_plans():
            tri.set_num_threads(2)
            compute()
        assert exchange(0, -1) & MODES == wanted
    finally:
        tri.set_num_threads(threads)
        exchange(before, 0)
    assert exchange(0, -1) & MODES == before & MODES
