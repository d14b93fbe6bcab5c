"""Records what PyTorch's `assert_close` says: run with a Python that has torch 2.13.

python tests/data/torch/record_assert_close.py
"""

import json
import pathlib

import torch

#: Arguments of `assert_close`; `t` is the library.
CALLS = (
    "t.tensor([1.0, 2.0, 3.0]), t.tensor([1.0, 4.0, 5.0])",
    "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.0000021])",
    "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.1]), rtol=0.1, atol=0",
    "t.tensor([1.0, 2.0]), t.tensor([1.0, 2.0, 3.0])",
    "t.tensor([1.0]), t.tensor([1.0]).double()",
    "t.tensor([1.0]), t.tensor([1.0]).double(), check_dtype=False",
    "t.tensor([1, 2, 3]), t.tensor([1, 2, 4])",
    "t.tensor([1, 2], dtype=t.uint8), t.tensor([1, 0], dtype=t.uint8)",
    "t.tensor([True, False]), t.tensor([True, True])",
    "t.tensor(1.0), t.tensor(2.0)",
    "t.tensor([[1.0, 2], [3, 4]]), t.tensor([[1.0, 2], [3, 0]])",
    "t.tensor(float('nan')), t.tensor(float('nan'))",
    "t.tensor(float('nan')), t.tensor(float('nan')), equal_nan=True",
    "t.tensor([1 + 1j]), t.tensor([1 + 2j])",
    "1.0, 1.1",
    "1.0, 1.00000001",
    "1, 1.0",
    "1, 1.0, check_dtype=False",
    "True, False",
    "None, 1",
    "None, None",
    "[1, 2], [1, 3]",
    "[1], [1, 2]",
    "{'a': [1, {'b': t.ones(1)}]}, {'a': [1, {'b': t.zeros(1)}]}",
    "{'a': 1}, {'b': 1}",
    "1.0, 2.0, rtol=1",
    "t.ones(2), t.ones(2) + 0.5, rtol=0, atol=0",
    "t.ones(2, 3).t(), t.ones(3, 2), check_stride=True",
    "t.ones(2, 3).t(), t.ones(3, 2)",
    "t.ones(2), t.ones(2, device='meta')",
    "t.ones(2), t.zeros(2, device='meta'), check_device=False",
    "t.ones(2), t.zeros(2), msg='no'",
    "t.ones(2), t.zeros(2), msg=str.upper",
    "t.ones(2).to_sparse(), t.ones(2)",
    "t.ones(2).to_sparse(), t.ones(2), check_layout=False",
    "t.tensor([0, 1.0]).to_sparse(), t.tensor([1.0, 0]).to_sparse()",
    "t.ones(2).half(), t.ones(2).half() * 1.01",
    "t.ones(2).bfloat16(), t.ones(2).bfloat16() * 1.01",
    "'a', 'b'",
)


def answer(call: str) -> list[str] | None:
    """Return the class and the text of the error, None if there is none."""
    try:
        eval(f"t.testing.assert_close({call})", {"t": torch})
    except Exception as error:
        return [type(error).__name__, str(error)]
    return None


if __name__ == "__main__":
    found = {call: answer(call) for call in CALLS}
    path = pathlib.Path(__file__).with_name("assert_close.json")
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
