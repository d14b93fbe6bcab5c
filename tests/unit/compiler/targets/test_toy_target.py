"""Can a target be added while a program runs, with a row, an emitter and a runtime alone?"""

from __future__ import annotations

import io
import pathlib
import shutil
import sys
from collections.abc import Callable, Generator

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.driver import text_levels
from trilith.compiler.targets import table
from trilith.compiler.tools.trilith_opt import main

from .toy_target import KIND, TOY, ToyRuntime, registered

X, Y = tri.spec((3, 4), tri.float32), tri.spec((3, 4), tri.float32)


@pytest.fixture(name="toy")
def toy_device(tmp_path: pathlib.Path) -> Generator[ToyRuntime]:
    with registered(tmp_path) as runtime:
        yield runtime


def product_and_two(x: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
    return x * y + 2


def scaled_sums(x: tri.Tensor) -> tri.Tensor:
    return (x * 3).sum(1)


@pytest.mark.usefixtures("toy")
def test_a_function_goes_through_all_levels() -> None:
    assert text_levels() == ("tri", "kernel", "scheduled", "llvm", "asm", "opencl", "c")
    lowered = tri.trace(product_and_two, X, Y).lower(KIND)
    assert lowered.as_text("tri").count("tri.add") == 1
    assert "kernel.map" in lowered.as_text("kernel")
    scheduled = lowered.as_text("scheduled")
    assert "kernel.for" in scheduled
    assert "vector" not in scheduled
    assert lowered.as_text("c") == (
        "#include <stdint.h>\n"
        "#include <string.h>\n"
        "void mul_add_0(float *p1, float *p2, float *p3, int64_t n0, int64_t o1, int64_t o2, "
        "int64_t o3, int64_t n4) {\n"
        "  int64_t a0;\n"
        "  memcpy(&a0, &n0, sizeof a0);\n"
        "  float *a1 = p1 + o1;\n"
        "  float *a2 = p2 + o2;\n"
        "  float *a3 = p3 + o3;\n"
        "  float a4;\n"
        "  memcpy(&a4, &n4, sizeof a4);\n"
        "  int64_t v5 = 0;\n"
        "  int64_t v6 = 1;\n"
        "  for (int64_t v7 = v5; v7 < a0; v7 += v6) {\n"
        "  float v8 = a1[v7 * 1];\n"
        "  float v9 = a2[v7 * 1];\n"
        "  float v10 = v8 * v9;\n"
        "  float v11 = v10 + a4;\n"
        "  a3[v7 * 1] = v11;\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.usefixtures("toy")
def test_trilith_opt_knows_its_pipeline_and_its_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    traced = tri.trace(product_and_two, X, Y)
    monkeypatch.setattr(sys, "argv", ["opt", "--target-pipeline", KIND, "-t", "tri-c"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(str(traced).encode())))
    main()
    assert capsys.readouterr().out == traced.lower(KIND).as_text("c")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("shape", [(3, 4), (2, 100), (1, 40000), (5, 0)])
def test_what_runs_there_has_the_bits_of_the_host(toy: ToyRuntime, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
    functions: list[tuple[Callable[..., tri.Tensor], list[np.ndarray]]] = [
        (product_and_two, [x, y]),
        (scaled_sums, [x]),
    ]
    for function, arrays in functions:
        there = tri.compile(function, device=KIND)(*map(tri.from_numpy, arrays))
        assert str(there.device) == f"{KIND}:0"
        here = tri.compile(function)(*map(tri.from_numpy, arrays))
        np.testing.assert_array_equal(there.cpu().numpy(), here.numpy())
    # Without elements there are sums to be written and nothing else.
    assert len(toy.launches) == (1 if 0 in shape else 2)
    np.testing.assert_array_equal(
        tri.compile(product_and_two, device=KIND)(*map(tri.from_numpy, (x, y))).cpu().numpy(),
        x * y + np.float32(2),
    )


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_an_operation_runs_there_eagerly(toy: ToyRuntime) -> None:
    x = tri.tensor([1.0, 2.0], device=KIND)
    assert (x * x + x).tolist() == [2.0, 6.0]
    assert len(toy.launches) >= 2


def test_afterwards_nobody_knows_it(tmp_path: pathlib.Path) -> None:
    with registered(tmp_path):
        assert table.target_named("toy") is TOY
        with pytest.raises(ValueError, match="there is a target 'toy' already"):
            table.register(TOY)
    assert KIND not in table.named_pipelines()
    with pytest.raises(ValueError, match="there is no pipeline for 'maia'; there is cpu, "):
        tri.trace(product_and_two, X, Y).lower(KIND)
    with pytest.raises(ValueError, match="there is no target 'toy'; there are cpu, opencl-cpu"):
        table.target_named("toy")
