"""Does LLVM text become an object, and does a wrong text fail as a mistake of ours?"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from trilith.compiler.codegen.llvm.objects import assembly_of, compile_text
from trilith.compiler.codegen.llvm.target import CpuTarget, host_target, llvm
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


AVX2 = {"avx": True, "avx2": True}
SKYLAKE = {**AVX2, "avx512f": True, "avx512vl": True}
ICE_LAKE = {**SKYLAKE, "avx512vbmi2": True}


@pytest.mark.parametrize(
    ("cpu", "features", "widest", "usual"),
    [
        ("x86-64", {}, 128, 256),
        ("znver3", AVX2, 256, 256),
        ("skylake-avx512", SKYLAKE, 256, 256),
        ("icelake-server", ICE_LAKE, 512, 256),
        ("graniterapids", ICE_LAKE, 512, 256),
        ("znver4", ICE_LAKE, 512, 256),
        ("znver5", ICE_LAKE, 512, 512),
    ],
)
def test_the_width_of_vectors(
    cpu: str,
    features: dict[str, bool],
    widest: int,
    usual: int,
    monkeypatch: pytest.MonkeyPatch,
):
    class Features(dict[str, bool]):
        def flatten(self) -> str:
            return ",".join(f"+{name}" for name in self)

    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: cpu)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: Features(features))
    target = host_target.__wrapped__()
    assert (target.vector_bits, target.usual_vector_bits) == (widest, usual)
