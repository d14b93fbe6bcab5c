"""What does the disk cache give after kills, damage, full disks and foreign owners?"""

import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trilith.runtime.execution import own_files
from trilith.runtime.execution.cache import DiskCache
from trilith.runtime.execution.cache_files import LONGEST_WRITE, stored_files, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and modes of POSIX")
NOBODY = 65534
as_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs root")


def stored(entries: DiskCache, data: bytes) -> Path:
    """Store an entry in an empty cache and return its file."""
    entries.put("k", data)
    (path,) = entries.folder.glob("*.entry")
    return path


# Damage


def test_every_truncation_and_every_flipped_bit_is_a_miss(tmp_path: Path):
    entries = DiskCache(tmp_path)
    data = random.Random(1).randbytes(150)
    path = stored(entries, data)
    content = path.read_bytes()
    damaged = [content[:length] for length in range(len(content))]
    for bit in range(8 * len(content)):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        damaged.append(bytes(changed))
    assert len(damaged) > 2000
    for text in damaged:
        path.write_bytes(text)
        assert entries.get("k") is None
    path.write_bytes(content)
    assert entries.get("k") == data


def test_pieces_of_two_entries_are_a_miss(tmp_path: Path):
    """What a file system may leave after a failure of power: blocks of old and new, or zeros."""
    entries, draws = DiskCache(tmp_path), random.Random(2)
    path = stored(entries, draws.randbytes(20_000))
    old = path.read_bytes()
    entries.put("k", draws.randbytes(20_000))
    new = path.read_bytes()
    for _ in range(1000):
        mixed = bytearray(new)
        for start in draws.sample(range(0, len(new), 512), k=draws.randint(1, 20)):
            block = draws.choice([old, bytes(len(old))])
            mixed[start : start + 512] = block[start : start + 512]
        path.write_bytes(mixed)
        assert entries.get("k") is None


# Many writers, some of them killed

WRITER = """
import random, sys, warnings
from trilith.runtime.execution.cache import DiskCache

warnings.simplefilter("error")
number = int(sys.argv[2])
entries, draws = DiskCache(sys.argv[1], limit=200_000), random.Random(number)
for _ in range(120):
    key = draws.randrange(60)
    found = entries.get(str(key))
    assert found is None or found[:-1] == b"%d" % key * 3000, "another key's"
    entries.put(str(key), b"%d" % key * 3000 + bytes([number]))
"""


def test_eight_processes_write_and_delete_the_same_entries(tmp_path: Path):
    """The limit is below what they write, so that all of them look for what is to go."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [
        subprocess.Popen([*command, str(number)], stderr=subprocess.PIPE, text=True)
        for number in range(8)
    ]
    errors = [writer.communicate(timeout=300)[1] for writer in writers]
    assert errors == [""] * 8
    assert [writer.returncode for writer in writers] == [0] * 8
    assert not list(tmp_path.glob("**/*.partial"))
    assert 0 < DiskCache(tmp_path).size() < 400_000


def test_writers_that_are_killed_leave_nothing_wrong(tmp_path: Path):
    """TRILITH_KILLS=200 kills so many."""
    count = int(os.environ.get("TRILITH_KILLS", "24"))
    script = Path(__file__).with_name("killing.py")
    ended = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(count)],
        capture_output=True,
        text=True,
        timeout=120 + count,
    )
    assert ended.stdout == f"{count} of {count} did right\n", ended.stderr
    left_over = list(tmp_path.glob("**/*.partial"))
    assert left_over  # some were in mid-write
    sweep(tmp_path, 1 << 30)
    assert list(tmp_path.glob("**/*.partial")) == left_over  # somebody may be writing them
    for path in left_over:
        os.utime(path, (1, time.time() - LONGEST_WRITE - 60))
    kept = DiskCache(tmp_path).size()
    sweep(tmp_path, 1 << 30)
    assert not list(tmp_path.glob("**/*.partial"))
    assert DiskCache(tmp_path).size() == kept > 0


# The limit


def test_the_limit_holds_for_the_entries_of_all_versions(tmp_path: Path):
    entries = DiskCache(tmp_path, limit=10_000)
    old = tmp_path / "v0" / f"{'0' * 64}.entry"
    other = tmp_path / "other" / f"{'0' * 64}.entry"
    for path in (old, other):
        path.parent.mkdir()
        path.write_bytes(bytes(9_000))
        os.utime(path, (1, 1))
    entries.put("k", bytes(2_000))
    assert not old.exists()
    assert other.exists()
    assert entries.get("k") is not None


def test_a_temporary_file_of_a_writer_at_work_stays(tmp_path: Path):
    entries = DiskCache(tmp_path, limit=3_000)
    partial = entries.folder / "1-2-3.partial"
    partial.write_bytes(bytes(5_000))
    for number in range(9):
        entries.put(str(number), bytes(1_000))
    assert partial.exists()
    assert entries.get("8") is not None
    os.utime(partial, (0, time.time() + 10 * LONGEST_WRITE))  # a clock was wrong
    entries.put("k", bytes(1_000))
    assert not partial.exists()


def test_a_hit_looks_at_no_other_file_and_writes_seldom(tmp_path: Path, monkeypatch: Any):
    entries = DiskCache(tmp_path)
    path = stored(entries, b"v")
    calls: list[str] = []
    for name in ("scandir", "utime", "unlink"):
        monkeypatch.setattr(os, name, counted(calls, name, getattr(os, name)))
    for _ in range(3):
        assert entries.get("k") == b"v"
    assert calls == []
    long_ago = time.time() - 2 * own_files.LONGEST_UNMARKED
    monkeypatch.undo()
    os.utime(path, (long_ago, long_ago))
    assert entries.get("k") == b"v"
    assert path.stat().st_mtime > long_ago + own_files.LONGEST_UNMARKED


def test_writes_look_through_the_folder_seldom(tmp_path: Path, monkeypatch: Any):
    """With 8 times the limit of the bytes written a look is due every 32nd part of the limit."""
    entries = DiskCache(tmp_path, limit=4_000_000)
    looks: list[str] = []
    monkeypatch.setattr(os, "scandir", counted(looks, "scandir", os.scandir))
    for _ in range(400):
        entries.put("k", bytes(10_000))
    folders = 2  # that of all versions and that of this one
    assert 5 * folders < len(looks) < 90 * folders  # 32 are expected


def counted(calls: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        calls.append(name)
        return function(*arguments, **keywords)

    return call


# Who owns it, and what others may do

USER = """
import os, sys, warnings
from trilith.runtime.execution.cache import DiskCache

if len(sys.argv) > 2:
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))

with warnings.catch_warnings(record=True, action="always") as caught:
    entries = DiskCache(sys.argv[1])
    found = entries.get("k")
    entries.put("k", b"new")
    entries.put("other", b"new")
    print(found, entries.get("k"), len(caught), *caught)
"""


def run(folder: Path, user: int | None = None, before: str = "") -> str:
    """Use the cache in a process of its own, which may become another user's."""
    words = [sys.executable, "-c", before + USER, str(folder)]
    if user is not None:
        words.append(str(user))
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_an_entry_that_others_could_write_is_a_miss(tmp_path: Path):
    entries = DiskCache(tmp_path)
    path = stored(entries, b"v")
    for mode in (0o620, 0o602, 0o666, 0o777):
        path.chmod(mode)
        assert entries.get("k") is None
    path.chmod(0o644)
    assert entries.get("k") == b"v"
    path.chmod(0o666)
    entries.put("k", b"again")
    assert entries.get("k") == b"again"
    assert path.stat().st_mode & 0o777 == 0o600


@as_root
def test_an_entry_or_secret_of_another_user_is_replaced(tmp_path: Path):
    path = stored(DiskCache(tmp_path), b"v")
    os.chown(path, NOBODY, NOBODY)
    assert run(tmp_path) == "None b'new' 0\n"
    os.chown(path.with_name("secret"), NOBODY, NOBODY)
    assert run(tmp_path) == "None b'new' 0\n"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user reaches."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


@as_root
def test_the_folder_of_another_user_is_refused(open_folder: Path):
    stored(DiskCache(open_folder), b"v")
    said = run(open_folder, NOBODY)
    assert said.startswith("None None 1 ")
    assert "Set TRILITH_CACHE_DIR" in said
    assert DiskCache(open_folder).get("k") == b"v"


@as_root
def test_a_folder_that_cannot_be_written_gives_what_it_holds(open_folder: Path):
    assert run(open_folder, NOBODY) == "None b'new' 0\n"
    (open_folder / "v2").chmod(0o500)
    said = run(open_folder, NOBODY)
    assert said.startswith("b'new' b'new' 1 ")
    assert "Permission denied" in said


# Full


def test_a_file_that_may_not_grow(tmp_path: Path):
    """The system takes a part of the bytes and refuses the rest, as a full disk does."""
    entries = DiskCache(tmp_path)
    path = stored(entries, b"v")
    limited = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))\n"
    )
    said = run(tmp_path, before=limited)
    assert said.startswith("b'v' b'v' 1 ")
    assert "File too large" in said
    assert list(entries.folder.glob("*.entry")) == [path]
    assert not list(entries.folder.glob("*.partial"))
    empty = run(tmp_path / "empty", before=limited.replace("50", "5"))
    assert empty.startswith("None None 1 ")


def test_no_space_for_a_part_of_the_bytes(tmp_path: Path, monkeypatch: Any):
    class Full:
        def __init__(self, descriptor: int, mode: str) -> None:
            self.descriptor = descriptor

        def write(self, content: bytes) -> int:
            os.write(self.descriptor, content[: len(content) // 2])
            raise OSError(28, "No space left on device")

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.descriptor)

    entries = DiskCache(tmp_path)
    stored(entries, b"v")
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        patch.setattr(own_files.os, "fdopen", Full)
        for number in range(5):
            entries.put(str(number), bytes(100))
    assert len(caught) == 1
    assert [file.is_entry for file in stored_files(tmp_path)] == [True]
    assert not list(tmp_path.glob("**/*.partial"))
    assert entries.get("k") == b"v"
