"""What can the CPU that kernels are compiled for do?"""

from functools import cache
from importlib import import_module
from typing import Any

from ....dialects.records import record
from ....runtime.devices.llvm import guarded

#: llvmlite comes without types.
llvm: Any = guarded(import_module("llvmlite.binding"))
#: Of llvmlite, which writes text in its own way, and of the LLVM that it was built with.
LLVM_VERSION = f"{import_module('llvmlite').__version__} {llvm.llvm_version_info}"


#: The width of vectors where arithmetic is short; most CPUs have wider ones for the rest at best.
USUAL_VECTOR_BITS = 256


@record
class CpuTarget:
    """A CPU: LLVM's words for it, and the numbers that a schedule chooses by."""

    triple: str
    cpu: str
    features: str
    vector_bits: int = USUAL_VECTOR_BITS
    usual_vector_bits: int = USUAL_VECTOR_BITS
    has_f16c: bool = True
    has_ldexp: bool = False

    @property
    def name(self) -> str:
        """What a kernel for this CPU says that it needs: `runtime.devices.cpu.host_target`."""
        return f"{self.triple}|{self.cpu}|{self.features}"

    @property
    def vector_registers(self) -> list[str]:
        """The names of registers for vectors, however wide these are."""
        if self.triple.startswith(("aarch64", "arm64")):
            return [f"v{number}" for number in range(32)]
        return [f"xmm{number}" for number in range(32 if self.vector_bits == 512 else 16)]

    @property
    def attributes(self) -> str:
        """What every emitted function promises (`#0`), weights of unlikely branches, and a one."""
        return (
            'attributes #0 = { nounwind "no-trapping-math"="true" '
            f'"prefer-vector-width"="{self.vector_bits}" '
            f'"min-legal-vector-width"="0" }}\n'
            '!0 = !{!"branch_weights", i32 1, i32 2000}\n'
            "!1 = !{i32 1}"
        )


#: CPUs, in LLVM's words, whose loads and units are so wide that vectors of 512 bits are faster
#: everywhere (a square root of 1e6 floats 140 -> 76 us on Zen 5, float32 to bfloat16 157 -> 87,
#: relu(x) * x 85 -> 70). On Intel's, what waits for memory takes the same time with both.
_ALWAYS_WIDE_CPUS = frozenset({"znver5"})
#: What CPUs have whose clock vectors of 512 bits do not slow down much: Ice Lake and Zen 4 and what
#: came after them (512 x 512 x 512 floats 2750 -> 1850 us on Granite Rapids). Those of before run
#: long after such a vector at a clock that costs more than it brings.
_WIDE_FEATURES = ("avx512f", "avx512vl", "avx512vbmi2")


@cache
def host_target() -> CpuTarget:
    """Return the CPU of this process.

    256 bits where the CPU has AVX; 512 bits where these do not cost its clock. LLVM tunes for 256
    bits on all CPUs of Intel.
    """
    features = llvm.get_host_cpu_features()
    cpu = llvm.get_host_cpu_name()
    vector_bits = 256 if features.get("avx", False) or features.get("avx2", False) else 128
    if all(features.get(name, False) for name in _WIDE_FEATURES):
        vector_bits = 512
    always_wide = vector_bits == 512 and cpu in _ALWAYS_WIDE_CPUS
    return CpuTarget(
        triple=llvm.get_default_triple(),
        cpu=cpu,
        features=features.flatten(),
        vector_bits=vector_bits,
        usual_vector_bits=vector_bits if always_wide else USUAL_VECTOR_BITS,
        has_f16c=features.get("f16c", False),
        has_ldexp=features.get("avx512f", False) and features.get("avx512vl", False),
    )
