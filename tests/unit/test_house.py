"""Do imports go round in circles, or reach for the drivers of machines?

Those in functions, those for type checkers and those by a module's name in a string count, too.
"""

import ast
import pathlib
import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("compiler", "dialects", "nn", "runtime")
#: Tables of names whose modules need what the table serves: a row and its module are a circle.
TABLES = {"trilith.runtime.devices.kinds": "a device's module implements what base.py looks up"}
DRIVERS = re.compile(r"(llvmlite|pyopencl)(\.\w+)*")
#: The rooms that drive machines.
EDGE = ("trilith.compiler.codegen", "trilith.runtime.devices")


def files_of(root: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the files of the package's modules by their names."""
    files = {"trilith": root / "__init__.py"}
    for path in (file for room in ROOMS for file in (root / room).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(("trilith", *parts)).removesuffix(".__init__")] = path
    return files


#: All that a module consists of, in one list.
Nodes = list[ast.AST]


def nodes_in(text: str) -> Nodes:
    """Return the nodes of a module."""
    return list(ast.walk(ast.parse(text)))


@cache
def nodes_of(path: pathlib.Path) -> Nodes:
    """Return the nodes of a file."""
    return nodes_in(path.read_text(encoding="utf-8"))


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


def texts_in(nodes: Nodes) -> Iterator[str]:
    """Yield the strings of a module; what is joined by `/` is the name of a file."""
    files = {
        id(side)
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        for side in (node.left, node.right)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in files:
            yield node.value


def spelled_in(nodes: Nodes, package: list[str]) -> Iterator[str]:
    """Yield what strings with dots in front name: modules that are imported when needed."""
    for text in texts_in(nodes):
        name = text.lstrip(".")
        dots = len(text) - len(name)
        if 0 < dots < len(package) or (dots == len(package) and name):
            yield ".".join([*package[: len(package) - dots + 1], *filter(None, [name])])


def package_of(name: str, path: pathlib.Path) -> list[str]:
    """Return the parts of the name of the package that a module is in."""
    return name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]


def imports_of(files: dict[str, pathlib.Path], tables: Collection[str] = ()) -> dict[str, set[str]]:
    """Return which modules each module imports, anywhere in its text; of tables not their rows."""
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        package = package_of(name, path)
        nodes = nodes_of(path)
        spelled = set[str]() if name in tables else set(spelled_in(nodes, package))
        found[name] = (spelled & files.keys()) - {name}
        for node in nodes:
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
    circles = circles_of(imports_of(files_of(ROOT), TABLES))
    assert [sorted(circle) for circle in circles] == []


def test_each_table_of_names_is_in_a_circle_and_there_are_no_others():
    circles = circles_of(imports_of(files_of(ROOT)))
    assert {table for table in TABLES for circle in circles if table in circle} == TABLES.keys()
    assert len(circles) == len(TABLES)


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
        ('x = imported(".b", __package__)\n', "from .a import y\n"),
        ('ROWS = {"b": ("..runtime.b", "B")}\n', "from .a import y\n"),
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


def test_what_is_joined_to_a_path_names_no_module():
    nodes = nodes_in('x = home / ".cache" / "trilith"\ny = f(".cache")\n')
    assert list(spelled_in(nodes, ["trilith"])) == ["trilith.cache"]
    assert list(texts_in(nodes)) == [".cache"]


# ---- drivers of machines


def drivers_in(nodes: Nodes, package: list[str]) -> set[str]:
    """Return the drivers that a module imports, by a statement or by a name in a string."""
    named = {item for node in nodes for item in named_in(node, package)}
    return {name for name in {*named, *texts_in(nodes)} if DRIVERS.fullmatch(name)}


def test_drivers_stay_at_the_edge():
    found: dict[str, set[str]] = {}
    for name, path in files_of(ROOT).items():
        found[name] = drivers_in(nodes_of(path), package_of(name, path))
    users = {name for name, drivers in found.items() if drivers}
    assert {name for name in users if not name.startswith(EDGE)} == set()
    assert {edge for edge in EDGE for name in users if name.startswith(edge)} == set(EDGE)


@pytest.mark.parametrize(
    "text",
    [
        "import llvmlite.binding\n",
        "from pyopencl import array\n",
        'def f():\n    return imported("pyopencl")\n',
        'llvm = import_module("llvmlite.binding")\n',
    ],
)
def test_a_driver_is_seen(text: str):
    assert drivers_in(nodes_in(text), ["trilith", "compiler"])
    assert not drivers_in(nodes_in("from ..pyopencl import f  # pyopencl\n"), ["trilith", "x"])


def test_the_contract_on_drivers_lists_every_room():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (listed,) = [
        set(contract["source_modules"])
        for contract in contracts
        if contract["name"] == "Drivers of machines stay at the edge"
    ]
    for room in settings["tool"]["setuptools"]["packages"]:
        if not room.startswith(EDGE):
            parts = room.split(".")
            above = {".".join(parts[:count]) for count in range(2, len(parts) + 1)}
            alone = {room, f"{room}.*"} <= listed  # a room with others in it that are the edge
            is_top = len(parts) == 1 and room in listed
            assert is_top or alone or {f"{name}.**" for name in above} & listed, room
