"""Does one of the families of programs draw each row that says how elements are computed or moved?

A new elementwise row is drawn by its signature. One that is reached through another row's call, or
that nothing draws for a reason, is written down: here, or in `SPELLED`.
"""

from functools import partial
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.ops.frame.opspec import (
    ContractionOp,
    ElementwiseOp,
    JoinOp,
    ReductionOp,
    ViewOp,
)
from trilith.dialects.ops.rows.products.index_maps import IndexedContractionOp
from trilith.dialects.ops.rows.reductions.joint_scans import JointScanOp
from trilith.dialects.ops.rows.reductions.scans import CumulativeOp
from trilith.dialects.ops.table import TABLE

from .strided import drawing as strided
from .strided.check import Library, made_inputs
from .values.drawing import OPERATION_NAMES, SPELLED, draw_program

FAMILIES = (
    ElementwiseOp,
    ReductionOp,
    CumulativeOp,
    JointScanOp,
    ViewOp,
    JoinOp,
    ContractionOp,
    IndexedContractionOp,
)
ROWS = [name for name, row in sorted(TABLE.items()) if isinstance(row, FAMILIES)]
#: Rows that steps of the family of strided programs become.
STRIDED = {
    "conj_elements": "conj_physical",
    "conj_view": "conj",
    "strided_view": "as_strided",
    "view_as_complex": "view_as_complex",
    "view_as_real": "view_as_real",
    "view_dtype": "view_dtype",
}
_RANDOM = "random numbers, which are compared with NumPy's Philox"
_COMPLEX = "its results are complex, which programs of values have not"
_REFUSING = "an element that it does not take is an error of the whole call"
#: Rows that no family draws, and why.
UNDRAWN = {
    "above_threshold": "the gradient of a threshold, which programs of gradients have",
    "checked": _RANDOM,
    "clamp_min_unseen": "a step of `cosine_similarity` and `gaussian_nll_loss` alone",
    "complex": _COMPLEX,
    "cross_entropy_of_two": _REFUSING,
    "gamma_derivative": "NumPy has no derivatives of the gamma function; mpmath has",
    "logcumsumexp_complex": _COMPLEX,
    "not_negative": _REFUSING,
    "polar": _COMPLEX,
    "random_integer": _RANDOM,
    "random_normal": _RANDOM,
    "random_open": _RANDOM,
    "random_uniform": _RANDOM,
}
#: How many programs are drawn at most until one has a row in it.
ATTEMPTS = 60


def test_each_row_is_drawn_or_has_a_reason():
    known = {*OPERATION_NAMES, *SPELLED, *STRIDED, *UNDRAWN}
    assert [name for name in ROWS if name not in known] == []
    assert set(UNDRAWN) <= set(ROWS)
    assert not set(UNDRAWN) & {*OPERATION_NAMES, *SPELLED, *STRIDED}
    assert set(SPELLED.values()) <= {*OPERATION_NAMES, "to"}


def _rows_of(function: Any, arguments: list[Any]) -> set[str]:
    try:
        traced = tri.trace(function, *arguments)
    except tri.TrilithError:
        return set()
    return {op.name.removeprefix("tri.") for op in traced.module.walk()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", [name for name in SPELLED if name not in STRIDED])
def test_a_row_that_is_spelled_otherwise_is_in_a_program(row: str):
    for number in range(ATTEMPTS):
        program = draw_program("rows", number, SPELLED[row])
        if row in _rows_of(partial(program), program.arguments()):
            return
    raise AssertionError(f"no call of {SPELLED[row]} becomes {row}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", STRIDED)
def test_a_row_of_strided_programs_is_in_a_program(row: str):
    found = 0
    for number in range(20 * ATTEMPTS):
        program = strided.draw_program("rows", number)
        if STRIDED[row] not in {step.name for step in program.steps} or found == ATTEMPTS:
            continue
        found += 1
        space: dict[str, Any] = {"tri": tri}
        exec(program.function_text(), space)
        if row in _rows_of(space["program"], [*made_inputs(program, Library(tri)).values()]):
            return
    raise AssertionError(f"no {STRIDED[row]} becomes {row}")
