"""Do views, splits, repetitions and stacks give what PyTorch 2.13 gives, alone and compiled?

Sizes, strides, storage offset, elements, whose storage it is, which operand it is, and errors.
"""

import json
import pathlib
from typing import Any, cast

import pytest

import trilith as tri

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "views.json"
GOLDEN: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
ROWS: list[Any] = GOLDEN["rows"]
OF_TENSORS = [place for place, row in enumerate(ROWS) if row[1][0] != "value"]

#: What cannot be traced gives the same answers step by step.
STEP_BY_STEP = "ignore:.*runs step by step:trilith.TrilithWarning"


def operands() -> dict[str, Any]:
    namespace: dict[str, Any] = {"torch": tri}
    return {name: eval(text, namespace) for name, text in GOLDEN["operands"].items()}


def describe(result: Any, given: dict[str, Any]) -> list[Any]:
    if isinstance(result, tuple):
        return ["tuple", [describe(item, given) for item in cast("tuple[Any, ...]", result)]]
    if not isinstance(result, tri.Tensor):
        return ["value", repr(result)]
    storage = result.untyped_storage().data_ptr()
    shared = [n for n, tensor in given.items() if tensor.untyped_storage().data_ptr() == storage]
    same = [name for name, tensor in given.items() if tensor is result]
    place = [list(result.shape), list(result.stride()), result.storage_offset()]
    return ["tensor", result.dtype.name, *place, shared, same, str(result.tolist())]


def answer(expression: str, *, is_compiled: bool) -> list[Any]:
    given = operands()
    try:
        if is_compiled:
            code = f"lambda {', '.join(given)}: {expression}"
            function: Any = tri.compile(eval(code, {"torch": tri}))
            return describe(function(*given.values()), given)
        return describe(eval(expression, {"torch": tri, **given}), given)
    except (TypeError, ValueError, IndexError, RuntimeError) as error:
        return ["error", type(error).__name__, str(error).splitlines()[0]]


def expected(expression: str, recorded: list[Any]) -> list[Any]:
    """Return the answer in our words: our name, our exceptions, permute without its backend."""
    if recorded[0] != "error":
        return recorded
    _, kind, text = recorded
    text = text.replace("torch.", "trilith.").replace("permute(sparse_coo)", "permute()")
    # The words about a wrong type count arguments in another way.
    return ["error", f"Trilith{kind}", "" if kind == "TypeError" else text]


def comparable(found: list[Any]) -> list[Any]:
    return [*found[:2], ""] if found[:2] == ["error", "TrilithTypeError"] else found


@pytest.mark.parametrize("place", range(len(ROWS)), ids=[row[0] for row in ROWS])
@pytest.mark.usefixtures("tested_device")
def test_at_once(place: int) -> None:
    expression, recorded = ROWS[place]
    found = comparable(answer(expression, is_compiled=False))
    assert found == expected(expression, recorded)


@pytest.mark.filterwarnings(STEP_BY_STEP)
@pytest.mark.parametrize("place", OF_TENSORS, ids=[ROWS[place][0] for place in OF_TENSORS])
@pytest.mark.usefixtures("tested_device")
def test_compiled(place: int) -> None:
    """The same inside a traced function, but for Python values, which come back as tensors."""
    expression, recorded = ROWS[place]
    found = comparable(answer(expression, is_compiled=True))
    assert found == expected(expression, recorded)
