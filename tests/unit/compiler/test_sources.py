"""Does an edit of the compiler change the key of its kernels, also one that keeps size and time?"""

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from trilith.compiler.kernels import sources
from trilith.compiler.kernels.sources import source_digest

LATER = time.time_ns() + 10**15  # the process began after all edits
PACKAGE = Path(__file__).parents[3]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small package of two rooms."""
    for name in (
        "compiler/kernels/table.py",
        "compiler/passes/tensors/fuse.py",
        "dialects/ops/table.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"VALUE = 1  # {name}\n")
    return tmp_path


def digest(root: Path) -> bytes:
    return source_digest(root, LATER)


def edit(path: Path) -> None:
    """Change a source so that neither its size nor its time tells."""
    status = path.stat()
    path.write_text(path.read_text().replace("1", "2", 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)


def rename(path: Path) -> None:
    path.rename(path.with_name("other.py"))


def add(path: Path) -> None:
    path.with_name("other.py").touch()


@pytest.mark.parametrize("change", [edit, rename, add, Path.unlink])
@pytest.mark.parametrize("name", ["compiler/kernels/table.py", "dialects/ops/table.py"])
def test_every_change_of_the_sources_counts(root: Path, name: str, change: Callable[[Path], None]):
    before = digest(root)
    assert digest(root) == before
    change(root / name)
    assert digest(root) != before


def test_times_and_other_files_do_not_count(root: Path):
    before = digest(root)
    for path in root.rglob("*.py"):
        os.utime(path, (1, 1))
        path.with_suffix(".md").write_text("words")
    (root / "runtime").mkdir()
    (root / "runtime" / "tensor.py").touch()
    assert digest(root) == before


def test_text_that_moves_from_one_file_to_the_next_counts(root: Path):
    first, second = root / "compiler/a.py", root / "compiler/b.py"
    first.write_text("x = 1\ny = 2\n")
    second.write_text("")
    before = digest(root)
    first.write_text("x = 1\n")
    second.write_text("y = 2\n")
    assert digest(root) != before


def test_bytecode_of_a_source_does_not_count(root: Path):
    before = digest(root)
    assert compileall.compile_dir(root, quiet=1)
    assert digest(root) == before


def test_bytecode_from_before_an_edit_counts(root: Path):
    # Python runs it: what this process compiles must not be taken for the work of the new source.
    source = root / "compiler/kernels/table.py"
    py_compile.compile(str(source), doraise=True)
    time.sleep(0.02)  # the clock of files has steps of up to 10 ms
    edit(source)
    runs_old_code = digest(root)
    shutil.rmtree(source.parent / "__pycache__")
    assert digest(root) != runs_old_code


def test_a_source_edited_while_the_process_runs_shares_nothing(root: Path):
    began = time.time_ns() - 10**9
    assert source_digest(root, began) != source_digest(root, began)


def test_bytecode_in_place_of_sources_counts(root: Path):
    assert compileall.compile_dir(root, quiet=1, legacy=True)
    for source in root.rglob("*.py"):
        source.unlink()
    before = digest(root)
    assert digest(root) == before
    (root / "compiler/kernels.pyc").write_bytes(b"other")
    assert digest(root) != before


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_what_an_editor_leaves_beside_a_source_is_no_code(root: Path):
    before = digest(root)
    (root / "compiler/.#kernels.py").symlink_to("somebody@somewhere.1")
    os.mkfifo(root / "compiler/pipe.py")
    assert digest(root) == before
    edit(root / "dialects/ops/table.py")
    assert digest(root) != before


def test_a_source_that_cannot_be_read_shares_nothing(root: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(path: str) -> tuple[bytes, os.stat_result]:
        raise PermissionError(path)

    monkeypatch.setattr(sources, "_read", refuse)
    assert digest(root) != digest(root)


def test_where_nothing_can_be_read_nothing_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sources, "__package__", "frozen.compiler")
    assert digest(tmp_path) != digest(tmp_path)


# In processes of their own

PROGRAM = """
import trilith as tri
from trilith.compiler import kernels

f = tri.compile(lambda x: tri.square(x) + 0.25)
print(f(tri.tensor([3.0])).item(), f.stats().kernels_loaded, kernels.__file__)
"""


def run(path: Path, cache: Path) -> list[str]:
    environment = {
        **os.environ,
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(cache),
        "PYTHONPATH": str(path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment
    ).stdout.split()


def copy(folder: Path) -> Path:
    """Copy the package without its bytecode."""
    for room in ("compiler", "dialects", "runtime"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE / room, folder / "trilith" / room, ignore=ignored)
    shutil.copy(PACKAGE / "__init__.py", folder / "trilith")
    return folder / "trilith"


def test_an_edited_compiler_does_not_get_its_old_kernels(tmp_path: Path):
    package, cache = copy(tmp_path), tmp_path / "cache"
    value, loaded, file = run(tmp_path, cache)
    assert (value, loaded) == ("9.25", "0")
    assert file.startswith(str(tmp_path))
    assert run(tmp_path, cache)[:2] == ["9.25", "1"]
    emitter = package / "compiler/codegen/llvm/payload.py"
    status = emitter.stat()
    text = emitter.read_text(encoding="utf-8")
    assert '"fadd"' in text
    emitter.write_text(text.replace('"fadd"', '"fsub"'), encoding="utf-8")
    os.utime(emitter, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(tmp_path, cache)[:2] == ["8.75", "0"]


def test_kernels_of_a_package_in_an_archive_are_kept(tmp_path: Path):
    package, archive = copy(tmp_path / "folder"), tmp_path / "app.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for file in package.rglob("*.py"):
            made.write(file, file.relative_to(package.parent))
    assert run(archive, tmp_path / "cache")[:2] == ["9.25", "0"]
    value, loaded, where = run(archive, tmp_path / "cache")
    assert (value, loaded) == ("9.25", "1")
    assert where.startswith(str(archive))
