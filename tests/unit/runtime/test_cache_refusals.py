"""Does a program go on when the system refuses what the disk cache asks for, whatever it is?"""

import errno
import itertools
import os
import shutil
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trilith.runtime.execution import cache as disk
from trilith.runtime.execution import cache_secret
from trilith.runtime.execution.cache import DiskCache

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the files of POSIX")

ERRORS = ("EROFS", "ENOTDIR", "ENOSPC", "EDQUOT", "EACCES", "EPERM", "EIO", "ENOENT", "EMFILE")
#: What the cache asks of the system.
CALLS = (
    *("open", "fdopen", "fstat", "lstat", "stat", "utime", "mkdir", "chmod"),
    *("link", "replace", "unlink", "scandir"),
)


class Refusals:
    """Lets the calls about a folder through, but for number `first`, or from there on."""

    def __init__(self, folder: Path, code: int, first: int, *, for_good: bool) -> None:
        self.folder, self.code, self.first, self.for_good = str(folder), code, first, for_good
        self.count = 0
        self.refused: list[str] = []
        self.descriptors: set[int] = set()

    def check(self, name: str) -> None:
        number = self.count
        self.count += 1
        if number == self.first or (self.for_good and number > self.first >= 0):
            self.refused.append(name)
            raise OSError(self.code, os.strerror(self.code))

    def replacement(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            about = arguments[0]
            is_file = isinstance(about, int)
            is_ours = about in self.descriptors if is_file else str(about).startswith(self.folder)
            if not is_ours:
                return real(*arguments, **keywords)
            self.check(name)
            result = real(*arguments, **keywords)
            if name == "open":
                self.descriptors.add(result)
            return File(self, result) if name == "fdopen" else result

        return call


class File:
    """A file whose every read, write and close may be refused."""

    def __init__(self, refusals: Refusals, real: Any) -> None:
        self.refusals, self.real = refusals, real

    def fileno(self) -> int:
        return self.real.fileno()

    def read(self, count: int) -> bytes:
        self.refusals.check("read")
        return self.real.read(count)

    def write(self, content: bytes) -> int:
        self.real.write(content[: len(content) // 2])
        self.refusals.check("write")
        return self.real.write(content[len(content) // 2 :])

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.refusals.descriptors.discard(self.real.fileno())
        self.real.close()
        self.refusals.check("close")


def use(folder: Path) -> int:
    """Do all that can be done with a cache; return how often it warned."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        entries = DiskCache(folder)
        assert entries.get("old") in (None, b"old")
        entries.put("old", b"old")
        entries.put("new", b"new")
        assert entries.get("new") in (None, b"new")
        assert entries.size() >= 0
    assert all("TRILITH_CACHE_DIR" in str(warning.message) for warning in caught)
    return len(caught)


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for-good"])
@pytest.mark.parametrize("state", ["none", "filled", "open-to-others"])
@pytest.mark.parametrize("name", ERRORS)
def test_any_call_may_be_refused(
    tmp_path: Path, monkeypatch: Any, name: str, state: str, for_good: bool
):
    model = tmp_path / "model"
    if state != "none":
        DiskCache(model).put("old", b"old")
    if state == "open-to-others":
        (model / f"v{disk.VERSION}").chmod(0o755)
    real = {call: getattr(os, call) for call in CALLS}

    for number in itertools.count():
        folder = tmp_path / str(number)
        if state != "none":
            shutil.copytree(model, folder)
        refusals = Refusals(folder, getattr(errno, name), number, for_good=for_good)
        with monkeypatch.context() as patch:
            for call, function in real.items():
                patch.setattr(os, call, refusals.replacement(call, function))
            assert use(folder) <= 1
        if not refusals.refused:
            assert number > 10  # every call has been refused in its turn
            break
        if "unlink" not in refusals.refused:
            assert list(folder.glob("**/*.partial")) == [], refusals.refused
        # Nothing is left that would keep the next process from it.
        again = DiskCache(folder)
        assert again.get("old") in (None, b"old")
        again.put("old", b"old")
        assert again.get("old") == b"old", refusals.refused


def test_a_refusal_is_said_once_with_the_way_out(tmp_path: Path, monkeypatch: Any):
    entries = DiskCache(tmp_path)
    with monkeypatch.context() as patch:
        refusals = Refusals(tmp_path, errno.EROFS, 0, for_good=True)
        patch.setattr(os, "open", refusals.replacement("open", os.open))
        with pytest.warns(UserWarning, match="Read-only file system. Set TRILITH_") as caught:
            entries.put("k", b"v")
        entries.put("k", b"v")
    (warning,) = caught
    assert str(entries.folder) in str(warning.message)
    assert warning.filename == __file__
    entries.put("k", b"v")
    assert entries.get("k") == b"v"


def test_a_cache_that_cannot_be_opened_says_so_when_it_should_store(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    entries = DiskCache(tmp_path / "file" / "below")
    assert entries.get("k") is None
    with pytest.warns(UserWarning, match="Not a directory"):
        entries.put("k", b"v")


# On file systems that refuse by themselves

PROGRAM = """
import warnings
import trilith as tri

with warnings.catch_warnings(record=True, action="always") as caught:
    f = tri.compile(lambda x, y: tri.{function}(tri.sqrt(x * y)) + 1)
    found = f(tri.tensor([4.0, 9.0]), 4).tolist()
    from trilith.compiler.afterwards import AFTERWARDS

    AFTERWARDS.finish()
    print(found, f.stats().kernels_loaded, len(caught))
"""


def run(folder: Path, function: str, mount: str = "") -> str:
    """Run a program with a cache in `folder`, on which a command mounts something first."""
    environment = {**os.environ, "TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(folder)}
    program = [sys.executable, "-c", PROGRAM.format(function=function)]
    if mount:
        commands = mount.replace("DIR", str(folder)) + ' && exec "$@"'
        program = ["unshare", "--mount", "sh", "-c", commands, "sh", *program]
    done = subprocess.run(program, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def can_mount(tmp_path_factory: Any) -> bool:
    folder = str(tmp_path_factory.mktemp("mounted"))
    command = f"mount -t tmpfs -o size=4k tmpfs {folder}"
    try:
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", command], capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def test_a_read_only_file_system_gives_what_it_holds(tmp_path: Path, can_mount: bool):
    if not can_mount:
        pytest.skip("this user cannot mount")
    read_only = "mount --bind DIR DIR && mount -o remount,bind,ro DIR"
    assert run(tmp_path, "floor") == "[5.0, 7.0] 0 0"
    assert run(tmp_path, "floor", read_only) == "[5.0, 7.0] 1 0"  # found, and nothing to say
    assert run(tmp_path, "ceil", read_only) == "[5.0, 7.0] 0 1"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(empty, "floor", read_only) == "[5.0, 7.0] 0 1"


def test_a_full_file_system_stops_nothing(tmp_path: Path, can_mount: bool):
    if not can_mount:
        pytest.skip("this user cannot mount")
    assert run(tmp_path, "floor", "mount -t tmpfs -o size=4k tmpfs DIR") == "[5.0, 7.0] 0 1"


# What lies in the place of a file


def pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


def device(path: Path) -> None:
    try:
        os.mknod(path, 0o020600, os.makedev(1, 5))  # /dev/zero: a read never ends
    except PermissionError:
        pytest.skip("this user cannot make devices")


def socket_file(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        where = os.getcwd()
        os.chdir(path.parent)  # the path of a socket has at most 107 bytes
        try:
            made.bind(path.name)
        finally:
            os.chdir(where)
    path.chmod(0o600)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)
    path.chmod(0o600)


def long_header(path: Path) -> None:
    """An entry that says it goes on for longer than memory would last."""
    content = bytearray(path.with_name("kept").read_bytes())
    content[16:24] = (1 << 40).to_bytes(8, "little")
    path.write_bytes(content)
    os.truncate(path, 1 << 40)


def within(seconds: float, action: Callable[[], Any]) -> Any:
    """Do something on a thread that nobody waits for longer than that."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(action()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, "it waits for what never comes"
    return results[0]


OTHER_THINGS = [pipe, device, socket_file, loop, link, folder, sparse]


@pytest.mark.parametrize("make", [*OTHER_THINGS, long_header])
def test_an_entry_that_is_no_file_is_a_miss(tmp_path: Path, make: Callable[[Path], None]):
    entries = DiskCache(tmp_path)
    entries.put("k", b"v")
    (path,) = entries.folder.glob("*.entry")
    path.rename(path.with_name("kept"))
    make(path)
    assert within(20, lambda: [entries.get("k")]) == [None]
    if make is folder:
        with pytest.warns(UserWarning, match="Is a directory"):
            entries.put("k", b"v")
    else:
        entries.put("k", b"v")
        assert entries.get("k") == b"v"


@pytest.mark.parametrize("make", OTHER_THINGS)
def test_a_secret_that_is_no_file_is_replaced(tmp_path: Path, make: Callable[[Path], None]):
    entries = DiskCache(tmp_path)
    entries.put("k", b"v")
    path = entries.folder / cache_secret.NAME
    path.unlink()
    make(path)
    again = within(20, lambda: DiskCache(tmp_path))
    assert again.get("k") is None
    assert again.is_usable == (make is not folder)
    if again.is_usable:
        again.put("k", b"new")
        assert DiskCache(tmp_path).get("k") == b"new"


@pytest.fixture
def _elsewhere(tmp_path: Path) -> Iterator[None]:
    where = os.getcwd()
    os.chdir(tmp_path)
    yield
    os.chdir(where)


@pytest.mark.usefixtures("_elsewhere")
def test_a_relative_folder_stays_where_it_was(tmp_path: Path):
    entries = DiskCache("cache")
    (tmp_path / "other").mkdir()
    os.chdir(tmp_path / "other")
    entries.put("k", b"v")
    assert DiskCache(tmp_path / "cache").get("k") == b"v"


@pytest.mark.usefixtures("_elsewhere")
def test_a_working_folder_that_is_gone(tmp_path: Path):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert not DiskCache("cache").is_usable
    assert DiskCache(tmp_path / "cache").is_usable
