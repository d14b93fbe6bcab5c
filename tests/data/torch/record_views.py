"""Record what PyTorch's views, copies and stacks make of tensors, as `views.json`.

    python record_views.py        # with PyTorch installed, trilith is not imported

A row is [expression, answer]; the expressions are the lines of `views.txt`, over `OPERANDS`. The
answer of a tensor is ["tensor", dtype, shape, strides, storage offset, the operands whose storage
it has, the operands that it is, elements], of a tuple ["tuple", answers], of an exception
["error", type, first line of the text], of anything else ["value", repr].
"""

import json
import pathlib
from typing import Any

import torch

OPERANDS = {
    "x": "torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)",
    "s": "torch.tensor(1.0)",
    "c": "torch.tensor([[1 + 2j, 3]])",
    "v": "torch.arange(5)",
    "m": "torch.arange(6).reshape(2, 3)",
}


def describe(result: Any, operands: dict[str, torch.Tensor]) -> list[Any]:
    if isinstance(result, tuple):
        return ["tuple", [describe(item, operands) for item in result]]
    if not isinstance(result, torch.Tensor):
        return ["value", repr(result)]
    storage = result.untyped_storage().data_ptr()
    shared = [n for n, t in operands.items() if t.untyped_storage().data_ptr() == storage]
    same = [name for name, tensor in operands.items() if tensor is result]
    dtype = str(result.dtype).removeprefix("torch.")
    place = [list(result.shape), list(result.stride()), result.storage_offset()]
    return ["tensor", dtype, *place, shared, same, str(result.resolve_conj().tolist())]


def answer(expression: str) -> list[Any]:
    operands = {name: eval(text) for name, text in OPERANDS.items()}
    try:
        return describe(eval(expression, {"torch": torch, **operands}), operands)
    except Exception as error:
        return ["error", type(error).__name__, str(error).splitlines()[0]]


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent
    expressions = (folder / "views.txt").read_text().splitlines()
    rows = [[expression, answer(expression)] for expression in expressions]
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"torch": torch.__version__, "operands": OPERANDS})
    (folder / "views.json").write_text(f'{head[:-1]}, "rows": [\n{lines}\n]}}\n')
