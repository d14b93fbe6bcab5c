"""Do compiled kernels compute what the interpreter does, bit for bit?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.tracing import trace

Array = np.ndarray[Any, Any]


def softmax(x: Any, y: Any) -> tuple[Any, ...]:
    e = tri.exp(x - x.amax(1, keepdim=True))
    return (e / e.sum(1, keepdim=True),)


PROGRAMS: dict[str, Callable[[Any, Any], tuple[Any, ...]]] = {
    "arithmetic": lambda x, y: ((x * y + 2.5) / (abs(x) + 0.5) - y,),
    "functions": lambda x, y: (tri.tanh(x) * tri.exp(y) + tri.log(abs(x)), tri.sin(x * 50)),
    "softmax": softmax,
    "sums": lambda x, y: ((x * y).sum(), x.mean(0), y.amin(1)),
    "transposed": lambda x, y: (x.t() + y.t() * 2,),
    "matrices": lambda x, y: (x @ y.t(),),
    "tests": lambda x, y: (x > y, (x > 0) & (y < 0), x.argmax(1)),
}
DTYPES = {"float32": tri.float32, "float64": tri.float64, "float16": tri.float16}


def as_bits(array: Array) -> bytes:
    """The bytes of an array in row-major order, with one NaN for all."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_machine_code(name: str, dtype: str):
    generator = np.random.default_rng(len(name))
    x, y = (generator.normal(size=(5, 37)).astype(dtype) for _ in range(2))
    specs = [tri.spec((5, 37), DTYPES[dtype])] * 2
    lowered = trace(PROGRAMS[name], *specs).lower()
    expected = interpret_function(lowered.module, [x, y])
    results = lowered.compile()(tri.from_numpy(x), tri.from_numpy(y))
    for result, answer in zip(results, expected, strict=True):
        found = result.numpy()
        assert found.dtype == answer.dtype
        assert found.strides == answer.strides
        assert as_bits(found) == as_bits(answer)
