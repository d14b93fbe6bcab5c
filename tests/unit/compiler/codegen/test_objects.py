"""Does LLVM text become an object, and does a wrong text fail as a mistake of ours?"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from trilith.compiler.codegen.llvm.objects import assembly_of, compile_text
from trilith.compiler.codegen.llvm.target import CpuTarget, host_target
from trilith.dialects.diagnostics import InternalError

TEXT = "define i32 @answer() {\n  ret i32 42\n}\n"


def test_the_same_text_gives_the_same_bytes():
    assert compile_text(TEXT) == compile_text(TEXT, host_target(), verify=True)


def test_assembly():
    assert "answer:" in assembly_of(TEXT)


def test_text_that_does_not_parse():
    with pytest.raises(InternalError, match="LLVM refuses a kernel"):
        compile_text("define i32 @answer() {\n  ret i64 42\n}\n")


def test_threads_may_compile_at_once():
    with ThreadPoolExecutor(4) as pool:
        objects = list(pool.map(compile_text, [TEXT] * 16))
    assert len(set(objects)) == 1


def test_a_target_is_a_value():
    assert CpuTarget("x86_64-linux-gnu", "znver3", "+avx2") == CpuTarget(
        "x86_64-linux-gnu", "znver3", "+avx2"
    )
    assert host_target() is host_target()
    assert host_target().vector_bits in (128, 256, 512)
