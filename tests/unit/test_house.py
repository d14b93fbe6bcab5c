"""Do imports go round in circles? Those in functions and those for type checkers count, too."""

import ast
import pathlib
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("compiler", "dialects", "runtime")


def files_of(root: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the files of the package's modules by their names."""
    files = {"trilith": root / "__init__.py"}
    for path in (file for room in ROOMS for file in (root / room).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(("trilith", *parts)).removesuffix(".__init__")] = path
    return files


def named_in(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Yield what an import statement may name; a name in a module counts as that module's."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        start = package[: len(package) - node.level + 1] if node.level else []
        base = ".".join([*start, *filter(None, [node.module])])
        for alias in node.names:
            yield f"{base}.{alias.name}"
            yield base


def imports_of(files: dict[str, pathlib.Path]) -> dict[str, set[str]]:
    """Return which modules each module imports, anywhere in its text."""
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        found[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [item for item in named_in(node, package) if item in files and item != name]
            if isinstance(node, ast.ImportFrom):
                # `from . import x` is an import of x, and of the package for its other names.
                packages = {".".join(item.split(".")[:-1]) for item in named}
                named = [item for item in named if item not in packages]
            found[name].update(named)
    return found


def circles_of(imports: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules that all lead to one another."""
    left = dict(imports)
    while ended := [name for name in left if not imports[name] & left.keys()]:
        for name in ended:
            del left[name]

    def reached_from(name: str) -> set[str]:
        reached, waiting = set[str](), {name}
        while waiting:
            found = imports[waiting.pop()] & left.keys() - reached
            reached |= found
            waiting |= found
        return reached

    reached = {name: reached_from(name) for name in left}
    circles: list[set[str]] = []
    for name in left:
        circle = {other for other in reached[name] if name in reached[other]}
        if circle and circle not in circles:
            circles.append(circle)
    return circles


def test_no_circle_of_imports():
    circles = circles_of(imports_of(files_of(ROOT)))
    assert [sorted(circle) for circle in circles] == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("from .b import x\n", "from .a import y\n"),
        ("from . import b\n", "def f():\n    from .a import y\n"),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import x\n",
            "from ..runtime import a\n",
        ),
        ("import trilith.runtime.b\n", "from trilith.runtime.a import y\n"),
    ],
)
def test_a_circle_is_seen(tmp_path: pathlib.Path, first: str, second: str):
    room = tmp_path / "runtime"
    room.mkdir()
    (tmp_path / "__init__.py").write_text("from .runtime import c\n", encoding="utf-8")
    for name, text in {"__init__": "", "a": first, "b": second, "c": "from .a import y\n"}.items():
        (room / f"{name}.py").write_text(text, encoding="utf-8")
    circles = circles_of(imports_of(files_of(tmp_path)))
    assert circles == [{"trilith.runtime.a", "trilith.runtime.b"}]
