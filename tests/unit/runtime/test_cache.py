"""Does the disk cache return what was stored, or nothing: whatever happened to its files?"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.runtime.execution import cache as disk
from trilith.runtime.execution import cache_secret
from trilith.runtime.execution.cache import DiskCache, default_cache
from trilith.runtime.execution.cache_settings import DEFAULT_LIMIT, chosen_folder, limit_of

POSIX = sys.platform != "win32"


@pytest.fixture
def entries(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache")


def files(entries: DiskCache) -> list[Path]:
    return sorted(entries.folder.glob("*.entry"))


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 1000])
@pytest.mark.parametrize("key", ["", "k", "a/../b\0ü" * 50])
def test_stores_any_bytes_under_any_key(entries: DiskCache, key: str, data: bytes):
    assert entries.get(key) is None
    entries.put(key, data)
    assert entries.get(key) == data
    assert entries.get(key + "x") is None
    assert [path.parent for path in files(entries)] == [entries.folder]


def test_replaces_and_clears(entries: DiskCache):
    entries.put("k", b"one")
    entries.put("k", b"two")
    assert entries.get("k") == b"two"
    assert len(files(entries)) == 1
    assert entries.size() == files(entries)[0].stat().st_size
    entries.clear()
    assert entries.get("k") is None
    assert entries.is_usable
    entries.put("k", b"three")
    assert entries.get("k") == b"three"


def test_another_process_reads_it(entries: DiskCache, tmp_path: Path):
    entries.put("k", b"value")
    assert DiskCache(tmp_path / "cache").get("k") == b"value"


# Damage


def stored(entries: DiskCache, key: str = "k", data: bytes = b"some machine code") -> Path:
    entries.put(key, data)
    return max(files(entries), key=lambda path: path.stat().st_mtime_ns)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: Any) -> tuple[DiskCache, Path, bytes]:
    entries = DiskCache(tmp_path_factory.mktemp("sample"))
    path = stored(entries)
    return entries, path, path.read_bytes()


@given(place=st.integers(min_value=0), change=st.integers(1, 255))
def test_any_flipped_byte_is_a_miss(sample: Any, place: int, change: int):
    entries, path, content = sample
    damaged = bytearray(content)
    damaged[place % len(content)] ^= change
    path.write_bytes(damaged)
    assert entries.get("k") is None
    path.write_bytes(content)
    assert entries.get("k") == b"some machine code"


@given(length=st.integers(min_value=0))
def test_any_truncation_is_a_miss(sample: Any, length: int):
    entries, path, content = sample
    path.write_bytes(content[: length % len(content)])
    assert entries.get("k") is None


def test_more_bytes_than_written_are_a_miss(sample: Any):
    entries, path, content = sample
    path.write_bytes(content + b"x")
    assert entries.get("k") is None


def test_an_entry_under_another_key_is_a_miss(entries: DiskCache):
    first = stored(entries, "first")
    entries.put("second", b"other")
    (second,) = set(files(entries)) - {first}
    second.write_bytes(first.read_bytes())
    assert entries.get("second") is None
    assert entries.get("first") is not None


def test_an_entry_of_another_user_is_a_miss(entries: DiskCache, tmp_path: Path):
    other = DiskCache(tmp_path / "other")
    path = stored(other)
    (entries.folder / path.name).write_bytes(path.read_bytes())
    assert entries.get("k") is None


def test_an_entry_of_another_version_is_a_miss(entries: DiskCache, monkeypatch: Any):
    path = stored(entries)
    content = bytearray(path.read_bytes())
    content[8] = 99
    path.write_bytes(content)
    assert entries.get("k") is None


def test_damage_is_healed_by_the_next_put(entries: DiskCache):
    stored(entries).write_bytes(b"")
    assert entries.get("k") is None
    entries.put("k", b"again")
    assert entries.get("k") == b"again"


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 33])
def test_a_damaged_secret_makes_all_entries_misses(
    entries: DiskCache, tmp_path: Path, damage: bytes
):
    stored(entries)
    (entries.folder / cache_secret.NAME).write_bytes(damage)
    again = DiskCache(tmp_path / "cache")
    assert again.is_usable
    assert again.get("k") is None
    again.put("k", b"new")
    assert DiskCache(tmp_path / "cache").get("k") == b"new"


def test_a_directory_or_link_in_place_of_an_entry(entries: DiskCache, tmp_path: Path):
    path = stored(entries)
    content = path.read_bytes()
    path.unlink()
    path.mkdir()
    assert entries.get("k") is None
    with pytest.warns(UserWarning, match="Is a directory"):
        entries.put("k", b"value")
    assert entries.get("k") is None
    path.rmdir()
    if POSIX:
        (tmp_path / "elsewhere").write_bytes(content)
        path.symlink_to(tmp_path / "elsewhere")
        assert entries.get("k") is None
        entries.put("k", b"value")
        assert entries.get("k") == b"value"
        assert (tmp_path / "elsewhere").read_bytes() == content


def test_the_folder_may_vanish(entries: DiskCache):
    path = stored(entries)
    for file in entries.folder.iterdir():
        file.unlink()
    entries.folder.rmdir()
    assert not path.exists()
    assert entries.get("k") is None
    with pytest.warns(UserWarning, match="No such file"):
        entries.put("k", b"value")
    assert entries.get("k") is None
    assert entries.size() == 0
    entries.clear()


# Who may touch it


@pytest.mark.skipif(not POSIX, reason="modes and owners of POSIX")
def test_modes(entries: DiskCache):
    path = stored(entries)
    assert entries.folder.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600
    assert (entries.folder / cache_secret.NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not POSIX, reason="modes and owners of POSIX")
def test_an_open_folder_is_closed_and_an_open_secret_replaced(entries: DiskCache, tmp_path: Path):
    stored(entries)
    secret = (entries.folder / cache_secret.NAME).read_bytes()
    entries.folder.chmod(0o755)
    assert DiskCache(tmp_path / "cache").get("k") is not None
    assert entries.folder.stat().st_mode & 0o777 == 0o700
    (entries.folder / cache_secret.NAME).chmod(0o644)
    assert DiskCache(tmp_path / "cache").get("k") is None
    assert (entries.folder / cache_secret.NAME).read_bytes() != secret


@pytest.mark.skipif(not POSIX, reason="modes and owners of POSIX")
def test_a_foreign_folder_is_refused(tmp_path: Path, monkeypatch: Any):
    entries = DiskCache(tmp_path)
    stored(entries)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert entries.get("k") is None
    stranger = DiskCache(tmp_path)
    assert not stranger.is_usable
    assert stranger.get("k") is None
    with pytest.warns(UserWarning, match="the folder belongs to somebody else"):
        stranger.put("k", b"value")


@pytest.mark.skipif(not POSIX, reason="links of POSIX")
def test_a_link_to_a_folder_is_refused(tmp_path: Path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / f"v{disk.VERSION}").symlink_to(real)
    assert not DiskCache(tmp_path / "cache").is_usable


def test_a_file_in_place_of_the_folder(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    entries = DiskCache(tmp_path / "file")
    assert not entries.is_usable
    with pytest.warns(UserWarning, match="Not a directory"):
        entries.put("k", b"v")
    assert entries.get("k") is None


# Size


def test_the_longest_unused_go(tmp_path: Path):
    entries = DiskCache(tmp_path, limit=10_000)
    now = time.time()
    for number in range(8):
        entries.put(str(number), bytes(1000))
        path = max(files(entries), key=lambda path: path.stat().st_mtime_ns)
        os.utime(path, (now - 1000 + number, now - 1000 + number))
    assert entries.get("0") is not None  # now the last used
    for number in range(8, 40):
        entries.put(str(number), bytes(1000))
        assert entries.size() <= 12_000
    assert entries.get("39") is not None
    assert entries.get("1") is None


def test_more_than_the_limit_is_not_stored(tmp_path: Path):
    entries = DiskCache(tmp_path, limit=1000)
    entries.put("k", bytes(1001))
    assert files(entries) == []


def test_left_over_partial_files_go_too(tmp_path: Path):
    entries = DiskCache(tmp_path, limit=10_000)
    partial = entries.folder / "1-2-3.partial"
    partial.write_bytes(bytes(9000))
    os.utime(partial, (1, 1))
    for number in range(20):
        entries.put(str(number), bytes(1000))
    assert not partial.exists()


def test_a_full_disk_is_no_error(entries: DiskCache, monkeypatch: Any):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "write_new_file", full)
    with pytest.warns(UserWarning, match="No space left on device"):
        entries.put("k", b"value")
    assert entries.get("k") is None


# Together


HAMMER = """
import random, sys
from trilith.runtime.execution.cache import DiskCache

entries, number = DiskCache(sys.argv[1]), int(sys.argv[2])
chooser = random.Random(number)
for _ in range(150):
    key = str(chooser.randrange(5))
    value = entries.get(key)
    assert value is None or (len(value) == 5000 and len(set(value)) == 1), "a torn entry"
    entries.put(key, bytes([number]) * 5000)
"""


def test_many_processes_write_the_same_keys(tmp_path: Path):
    processes = [
        subprocess.Popen([sys.executable, "-c", HAMMER, str(tmp_path), str(number)])
        for number in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    entries = DiskCache(tmp_path)
    assert all(entries.get(str(key)) is not None for key in range(5))
    assert list(entries.folder.glob("*.partial")) == []


def test_many_threads_open_it_for_the_first_time(tmp_path: Path):
    found: list[bytes | None] = []
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        DiskCache(tmp_path).put(str(number), b"value")
        found.append(DiskCache(tmp_path).get(str(number)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"value"] * 8


# Where


def test_the_environment_decides(tmp_path: Path, monkeypatch: Any):
    monkeypatch.delenv("TRILITH_CACHE", raising=False)
    monkeypatch.setenv("TRILITH_CACHE_DIR", str(tmp_path / "mine"))
    assert chosen_folder() == tmp_path / "mine"
    found = default_cache()
    assert found is not None
    assert found.folder.parent == tmp_path / "mine"
    assert default_cache() is found
    monkeypatch.setenv("TRILITH_CACHE", "0")
    assert default_cache() is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders of Linux")
def test_the_usual_folder(tmp_path: Path, monkeypatch: Any):
    for name in ("TRILITH_CACHE", "TRILITH_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert chosen_folder() == tmp_path / ".cache" / "trilith"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert chosen_folder() == tmp_path / "xdg" / "trilith"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("4096", 4096),
        (" 2g ", 2 << 30),
        ("1.5MiB", 3 << 19),
        ("10 KB", 10240),
        ("1T", 1 << 40),
    ],
)
def test_sizes(text: str, size: int):
    assert limit_of(text) == size


@pytest.mark.parametrize("text", ["much", "-1", "1e9", "5P", "G", "٣"])
def test_what_is_no_size_is_said_once_and_is_the_default(
    tmp_path: Path, monkeypatch: Any, text: str
):
    monkeypatch.setenv("TRILITH_CACHE", "1")
    monkeypatch.setenv("TRILITH_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRILITH_CACHE_SIZE", text)
    with pytest.warns(UserWarning, match="is no size") as caught:
        found = [default_cache(), default_cache()]
    assert len(caught) == 1
    assert found[0] is not None
    assert found[0] is found[1]
    assert found[0].limit == DEFAULT_LIMIT
    monkeypatch.setenv("TRILITH_CACHE_SIZE", "5K")
    smaller = default_cache()
    assert smaller is not None
    assert smaller.limit == 5120
