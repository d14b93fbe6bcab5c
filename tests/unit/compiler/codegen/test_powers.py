"""Is a product with a power of two rounded once, for any number of lanes?"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from trilith.compiler.codegen.llvm.kernel import emit_kernel
from trilith.compiler.codegen.llvm.target import CpuTarget, host_target
from trilith.dialects.diagnostics import UnsuitableIr
from trilith.dialects.kernel.function import FuncOp

Array = np.ndarray[Any, Any]

#: Scheduled by hand, on any number of lanes.
KERNEL = """
kernel.func @power(
    %x: !kernel.buffer<TYPE, [1]>, %p: !kernel.buffer<TYPE, [1]>, %y: !kernel.buffer<TYPE, [1]>) {
  %zero = arith.constant 0 : index
  %n = kernel.load %x[%zero] : VECTOR
  %m = kernel.load %p[%zero] : VECTOR
  %r = kernel.ldexp %n, %m : VECTOR
  kernel.store %r, %y[%zero]
}
"""
NUMBERS = {
    "f32": ([1.0, -1.5, 1.1754942e-38, 3.4e38, np.inf, np.nan, -0.0, 1.3333334], [0, 1, -24, -149]),
    "f64": ([1.0, -1.5, 2.3e-308, 1.7e308, -np.inf, np.nan, -0.0, 4 / 3], [0, 1, -53, -1074]),
}


def text_of(element: str, lanes: int | None) -> str:
    vector = element if lanes is None else f"vector<{lanes}x{element}>"
    return KERNEL.replace("VECTOR", vector).replace("TYPE", element)


@pytest.mark.skipif(not host_target().has_ldexp, reason="the CPU has no such instruction")
@pytest.mark.parametrize("lanes", [None, 2, 4, 8, 16, 32, 64])
@pytest.mark.parametrize("element", NUMBERS)
def test_values(compile_kernel: Any, element: str, lanes: int | None) -> None:
    dtype: Any = np.float32 if element == "f32" else np.float64
    numbers, powers = NUMBERS[element]
    kernel = compile_kernel(text_of(element, lanes), vector_bits=0)
    every = [(number, power) for number in numbers for power in powers]
    count = lanes or 1
    for first in range(0, len(every), count):
        chosen = [every[(first + lane) % len(every)] for lane in range(count)]
        x, p = (np.array(values, dtype) for values in zip(*chosen, strict=True))
        y = np.zeros_like(x)
        kernel(x, p, y)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(y, np.ldexp(x, p.astype(np.int32)))
        assert (np.signbit(y) == np.signbit(x)).all()


@pytest.mark.parametrize(
    ("bits", "lanes", "registers"),
    [(512, 32, [512] * 2), (256, 32, [256] * 4), (512, 4, [128]), (256, 2, [128])],
)
def test_as_many_lanes_as_a_register_has(
    read_kernel: Callable[[str], FuncOp], bits: int, lanes: int, registers: list[int]
) -> None:
    target = CpuTarget("x86_64-linux-gnu", "x86-64-v4", "", bits, bits, has_ldexp=True)
    text = emit_kernel(read_kernel(text_of("f32", lanes)), target)
    found = re.findall(r"= call .* @llvm\.x86\.avx512\.mask\.scalef\.ps\.(\d+)\(", text)
    assert [int(width) for width in found] == registers


def test_other_cpus_refuse(read_kernel: Callable[[str], FuncOp]) -> None:
    target = CpuTarget("x86_64-linux-gnu", "x86-64-v3", "")
    with pytest.raises(UnsuitableIr, match=r"kernel\.ldexp: this CPU has no such instruction"):
        emit_kernel(read_kernel(text_of("f32", 8)), target)
