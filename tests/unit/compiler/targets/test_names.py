"""Does code ask rows and devices what they are, and never decide by the name of a target?"""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator
from functools import cache

from trilith.compiler.targets.table import all_targets
from trilith.dialects.attributes.device import DEVICE_TYPES

ROOT = pathlib.Path(__file__).resolve().parents[4]
NAMES = {*DEVICE_TYPES, *(target.name for target in all_targets())}
#: What stands for the types of the host and of meta; a device that is compared with is one, too.
ALIASES = {"HOST", "META"}
DEVICES = {"cpu", "meta"}
#: A target in a name, as in `is_packed_on_opencl`.
IDENTIFIER = re.compile(r"(.*_)?(opencl|cuda|hip|vulkan)(_.*)?", re.IGNORECASE)

#: Whose business names are: the rows, and what only its own target uses.
HOMES = (
    *("compiler/targets/", "compiler/codegen/", "compiler/schedules/opencl/"),
    *("runtime/devices/", "runtime/opencl/"),
)
#: Where else a name stands, and why.
REASONS = {
    "dialects/attributes/calling.py": "the limits of launches, each with the name of its kind",
    "dialects/attributes/device.py": "the list of types, and which of them are HOST and META",
    "dialects/attributes/spec.py": "a text form that leaves the default device out",
    "dialects/tri/types.py": "the same, and its parser",
    "compiler/trace/proxies.py": "the same",
    "compiler/trace/leaves.py": "the default of an argument",
    "compiler/trace/constants.py": "elements that Python can read are constants of the IR",
    "compiler/stored/key_texts.py": "plans of the host are kept on the disk, and no others yet",
    "compiler/stored/plans.py": "the same",
    "compiler/functions/from_disk.py": "the same",
    "compiler/trace/tape_text.py": "the same",
    "runtime/execution/summaries.py": "a key that leaves the default device out",
    "runtime/gradients/edges.py": "what is saved on the host comes back to where it was",
    "compiler/driver.py": "the type that a user has named is compared with that of the tensors",
    "runtime/calls/beginning.py": "native code is the host's",
    "compiler/exporting.py": "what is compiled ahead of time runs on the host",
    "runtime/programs/program.py": "the same",
    "runtime/calls/packing.py": "the same: it launches kernels of the host",
    "runtime/tensors/dlpack.py": "the names of DLPack's list",
    "dialects/ops/rows/elementwise/to_methods.py": "Tensor.cuda() is PyTorch's: there is none",
    "runtime/accelerator.py": "torch.cuda is PyTorch's, and says that there is none",
    "runtime/tensors/described.py": "Tensor.is_cuda is PyTorch's",
    "runtime/execution/storage.py": "the same, of storages",
    "runtime/tensors/impl_metadata.py": "the same",
    "runtime/tensors/legacy.py": "the types of torch.cuda are PyTorch's",
    "runtime/tensors/randomness.py": "the default of torch.random.fork_rng",
    "compiler/tools/write_stubs.py": "the stub of trilith.opencl",
    "dialects/frames.py": "the file of trilith.cuda, which is PyTorch's name",
    "__init__.py": "the names trilith.cuda and trilith.opencl",
}


def names_in(path: pathlib.Path) -> list[str]:
    """The names that stand in code: as whole strings, docstrings left out, and by their aliases."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docs = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    named = [pair for node in nodes if id(node) not in docs for pair in named_by(node)]
    return [f"{line}: {name}" for line, name in sorted(named)]


def named_by(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the name where a node is one."""
    if isinstance(node, ast.Constant) and node.value in NAMES:
        yield node.lineno, str(node.value)
    if isinstance(node, ast.Name) and node.id in ALIASES:
        yield node.lineno, node.id
    if isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            if isinstance(side, ast.Name) and side.id in DEVICES:
                yield node.lineno, side.id
    if isinstance(node, ast.Name | ast.FunctionDef):
        name = node.id if isinstance(node, ast.Name) else node.name
        if IDENTIFIER.fullmatch(name):
            yield node.lineno, name


@cache
def found() -> dict[str, list[str]]:
    files = [ROOT / "__init__.py"]
    for room in ("compiler", "dialects", "runtime"):
        files += sorted((ROOT / room).rglob("*.py"))
    each = {path.relative_to(ROOT).as_posix(): path for path in files}
    elsewhere = {name: path for name, path in each.items() if not name.startswith(HOMES)}
    named = {name: names_in(path) for name, path in elsewhere.items()}
    return {name: names for name, names in named.items() if names}


def test_no_other_module_names_a_target_or_a_type_of_devices() -> None:
    assert {name: names for name, names in found().items() if name not in REASONS} == {}


def test_every_exception_is_one() -> None:
    assert REASONS.keys() <= found().keys()


def test_the_search_finds_names_in_code_alone(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""cpu"""\n\n\ndef f(x):\n    """opencl"""\n    return x in {"opencl-gpu"}\n')
    assert names_in(file) == ["6: opencl-gpu"]


def test_the_search_finds_aliases(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "if device.type in (HOST, META) or device is cpu:\n    f(cpu)\nx = N > OPENCL_BYTES\n"
    )
    assert names_in(file) == ["1: HOST", "1: META", "1: cpu", "3: OPENCL_BYTES"]
