"""Is every mathematical operation within the error bound that its row states, on the CPU?

float16 and bfloat16: every value. float32 and float64: a sample of bit patterns, and of the row's
domain, against float64. On the same values the CPU and the reference give the same bits.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE

from .oracle.elementwise import RULES
from .oracle.evaluation import fresh
from .oracle.intervals import Array, exactly
from .oracle.semantics import FLOATS
from .program import NUMPY_TYPES
from .properties import Tally, array_of, check_bounds, first_difference

#: Values of a domain, and bit patterns; most patterns of float64 are far outside of any.
SAMPLE, PATTERNS = 1 << 12, 1 << 11
#: Compared in `tests/unit/dialects/ops`: its results are complex.
COMPARED = {"polar"}
#: Rows that have no name of their own in the face, and what is spelled so.
SPELLED = {"power": "pow"}
ROWS = {
    name: row
    for name, row in sorted(TABLE.items())
    if isinstance(row, ElementwiseOp) and row.ulp and name not in COMPARED
    if row.is_function or name in SPELLED
}
#: Keywords that choose another formula.
VARIANTS: dict[str, list[dict[str, Any]]] = {"gelu": [{}, {"approximate": "tanh"}]}
CASES = [
    (name, dtype, keywords)
    for name in ROWS
    for dtype in FLOATS
    if getattr(tri, dtype) in ROWS[name].accepts
    for keywords in VARIANTS.get(name, [{}])
]


def sample(row: ElementwiseOp, dtype: str, seed: int) -> Array:
    """Return values of a dtype; of 16-bit dtypes all, in an order of the seed's own."""
    random = np.random.default_rng(seed)
    kind = np.dtype(NUMPY_TYPES[dtype])
    if kind.itemsize == 2:
        return random.permutation(2**16).astype(np.uint16).view(kind)
    patterns = random.integers(0, 2 ** (8 * kind.itemsize), PATTERNS, f"u{kind.itemsize}").view(
        kind
    )
    return np.concatenate([patterns, random.uniform(*row.domain, SAMPLE).astype(kind)])


def call(name: str, keywords: dict[str, Any]) -> Callable[..., Any]:
    function = operator.attrgetter(SPELLED.get(name, ROWS[name].dotted_name))(tri)
    return lambda *operands: function(*operands, **keywords)


@pytest.mark.parametrize(("name", "dtype", "keywords"), CASES)
def test_bound(name: str, dtype: str, keywords: dict[str, Any]):
    row = ROWS[name]
    count = sum(parameter.is_operand for parameter in row.schema.parameters)
    arrays = [sample(row, dtype, seed) for seed in range(count)]
    tensors = [tri.from_numpy(array) for array in arrays]
    function = call(name, keywords)
    found = array_of(tri.compile(function)(*tensors))

    (reference,) = interpret_function(tri.trace(function, *tensors).module, arrays)
    place = first_difference(found, reference)
    assert place is None, f"{[x[place] for x in arrays]}: {found[place]!r}, {reference[place]!r}"

    if name not in RULES:
        pytest.skip("no exact function for this row")
    rule = RULES[name].on_floats
    assert rule is not None
    with np.errstate(all="ignore"):
        bounds = rule(dtype, *(exactly(x.astype(np.float64)) for x in arrays), **keywords)
    tally = Tally()
    check_bounds("accuracy", name, found, fresh(dtype, found.shape, bounds), tally)
    assert tally.compared > 0.95 * tally.elements
