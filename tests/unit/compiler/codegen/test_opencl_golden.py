"""Is the OpenCL C of typical kernels what somebody has read? `make golden` rewrites the texts.

Whether it computes the right thing is the question of `test_opencl_bits`.
"""

from collections.abc import Callable

import pytest

import trilith as tri
from trilith.compiler.kernels.table import kernel_text

VECTOR = tri.spec((1000,), tri.float32)
MATRIX = tri.spec((64, 48), tri.float32)
ACROSS = tri.spec((48, 64), tri.float32)
HALVES = tri.spec((1000,), tri.float16)
INDEX = tri.spec((10,), tri.int64)

Function = Callable[[tri.Tensor, tri.Tensor], tri.Tensor]
PROGRAMS: dict[str, tuple[Function, tri.TensorSpec, tri.TensorSpec]] = {
    "chain": (lambda x, y: tri.tanh(2 * x + y) * tri.exp(-y * y) + x, VECTOR, VECTOR),
    "halves": (lambda x, y: x * 2 + y, HALVES, HALVES),
    "sum_of_rows": (lambda x, y: (x * y).sum(1), MATRIX, MATRIX),
    "sum_of_columns": (lambda x, y: (x * y).sum(0), MATRIX, MATRIX),
    "transposed": (lambda x, y: x.t() + y, MATRIX, ACROSS),
    "product": (lambda x, y: x @ y, MATRIX, ACROSS),
    "padded": (lambda x, y: tri.nn.functional.pad(x, (1, 2, 3, 0)), MATRIX, MATRIX),
    "gather": (lambda x, index: x[index], MATRIX, INDEX),
}


@pytest.mark.parametrize("target", ["opencl-cpu", "opencl-gpu"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_text(name: str, target: str, golden: Callable[[str, str], None]) -> None:
    function, *specs = PROGRAMS[name]
    kernels = tri.trace(function, *specs).lower().kernels
    text = "\n".join(kernel_text(kernel, "opencl", target) for kernel in kernels)
    golden(f"{name}.{target}.cl", text)
