"""Has the product of entries the same bits in the interpreter, in kernels and on a device?"""

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.steps import Step
from trilith.dialects.ops.table import TABLE
from trilith.dialects.tri.ops import op_class

DTYPES = ["int8", "int64", "float32", "float64", "complex64", "complex128"]


def operands(dtype: str) -> list[np.ndarray[Any, Any]]:
    """Return values, a factor and coordinates, some of which are the same."""
    rng = np.random.default_rng(11)
    kind = np.dtype(dtype)
    values, factor = (
        (rng.standard_normal(size) * 9 + 1j * rng.standard_normal(size) * (kind.kind == "c"))
        for size in ((40,), (6, 5))
    )
    parts = [values, factor] if kind.kind == "c" else [values.real, factor.real]
    places = [rng.integers(0, size, 40) for size in (4, 6)]
    return [*(part.astype(kind) for part in parts), *places]


def product(values: Any, factor: Any, rows: Any, columns: Any) -> Any:
    """Return the product of a matrix of entries and a dense one."""
    return tri.sparse_coo_tensor(tri.stack([rows, columns]), values, (4, 6)) @ factor


def traced(arrays: list[np.ndarray[Any, Any]]) -> Any:
    """Trace the product on the parts of a sparse tensor."""
    values, factor, *places = arrays
    s = tri.sparse_coo_tensor(np.stack(places), values, (4, 6))
    return tri.trace(lambda s, x: s @ x, s, tri.tensor(factor))


@pytest.mark.parametrize("dtype", DTYPES)
def test_interpreters_and_kernels_agree(dtype: str):
    arrays = operands(dtype)
    values, factor, *places = arrays
    given = [np.stack(places), values, factor]
    found = traced(arrays)
    (lowered,) = interpret_function(found.lower().module, given)
    Runner().run(found.module, [Step("tri-lower-sparse")])
    (direct,) = interpret_function(found.module, given)
    run = product(*map(tri.tensor, arrays)).numpy()
    assert direct.tobytes() == run.tobytes()
    assert lowered.tobytes() == run.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_sum_is_in_the_order_of_entries(dtype: str):
    values, factor, rows, columns = operands(dtype)
    expected = np.zeros((4, 5), dtype)
    for value, row, column in zip(values, rows, columns, strict=True):
        expected[row] += value * factor[column]
    found = product(*map(tri.tensor, (values, factor, rows, columns))).numpy()
    if np.dtype(dtype).kind == "c":
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    else:
        assert found.tobytes() == expected.tobytes()


def test_a_factor_may_lie_across(tested_device: str):
    values, factor, rows, columns = map(tri.tensor, operands("float32"))
    across = factor.t().contiguous().t()
    assert product(values, across, rows, columns).tolist() == (
        product(values, factor, rows, columns).tolist()
    )


def test_operands_that_do_not_fit_are_refused():
    specs = [tri.spec(size) for size in ((4, 5), (3,), (6, 4))]
    places = [tri.spec((3,), tri.int64)] * 2
    row: Any = TABLE["coo_mm"]
    assert op_class("coo_mm").ROW is row
    with pytest.raises(tri.InternalError, match="entries of"):
        row.resolve([*specs, *places], {})
    halves = [tri.spec(size, tri.float16) for size in ((4, 5), (3,), (6, 5))]
    with pytest.raises(NotImplementedError, match="not implemented for 'Half'"):
        row.resolve([*halves, *places], {})
