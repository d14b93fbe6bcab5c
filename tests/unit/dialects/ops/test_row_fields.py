"""Does the code ask rows for their fields, never for their names? And are the fields true?"""

import ast
import pathlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.operators import BINARY_OPERATORS
from trilith.dialects.ops.frame.elementwise import USUAL
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.frame.row import OpSpec, registering
from trilith.dialects.ops.frame.torch_kernels import TORCH_KERNELS
from trilith.dialects.ops.table import TABLE
from trilith.dialects.records import record
from trilith.runtime.tensors.torch_names import FUNCTIONS, METHODS, NN_FUNCTIONS

ROOT = pathlib.Path(tri.__file__).parent
ROOMS = ("compiler", "dialects", "runtime")


def is_row(node: ast.expr) -> bool:
    """Whether an expression is a row, as far as its name tells."""
    word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return word.lower().endswith("row")


def asks_for_names(tree: ast.AST) -> Iterator[int]:
    """Give the lines that ask a row what it is called, or whether it has a parameter."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                asked = [left, *others]
            case ast.Match(subject=subject):
                asked = [subject]
            case ast.Call(func=ast.Attribute(value=value)):
                asked = [value]
            case _:
                continue
        for item in asked:
            if isinstance(item, ast.Attribute) and item.attr == "name" and is_row(item.value):
                yield node.lineno


@pytest.mark.parametrize(
    "text",
    [
        "row.name == 'add'",
        "'add' != op.ROW.name",
        "self.row.name in NAMES",
        "row.name not in ('add', 'sub')",
        "row.name.startswith('arg')",
        "match row.name:\n    case 'add': pass",
    ],
)
def test_a_question_for_a_name_is_found(text: str):
    assert list(asks_for_names(ast.parse(text))) == [1]


def test_no_code_asks_a_row_for_its_name():
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    found = [
        f"{path}:{line}"
        for path in paths
        for line in asks_for_names(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(paths) > 200
    assert not found, "what is asked must be a field of the row"


def test_a_new_field_is_one_edit():
    @record(kw_only=True, eq=False)
    class Noted(ElementwiseOp):
        note: str = "none"

    added = registering(partial(Noted, *USUAL.args, **USUAL.keywords), "%s(Tensor input)")
    body: Any = abs
    added("test_noted", "doc", "example", body=body, note="some")
    try:
        row = TABLE["test_noted"]
        assert isinstance(row, Noted)
        assert (row.note, row.methods, row.torch_name) == ("some", ("test_noted",), "test_noted")
    finally:
        del TABLE["test_noted"]


def test_functions_that_write_are_those_that_pytorch_has():
    for row in TABLE.values():
        below = {name for name in row.in_place_functions if "." in name}
        named = set(row.in_place_functions) - below
        assert named <= FUNCTIONS, row.name
        assert named & METHODS == set(row.in_place_names) & FUNCTIONS, row.name
        for place in below:
            assert place.rpartition(".")[2] in NN_FUNCTIONS | FUNCTIONS, row.name


def test_views_in_place_are_those_that_pytorch_has():
    def is_view(row: OpSpec) -> bool:
        return row.is_public and not row.in_place_names

    of_others = {name for row in TABLE.values() for name in (*row.in_place_names, *row.methods)}
    for row in filter(is_view, TABLE.values()):
        names = {f"{name}_" for name in row.methods} & METHODS - of_others
        assert set(row.in_place_views) == names, row.name


def test_fields_that_name_something_name_what_there_is():
    for row in TABLE.values():
        check_names(row)


def check_names(row: OpSpec) -> None:
    assert all(hasattr(np, ufunc) for ufunc in row.ufuncs)
    assert row.is_property or not row.is_assignable
    operators = [*row.methods, *row.in_place_names]
    binary = [name for name in operators if name.startswith("__") and len(name) > 4]
    operands = sum(parameter.is_operand for parameter in row.schema.parameters)
    assert operands >= 2 or not set(binary) & set(BINARY_OPERATORS)
    if isinstance(row, ElementwiseOp) and row.algebra.by_reciprocal:
        assert isinstance(TABLE[row.algebra.by_reciprocal], ElementwiseOp)


def test_kernels_of_pytorch_belong_to_rows():
    assert {kernel.partition(".")[0] for kernel in TORCH_KERNELS} <= set(TABLE)
    assert all(name != kernel for name, kernel in TORCH_KERNELS.items())


def test_ufuncs_mean_one_row():
    found = [ufunc for row in TABLE.values() for ufunc in row.ufuncs]
    assert len(found) == len(set(found))
