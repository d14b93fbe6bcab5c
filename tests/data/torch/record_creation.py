"""Record what PyTorch makes of the expressions in `creation.txt`, as `creation.json`.

    python record_creation.py    # with PyTorch installed, trilith is not imported

A row is [expression, answer]: the repr of the value, or "ErrorType: message".
"""

import json
import pathlib
import warnings

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent


def answer(expression: str) -> str:
    try:
        return repr(eval(expression, {"torch": torch, "np": np}))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main() -> None:
    warnings.simplefilter("ignore")
    expressions = (HERE / "creation.txt").read_text(encoding="utf-8").splitlines()
    rows = [[expression, answer(expression)] for expression in expressions]
    recorded = {"torch": torch.__version__, "rows": rows}
    text = json.dumps(recorded, indent=0) + "\n"
    (HERE / "creation.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
