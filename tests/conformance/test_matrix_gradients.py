"""Are gradients of Fourier transforms and of linear algebra those that PyTorch has recorded?

Nodes, values, second derivatives and errors, of `tests/data/torch/record_matrix_gradients.py`.
"""

import json
import pathlib
import runpy
from typing import Any

import numpy as np
import pytest

import trilith as tri

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
RECORDER = runpy.run_path(str(DATA / "record_matrix_gradients.py"))
ROWS: list[dict[str, Any]] = json.loads((DATA / "matrix_gradients.json").read_text("utf-8"))
KINDS = {"real": (tri.float64, tri.float32), "complex": (tri.complex128, tri.complex64)}

#: Names of nodes that are other ones here, and why.
OTHER_NODES = {
    "linalg.tensorinv": "the last view is one of a copy in PyTorch",
    "fft.fftn(w, dim=())": "what transforms nothing is a copy",
    "stft": "PyTorch takes the dim that it has added off in place",
}


def answer(expression: str, kind: str, dtype: Any = None) -> dict[str, Any]:
    """Return gradients; those of another dtype are not differentiated again."""
    return RECORDER["answer"](tri, expression, kind == "complex", dtype, again=dtype is None)


def array_of(gradient: Any) -> Any:
    gradient = gradient.detach().resolve_conj()
    parts = tri.view_as_real(gradient) if gradient.is_complex() else gradient
    return parts.numpy()


def compare(found: Any, expected: Any, tolerance: float) -> None:
    """Compare gradients; what is None in one may be zeros in the other."""
    for one, wanted in zip(found, expected, strict=True):
        if one is None or wanted is None:
            assert one is None or not array_of(one).any()
            assert wanted is None or not np.any(wanted)
            continue
        actual = array_of(one)
        size = float(np.abs(wanted).max()) if np.size(wanted) else 0.0
        wanted = np.reshape(wanted, actual.shape)
        np.testing.assert_allclose(actual, wanted, rtol=tolerance, atol=tolerance * max(size, 1))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("row", ROWS, ids=[row["expr"] for row in ROWS])
def test_gradients_are_those_of_pytorch(row: dict[str, Any], kind: str) -> None:
    expression, expected = row["expr"], row[kind]
    found = answer(expression, kind)
    if "error" in expected or "error" in found:
        assert found == expected
        return
    if not expression.startswith(tuple(OTHER_NODES)):
        assert found["nodes"] == expected["nodes"]
    assert ("first" in found) == ("first" in expected)
    for name in ("first", "second"):
        if name in expected:
            compare(found[name], expected[name], 1e-7)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("row", ROWS[::3], ids=[row["expr"] for row in ROWS[::3]])
def test_in_single_precision_they_are_the_same_but_for_rounding(
    row: dict[str, Any], kind: str
) -> None:
    expected, dtype = row[kind], KINDS[kind][1]
    found = answer(row["expr"], kind, dtype)
    assert ("first" in found, "error" in found) == ("first" in expected, "error" in expected)
    for one in found.get("first", ()):
        assert one is None or one.dtype is dtype
    if "first" in expected:
        compare(found["first"], expected["first"], 2e-3)
