"""Are reductions interpreted as rows say, also where the interpreter has no words of its own?"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from trilith.compiler.interpret.reductions import reduce
from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.dtype import DType
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.ops.frame.opspec import ReductionOp
from trilith.dialects.ops.table import TABLE

SPECIAL = [3.0, np.nan, -0.0, 0.0, np.inf, -np.inf, 3.0, 2.0]
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "argmax": {"dim": 1, "keepdim": False},
    "aminmax": {"dim": 1, "keepdim": False},
    "var_mean": {"dim": (1,), "correction": None, "keepdim": False},
}


def unknown(name: str) -> ReductionOp:
    """A row as one that is added at run time: the interpreter has never heard of its reduction."""
    row = TABLE[name]
    assert isinstance(row, ReductionOp)
    return replace(row, combine="unheard_of")


@pytest.mark.filterwarnings("ignore:var_mean")
@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, dtype) for name in ATTRIBUTES for dtype in (dtypes.float32, dtypes.float64)),
        ("var_mean", dtypes.complex64),  # other complex numbers have no order
    ],
)
@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 101])
def test_a_joint_row_brings_what_the_interpreter_needs(name: str, dtype: DType, count: int):
    drawn: Any = np.random.default_rng(count).integers(-5, 5, (3, count)).astype(dtype.numpy)
    if name != "var_mean" and count > 2:
        drawn[0] = np.resize(np.array(SPECIAL), count)
    row = TABLE[name]
    assert isinstance(row, ReductionOp)
    resolved = row.resolve([TensorSpec.of(drawn.shape, dtype)], ATTRIBUTES[name])
    given = [spec.dtype for spec in resolved.results]
    dims = {**resolved.attributes, "dim": (1,)}
    known = reduce(row, drawn, dtype, given, dims)
    found = reduce(unknown(name), drawn, dtype, given, dims)
    for one, other in zip(found, known, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
        if dtype.is_complex:
            continue
        zeros = one == 0
        np.testing.assert_array_equal(np.signbit(one[zeros]), np.signbit(other[zeros]))


def test_a_joint_row_over_no_elements():
    row, float32 = unknown("var_mean"), dtypes.float32
    found = reduce(
        row,
        np.ones((2, 0), np.float32),
        float32,
        [float32] * 2,
        {"dim": (1,)} | {"correction": 1.0},
    )
    assert np.isnan(found).all()
