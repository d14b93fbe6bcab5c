"""Does trilith-opt run with a named pipeline exactly what the compiler runs?"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import trilith as tri
from trilith.compiler.analysis.kernel_names import symbol_of
from trilith.compiler.driver import Lowered
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS, kernel_key, kernel_text
from trilith.compiler.targets.cpu import CPU
from trilith.compiler.targets.opencl import OPENCL_CPU, OPENCL_GPU
from trilith.compiler.targets.table import all_targets, named_pipelines, target_named
from trilith.compiler.targets.target import Target
from trilith.compiler.tools.trilith_opt import main

VECTOR = tri.spec((1000,), tri.float32)
MATRIX = tri.spec((64, 48), tri.float32)
ACROSS = tri.spec((48, 64), tri.float32)
HALVES = tri.spec((1000,), tri.float16)
INDEX = tri.spec((10,), tri.int64)
LONG = tri.spec((200000,), tri.float64)

Function = Callable[[tri.Tensor, tri.Tensor], tri.Tensor]
#: Those of test_opencl_golden.py, and sums that are split.
PROGRAMS: dict[str, tuple[Function, tri.TensorSpec, tri.TensorSpec]] = {
    "chain": (lambda x, y: tri.tanh(2 * x + y) * tri.exp(-y * y) + x, VECTOR, VECTOR),
    "halves": (lambda x, y: x * 2 + y, HALVES, HALVES),
    "sum_of_rows": (lambda x, y: (x * y).sum(1), MATRIX, MATRIX),
    "sum_of_columns": (lambda x, y: (x * y).sum(0), MATRIX, MATRIX),
    "transposed": (lambda x, y: x.t() + y, MATRIX, ACROSS),
    "product": (lambda x, y: x @ y, MATRIX, ACROSS),
    "gather": (lambda x, index: x[index], MATRIX, INDEX),
    "long": (lambda x, y: (x * y).sum(), LONG, LONG),
}
#: What each text is printed with.
PRINTED = {"cpu": "llvm", "opencl": "opencl", "opencl-gpu": "opencl"}


def opt(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> str:
    """What trilith-opt prints for a module."""
    monkeypatch.setattr(sys, "argv", ["trilith-opt", *words])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdout", printed := io.StringIO())
    main()
    return printed.getvalue()


def lowered(name: str, device: str) -> tuple[str, Lowered]:
    function, *specs = PROGRAMS[name]
    traced = tri.trace(function, *specs)
    return str(traced), traced.lower(device)


@pytest.mark.parametrize("pipeline", PRINTED)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_texts_are_the_compiler_s(
    name: str, pipeline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = named_pipelines()[pipeline]
    traced, low = lowered(name, target.device_type)
    printed = opt(
        monkeypatch, traced, "--target-pipeline", pipeline, "-t", f"tri-{PRINTED[pipeline]}"
    )
    headings = [line for line in printed.splitlines() if line.startswith("; kernel @")]
    assert len(headings) == (len(low.kernels) if pipeline == "cpu" else 0)
    expected = "\n".join(
        kernel_text(kernel, PRINTED[pipeline], target.name) for kernel in low.kernels
    )
    text = "\n".join(line for line in printed.splitlines() if not line.startswith("; kernel @"))
    assert text.rstrip() == expected.rstrip()


@pytest.mark.parametrize("target", ["opencl-cpu", "opencl-gpu"])
def test_what_a_device_gets_is_the_text(target: str) -> None:
    _, low = lowered("chain", "opencl")
    (kernel,) = low.kernels
    code = KERNELS.get(kernel, KernelCounters(), target)
    expected = kernel_text(kernel, "opencl", target)
    symbol = symbol_of(kernel, kernel_key(kernel, target))
    assert code.code.decode() == expected.replace(kernel.symbol, symbol)


@dataclass(frozen=True)
class Facts:
    vector_bits: int
    has_f16c: bool
    usual_vector_bits: int = 256
    has_ldexp: bool = False


EXTREMES = "kernel-keep-elements,kernel-order-floats,"


@pytest.mark.parametrize(
    ("facts", "steps"),
    [
        (
            Facts(256, True),
            "kernel-legalize-dtypes," + EXTREMES + "kernel-expand-math{branches=true},"
            "kernel-schedule{target=cpu vector-bits=256}",
        ),
        (
            Facts(128, False),
            "kernel-legalize-dtypes{half=false}," + EXTREMES + "kernel-expand-math{branches=true},"
            "kernel-schedule{target=cpu vector-bits=128}",
        ),
        (
            Facts(512, True),
            "kernel-legalize-dtypes," + EXTREMES + "kernel-expand-math{branches=true},"
            "kernel-schedule{target=cpu vector-bits=256 wide-vector-bits=512}",
        ),
        (
            Facts(512, True, 512, has_ldexp=True),
            "kernel-legalize-dtypes," + EXTREMES + "kernel-expand-math{branches=true ldexp=true},"
            "kernel-schedule{target=cpu vector-bits=512}",
        ),
    ],
)
def test_what_depends_on_the_host_stands_in_options(facts: Facts, steps: str) -> None:
    assert ",".join(map(str, CPU.kernel_steps(facts))) == steps


@pytest.mark.parametrize("target", [OPENCL_CPU, OPENCL_GPU])
def test_for_a_device_nothing_depends_on_the_host(target: Target) -> None:
    assert target.kernel_steps(Facts(128, False)) == target.kernel_steps(Facts(512, True))


def test_wide_vectors_are_for_kernels_of_much_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ",".join(map(str, (*CPU.function, *CPU.kernel_steps(Facts(512, True)))))
    for name, width in (("chain", 512), ("sum_of_rows", 256)):
        traced, _ = lowered(name, "cpu")
        text = opt(monkeypatch, traced, "-p", steps)
        assert ("attributes {kernel.vector_bits = 512 : i64}" in text) is (width == 512)
        # What is read back from the text is emitted for the same vectors.
        emitted = opt(monkeypatch, text, "-t", "tri-llvm{cpu=x86-64-v4}")
        assert f'"prefer-vector-width"="{width}"' in emitted


def test_a_row_is_complete() -> None:
    for target in all_targets():
        assert (target.schedule is None) is (target.emitter is None)
        assert bool(target.kernel_steps(Facts(256, True))) is (target.schedule is not None)
        if target.schedule is not None:
            assert target_named(target.name) is target
            (last,) = [step for step in target.kernel_steps() if step.name == "kernel-schedule"]
            assert dict(last.options)["target"] == target.name
        for level in target.levels:
            assert level.text().name == f"tri-{level.name}"


def test_the_scheduled_level_is_that_of_the_device() -> None:
    _, here = lowered("long", "cpu")
    _, there = lowered("long", "opencl")
    assert "vector<" in here.as_text("scheduled")
    # The blocks of the sum are work items, which no schedule for the CPU takes.
    assert "kernel.parallel items" in there.as_text("scheduled")
    assert "vector<" not in there.as_text("scheduled")
