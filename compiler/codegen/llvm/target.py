"""What can the CPU that kernels are compiled for do?"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

#: llvmlite comes without types.
llvm: Any = import_module("llvmlite.binding")
LLVMLITE_VERSION: str = import_module("llvmlite").__version__


@dataclass(frozen=True, slots=True)
class CpuTarget:
    """A CPU: LLVM's words for it, and the numbers that a schedule chooses by."""

    triple: str
    cpu: str
    features: str
    vector_bits: int = 256
    has_f16c: bool = True

    @property
    def attributes(self) -> str:
        """What every emitted function promises (`#0`), and the weights of unlikely branches."""
        return (
            'attributes #0 = { nounwind "no-trapping-math"="true" '
            f'"prefer-vector-width"="{self.vector_bits}" '
            f'"min-legal-vector-width"="0" }}\n'
            '!0 = !{!"branch_weights", i32 1, i32 2000}'
        )


@cache
def host_target() -> CpuTarget:
    """Return the CPU of this process.

    256 bits where the CPU has AVX, also where it has AVX-512: wide registers cost clock speed or
    two passes on most CPUs, and kernels are rarely bound by arithmetic.
    """
    features = llvm.get_host_cpu_features()
    wide = features.get("avx", False) or features.get("avx2", False)
    return CpuTarget(
        triple=llvm.get_default_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=features.flatten(),
        vector_bits=256 if wide else 128,
        has_f16c=features.get("f16c", False),
    )
