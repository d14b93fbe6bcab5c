"""Does promotion answer as PyTorch 2.13 does, for every pair and every kind of operand?"""

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from trilith.dialects.attributes.default_dtype import get_default_dtype, set_default_dtype
from trilith.dialects.attributes.dtype import DType, by_name
from trilith.dialects.attributes.promotion import (
    DIMENSIONED,
    ZERO_DIM,
    Operand,
    can_cast,
    promote_types,
    result_type,
)
from trilith.dialects.attributes.spec import ScalarSpec
from trilith.dialects.diagnostics import TrilithError

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
GOLDEN: dict[str, Any] = json.loads((DATA / "promotion.json").read_text(encoding="utf-8"))
DTYPES = [by_name(name) for name in GOLDEN["dtypes"]]

# Where PyTorch's answer is a bug (semantics, section 8): its text -> the start of ours.
BUGS = {
    "RuntimeError: ix_a != -1": "Promotion for Float4 Types is not supported",
    "RuntimeError: ix_b != -1": "Promotion for Float4 Types is not supported",
}


def check(compute: Callable[[], DType], expected: int) -> str | None:
    """Return how the answer differs from the recorded one, or None."""
    try:
        answer = compute()
    except TrilithError as error:
        if expected >= 0:
            return f"{error.message} instead of {DTYPES[expected]}"
        recorded: str = GOLDEN["errors"][-expected - 1]
        kind, _, text = recorded.partition(": ")
        bug = next((ours for theirs, ours in BUGS.items() if recorded.startswith(theirs)), None)
        same = error.message.startswith(bug) if bug else error.message == text
        is_kind = kind in {parent.__name__ for parent in type(error).__mro__}
        return None if same and is_kind else f"{error.message!r} instead of {recorded!r}"
    if expected < 0:
        return f"{answer} instead of {GOLDEN['errors'][-expected - 1]!r}"
    return None if answer is DTYPES[expected] else f"{answer} instead of {DTYPES[expected]}"


@pytest.mark.parametrize("row", range(22), ids=GOLDEN["dtypes"])
def test_promote_types(row: int):
    a = DTYPES[row]
    wrong = [
        (b.name, difference)
        for b, expected in zip(DTYPES, GOLDEN["promote_types"][row], strict=True)
        if (difference := check(lambda b=b: promote_types(a, b), expected))
    ]
    assert wrong == []


@pytest.mark.parametrize("row", range(22), ids=GOLDEN["dtypes"])
def test_can_cast(row: int):
    answers = "".join(str(int(can_cast(DTYPES[row], to))) for to in DTYPES)
    assert answers == GOLDEN["can_cast_from_to"][row]


def operand(name: str) -> Operand:
    kind, _, rest = name.partition(":")
    if kind == "scalar":
        value = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}[rest]
        return ScalarSpec.of(value).operand
    return Operand(by_name(rest), {"dim": DIMENSIONED, "zero": ZERO_DIM}[kind])


@pytest.mark.parametrize("default", ["float32", "float64", "float16", "bfloat16"])
def test_result_type(default: str):
    before = get_default_dtype()
    set_default_dtype(by_name(default))
    try:
        names = GOLDEN["result_type_operands"]
        operands = [operand(name) for name in names]
        wrong = [
            (names[i], names[j], difference)
            for i, a in enumerate(operands)
            for j, b in enumerate(operands)
            if (
                difference := check(
                    lambda a=a, b=b: result_type(a, b),
                    GOLDEN["result_type_by_default_dtype"][default][i][j],
                )
            )
        ]
    finally:
        set_default_dtype(before)
    assert (len(operands), wrong) == (48, [])


def test_result_type_of_three_operands():
    kinds = {"d": DIMENSIONED, "z": ZERO_DIM}
    rows = [row for row in GOLDEN["addcmul_three_operands"] if row[3] >= 0]
    wrong = [
        (row, difference)
        for row in rows
        if (
            difference := check(
                lambda row=row: result_type(
                    *(Operand(DTYPES[int(code[1:])], kinds[code[0]]) for code in row[:3])
                ),
                row[3],
            )
        )
    ]
    assert (len(rows), wrong) == (599, [])


@pytest.mark.parametrize("dtype", DTYPES, ids=GOLDEN["dtypes"])
def test_properties(dtype: DType):
    recorded = GOLDEN["properties"][dtype.name]
    assert recorded == {name: getattr(dtype, name) for name in recorded}
