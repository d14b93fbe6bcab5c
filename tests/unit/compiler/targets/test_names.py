"""Does code ask rows and devices what they are, and never decide by the name of a target?"""

from __future__ import annotations

import ast
import pathlib

from trilith.compiler.targets.table import all_targets
from trilith.dialects.attributes.device import DEVICE_TYPES

ROOT = pathlib.Path(__file__).resolve().parents[4]
NAMES = {*DEVICE_TYPES, *(target.name for target in all_targets())}

#: Whose business names are: the rows, and what only its own target uses.
HOMES = ("compiler/targets/", "compiler/codegen/", "runtime/devices/", "runtime/opencl/")
#: Where else a name stands, and why.
REASONS = {
    "dialects/attributes/device.py": "the list of types, and which of them are HOST and META",
    "dialects/ops/rows/to_methods.py": "Tensor.cuda() is PyTorch's, and says that there is none",
    "runtime/accelerator.py": "torch.cuda is PyTorch's, and says that there is none",
    "runtime/tensors/described.py": "Tensor.is_cuda is PyTorch's",
    "runtime/tensors/impl_metadata.py": "the same",
    "runtime/tensors/legacy.py": "the types of torch.cuda are PyTorch's",
    "compiler/tools/write_stubs.py": "the stub of trilith.opencl",
    "__init__.py": "the names trilith.cuda and trilith.opencl",
}


def names_in(path: pathlib.Path) -> list[str]:
    """The names that stand in code as whole strings, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in NAMES and id(node) not in docs
    ]


def found() -> dict[str, list[str]]:
    files = [ROOT / "__init__.py"]
    for room in ("compiler", "dialects", "runtime"):
        files += sorted((ROOT / room).rglob("*.py"))
    each = {path.relative_to(ROOT).as_posix(): names_in(path) for path in files}
    return {name: names for name, names in each.items() if names and not name.startswith(HOMES)}


def test_no_other_module_names_a_target_or_a_type_of_devices() -> None:
    assert {name: names for name, names in found().items() if name not in REASONS} == {}


def test_every_exception_is_one() -> None:
    assert REASONS.keys() <= found().keys()


def test_the_search_finds_names_in_code_alone(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""cpu"""\n\n\ndef f(x):\n    """opencl"""\n    return x in {"opencl-gpu"}\n')
    assert names_in(file) == ["6: opencl-gpu"]
