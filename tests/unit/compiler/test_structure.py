"""Are shapes, strides, offsets, elements and refusals those of PyTorch, eagerly and compiled?

`structure.json` has random expressions of one or two tensors with PyTorch's answers (see
`record_structure.py` beside it).
"""

import json
import math
import pathlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import by_name
from trilith.dialects.attributes.spec import TensorSpec

DATA = pathlib.Path(__file__).parents[2] / "data" / "torch"
RECORDED: dict[str, Any] = json.loads((DATA / "structure.json").read_text(encoding="utf-8"))


COUNT: np.ndarray[Any, Any] = np.arange(int(RECORDED["storage"])) % 7


class Torch:
    """The names of PyTorch that expressions use."""

    nn = SimpleNamespace(functional=tri)

    def __getattr__(self, name: str) -> Any:
        return getattr(tri, name)


def tensor(operand: list[Any]) -> Any:
    """Return an operand on its storage, as the recorder makes it."""
    name, shape, strides, offset = operand
    dtype = by_name(name)
    storage = tri.from_numpy(COUNT.astype(dtype.numpy)).to(tri.get_default_device())
    spec = TensorSpec.of(tuple(shape), dtype, storage.device, tuple(strides))
    return tri.Tensor(storage.memory, spec, offset)


def evaluate(expression: str, operands: list[Any]) -> Any:
    # The device that is tested stands for the CPU, where the operands were when it was recorded.
    expression = expression.replace("'cpu'", f"'{tri.get_default_device()}'")
    return eval(expression, {"torch": Torch(), **dict(zip("ab", operands, strict=False))})


def evaluate_compiled(expression: str, operands: list[Any]) -> Any:
    def function(*tensors: Any) -> Any:
        return evaluate(expression, list(tensors))

    return tri.compile(function)(*operands)


def same_elements(ours: list[Any], theirs: list[Any], dtype: str) -> bool:
    relative = {"float16": 2e-3, "bfloat16": 2e-2}.get(dtype, 1e-6)
    return len(ours) == len(theirs) and all(
        a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=relative)
        for a, b in zip(ours, theirs, strict=True)
    )


#: Refusals that are worded otherwise: start of PyTorch's text -> start of ours, and why.
OTHER_WORDS: dict[str, tuple[str, str]] = {}


def is_refusal(error: BaseException, kind: str, text: str) -> bool:
    ours = getattr(error, "message", str(error)).replace("trilith.", "torch.")
    kinds = {parent.__name__ for parent in type(error).__mro__}
    for start, (other, _) in OTHER_WORDS.items():
        if text.startswith(start):
            return ours.startswith(other)
    return kind in kinds and ours.splitlines()[0] == text


def difference(
    run: Callable[[str, list[Any]], Any], expression: str, operands: list[Any], answer: list[Any]
) -> str:
    """Return how a result differs from the recorded answer, or an empty string."""
    try:
        result = run(expression, [tensor(operand) for operand in operands])
    except tri.TrilithError as error:
        if len(answer) == 2 and is_refusal(error, *answer):
            return ""
        return f"{type(error).__name__}: {error.message!r} instead of {answer[:4]}"
    if len(answer) == 2:
        return f"{result.shape} instead of {answer}"
    dtype, shape, strides, offset, elements = answer
    found = [result.dtype.name, list(result.shape), list(result.stride()), result.storage_offset()]
    if found != [dtype, shape, strides, offset]:
        return f"{found} instead of {answer[:4]}"
    ours = np.asarray(result.numpy(force=True)).ravel()[:60].tolist()
    return "" if same_elements(ours, elements, dtype) else f"{ours} instead of {elements}"


#: Tests of each kind, so that one of them is short.
PARTS = 16


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("run", [evaluate, evaluate_compiled], ids=["eager", "compiled"])
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", RECORDED["cases"])
def test_structure(kind: str, part: int, run: Callable[[str, list[Any]], Any]):
    wrong = [
        f"{expression} of {operands}: {found}"
        for expression, operands, answer in RECORDED["cases"][kind][part::PARTS]
        if (found := difference(run, expression, operands, answer))
    ]
    assert not wrong, "\n".join([f"{len(wrong)} cases", *wrong[:20]])
