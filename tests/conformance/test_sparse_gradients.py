"""Are gradients of operations on sparse tensors those that PyTorch has recorded?

Nodes, layouts, order and elements, of `tests/data/torch/record_sparse_gradients.py`.
"""

import ast
import json
import pathlib
import runpy
from typing import Any

import numpy as np
import pytest

import trilith as tri

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
RECORDER = runpy.run_path(str(DATA / "record_sparse_gradients.py"))
ROWS: list[dict[str, Any]] = json.loads((DATA / "sparse_gradients.json").read_text("utf-8"))
KEPT = ("kept", "kept twice")
_SUM = "torch.sparse.sum(s)"
#: What is found otherwise of an expression and a source. PyTorch keeps zeros of products where one
#: factor specifies nothing, calls other kept gradients coalesced, has one second gradient dense.
DIFFERENCES: dict[tuple[str, str], tuple[str, ...]] = {
    ("s * c", "in any order"): ("sparse", "again", *KEPT),
    ("s * v", "hybrid"): ("again",),
    ("s.coalesce().values()", "in any order"): KEPT,
    **dict.fromkeys([(_SUM, "in order"), (_SUM, "in any order"), (_SUM, "hybrid")], KEPT),
}


def name_of(row: dict[str, Any]) -> str:
    numbers = "complex" if row["complex"] else "real"
    return f"{row['expr']}, {row['s']}, {numbers}"


def compare(found: Any, expected: Any) -> None:
    if found is None or expected is None:
        assert found is expected
        return
    *facts, values = found
    *wanted, elements = expected
    assert facts == wanted
    # The names are of numbers that Python's literals have not.
    texts = [text.replace("nan", "None").replace("inf", "1e999") for text in (values, elements)]
    arrays = [np.array(ast.literal_eval(text), dtype=complex) for text in texts]
    np.testing.assert_allclose(*arrays, rtol=1e-6, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=map(name_of, ROWS))
def test_gradients_are_those_of_pytorch(row: dict[str, Any]) -> None:
    found = RECORDER["answer"](tri, row["expr"], row["s"], row["complex"])
    compare(found["result"], row["result"])
    assert found["node"] == row["node"]
    other_ways = DIFFERENCES.get((row["expr"], row["s"]), ())
    for way, gradients in row["asked"].items():
        if way in other_ways:
            continue
        for one, other in zip(found["asked"][way], gradients, strict=True):
            compare(one, other)
