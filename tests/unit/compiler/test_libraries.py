"""Shared libraries of exported functions: called by ctypes, and by C programs where there is cc."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.devices.objects import is_known_host
from trilith.runtime.execution.sizes_form import decode_plan

pytestmark = pytest.mark.skipif(not is_known_host(), reason="libraries are for x86-64 Linux")

WEIGHT = tri.tensor([[1.0, -2.0], [0.5, 4.0], [3.0, 0.25]])
BATCH = tri.dim("batch", min=0, max=2000)


def softmax(x: Any) -> Any:
    e = tri.exp(x - x.amax(1, True))
    return e / e.sum(1, True)


def pieces(x: Any) -> Any:
    n = x.shape[0]
    if n < 8:
        return x.sum(0)
    return (x[: n // 2] if n % 2 == 0 else x[1:]).sum(0)


def several(x: Any, scale: Any, shift: Any) -> Any:
    return x @ WEIGHT * scale + shift, x.sum(0) / x.shape[0], x > 0


def windows(x: Any) -> Any:
    return x[::3].unfold(0, 2, 2).sum(1) if x.shape[0] > 9 else x[:1] * 2


def _array(*shape: int) -> Any:
    return np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)


#: A function, its specs, and what makes its arguments for a size.
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Callable[[int], tuple[Any, ...]]]] = {
    "softmax": (softmax, (tri.spec((BATCH, 8)),), lambda n: (_array(n, 8),)),
    "pieces": (pieces, (tri.spec((BATCH, 3)),), lambda n: (_array(n, 3),)),
    "several": (
        several,
        (tri.spec((BATCH, 3)), 1.0, 1),
        lambda n: (_array(n, 3), 0.25 * n, n - 7),
    ),
    "windows": (windows, (tri.spec((tri.dim("batch", min=4, max=900),)),), lambda n: (_array(n),)),
}


def _result_specs(program: Any) -> list[tri.TensorSpec]:
    variant = program.stored.variants[0]
    found = decode_plan(variant.data, variant.hints, [2] * len(variant.hints))
    return [output.spec for output in found.artifact.outputs]


def _several(found: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))


class _Library:
    """Calls the functions of a library as a C program does."""

    def __init__(self, file: Path, name: str, program: Any) -> None:
        loaded = ctypes.CDLL(str(file))
        self.run, self.sizes = getattr(loaded, name), getattr(loaded, f"{name}_sizes")
        self.results = [(spec.dtype.numpy, spec.rank) for spec in _result_specs(program)]

    def __call__(self, dims: Sequence[int], arguments: Sequence[Any]) -> tuple[int, list[Any]]:
        sizes = [ctypes.c_int64(dim) for dim in dims]
        workspace = ctypes.c_int64(-1)
        shapes = [(ctypes.c_int64 * max(rank, 1))() for _, rank in self.results]
        status = self.sizes(*sizes, ctypes.byref(workspace), *shapes)
        if status:
            return status, []
        found = [
            np.empty(tuple(shape)[:rank], dtype)
            for shape, (dtype, rank) in zip(shapes, self.results, strict=True)
        ]
        block = np.empty(workspace.value + 64, np.uint8)
        scratch = ctypes.c_void_p(-(-block.ctypes.data // 64) * 64)
        given = [
            ctypes.c_void_p(value.ctypes.data)
            if isinstance(value, np.ndarray)
            else ctypes.c_double(value)
            if isinstance(value, float)
            else ctypes.c_int64(value)
            for value in arguments
        ]
        pointers = [ctypes.c_void_p(result.ctypes.data) for result in found]
        return self.run(*sizes, *given, *pointers, scratch), found


@pytest.mark.parametrize("name", CASES)
def test_a_library_computes_what_the_function_does(name: str, tmp_path: Path):
    function, specs, arguments = CASES[name]
    program = tri.export(function, *specs)
    file = tmp_path / f"{name}.so"
    assert program.to_shared_library(file) == tmp_path / f"{name}.h"
    library = _Library(file, name, program)
    ran = 0
    for n in (0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 63, 64, 65, 899, 900, 2000):
        if not program.stored.dims[0].least <= n <= (program.stored.dims[0].most or n):
            assert library([n], arguments(n))[0] == 1
            continue
        given = arguments(n)
        status, found = library([n], given)
        assert status == 0
        tensors = [tri.from_numpy(a) if isinstance(a, np.ndarray) else a for a in given]
        expected: Any = function(*tensors)
        for mine, other in zip(found, _several(expected), strict=True):
            assert mine.tobytes() == other.numpy().tobytes(), n
        ran += 1
    assert ran > 10


def test_sizes_that_it_is_not_for(tmp_path: Path):
    program = tri.export(softmax, tri.spec((tri.dim("batch", max=100), 8)))
    program.to_shared_library(tmp_path / "f.so")
    library = _Library(tmp_path / "f.so", "softmax", program)
    for n in (-1, 0, 101, 2**62, -(2**63), 2**63 - 1):
        assert library([n], [_array(1, 8)])[0] == 1


def test_sizes_whose_bytes_do_not_fit_are_refused(tmp_path: Path):
    program = tri.export(lambda x: x + 1, tri.spec((tri.dim("a"), tri.dim("b"))))
    program.to_shared_library(tmp_path / "f.so", "add_one")
    library = _Library(tmp_path / "f.so", "add_one", program)
    assert library([3, 4], [_array(3, 4)])[0] == 0
    for dims in ([2**40, 2**40], [2**62, 2], [2, 2**61]):
        assert library(dims, [_array(1)])[0] == 1


def test_faults_are_a_status(tmp_path: Path):
    program = tri.export(
        lambda x, i: tri.gather(x, 0, i),
        tri.spec((tri.dim("n", min=2),)),
        tri.spec((tri.dim("m", min=2),), tri.int64),
    )
    program.to_shared_library(tmp_path / "f.so", "pick")
    library = _Library(tmp_path / "f.so", "pick", program)
    x = _array(5)
    status, (found,) = library([5, 3], [x, np.array([4, 0, 2])])
    assert (status, found.tolist()) == (0, x[[4, 0, 2]].tolist())
    assert library([5, 3], [x, np.array([4, 5, 2])])[0] == 2


ARGUMENT = "returns or changes its arguments, which a library does not"
REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a view": (lambda x: x[1:], "a result of lambda() is a view of another tensor"),
    "an argument": (lambda x: x, ARGUMENT),
    "a write": (lambda x: x.add_(1), ARGUMENT),
    "strides": (lambda x: (x + 1).t(), "is not contiguous, or shares its memory"),
}


@pytest.mark.parametrize(("function", "words"), REFUSED.values(), ids=REFUSED)
def test_what_a_library_does_not_do(function: Any, words: str, tmp_path: Path):
    program = tri.export(function, tri.spec((tri.dim("n", min=2), 3)))
    with pytest.raises(TypeError) as caught:
        program.to_shared_library(tmp_path / "f.so")
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_program_from_a_file_makes_no_library(tmp_path: Path):
    tri.export(softmax, tri.spec((BATCH, 8))).save(tmp_path / "f.trilith")
    with pytest.raises(RuntimeError, match="a library is made where it is exported"):
        tri.load_program(tmp_path / "f.trilith").to_shared_library(tmp_path / "f.so")


_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "softmax.h"

int main(void) {
    int64_t rows = 5, bytes, shape[2];
    if (softmax_sizes(rows, &bytes, shape) != SOFTMAX_DONE) return 1;
    float *x = malloc(sizeof(float) * rows * 8), *y = malloc(sizeof(float) * shape[0] * shape[1]);
    void *workspace = aligned_alloc(64, (bytes / 64 + 1) * 64);
    for (int i = 0; i < rows * 8; i++) x[i] = (float)(i % 11) / 4;
    if (softmax(rows, x, y, workspace) != SOFTMAX_DONE) return 2;
    if (softmax_sizes(3000, &bytes, shape) != SOFTMAX_NO_PLAN) return 3;
    for (int i = 0; i < shape[0] * shape[1]; i++) printf("%.9g\\n", y[i]);
    return 0;
}
"""


def double(x: Any) -> Any:
    return x * 2


def test_names_are_names_in_c(tmp_path: Path):
    program = tri.export(double, tri.spec((tri.dim("n", max=9),)))
    with pytest.raises(ValueError, match="'double' is no name of a function"):
        program.to_shared_library(tmp_path / "double.so")
    header = program.to_shared_library(tmp_path / "double.so", name="twice")
    assert "twice(" in header.read_text()
    program = tri.export(softmax, tri.spec((tri.dim("long", max=9), 3)))
    with pytest.raises(ValueError, match="'long' is no name"):
        program.to_shared_library(tmp_path / "long.so")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_c_program(tmp_path: Path):
    tri.export(softmax, tri.spec((BATCH, 8))).to_shared_library(tmp_path / "softmax.so")
    (tmp_path / "main.c").write_text(textwrap.dedent(_MAIN), encoding="utf-8")
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = ["cc", *warnings, "main.c", "softmax.so", "-Wl,-rpath,$ORIGIN", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    run = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True)
    found = np.array([float(line) for line in run.stdout.split()], np.float32).reshape(5, 8)
    x = (np.arange(40) % 11 / 4).astype(np.float32).reshape(5, 8)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(found, e / e.sum(1, keepdims=True), rtol=1e-6)
