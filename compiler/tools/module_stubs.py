"""What do type checkers read of `trilith.linalg` and its like? A stub beside each module."""

from __future__ import annotations

import re
from pathlib import Path

from .stub_lines import ALIASES, function_lines, functions

#: What the stubs of modules of functions may need, if they name it: dots lead to the face.
_IMPORTS = (
    ("collections.abc", ("Callable", "Sequence")),
    ("types", ("EllipsisType",)),
    ("typing", ("Any", "Protocol", "TypeAlias", "overload")),
    ("DOTSdialects.attributes.device", ("Device as device",)),
    ("DOTSdialects.attributes.dtype", ("DType as dtype",)),
    ("DOTSdialects.attributes.layout", ("Layout as layout",)),
    ("DOTSdialects.attributes.memory_format", ("MemoryFormat as memory_format",)),
    ("DOTSdialects.diagnostics", ("TrilithLinAlgError as _LinAlgError",)),
    ("DOTSruntime.tensors.generators", ("Generator",)),
    ("DOTSruntime.tensors.operations", ("return_types",)),
    ("DOTSruntime.tensors.sparse_checks", ("check_sparse_tensor_invariants as _Checks",)),
    ("DOTSruntime.tensors.tensor", ("Tensor",)),
)
#: What modules have besides functions of rows.
_BESIDES = {
    "linalg": {"LinAlgError": "_LinAlgError"},
    "sparse": {"check_sparse_tensor_invariants": "_Checks"},
}
#: Modules of functions, by their dotted names.
MODULES = ("fft", "linalg", "nn.functional", "sparse", "special")


def module_text(module: str) -> str:
    """Return the text of the stub of a module of functions."""
    body = ALIASES.splitlines()
    rows = functions(module)
    body += [""] * bool(rows)
    for name, row in rows.items():
        body += function_lines(row, name, is_method=False)
    words = set(re.findall(r"\w+", "\n".join(line for line in body if not line.startswith("    "))))
    words |= set(re.findall(r": (?:Sequence\[)?(\w+)", "\n".join(body)))
    besides = _BESIDES.get(module, {})
    words |= set(besides.values())
    lines = [
        f'"""Types of `trilith.{module}`, from the table of operations. By `make stubs`."""',
        "",
    ]
    lines.append("import builtins")
    dots = "." * (module.count(".") + 1)
    for source, names in _IMPORTS:
        named = [name for name in names if name.rpartition(" ")[2] in words]
        if source == "DOTSdialects.attributes.device":
            lines += ["", "import numpy as np", ""]
        if named:
            lines.append(f"from {source.replace('DOTS', dots)} import {', '.join(named)}")
    renamed = [f"{name} = {there}" for name, there in besides.items()]
    lines += ["", *renamed] if renamed else []
    return "\n".join([*lines, *body]).rstrip("\n") + "\n"


def module_stub(face: Path, module: str) -> Path:
    """Return the file of the stub of a module of functions."""
    return face.parent.joinpath(*module.split(".")).with_suffix(".pyi")
