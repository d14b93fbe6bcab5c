"""Record PyTorch's signatures of what the op table names, as `signatures.json`.

    python record_signatures.py ROWS.json    # with PyTorch installed, trilith is not imported

ROWS.json is a list of [row, name in torch, method names, places below modules];
the file keeps what torch says of each:
whether the function exists, which of the methods do, and the overloads of its schema without
`out` and other arguments that trilith's functions do not have.
"""

import inspect
import json
import operator
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


def exists(place: str) -> bool:
    """Whether PyTorch has a function of that dotted name."""
    try:
        return callable(operator.attrgetter(place)(torch))
    except AttributeError:
        return False


def python_parameters(function: object) -> list[list[list[object]]]:
    """What a function of torch.nn.functional takes, in the form of a schema."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # one that is made from a schema
        return []
    named = [item for item in signature.parameters.values() if item.name not in LEFT_OUT]
    return [
        [
            [
                item.name,
                item.kind is item.KEYWORD_ONLY,
                "" if item.default is item.empty else repr(item.default),
            ]
            for item in named
        ]
    ]


def found_overloads(path: str, owner: object, base: str) -> list[list[list[object]]]:
    """The overloads of a function by its dotted name; those of `linalg.inv` are `linalg_inv`'s."""
    if path.startswith("nn.functional."):
        return overloads(base) + python_parameters(getattr(owner, base, None))
    return overloads(path.replace(".", "_") if "." in path else base)


def main() -> None:
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    recorded = {}
    for name, path, methods, places in rows:
        *parts, base = path.split(".")
        owner = torch
        for part in parts:
            owner = getattr(owner, part)
        recorded[name] = {
            "exists": hasattr(owner, base),
            "method": hasattr(torch.Tensor, name),
            "methods": [method for method in methods if hasattr(torch.Tensor, method)],
            "places": [place for place in places if exists(place)],
            "functions": [method for method in methods if hasattr(torch, method)],
            "overloads": found_overloads(path, owner, base),
        }
    # A line for each row, so that changes can be read.
    lines = [
        f"{json.dumps(name)}:{json.dumps(recorded[name], separators=(',', ':'))}"
        for name in sorted(recorded)
    ]
    rows = ",\n".join(lines)
    target = pathlib.Path(__file__).with_name("signatures.json")
    text = f'{{"torch":"{torch.__version__}","rows":{{\n{rows}\n}}}}\n'
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
