"""Is what is installed exactly what lies in the tree, under one name?"""

import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = SETTINGS["tool"]["setuptools"]
ROOMS = ("autograd", "backends", "compiler", "dialects", "nn", "runtime", "utils")
#: Rooms of what users import, which are packages with something in them.
FACES = ("trilith.autograd", "trilith.backends", "trilith.nn", "trilith.utils")
#: Modules of functions beside the face; one is a package, whose functions are in it.
MODULES = (
    *("cuda.py", "fft.py", "func.py", "linalg.py", "sparse.py", "special.py", "testing.py"),
    "version.py",
)

# Imports every module of the package and prints the names and files of what got loaded.
# A driver that is not installed is the one reason for which a module may fail to load.
IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
import trilith

def search(package):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        rooms = ("autograd", "backends", "compiler", "dialects", "nn", "runtime", "utils")
        if found.name.split(".")[1] not in rooms:
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            if error.name != "pyopencl":
                raise
            continue
        if found.ispkg:
            search(module)

search(trilith)
# trilith.random is another name of a module, as os.path is.
loaded = {
    name: getattr(module, "__file__", None)
    for name, module in sys.modules.items()
    if name != "trilith.random"
}
print(json.dumps(loaded))
"""


def loaded_modules(**environment: str) -> dict[str, pathlib.Path]:
    """Name and real file of every module of ours that IMPORT_EVERYTHING loads."""
    process = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING],
        env={**os.environ, **environment},
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    files: dict[str, str | None] = json.loads(process.stdout)
    paths = {name: pathlib.Path(file).resolve() for name, file in files.items() if file}
    return {
        name: path
        for name, path in paths.items()
        if name.split(".")[0] in ("trilith", *ROOMS) or path.is_relative_to(ROOT / name)
    }


def tree_packages() -> set[str]:
    """The folders of the rooms that hold Python files, as package names."""
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    folders = {file.parent.relative_to(ROOT).parts for file in files}
    return {"trilith"} | {".".join(("trilith", *parts)) for parts in folders}


def tree_files() -> set[str]:
    """Every file that belongs into the wheel, as a path inside it."""
    names = ("__init__.py", "__main__.py", "py.typed", *MODULES)
    files = [*(ROOT / name for name in names), *ROOT.glob("*.pyi")]
    for room in ROOMS:
        for ending in ("*.py", "*.pyi", "*.md"):
            files += (ROOT / room).rglob(ending)
    return {f"trilith/{file.relative_to(ROOT).as_posix()}" for file in files}


def test_package_list_equals_tree():
    assert set(SETUPTOOLS["packages"]) == tree_packages()


def test_every_room_says_what_it_is_for():
    for package in SETUPTOOLS["packages"][1:]:
        source = ROOT.joinpath(*package.split(".")[1:], "__init__.py").read_text(encoding="utf-8")
        assert source.startswith('"""'), f"{package} has no docstring"
        if package in FACES:
            continue
        assert source.rstrip().endswith('"""'), f"{package} holds more than its docstring"


def test_root_holds_no_other_package():
    """A folder with an __init__.py at the root would be a second top-level name."""
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == set(ROOMS)


def links_in(root: pathlib.Path) -> list[pathlib.Path]:
    """Return what lies among the links, but for the code that Python leaves when it runs there."""
    found = (root / ".links" / "trilith").iterdir()
    return [path for path in found if path.name != "__pycache__"]


def test_links_for_the_type_checker_are_complete():
    stubs = {path.name for path in ROOT.glob("*.pyi")}
    links = {path.name: path.resolve() for path in links_in(ROOT)}
    expected = {"__init__.py", "__main__.py", "py.typed", *ROOMS, *MODULES, *stubs}
    assert links == {name: ROOT / name for name in expected}


def test_no_module_is_loaded_twice():
    names: dict[pathlib.Path, list[str]] = {}
    for name, path in loaded_modules().items():
        names.setdefault(path, []).append(name)
    assert names[ROOT / "__init__.py"] == ["trilith"]
    assert {path: found for path, found in names.items() if len(found) > 1} == {}
    assert all(found[0].split(".")[0] == "trilith" for found in names.values())


def test_settings_of_a_bare_pytest_equal_those_of_the_tests():
    own = configparser.ConfigParser()
    own.read(ROOT / "tests" / "pytest.ini")
    bare = SETTINGS["tool"]["pytest"]["ini_options"]
    assert own["pytest"]["addopts"] in bare["addopts"]
    assert own["pytest"]["filterwarnings"].strip().splitlines() == bare["filterwarnings"]
    assert own["pytest"].getboolean("strict") is bare["strict"]
    for name in ("faulthandler_timeout", "faulthandler_exit_on_timeout"):
        assert own["pytest"][name] == str(bare[name]).lower()


def test_no_group_pulls_torch():
    """A Linux build of torch brings CUDA along; only the extra may ask for it."""
    for requirements in SETTINGS["dependency-groups"].values():
        assert not any("torch" in str(requirement) for requirement in requirements)


def test_tests_bring_the_drivers_of_the_extra():
    extra = SETTINGS["project"]["optional-dependencies"]["opencl"]
    assert set(extra) <= set(SETTINGS["dependency-groups"]["test"])


#: What lies in the tree beside the sources: made by make, by the tests, or by a build.
MADE = {".venv", ".git", ".links", "build", "dist", "trilith.egg-info", "setup.cfg", "PKG-INFO"}
CACHES = ("__pycache__", ".pytest_cache", ".hypothesis", ".ruff_cache", ".import_linter_cache")


def source_files(root: pathlib.Path) -> set[str]:
    """Every file that belongs into a source distribution, as a path below the root."""
    found: set[str] = set()
    for folder, folders, files in os.walk(root):
        made = MADE if pathlib.Path(folder) == root else set[str]()
        folders[:] = [name for name in folders if name not in {*made, *CACHES}]
        found |= {f"{folder}/{name}" for name in files if name not in made}
    return {pathlib.Path(file).relative_to(root).as_posix() for file in found}


def build(source: pathlib.Path, kind: str) -> pathlib.Path:
    """Build an `sdist` or a `wheel` in a folder of sources; return its file."""
    code = f"import sys; from setuptools import build_meta; build_meta.build_{kind}(sys.argv[1])"
    process = subprocess.run(
        [sys.executable, "-c", code, "dist"], cwd=source, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr
    (path,) = (source / "dist").iterdir()
    return path


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The source distribution, unpacked; built from a copy so that the tree stays as it is."""
    copy = tmp_path_factory.mktemp("copy") / "trilith"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(*MADE - {".links"}, *CACHES), symlinks=True
    )
    with tarfile.open(build(copy, "sdist")) as archive:
        # Early versions of Python 3.11 know no filters.
        safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(copy.parent / "unpacked", **safely)
    (unpacked,) = (copy.parent / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def wheel(sources: pathlib.Path) -> pathlib.Path:
    """The wheel, built from the source distribution as an installer does."""
    return build(sources, "wheel")


def test_source_distribution_holds_all_files(sources: pathlib.Path):
    assert source_files(sources) == source_files(ROOT)


def test_source_distribution_makes_the_links_that_it_cannot_hold(sources: pathlib.Path):
    assert not (sources / ".links").exists()
    commands = subprocess.run(
        ["make", "--dry-run", "stubs"], cwd=sources, capture_output=True, text=True, check=True
    ).stdout
    links = "\n".join(line for line in commands.splitlines() if ".links" in line)
    subprocess.run(["sh", "-ec", links], cwd=sources, check=True)
    made = {path.name: path.resolve() for path in links_in(sources)}
    names = {path.name for path in links_in(ROOT)}
    assert made == {name: sources.resolve() / name for name in names}


def test_index_page_has_no_link_into_the_repository(wheel: pathlib.Path):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        page = archive.read(name).decode()
    assert "Description-Content-Type: text/markdown" in page
    assert "a tour (`docs/tour.md`)" in page
    targets = re.findall(r"\]\(([^)]*)\)", page)
    assert targets
    assert all(target.startswith("https://") for target in targets)


def test_links_of_the_readme_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_wheel_holds_the_tree_and_nothing_beside_it(wheel: pathlib.Path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    metadata = {name for name in names if ".dist-info/" in name}
    assert names - metadata == tree_files()
    assert any(name.endswith("/licenses/LICENSE") for name in metadata)


def test_wheel_offers_tool_and_plugin(wheel: pathlib.Path):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        offered = configparser.ConfigParser()
        offered.read_string(archive.read(name).decode())
    assert dict(offered["console_scripts"]) == SETTINGS["project"]["scripts"]
    assert dict(offered["xdsl.universe"]) == SETTINGS["project"]["entry-points"]["xdsl.universe"]


def test_wheel_works_installed(wheel: pathlib.Path, tmp_path: pathlib.Path):
    """Unpacked into site-packages, every module loads from there."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    loaded = loaded_modules(PYTHONPATH=str(tmp_path))
    assert loaded["trilith"] == tmp_path.resolve() / "trilith" / "__init__.py"
    assert all(path.is_relative_to(tmp_path.resolve()) for path in loaded.values())
    assert loaded.keys() == loaded_modules().keys()
