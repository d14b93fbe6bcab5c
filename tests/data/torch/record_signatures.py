"""Record PyTorch's signatures of what the op table names, as `signatures.json`.

    python record_signatures.py ROWS.json    # with PyTorch installed, trilith is not imported

ROWS.json is a list of [row, name in torch, method names]; the file keeps what torch says of each:
whether the function exists, which of the methods do, and the overloads of its schema without
`out` and other arguments that trilith's functions do not have.
"""

import json
import pathlib
import sys

import torch

LEFT_OUT = {"out", "generator", "names", "pin_memory", "requires_grad", "implicit"}


def overloads(name: str) -> list[list[list[object]]]:
    found = []
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        if any(argument.is_out for argument in schema.arguments):
            continue
        parameters = [
            [
                "input" if argument.name == "self" else argument.name,
                argument.kwarg_only,
                repr(argument.default_value) if argument.has_default_value() else "",
            ]
            for argument in schema.arguments
            if argument.name not in LEFT_OUT
        ]
        if parameters not in found:
            found.append(parameters)
    return found


def main() -> None:
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    recorded = {}
    for name, path, methods in rows:
        *parts, base = path.split(".")
        owner = torch
        for part in parts:
            owner = getattr(owner, part)
        recorded[name] = {
            "exists": hasattr(owner, base),
            "method": hasattr(torch.Tensor, name),
            "methods": [method for method in methods if hasattr(torch.Tensor, method)],
            "functions": [method for method in methods if hasattr(torch, method)],
            "overloads": overloads(base),
        }
    answer = {"torch": torch.__version__, "rows": recorded}
    target = pathlib.Path(__file__).with_name("signatures.json")
    target.write_text(json.dumps(answer, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
